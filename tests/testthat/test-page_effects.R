test_that("the author chooses the levels that the effects speak of", {
  fit <- small_fit(tiers = list("a", c("b", "c")))
  expect_identical(edge_text(as.data.frame(fit)), "a -> b")
  page <- words_on(page_of(fit, effects = TRUE, event = c(b = "0"), reference = list(a = "1")))
  expect_match(page, "Effect of setting a on the risk of b = 0, compared with a = 1; adjusted")
  # The same numbers as effect() gives, not those of the default with another sign in front.
  found <- suppressMessages(
    with_seed(1, effect(fit, "a", "b", event = "0", reference = "1", draws = 10))
  )
  expect_match(page, paste0("0", signif(found$estimate[[1L]], 3), " ["), fixed = TRUE)
  other <- suppressMessages(with_seed(1, effect(fit, "a", "b", draws = 10)))
  expect_false(isTRUE(all.equal(found$estimate[[2L]], other$estimate[[2L]])))
  # Variables of which the page does not speak do no harm: an author cannot know the graph before.
  plain <- page_of(fit, effects = TRUE)
  expect_identical(page_of(fit, effects = TRUE, event = c(a = "0"), reference = c(c = "1")), plain)
  expect_identical(page_of(fit, effects = TRUE, event = c(b = "1"), reference = c(a = "0")), plain)
})

test_that("levels that cannot be meant are refused", {
  fit <- small_fit()
  alone <- suppressMessages(em_pc(small_cohort(), epsilon = 1))
  file <- file.path(tempdir(), "new.html")
  expect_snapshot({
    show_refusal(publish(fit, file, event = c(d = "1")))
    show_refusal(publish(fit, file, event = c(b = "yes")))
    show_refusal(publish(fit, file, event = list(b = 1)))
    show_refusal(publish(fit, file, event = c(b = "1", b = "0")))
    show_refusal(publish(fit, file, reference = "0"))
    show_refusal(publish(fit, file, reference = c(a = "0", "1")))
    show_refusal(publish(fit, file, reference = 0))
    show_refusal(publish(fit, file, reference = list(a = c("0", "1"))))
    show_refusal(publish(fit, file, graph = "wrong"))
    show_refusal(publish(fit, file, event = c(b = "1"), effects = FALSE))
    show_refusal(publish(fit, file, graph = "uncertain", effects = FALSE))
    show_refusal(publish(alone, file, reference = c(b = "1")))
  })
  expect_false(file.exists(file))
})

test_that("an effect says that it stands and falls with the graph", {
  fit <- small_fit(tiers = list("a", c("b", "c")))
  # A sure edge: no word about the winner's curse; an unsure one, or one whose strength is not told.
  sure <- with_seed(1, edge_strength(fit, draws = 20))
  page <- words_on(page_of(fit, effects = TRUE, strength = sure))
  expect_match(page, "They hold only if the graph is right and no confounder was left unrecorded.")
  expect_no_match(page, "The same tables chose the graph")
  sure$strength[sure$from == "a" & sure$to == "b"] <- 0.6
  page <- words_on(page_of(fit, effects = TRUE, strength = sure))
  expect_match(
    page, "The same tables chose the graph: the less sure this edge is, the farther from no"
  )
  page <- words_on(page_of(fit, effects = TRUE))
  expect_match(page, "The same tables chose the graph: if this edge was barely found, the")
  # What knowledge requires was not chosen.
  known <- small_fit(whitelist = c("a", "b"))
  page <- words_on(page_of(known, effects = TRUE))
  expect_match(page, "hold only if the graph is right")
  expect_no_match(page, "The same tables chose the graph")
})

