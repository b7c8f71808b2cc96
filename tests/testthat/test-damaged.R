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
    do.call(rbind, lapply(sample(names(readers), min(calls, length(readers))), function(name) {
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

# What is made of fits, or beside them.
small_results <- c(
  "strength", "effect", "heterogeneity", "plan", "audit", "retest", "contradictions", "explanation",
  "evaluation", "evaluation_summary", "breaks", "chunks"
)

test_that("damaged objects are refused in words of ours, or do no harm", {
  skip_on_cran()
  for (kind in c(
    "marginal", "pag", "pooled", "consensus", "priv_pc", "network", "test", "budget",
    small_results
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

test_that("damaged results say which part is damaged", {
  fit <- hostile_other()
  strength <- hostile_objects$strength()
  strength["to"] <- list(NULL)
  effect <- hostile_objects$effect()
  attr(effect, "about")$kind <- NULL
  audit <- hostile_objects$audit()
  audit$counts <- NULL
  chunks <- hostile_objects$chunks()
  chunks$dec <- NULL
  explanation <- hostile_objects$explanation()
  explanation$about$n <- NULL
  plan <- hostile_objects$plan()
  plan$table$effect <- NULL
  expect_snapshot({
    show_refusal(plot(fit, strength = strength))
    show_refusal(plot(fit, strength = replace(hostile_objects$strength(), "strength", "x")))
    show_refusal(publish(fit, tempfile(), strength = strength))
    show_refusal(print(effect))
    show_refusal(print(audit))
    show_refusal(exact_pc(chunks, levels = list(asia = c("no", "yes"))))
    show_refusal(print(explanation))
    show_refusal(plot(plan))
  })
})

test_that("attributes of results are looked at", {
  for (kind in c("strength", "effect", "breaks")) {
    object <- hostile_objects[[kind]]()
    for (name in setdiff(names(attributes(object)), c("names", "class", "row.names"))) {
      for (damage in names(kinds_of_damage)) {
        change <- kinds_of_damage[[damage]]
        broken <- object
        attr(broken, name) <- tryCatch(
          {
            changed <- change(attr(object, name))
            if (inherits(changed, "gone")) NULL else changed
          },
          error = function(e) "x"
        )
        expect_identical(outcome_of(print(broken))$raw, NULL, info = paste(kind, name, damage))
      }
    }
  }
})

test_that("parts of results are still printed", {
  strength <- hostile_objects$strength()
  effect <- hostile_objects$effect()
  evaluation <- hostile_objects$evaluation()
  for (part in list(
    strength[1:3, ], strength[c("from", "to")], strength[0L, ], effect[1L, ],
    effect[c("measure", "estimate")], evaluation[1:2, ], evaluation[c("network", "shd")],
    hostile_objects$heterogeneity()[1:2, c("x", "p.value")]
  )) {
    said <- outcome_of(print(part))
    expect_false(said$refused)
    expect_identical(said$raw, NULL)
  }
})
