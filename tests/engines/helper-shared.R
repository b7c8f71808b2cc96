# What these tests share with those of the package.
shared <- c("engines", "faults", "graph", "learners", "refusal", "replacement", "visits")
for (name in shared) {
  source(testthat::test_path("..", "testthat", paste0("helper-", name, ".R")), local = TRUE)
}
