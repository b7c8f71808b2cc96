# What a function's usage states must be what the core takes where nothing is said.

test_that("defaults in the usage are those of the core", {
  noisy <- core_limits$noisy
  stated <- lapply(formals(marginal_pc)[names(noisy)], eval)
  expect_equal(stated, noisy)
})

test_that("limits are those of the core, which refuses what is beyond them", {
  expect_setequal(ls(core_limits), names(cpp_limits()))
  for (name in names(cpp_limits())) {
    expect_identical(core_limits[[name]], cpp_limits()[[name]], label = name)
  }
  schema <- function(levels, rows) cpp_enough_to_measure(rows, levels, 1, 0.05, FALSE)
  expect_no_error(schema(rep(2L, core_limits$max_variables), 1))
  expect_error(schema(rep(2L, core_limits$max_variables + 1L), 1), "4096")
  expect_no_error(schema(core_limits$max_levels, 1))
  expect_error(schema(core_limits$max_levels + 1L, 1), "65535")
  expect_no_error(schema(2L, core_limits$max_rows))
  expect_error(schema(2L, core_limits$max_rows + 1), "2147483647")
  columns <- as.data.frame(rep(list(factor(c(1, 2))), core_limits$max_order + 3L))
  names(columns) <- paste0("v", seq_along(columns))
  expect_no_error(cond_g2(columns, "v1", "v2", names(columns)[2L + seq_len(core_limits$max_order)]))
  expect_error(cond_g2(columns, "v1", "v2", names(columns)[-(1:2)]), "at most 30 columns")
  store <- cpp_open_measurements(rep(50L, 3), 10, NULL, NULL)
  expect_error(cpp_noisy_table(store, 1:3), format(core_limits$most_cells))
})
