# Fits with repeatable noise. explain() reads nothing but the fit.
asia <- simulate(network("asia"), nsim = 20000, seed = 1)
by_score <- marginal_pc(asia, epsilon = 1, seed = 1)
by_tests <- marginal_pc(asia, epsilon = 1, seed = 1, search = "tests")

without_edge <- function(fit, x, y) {
  fit$amat[x, y] <- fit$amat[y, x] <- fit$skeleton[x, y] <- fit$skeleton[y, x] <- 0L
  fit
}

lines_of <- function(why) paste(format(why, width = 1e4), collapse = "\n")

test_that("a pair without an edge is explained by its separating set, with both searches", {
  for (fit in list(by_score, by_tests)) {
    why <- explain(fit, "smoke", "xray")
    at <- which(fit$sepsets$x == "smoke" & fit$sepsets$y == "xray")
    given <- fit$sepsets$given[[at]]
    expect_identical(why[c("edge", "reason")], list(edge = "", reason = "separated"))
    expect_identical(why$separated$given, given)
    # The numbers are those of retest(), without conditions and given the set.
    alone <- retest(fit, "smoke", "xray")
    left <- retest(fit, "smoke", "xray", given = given)
    expect_identical(why$measured$p.value, alone$p.value)
    expect_identical(why$measured$phi, sqrt(unname(alone$estimate)))
    expect_identical(why$separated$evidence, left$evidence)
    expect_identical(why$separated$noise, left$noise)
    expect_null(why$nearest)
    expect_null(why$direction)
    # And the noise that of measured().
    expect_identical(why$measured$se, measured(fit, c("smoke", "xray"))$se[[1]])
    expect_identical(why$measured$tables[[1]], c("smoke", "xray"))
  }
  expect_snapshot({
    explain(by_score, "smoke", "xray")
    explain(by_tests, "smoke", "xray")
    explain(by_score, "asia", "tub")
  })
})

test_that("either order of the two asks the same question", {
  forth <- explain(by_score, "lung", "either")
  back <- explain(by_score, "either", "lung")
  expect_identical(c(forth$edge, back$edge), c("->", "<-"))
  same <- c("reason", "measured", "separated", "nearest", "power", "direction", "contradictions")
  expect_identical(forth[same], back[same])
})

test_that("an edge is explained by what does not explain it away, and by its direction", {
  expect_snapshot({
    explain(by_score, "lung", "either")
    explain(by_tests, "smoke", "lung")
  })
  why <- explain(by_score, "smoke", "lung")
  near <- why$nearest
  expect_identical(near$evidence, retest(by_score, "smoke", "lung", given = near$given)$evidence)
  # No set of one neighbour leaves less.
  joined <- rownames(by_score$skeleton)[by_score$skeleton["smoke", ] | by_score$skeleton["lung", ]]
  for (z in setdiff(joined, c("smoke", "lung"))) {
    expect_lte(near$evidence, retest(by_score, "smoke", "lung", given = z)$evidence)
  }
})

test_that("every directed edge of a graph has a reason, and the right one", {
  graph <- function(...) {
    arcs <- strsplit(c(...), " ")
    nodes <- sort(unique(unlist(lapply(arcs, `[`, c(1, 3)))))
    amat <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
    for (arc in arcs) {
      amat[arc[[1]], arc[[3]]] <- 1L
      if (arc[[2]] == "--") amat[arc[[3]], arc[[1]]] <- 1L
    }
    list(amat = amat, nodes = nodes)
  }
  none <- list(required = no_arcs, forbidden = no_arcs)
  expect_rule <- function(fit, x, y, rule, by = character(), arcs = none) {
    edge <- edge_between(fit$amat, x, y)
    expect_identical(direction_of(fit, arcs, x, y, edge), list(rule = rule, by = by))
  }
  collider <- graph("a -> c", "b -> c", "c -> d")
  expect_rule(collider, "a", "c", "collider", "b")
  expect_rule(collider, "c", "b", "collider", "a")
  expect_rule(collider, "c", "d", "meek 1", "a")
  expect_rule(graph("a -> b", "b -> c", "a -> c"), "a", "c", "meek 2", "b")
  expect_rule(
    graph("a -- c", "a -- d", "c -> b", "d -> b", "a -> b"), "a", "b", "meek 3", c("c", "d")
  )
  rule_4 <- graph("a -- d", "d -> c", "c -> b", "a -- c", "a -> b")
  expect_rule(rule_4, "a", "b", "meek 4", c("d", "c"))
  expect_rule(graph("a -- b"), "a", "b", "open")
  expect_rule(graph("a -> b"), "a", "b", "other")
  one <- graph("a -> b")
  expect_rule(
    one, "a", "b", "knowledge", arcs = list(required = cbind(1L, 2L), forbidden = no_arcs)
  )
  expect_rule(
    one, "b", "a", "knowledge", arcs = list(required = no_arcs, forbidden = cbind(2L, 1L))
  )
  words <- vapply(1:4, function(rule) {
    why <- list(x = "a", y = "b", edge = "->", direction = list(
      rule = paste("meek", rule), by = if (rule < 3) "c" else c("c", "d")
    ))
    direction_text(why)
  }, "")
  expect_snapshot(cat(words, sep = "\n"))
})

