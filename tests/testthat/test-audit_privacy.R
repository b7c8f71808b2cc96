# All seeds are fixed; the confidence is 1 - 1e-6 unless a test says otherwise.

audit_batch <- function(mechanism, data1, data2, epsilon, ..., seed = 1) {
  with_seed(seed, audit_privacy(mechanism, data1, data2, epsilon, ..., vectorised = TRUE))
}

# Tells the truth with probability e^epsilon / (1 + e^epsilon): exactly epsilon.
randomised_response <- function(epsilon) {
  function(truth, n) xor(truth, stats::runif(n) >= stats::plogis(epsilon))
}

laplace_of <- function(epsilon) function(statistic, n) statistic + laplace_noise(n, 1 / epsilon)

# The smallest sigma for sensitivity 1 (Balle and Wang, 2018, Theorem 8).
tight_sigma <- function(epsilon, delta) {
  excess <- function(sigma) {
    stats::pnorm(1 / (2 * sigma) - epsilon * sigma) -
      exp(epsilon) * stats::pnorm(-1 / (2 * sigma) - epsilon * sigma) - delta
  }
  stats::uniroot(excess, c(0.1, 50), tol = 1e-10)$root
}

test_that("the limits are those of Clopper and Pearson", {
  for (n in c(1, 7, 500)) {
    hits <- unique(c(0, 1, n %/% 3, n - 1, n))
    for (level in c(0.05, 5e-7)) {
      low <- lower_share(hits, n, level)
      high <- upper_share(hits, n, level)
      # By definition: at the limit, a count as extreme as this one has probability `level`
      inner <- hits > 0
      tail <- stats::pbinom(hits - 1, n, low, lower.tail = FALSE)
      expect_equal(tail[inner], rep(level, sum(inner)), tolerance = 1e-6)
      inner <- hits < n
      expect_equal(stats::pbinom(hits, n, high)[inner], rep(level, sum(inner)), tolerance = 1e-6)
      expect_equal(low[hits == 0], 0)
      expect_equal(high[hits == n], rep(1, sum(hits == n)))
    }
  }
  expect_equal(
    epsilon_bound(40, 10, 100, 0.01, 0.05),
    log((stats::qbeta(0.05, 40, 61) - 0.01) / stats::qbeta(0.95, 11, 90))
  )
  expect_equal(epsilon_bound(1, 0, 100, 0.5, 0.05), -Inf)
})

test_that("Laplace noise is consistent with its epsilon and half of it is caught", {
  for (epsilon in c(0.2, 1, 3)) {
    right <- audit_batch(laplace_of(epsilon), 0, 1, epsilon)
    expect_equal(right$verdict, "consistent with the claim")
    expect_gt(right$lower_bound, 0.6 * epsilon)
    claimed <- function(statistic, n) laplace_half_scale_not_private(statistic, n, epsilon)
    wrong <- audit_batch(claimed, 0, 1, epsilon)
    expect_equal(wrong$verdict, "violates the claim")
    # It keeps twice the claim, and the bound must not say otherwise
    expect_lte(wrong$lower_bound, 2 * epsilon)
  }
})

test_that("randomised response is measured closely", {
  epsilon <- log(3)
  audit <- audit_batch(randomised_response(epsilon), TRUE, FALSE, epsilon, runs = 1e6)
  expect_false(audit$violated)
  expect_lte(audit$lower_bound, epsilon)
  expect_gt(audit$lower_bound, 0.85 * epsilon)
  expect_setequal(round(audit$counts$share, 2), c(0.25, 0.75))
  expect_equal(audit$counts$runs, c(5e5, 5e5))
  expect_true(audit_batch(randomised_response(epsilon), TRUE, FALSE, 1)$violated)
  # Either order of the data
  swapped <- audit_batch(randomised_response(epsilon), FALSE, TRUE, 1)
  expect_true(swapped$violated)
  # What is lost in one direction only: P(1) is 0.001 under one data set and 0.1 under the other
  rare <- function(often, n) stats::runif(n) < (if (often) 0.1 else 0.001)
  for (often in c(TRUE, FALSE)) {
    audit <- audit_batch(rare, often, !often, epsilon = 2)
    expect_true(audit$violated)
    expect_lte(audit$lower_bound, log(100))
    expect_equal(audit$event, "the output is 1")
  }
})

