# What a search without privacy says before it takes long, and how it is bounded. (The private
# learners have a fixed bound on their tests, and say when it cut them short.)

# From so many tests on it is said beforehand: with ten thousand records and few levels they take
# ten seconds or more, with many levels minutes.
many_tests <- 1e6

# The core calls it before each order, with the number of tests that the order may take at most:
# first for the skeleton, then for the directions, again from order 0 on.
tests_ahead <- function(bounded) {
  last <- -1L
  for_directions <- FALSE
  function(order, at_most) {
    if (order <= last) for_directions <<- TRUE
    last <<- order
    if (at_most >= many_tests) say_tests_ahead(order, at_most, for_directions, bounded)
  }
}

say_tests_ahead <- function(order, at_most, for_directions, bounded) {
  remedies <- c(
    if (order > 0L) paste0("`max_order = ", order - 1L, "` ends before this order"),
    if (order > 0L && !bounded) {
      "`max_tests = 1e6` leaves out orders that may take more than that"
    },
    if (for_directions) "`colliders = \"sepset\"` needs no tests for directions",
    if (order == 0L) "background knowledge or fewer variables leave fewer pairs"
  )
  # Plain text: what is said during a search must not take long.
  rlang::inform(c(
    i = paste0(
      "Order ", order, if (for_directions) " for the directions", " may take up to ",
      big(up_to_two_digits(at_most)), " tests. Ctrl-C or Esc stops the search."
    ),
    i = paste0(paste(remedies, collapse = "; "), ".")
  ), class = "privpc_many_tests")
}

check_max_tests <- function(max_tests, call) {
  if (is.null(max_tests)) return(Inf)
  check_number(max_tests, "max_tests", min = 0, call = call)
  as.double(max_tests)
}

# `max_tests` has cut the search short.
say_tests_left_out <- function(found, max_tests) {
  bound <- big(max_tests)
  if (found$cut_short) {
    reached <- length(found$tests) - 1L
    rlang::inform(c(
      "!" = paste0(
        "The search stopped after order ", reached, ": order ", reached + 1L,
        " may take more than `max_tests` = ", bound, " tests."
      ),
      i = "Edges that only larger sets of variables would separate are still there."
    ), class = "privpc_cut_short")
  }
  if (found$colliders_cut_short) {
    rlang::inform(c(
      "!" = paste0(
        "Not all tests for directions were made: an order of them may take more than ",
        "`max_tests` = ", bound, "."
      ),
      i = "`colliders = \"sepset\"` needs none."
    ), class = "privpc_cut_short")
  }
}