test_that("in learnt graphs no direction is without a reason", {
  learnt <- list(
    by_score, by_tests, exact_pc(asia),
    exact_pc(simulate(network("alarm"), nsim = 5000, seed = 1)),
    exact_pc(
      simulate(network("child"), nsim = 5000, seed = 1),
      whitelist = c("BirthAsphyxia", "Disease")
    )
  )
  for (fit in learnt) {
    arcs <- parse_knowledge(fit$settings$whitelist, NULL, NULL, fit$nodes)
    edges <- as.data.frame(fit)
    rules <- mapply(function(from, to, type) {
      edge <- edge_between(fit$amat, from, to)
      direction_of(fit, arcs, from, to, edge)$rule
    }, edges$from, edges$to, edges$type)
    expect_identical(unname(rules == "open"), edges$type == "undirected")
    expect_false(any(rules == "other"))
  }
})

test_that("background knowledge is named where it decides", {
  known <- marginal_pc(
    asia, epsilon = 1, seed = 1, whitelist = c("asia", "xray"),
    blacklist = rbind(c("smoke", "bronc"), c("bronc", "smoke")),
    tiers = list(c("asia", "smoke"), c("tub", "lung", "bronc"), c("either", "xray", "dysp"))
  )
  required <- explain(known, "asia", "xray")
  forbidden <- explain(known, "smoke", "bronc")
  tiered <- explain(known, "lung", "smoke")
  expect_identical(required$reason, "required")
  expect_identical(required$direction$rule, "knowledge")
  expect_identical(forbidden$reason, "forbidden")
  # Other tests needed its table, which disagrees.
  expect_true(forbidden$contradictions$pairs$forbidden)
  expect_identical(tiered$knowledge$tiers, c(lung = 2L, smoke = 1L))
  expect_identical(tiered$direction$rule, "knowledge")
  expect_snapshot({
    required
    forbidden
    tiered
  })
  # What is advised is possible: an edge that tiers leave one direction gets that one.
  open <- explain(known, "xray", "smoke")
  expect_match(lines_of(open), "whitelist = c(\"smoke\", \"xray\")", fixed = TRUE)
})

test_that("fits without tables are explained as far as they go", {
  exact <- exact_pc(asia)
  private <- priv_pc(asia, epsilon = 20, seed = 1)
  for (fit in list(exact, private)) {
    at <- which(lengths(fit$sepsets$given) > 0)[[1]]
    why <- explain(fit, fit$sepsets$x[[at]], fit$sepsets$y[[at]])
    expect_identical(why$separated, list(given = fit$sepsets$given[[at]]))
    for (part in c("measured", "power", "contradictions", "tried")) expect_null(why[[part]])
  }
  # No promise was made, so none of its budget is spoken of.
  expect_no_match(lines_of(explain(exact, "smoke", "xray")), "budget")
  expect_snapshot({
    explain(exact, "smoke", "xray")
    explain(exact, "lung", "either")
    explain(exact, "asia", "smoke")
  })
})

test_that("a consensus is explained by how many graphs have the edge", {
  agreed <- with_seed(1, consensus(by_score, draws = 20))
  why <- explain(agreed, "smoke", "lung")
  strength <- agreed$strength
  expect_identical(why$reason, "consensus")
  expect_identical(
    why$strength, strength$strength[strength$from == "smoke" & strength$to == "lung"]
  )
  expect_null(why$separated)
  expect_null(why$tried)
  expect_snapshot({
    why
    explain(agreed, "asia", "smoke")
  })
})

test_that("persons are called persons, and a noisy number is about", {
  visits <- asia[rep(1:4000, each = 2), c("smoke", "lung", "bronc")]
  visits$person <- rep(1:4000, each = 2)
  per_person <- marginal_pc(visits, epsilon = 1, seed = 1, id = "person")
  secret <- marginal_pc(asia, epsilon = 1, seed = 1, neighbours = "add-remove")
  rows <- lines_of(explain(secret, "smoke", "lung"))
  persons <- lines_of(explain(per_person, "smoke", "lung"))
  expect_match(persons, "of 4,000 persons", fixed = TRUE)
  expect_no_match(persons, "rows", fixed = TRUE)
  expect_match(rows, paste("of about", big(round(secret$settings$n)), "rows"), fixed = TRUE)
  expect_identical(explain(secret, "smoke", "lung")$reason, "score")
})

