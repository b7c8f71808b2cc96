# Does anything that a call gives, says, prints, raises or writes hold what only the records hold?
# Secrets are planted where records are (a number of records, a value, somebody's name), every
# function is called, and all that can be seen of it is searched: object, attributes, environments,
# conditions with their traces, printed text, and the bytes of five kinds of files.
#
# Noise may hit a secret by chance, so a secret counts as found if every one of three calls shows it
# in the same place.

# ---- The records ---------------------------------------------------------------------------------

# 7,919 of 20,000 persons smoke. One of 7 variables; `income` has a value that nobody else has, and
# `person` says whose the records are. Names of levels are public, those of persons are not.
secret_records <- function(n = 20000) {
  with_seed(41, {
    smoke <- sample(rep(c("yes", "no"), c(7919, n - 7919)))
    flip <- function(x, share) ifelse(stats::runif(n) < share, ifelse(x == "yes", "no", "yes"), x)
    data <- data.frame(
      smoke = smoke, cough = flip(smoke, 0.1), fever = flip(smoke, 0.4),
      sex = sample(c("no", "yes"), n, replace = TRUE)
    )
    data[] <- lapply(data, factor, levels = c("no", "yes"))
    data$grade <- factor(sample(1:4, n, replace = TRUE), levels = 1:4, ordered = TRUE)
    data$income <- stats::runif(n, 0, 5000)
  })
  data$income[[137]] <- 1234.5678
  data
}
secret_breaks <- list(income = c(0, 1000, 2000, 3000, 5000))

# One record for each person, the 4,711th a known one.
secret_persons <- function(data) {
  data$person <- paste0("person-", seq_len(nrow(data)) + 100000)
  data$person[[4711]] <- "Ada-Geheim-0815"
  data
}

# What to look for: numbers as numbers and as words, and vectors as long as the data. Counts of one,
# two and three variables that are as good as unique (2,000 and more, and no multiple of 1,000).
secrets_of <- function(data) {
  binned <- data[vapply(data, is.factor, NA)]
  sets <- unlist(lapply(1:3, function(k) utils::combn(names(binned), k, simplify = FALSE)), FALSE)
  counts <- unique(unlist(lapply(sets, function(set) as.vector(table(binned[set])))))
  counts <- counts[counts >= 2000 & counts %% 1000 != 0]
  list(
    numbers = c(counts, counts / nrow(data), 1234.5678),
    whole = as.integer(counts), words = c(counts, "1234.5678", "Ada-Geheim-0815"), rows = nrow(data)
  )
}

# ---- Searching an object -------------------------------------------------------------------------

# Environments that are everybody's: nothing is searched behind them. Nor in the text of scripts, as
# of these tests, where the secrets stand.
is_common <- function(env) {
  if (inherits(env, "srcfile")) return(TRUE)
  identical(env, globalenv()) || identical(env, baseenv()) || identical(env, emptyenv()) ||
    isNamespace(env) || !is.null(attr(env, "name", exact = TRUE)) || env_of_tests(env)
}
# The environment of these tests: helpers and what the tests themselves hold.
env_of_tests <- function(env) exists("secrets_of", envir = env, inherits = FALSE)

# Calls look(x, path) for every vector, string and symbol that hangs on x.
walk <- function(x, look, path = "", seen = new.env()) {
  go <- function(part, name) walk(part, look, paste0(path, name), seen)
  if (is.environment(x)) {
    key <- rlang::obj_address(x)
    if (is_common(x) || !is.null(seen[[key]])) return(invisible())
    seen[[key]] <- TRUE
    for (name in ls(x, all.names = TRUE)) {
      if (rlang::is_missing(x[[name]])) next
      go(get(name, x), paste0("<", name, ">"))
    }
    return(go(parent.env(x), "<parent>"))
  }
  for (name in names(attributes(x))) go(attr(x, name, exact = TRUE), paste0("@", name))
  if (is.function(x)) {
    if (is.primitive(x)) return(invisible())
    go(formals(x), "(formals)")
    go(body(x), "(body)")
    return(go(environment(x), "(environment)"))
  }
  if (is.symbol(x)) return(look(as.character(x), path))
  if (is.list(x) || is.pairlist(x) || is.language(x)) {
    parts <- as.list(unclass(x))
    labels <- rlang::names2(parts)
    for (i in seq_along(parts)) {
      if (identical(parts[[i]], rlang::missing_arg())) next
      go(parts[[i]], if (nzchar(labels[[i]])) paste0("$", labels[[i]]) else paste0("[[", i, "]]"))
    }
    return(invisible())
  }
  if (is.atomic(x) && length(x)) look(x, path)
}

