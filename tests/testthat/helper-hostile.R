# Objects that were damaged, and what a function may do with them. Used by test-damaged.R (a sample)
# and tools/hostile.R (all of it).

# ---- what may come out ---------------------------------------------------------------------------

# Words of R, Rcpp and C++ that nobody who reads an error of ours should meet, also not inside one.
raw_words <- c(
  "argument is of length zero", "the condition has length > 1", "subscript out of bounds",
  "missing value where TRUE/FALSE needed", "argument is not interpretable as logical",
  "non-numeric argument", "invalid .*argument", "incorrect number of", "undefined columns",
  "operator is invalid for atomic vectors", "object of type '.*' is not subsettable",
  "no applicable method", "not a function", "arguments imply differing", "cannot be coerced",
  "cannot coerce", "values must be type", "must be length", "object '.*' not found",
  "replacement has", "Not compatible", "Expecting a", "Expected a", "Index out of bounds", "std::",
  "bad_alloc", "vector::", "basic_string", "map::at", "not a valid", "invalid '.*' value",
  "non-conformable", "NAs introduced", "longer object length", "not meaningful for",
  "invalid subscript", "attempt to", "unused argument", "missing, with no default",
  "coercing argument", "no non-missing arguments", "NaNs produced", "number of items to replace",
  "is not a multiple", "promise already under", "infinite recursion", "stack usage",
  "zero-length", "non-character argument", "negative length"
)

raw_pattern <- paste(raw_words, collapse = "|")

# What a call gives: its value with all that it prints and says, "refused" by an error of ours,
# or `raw`, the words of R's own error or warning that got through.
outcome_of <- function(code) {
  said <- character()
  raw <- NULL
  note <- function(c, ours) {
    text <- conditionMessage(c)
    if (!ours || grepl(raw_pattern, text)) raw <<- c(raw, text)
    said <<- c(said, text)
  }
  value <- NULL
  refused <- FALSE
  printed <- utils::capture.output(value <- tryCatch(
    withCallingHandlers(
      force(code),
      warning = function(w) {
        note(w, inherits(w, "rlang_warning"))
        tryInvokeRestart("muffleWarning")
      },
      message = function(m) {
        note(m, inherits(m, "rlang_message"))
        tryInvokeRestart("muffleMessage")
      }
    ),
    error = function(e) {
      refused <<- TRUE
      note(e, inherits(e, "privpc_error"))
      NULL
    }
  ))
  list(value = value, said = said, printed = printed, refused = refused, raw = raw)
}

# In one word, beside what the sound object gave.
verdict_on <- function(outcome, sound) {
  if (length(outcome$raw)) return("raw")
  if (outcome$refused) return("refused")
  if (identical(outcome[c("value", "said", "printed")], sound[c("value", "said", "printed")])) {
    "same"
  } else {
    "different"
  }
}

# ---- damage --------------------------------------------------------------------------------------

# The places in nested lists and data frames, as vectors of positions. Of long lists without names
# (tables, sets) the first and the last stand for all.
places_in <- function(x, at = integer()) {
  inside <- if (is.list(x) && length(x)) {
    which <- if (is.null(names(x)) && length(x) > 2L) c(1L, length(x)) else seq_along(x)
    unlist(lapply(which, function(i) places_in(.subset2(x, i), c(at, i))), recursive = FALSE)
  }
  c(if (length(at)) list(at), inside)
}

# As in: measurements$tables$sets[[1]].
place_name <- function(x, at) {
  name <- ""
  for (i in at) {
    label <- names(x)[i]
    name <- paste0(
      name, if (length(label) && nzchar(label)) paste0("$", label) else paste0("[[", i, "]]")
    )
    x <- .subset2(x, i)
  }
  sub("^\\$", "", name)
}

gone <- structure(list(), class = "gone")

# With the part at a place changed by a function, whatever classes would say to that.
with_damage <- function(x, at, change) {
  if (length(at) == 0L) return(change(x))
  class <- oldClass(x)
  x <- unclass(x)
  part <- with_damage(.subset2(x, at[[1L]]), at[-1L], change)
  if (inherits(part, "gone")) x[[at[[1L]]]] <- NULL else x[at[[1L]]] <- list(part)
  oldClass(x) <- class
  x
}