test_that("Gaussian noise is consistent with its epsilon and delta, half of it is caught", {
  for (delta in c(1e-2, 1e-3)) {
    sigma <- tight_sigma(1, delta)
    right <- function(statistic, n) statistic + stats::rnorm(n, sd = sigma)
    audit <- audit_batch(right, 0, 1, epsilon = 1, delta = delta)
    expect_false(audit$violated)
    expect_gt(audit$lower_bound, 0.3)
    wrong <- function(statistic, n) gaussian_half_not_private(statistic, n, sigma)
    expect_true(audit_batch(wrong, 0, 1, epsilon = 1, delta = delta)$violated)
  }
})

test_that("broken sparse vectors are caught, the right one is not, on the same data", {
  right <- function(answers, n) sparse_vector_runs(answers, n, 2, 4)$outputs
  opposite <- list(c(0, 1), c(1, 0))
  audit <- audit_batch(svt_no_query_noise_not_private, opposite[[1]], opposite[[2]], 1)
  expect_true(audit$violated)
  # No epsilon at all: one of the outputs is impossible under one of the data sets
  expect_equal(min(audit$counts$hits), 0)
  expect_false(audit_batch(right, opposite[[1]], opposite[[2]], 1)$violated)

  many <- list(rep(0:1, each = 5), rep(1:0, each = 5))
  expect_true(audit_batch(svt_never_stops_not_private, many[[1]], many[[2]], 1)$violated)
  expect_false(audit_batch(right, many[[1]], many[[2]], 1)$violated)

  raised <- list(rep(0, 7), rep(1, 7))
  values <- function(answers, n) svt_outputs_values_not_private(answers, n, epsilon = 2)
  audit <- audit_batch(values, raised[[1]], raised[[2]], 2, runs = 2e5)
  expect_true(audit$violated)
  # Without the values the same noise is enough here, as all queries move the same way
  silent <- function(answers, n) sparse_vector_runs(answers, n, 1, 1)$outputs
  expect_false(audit_batch(silent, raised[[1]], raised[[2]], 2, runs = 1e5)$violated)
})

test_that("mechanisms with discrete outputs", {
  # Geometric mechanism: P(x) proportional to exp(-epsilon |x - statistic|)
  geometric <- function(statistic, n) {
    statistic + stats::rgeom(n, -expm1(-0.5)) - stats::rgeom(n, -expm1(-0.5))
  }
  audit <- audit_batch(geometric, 10L, 11L, 0.5)
  expect_false(audit$violated)
  expect_gt(audit$lower_bound, 0.4)
  expect_true(audit_batch(geometric, 10L, 11L, 0.4)$violated)

  # Exponential mechanism with utilities of sensitivity 1; true epsilon by enumeration
  choose <- function(utility, n) {
    sample(c("a", "b", "c", "d"), n, replace = TRUE, prob = exp(utility))
  }
  one <- c(3, 1, 0, 0)
  two <- c(2, 2, 1, 1)
  true <- max(abs(log(exp(one) / sum(exp(one))) - log(exp(two) / sum(exp(two)))))
  audit <- audit_batch(choose, one, two, true)
  expect_false(audit$violated)
  expect_gt(audit$lower_bound, 0.85 * true)
  expect_true(audit_batch(choose, one, two, 0.8 * true)$violated)
  as_levels <- function(utility, n) factor(choose(utility, n))
  expect_equal(audit_batch(as_levels, one, two, true)$lower_bound, audit$lower_bound)
})