# Hashes, ids and receipts have five digits in a row by chance: no place to look for numbers.
without_hashes <- function(text) gsub("\\b[0-9a-f]{12,}\\b", "", text, perl = TRUE)

# Numbers that stand for themselves, as 7919 in "7919 of" or 7,919 but not in 0.79193, and the name.
secrets_in_text <- function(text, secrets) {
  text <- paste(unique(text), collapse = "\n")
  plain <- without_hashes(text)
  numbers <- regmatches(plain, gregexpr("(?<![0-9.,])[0-9][0-9.,]*", plain, perl = TRUE))[[1L]]
  numbers <- gsub(",", "", sub("[.,]+$", "", numbers), fixed = TRUE)
  named <- secrets$words[grepl("[A-Za-z]", secrets$words)]
  c(
    intersect(secrets$words, numbers),
    named[vapply(named, grepl, NA, x = text, fixed = TRUE, useBytes = TRUE)]
  )
}

# Where secrets are, as "path: secret".
secrets_in_object <- function(x, secrets) {
  found <- character()
  add <- function(path, what) found <<- c(found, paste0(path, ": ", what, recycle0 = TRUE))
  texts <- list()
  walk(x, function(part, path) {
    # As long as the data: a column, or codes of it; row names in R's short form are public.
    if (length(part) >= secrets$rows) add(path, paste("a vector of length", length(part)))
    # References to sources are numbers with a class that does not compare.
    if (is.numeric(part)) add(path, intersect(as.numeric(part), secrets$numbers))
    if (is.character(part)) texts[[length(texts) + 1L]] <<- list(path, unique(part))
  })
  # Nearly all is fine: one look at everything first.
  all <- unique(unlist(lapply(texts, `[[`, 2L)))
  if (length(secrets_in_text(all, secrets))) {
    for (text in texts) add(text[[1L]], secrets_in_text(text[[2L]], secrets))
  }
  found
}

# ---- Searching bytes -----------------------------------------------------------------------------

# Numbers wherever they may stand, the larger byte first or last. Files are full of small numbers
# and of lengths before letters: whole numbers of four bytes are looked for if theirs are neither.
numbers_in_bytes <- function(bytes, secrets) {
  rare <- secrets$whole[secrets$whole %% 256L >= 128L & secrets$whole %/% 256L >= 16L]
  found <- lapply(c("big", "little"), function(endian) {
    lapply(0:7, function(offset) {
      part <- utils::tail(bytes, length(bytes) - offset)
      read <- function(what, size) readBin(part, what, length(part) %/% size, size, endian = endian)
      c(
        intersect(secrets$numbers, read("double", 8L)),
        if (offset < 4L) intersect(rare, read("integer", 4L))
      )
    })
  })
  unique(unlist(found))
}

words_in_bytes <- function(bytes) {
  words <- c("1234.5678", "Ada-Geheim-0815")
  words[vapply(words, function(word) length(grepRaw(word, bytes, fixed = TRUE)) > 0L, NA)]
}

# The bytes of files as they would be written, compressed ones opened again.
serialised <- function(x) {
  saved <- lapply(c(gzip = "gzip", bzip2 = "bzip2", xz = "xz", none = "FALSE"), function(kind) {
    file <- tempfile()
    on.exit(unlink(file))
    saveRDS(x, file, compress = if (kind == "FALSE") FALSE else kind)
    connection <- gzfile(file, "rb") # opens all kinds
    on.exit(close(connection), add = TRUE, after = FALSE)
    readBin(connection, raw(), 1e8)
  })
  c(list(xdr = serialize(x, NULL), native = serialize(x, NULL, xdr = FALSE)), saved)
}

