# Data bases for tests. A server that is not there is a skip, which is counted.

skip_without_dbi <- function(package) {
  testthat::skip_if_not_installed("DBI")
  testthat::skip_if_not_installed("dbplyr")
  testthat::skip_if_not_installed(package)
}

local_sqlite <- function(env = parent.frame()) {
  skip_without_dbi("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  at_the_end(function() DBI::dbDisconnect(con), env)
  con
}

# At the end of `env`, the frame of a function or a test.
at_the_end <- function(run, env) {
  do.call(base::on.exit, list(as.call(list(run)), TRUE), envir = env)
}

# Text, and numbers as they are.
as_stored <- function(data) {
  data[] <- lapply(data, function(x) if (is.factor(x)) as.character(x) else x)
  data
}

remote_table <- function(con, data, name = "cohort") {
  # Not every driver can overwrite.
  if (DBI::dbExistsTable(con, name)) DBI::dbRemoveTable(con, name)
  DBI::dbWriteTable(con, name, as_stored(data))
  dplyr::tbl(con, name)
}

# All of a fit but the call, which names the data.
without_call <- function(fit) {
  fit$call <- NULL
  fit
}

# For read_chunks(): parts of so many rows.
as_parts <- function(data, size) {
  function() {
    at <- 0
    function() {
      if (at >= nrow(data)) return(NULL)
      part <- data[seq(at + 1, min(at + size, nrow(data))), , drop = FALSE]
      at <<- at + size
      part
    }
  }
}

# ---- PostgreSQL ---------------------------------------------------------------------------------

postgres_program <- function(name) {
  found <- c(
    Sys.which(name),
    Sys.glob(file.path(c("/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin"), name))
  )
  found <- found[nzchar(found)]
  if (length(found)) found[[length(found)]] else ""
}

# A throw-away server on a socket in a folder of its own. It refuses to run as root, so that root
# lends it to the user postgres.
start_postgres <- function() {
  skip_without_dbi("RPostgres")
  # A package that it loads may warn that the time zone of a container is not known.
  suppressWarnings(loadNamespace("RPostgres"))
  testthat::skip_on_os("windows")
  programs <- vapply(c("initdb", "pg_ctl"), postgres_program, "")
  testthat::skip_if(any(!nzchar(programs)), "there is no PostgreSQL server")
  folder <- tempfile("pg")
  dir.create(folder)
  as_root <- identical(system2("id", "-u", stdout = TRUE), "0")
  run <- function(program, arguments) {
    command <- c(programs[[program]], arguments)
    if (as_root) command <- c("runuser", "-u", "postgres", "--", command)
    system2(command[[1L]], command[-1L], stdout = FALSE, stderr = FALSE)
  }
  if (as_root) {
    testthat::skip_if(system2("id", "postgres", stdout = FALSE, stderr = FALSE) != 0,
                      "there is no user postgres")
    Sys.chmod(tempdir(), "755")
    system2("chown", c("postgres", folder))
  }
  data <- file.path(folder, "data")
  status <- run("initdb", c("-D", data, "-A", "trust", "-U", "tester", "--no-sync"))
  testthat::skip_if(status != 0, "initdb failed")
  options <- sprintf(
    "-c listen_addresses='' -c unix_socket_directories='%s' -c fsync=off", folder
  )
  log <- file.path(folder, "log")
  status <- run("pg_ctl", c("-D", data, "-w", "-l", log, "-o", shQuote(options), "start"))
  testthat::skip_if(status != 0, "the PostgreSQL server did not start")
  list(
    folder = folder,
    # "immediate": as if the machine had failed.
    stop = function(mode = "fast") {
      run("pg_ctl", c("-D", data, "-m", mode, "-w", "stop"))
      invisible()
    },
    connect = function() {
      DBI::dbConnect(RPostgres::Postgres(), host = folder, user = "tester", dbname = "postgres")
    }
  )
}

local_postgres <- function(env = parent.frame()) {
  server <- start_postgres()
  con <- server$connect()
  at_the_end(function() {
    try(DBI::dbDisconnect(con), silent = TRUE)
    server$stop("immediate")
    unlink(server$folder, recursive = TRUE)
  }, env)
  c(server, list(con = con))
}
