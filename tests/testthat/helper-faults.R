# Engines that fail in the middle of a fit.

asia_rows <- function() simulate(network("asia"), nsim = 3000, seed = 7)

# Statements: the kinds of columns, the number of rows, then one or more for each stage. `trouble`
# happens before number `at`.
with_trouble <- function(at, trouble, code) {
  ask <- ask_engine
  asked <- 0
  with_replacement("ask_engine", function(con, sql) {
    asked <<- asked + 1
    if (asked == at) trouble(con)
    ask(con, sql)
  }, code)
}

# Of what a budget has.
budget_left <- function(budget) {
  cap <- if (budget$delta > 0) budget$rho else budget$epsilon
  spent <- utils::tail(privacy_ledger(budget)$cumulative, 1)
  max(0, round(cap - spent, 12))
}

# 20 variables: no table holds all of them, so that parents and children are a stage of their own.
child_rows <- function() simulate(network("child"), nsim = 2000, seed = 7)

learn_child <- function(data, declared, budget = NULL) {
  marginal_pc(
    data, 5, 1e-6, parameters = TRUE, levels = declared, budget = budget,
    seed = if (is.null(budget)) 1
  )
}

# How many statements each stage takes.
statements_of_stages <- function(data, declared) {
  made <- integer()
  write <- counting_sql
  with_replacement("counting_sql", function(...) {
    sql <- write(...)
    made <<- c(made, length(sql))
    sql
  }, learn_child(data, declared))
  made
}

# A disk of 64 kB in a folder of the PostgreSQL server. Only root can make one.
local_tiny_disk <- function(folder, env = parent.frame()) {
  disk <- file.path(folder, "tiny")
  dir.create(disk)
  mounted <- nzchar(Sys.which("mount")) && system2(
    "mount", c("-t", "tmpfs", "-o", "size=64k", "tmpfs", disk), stdout = FALSE, stderr = FALSE
  ) == 0
  testthat::skip_if(!mounted, "a small disk cannot be made")
  at_the_end(function() system2("umount", c("--lazy", disk), stdout = FALSE, stderr = FALSE), env)
  system2("chown", c("postgres", disk))
  disk
}
