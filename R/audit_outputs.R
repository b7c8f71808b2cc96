# What an audit looks at: the values inside the outputs of a mechanism.

# ---- Sources: where in an output there are values ------------------------------------------------

kind_words <- c(
  number = "numbers", string = "text", graph = "a graph", list = "a list", "NULL" = "`NULL`"
)

output_kind <- function(x) {
  if (inherits(x, c("privpc", "bn", "igraph"))) return("graph")
  if (is.factor(x)) return("string")
  switch(typeof(x),
    logical = if (all(is.na(x))) "missing" else "number",
    integer = , double = "number",
    character = , complex = , raw = "string",
    list = "list", "NULL" = "NULL", "opaque"
  )
}

kinds_of <- function(items) vapply(items, output_kind, "")

# A source finds values of one kind in the outputs: "number", "string" or "graph" in the outputs
# themselves or in a component of them, or the "whole" of outputs that have parts or several kinds.
# Which sources there are is settled by the first half of the runs. What a source makes of an output
# depends on that output alone, never on others of its chunk: else runs would not be independent.
sources_of <- function(one, two, where, get) {
  new_source <- function(kind, sample) {
    names <- if (kind != "whole") names_among(one, two, kind)
    list(kind = kind, where = where, names = names, sample = function(seen) sample(get(seen)))
  }
  table_source <- function(kind) new_source(kind, function(items) table_sample(items, kind))
  if (!is.list(one)) {
    kind <- setdiff(c(output_kind(one), output_kind(two)), "missing")
    return(list(table_source(c(kind, "number")[1L])))
  }
  kinds <- setdiff(unique(c(kinds_of(one), kinds_of(two))), "missing")
  tables <- intersect(kinds, c("number", "string", "graph"))
  parts <- if ("list" %in% kinds) unique(unlist(lapply(unique(c(one, two)), component_names)))
  components <- lapply(parts, function(name) {
    sources_of(
      component(one, name), component(two, name), paste("component", name, "of", where),
      function(seen) component(get(seen), name)
    )
  })
  c(
    lapply(tables, table_source), unlist(components, recursive = FALSE),
    if (length(kinds) != 1L || length(tables) == 0L) list(new_source("whole", whole_sample))
  )
}

# Components go by their name, those without one by their position.
component_names <- function(item) {
  if (output_kind(item) != "list") return()
  names <- rlang::names2(item)
  ifelse(nzchar(names), names, as.character(seq_along(item)))
}

component <- function(items, name) {
  lapply(items, function(item) {
    at <- match(name, component_names(item))
    if (is.na(at)) NA else item[[at]]
  })
}

names_among <- function(one, two, kind) {
  if (!is.list(one)) return(colnames(one))
  example <- Find(function(item) output_kind(item) == kind, c(one, two))
  if (!is.null(example)) entry_names(example)
}

# ---- Samples and views: one value per output -----------------------------------------------------

# What a user would call the entries of a vector, matrix or graph.
entry_names <- function(x) {
  graph <- output_kind(x) == "graph"
  if (graph) x <- graph_matrix(x)
  if (!is.matrix(x)) return(names(x))
  row <- if (is.null(rownames(x))) seq_len(nrow(x)) else rownames(x)
  column <- if (is.null(colnames(x))) seq_len(ncol(x)) else colnames(x)
  as.vector(outer(row, column, paste, sep = if (graph) " -> " else ", "))
}

graph_matrix <- function(x) if (inherits(x, "privpc")) edge_matrix(x) else adjacency_of(x)

# An output without attributes: only what can be compared.
plain <- function(x) {
  switch(output_kind(x),
    graph = as.vector(graph_matrix(x)),
    string = as.character(x),
    number = , missing = if (is.logical(x)) as.integer(x) else as.vector(unclass(x)),
    list = unname(lapply(x, plain)),
    "NULL" = NULL, "opaque"
  )
}

# A sample is a matrix of values, one output per row, and the size (length) of each output; shorter
# ones are filled up with NA, and so is what is missing or of another kind, with size NA.
table_sample <- function(items, kind) {
  if (!is.list(items)) {
    if (kind == "string" && !is.character(items)) storage.mode(items) <- "character"
    if (is.logical(items)) storage.mode(items) <- "integer"
    size <- ifelse(rowSums(!is.na(items)) > 0, ncol(items), NA)
    return(list(values = unname(items), size = size))
  }
  other <- kinds_of(items) != kind
  plain_already <- kind == "number" || kind == "string" && all(vapply(items, is.character, NA))
  if (!plain_already) items <- lapply(items, plain)
  items[other] <- list(if (kind == "string") character() else integer())
  size <- lengths(items)
  width <- max(size)
  if (any(size < width)) items <- lapply(items, `[`, seq_len(width))
  values <- matrix(unlist(items, use.names = FALSE), length(items), width, byrow = TRUE)
  if (is.logical(values)) storage.mode(values) <- "integer"
  size[other] <- NA
  list(values = values, size = size)
}

