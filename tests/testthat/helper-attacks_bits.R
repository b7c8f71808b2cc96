# Attacks by precision (Mironov 2012; Haney, Desfontaines, Hartman, Shrestha and Hay 2022): a sum of
# a secret and of noise that are rounded like all doubles lies on a grid that depends on the secret,
# so that its last bits tell what its first ones hide.
#
# Here every released number has to be a whole number of public steps, on whatever data; the same
# whole number has to be the same double, bit by bit; and the last bits alone must be worth nothing.

# ---- The bits of doubles -------------------------------------------------------------------------

# The exponent of the last bit that is set; NA for 0.
last_bit <- function(x) {
  at <- floor(log2(abs(x)))
  whole <- abs(x) * 2^(52 - at)
  zeros <- rep(0, length(x))
  for (shift in 2^(5:0)) {
    even <- is.finite(whole) & whole %% 2^shift == 0
    whole[even] <- whole[even] / 2^shift
    zeros[even] <- zeros[even] + shift
  }
  ifelse(x == 0, NA, at - 52 + zeros)
}

# The grid that Grid::for_noise() takes (privacy/grid.hpp), from public numbers alone.
public_step <- function(sensitivity, noise, coordinates = 1) {
  exponent <- function(x) floor(log2(x))
  2^max(exponent(min(sensitivity, noise) / coordinates) - 16, exponent(noise) - 45)
}

# What the last bits of a number say, and nothing of its first ones.
last_bits <- function(x, step) {
  paste(ifelse(is.na(last_bit(x)), "zero", pmin(last_bit(x) - log2(step), 3)), floor(x / step) %% 8)
}

# ---- One attack ----------------------------------------------------------------------------------

# At most this may the last bits be worth, since their distribution under neighbours is not exactly
# the same: noise of 2^16 steps has 8 consecutive steps equally likely but for 2^-13.
bits_are_worth <- 0.01

# `one` and `other`: released numbers on two neighbours. `step`: a public one.
attack_bits <- function(one, other, step) {
  result <- attack_on_seen(last_bits(one, step), last_bits(other, step), 0, bits_are_worth)
  result$off_grid <- sum(c(one, other) / step != round(c(one, other) / step))
  result$numbers <- length(one) + length(other)
  result
}

# Numbers that were scaled after their release: `whole` says which whole number each stands for. How
# many do not stand for one, and how many whole numbers came as more than one double.
attack_scaling <- function(values, whole) {
  nearest <- round(whole)
  c(
    numbers = length(values), off_grid = sum(abs(whole - nearest) > 1e-4),
    several_doubles = sum(tapply(values, nearest, function(same) length(unique(same))) > 1L)
  )
}

# ---- What is released ----------------------------------------------------------------------------

# Pairs of neighbouring values: whole, with fractions that no double has, large.
bit_pairs <- list(c(0, 1), c(0.3, 1.3), c(1 / 3, 4 / 3), c(1e6 + 0.1, 1e6 + 1.1))

bit_attacks <- list(
  laplace = function(pair, runs) {
    run <- function(x) cpp_runs_additive(x, 1, 1, FALSE, FALSE, runs)[, 1]
    attack_bits(run(pair[[1L]]), run(pair[[2L]]), public_step(1, 1))
  },
  gaussian = function(pair, runs) {
    rho <- rho_from_dp(1, 1e-3)
    run <- function(x) cpp_runs_additive(x, 1, rho, TRUE, FALSE, runs)[, 1]
    attack_bits(run(pair[[1L]]), run(pair[[2L]]), public_step(1, 1 / sqrt(2 * rho)))
  },
  `laplace, three numbers` = function(pair, runs) {
    run <- function(x) {
      cpp_runs_additive(c(x, 0, x), 2, 1, FALSE, FALSE, ceiling(runs / 3))
    }
    attack_bits(as.vector(run(pair[[1L]])), as.vector(run(pair[[2L]])), public_step(2, 2, 3))
  }
)

# The control: the same noise added as doubles, as nearly every program does.
naive_laplace <- function(pair, runs) {
  run <- function(x) x + laplace_noise(runs, 1)
  attack_bits(run(pair[[1L]]), run(pair[[2L]]), public_step(1, 1))
}

