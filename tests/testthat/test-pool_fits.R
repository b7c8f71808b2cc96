# Two sites of the same population; seeds make the noise repeatable (and the fits not private).
site_fit <- function(i, n = 10000, epsilon = 1, name = "survey", ...) {
  data <- simulate(network(name), nsim = n, seed = i)
  suppressMessages(marginal_pc(data, epsilon = epsilon, delta = 1e-6, seed = i, ...))
}

table_of <- function(fit, names) {
  at <- match(names, fit$measurements$nodes)
  sets <- fit$measurements$tables$sets
  which(vapply(sets, setequal, NA, at))
}

# As if it had not been measured.
without_table <- function(fit, names) {
  at <- table_of(fit, names)
  fit$measurements$tables <- lapply(fit$measurements$tables, function(part) part[-at])
  fit
}

within_fit <- function(fit, path, value) {
  fit[[path]] <- value
  fit
}

test_that("with hardly any noise the pooled tables are those of all rows", {
  truth <- network("survey")
  one <- simulate(truth, nsim = 3000, seed = 1)
  two <- simulate(truth, nsim = 9000, seed = 2)
  learn <- function(data, seed) {
    suppressWarnings(marginal_pc(data, epsilon = 1e6, delta = 1e-6, seed = seed))
  }
  fits <- list(learn(one, 1), learn(two, 2))
  whole <- learn(rbind(one, two), 3)
  for (weights in c("precision", "records")) {
    both <- pool_fits(fits, weights = weights)
    expect_equal(both$sites$weight, c(0.25, 0.75), tolerance = 1e-4)
    expect_equal(both$measurements$n, 12000, tolerance = 1e-4)
    for (names in list("A", "S", c("A", "S"), c("E", "R"))) {
      a <- measured(both, names)
      b <- measured(whole, names)
      expect_equal(a$share, b$share, tolerance = 1e-4)
      expect_lt(a$se[[1L]], 1e-4)
    }
    expect_identical(both$skeleton, whole$skeleton)
  }
})

test_that("values are weighted sums, and noise variances add up with squared weights", {
  fits <- list(a = site_fit(1), b = site_fit(2, n = 30000, epsilon = 0.5))
  for (weights in c("precision", "records")) {
    both <- pool_fits(fits, weights = weights)
    w <- both$sites$weight
    expect_equal(sum(w), 1)
    expect_equal(both$measurements$n, round(1 / sum(w^2 / c(10000, 30000))))
    at <- lapply(c(list(both), fits), table_of, c("A", "E"))
    value <- function(fit, i, what) fit$measurements$tables[[what]][[at[[i]]]]
    expect_equal(
      value(both, 1, "values"),
      w[[1L]] * value(fits$a, 2, "values") + w[[2L]] * value(fits$b, 3, "values")
    )
    expect_equal(
      value(both, 1, "variance"),
      w[[1L]]^2 * value(fits$a, 2, "variance") + w[[2L]]^2 * value(fits$b, 3, "variance")
    )
  }
  expect_equal(w, c(0.25, 0.75))
  expect_identical(both$measurements$n, 40000)
})

test_that("weights by precision are nearer to the population where epsilons differ", {
  truth <- network("survey")
  population <- suppressWarnings(
    marginal_pc(simulate(truth, nsim = 1e6, seed = 99), epsilon = 1e6, delta = 1e-6, seed = 1)
  )
  pairs <- utils::combn(population$nodes, 2L, simplify = FALSE)
  contrasts <- function(fit) {
    unlist(lapply(pairs, function(p) fit$measurements$tables$values[[table_of(fit, p)]]))
  }
  off <- function(fit) mean((contrasts(fit) - contrasts(population))^2)
  errors <- vapply(1:8, function(i) {
    fits <- list(
      suppressWarnings(site_fit(10 + i, n = 20000, epsilon = 0.05)),
      site_fit(20 + i, n = 5000, epsilon = 3)
    )
    c(off(pool_fits(fits)), off(pool_fits(fits, weights = "records")))
  }, c(0, 0))
  expect_lt(mean(errors[1L, ]), mean(errors[2L, ]) / 2)
})

