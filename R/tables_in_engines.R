#' Records that stay in their data base
#'
#' @description
#' Registries live in data bases. All that the learners need are counts, so the engine counts, and
#' no record travels: give a table of dbplyr as `data`, as it is or after `filter()`, `select()`
#' and `mutate()`, to [marginal_pc()], [priv_pc()] and the other learners, [exact_pc()],
#' [private_test()] or [cond_g2()] and the like. With the same seed the fit is the same as that from
#' a data frame.
#'
#' @section Declaring the columns:
#' What a column can hold is public, so it is declared and never read off the data. Every column is
#' in `levels` or in `breaks` (or `bounds`); one that is not meant to be in the graph is left out
#' with `dplyr::select()`.
#'
#' * `levels = list(smoking = c("no", "yes"), children = 0:9)` for categories;
#'   `stage = factor(levels = c("I", "II", "III"), ordered = TRUE)` where their order means
#'   something. A data frame of factors serves too, such as `cohort[0, ]`: only its levels are
#'   looked at.
#' * `breaks = list(age = c(0, 40, 65, 120))` for numbers, which fall into the same bins as in R.
#' * `na`, as in [exact_pc()], says whether a missing value (`NULL`, and a number that is none)
#'   is an error or a level.
#' * `other` says the same of values that were not declared: `"error"`, found before anything is
#'   spent, or a level that takes them in. As with missing values, that there is no such error is
#'   then public.
#'
#' The same arguments work for a data frame, so that text need not be made into factors first.
#'
#' @section What the engine is asked:
#' First which kinds of columns there are, then the number of rows and whether some value has no
#' level; then, for each stage of a learner, the counts of a few tables from which all others are
#' summed down. If all variables together have few cells (at most 16,384) a single table answers
#' everything. Engines with `GROUPING SETS` count a stage in one pass;
#' others get `UNION ALL`. Names and values are quoted by the driver.
#'
#' Which tables a later stage asks for depends on the noisy results of earlier ones, which are
#' public: nothing secret is in a statement, nor in the log of the engine. The counts that come
#' back are secret; they go into sealed objects and leave only with noise.
#'
#' Text is compared by the engine: where its collation does not tell `"Yes"` from `"yes"`, neither
#' can a declaration.
#'
#' @section What only records can answer:
#' Sub-samples (`subsample`), tests by blocks of records (`"g2"`, `"chisq"` and `"cmh"` of the
#' private learners and of [private_test()]), and numbers that are compared value by value (`"tau"`
#' and `"rho"` on a column with `breaks`). They are refused before anything is spent.
#' [marginal_pc()] needs none of them.
#'
#' @section When something goes wrong:
#' Every table must hold as many records as there were at the beginning. If the data
#' are changed meanwhile, or a part of a cluster does not answer, the call is an error, and never a
#' graph of half the data. ClickHouse can be set to leave out servers that are down without an error
#' (`skip_unavailable_shards`), or to stop reading at a limit: such a connection is refused. An
#' error of the data base names the stage. What a budget has paid for a fit that
#' failed stays paid: the price is taken before the first table is counted. For data that are
#' written to while they are analysed, use one transaction that sees a single state (in PostgreSQL
#' `BEGIN ISOLATION LEVEL REPEATABLE READ`). A query that draws rows at random gives other records
#' in each stage, and no meaningful graph.
#'
#' @section Engines:
#' Tested with SQLite, PostgreSQL, DuckDB, through which Parquet files are tables too, and a cluster
#' of ClickHouse. Statements are also written for Spark, BigQuery, Snowflake, Redshift, Trino, SQL
#' Server, Oracle and MySQL; any other engine gets plain SQL that all understand.
#'
#' ClickHouse counts a `Distributed` table in every server and brings only the counts together;
#' after `filter()` and the like the records travel between its servers, though never to R.
#'
#' @param levels What columns that are no factors can hold: a named list with the possible values of
#'   each, or a data frame of factors, of which only the levels are used. Needed for a table
#'   in a data base and for records in parts; for a data frame in place of `factor()`.
#' @param other What becomes of values that `levels` does not name: `"error"`, or the name of a
#'   level that takes them in, which is added if need be; by name for some columns only, as
#'   `c(country = "elsewhere")`.
#' @seealso [read_chunks()] for files that do not fit into memory, [several_records] if a person may
#'   have several, and `vignette("databases")` for the way from a connection to a published graph.
#' @examplesIf rlang::is_installed(c("DBI", "RSQLite", "dbplyr", "dplyr"))
#' # A registry of a hundred thousand simulated patients
#' cohort <- simulate(network("asia"), nsim = 100000, seed = 1)
#' con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' DBI::dbWriteTable(con, "cohort", data.frame(lapply(cohort, as.character)))
#'
#' registry <- dplyr::tbl(con, "cohort")
#' no_yes <- c("no", "yes")
#' marginal_pc(registry, epsilon = 1, levels = list(
#'   asia = no_yes, tub = no_yes, smoke = no_yes, lung = no_yes, bronc = no_yes,
#'   either = no_yes, xray = no_yes, dysp = no_yes
#' ))
#'
#' # A part of it, and fewer columns; the factors of a data frame as declaration
#' smokers <- dplyr::select(dplyr::filter(registry, smoke == "yes"), lung, bronc, dysp, xray)
#' marginal_pc(smokers, epsilon = 1, levels = cohort[0, c("lung", "bronc", "dysp", "xray")])
#'
#' DBI::dbDisconnect(con)
#' @section Queries that look at several records:
#' A promise is about one record, or person, of the table that the query gives. `filter()`,
#' `select()` and `mutate()` of values of the same record keep it. `head()`, `distinct()`,
#' `summarise()`, window functions and joins may not: with `head(data, 1000)` a person with more
#' visits pushes others out, and replacing one person changes several. A message says so where the
#' query has such a word; within a person, as for the last visit of each, it is harmless.
#'
#' @name tables_in_engines
NULL
