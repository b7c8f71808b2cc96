# Records that stay where they are: how long a fit takes there, and what travels. Written into the
# section "Where the data live" of bench/results.md; the other sections stay as they are.
#
#   Rscript bench/engines.R                  asia with 100 million rows, alarm with 10 million, and
#                                            with 1 million in SQLite and PostgreSQL
#   Rscript bench/engines.R 1e6 1e5 1e4      with these numbers of rows, into build/ only
#
# Servers are thrown away afterwards. It needs what `make test-engines` has fetched; an engine that
# is not there is left out.

drivers <- file.path("build", "engines-lib")
if (dir.exists(drivers)) .libPaths(c(.libPaths()[[1]], normalizePath(drivers), .libPaths()[-1]))
source("bench/measure.R")
for (helper in c("testthat/helper-engines.R", "testthat/helper-replacement.R",
                 "engines/helper-clickhouse.R", "engines/helper-duckdb.R")) {
  source(file.path("tests", helper))
}

asked <- as.numeric(commandArgs(trailingOnly = TRUE))
asia_rows <- if (length(asked)) asked[[1]] else 1e8
alarm_rows <- if (length(asked) > 1) asked[[2]] else 1e7
slow_rows <- if (length(asked) > 2) asked[[3]] else min(alarm_rows, 1e6)
report <- if (length(asked)) "build/bench-engines.md" else "bench/results.md"

# NULL, and the reason, where an engine cannot be had.
if_there <- function(code) {
  tryCatch(code, skip = function(e) {
    cat("Left out:", conditionMessage(e), "\n")
    NULL
  })
}

# ---- what a fit asks ----------------------------------------------------------------------------

# Elapsed seconds of the opening and of each stage, their statements, and what comes back: `cells`,
# of two numbers each. For records in parts a pass is a step.
watched <- function(run) {
  steps <- data.frame(seconds = numeric(), statements = numeric(), cells = numeric())
  now <- 1
  add <- function(seconds, statements, cells) {
    if (nrow(steps) < now) steps[now, ] <<- 0
    steps[now, ] <<- steps[now, ] + c(seconds, statements, cells)
  }
  ask <- privpc:::ask_engine
  write <- privpc:::counting_sql
  pass <- privpc:::each_group
  peak <- peak_of(with_replacement("ask_engine", function(con, sql) {
    seconds <- system.time(answer <- ask(con, sql))[["elapsed"]]
    add(seconds, 1, NROW(answer))
    answer
  }, with_replacement("counting_sql", function(...) {
    now <<- now + 1
    write(...)
  }, with_replacement("each_group", function(...) {
    seconds <- system.time(pass(...))[["elapsed"]]
    add(seconds, 0, 0)
    now <<- now + 1
  }, total <- system.time(run())[["elapsed"]]))))
  list(steps = steps, total = total, peak = peak)
}

# MB of this process above what it had before, at the peak. Linux only.
peak_of <- function(code) {
  status <- "/proc/self/status"
  if (!file.exists("/proc/self/clear_refs")) {
    force(code)
    return(NA_real_)
  }
  field <- function(name) {
    as.numeric(gsub("[^0-9]", "", grep(paste0("^", name), readLines(status), value = TRUE)))
  }
  invisible(gc())
  writeLines("5", "/proc/self/clear_refs")
  before <- field("VmRSS")
  force(code)
  (field("VmHWM") - before) / 1024
}

learn <- function(data, levels) marginal_pc(data, epsilon = 1, seed = 1, levels = levels)

seconds_of <- function(code) system.time(code)[["elapsed"]]

pair_seconds <- function(con, x, y, table = "cohort") {
  sql <- sprintf("SELECT %s, %s, COUNT(*) AS n FROM %s GROUP BY %s, %s", x, y, table, x, y)
  min(replicate(2, seconds_of(DBI::dbGetQuery(con, sql))))
}

fit_row <- function(engine, rows, found, pair) {
  stages <- found$steps$seconds
  data.frame(
    engine = engine, rows = format(rows, big.mark = ",", scientific = FALSE, trim = TRUE),
    `opening s` = stages[[1]], `stages s` = paste(short(stages[-1]), collapse = " + "),
    `fit s` = found$total, statements = sum(found$steps$statements),
    `kB back` = sum(found$steps$cells) * 16 / 1024, `peak MB of R` = max(0, found$peak),
    `one pair s` = pair, `stages / pair` = sum(stages[-1]) / pair, check.names = FALSE
  )
}