test_that("the order of the sites does not matter, nor does that of the columns", {
  fits <- list(a = site_fit(1), b = site_fit(2, n = 20000, epsilon = 0.5), c = site_fit(3))
  forth <- pool_fits(fits)
  back <- pool_fits(fits[3:1])
  same <- c("amat", "skeleton", "sepsets", "measurements", "nodes")
  expect_identical(forth[same], back[same])
  promise <- c("epsilon", "delta", "neighbours", "private")
  expect_identical(forth$privacy[promise], back$privacy[promise])
  expect_identical(forth$sites$weight, rev(back$sites$weight))
  expect_identical(forth[same], pool_fits(a = fits$a, b = fits$b, c = fits$c)[same])
  data <- simulate(network("survey"), nsim = 10000, seed = 3)
  turned <- marginal_pc(data[rev(names(data))], epsilon = 1, delta = 1e-6, seed = 3)
  expect_identical(
    pool_fits(fits$a, turned)$measurements, pool_fits(fits$a, fits$c)$measurements
  )
  expect_identical(pool_fits(fits$a, turned)$amat, pool_fits(turned, fits$a)$amat)
})

test_that("one fit pooled is the fit learnt anew", {
  fit <- site_fit(1)
  alone <- pool_fits(fit)
  expect_identical(alone$amat, relearn(fit)$amat)
  expect_identical(alone$sepsets, relearn(fit)$sepsets)
  expect_identical(alone$measurements$n, as.double(fit$measurements$n))
  expect_equal(measured(alone, c("A", "E")), measured(fit, c("A", "E")))
  strict <- pool_fits(fit, alpha = 0.001, search = "tests")
  expect_identical(strict$amat, relearn(fit, alpha = 0.001, search = "tests")$amat)
  expect_identical(relearn(strict, alpha = 0.05, search = "score")$amat, alone$amat)
})

test_that("the largest epsilon and the largest delta hold", {
  data <- simulate(network("survey"), nsim = 10000, seed = 1)
  more <- simulate(network("survey"), nsim = 10000, seed = 2)
  both <- pool_fits(
    north = marginal_pc(data, epsilon = 0.5, delta = 1e-5),
    south = marginal_pc(more, epsilon = 1, delta = 1e-6)
  )
  expect_identical(both$privacy$epsilon, 1)
  expect_identical(both$privacy$delta, 1e-5)
  expect_true(both$privacy$private)
  expect_identical(both$sites$site, c("north", "south"))
  expect_identical(both$sites$epsilon, c(0.5, 1))
  ledger <- privacy_ledger(both)
  expect_identical(unique(ledger$site), c("north", "south"))
  expect_equal(as.vector(tapply(ledger$share, ledger$site, sum)), c(1, 1), tolerance = 1e-6)
  expect_null(attr(ledger, "privacy"))
  expect_identical(heterogeneity(both)$sites[[1L]], 2L)
})

test_that("what was measured at some sites only is used, more carefully", {
  fits <- list(
    site_fit(1), without_table(site_fit(2), c("A", "T")), site_fit(3, parameters = TRUE)
  )
  expect_length(table_of(fits[[2L]], c("A", "T")), 0L)
  both <- pool_fits(fits)
  here <- table_of(both, c("A", "T"))
  other <- table_of(both, c("A", "S"))
  expect_length(here, 1L)
  variance <- both$measurements$tables$variance
  expect_gt(variance[[here]], variance[[other]])
  # All sets of all sites, and the families of the third.
  sets <- lapply(fits, function(fit) fit$measurements$tables$sets)
  expect_length(both$measurements$tables$sets, length(unique(unlist(sets, FALSE))))
  expect_true(length(both$measurements$families$sets) > 0L)
  expect_false(anyNA(measured(both, c("A", "T"))$se))
})

test_that("pairs that one site did not measure do not look dependent where margins differ", {
  site <- function(p, seed) {
    set.seed(seed)
    draw <- function(p, n = 50000) factor(rbinom(n, 1, p), 0:1)
    data <- data.frame(x = draw(p), y = draw(p), z = draw(0.5))
    suppressMessages(marginal_pc(data, epsilon = 5, delta = 1e-6, seed = seed))
  }
  away <- without_table(site(0.8, 3), c("x", "y"))
  both <- pool_fits(site(0.3, 1), site(0.3, 2), away, weights = "records")
  p <- (2 * 0.3 + 0.8) / 3
  shares <- measured(both, c("x", "y"))$share
  expect_equal(shares, c((1 - p)^2, p * (1 - p), p * (1 - p), p^2), tolerance = 0.02)
  expect_identical(sum(both$skeleton), 0L)
  expect_gt(retest(both, "x", "y")$p.value, 0.001)
})

