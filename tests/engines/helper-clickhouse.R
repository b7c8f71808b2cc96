# A cluster of ClickHouse for tests: two throw-away servers on loopback ports, in folders that are
# removed at the end. Where it cannot be had the tests skip, which is counted.

# A port that nobody listens on just now.
free_port <- function(taken = integer()) {
  for (port in sample(setdiff(20000:60000, taken), 50L)) {
    socket <- tryCatch(serverSocket(port), error = function(e) NULL)
    if (is.null(socket)) next
    close(socket)
    return(port)
  }
  testthat::skip("there is no free port")
}

is_listening <- function(port) {
  socket <- tryCatch(
    suppressWarnings(socketConnection(port = port, open = "r+b", timeout = 1)),
    error = function(e) NULL
  )
  if (!is.null(socket)) close(socket)
  !is.null(socket)
}

clickhouse_users <- "<yandex>
<profiles><default><max_memory_usage>4000000000</max_memory_usage></default></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks>
<profile>default</profile><quota>default</quota></default></users>
<quotas><default></default></quotas></yandex>"

# `ports`: tcp, http and interserver_http, a row for each server.
clickhouse_config <- function(ports, at, folder) {
  port_tags <- sprintf("<%1$s_port>%2$d</%1$s_port>", colnames(ports), ports[at, ])
  shards <- sprintf(
    "<shard><replica><host>127.0.0.1</host><port>%d</port></replica></shard>", ports[, "tcp"]
  )
  c(
    "<yandex><logger><level>warning</level><console>1</console></logger>", port_tags,
    "<listen_host>127.0.0.1</listen_host>",
    sprintf("<path>%1$s/data/</path><tmp_path>%1$s/tmp/</tmp_path>", folder),
    "<mark_cache_size>100000000</mark_cache_size><users_config>users.xml</users_config>",
    "<default_profile>default</default_profile><default_database>default</default_database>",
    "<remote_servers><two>", shards, "</two></remote_servers></yandex>"
  )
}

# `kill(at)`: as if that machine had failed.
start_clickhouse <- function() {
  skip_without_dbi("RClickhouse")
  program <- Sys.which("clickhouse-server")
  testthat::skip_if(!nzchar(program), "there is no ClickHouse server")
  folders <- replicate(2L, tempfile("clickhouse"))
  ports <- matrix(0L, 2L, 3L, dimnames = list(NULL, c("tcp", "http", "interserver_http")))
  for (i in seq_along(ports)) ports[[i]] <- free_port(ports)
  servers <- list(NULL, NULL)
  kill <- function(at) servers[[at]]$kill(grace = 0)
  connect <- function(at = 1L) {
    DBI::dbConnect(RClickhouse::clickhouse(), host = "127.0.0.1", port = ports[[at, "tcp"]])
  }
  stop_all <- function() {
    for (server in servers) if (!is.null(server)) server$kill(grace = 0)
    unlink(folders, recursive = TRUE)
  }
  start <- function(at) {
    log <- file.path(folders[[at]], "log")
    servers[[at]] <<- processx::process$new(
      program, "--config-file=config.xml", wd = folders[[at]], stdout = log, stderr = "2>&1"
    )
    for (attempt in 1:300) {
      if (is_listening(ports[[at, "tcp"]])) return(invisible())
      if (!servers[[at]]$is_alive()) break
      Sys.sleep(0.1)
    }
    stop_all()
    testthat::skip("the ClickHouse server did not start")
  }
  for (at in 1:2) {
    dir.create(folders[[at]])
    writeLines(clickhouse_users, file.path(folders[[at]], "users.xml"))
    writeLines(clickhouse_config(ports, at, folders[[at]]), file.path(folders[[at]], "config.xml"))
    start(at)
  }
  pid <- function(at) servers[[at]]$get_pid()
  list(connect = connect, kill = kill, pid = pid, stop = stop_all, ports = ports)
}

# Stopped and removed at the end of `env`, also when a test fails in between.
local_clickhouse_cluster <- function(env = parent.frame()) {
  cluster <- start_clickhouse()
  at_the_end(cluster$stop, env)
  cluster$connections <- lapply(1:2, cluster$connect)
  at_the_end(function() {
    for (con in cluster$connections) try(DBI::dbDisconnect(con), silent = TRUE)
  }, env)
  cluster$con <- cluster$connections[[1L]]
  cluster
}

clickhouse_type <- function(x) {
  type <- if (inherits(x, "Date")) {
    "Date"
  } else {
    c(character = "String", double = "Float64", integer = "Int32", logical = "UInt8")[[typeof(x)]]
  }
  # NaN is a number there.
  if (any(is.na(x) & !is.nan(x))) paste0("Nullable(", type, ")") else type
}

# A table in both servers, with the records whose `shard` is theirs, and a Distributed one over
# them. By default neighbouring records are on different servers.
distributed_table <- function(cluster, data, name = "cohort", shard = rep_len(1:2, nrow(data))) {
  data <- as_stored(data)
  for (con in cluster$connections) {
    for (old in c(name, "shard", "staged")) {
      DBI::dbExecute(con, paste("DROP TABLE IF EXISTS", DBI::dbQuoteIdentifier(con, old)))
    }
  }
  types <- vapply(data, clickhouse_type, "")
  plain <- paste0("c", seq_along(data))
  columns <- toString(paste(DBI::dbQuoteIdentifier(cluster$con, names(data)), types))
  for (at in 1:2) {
    con <- cluster$connections[[at]]
    create <- function(sql, columns) DBI::dbExecute(con, sprintf(sql, toString(columns)))
    create("CREATE TABLE shard (%s) ENGINE = MergeTree ORDER BY tuple()", columns)
    # The driver does not quote names.
    create("CREATE TABLE staged (%s) ENGINE = Memory", paste(plain, types))
    rows <- stats::setNames(as.data.frame(data)[shard == at, , drop = FALSE], plain)
    if (nrow(rows)) DBI::dbAppendTable(con, "staged", rows, row.names = FALSE)
    DBI::dbExecute(con, "INSERT INTO shard SELECT * FROM staged")
    DBI::dbExecute(con, "DROP TABLE staged")
  }
  DBI::dbExecute(cluster$con, paste0(
    "CREATE TABLE ", DBI::dbQuoteIdentifier(cluster$con, name), " (", columns,
    ") ENGINE = Distributed(two, default, shard)"
  ))
  dplyr::tbl(cluster$con, name)
}

rows_of_shards <- function(cluster) {
  vapply(cluster$connections, function(con) {
    as.double(DBI::dbGetQuery(con, "SELECT count(*) AS n FROM shard")$n)
  }, 0)
}
