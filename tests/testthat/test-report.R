# Versions and years change; everything else is fixed by the seedless parts of the text.
stable <- function(text) {
  text <- gsub("version [0-9.]+", "version *", text)
  gsub("\\([0-9]{4}\\), privpc", "(*), privpc", text)
}

report_cohort <- function() simulate(network("cancer"), nsim = 5000, seed = 1)

test_that("the paragraph of a private fit states the whole promise", {
  fit <- marginal_pc(report_cohort(), epsilon = 1, tiers = tiers(
    Pollution + Smoker ~ Cancer ~ Xray + Dyspnoea
  ))
  text <- report(fit)
  whole <- paste(text, collapse = " ")
  expect_match(whole, "differentially private with epsilon = 1 and delta = 1e-06")
  expect_match(whole, "5,000 records")
  expect_match(whole, "replacing any one record")
  expect_match(whole, "Pollution and Smoker; then Cancer; then Xray and Dyspnoea")
  expect_match(whole, "of it was spent in")
  expect_match(whole, as.character(utils::packageVersion("privpc")), fixed = TRUE)
  expect_no_match(whole, "not differentially private")
  expect_named(text, c("graph", "privacy", "public", "budget", "knowledge", "citation"))
})

test_that("declared and privately chosen cut points are told apart", {
  data <- small_cohort()
  data$x <- data$w <- rep(1:100, length.out = nrow(data))
  cuts <- private_breaks(data, "x", bins = 2, epsilon = 0.25, bounds = list(x = c(0, 200)))
  fit <- marginal_pc(data, epsilon = 1, breaks = cuts, bounds = list(w = c(0, 100)))
  public <- report(fit)[["public"]]
  expect_match(public, "the cut points of w, and the settings of the analysis were treated")
  expect_match(public, "The cut points of x were chosen privately for epsilon = 0.25")
  expect_match(report(fit)[["privacy"]], "epsilon = 1.25 and delta")
  expect_match(report(fit)[["graph"]], "w cut at 20, 40, 60 and 80", fixed = TRUE)
  expect_match(report(fit)[["graph"]], "x cut at [0-9.]+;")
})

test_that("complete columns and declared levels are among the public facts", {
  data <- small_cohort()
  expect_match(
    report(marginal_pc(data, epsilon = 1))[["public"]],
    "variables, that no value is missing or outside these levels, and the settings"
  )
  expect_match(
    report(marginal_pc(data, epsilon = 1, na = c(a = "level")))[["public"]],
    "that no value is missing (but where that is a level) or outside these levels", fixed = TRUE
  )
})

test_that("no fit without a guarantee is called private", {
  data <- report_cohort()
  fits <- list(
    exact_pc(data), suppressMessages(priv_pc(data, epsilon = 1, seed = 1)),
    marginal_pc(data, epsilon = 1, seed = 1),
    suppressMessages(priv_pc(data, epsilon = 1, sensitivity = "paper"))
  )
  for (fit in fits) {
    whole <- paste(report(fit), collapse = " ")
    expect_match(whole, "This result is not differentially private")
    expect_no_match(whole, "is differentially private")
    expect_no_match(whole, "epsilon =")
  }
})

test_that("reports read well", {
  data <- report_cohort()
  fixed <- marginal_pc(data, epsilon = 1, seed = 1, blacklist = c("Xray", "Dyspnoea"))
  # As it would read if the noise had come from the system.
  private <- as_if_private(fixed)
  expect_snapshot({
    cat(strwrap(stable(paste(report(exact_pc(data, alpha = 0.01)), collapse = " "))), sep = "\n")
    cat(strwrap(stable(paste(report(fixed), collapse = " "))), sep = "\n")
    cat(strwrap(stable(paste(report(private), collapse = " "))), sep = "\n")
    show_refusal(report(data))
    show_refusal(report(fixed, style = "apa"))
  })
})

test_that("lists read as sentences do", {
  expect_identical(enumerate("a"), "a")
  expect_identical(enumerate(c("a", "b")), "a and b")
  expect_identical(enumerate(c("a", "b", "c")), "a, b and c")
  expect_identical(enumerate(c("a", "b and c", "d")), "a, b and c, and d")
  expect_identical(enumerate(character()), character())
})

test_that("the report says where missing values were a level", {
  data <- report_cohort()
  fit <- marginal_pc(data, epsilon = 1, na = c(Xray = "level", Smoker = "level"))
  expect_match(report(fit)[["graph"]], "as a level of their own in Xray and Smoker.", fixed = TRUE)
  fit <- marginal_pc(data, epsilon = 1, na = "level")
  expect_match(report(fit)[["graph"]], "Missing values counted as a level of their own.$")
  for (na in list("error", c(Xray = "error"))) {
    expect_no_match(report(marginal_pc(data, epsilon = 1, na = na))[["graph"]], "Missing")
  }
})

test_that("a price taken from a shared budget is told as that", {
  data <- report_cohort()
  budget <- privacy_budget(epsilon = 2, delta = 1e-6)
  fit <- marginal_pc(data, epsilon = 0.5, budget = budget)
  expect_identical(fit$privacy$budget[c("epsilon", "delta")], list(epsilon = 2, delta = 1e-6))
  text <- report(fit)[["budget"]]
  expect_match(text, "^The price of the graph was fixed before")
  expect_match(text, "a budget of epsilon = 2 and delta = 1e-06 that was fixed for the whole study")
  expect_match(report(fit)[["privacy"]], "epsilon = 0.5 and delta = 1e-06")
  expect_match(
    privacy_text(fit$privacy, fit$ledger),
    "100% of it spent in 3 steps; paid from a budget of epsilon = 2, delta = 1e-06.", fixed = TRUE
  )
  pure <- suppressWarnings(priv_pc(data, epsilon = 0.5, budget = privacy_budget(epsilon = 2)))
  expect_match(report(pure)[["budget"]], "a budget of epsilon = 2 that was fixed")
  # Another graph from the same measurements was paid from the same budget.
  expect_identical(relearn(fit, alpha = 0.01)$privacy$budget, fit$privacy$budget)
  expect_no_match(report(marginal_pc(data, epsilon = 0.5))[["budget"]], "whole study")
})

test_that("required and forbidden arcs are named, and the graph is called what it is", {
  data <- report_cohort()
  given <- exact_pc(
    data, whitelist = c("Smoker", "Cancer"),
    blacklist = data.frame(from = c("Xray", "Dyspnoea"), to = c("Dyspnoea", "Xray"))
  )
  expect_match(report(given)[["knowledge"]], paste0(
    "1 required arc (Smoker -> Cancer) and 2 forbidden arcs (Xray -> Dyspnoea, ",
    "Dyspnoea -> Xray)."
  ), fixed = TRUE)
  expect_match(report(given)[["graph"]], "maximally oriented partially directed acyclic graph")
  expect_no_match(report(given)[["graph"]], "completed")
  in_time <- exact_pc(data, tiers = list(c("Pollution", "Smoker"), "."))
  expect_match(report(in_time)[["graph"]], "maximally oriented")
  expect_match(report(exact_pc(data))[["graph"]], "(completed partially", fixed = TRUE)
  # Every arc into the first two variables and more: too many to read.
  many <- expand.grid(from = names(data), to = c("Smoker", "Pollution", "Xray"))
  many <- many[as.character(many$from) != as.character(many$to), ]
  fit <- exact_pc(data, blacklist = many[1:11, ])
  expect_match(report(fit)[["knowledge"]], "given: 11 forbidden arcs.", fixed = TRUE)
})