# The statistic of private_test() and the variance beside it, which its p-value is made from: on
# data whose exact statistics have fractions of all kinds (strata of 2, 3, ... records).
odd_strata <- function(last) {
  z <- rep(1:7, 2:8)
  x <- (seq_along(z) * 7) %% 4
  y <- (seq_along(z) * 5) %% 3
  data <- data.frame(x = c(x, last), y = c(y, last), z = c(z, 4))
  data$x <- factor(data$x, levels = 0:3)
  data$y <- factor(data$y, levels = 0:3)
  data$z <- factor(data$z, levels = 1:7)
  data
}

released_by_test <- function(data, runs, gaussian) {
  source <- data_source(data, by_order = TRUE)
  amount <- if (gaussian) rho_from_dp(1, 1e-3) else 1
  t(vapply(seq_len(runs), function(i) {
    found <- cpp_private_order_test(
      source, "tau", 1L, 2L, 3L, amount, gaussian, variance_share, FALSE, NULL, "", NULL
    )
    c(found$statistic, found$scale, found$variance, found$variance_scale)
  }, numeric(4)))
}

# The step follows from the scale of the noise, which is public and shown: it is a sensitivity plus
# a few steps, over an epsilon; the step is a power of two about 2^-16 of the smaller of sensitivity
# and noise. All numbers of all runs are multiples of the largest step that any of them shares.
shared_step <- function(...) 2^min(last_bit(c(...)), na.rm = TRUE)

# ---- After their release numbers are divided -----------------------------------------------------

# A contrast is a whole number over its length and the number of records. Of binary variables the
# length is the root of the number of cells. Those of the families are measured once; of others two
# releases may have been averaged, which makes nothing of them but numbers that are public already.
scaled_contrasts <- function(runs, neighbours = "replace-one") {
  seen <- lapply(rep(corner_pair(3), each = runs), function(data) {
    fit <- quietly(marginal_pc(
      data, 1, 1e-3, parameters = TRUE, neighbours = neighbours, threads = 1, progress = FALSE
    ))
    held <- fit$measurements$families
    if (length(held$sets) == 0L) return(NULL)
    long <- sqrt(2)^lengths(held$sets)
    data.frame(
      value = unlist(held$values), whole = unlist(held$values) * long * fit$measurements$n,
      size = lengths(held$sets), n = fit$measurements$n
    )
  })
  seen <- do.call(rbind, seen)
  total <- c(numbers = 0, off_grid = 0, several_doubles = 0)
  for (same in split(seen, list(seen$size, seen$n), drop = TRUE)) {
    total <- total + attack_scaling(same$value, same$whole)
  }
  total
}

scaled_medians <- function(runs) {
  values <- list(c(0.1, 0.2, 1 / 3, 0.7, 0.9), c(0.1, 0.2, 0.45, 0.7, 0.9))
  seen <- unlist(lapply(values, function(x) {
    vapply(seq_len(runs), function(i) private_median(x, 0, 1.7, 1, 1e-3)$value, 0)
  }))
  attack_scaling(seen, seen / 1.7 * 2^30)
}

# Cut points are points of a public grid, in whichever data.
scaled_cuts <- function(runs) {
  grid <- inner_grid(c(0, 100 / 3), 97)
  data <- list(data.frame(x = (1:40) / 7), data.frame(x = c((1:39) / 7, 33.333)))
  seen <- unlist(lapply(data, function(x) {
    vapply(seq_len(runs), function(i) {
      quietly(private_breaks(
        x, "x", bins = 2, epsilon = 1, bounds = list(x = c(0, 100 / 3)), points = 97
      ))$x[[2L]]
    }, 0)
  }))
  # The upper limit is there where the cut fell upon the lower one.
  at <- match(seen, c(grid, 100 / 3))
  attack_scaling(seen, ifelse(is.na(at), 0.5, at))
}

# T over the number of records.
scaled_estimates <- function(runs) {
  data <- list(odd_strata(0), odd_strata(3))
  found <- lapply(rep(data, each = runs), function(x) {
    found <- quietly(private_test(x, "x", "y", given = "z", test = "tau", epsilon = 1, delta = 0))
    c(found$statistic, found$estimate)
  })
  found <- do.call(rbind, found)
  step <- shared_step(found[, 1L])
  attack_scaling(found[, 2L], found[, 1L] / step)
}
