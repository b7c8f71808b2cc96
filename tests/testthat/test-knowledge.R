test_that("contradictory or unknown knowledge is refused with the remedy", {
  data <- simulate(network("cancer"), nsim = 100, seed = 1)
  arc <- function(...) matrix(c(...), ncol = 2, byrow = TRUE)
  expect_snapshot({
    show_refusal(exact_pc(data, whitelist = arc("Smoker", "cancer")))
    show_refusal(exact_pc(data, blacklist = arc("Smoker", "Smoker")))
    show_refusal(exact_pc(data, whitelist = "Smoker"))
    show_refusal(exact_pc(data, whitelist = arc(1, 2)))
    show_refusal(exact_pc(
      data, whitelist = arc("Smoker", "Cancer"), blacklist = arc("Smoker", "Cancer")
    ))
    show_refusal(exact_pc(
      data, whitelist = arc("Smoker", "Cancer", "Cancer", "Xray", "Xray", "Smoker")
    ))
    show_refusal(exact_pc(data, tiers = c("Smoker", "Cancer")))
    show_refusal(exact_pc(data, tiers = list("Smoker", c("Cancer", "Xray", "Cancer", "Age"))))
    show_refusal(exact_pc(
      data, tiers = list("Smoker", c("Cancer", "Xray", "Dyspnoea", "Pollution")),
      whitelist = arc("Xray", "Smoker")
    ))
  })
})

test_that("arcs come as a pair, a matrix or a data frame", {
  nodes <- c("a", "b", "c")
  expected <- matrix(c(1L, 2L), 1)
  expect_identical(parse_knowledge(c("a", "b"), NULL, NULL, nodes)$required, expected)
  expect_identical(parse_knowledge(t(c("a", "b")), NULL, NULL, nodes)$required, expected)
  frame <- data.frame(from = factor("a"), to = "b")
  expect_identical(parse_knowledge(frame, NULL, NULL, nodes)$required, expected)
  twice <- rbind(frame, frame)
  expect_identical(parse_knowledge(twice, NULL, NULL, nodes)$required, expected)
})

test_that("tiers are the blacklist that bnlearn makes of them", {
  skip_if_not_installed("bnlearn")
  tiers <- list(c("a", "b"), "c", c("d", "e"))
  nodes <- c("e", "a", "d", "b", "c")
  ours <- parse_knowledge(NULL, NULL, tiers, nodes)$forbidden
  ours <- sort(paste(nodes[ours[, 1]], nodes[ours[, 2]]))
  theirs <- bnlearn::tiers2blacklist(tiers)
  expect_identical(ours, sort(paste(theirs[, 1], theirs[, 2])))
})

test_that("a required pair without direction is adjacent and directed only by what follows", {
  data <- simulate(network("cancer"), nsim = 5000, seed = 1)
  both <- rbind(c("Xray", "Dyspnoea"), c("Dyspnoea", "Xray"))
  fit <- exact_pc(data, whitelist = both)
  expect_identical(fit$skeleton["Xray", "Dyspnoea"], 1L)
  expect_gte(fit$amat["Xray", "Dyspnoea"] + fit$amat["Dyspnoea", "Xray"], 1L)
})

test_that("knowledge that could force a cycle is refused", {
  data <- simulate(network("asia"), nsim = 500, seed = 1)
  around <- rbind(c("lung", "smoke"), c("either", "lung"), c("smoke", "either"))
  expect_snapshot({
    show_refusal(exact_pc(data, blacklist = around))
    show_refusal(exact_pc(data, whitelist = around[1:2, ], blacklist = around[3, 2:1]))
  })
  # Forbidden both ways, a pair forces nothing.
  fit <- exact_pc(data, blacklist = rbind(around, around[3, 2:1]))
  expect_identical(fit$skeleton["smoke", "either"], 0L)
})