test_that("the uncertain graph has an interval of its own where it is asked for", {
  fit <- chest_fit(20000, tiers = tiers(asia + smoke ~ tub + lung + bronc ~ either ~ xray + dysp))
  given <- words_on(page_of(fit, effects = TRUE))
  expect_no_match(given, "If the graph may be wrong")
  page <- page_of(fit, effects = TRUE, graph = "uncertain", event = c(bronc = "no"))
  expect_identical(malformed(page), character())
  expect_identical(page_of(fit, effects = TRUE, graph = "uncertain", event = c(bronc = "no")), page)
  page <- words_on(page)
  arrows <- sum(as.data.frame(fit)$type == "directed")
  expect_gt(arrows, 3)
  expect_length(matches_of("If the graph may be wrong: ", page), arrows)
  expect_match(page, paste("the same effect over", page_effect_graphs, "graphs that might have"))
  # The answer of effect(), but for the draws.
  card <- matches_of("smoke \u2192 bronc(?s).*?(?=\u2192|Share of)", page)[[1L]]
  expect_match(card, "risk of bronc = no")
  numbers <- matches_of("[0-9.]+ \\[[^]]+\\]", card)
  shown <- lapply(numbers, function(text) as.double(matches_of("[0-9.]+", text)))
  found <- with_seed(2, effect(
    fit, "smoke", "bronc", event = "no", graph = "uncertain", graphs = 300, draws = 2000
  ))
  expect_length(shown, 4L)
  expect_equal(shown[[4L]], unlist(found[2L, 3:5]), tolerance = 0.1, ignore_attr = TRUE)
})

test_that("where directions are open the uncertain graph still answers", {
  fit <- chest_fit(20000)
  fit$amat[] <- 0L
  fit$amat[cbind(c("smoke", "bronc", "smoke"), c("bronc", "smoke", "lung"))] <- 1L
  fit$amat[cbind(c("bronc", "lung"), "dysp")] <- 1L
  fit$skeleton <- without_directions(fit$amat)
  page <- words_on(page_of(fit, effects = TRUE, graph = "uncertain", event = c(dysp = "yes")))
  expect_match(page, "the direction of bronc \u2013 smoke is open, so that each set of causes")
  expect_match(page, "If the graph may be wrong: the same effect over 100 graphs")
  # The tables know nothing of who came first: in some graphs dyspnoea comes before bronchitis.
  expect_match(page, "[0-9]% dysp was taken as a cause of bronc, so that there is no effect")
})

test_that("bins are told as they are called", {
  expect_identical(level_sign(c("yes", "<= 40", "(40,65]", "> 65", "<3", "(none)")), c(
    " = ", " ", " in ", " ", " = ", " = "
  ))
  data <- small_cohort()
  data$a <- ifelse(data$a == "1", 50, 30)
  fit <- small_fit(data = data, breaks = list(a = c(0, 40, 100)), tiers = list("a", c("b", "c")))
  page <- words_on(page_of(fit, effects = TRUE))
  expect_match(page, "on the risk of b = 1, compared with a <= 40; adjusted", fixed = TRUE)
})

test_that("a page with very many pairs folds the weaker ones away", {
  fit <- small_fit()
  nodes <- sprintf("v%02d", 1:12)
  pairs <- t(utils::combn(nodes, 2L))
  strength <- data.frame(
    from = pairs[, 1L], to = pairs[, 2L], strength = seq(1, 0.1, length.out = nrow(pairs)),
    direction = 0.5, learnt = FALSE, in_fit = "", required = FALSE, uncertainty = 0.1
  )
  strength <- structure(strength, draws = 10, kind = "noise")
  text <- words_of(strength_section(strength))
  expect_match(text, "26 further pairs")
  expect_length(matches_of("\u2192", text), 66L)
  expect_no_match(words_of(strength_section(strength[1:40, ])), "further")
})

test_that("tables with long names of levels take the whole width of paper", {
  table <- function(rows, columns) {
    list(share = matrix(0, length(rows), length(columns), dimnames = list(rows, columns)))
  }
  expect_false(is_broad(NULL))
  expect_false(is_broad(table(c("no", "yes"), c("no", "yes"))))
  long <- c("Divorced", "LivePartner", "NeverMarried", "Separated")
  expect_true(is_broad(table(c("no", "yes"), long)))
  expect_true(is_broad(table(c("no", "yes"), as.character(1:8))))
})
