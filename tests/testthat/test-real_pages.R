# The quick ones of the sets that come with R or with packages that the tests use anyway;
# bench/real_pages.R takes all ten, and asks more of them.
for (name in c("flchain", "nafld1", "coronary", "birthwt")) {
  test_that(paste(name, "goes from the records to the page"), {
    set <- real_sets[[name]]()
    skip_if(is.null(set), paste("the package with", name, "is not installed"))
    fit <- do.call(marginal_pc, c(list(set$data, epsilon = 1, seed = 1), set$arguments))
    expect_output(print(fit), "causal graph learnt by")
    expect_output(print(summary(fit)), "Nodes:")
    page <- suppressMessages(page_of(
      fit, title = set$about, strength = edge_strength(fit, draws = 3), effects = TRUE,
      event = set$event, reference = set$reference
    ))
    expect_identical(malformed(page), character())
    words <- words_on(page)
    expect_match(words, set$about, fixed = TRUE)
    # No number that no table can have, and nobody's risk of being missing.
    effects <- contradictions(fit)$pairs$effect
    expect_true(all(is.na(effects) | effects <= max(lengths(fit$measurements$levels)) - 1))
    expect_no_match(words, "on the risk of [A-Za-z. ]+ = NA,")
    # Both why an edge is there and why one is not.
    graph <- as.matrix(fit) + t(as.matrix(fit)) > 0
    pairs <- which(upper.tri(graph), arr.ind = TRUE)
    for (wanted in unique(graph[pairs])) {
      pair <- fit$nodes[pairs[match(wanted, graph[pairs]), ]]
      why <- explain(fit, pair[[1L]], pair[[2L]])
      expect_identical(nzchar(why$edge), wanted)
      expect_gt(length(format(why)), 5L)
    }
  })
}
