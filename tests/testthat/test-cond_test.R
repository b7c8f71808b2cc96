set.seed(11)
n <- 400
ties <- data.frame(
  x = sample(4, n, TRUE), y = sample(5, n, TRUE), z = sample(3, n, TRUE), w = sample(2, n, TRUE)
)
ties$y <- pmin(5, pmax(1, ties$y + (ties$x > 2)))
ordered_ties <- as.data.frame(lapply(ties, factor, ordered = TRUE))
nominal_ties <- as.data.frame(lapply(ties, factor))

test_that("tau agrees with cor.test, with and without ties", {
  smooth <- data.frame(x = rnorm(200), y = rnorm(200))
  for (data in list(ties[c("x", "y")], smooth)) {
    peer <- suppressWarnings(cor.test(data$x, data$y, method = "kendall", exact = FALSE))
    ours <- cond_tau(data, "x", "y")
    expect_equal(ours$p.value, peer$p.value)
    expect_equal(ours$parameter[["z"]], peer$statistic[["z"]])
    expect_equal(ours$statistic[["T"]], nrow(data) * ours$estimate[["tau"]])
  }
  # Without ties tau_a is the tau of cor().
  expect_equal(cond_tau(smooth, "x", "y")$estimate[["tau"]], cor(smooth, method = "kendall")[1, 2])
  # Codes of factors and numbers of the same order give the same.
  expect_equal(
    cond_tau(ordered_ties, "x", "y")[c("statistic", "p.value")],
    cond_tau(ties, "x", "y")[c("statistic", "p.value")]
  )
})

test_that("conditional tau is the sum of the strata's", {
  parts <- split(ties, ties[c("z", "w")])
  scores <- vapply(parts, function(d) {
    r <- suppressWarnings(cor.test(d$x, d$y, method = "kendall", exact = FALSE))
    signs <- outer(d$x, d$x, "-")
    s <- sum(sign(signs) * sign(outer(d$y, d$y, "-"))) / 2
    scale <- 2 / (nrow(d) - 1)
    # var(S) from cor.test: z = S / sqrt(var S)
    c(sum = scale * s, var = scale^2 * (s / r$statistic)^2)
  }, c(sum = 0, var = 0))
  ours <- cond_tau(ordered_ties, "x", "y", given = c("z", "w"))
  expect_equal(ours$statistic[["T"]], sum(scores["sum", ]))
  expect_equal(ours$parameter[["z"]], sum(scores["sum", ]) / sqrt(sum(scores["var", ])))
  # Numeric x and y at full resolution, given the same strata.
  mixed <- cbind(ties[c("x", "y")], ordered_ties[c("z", "w")])
  expect_equal(cond_tau(mixed, "x", "y", c("z", "w"))$statistic, ours$statistic)
  expect_equal(cond_tau(mixed, "x", "y", c("z", "w"))$p.value, ours$p.value)
})

test_that("rho agrees with cor, ties included", {
  smooth <- data.frame(x = rnorm(200), y = rnorm(200))
  expect_equal(
    cond_rho(smooth, "x", "y")$estimate[["rho"]], cor(smooth, method = "spearman")[1, 2]
  )
  # z^2 / (n - 1) is the squared correlation of the mid-ranks.
  ours <- cond_rho(ordered_ties, "x", "y")
  expect_equal(
    ours$parameter[["z"]] / sqrt(n - 1), cor(ties$x, ties$y, method = "spearman")
  )
  # With ties the fixed normaliser shrinks the estimate; by hand:
  centred <- function(x) rank(x) - (n + 1) / 2
  expect_equal(
    ours$estimate[["rho"]], 12 / (n^3 - n) * sum(centred(ties$x) * centred(ties$y))
  )
  expect_equal(ours$p.value, 2 * pnorm(-abs(ours$parameter[["z"]])))
})

test_that("conditional rho is the sum of the strata's", {
  by_hand <- vapply(split(ties, ties$z), function(d) {
    m <- nrow(d)
    a <- rank(d$x) - (m + 1) / 2
    b <- rank(d$y) - (m + 1) / 2
    c(12 / (m^2 - 1) * sum(a * b), (12 / (m^2 - 1))^2 * sum(a^2) * sum(b^2) / (m - 1))
  }, c(0, 0))
  ours <- cond_rho(ordered_ties, "x", "y", "z")
  expect_equal(ours$statistic[["R"]], sum(by_hand[1, ]))
  expect_equal(ours$parameter[["z"]], sum(by_hand[1, ]) / sqrt(sum(by_hand[2, ])))
})

