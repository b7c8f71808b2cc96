# Exact noise: draws per second, beside the floating-point generators of R in the same run.

measure_noise <- function(scales = c(0.1, 1, 10.5, 1e3, 1e6, 1e12), draws = 1e5) {
  # Million draws per second; cpu_time() gives milliseconds.
  speed <- function(run) draws / cpu_time(run, rounds = 5, at_least = 0.2) / 1000
  speeds <- function(sampler) {
    vapply(scales, function(scale) speed(function() sampler(draws, scale, NULL)), 0)
  }
  laplace <- speeds(privpc:::cpp_discrete_laplace)
  gaussian <- speeds(privpc:::cpp_discrete_gaussian)
  words <- speed(function() privpc:::cpp_random_bits(privpc:::cpp_random_stream(NULL), draws))
  normal <- speed(function() stats::rnorm(draws))
  exponential <- speed(function() stats::rexp(draws))
  scales <- format(scales, scientific = FALSE, drop0trailing = TRUE, trim = TRUE)
  out <- data.frame(
    what = c(
      paste("discrete Laplace, scale", scales), paste("discrete Gaussian, sigma", scales),
      "64 random bits", "rnorm(), not exact", "rexp(), not exact"
    ),
    value = c(laplace, gaussian, words, normal, exponential)
  )
  out$ratio <- normal / out$value
  names(out) <- c("what", "million draws per second", "time, rnorm() = 1")
  out
}
