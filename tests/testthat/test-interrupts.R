# Everything that may take long can be stopped, by Ctrl-C and by setTimeLimit(). Each call here
# would take minutes; how soon it stops is not measured, only that it does.

# Columns that depend on the one before.
long_chain <- function(variables, levels, n, strength = 0.5) {
  codes <- matrix(sample.int(levels, n * variables, TRUE), n)
  for (j in seq_len(variables)[-1L]) {
    same <- stats::runif(n) < strength
    codes[same, j] <- codes[same, j - 1L]
  }
  data <- as.data.frame(codes)
  data[] <- lapply(data, factor, levels = seq_len(levels))
  data
}

marginal_fit_of_chain <- function() {
  data <- with_seed(1, long_chain(20, 4, 20000))
  suppressMessages(marginal_pc(data, epsilon = 3, seed = 1))
}

expect_stopped <- function(code, limit = 1) {
  on.exit(setTimeLimit())
  started <- Sys.time()
  expect_error(
    {
      setTimeLimit(elapsed = limit, transient = TRUE)
      suppressMessages(suppressWarnings(code))
    },
    "^reached elapsed time limit"
  )
  setTimeLimit()
  # The whole would take far more.
  expect_lt(as.double(Sys.time() - started, units = "secs"), 60)
}

test_that("a limit on the time stops long work of the core, as the error that R makes of it", {
  skip_on_cran()
  rlang::local_options(privpc.advice = FALSE)
  # A chain is soon taken apart; where all depend on each other no set separates any two.
  data <- with_seed(1, {
    common <- stats::rnorm(20000)
    as.data.frame(stats::setNames(
      lapply(1:60, function(i) factor(common + stats::rnorm(20000) > 0)), sprintf("v%02d", 1:60)
    ))
  })
  expect_stopped(exact_pc(data, max_order = 4, threads = 2, colliders = "sepset"))
  expect_stopped(edge_strength(marginal_fit_of_chain(), draws = 1e6, threads = 2))
  expect_stopped(cpp_noisy_median_tail(1, 1000, 50, 1, 1, 1e-6, 1e9))
})

test_that("one call on a large graph can be stopped", {
  skip_on_cran()
  net <- random_network(1000, degree = 4, seed = 1)
  expect_stopped(network_pag(net, hidden = net$nodes[1:100]), limit = 0.5)
})

test_that("a private median of very many values is soon there, at any epsilon", {
  skip_on_cran()
  values <- with_seed(1, stats::runif(3e5))
  started <- Sys.time()
  median <- private_median(values, 0, 1, epsilon = 1e-4, delta = 1e-6)$value
  # All windows one by one would be days.
  expect_lt(as.double(Sys.time() - started, units = "secs"), 60)
  expect_true(median >= 0 && median <= 1)
})

test_that("what was debited before an interruption stays debited", {
  skip_on_cran()
  rlang::local_options(privpc.advice = FALSE)
  budget <- privacy_budget(1, 1e-6)
  data <- with_seed(1, long_chain(150, 8, 20000, 0.9))
  expect_stopped(marginal_pc(data, epsilon = 0.5, budget = budget))
  ledger <- privacy_ledger(budget)
  expect_identical(nrow(ledger), 1L)
  expect_gt(ledger$rho, 0)
  # And can be spent from further.
  expect_s3_class(
    suppressWarnings(suppressMessages(
      private_test(data, "V1", "V2", test = "g2", epsilon = 0.1, budget = budget)
    )),
    "htest"
  )
})

# As what a shell without a terminal starts in the background does; newer versions of R leave it so.
ignores_interrupts <- function() {
  status <- "/proc/self/status"
  if (!file.exists(status)) return(FALSE)
  ignored <- sub("^SigIgn:\\s*", "", grep("^SigIgn:", readLines(status), value = TRUE))
  # SIGINT is the second bit.
  bitwAnd(strtoi(substring(ignored, nchar(ignored)), 16L), 2L) > 0L
}

test_that("Ctrl-C is an interrupt, and reaches R's own handlers", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if(ignores_interrupts(), "this process takes interrupts")
  folder <- tempfile("interrupts")
  dir.create(folder)
  at <- function(name) file.path(folder, name)
  script <- at("long.R")
  writeLines(c(
    "library(privpc)",
    "net <- network(\"alarm\")",
    "fit <- suppressMessages(marginal_pc(simulate(net, nsim = 5000, seed = 1), epsilon = 3))",
    paste0("cat(Sys.getpid(), file = ", deparse(at("pid")), ")"),
    paste0("file.create(", deparse(at("ready")), ")"),
    "said <- tryCatch({",
    "  edge_strength(fit, draws = 1e6, threads = 2, progress = FALSE)",
    "  \"finished\"",
    "}, interrupt = function(condition) \"interrupted\")",
    paste0("cat(said, file = ", deparse(at("said")), ")"),
    paste0("file.create(", deparse(at("ended")), ")")
  ), script)
  # Waited for by a process of its own: what a shell starts in the background ignores the signal.
  parallel::mcparallel(system2(
    file.path(R.home("bin"), "Rscript"), shQuote(script), stdout = FALSE, stderr = FALSE,
    env = paste0("R_LIBS=", paste(.libPaths(), collapse = ":"))
  ), detached = TRUE)
  appears <- function(name, seconds) {
    for (i in seq_len(10 * seconds)) {
      if (file.exists(at(name))) return(TRUE)
      Sys.sleep(0.1)
    }
    FALSE
  }
  expect_true(appears("ready", 120))
  pid <- scan(at("pid"), quiet = TRUE)
  on.exit(tools::pskill(pid, tools::SIGKILL))
  Sys.sleep(1)
  tools::pskill(pid, tools::SIGINT)
  expect_true(appears("ended", 30))
  expect_identical(readLines(at("said"), warn = FALSE), "interrupted")
})