test_that("chisq agrees with chisq.test, and sums over strata", {
  peer <- suppressWarnings(chisq.test(table(ties$x, ties$y), correct = FALSE))
  ours <- cond_chisq(nominal_ties, "x", "y")
  expect_equal(ours$statistic[["X2"]], peer$statistic[["X-squared"]])
  expect_equal(ours$parameter[["df"]], peer$parameter[["df"]])
  expect_equal(ours$p.value, peer$p.value)
  parts <- vapply(split(ties, ties$z), function(d) {
    suppressWarnings(chisq.test(table(d$x, d$y), correct = FALSE))$statistic
  }, 0)
  given <- cond_chisq(nominal_ties, "x", "y", "z")
  expect_equal(given$statistic[["X2"]], sum(parts))
  expect_equal(given$parameter[["df"]], 3 * 3 * 4)
})

test_that("g2 is twice the log-likelihood ratio", {
  counts <- table(ties$x, ties$y)
  expected <- outer(rowSums(counts), colSums(counts)) / n
  by_hand <- 2 * sum(ifelse(counts > 0, counts * log(counts / expected), 0))
  ours <- cond_g2(nominal_ties, "x", "y")
  expect_equal(ours$statistic[["G2"]], by_hand)
  expect_equal(ours$p.value, pchisq(by_hand, 12, lower.tail = FALSE))
})

test_that("g2 and chisq agree with bnlearn's tests", {
  skip_if_not_installed("bnlearn")
  for (given in list(NULL, "z", c("z", "w"))) {
    arguments <- list("x", "y", given, data = nominal_ties)
    names(arguments)[1:3] <- c("x", "y", if (is.null(given)) "" else "z")
    arguments <- arguments[!vapply(arguments, is.null, NA)]
    for (test in c("mi", "x2")) {
      peer <- do.call(bnlearn::ci.test, c(arguments, test = test))
      ours <- if (test == "mi") {
        cond_g2(nominal_ties, "x", "y", given)
      } else {
        cond_chisq(nominal_ties, "x", "y", given)
      }
      expect_equal(ours$statistic[[1]], peer$statistic[[1]])
      expect_equal(ours$parameter[["df"]], peer$parameter[["df"]])
      expect_equal(ours$p.value, peer$p.value)
    }
  }
})

test_that("cmh agrees with mantelhaen.test for nominal variables", {
  peer <- mantelhaen.test(table(ties$x, ties$y, ties$z))
  ours <- cond_cmh(nominal_ties, "x", "y", "z")
  expect_equal(ours$statistic[["M2"]], peer$statistic[["Cochran-Mantel-Haenszel M^2"]])
  expect_equal(ours$parameter[["df"]], peer$parameter[["df"]])
  expect_equal(ours$p.value, peer$p.value)
  binary <- mantelhaen.test(table(ties$x > 2, ties$w, ties$z), correct = FALSE)
  two <- data.frame(x = factor(ties$x > 2), w = factor(ties$w), z = factor(ties$z))
  expect_equal(cond_cmh(two, "x", "w", "z")$p.value, binary$p.value)
})

test_that("cmh uses scores where a variable is ordered", {
  # Both ordered, one stratum: (n - 1) r^2 on the scores, one degree of freedom.
  ours <- cond_cmh(ordered_ties, "x", "y")
  expect_equal(ours$statistic[["M2"]], (n - 1) * cor(ties$x, ties$y)^2)
  expect_equal(ours$parameter[["df"]], 1)
  # One ordered: (n - 1) times the share of variance between the groups, r - 1 df.
  one <- data.frame(x = factor(ties$x), y = factor(ties$y, ordered = TRUE))
  means <- ave(ties$y, ties$x)
  share <- sum((means - mean(ties$y))^2) / sum((ties$y - mean(ties$y))^2)
  mean_score <- cond_cmh(one, "x", "y")
  expect_equal(mean_score$statistic[["M2"]], (n - 1) * share)
  expect_equal(mean_score$parameter[["df"]], 3)
  expect_equal(cond_cmh(one, "y", "x")$statistic, mean_score$statistic)
})