test_that("fits that were paid from one budget are of the same people", {
  data <- simulate(network("cancer"), nsim = 3000, seed = 1)
  learn <- function(epsilon, budget) {
    suppressWarnings(suppressMessages(marginal_pc(data, epsilon = epsilon, budget = budget)))
  }
  set.seed(1)
  seed <- .Random.seed
  budget <- privacy_budget(epsilon = 1, delta = 1e-6)
  one <- learn(0.5, budget)
  two <- learn(0.4, budget)
  other <- learn(0.4, privacy_budget(epsilon = 1, delta = 1e-6))
  expect_identical(.Random.seed, seed)
  expect_match(one$privacy$budget$id, "^[0-9a-f]{32}$")
  expect_error(pool_fits(one, two), class = "privpc_same_people")
  expect_error(pool_fits(one, relearn(two)), class = "privpc_same_people")
  expect_s3_class(pool_fits(one, other), "privpc")

  file <- tempfile(fileext = ".ledger")
  kept <- privacy_budget(epsilon = 1, delta = 1e-6, file = file, data = "a {cohort}")
  three <- learn(0.5, kept)
  four <- learn(0.3, privacy_budget(file = file))
  expect_identical(three$privacy$budget$id, four$privacy$budget$id)
  expect_error(pool_fits(three, four), class = "privpc_same_people")
  # Another file: the name of the data set alone says little.
  elsewhere <- privacy_budget(
    epsilon = 1, delta = 1e-6, file = tempfile(fileext = ".ledger"), data = "a {cohort}"
  )
  five <- learn(0.5, elsewhere)
  expect_warning(pool_fits(three, five), class = "privpc_same_ledger")
  # Fits of earlier versions keep no name of the budget.
  three$privacy$budget$id <- NULL
  expect_error(pool_fits(three, four), class = "privpc_same_people")
  expect_s3_class(pool_fits(three, other), "privpc")
  expect_snapshot({
    show_refusal(pool_fits(north = one, south = two))
    show_refusal(pool_fits(north = three, south = four))
  })
})

test_that("graphs with hidden causes go in and come out", {
  fits <- list(site_fit(1, n = 5000), site_fit(2, n = 5000))
  hidden <- lapply(fits, relearn, hidden = TRUE)
  both <- pool_fits(fits)
  expect_identical(pool_fits(hidden)[c("amat", "measurements")], both[c("amat", "measurements")])
  graph <- pool_fits(fits, hidden = TRUE)
  expect_s3_class(graph, "privpc_pag")
  expect_identical(graph$marks, relearn(both, hidden = TRUE)$marks)
  expect_identical(heterogeneity(graph), heterogeneity(both))
  alone <- hidden[[2L]]
  alone$fit <- NULL
  expect_snapshot({
    show_refusal(pool_fits(fits[[1L]], network_pag(network("survey"))))
    show_refusal(pool_fits(fits[[1L]], alone))
    show_refusal(pool_fits(fits, hidden = "yes"))
  })
})

test_that("the promise says what holds for one site, and for people in all of them", {
  learn <- function(seed, epsilon, ...) {
    data <- simulate(network("cancer"), nsim = 5000 * seed, seed = seed)
    suppressMessages(marginal_pc(data, epsilon = epsilon, delta = 1e-6, ...))
  }
  fits <- list(north = learn(1, 1), south = learn(2, 0.5))
  both <- pool_fits(fits)
  expect_equal(both$privacy$in_all, list(epsilon = 1.5, delta = 2e-6))
  expect_null(pool_fits(fits[1L])$privacy$in_all)
  added <- pool_fits(lapply(1:2, learn, epsilon = 1, neighbours = "add-remove"))
  expect_output(print(added), "site 1 (about ", fixed = TRUE)
  last_lines <- function(fit) {
    lines <- capture.output(print(fit))
    writeLines(lines[seq(grep("Private", lines), length(lines))])
  }
  expect_snapshot({
    last_lines(both)
    last_lines(pool_fits(fits[1L]))
    cat(report(both)[["privacy"]])
    cat(report(pool_fits(fits[1L]))[["privacy"]])
  })
})