test_that("a graph that its own tables do not give is not explained by them", {
  edited <- explain(without_edge(by_score, "smoke", "bronc"), "bronc", "smoke")
  expect_identical(edited$reason, "changed")
  expect_identical(edited$contradictions$pairs$effect, edited$measured$estimate)
  added <- by_score
  added$amat["asia", "dysp"] <- 1L
  added$skeleton["asia", "dysp"] <- added$skeleton["dysp", "asia"] <- 1L
  expect_identical(explain(added, "asia", "dysp")$reason, "changed")
  expect_snapshot(edited)
})

test_that("a relearnt graph is explained by its own settings", {
  other <- relearn(by_score, search = "tests", whitelist = c("smoke", "xray"))
  expect_identical(explain(other, "smoke", "xray")$reason, "required")
  expect_identical(explain(other, "smoke", "lung")$reason, "tests")
})

test_that("what is tried is what relearn() gives", {
  weak <- marginal_pc(asia[1:2000, ], epsilon = 1, seed = 3)
  pairs <- utils::combn(weak$nodes, 2, simplify = FALSE)
  tried <- do.call(rbind, lapply(pairs, function(pair) {
    found <- explain(weak, pair[[1]], pair[[2]])$tried
    data.frame(x = pair[[1]], y = pair[[2]], found[found$setting == "search = \"tests\"", ])
  }))
  other <- relearn(weak, search = "tests")$amat
  expect_identical(
    tried$edge,
    mapply(edge_between, tried$x, tried$y, MoreArgs = list(graph = other), USE.NAMES = FALSE)
  )
  # Some differ, so that this says something, and the words say which.
  differs <- which(nzchar(tried$edge) != weak$skeleton[cbind(tried$x, tried$y)])
  expect_gt(length(differs), 0)
  at <- tried[differs[[1]], ]
  said <- lines_of(explain(weak, at$x, at$y))
  expect_match(said, "`relearn(fit, search = \"tests\")` with", fixed = TRUE)
})

test_that("the interval covers the true effect about as often as it says", {
  set.seed(1)
  true_phi <- 0.1
  covered <- vapply(1:200, function(run) {
    x <- rbinom(2000, 1, 0.5)
    y <- rbinom(2000, 1, 0.5 + true_phi * (x - 0.5))
    data <- data.frame(
      x = factor(x, 0:1), y = factor(y, 0:1), z = factor(rbinom(2000, 1, 0.5), 0:1)
    )
    fit <- marginal_pc(data, epsilon = 1, seed = run)
    found <- explain(fit, "x", "y")$measured
    none <- explain(fit, "x", "z")$measured
    c(found$lower <= true_phi && true_phi <= found$upper, none$lower == 0)
  }, c(NA, NA))
  # A share of 95 %, and of 97.5 % where a limit of 0 is one-sided.
  expect_gte(sum(covered[1, ]), stats::qbinom(1e-4, 200, 0.95))
  expect_lt(sum(covered[1, ]), 200)
  expect_gte(sum(covered[2, ]), stats::qbinom(1e-4, 200, 0.975))
})

test_that("limits of phi are those of a non-central chi-square, also far out", {
  near <- phi_interval(0.02, 0.001, 3)
  unit <- 0.001 / 3
  seen <- 0.02 / unit + 3
  expect_equal(stats::pchisq(seen, 3, near[[1]]^2 / unit), 0.975, tolerance = 1e-5)
  expect_equal(stats::pchisq(seen, 3, near[[2]]^2 / unit), 0.025, tolerance = 1e-5)
  # Less than no effect gives: a limit all the same, and never below that of seeing nothing.
  low <- phi_interval(-0.001, 0.001, 3)
  expect_identical(low[[1]], 0)
  expect_equal(low[[2]]^2 / unit, -2 * log(0.025), tolerance = 1e-3)
  # The two ways of computing it meet.
  below <- phi_interval(9999 - 4, 4, 4)
  above <- phi_interval(10001 - 4, 4, 4)
  expect_equal(below, above, tolerance = 1e-3)
})

