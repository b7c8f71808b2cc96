# Attacks by precision: what the last bits of released numbers say.

try_bits <- function(share) {
  runs <- ceiling(1e5 * share)
  rows <- list()
  add <- function(what, numbers, off_grid, several, advantage, caught, expected) {
    cat(sprintf("%-50s off the grid %d, advantage %.4f\n", what, off_grid, advantage))
    rows[[length(rows) + 1L]] <<- data.frame(
      release = what, numbers = numbers, `off the grid` = off_grid,
      `one number, two doubles` = several,
      `advantage of the last bits` = ifelse(is.na(advantage), "", sprintf("%.4f", advantage)),
      verdict = if (caught) "refuted" else "kept",
      `as expected` = if (caught == expected) "yes" else "NO", check.names = FALSE
    )
  }
  bits <- function(what, result, expected = FALSE) {
    add(
      what, result$numbers, result$off_grid, 0, result$advantage,
      result$caught || result$off_grid > 0, expected
    )
  }
  for (name in names(bit_attacks)) {
    for (pair in bit_pairs) {
      bits(paste0(name, " of ", toString(signif(pair, 8))), bit_attacks[[name]](pair, runs))
    }
  }
  for (gaussian in c(FALSE, TRUE)) {
    one <- released_by_test(odd_strata(0), ceiling(runs / 10), gaussian)
    other <- released_by_test(odd_strata(3), ceiling(runs / 10), gaussian)
    noise <- if (gaussian) "Gaussian" else "Laplace"
    for (part in 1:2) {
      at <- 2 * part - 1
      step <- shared_step(one[, at], other[, at])
      result <- attack_bits(one[, at], other[, at], step)
      # A grid there must be: not a step of the last bit of a double.
      result$off_grid <- result$off_grid + (step < one[1L, at + 1L] * 2^-20)
      bits(paste0("private_test, ", c("T", "variance")[[part]], ", ", noise), result)
    }
  }
  scaled <- function(what, found) {
    add(
      what, found[["numbers"]], found[["off_grid"]], found[["several_doubles"]], NA,
      found[["off_grid"]] + found[["several_doubles"]] > 0, FALSE
    )
  }
  scaled("contrasts in a fit of marginal_pc", scaled_contrasts(ceiling(runs / 50)))
  scaled("contrasts, add-remove", scaled_contrasts(ceiling(runs / 50), neighbours = "add-remove"))
  scaled("private_median", scaled_medians(ceiling(runs / 10)))
  scaled("private_breaks", scaled_cuts(ceiling(runs / 20)))
  scaled("private_test, estimate", scaled_estimates(ceiling(runs / 50)))
  for (pair in bit_pairs[1:3]) {
    bits(
      paste0("control: noise added as doubles to ", toString(signif(pair, 8))),
      naive_laplace(pair, runs), TRUE
    )
  }
  rows <- do.call(rbind, rows)
  list(table = rows, wrong = sum(rows$`as expected` == "NO"))
}