test_that("false alarms are as rare as promised, and true alarms are not", {
  epsilon <- log(3)
  bounds <- with_seed(7, replicate(200, audit_privacy(
    randomised_response(epsilon), TRUE, FALSE, epsilon,
    runs = 2000, confidence = 0.9, vectorised = TRUE
  )$lower_bound))
  expect_lte(sum(bounds > epsilon), stats::qbinom(1 - 1e-6, 200, 0.1))
  expect_gt(sum(bounds > 0.75 * epsilon), 150)
  # Many events to choose from and nothing to find: luck in the choice must not count
  uniform <- function(data, n) sample(300L, n, replace = TRUE)
  bounds <- with_seed(8, replicate(40, audit_privacy(
    uniform, 1, 2, epsilon = 1, runs = 2000, confidence = 0.9, vectorised = TRUE
  )$lower_bound))
  expect_lte(sum(bounds > 0), stats::qbinom(1 - 1e-6, 40, 0.1))
  # Only runs after the choice count: what differs in the first half alone is not held against it
  calls <- c(0, 0)
  early <- function(data) {
    calls[data] <<- calls[data] + 1
    if (calls[data] <= 500) data else 0
  }
  expect_equal(audit_privacy(early, 1, 2, epsilon = 1, runs = 1000)$lower_bound, 0)
  expect_equal(calls, c(1000, 1000))
})

test_that("the same output always gives nothing, different ones all that the runs can give", {
  same <- audit_privacy(function(data) 7, 0, 1, epsilon = 1, runs = 1000)
  expect_equal(same$lower_bound, 0)
  expect_false(same$violated)
  limit <- function(n, level) level^(1 / n)
  largest <- log(limit(500, 5e-7) / (1 - limit(500, 5e-7)))
  for (data in list(list(0, 1), list("a", "b"), list(c(1, 2), c(1, 3)), list(1:2, 1:3))) {
    apart <- audit_privacy(identity, data[[1]], data[[2]], epsilon = 1, runs = 1000)
    expect_true(apart$violated)
    expect_equal(apart$lower_bound, largest, tolerance = 1e-6)
    expect_equal(apart$largest_bound, largest, tolerance = 1e-6)
  }
  # Numbers that never come twice
  apart <- audit_batch(function(data, n) data + stats::runif(n), 0, 2, 1, runs = 1000)
  expect_gt(apart$lower_bound, 0.8 * largest)
})

test_that("a difference is found among many outputs that never come twice", {
  # The whole output tells nothing that could be learnt; the coin in it does
  noisy <- function(data, n) {
    cbind(id = stats::runif(n), coin = stats::runif(n) < data, other = stats::runif(n))
  }
  audit <- audit_batch(noisy, 0.2, 0.8, epsilon = 1, runs = 20000)
  expect_true(audit$violated)
  expect_match(audit$event, "entry coin of the output is [01]$")
  # Nothing to find
  expect_lte(audit_batch(noisy, 0.5, 0.5, epsilon = 1, runs = 20000)$lower_bound, 0.05)
  # A little in each of forty entries: only their sum shows it
  spread <- function(data, n) matrix(stats::rnorm(40 * n, mean = data), n)
  audit <- audit_batch(spread, 0, 0.4, epsilon = 2.5, runs = 20000)
  expect_true(audit$violated)
  expect_match(audit$event, "weighted sum")
})