whole_sample <- function(items) {
  hashes <- vapply(items, function(item) rlang::hash(plain(item)), "")
  list(values = matrix(hashes), size = lengths(items), items = items)
}

# A view looks at one side of the outputs: `extract(sample)` gives a vector. `ordered` says that
# intervals of it mean something, `show(values)` writes values out.
new_view <- function(label, extract, ordered, show = show_values) {
  list(label = label, extract = extract, ordered = ordered, show = show)
}

show_values <- function(values) {
  if (is.character(values)) return(encodeString(values, quote = "\""))
  vapply(values, format, "", digits = 6L)
}

column <- function(sample, j) {
  if (j <= ncol(sample$values)) sample$values[, j] else rep(NA, nrow(sample$values))
}

# `one` and `two` are the samples of a source from the two data sets; `first` is the number of
# outputs that may be used to make views and events.
views_of <- function(source, one, two, first) {
  where <- source$where
  ordered <- source$kind %in% c("number", "graph")
  width <- max(ncol(one$values), ncol(two$values))
  sizes <- unique(c(one$size, two$size))
  same_size <- length(sizes[!is.na(sizes)]) <= 1L
  prints <- if (source$kind == "whole") function(sample) sample$values[, 1L] else fingerprint
  whole <- new_view(where, prints, FALSE, show_example(source, prints, list(one, two)))
  entries <- if (source$kind != "whole") {
    lapply(seq_len(width), function(j) {
      name <- if (j <= length(source$names)) source$names[j] else j
      label <- if (width > 1L) paste("entry", name, "of", where) else where
      new_view(label, function(sample) column(sample, j), ordered)
    })
  }
  c(
    if (!same_size) {
      list(new_view(paste("the length of", where), function(sample) sample$size, TRUE))
    },
    entries,
    if (width > 1L && ordered && same_size) sum_view(one$values, two$values, first, where),
    if (width != 1L || source$kind == "whole") list(whole)
  )
}

# Fisher's direction for entries taken as uncorrelated: (difference of means) / variance.
sum_view <- function(one, two, first, where) {
  one <- one[seq_len(first), , drop = FALSE]
  two <- two[seq_len(first), , drop = FALSE]
  if (!all(is.finite(one), is.finite(two))) return()
  spread <- apply(one, 2L, stats::var) + apply(two, 2L, stats::var)
  weights <- ifelse(spread > 0, (colMeans(one) - colMeans(two)) / spread, 0)
  list(new_view(
    paste("a weighted sum of the entries of", where),
    function(sample) {
      sums <- weighted_sum(sample$values, weights)
      ifelse(sample$size == length(weights), sums, NA)
    }, TRUE
  ))
}

# Column by column, so that equal rows give equal sums, to the last bit, in every chunk.
weighted_sum <- function(values, weights) {
  total <- numeric(nrow(values))
  for (j in seq_len(min(ncol(values), length(weights)))) {
    total <- total + weights[j] * values[, j]
  }
  total
}

# One number or string per output that is equal for equal outputs. For numbers a sum with weights
# that are linearly independent over the rationals (Lindemann-Weierstrass), so that sums of
# different outputs are equal only by rounding; that would blur an event, never falsify a bound.
fingerprint <- function(sample) {
  values <- sample$values
  beyond <- col(values) > ifelse(is.na(sample$size), 0L, sample$size)
  if (is.character(values)) {
    values[] <- encodeString(values, quote = "\"")
    values[beyond] <- ""
    columns <- lapply(seq_len(ncol(values)), function(j) values[, j])
    prints <- do.call(paste0, c(list(character(nrow(values))), columns))
  } else {
    values[is.na(values)] <- 12345.678
    values[beyond] <- 0
    prints <- weighted_sum(values, sin(seq_len(ncol(values)))) + sin(0.5) * sample$size
  }
  ifelse(is.na(sample$size), NA, prints)
}

# Fingerprints are shown by an output that has them.
show_example <- function(source, prints, samples) {
  function(values) {
    known <- lapply(samples, prints)
    vapply(values, function(value) {
      if (is.na(value)) return("missing")
      sample <- samples[[if (value %in% known[[1L]]) 1L else 2L]]
      i <- match(value, prints(sample))
      if (source$kind == "whole") return(shorten(unlist(plain(sample$items[[i]]))))
      row <- sample$values[i, seq_len(sample$size[i])]
      shorten(if (source$kind == "graph") source$names[row == 1L] else row)
    }, "")
  }
}

shorten <- function(values) {
  text <- if (is.numeric(values)) vapply(values, format, "", digits = 4L) else values
  text <- paste0("(", paste(text, collapse = ", "), ")")
  if (nchar(text) > 60L) paste0(substr(text, 1L, 56L), "...)") else text
}