test_that("a fit with a seed makes the pooled one not private, and everything says so", {
  data <- simulate(network("survey"), nsim = 5000, seed = 9)
  private <- marginal_pc(data, epsilon = 1, delta = 1e-6)
  both <- pool_fits(private, site_fit(1))
  expect_false(both$privacy$private)
  expect_match(format(both), "NOT private")
  expect_match(attr(heterogeneity(both), "privacy"), "NOT private")
  expect_match(attr(privacy_ledger(both), "privacy"), "NOT private")
  expect_output(print(both), "NOT private")
})

test_that("fits from files and from an engine are pooled", {
  con <- local_sqlite()
  data <- simulate(network("cancer"), nsim = 5000, seed = 1)
  stored <- marginal_pc(
    remote_table(con, data), epsilon = 1, delta = 1e-6, levels = data[0, ], seed = 1
  )
  plain <- site_fit(2, n = 5000, name = "cancer")
  file <- tempfile(fileext = ".rds")
  saveRDS(plain, file)
  both <- pool_fits(stored, readRDS(file))
  in_memory <- marginal_pc(data, epsilon = 1, delta = 1e-6, seed = 1)
  expect_identical(both$measurements, pool_fits(in_memory, plain)$measurements)
})

test_that("persons and added records are pooled among themselves", {
  fits <- lapply(1:2, function(i) site_fit(i, neighbours = "add-remove"))
  both <- pool_fits(fits)
  expect_identical(both$privacy$neighbours, "add-remove")
  expect_output(print(both), "about")
  persons <- lapply(1:2, function(i) {
    data <- simulate(network("survey"), nsim = 4000, seed = i)
    data$who <- rep(seq_len(2000), 2)
    suppressMessages(suppressWarnings(
      marginal_pc(data, epsilon = 1, delta = 1e-6, id = "who", max_records = 1 + i, seed = i)
    ))
  })
  both <- pool_fits(persons)
  expect_identical(both$privacy$per, "person")
  expect_match(paste(report(both), collapse = " "), "how many were used differs by site")
  expect_s3_class(edge_strength(both, draws = 2), "privpc_strength")
})

test_that("every function that takes a fit takes a pooled one", {
  fits <- list(north = site_fit(1), south = site_fit(2, n = 20000, epsilon = 0.5))
  both <- pool_fits(fits)
  set.seed(1)
  sure <- edge_strength(both, draws = 20)
  expect_identical(nrow(sure), 30L)
  set.seed(1)
  expect_identical(edge_strength(both, draws = 20), sure)
  expect_s3_class(edge_strength(both, draws = 3, kind = "sampling"), "privpc_strength")
  agreed <- consensus(both, draws = 10)
  expect_identical(agreed$sites, both$sites)
  expect_output(print(agreed), "north")
  expect_output(print(heterogeneity(agreed)))
  expect_identical(relearn(both)$amat, both$amat)
  expect_identical(relearn(both)$pooled, both$pooled)
  expect_identical(relearn(relearn(both, alpha = 0.01), alpha = 0.05), relearn(both))
  expect_s3_class(retest(both, "A", "E"), "privpc_retest")
  expect_output(print(explain(both, "A", "T")))
  expect_output(print(explain(both, "A", "E")))
  expect_s3_class(contradictions(both), "privpc_contradictions")
  expect_s3_class(as_network(both), "privpc_network")
  directed <- relearn(both, tiers = list(c("A", "S"), "E", c("O", "R"), "T"))
  expect_s3_class(effect(directed, "E", "T", draws = 10), "privpc_effect")
  if (requireNamespace("bnlearn", quietly = TRUE)) {
    expect_s3_class(suppressMessages(as_bn(both)), "bn")
    expect_s3_class(suppressMessages(as_bn_strength(sure)), "bn.strength")
    expect_s3_class(suppressMessages(as_bn_fit(both)), "bn.fit")
  }
  expect_type(suppressMessages(as_dagitty(both, string = TRUE)), "character")
  expect_s3_class(suppressMessages(igraph::as.igraph(both)), "igraph")
  expect_identical(nrow(compare_graphs(both, network("survey"))), 2L)
  data <- simulate(network("survey"), nsim = 10, seed = 1)
  expect_identical(dim(bin_like(data, both)), c(10L, 6L))
  rows <- suppressMessages(simulate(as_network(both), nsim = 5, seed = 1))
  expect_identical(nrow(rows), 5L)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(both))
  expect_silent(plot(both, strength = sure))
  parts <- plot(both, what = "ledger")
  expect_equal(sum(parts$share), 1, tolerance = 1e-6)
})

