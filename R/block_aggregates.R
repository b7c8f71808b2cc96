# G2, chi-square and CMH in private_test(): how many blocks, how their results are put together,
# and what the aggregate is worth under independence. The tests of the blocks themselves are in
# block_tests.hpp; everything here is computed from public facts and noisy outputs.

# How much larger a block's evidence may be under independence than uniform p-values make it; see
# median_null.hpp for the measurement. A block is then at or below 1/2 with this probability:
block_inflation <- 1.16
block_share <- 0.5^(1 / block_inflation)
evidence_limit <- 2 * log(1000)
median_draws <- 2000

# Cells of the table of x, y and given, from the public levels.
table_cells <- function(schema) prod(as.double(schema$levels))

check_blocks <- function(blocks, aggregate, question) {
  n <- question$schema$n
  call <- question$call
  if (aggregate == "median" && question$delta == 0) {
    abort(c(
      "{.code aggregate = \"median\"} needs a {.arg delta} above 0.",
      x = "The noise follows the smooth sensitivity, which has no pure guarantee.",
      i = "Use {.code aggregate = \"count\"}, which has one."
    ), call = call)
  }
  # Below this the noise would be beyond its samplers.
  if (aggregate == "median") {
    check_number(question$epsilon, "epsilon", min = 1e-4, call = call)
  }
  if (!is.null(blocks)) {
    check_number(blocks, min = 2, max = n, whole = TRUE, call = call)
  } else {
    # What the noise asks for; fewer if blocks would have less than ten rows per cell; but never so
    # few that no data could ever be called dependent.
    wanted <- if (aggregate == "count") count_blocks(question) else median_blocks(question)
    roomy <- floor(n / (10 * table_cells(question$schema)))
    blocks <- min(max(min(wanted$good, roomy), wanted$least), n %/% 2L)
    if (blocks < 2) blocks <- min(2, n)
  }
  per_cell <- n / blocks / table_cells(question$schema)
  if (per_cell < 5) {
    cli::cli_warn(c(
      "The blocks are small: {format(per_cell, digits = 2)} rows per cell on average.",
      x = "The chi-square approximation inside blocks, and so the p-value, may be off.",
      i = "Fewer {.arg blocks}, a larger {.arg epsilon}, or a test by order ({.val tau}) help."
    ), class = "privpc_small_blocks")
  }
  as.double(blocks)
}

# `least`: all blocks at or below 1/2 are significant; `good`: four blocks in five are.
count_blocks <- function(question) {
  plan <- plan_count_noise(question)
  # A count is a whole number: its noise has exactly this scale.
  scale <- if (plan$kind == "gaussian") 1 / sqrt(2 * plan$amount) else 1 / plan$amount
  smallest <- function(share) {
    enough <- function(b) count_p_value(share * b, b, plan$kind, scale) <= question$alpha
    low <- 1
    high <- 8
    while (!enough(high) && high < question$schema$n) {
      low <- high
      high <- ceiling(high * 1.5)
    }
    while (high - low > 1) {
      middle <- (low + high) %/% 2
      if (enough(middle)) high <- middle else low <- middle
    }
    high
  }
  list(least = smallest(1), good = smallest(0.8))
}

# Order of magnitude: near the median of B values the smooth sensitivity is about 1/(e beta B f),
# f = 0.22 the density of the evidence there, and 2/epsilon times that is the scale of the noise;
# and exp(-beta B/2) times the whole range must be small against it.
median_blocks <- function(question) {
  beta <- log1p(question$epsilon / (2 * log(2 / question$delta)))
  list(
    least = ceiling(max(6, 2 / question$epsilon) / beta),
    good = ceiling(max(10, 8 / question$epsilon) / beta)
  )
}

count_test <- function(question, source) {
  plan <- plan_count_noise(question)
  found <- ask_core(question, source, function(source) {
    cpp_private_block_count(
      source, question$test, question$x, question$y, question$given, question$blocks,
      plan$amount, plan$kind == "gaussian", question$ledger, question$target, question$seed
    )
  })
  list(
    statistic = c(blocks = found$count),
    p.value = count_p_value(found$count, question$blocks, plan$kind, found$scale),
    estimate = c(share = min(1, max(0, found$count / question$blocks))),
    guarantee = noise_guarantee(plan, question),
    noise = list(kind = plan$kind, scale = found$scale), private = found$private
  )
}

# Chance that a binomial count plus discrete noise is at least `count`: exact sums over integers.
count_p_value <- function(count, blocks, kind, scale) {
  k <- 0:blocks
  need <- ceiling(count) - k
  tail <- if (kind == "laplace") {
    # P(noise >= w) = exp(-w/b) / (1 + exp(-1/b)) for w >= 1, and 1 - P(noise >= 1 - w) otherwise.
    up <- function(w) exp(-w / scale) / (1 + exp(-1 / scale))
    ifelse(need >= 1, up(pmax(need, 1)), 1 - up(pmax(1 - need, 1)))
  } else if (scale > 1000) {
    # The sum over integers is an integral by now.
    stats::pnorm((need - 0.5) / scale, lower.tail = FALSE)
  } else {
    reach <- ceiling(12 * scale) + 1
    mass <- exp(-(-reach:reach)^2 / (2 * scale^2))
    above <- rev(cumsum(rev(mass))) / sum(mass)
    above[pmin(pmax(need, -reach), reach) + reach + 1]
  }
  min(1, sum(stats::dbinom(k, blocks, block_share) * tail))
}

median_test <- function(question, source) {
  found <- ask_core(question, source, function(source) {
    cpp_private_block_median(
      source, question$test, question$x, question$y, question$given, question$blocks,
      evidence_limit, question$epsilon, question$delta, question$ledger, question$target,
      question$seed
    )
  })
  list(
    statistic = c(evidence = found$evidence),
    p.value = cpp_noisy_median_tail(
      found$evidence, question$blocks, evidence_limit, block_inflation, question$epsilon,
      question$delta, median_draws
    ),
    estimate = c(`median p-value` = exp(-found$evidence / 2)),
    guarantee = list(epsilon = question$epsilon, delta = question$delta, rho = Inf),
    # Its scale follows the blocks' results, so it is not told.
    noise = list(kind = "laplace, by smooth sensitivity"), private = found$private
  )
}