# ---- asia, made where it is ---------------------------------------------------------------------

# The records of a network of two levels as a SELECT of ClickHouse: no row travels. Hashes of the
# number of the row are the random numbers.
network_sql <- function(net, rows, offset) {
  first_level <- function(node) {
    parents <- net$parents[[node]]
    chance <- net$probabilities[[node]]
    if (!length(parents)) return(format(chance[[1]]))
    grid <- expand.grid(net$levels[parents], stringsAsFactors = FALSE)
    conditions <- do.call(paste, c(
      lapply(parents, function(parent) sprintf("%s = '%s'", parent, grid[[parent]])), sep = " AND "
    ))
    chances <- matrix(chance, nrow = length(net$levels[[node]]))[1, ]
    paste0("multiIf(", paste(conditions, format(chances), sep = ", ", collapse = ", "), ", 0)")
  }
  columns <- vapply(seq_along(net$nodes), function(i) {
    node <- net$nodes[[i]]
    sprintf(
      "if(cityHash64(number + %.0f, %d) %% 1000000 < 1000000 * %s, '%s', '%s') AS %s",
      offset, i, first_level(node), net$levels[[node]][[1]], net$levels[[node]][[2]], node
    )
  }, "")
  sprintf("SELECT %s FROM numbers(%.0f)", toString(columns), rows)
}

measure_asia <- function(rows) {
  cluster <- if_there(local_clickhouse_cluster())
  if (is.null(cluster)) return(NULL)
  asia <- network("asia")
  columns <- toString(paste(asia$nodes, "String"))
  for (at in 1:2) {
    con <- cluster$connections[[at]]
    DBI::dbExecute(con, paste0("CREATE TABLE shard (", columns,
                               ") ENGINE = MergeTree ORDER BY tuple()"))
    sampled <- network_sql(asia, rows / 2, (at - 1) * rows / 2)
    DBI::dbExecute(con, paste("INSERT INTO shard", sampled))
  }
  DBI::dbExecute(cluster$con, paste0("CREATE TABLE cohort (", columns,
                                     ") ENGINE = Distributed(two, default, shard)"))
  levels <- simulate(asia, nsim = 1, seed = 1)[0, ]
  pair <- pair_seconds(cluster$con, "smoke", "lung")
  found <- watched(function() fit <<- learn(dplyr::tbl(cluster$con, "cohort"), levels))
  cat("Edges that are missing or too many:",
      compare_graphs(fit, asia)$shd[[1]], "\n")
  fit_row("ClickHouse, 2 servers", rows, found, pair)
}

# ---- alarm in every engine ----------------------------------------------------------------------

# A million simulated records, or fewer, and copies of them: what is counted takes as long.
alarm_part <- function(rows) {
  simulate(network("alarm"), nsim = min(rows, 1e6), seed = 1, threads = 2)
}

copies_of <- function(part, rows) max(1, round(rows / nrow(part)))

copy_within <- function(con, times, table = "cohort") {
  if (times == 1) return(invisible())
  temporary <- paste0(table, "_part")
  DBI::dbExecute(con, sprintf("CREATE TABLE %s AS SELECT * FROM %s", temporary, table))
  for (i in seq_len(times - 1)) {
    DBI::dbExecute(con, sprintf("INSERT INTO %s SELECT * FROM %s", table, temporary))
  }
}