test_that("power is that of the message, and harder for rare levels", {
  why <- explain(by_score, "asia", "tub")
  plan <- list(20000, rep(2L, 8), by_score$privacy$rho, 0.05, FALSE)
  expect_identical(why$power$least, do.call(cpp_visible_effect, plan))
  expect_gt(why$power$least_here, 5 * why$power$least)
  # Who comes to an exposure of 1 % by a disease of 1 % may be missed at phi 0.1.
  expect_gt(why$power$rows, 20000)
  # The arithmetic of rows and rho: with either the variance is what was asked for.
  enough <- enough_here(target = 1e-4, variance = 3e-4, n = 20000, rho = 0.02)
  noise <- 3e-4 - 1 / 20000
  expect_equal(1 / enough[["rows"]] + noise * (20000 / enough[["rows"]])^2, 1e-4)
  expect_equal(1 / 20000 + noise * 0.02 / enough[["rho"]], 1e-4)
  expect_identical(enough_here(1e-5, 3e-4, 20000, 0.02)[["rho"]], Inf)
})

test_that("with an effect at least_here the pair's test passes in about 80 % of fits", {
  set.seed(1)
  draw <- function(phi, run) {
    x <- rbinom(3000, 1, 0.5)
    y <- rbinom(3000, 1, 0.5 + phi * (x - 0.5))
    data <- as.data.frame(lapply(
      list(x = x, y = y, z = rbinom(3000, 1, 0.5), w = rbinom(3000, 1, 0.5)), factor, levels = 0:1
    ))
    marginal_pc(data, epsilon = 1, seed = run)
  }
  least <- stats::median(vapply(1:20, function(run) {
    explain(draw(0, run), "x", "y")$power$least_here
  }, 0))
  passed <- vapply(1:150, function(run) {
    retest(draw(least, run), "x", "y")$p.value <= 0.05 / 6
  }, NA)
  expect_gt(mean(passed), 0.65)
  expect_lt(mean(passed), 0.95)
})

test_that("pairs that were not selected, and constants, are said to be so", {
  one <- asia[c("smoke", "lung", "bronc")]
  one$one <- factor(rep("a", nrow(one)), levels = "a")
  constant <- marginal_pc(one, epsilon = 1, seed = 1)
  expect_identical(explain(constant, "smoke", "one")$reason, "one level")
  expect_snapshot(explain(constant, "smoke", "one"))
  selecting <- by_score
  selecting$settings$selects <- TRUE
  sets <- selecting$measurements$tables$sets
  of <- match(c("asia", "dysp"), selecting$measurements$nodes)
  kept <- !vapply(sets, function(set) all(of %in% set), NA)
  selecting$measurements$tables <- lapply(selecting$measurements$tables, `[`, kept)
  selecting$sepsets <- selecting$sepsets[0, ]
  why <- explain(selecting, "asia", "dysp")
  expect_identical(why$reason, "not measured")
  expect_match(lines_of(why), "pairs were selected, and this one was not", fixed = TRUE)
})

test_that("it reads no records, costs nothing and says so", {
  budget <- privacy_budget(epsilon = 2, delta = 1e-6)
  fit <- marginal_pc(asia, epsilon = 1, budget = budget)
  spent <- privacy_ledger(budget)
  # A saved fit alone is enough.
  path <- tempfile(fileext = ".rds")
  saveRDS(fit, path)
  expect_identical(explain(readRDS(path), "smoke", "lung"), explain(fit, "smoke", "lung"))
  expect_identical(privacy_ledger(budget), spent)
  expect_match(lines_of(explain(fit, "smoke", "lung")), "costs no budget and reads no records")
})

test_that("wrong questions are refused with advice", {
  damaged <- list(
    graph = replace(by_score, "amat", list(by_score$amat + 1L)),
    names = replace(by_score, "amat", list(unname(by_score$amat))),
    sets = replace(by_score, "sepsets", list("smoke")),
    rho = replace(by_score, "privacy", list(replace(by_score$privacy, "rho", -1))),
    ledger = replace(by_score, "ledger", list(1))
  )
  for (name in names(damaged)) {
    expect_error(explain(damaged[[name]], "smoke", "xray"), class = "privpc_damaged", info = name)
  }
  expect_snapshot({
    show_refusal(explain(asia, "smoke", "xray"))
    show_refusal(explain(by_score, "smoke"))
    show_refusal(explain(by_score, "smoke", "smoke"))
    show_refusal(explain(by_score, "smoke", "x-ray"))
    show_refusal(explain(by_score, "smoke", 2))
    show_refusal(explain(by_score, "smoke", "xray", given = "lung"))
    show_refusal(explain(damaged$graph, "smoke", "xray"))
    show_refusal(explain(damaged$rho, "smoke", "xray"))
  })
})
