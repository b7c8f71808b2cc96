# What is public about data: complete columns, declared levels, knowledge that was given.
list(
  mutant(
    "occurring-levels", "levels are those that occur in the data, not those that were declared",
    "R/source.R",
    after = "data_source <- function(", old = "check_given(data, \"data\", call)",
    new = "check_given(data, \"data\", call); data <- droplevels(data)",
    killed_by = r_test(
      "test-data_input", "levels are those that were declared, whether they occur or not"
    )
  ),
  mutant(
    "schema-from-data", "the order of a column's levels counts as declared only if two of them occur",
    "R/source.R",
    old = "coded$ordered & !coded$na_level",
    new = "coded$ordered & !coded$na_level & lengths(lapply(columns, unique)) > 1L",
    killed_by = r_test("test-source", "a schema is the same for all records")
  ),
  mutant(
    "gaps-left-out", "records with a missing value are left out without a word",
    header("counts/columns.hpp"),
    old = "if (seen != n) throw InvalidCode(index, variable.name);", new = "",
    killed_by = cpp_test("test_counts", "missing and undeclared codes are refused, naming the column")
  ),
  mutant(
    "knowledge-from-data", "pairs with a column that is constant in the data are not asked about",
    "R/private_fit.R",
    after = "        source, schema$nodes, run", old = "knowledge$forbidden",
    new = "
      flat <- which(vapply(source$codes, function(x) length(unique(x)) == 1L, NA))
      more <- expand.grid(flat, seq_along(source$codes))
      more <- more[more[[1L]] != more[[2L]], ]
      unname(rbind(knowledge$forbidden, as.matrix(more), as.matrix(more[2:1])))
    ",
    killed_by = r_test(
      "test-same_shape",
      "with one seed nothing but noisy numbers differs between data of the same shape"
    )
  )
)
