# Fits, networks, results and budgets that were cut, edited or mixed up, given to the functions that
# take them: a sample of all damages at all places.

# What came of it, a row per call.
damage_sample <- function(kind, damages, calls) {
  object <- hostile_objects[[kind]]()
  readers <- readers_of(kind)
  sound <- list()
  rows <- damages_of(object)
  rows <- rows[sample(nrow(rows), damages), , drop = FALSE]
  out <- lapply(seq_len(nrow(rows)), function(i) {
    broken <- damaged_by(object, rows$at[[i]], rows$kind[[i]])
    if (is.null(broken) || identical(broken, object)) return(NULL)
    do.call(rbind, lapply(sample(names(readers), calls), function(name) {
      if (is.null(sound[[name]])) sound[[name]] <<- outcome_of(readers[[name]](object))
      outcome <- outcome_of(readers[[name]](broken))
      data.frame(
        place = rows$name[[i]], damage = rows$kind[[i]], call = name, let_in = is_let_in(broken),
        verdict = verdict_on(outcome, sound[[name]]), raw = paste(outcome$raw, collapse = " | ")
      )
    }))
  })
  do.call(rbind, out)
}

test_that("damaged objects are refused in words of ours, or do no harm", {
  skip_on_cran()
  for (kind in c(
    "marginal", "pag", "pooled", "consensus", "priv_pc", "network", "test", "budget"
  )) {
    found <- with_seed(1, damage_sample(kind, damages = 12L, calls = 2L))
    raw <- found[found$verdict == "raw", , drop = FALSE]
    expect_identical(
      paste(raw$place, raw$damage, raw$call, raw$raw, recycle0 = TRUE), character(), info = kind
    )
    # Whatever is not let in is refused by every function that takes such an object.
    outside <- found[!found$let_in, , drop = FALSE]
    expect_true(all(outside$verdict == "refused"), info = kind)
  }
})

test_that("a sound object is let in, and each of its parts is missed", {
  skip_on_cran()
  for (kind in c(
    "marginal", "persons", "pag", "pooled", "consensus", "priv_pc", "exact_pc", "network"
  )) {
    expect_true(is_let_in(hostile_objects[[kind]]()), info = kind)
  }
  fit <- hostile_objects$marginal()
  for (part in c(
    "amat", "skeleton", "sepsets", "nodes", "learner", "privacy", "ledger", "settings"
  )) {
    broken <- fit
    broken[[part]] <- NULL
    expect_error(print(broken), class = "privpc_damaged", info = part)
  }
})

test_that("an edited promise is not printed", {
  fit <- hostile_objects$marginal()
  edit <- function(part, value) {
    fit$privacy[[part]] <- value
    fit
  }
  expect_snapshot({
    show_refusal(print(edit("epsilon", 0.1)))
    show_refusal(report(edit("delta", 1e-12)))
    show_refusal(privacy_ledger(edit("rho", fit$privacy$rho / 2)))
    show_refusal(format(edit("private", "yes")))
  })
})