test_that("outputs of all kinds can be told apart", {
  lie <- function(truth) xor(truth, stats::runif(1) < 0.1)
  told <- function(mechanism, ...) {
    with_seed(3, audit_privacy(mechanism, TRUE, FALSE, epsilon = 1, runs = 600, ...))
  }
  one <- graph_of("a -> b", nodes = c("a", "b", "c"))
  two <- graph_of("a -> b", "b -> c", nodes = c("a", "b", "c"))
  graph <- function(truth) if (lie(truth)) one else two
  fits <- list(fit_of(one), fit_of(two))
  fit <- function(truth) if (lie(truth)) fits[[1]] else fits[[2]]
  igraphs <- lapply(fits, igraph::as.igraph)
  mechanisms <- list(
    logical = lie,
    fit = fit,
    igraph = function(truth) if (lie(truth)) igraphs[[1]] else igraphs[[2]],
    matrix = graph,
    named = function(truth) c(x = stats::runif(1), y = lie(truth)),
    list = function(truth) list(noise = stats::runif(1), graph = fit(truth), NULL),
    nested = function(truth) list(list(u = stats::runif(1), v = list(as.character(lie(truth))))),
    table = function(truth) data.frame(x = stats::runif(2), y = c(0, lie(truth))),
    length = function(truth) stats::runif(if (lie(truth)) 2 else 3),
    texts = function(truth) c("x", if (lie(truth)) "y" else NA),
    abstains = function(truth) if (lie(truth)) NA else stats::runif(1),
    mixed = function(truth) list(if (lie(truth)) "text" else 3),
    components = function(truth) if (lie(truth)) list(a = 1, 2) else list(b = 1, 2),
    together = function(truth) {
      first <- stats::runif(1) < 0.5
      c(if (first) "x" else "y", if (xor(first, lie(truth))) "x" else "y")
    },
    empty = function(truth) if (lie(truth)) numeric() else stats::runif(1),
    infinite = function(truth) if (lie(truth)) -Inf else stats::rnorm(1),
    date = function(truth) as.Date("2020-01-01") + lie(truth),
    complex = function(truth) complex(real = lie(truth), imaginary = 1)
  )
  audits <- lapply(mechanisms, told)
  for (name in names(audits)) {
    expect_true(audits[[!!name]]$violated)
    expect_lte(audits[[!!name]]$lower_bound, log(9))
  }
  expect_snapshot(writeLines(paste0(names(audits), ": ", vapply(audits, `[[`, "", "event"))))
})

test_that("what is seen of an output does not depend on the outputs beside it", {
  # Otherwise the runs of a chunk would not be independent, and the bound would not hold
  graph <- graph_of("a -> b", nodes = c("a", "b", "c"))
  outputs <- list(
    numbers = list(1, c(1, NA), numeric(), NA, c(2, 3, 4), TRUE, c(NA, NA), NA_real_, 2:3),
    texts = list("a", c("b", NA), factor("c"), NA, character(), c("a", "b", "c"), "NA"),
    graphs = list(fit_of(graph), fit_of(t(graph)), NA, fit_of(graph)),
    lists = list(
      list(a = 1, "x"), list(a = "t", 2), list(a = NA), list(b = 1:3), list(), list(a = NULL),
      list(b = list(1, c = "u")), list(b = fit_of(graph), a = c(1, 2))
    ),
    table = rbind(c(1, 2, 3), c(NA, NA, NA), c(1, NA, 2), c(0, 0, 0)),
    text_table = rbind(c("a", "b"), c(NA, NA), c("b", "a"))
  )
  for (seen in outputs) {
    rows <- lapply(seq_len(NROW(seen)), function(i) {
      if (is.list(seen)) seen[i] else seen[i, , drop = FALSE]
    })
    for (source in sources_of(seen, seen, "the output", identity)) {
      sample <- source$sample(seen)
      for (view in views_of(source, sample, sample, first = 2)) {
        alone <- unlist(lapply(rows, function(row) view$extract(source$sample(row))))
        expect_identical(alone, view$extract(sample))
      }
    }
  }
  # A kind that one data set never shows in the first half, and text where there were numbers
  sometimes <- function(data, n) if (data == 1) rep(NA, n) else sample(c(NA, "b"), n, TRUE)
  expect_match(audit_batch(sometimes, 1, 2, epsilon = 0.4, runs = 10000)$event, "missing|b")
  rarely <- function(data, n) lapply(stats::runif(n) < 1e-4, function(x) list(if (x) "t" else 1))
  expect_lte(audit_batch(rarely, 1, 2, epsilon = 1, runs = 20000)$lower_bound, 0.01)
})