test_that("prints, summary and report name the sites", {
  both <- pool_fits(
    north = site_fit(1), south = site_fit(2, n = 20000, epsilon = 0.5), weights = "records"
  )
  expect_snapshot({
    both
    summary(both)
    cat(format(both), "\n")
    report(both)
  })
  private <- pool_fits(lapply(1:2, function(i) {
    marginal_pc(simulate(network("survey"), nsim = 10000, seed = i), epsilon = 1, delta = 1e-6)
  }))
  text <- report(private)
  expect_match(text[["privacy"]], "largest values of the 2 sites")
  expect_match(text[["budget"]], "site 1 paid it in")
  expect_output(print(private), "The largest of 2\\s+sites")
})

test_that("the page names the sites", {
  both <- pool_fits(north = site_fit(1), south = site_fit(2))
  file <- tempfile(fileext = ".html")
  suppressMessages(publish(both, file, strength = FALSE, effects = FALSE))
  page <- paste(readLines(file), collapse = "\n")
  expect_match(page, "<h2 id=\"sites-heading\">The sites</h2>", fixed = TRUE)
  expect_match(page, "north")
  expect_match(page, "Cochran")
})

test_that("what cannot be pooled is refused in clear words", {
  fit <- site_fit(1, n = 2000)
  other <- site_fit(2, n = 2000)
  data <- simulate(network("survey"), nsim = 2000, seed = 3)
  learn <- function(data, ...) {
    suppressWarnings(suppressMessages(marginal_pc(data, epsilon = 1, delta = 1e-6, seed = 3, ...)))
  }
  turned <- data
  turned$A <- factor(turned$A, rev(levels(turned$A)))
  renamed <- stats::setNames(data, sub("^A$", "Age {years}", names(data)))
  fewer <- data
  fewer$A <- factor(sample(c("young", "old"), 2000, replace = TRUE), c("young", "old"))
  in_order <- data
  in_order$S <- factor(in_order$S, ordered = TRUE)
  visits <- cbind(data, who = seq_len(2000))
  numbers <- cbind(data, age = rep(1:100, 20))
  expect_snapshot({
    show_refusal(pool_fits())
    show_refusal(pool_fits(list()))
    show_refusal(pool_fits(fit, data))
    show_refusal(pool_fits(fit, other, weigths = "records"))
    show_refusal(pool_fits(fit, other, weights = "rows"))
    show_refusal(pool_fits(fit, exact_pc(data)))
    show_refusal(pool_fits(fit, pool_fits(other)))
    show_refusal(pool_fits(fit, consensus(other, draws = 5)))
    show_refusal(pool_fits(fit, fit))
    show_refusal(pool_fits(a = fit, b = relearn(fit, alpha = 0.01), alpha = 0.05))
    show_refusal(pool_fits(a = fit, a = other))
    show_refusal(pool_fits(fit, learn(data, neighbours = "add-remove")))
    show_refusal(pool_fits(fit, learn(visits, id = "who")))
    show_refusal(pool_fits(fit, learn(renamed)))
    show_refusal(pool_fits(fit, learn(turned)))
    show_refusal(pool_fits(north = fit, south = learn(fewer)))
    show_refusal(pool_fits(fit, learn(in_order)))
    show_refusal(pool_fits(
      learn(numbers, breaks = list(age = c(0, 40, 100))),
      learn(cbind(data[1:1000, ], age = 1:100), breaks = list(age = c(0, 40.0000001, 100)))
    ))
    show_refusal(pool_fits(fit, learn(data, alpha = 0.01)))
    show_refusal(pool_fits(fit, learn(data, search = "tests")))
    show_refusal(pool_fits(fit, learn(data, whitelist = c("A", "E"))))
    show_refusal(pool_fits(fit, other, whitelist = c("A", "nobody")))
    show_refusal(heterogeneity(fit))
    show_refusal(heterogeneity(pool_fits(fit)))
    show_refusal(heterogeneity(data))
  })
})

test_that("limits beyond the cut points may differ", {
  data <- simulate(network("survey"), nsim = 2000, seed = 3)
  learn <- function(rows, limits) {
    rows$age <- rep_len(1:100, nrow(rows))
    suppressMessages(marginal_pc(
      rows, epsilon = 1, delta = 1e-6, seed = limits, breaks = list(age = c(0, 40, 100 + limits))
    ))
  }
  both <- pool_fits(learn(data[1:900, ], 1), learn(data[901:2000, ], 2))
  expect_identical(both$settings$n, 2000)
})