secrets_in_bytes <- function(x, secrets) {
  # The calls of a trace, which are searched as objects, refer to the text of these tests.
  if (inherits(x, "error")) x$trace <- NULL
  # Files that are the same when opened are searched once.
  found <- unlist(lapply(unique(unname(serialised(x))), function(bytes) {
    paste0("bytes: ", c(numbers_in_bytes(bytes, secrets), words_in_bytes(bytes)), recycle0 = TRUE)
  }))
  # The text form: numbers stand on lines of their own, as do R's codes of types below 2,000.
  lines <- strsplit(rawToChar(serialize(x, NULL, ascii = TRUE)), "\n", fixed = TRUE)[[1L]]
  numbers <- format(c(secrets$numbers, secrets$whole), digits = 15, trim = TRUE)
  c(found, paste0("ascii: ", unique(lines[lines %in% c(numbers, secrets$words)]), recycle0 = TRUE))
}

# ---- Everything that can be seen of a call -------------------------------------------------------

# The value or the error, all conditions whole, and what was printed.
all_seen <- function(code) {
  conditions <- list()
  printed <- utils::capture.output(value <- tryCatch(
    withCallingHandlers(
      rlang::with_options(code, privpc.advice = TRUE, rlib_warning_verbosity = "verbose"),
      condition = function(c) {
        conditions[[length(conditions) + 1L]] <<- c
        if (inherits(c, "warning")) tryInvokeRestart("muffleWarning")
        if (inherits(c, "message")) tryInvokeRestart("muffleMessage")
      }
    ),
    error = identity
  ))
  shown <- utils::capture.output(shown_value <- tryCatch({
    print(value)
    if (inherits(value, "privpc")) print(summary(value))
  }, error = identity), type = "output")
  list(
    value = value, conditions = conditions, said = vapply(conditions, conditionMessage, ""),
    printed = c(printed, shown)
  )
}

secrets_seen <- function(seen, secrets) {
  c(
    secrets_in_object(seen[c("value", "conditions")], secrets),
    secrets_in_bytes(seen$value, secrets),
    paste0("printed: ", secrets_in_text(c(seen$printed, seen$said), secrets), recycle0 = TRUE)
  )
}

# Found in every one of several calls. `run` is called without arguments. Where it `must_work`, an
# error is told as if it were a secret: a call that stopped has shown nothing.
secrets_shown <- function(run, secrets, calls = 3L, must_work = FALSE) {
  found <- NULL
  for (i in seq_len(calls)) {
    seen <- all_seen(run())
    if (must_work && inherits(seen$value, "error")) {
      return(paste("ended with an error:", conditionMessage(seen$value)))
    }
    now <- unique(secrets_seen(seen, secrets))
    found <- if (is.null(found)) now else intersect(found, now)
    if (length(found) == 0L) break
  }
  found
}

# ---- Leaks that must be found --------------------------------------------------------------------

# Each takes a private fit and its records and makes an object, or says something, with a secret.
planted_leaks <- list(
  `a count beside the graph` = function(fit, data) {
    fit$settings$smokers <- sum(data$smoke == "yes")
    fit
  },
  `a share` = function(fit, data) {
    fit$note <- mean(data$smoke == "yes")
    fit
  },
  `an attribute of the nodes` = function(fit, data) {
    attr(fit$nodes, "x") <- data$income[130:140]
    fit
  },
  `a function that remembers` = function(fit, data) {
    fit$again <- function() nrow(data)
    fit
  },
  `a formula` = function(fit, data) {
    fit$formula <- cough ~ smoke
    fit
  },
  `an environment` = function(fit, data) {
    fit$cache <- list2env(list(counts = table(data$smoke)), parent = emptyenv())
    fit
  },
  `the call` = function(fit, data) {
    fit$call <- as.call(list(as.name("marginal_pc"), data))
    fit
  },
  `the rows behind a factor` = function(fit, data) {
    fit$codes <- as.integer(data$sex)
    fit
  },
  `a comment` = function(fit, data) {
    comment(fit) <- paste("n of smokers:", sum(data$smoke == "yes"))
    fit
  },
  `a message` = function(fit, data) {
    message(format(sum(data$smoke == "yes"), big.mark = ","), " records")
    fit
  },
  `a warning` = function(fit, data) {
    warning("the value ", data$income[[137]], " is far out")
    fit
  },
  `an error` = function(fit, data) stop("person ", data$person[[4711]], " is there twice"),
  `what is printed` = function(fit, data) {
    cat("smokers:", sum(data$smoke == "yes"), "\n")
    fit
  },
  `a condition that holds data` = function(fit, data) {
    rlang::abort("refused", data = data)
  }
)