test_that("ordered factors of very many levels need no table of all their cells", {
  many <- function(k) factor(sample(k, 50, TRUE), levels = seq_len(k), ordered = TRUE)
  wide <- data.frame(a = many(60000), b = many(60000))
  ours <- cond_cmh(wide, "a", "b")
  expect_equal(
    ours$statistic[["M2"]], 49 * cor(as.integer(wide$a), as.integer(wide$b))^2
  )
  expect_error(cond_cmh(as.data.frame(lapply(wide, factor, ordered = FALSE, levels = 1:60000)),
                        "a", "b"), "2000", class = "privpc_error")
})

test_that("a large conditioning set takes a pass over the rows, not forever", {
  set.seed(5)
  data <- as.data.frame(replicate(18, factor(sample(2, 500, TRUE)), simplify = FALSE))
  names(data) <- paste0("v", 1:18)
  # Strata of so many variables hold one record each: G2 is then 0.
  expect_equal(cond_g2(data, "v1", "v2", names(data)[3:18])$statistic[["G2"]], 0, tolerance = 1)
  expect_equal(cond_g2(data, "v1", "v2", names(data)[3:18])$parameter[["df"]], 2^16)
})

test_that("levels without records take degrees of freedom from cmh only", {
  padded <- nominal_ties
  levels(padded$x) <- c(levels(padded$x), "never")
  expect_equal(
    cond_cmh(padded, "x", "y", "z")$p.value, cond_cmh(nominal_ties, "x", "y", "z")$p.value
  )
  expect_equal(cond_g2(padded, "x", "y")$parameter[["df"]], 4 * 4)
})

test_that("p-values are uniform under conditional independence", {
  # x and y depend on z only. 2,000 p-values; Kolmogorov-Smirnov at 1e-6 has
  # critical distance sqrt(-log(5e-7) / 2 / 2000) = 0.0602.
  set.seed(21)
  p <- replicate(2000, {
    z <- sample(3, 150, TRUE)
    d <- data.frame(
      x = factor(pmin(3, z + sample(0:2, 150, TRUE)), levels = 1:3, ordered = TRUE),
      y = factor(pmax(1, z - sample(0:2, 150, TRUE)), levels = 1:3, ordered = TRUE),
      z = factor(z)
    )
    c(
      tau = cond_tau(d, "x", "y", "z")$p.value, rho = cond_rho(d, "x", "y", "z")$p.value,
      cmh = cond_cmh(d, "x", "y", "z")$p.value
    )
  })
  for (test in rownames(p)) {
    distance <- max(abs(sort(p[test, ]) - (seq_len(2000) - 0.5) / 2000))
    expect_lt(distance, 0.0602 + 0.005)
  }
})

test_that("sensitivities are stated where they are finite", {
  binary <- data.frame(x = factor(ties$x > 2), y = factor(ties$y > 2), z = factor(ties$z))
  expect_identical(cond_tau(ordered_ties, "x", "y")$sensitivity, 4)
  expect_identical(cond_tau(ordered_ties, "x", "y", "z")$sensitivity, 6)
  expect_identical(cond_tau(binary, "x", "y")$sensitivity, 2)
  expect_identical(cond_tau(binary, "x", "y", "z")$sensitivity, 4)
  mixed <- data.frame(x = binary$x, y = ordered_ties$y, z = binary$z)
  expect_identical(cond_tau(mixed, "x", "y")$sensitivity, 4)
  expect_identical(cond_tau(mixed, "x", "y", "z")$sensitivity, 4)
  expect_identical(cond_rho(mixed, "x", "y", "z")$sensitivity, 6)
  expect_equal(cond_rho(ordered_ties, "x", "y")$sensitivity, 6 * n / (n + 1))
  expect_identical(cond_rho(ordered_ties, "x", "y", "z")$sensitivity, 10)
  expect_identical(cond_rho(binary, "x", "y", "z")$sensitivity, 6)
  for (test in list(cond_g2, cond_chisq, cond_cmh)) {
    result <- test(binary, "x", "y")
    expect_null(result$sensitivity)
    expect_true("sensitivity" %in% names(result))
  }
})

test_that("tests print as htest", {
  expect_snapshot({
    cond_tau(ordered_ties, "x", "y", given = c("z", "w"))
    cond_g2(nominal_ties, "x", "y")
  })
})