test_that("the user's own statistics are looked at", {
  # The sign of a product: each entry by itself tells nothing
  signs <- function(data, n) {
    first <- sample(c(-1, 1), n, replace = TRUE)
    second <- first * ifelse(stats::runif(n) < data, 1, -1)
    cbind(first * stats::rexp(n), second * stats::rexp(n))
  }
  blind <- audit_batch(signs, 0.1, 0.9, epsilon = 1, runs = 10000)
  expect_false(blind$violated)
  seeing <- audit_batch(signs, 0.1, 0.9, 1, runs = 10000, statistic = list(product = prod))
  expect_true(seeing$violated)
  expect_match(seeing$event, "^statistic product is ")
  # It gets the output itself, not what the audit makes of it
  fit <- function(data) {
    graph <- fit_of(graph_of("a -> b"))
    graph$leak <- data
    graph
  }
  expect_false(audit_privacy(fit, 1, 2, epsilon = 1, runs = 100)$violated)
  leak <- audit_privacy(fit, 1, 2, epsilon = 1, runs = 100, statistic = function(fit) fit$leak)
  expect_true(leak$violated)
  expect_match(leak$event, "^statistic 1 is ")
})

test_that("a vectorised mechanism gives the verdict of the single one", {
  single <- function(truth) if (stats::runif(1) < 0.75) truth else !truth
  batch <- function(truth, n) ifelse(stats::runif(n) < 0.75, truth, !truth)
  expected <- with_seed(5, audit_privacy(single, TRUE, FALSE, epsilon = 1, runs = 5001))
  expect_equal(audit_batch(batch, TRUE, FALSE, epsilon = 1, runs = 5001, seed = 5), expected)
  attr(batch, "vectorised") <- TRUE
  itself <- with_seed(5, audit_privacy(batch, TRUE, FALSE, epsilon = 1, runs = 5001))
  expect_equal(itself, expected)
  in_list <- function(truth, n) as.list(batch(truth, n))
  expect_equal(audit_batch(in_list, TRUE, FALSE, 1, runs = 5001, seed = 5), expected)
  in_table <- function(truth, n) data.frame(answer = batch(truth, n))
  expect_equal(audit_batch(in_table, TRUE, FALSE, 1, runs = 5001, seed = 5), expected)
  # Several chunks, of different width
  ragged <- function(truth) rep(1, 1 + single(truth))
  audit <- with_seed(6, audit_privacy(ragged, TRUE, FALSE, 0.5, runs = 24000))
  expect_true(audit$violated)
  expect_lte(audit$lower_bound, log(3))
})

test_that("a bar can be shown, and an interrupt is not taken for a failure", {
  batch <- randomised_response(1)
  quiet <- audit_batch(batch, TRUE, FALSE, 1, runs = 1000, progress = FALSE)
  expect_equal(audit_batch(batch, TRUE, FALSE, 1, runs = 1000, progress = TRUE), quiet)
  stopped <- tryCatch(
    audit_privacy(function(data) rlang::interrupt(), 1, 2, epsilon = 1, runs = 1000),
    interrupt = function(condition) "stopped"
  )
  expect_equal(stopped, "stopped")
})

test_that("an audit prints claim, event, bound and verdict", {
  audit <- audit_batch(randomised_response(1), TRUE, FALSE, 1, runs = 10000)
  expect_s3_class(audit, "privpc_audit")
  expect_snapshot({
    print(audit)
    print(audit_batch(randomised_response(1), TRUE, FALSE, 0.5, delta = 1e-3, runs = 10000))
    print(audit_privacy(function(data) 7, 0, 1, epsilon = 1, runs = 1000, confidence = 0.95))
  })
})

test_that("too few runs give a warning with the number that is needed", {
  warning_of <- function(code) {
    tryCatch(code, privpc_blind_audit = function(warning) conditionMessage(warning))
  }
  message <- warning_of(audit_privacy(identity, 0, 1, epsilon = 5, delta = 0.1, runs = 100))
  expect_snapshot(writeLines(message))
  few <- suppressWarnings(audit_privacy(identity, 0, 1, epsilon = 5, delta = 0.1, runs = 100))
  expect_false(few$violated)
  expect_gt(few$lower_bound, 0)
  # The number it names is enough
  needed <- as.numeric(sub(".*runs = ([0-9.e+]+).*", "\\1", message))
  expect_true(audit_privacy(identity, 0, 1, epsilon = 5, delta = 0.1, runs = needed)$violated)
  expect_warning(
    audit_privacy(identity, 0, 1, epsilon = 5, delta = 0.1, runs = needed - 10),
    class = "privpc_blind_audit"
  )
})