alarm_engines <- list(
  SQLite = function(part, rows) {
    con <- DBI::dbConnect(RSQLite::SQLite(), tempfile())
    on.exit(DBI::dbDisconnect(con))
    table <- remote_table(con, part)
    copy_within(con, copies_of(part, rows))
    measure_table(con, table, part, rows, "SQLite")
  },
  PostgreSQL = function(part, rows) {
    server <- local_postgres()
    table <- remote_table(server$con, part)
    copy_within(server$con, copies_of(part, rows))
    DBI::dbExecute(server$con, "VACUUM ANALYZE cohort")
    measure_table(server$con, table, part, rows, "PostgreSQL", quote = "\"")
  },
  DuckDB = function(part, rows) {
    con <- local_duckdb()
    file <- tempfile(fileext = ".csv")
    utils::write.csv(part, file, row.names = FALSE)
    DBI::dbExecute(con, sprintf(
      "CREATE TABLE cohort AS SELECT * FROM read_csv('%s', header = true, all_varchar = true)", file
    ))
    copy_within(con, copies_of(part, rows))
    as_duckdb <- function(con) c(name = "DuckDB", privpc:::engine_registry$DuckDB)
    with_replacement("engine_of", as_duckdb, measure_table(
      con, dplyr::tbl(con, "cohort"), part, rows, "DuckDB"
    ))
  },
  ClickHouse = function(part, rows) {
    cluster <- local_clickhouse_cluster()
    table <- distributed_table(cluster, part)
    for (con in cluster$connections) {
      DBI::dbExecute(con, "CREATE TABLE part AS shard ENGINE = Memory")
      DBI::dbExecute(con, "INSERT INTO part SELECT * FROM shard")
      for (i in seq_len(copies_of(part, rows) - 1)) {
        DBI::dbExecute(con, "INSERT INTO shard SELECT * FROM part")
      }
      DBI::dbExecute(con, "DROP TABLE part")
    }
    measure_table(cluster$con, table, part, rows, "ClickHouse, 2 servers")
  },
  parts = function(part, rows) {
    parts <- read_chunks(function() {
      left <- copies_of(part, rows)
      function() {
        left <<- left - 1
        if (left >= 0) part
      }
    })
    fit_row("parts of a million", rows, watched(function() learn(parts, part[0, ])), NA)
  },
  memory = function(part, rows) {
    all <- part[rep(seq_len(nrow(part)), copies_of(part, rows)), ]
    row.names(all) <- NULL
    seconds <- seconds_of(learn(all, NULL))
    found <- list(
      steps = data.frame(seconds = NA, statements = 0, cells = 0), total = seconds,
      peak = peak_of(learn(all, NULL))
    )
    fit_row("a data frame in memory", rows, found, NA)
  }
)

measure_table <- function(con, table, part, rows, engine, quote = "") {
  pair <- pair_seconds(con, paste0(quote, "HR", quote), paste0(quote, "CATECHOL", quote))
  fit_row(engine, rows, watched(function() learn(table, part[0, ])), pair)
}

measure_alarm <- function(rows, slow_rows) {
  part <- alarm_part(rows)
  sizes <- c(SQLite = slow_rows, PostgreSQL = slow_rows)
  do.call(rbind, lapply(names(alarm_engines), function(name) {
    cat("alarm:", name, "\n")
    size <- if (name %in% names(sizes)) sizes[[name]] else rows
    small <- part[seq_len(min(size, nrow(part))), ]
    suppressWarnings(suppressMessages(if_there(alarm_engines[[name]](small, size))))
  }))
}

# ---- the section --------------------------------------------------------------------------------

options(privpc.advice = FALSE)
asia_table <- measure_asia(asia_rows)
print(asia_table)
alarm_table <- measure_alarm(alarm_rows, slow_rows)
print(alarm_table)

part <- c(
  paste0(
    "Written by `Rscript bench/engines.R`. Elapsed time of marginal_pc() at epsilon = 1 where the ",
    "data are, all on one machine with ", parallel::detectCores(), " cores. The opening looks for ",
    "values without a level and counts rows; what comes back are counts of cells, 16 bytes each. ",
    "Beside it a plain `GROUP BY` of one pair of variables in the same engine. SQLite and DuckDB ",
    "run within the process of R, so its peak is also theirs."
  ), "",
  "asia, sampled in the engine by hashes, so that no row travelled:", "",
  markdown_table(asia_table), "",
  paste0(
    "alarm, 37 variables. The first stage counts tables of all pairs, the second those of parents ",
    "and children. SQLite goes through all rows once for every table; it and PostgreSQL have fewer ",
    "rows here, because they would take too long."
  ), "",
  markdown_table(alarm_table)
)
if (!file.exists(report)) writeLines("# Benchmarks", report)
replace_section(report, "Where the data live", part)