test_that("constants and tiny strata give no evidence, not an error", {
  one <- data.frame(x = factor("a", levels = c("a", "b")), y = factor(c("u", "v", "u")))
  for (test in list(cond_tau, cond_rho, cond_g2, cond_chisq, cond_cmh)) {
    expect_equal(test(one, "x", "y")$p.value, 1)
    expect_equal(test(one[1, ], "x", "y")$p.value, 1)
  }
  each <- data.frame(x = factor(c(1, 2, 1)), y = factor(c(1, 2, 2)), z = factor(1:3))
  expect_equal(cond_tau(each, "x", "y", "z")$statistic[["T"]], 0)
})

test_that("bad arguments are refused with the remedy", {
  expect_snapshot({
    show_refusal(cond_tau(ordered_ties, "x", "q"))
    show_refusal(cond_tau(ordered_ties, "x", "x"))
    show_refusal(cond_tau(ordered_ties, "x", "y", given = "x"))
    show_refusal(cond_tau(ordered_ties, 1, "y"))
    show_refusal(cond_tau(ordered_ties, "x", "y", given = 3))
    show_refusal(cond_tau(ordered_ties, "x", "y", givn = "z"))
    show_refusal(cond_tau(ties, "x", "y", given = "z"))
    show_refusal(cond_g2(ties, "x", "y"))
    show_refusal(cond_tau("x", "y"))
    show_refusal(cond_tau(ordered_ties, "x", "y", "z", "error", NULL, NULL, NULL, "error", 3))
  })
})

test_that("degrees of freedom by occurring levels, by hand", {
  # Stratum 1: 2 and 3 levels occur; 2: one of x; 3: two of each. 2 + 0 + 1.
  data <- data.frame(
    x = c(1, 2, 2, 2, 2, 1, 3), y = c(1, 2, 3, 1, 2, 2, 3), z = c(1, 1, 1, 2, 2, 3, 3)
  )
  data[] <- lapply(data, factor, levels = 1:3)
  for (test in list(cond_g2, cond_chisq)) {
    declared <- test(data, "x", "y", "z")
    occurring <- test(data, "x", "y", "z", df = "occurring")
    expect_identical(declared$parameter, c(df = 12))
    expect_identical(occurring$parameter, c(df = 3))
    expect_identical(occurring$statistic, declared$statistic)
    expect_equal(
      occurring$p.value, pchisq(declared$statistic[[1]], 3, lower.tail = FALSE),
      tolerance = 1e-12
    )
    # Where nothing varies there is nothing to be tested.
    constant <- test(data[4:5, ], "x", "y", df = "occurring")
    expect_identical(constant$parameter, c(df = 0))
    expect_identical(constant$p.value, 1)
  }
  expect_snapshot(cond_g2(data, "x", "y", "z", df = "occurring"))
})

test_that("degrees of freedom by occurring levels are those of bnlearn's adf tests", {
  skip_if_not_installed("bnlearn")
  data <- simulate(network("child"), nsim = 300, seed = 8)
  plain <- data
  plain[] <- lapply(data, function(x) factor(as.character(x), levels = levels(x)))
  set.seed(2)
  fewer <- compared <- 0
  for (i in 1:60) {
    v <- sample(names(data), 2 + i %% 4)
    # With fewer than five records per cell bnlearn counts degrees of freedom and does not test.
    dense <- nrow(data) >= 5 * prod(vapply(data[v], nlevels, 0L))
    for (test in c("g2", "chisq")) {
      cond <- list(g2 = cond_g2, chisq = cond_chisq)[[test]]
      mine <- cond(data, v[[1]], v[[2]], v[-(1:2)], df = "occurring")
      less <- mine$parameter < cond(data, v[[1]], v[[2]], v[-(1:2)])$parameter
      fewer <- fewer + less
      compared <- compared + (less && dense)
      peer <- bnlearn::ci.test(
        v[[1]], v[[2]], v[-(1:2)], data = plain,
        test = c(g2 = "mi-adf", chisq = "x2-adf")[[test]]
      )
      expect_equal(unname(mine$parameter), unname(peer$parameter))
      if (!dense) next
      expect_equal(unname(mine$statistic), unname(peer$statistic), tolerance = 1e-8)
      expect_equal(mine$p.value, peer$p.value, tolerance = 1e-8)
    }
  }
  expect_gt(fewer, 10)
  expect_gt(compared, 3)
})
