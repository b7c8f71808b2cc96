# What these tests share with those of the package.
for (name in c("engines", "graph", "learners", "refusal", "replacement", "visits")) {
  source(testthat::test_path("..", "testthat", paste0("helper-", name, ".R")), local = TRUE)
}