test_that("knowledge that says the same is the same, however it is written", {
  tiers <- list(c("A", "S"), "E", c("O", "R"), "T")
  one <- site_fit(1, n = 2000, tiers = tiers)
  two <- site_fit(2, n = 2000, tiers = list(c("S", "A"), "E", c("R", "O"), "T"))
  expect_identical(pool_fits(one, two)$settings$tiers, tiers)
  expect_null(pool_fits(one, two, tiers = NULL)$settings$tiers)
})

test_that("damaged and edited fits are refused", {
  fit <- site_fit(1, n = 2000)
  other <- site_fit(2, n = 2000)
  change <- function(path, value) {
    out <- other
    out[[path]] <- value
    out
  }
  expect_refused <- function(damaged) {
    expect_error(pool_fits(fit, damaged), class = "privpc_damaged")
  }
  expect_refused(change(c("privacy", "epsilon"), 0.5))
  expect_refused(change(c("privacy", "epsilon"), "1"))
  expect_refused(change(c("privacy", "delta"), 1e-12))
  expect_refused(change(c("privacy", "rho"), other$privacy$rho / 2))
  expect_refused(change(c("privacy", "neighbours"), "nobody"))
  expect_refused(change(c("measurements", "n"), 20000))
  expect_refused(change(c("measurements", "n"), -1))
  expect_refused(change(c("measurements", "tables", "sets"), "all"))
  variance <- other$measurements$tables$variance
  expect_refused(change(c("measurements", "tables", "variance"), -variance))
  expect_refused(change(c("measurements", "tables", "variance"), variance[-1L]))
  values <- other$measurements$tables$values
  values[[2L]] <- values[[2L]] * NA
  expect_refused(change(c("measurements", "tables", "values"), values))
  expect_refused(change("ledger", "gone"))
  # Steps are missing.
  expect_refused(change("ledger", other$ledger[1L, ]))
  expect_refused(change("ledger", other$ledger[-1L, ]))
  expect_refused(change("privacy", NULL))
  expect_snapshot({
    show_refusal(pool_fits(fit, south = change(c("privacy", "epsilon"), 0.5)))
    show_refusal(pool_fits(fit, south = change(c("measurements", "n"), 20000)))
    show_refusal(pool_fits(fit, south = change(c("measurements", "tables", "variance"), -variance)))
    show_refusal(pool_fits(fit, south = change("ledger", other$ledger[1L, ])))
    show_refusal(pool_fits(fit, south = change("ledger", other$ledger[0L, ])))
  })
  both <- pool_fits(fit, other)
  # The core takes it at its word that every variable has a table.
  sets <- both$pooled$sites[[1L]]$tables$sets
  bare <- both
  bare$pooled$sites[[1L]]$tables <- lapply(
    both$pooled$sites[[1L]]$tables, function(part) part[-which(vapply(sets, identical, NA, 1L))]
  )
  expect_error(
    heterogeneity(within_fit(both, c("measurements", "tables"), bare$pooled$sites[[1L]]$tables)),
    class = "privpc_damaged"
  )
  for (broken in list(
    bare,
    within_fit(both, c("sites", "n"), NULL), within_fit(both, "sites", "two"),
    within_fit(both, "pooled", NULL), within_fit(both, c("pooled", "weights"), "rows")
  )) {
    expect_error(heterogeneity(broken), class = "privpc_damaged")
    expect_error(print(broken), class = "privpc_damaged")
  }
  # Nor is the promise of the whole another than that of its sites.
  site <- both$pooled$sites[[1L]]
  expect_snapshot({
    show_refusal(print(within_fit(both, c("privacy", "epsilon"), 0.1)))
    show_refusal(print(within_fit(both, c("privacy", "in_all", "epsilon"), 0.1)))
    show_refusal(print(within_fit(both, c("privacy", "in_all"), "both")))
    show_refusal(print(within_fit(
      both, c("pooled", "sites", "site 1", "ledger"), site$ledger[1L, ]
    )))
    show_refusal(print(within_fit(
      both, c("pooled", "sites", "site 1", "privacy", "rho"), site$privacy$rho / 2
    )))
  })
})
