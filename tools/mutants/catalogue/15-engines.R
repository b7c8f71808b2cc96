# Records that stay in their data base: what is asked, what comes back, and what becomes of it.
list(
  mutant(
    "half-the-data", "a part of a cluster that does not answer gives a graph of the rest",
    header("counts/fetched_tables.hpp"),
    old = "if (missing != 0) throw ChangedData(stage_);", new = "",
    killed_by = cpp_test(
      "test_sources", "counts that do not add up to the records are an error, in every stage"
    )
  ),
  mutant(
    "failed-stage-kept", "tables that were refused once are taken for good later",
    header("counts/fetched_tables.hpp"),
    old = "hold(arrivals.checked());", new = "hold(std::move(arrivals.held_));",
    killed_by = cpp_test(
      "test_sources", "counts that do not add up to the records are an error, in every stage"
    )
  ),
  mutant(
    "records-in-statements", "a secret number of records decides which tables are asked for",
    header("counts/fetched_tables.hpp"),
    after = "CoveringSets::of(schema_, std::move(sets), ", old = "kMostMerged",
    new = "std::min(+kMostMerged, static_cast<double>(schema_.rows()))",
    killed_by = cpp_test(
      "test_sources", "an engine is asked for few tables, and never twice for the same"
    )
  ),
  mutant(
    "values-pasted", "declared values get into statements without quoting", "R/engine_sql.R",
    old = "as.character(dbplyr::escape(value, con = con))",
    new = "if (is.character(value)) paste0(\"'\", value, \"'\") else as.character(dbplyr::escape(value, con = con))",
    killed_by = r_test(
      "test-engine_fits",
      "columns and values of any name are counted, and numbers fall into the same bins"
    )
  ),
  mutant(
    "names-pasted", "names of columns get into statements without quoting", "R/engine_sql.R",
    old = "as.character(dbplyr::escape(dbplyr::ident(name), con = con))",
    new = "paste0('\"', name, '\"')",
    killed_by = r_test(
      "test-engine_fits",
      "columns and values of any name are counted, and numbers fall into the same bins"
    )
  ),
  mutant(
    "bins-open-on-the-right", "a number at a cut falls into the bin above it, not as in R",
    "R/engine_sql.R", old = "paste(column, \"<=\", cuts)", new = "paste(column, \"<\", cuts)",
    killed_by = r_test(
      "test-engine_fits",
      "columns and values of any name are counted, and numbers fall into the same bins"
    )
  ),
  mutant(
    "levels-read-off", "a column of a prototype that holds text declares what occurs in it",
    "R/declaration.R", old = "!prototype", new = "TRUE",
    killed_by = r_test("test-declaration", "what is wrong with a declaration is said")
  ),
  mutant(
    "gaps-after-paying", "values without a level are found when the budget has paid",
    "R/counted_source.R", old = "length(opened$gaps)", new = "FALSE",
    killed_by = r_test("test-declaration", "a table needs a declaration of every column")
  ),
  mutant(
    "blocks-after-paying", "a test that needs records is refused when the budget has paid",
    "R/private_fit.R", old = "refuse_blocks(schema, test, call)", new = "NULL",
    killed_by = r_test(
      "test-engine_faults", "what needs records is refused, before anything is spent"
    )
  )
)
