# DuckDB's library is taken as it is, behind adbi: to the package it is an engine without a name.
local_duckdb <- function(env = parent.frame()) {
  library <- Sys.getenv("DUCKDB_LIBRARY", file.path("build", "duckdb", "package", "libduckdb.so"))
  testthat::skip_if(!file.exists(library), "DUCKDB_LIBRARY does not name libduckdb.so")
  testthat::skip_if_not_installed("adbi")
  testthat::skip_if_not_installed("adbcdrivermanager")
  driver <- adbcdrivermanager::adbc_driver(library, "duckdb_adbc_init")
  con <- DBI::dbConnect(adbi::adbi(driver))
  at_the_end(function() DBI::dbDisconnect(con), env)
  con
}