test_that("what cannot be audited is refused", {
  ok <- function(data) data
  calls <- 0
  third <- function(data) {
    calls <<- calls + 1
    if (data == 2 && calls > 502) stop("no { luck }")
    0
  }
  changing <- function(data) if (data == 1) 0 else list(0)
  several <- function(data, n) rep(0, n + 1)
  reshaped <- function(data, n) matrix(0, n, data)
  expect_snapshot({
    show_refusal(audit_privacy("laplace", 1, 2, epsilon = 1))
    show_refusal(audit_privacy(ok, 1, 2, epsilon = 0))
    show_refusal(audit_privacy(ok, 1, 2, epsilon = Inf))
    show_refusal(audit_privacy(ok, 1, 2, epsilon = 1, delta = 1))
    show_refusal(audit_privacy(ok, 1, 2, epsilon = 1, runs = 5))
    show_refusal(audit_privacy(ok, 1, 2, epsilon = 1, runs = 100.5))
    show_refusal(audit_privacy(ok, 1, 2, epsilon = 1, confidence = 1))
    show_refusal(audit_privacy(ok, 1, 2, epsilon = 1, vectorised = NA))
    show_refusal(audit_privacy(ok, 1, 2, epsilon = 1, runns = 100))
    show_refusal(audit_privacy(ok, 1, 2, epsilon = 1, statistic = list(1)))
    show_refusal(audit_privacy(third, 1, 2, epsilon = 1, runs = 1000))
    show_refusal(audit_privacy(changing, 1, 2, epsilon = 1, runs = 1000))
    show_refusal(audit_privacy(function(data) ok, 1, 2, epsilon = 1, runs = 1000))
    show_refusal(audit_privacy(several, 1, 2, epsilon = 1, runs = 1000, vectorised = TRUE))
    show_refusal(audit_privacy(reshaped, 1, 2, epsilon = 1, runs = 1000, vectorised = TRUE))
    show_refusal(audit_privacy(ok, 1, 2, epsilon = 1, runs = 1000, statistic = list(both = range)))
  })
})

test_that("the words of an event say what it holds", {
  lines <- interval_partition(c(3, 1, 2, 1, NA))
  expect_equal(lines$locate(c(0.5, 1, 1.5, 2, 3, 4, NA, Inf)), c(1, 1, 2, 2, 3, 4, 5, 4))
  words <- function(...) lines$words(seq_len(lines$cells) %in% c(...), show_values)
  expect_equal(words(1), "is at most 1")
  expect_equal(words(2, 3), "is above 1 and at most 3")
  expect_equal(words(1, 4, 5), "is at most 1, or above 3, or missing")
  expect_equal(words(1, 2, 3, 4), "is a number")

  values <- value_partition(c("b", "a", "b", "a", "a", NA, NA, "once"))
  expect_equal(values$locate(c("a", "b", NA, "once", "new")), c(1, 2, 3, 4, 4))
  words <- function(...) values$words(seq_len(values$cells) %in% c(...), show_values)
  expect_equal(words(1), "is \"a\"")
  expect_equal(words(2, 3), "is \"b\" or missing")
  expect_equal(words(3, 4), "is not \"a\" or \"b\"")
  expect_equal(words(4), "is not \"a\" or \"b\" or missing")
  expect_equal(words(1, 2, 3, 4), "is anything")

  many <- value_partition(rep(1:20, 2))
  text <- many$words(seq_len(many$cells) <= 10, show_values)
  expect_equal(text, "is one of 10 values, among them 1 or 2 or 3")
})