# What is done at a place. A function that gives back what it was given does no damage there.
kinds_of_damage <- list(
  deleted = function(x) gone,
  null = function(x) NULL,
  `NA` = function(x) NA,
  `NA string` = function(x) NA_character_,
  text = function(x) "x",
  `no text` = function(x) "",
  `two texts` = function(x) c("x", "y"),
  `bad encoding` = function(x) "\xff\xfe",
  true = function(x) TRUE,
  zero = function(x) 0,
  `minus one` = function(x) -1,
  half = function(x) 0.5,
  huge = function(x) 1e300,
  infinite = function(x) -Inf,
  `not a number` = function(x) NaN,
  `no list` = function(x) list(),
  `no numbers` = function(x) numeric(),
  `no names` = function(x) character(),
  `a list` = function(x) list(a = 1, b = list("c")),
  `a function` = function(x) function(x) x,
  `an environment` = function(x) globalenv(),
  `a factor` = function(x) factor(c("u", "v")),
  `a matrix` = function(x) matrix(1:6, 2L),
  `a frame` = function(x) data.frame(),
  complex = function(x) 1i,
  symbol = function(x) quote(a),
  shortened = function(x) if (is_vector_like(x)) keep_attributes(x, -length(x)) else x,
  first = function(x) if (is_vector_like(x)) keep_attributes(x, 1L) else x,
  doubled = function(x) if (is_vector_like(x)) c(x, x) else x,
  reversed = function(x) if (is_vector_like(x)) keep_attributes(x, rev(seq_along(x))) else x,
  `first missing` = function(x) if (is.atomic(x) && length(x)) replace(x, 1L, NA) else x,
  `last negative` = function(x) if (is.numeric(x) && length(x)) replace(x, length(x), -7) else x,
  `last huge` = function(x) if (is.numeric(x) && length(x)) replace(x, length(x), 1e300) else x,
  `last two` = function(x) if (is.numeric(x) && length(x)) replace(x, length(x), 2) else x,
  `first empty` = function(x) if (is.list(x) && length(x)) unclass_first(x, NULL) else x,
  `first of text` = function(x) if (is.list(x) && length(x)) unclass_first(x, "x") else x,
  `as text` = function(x) if (is.atomic(x)) keep_shape(as.character(x), x) else x,
  `as list` = function(x) if (is.atomic(x) && !is.null(x)) as.list(x) else x,
  `as double` = function(x) if (is.integer(x)) keep_shape(as.double(x), x) else x,
  `same text` = function(x) if (is.character(x)) keep_shape(rep("x", length(x)), x) else x,
  renamed = function(x) if (!is.null(names(x))) rename_first(x, "zz") else x,
  nameless = function(x) {
    if (is.null(names(x)) && is.null(dimnames(x))) return(x)
    if (is.null(dim(x)) || is.data.frame(x)) attr(x, "names") <- NULL else dimnames(x) <- NULL
    x
  },
  classless = function(x) if (is.object(x)) unclass(x) else x,
  `other class` = function(x) if (is.object(x)) structure(x, class = "other") else x,
  shapeless = function(x) if (is.matrix(x)) as.vector(x) else x,
  transposed = function(x) if (is.matrix(x)) t(x) else x,
  `a row less` = function(x) if (is.matrix(x)) x[-1L, , drop = FALSE] else x,
  full = function(x) if (is.matrix(x) && is.numeric(x)) replace(x, TRUE, 1L) else x
)

is_vector_like <- function(x) is.vector(unclass(x)) && length(x) > 0L && !is.function(x)

keep_attributes <- function(x, which) {
  class <- oldClass(x)
  x <- unclass(x)[which]
  oldClass(x) <- class
  x
}

keep_shape <- function(new, old) {
  attributes(new) <- attributes(old)
  new
}

unclass_first <- function(x, part) with_damage(x, 1L, function(old) part)

rename_first <- function(x, name) {
  labels <- attr(x, "names")
  labels[[1L]] <- name
  attr(x, "names") <- labels
  x
}

# One row per damage: `at` (a place) and `kind`. Without those that leave the object as it is.
damages_of <- function(x) {
  places <- places_in(x)
  rows <- expand.grid(
    place = seq_along(places), kind = names(kinds_of_damage), stringsAsFactors = FALSE
  )
  rows$at <- places[rows$place]
  rows$name <- vapply(rows$at, function(at) place_name(x, at), "")
  rows
}

damaged_by <- function(x, at, kind) {
  tryCatch(with_damage(x, at, kinds_of_damage[[kind]]), error = function(e) NULL)
}
