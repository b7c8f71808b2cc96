# Data that agree in all that is public (number of rows, names, levels and their order, breaks) and
# in nothing else, and what a call shows of them.

same_shape_breaks <- list(x = c(0, 25, 50, 75, 100), y = c(-1, 0, 1))

same_shape_data <- function(n = 80) {
  levels <- list(a = 2L, b = 3L, o = 4L, d = 2L, e = 2L)
  of_codes <- function(codes, x, y) {
    columns <- lapply(stats::setNames(nm = names(levels)), function(name) {
      factor(
        rep_len(codes[[name]], n), levels = seq_len(levels[[name]]),
        labels = paste0(name, seq_len(levels[[name]])), ordered = name == "o"
      )
    })
    # Also a variable with one level, and two that are numbers.
    data.frame(
      columns, single = factor(rep("only", n)), x = rep_len(x, n), y = rep_len(y, n)
    )
  }
  first <- lapply(levels, function(k) 1L)
  odd <- of_codes(first, 10, 0)
  odd[1L, ] <- of_codes(levels, 90, 0.5)[1L, ]
  with_seed(20, list(
    constant = of_codes(first, 10, 0),
    `constant, elsewhere` = of_codes(levels, 99, 0.5),
    random = of_codes(
      lapply(levels, function(k) sample.int(k, n, replace = TRUE)), stats::runif(n, 0, 100),
      stats::runif(n, -1, 1)
    ),
    # All columns are functions of the first one: duplicates, and nothing in between.
    duplicates = of_codes(lapply(levels, function(k) c(1L, k)), c(-1e300, 1e300), c(-Inf, Inf)),
    # A function of two others, and values that all differ.
    determined = of_codes(
      list(a = 1:2, b = c(1L, 1L, 2L, 3L), o = c(1L, 2L, 3L, 4L), d = c(1L, 1L, 2L, 2L),
           e = c(1L, 2L, 2L, 1L)), seq_len(n) / n, rev(seq_len(n)) / n
    ),
    `one odd record` = odd
  ))
}

# All that a call says: its value and every condition, in order, with class and text.
all_shown <- function(code) {
  said <- list()
  printed <- utils::capture.output(value <- tryCatch(
    withCallingHandlers(
      rlang::with_options(code, privpc.advice = TRUE, rlib_warning_verbosity = "verbose"),
      condition = function(c) {
        said[[length(said) + 1L]] <<- list(class = class(c), text = conditionMessage(c))
        if (inherits(c, "warning")) tryInvokeRestart("muffleWarning")
        if (inherits(c, "message")) tryInvokeRestart("muffleMessage")
      }
    ),
    error = function(e) structure(list(), class = "refused")
  ))
  list(value = value, said = said, printed = printed)
}

# The numbers that carry noise, and nothing else, are put aside. What is left of a list of numbers
# is how many there are.
without_noisy_values <- function(x) {
  blank <- function(values) lapply(values, function(v) rep(0, length(v)))
  if (inherits(x, "privpc") && !is.null(x$measurements)) {
    for (part in c("tables", "families")) {
      # The error of a noisy number of records moves a single variable in proportion to its noisy
      # contrasts: that part of the variance is a function of what is published beside it.
      singles <- lengths(x$measurements[[part]]$sets) == 1L
      if (is_add_remove(x$privacy$neighbours)) x$measurements[[part]]$variance[singles] <- 0
      x$measurements[[part]]$values <- blank(x$measurements[[part]]$values)
    }
  }
  if (inherits(x, "privpc_test")) {
    x$statistic[] <- 0
    x$estimate[] <- 0
    x$p.value <- 0
  }
  if (inherits(x, "privpc_release") && is.double(x$value)) x$value[] <- 0
  x
}

# Where two objects first differ, as in $settings$tests. (What testthat says of large lists takes
# longer than learning them.)
first_difference <- function(x, y, path = "") {
  if (identical(x, y)) return(NULL)
  nested <- is.list(x) && is.list(y) && length(x) == length(y) &&
    identical(attributes(x), attributes(y))
  if (!nested) return(if (nzchar(path)) path else "the whole")
  at <- which(!mapply(identical, unclass(x), unclass(y)))[[1L]]
  name <- if (is.null(names(x))) paste0("[[", at, "]]") else paste0("$", names(x)[[at]])
  first_difference(x[[at]], y[[at]], paste0(path, name))
}

expect_same <- function(x, y, label) {
  where <- first_difference(x, y)
  testthat::expect(is.null(where), paste0(label, ": ", where, " is not the same"))
}

# Everything that something could ride on, as paths.
parts_that_hold_secrets <- function(x, path = "") {
  if (typeof(x) %in% c("environment", "closure", "externalptr", "promise", "weakref")) return(path)
  inside <- as.list(attributes(x))
  names(inside) <- paste0("@", names(inside), recycle0 = TRUE)
  if (is.list(x) || is.pairlist(x)) inside <- c(inside, unclass(x))
  if (is.call(x)) inside <- c(inside, as.list(x))
  unlist(lapply(seq_along(inside), function(i) {
    if (identical(inside[[i]], rlang::missing_arg())) return(NULL)
    parts_that_hold_secrets(inside[[i]], paste0(path, "$", names(inside)[[i]]))
  }))
}

# The contrasts of a set by R's own Helmert matrices; the core adds up what is before a level and
# subtracts the level, R the other way round, and the last variable runs fastest.
exact_contrasts <- function(data, set) {
  cells <- as.vector(table(data[rev(set)]))
  basis <- lapply(set, function(name) {
    helmert <- -stats::contr.helmert(nlevels(data[[name]]))
    sweep(helmert, 2L, sqrt(colSums(helmert^2)), `/`)
  })
  as.vector(crossprod(Reduce(kronecker, basis), cells))
}
