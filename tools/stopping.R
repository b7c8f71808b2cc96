# How soon does long work stop? `make stopping`; writes inst/stopping.md.
# Usage: Rscript tools/stopping.R [part of a name]
#
# Every call here takes far longer than what it is given. It is made in a process of its own, with
# records that were made before, and stopped after two seconds (or what its third element says):
# once by setTimeLimit(), once by the signal that Ctrl-C sends. What is told is how much later it
# ended. Of one that is `repeat`ed each turn takes a fraction of a second: where one turn alone may
# be long, it stands here by itself, since R stops between the turns in any case.
#
# Fails if a call does not stop, stops later than a second, twice, or comes to its end. What is
# counted as what, and which functions are not tried, is in tests/testthat/helper-stopping.R.

library(privpc)
source("tests/testthat/helper-stopping.R")
options(privpc.advice = FALSE, cli.num_colors = 1L)
wanted <- c(commandArgs(trailingOnly = TRUE), "")[[1L]]
usual_time <- 2
given_up <- 60

# ---- records -------------------------------------------------------------------------------------

drawn <- function(seed, code) {
  set.seed(seed)
  code
}
# All columns depend on one that is not there, so that no set separates any two.
dense <- function(variables, n, cuts = 0) {
  drawn(1, {
    common <- stats::rnorm(n)
    columns <- lapply(seq_len(variables), function(i) cut(common + stats::rnorm(n), c(-Inf, cuts, Inf)))
    as.data.frame(stats::setNames(columns, sprintf("v%03d", seq_len(variables))))
  })
}
numbers <- function(variables, n) {
  drawn(2, as.data.frame(stats::setNames(
    replicate(variables, stats::rnorm(n), simplify = FALSE), paste0("x", seq_len(variables))
  )))
}
once <- function(code) {
  # Made when it is asked for, and kept for the calls that follow.
  value <- NULL
  code <- substitute(code)
  env <- parent.frame()
  function() {
    if (is.null(value)) value <<- eval(code, env)
    value
  }
}
wide <- once(dense(200, 20000))
many_levels <- once(dense(150, 20000, seq(-2, 2, length.out = 9)))
large <- once(dense(40, 2e6))
sixty <- once(dense(60, 20000))
twenty_million <- once(numbers(2, 2e7))
limits_of_numbers <- list(x1 = c(-5, 5), x2 = c(-5, 5))
wide_fit <- once(suppressMessages(marginal_pc(
  simulate(network("alarm"), nsim = 20000, seed = 1), epsilon = 5, progress = FALSE
)))
large_network <- once(random_network(1000, seed = 1))
many_arcs <- once(random_network(1000, degree = 4, seed = 1))
many_values <- once(drawn(3, stats::runif(2e7)))
# One that is far better than the others: it takes long until it is come across.
many_scores <- once(c(0, rep(-1e6, 2e7)))
three_columns <- once(numbers(3, 2e7))
fit_of_three <- once(suppressMessages(marginal_pc(
  numbers(3, 10000), epsilon = 5, progress = FALSE,
  breaks = list(x1 = c(-5, -1, 1, 5), x2 = c(-5, 0, 5), x3 = c(-5, 0, 1, 5))
)))
large_bif <- once({
  file <- tempfile(fileext = ".bif")
  names <- paste0("v", 1:400000)
  writeLines(c(
    "network large {", "}", sprintf("variable %s { type discrete [ 2 ] { a, b }; }", names),
    sprintf("probability ( %s ) { table 0.5, 0.5; }", names)
  ), file)
  file
})
large_csv <- once({
  file <- tempfile(fileext = ".csv")
  utils::write.csv(drawn(4, data.frame(
    a = sample(c("x", "y"), 3e6, TRUE), b = sample(c("x", "y"), 3e6, TRUE), c = stats::runif(3e6)
  )), file, row.names = FALSE)
  file
})
# A ledger whose lock somebody keeps: for longer than anybody here waits.
held_ledger <- once({
  file <- tempfile(fileext = ".ledger")
  privacy_budget(epsilon = 1, file = file)
  keep <- "open F, '+<', $ARGV[0] or die; flock F, 2 or die; sleep 600"
  system2("perl", c("-e", shQuote(keep), shQuote(file)), wait = FALSE)
  Sys.sleep(1)
  file
})

# ---- calls ---------------------------------------------------------------------------------------

calls <- list(
  `exact_pc, 60 dense variables` = list(sixty, function(x) exact_pc(x, max_order = 6, progress = FALSE)),
  `exact_pc, chi-squared, two threads` = list(
    sixty, function(x) exact_pc(x, "chisq", max_order = 6, threads = 2, progress = FALSE)
  ),
  `exact_pc, two million records` = list(large, function(x) exact_pc(x, max_order = 6, progress = FALSE)),
  `exact_pc, tau` = list(
    sixty, function(x) exact_pc(x, "tau", max_order = 6, progress = FALSE)
  ),
  `marginal_pc, 150 variables of ten levels` = list(
    many_levels, function(x) marginal_pc(x, 3, max_order = 3, progress = FALSE)
  ),
  `marginal_pc, by tests` = list(
    many_levels, function(x) marginal_pc(x, 3, search = "tests", progress = FALSE)
  ),
  `marginal_pc, two million records` = list(
    large, function(x) for (i in 1:100) marginal_pc(x, 3, progress = FALSE)
  ),
  `priv_pc, two million records` = list(
    large, function(x) repeat priv_pc(x, 50, test = "tau", max_order = 4, progress = FALSE)
  ),
  `priv_pc, 200 variables` = list(
    wide, function(x) repeat priv_pc(x, 5000, test = "tau", max_order = 4, progress = FALSE)
  ),
  `svt_pc, two million records` = list(
    large, function(x) repeat svt_pc(x, 50, test = "tau", max_order = 4, progress = FALSE)
  ),
  `svt_pc, 200 variables` = list(
    wide, function(x) repeat svt_pc(x, 5000, test = "tau", max_order = 4, progress = FALSE)
  ),
  `em_pc, two million records` = list(
    large, function(x) repeat em_pc(x, 50, test = "tau", max_order = 4, progress = FALSE)
  ),
  `em_pc, 200 variables` = list(
    wide, function(x) repeat em_pc(x, 5000, test = "tau", max_order = 4, progress = FALSE)
  ),
  `sg_pc, two million records` = list(
    large, function(x) repeat sg_pc(x, 50, test = "tau", max_order = 4, progress = FALSE)
  ),
  `sg_pc, 200 variables` = list(
    wide, function(x) repeat sg_pc(x, 5000, test = "tau", max_order = 4, progress = FALSE)
  ),
  `priv_pc, by votes` = list(
    wide, function(x) priv_pc(x, 50, test = "g2", max_order = 4, progress = FALSE)
  ),
  `private_test, tau, 20 million numbers` = list(
    twenty_million, function(x) private_test(x, "x1", "x2", epsilon = 1, test = "tau", bounds = limits_of_numbers)
  ),
  `private_test, rho, 20 million numbers` = list(
    twenty_million, function(x) private_test(x, "x1", "x2", epsilon = 1, test = "rho", bounds = limits_of_numbers)
  ),
  `cond_tau, 20 million numbers` = list(twenty_million, function(x) cond_tau(x, "x1", "x2")),
  `cond_rho, 20 million numbers` = list(twenty_million, function(x) cond_rho(x, "x1", "x2")),
  `private_breaks, 20 million numbers` = list(
    twenty_million,
    function(x) for (i in 1:100) private_breaks(x, "x1", epsilon = 1, bounds = limits_of_numbers["x1"])
  ),
  `edge_strength` = list(
    wide_fit, function(x) edge_strength(x, draws = 1e6, threads = 2, progress = FALSE)
  ),
  `consensus` = list(wide_fit, function(x) consensus(x, draws = 1e6, threads = 2, progress = FALSE)),
  `effect, uncertain graph` = list(
    wide_fit, function(x) effect(x, "SHUNT", "PRESS", graph = "uncertain", graphs = 1e5, progress = FALSE)
  ),
  `effect, many draws` = list(
    wide_fit, function(x) effect(x, "SHUNT", "PRESS", draws = 1e6, progress = FALSE)
  ),
  `relearn, again and again` = list(wide_fit, function(x) repeat relearn(x, alpha = 0.2)),
  `relearn, hidden` = list(wide_fit, function(x) repeat relearn(x, hidden = TRUE)),
  `explain` = list(wide_fit, function(x) repeat explain(x, "SHUNT", "PRESS")),
  `as_network` = list(wide_fit, function(x) repeat as_network(x)),
  `publish` = list(wide_fit, function(x) {
    repeat publish(x, tempfile(fileext = ".html"), open = FALSE, progress = FALSE)
  }),
  `plan_study, 1,000 variables` = list(
    function() NULL, function(x) plan_study(n = 1e5, levels = rep(2, 1000), odds_ratio = 1.5, progress = FALSE)
  ),
  `plan_study, many runs` = list(
    function() NULL,
    function(x) plan_study(n = 1e5, epsilon = 1, network = "alarm", runs = 1e4, progress = FALSE)
  ),
  `evaluate_learners, two processes` = list(function() NULL, function(x) {
    evaluate_learners("alarm", epsilon = 1, n = 100000, runs = 100, threads = 2, progress = FALSE)
  }),
  `audit_privacy` = list(function() NULL, function(x) {
    audit_privacy(function(data) data + stats::rnorm(1), 0, 1, epsilon = 1, runs = 1e7, progress = FALSE)
  }),
  `simulate` = list(large_network, function(x) simulate(x, nsim = 1e6, seed = 1)),
  `random_network` = list(function() NULL, function(x) repeat random_network(500, seed = 1)),
  `network_pag` = list(many_arcs, function(x) network_pag(x, hidden = x$nodes[1:100]), 0.5),
  `compare_graphs` = list(large_network, function(x) repeat compare_graphs(x, x)),
  `subsampled_gaussian_dp` = list(function() NULL, function(x) {
    repeat subsampled_gaussian_dp(
      sigma = 0.01, sampled = 1e8, total = 1e12, delta = 1e-300, steps = 1e9
    )
  }),
  `subsampled_gaussian_sigma` = list(function() NULL, function(x) {
    repeat subsampled_gaussian_sigma(1, 1e-6, sampled = 1e4, total = 1e6, steps = 1e4)
  }),
  `laplace_mechanism, 20 million values` = list(
    many_values, function(x) laplace_mechanism(x, sensitivity = 1, epsilon = 1), 0.5
  ),
  `gaussian_mechanism, 20 million values` = list(
    many_values, function(x) gaussian_mechanism(x, sensitivity = 1, rho = 1), 0.5
  ),
  `sparse_vector, 20 million values` = list(
    many_values, function(x) sparse_vector(x, threshold = 1e12, sensitivity = 1, epsilon = 1), 0.3
  ),
  `exponential_mechanism, 20 million scores` = list(
    many_scores, function(x) repeat exponential_mechanism(x, sensitivity = 1, epsilon = 1)
  ),
  `exponential_mechanism, permute and flip` = list(many_scores, function(x) {
    repeat exponential_mechanism(x, sensitivity = 1, epsilon = 1, method = "permute_and_flip")
  }),
  # So small an epsilon that windows of all widths count.
  `private_median, 20 million values` = list(
    many_values, function(x) private_median(x, 0, 1, epsilon = 1e-4, delta = 1e-6), 0.5
  ),
  `read_bif, 400,000 variables` = list(large_bif, function(x) read_bif(x), 0.5),
  `read_chunks, parts of three million rows` = list(large_csv, function(x) {
    marginal_pc(
      read_chunks(x, rows = 3e6), epsilon = 1, levels = list(a = c("x", "y"), b = c("x", "y")),
      breaks = list(c = c(0, 0.5, 1)), progress = FALSE
    )
  }),
  `bin_like, 20 million rows` = list(
    three_columns, function(x) repeat bin_like(x, fit_of_three())
  ),
  `privacy_budget, a ledger in use` = list(held_ledger, function(x) privacy_budget(file = x)),
  `privacy_ledger, a ledger in use` = list(held_ledger, function(x) privacy_ledger(x))
)
gaps <- stopping_gaps(names(calls), names(quick_functions), getNamespaceExports("privpc"))
if (length(gaps)) {
  stop(paste(c("The list of calls is not right.", gaps), collapse = "\n"), call. = FALSE)
}
calls <- wanted_calls(calls, wanted)

# ---- stopping ------------------------------------------------------------------------------------

# In a process of its own: what ended it, and when.
stopped <- function(data, call, by, after) {
  marks <- tempfile(c("begun", "ended"))
  on.exit(unlink(marks))
  job <- parallel::mcparallel({
    file.create(marks[[1L]])
    begun <- Sys.time()
    outcome <- tryCatch(
      withCallingHandlers(
        {
          if (by == "limit") setTimeLimit(elapsed = after, transient = TRUE)
          call(data)
          "came to its end"
        },
        message = function(m) invokeRestart("muffleMessage"),
        warning = function(w) invokeRestart("muffleWarning")
      ),
      interrupt = function(condition) "stopped",
      error = function(e) {
        if (grepl("time limit", conditionMessage(e), fixed = TRUE)) "stopped" else conditionMessage(e)
      }
    )
    ended <- Sys.time()
    setTimeLimit()
    list(outcome = outcome, begun = begun, ended = ended)
  }, silent = TRUE)
  while (!file.exists(marks[[1L]])) Sys.sleep(0.01)
  sent <- NULL
  if (by == "signal") {
    Sys.sleep(after)
    sent <- Sys.time()
    tools::pskill(job$pid, tools::SIGINT)
  }
  result <- suppressWarnings(parallel::mccollect(job, wait = FALSE, timeout = given_up))
  if (is.null(result)) {
    tools::pskill(job$pid, tools::SIGKILL)
    suppressWarnings(parallel::mccollect(job))
    return(list(late = NA, outcome = "did not stop"))
  }
  result <- result[[1L]]
  if (!is.list(result)) return(list(late = NA, outcome = paste("died:", toString(result))))
  due <- if (is.null(sent)) result$begun + after else sent
  list(late = as.numeric(result$ended - due, units = "secs"), outcome = result$outcome)
}

rows <- do.call(rbind, lapply(names(calls), function(name) {
  data <- calls[[name]][[1L]]()
  call <- calls[[name]]
  after <- if (length(call) < 3L) usual_time else call[[3L]]
  found <- lapply(c("limit", "signal"), function(by) {
    stop_twice_if_late(function() stopped(data, call[[2L]], by, after))
  })
  row <- data.frame(
    call = name, limit = found[[1L]]$late, signal = found[[2L]]$late,
    outcome = toString(unique(vapply(found, `[[`, "", "outcome")))
  )
  cat(sprintf("%-42s %6.2f %6.2f  %s\n", name, row$limit, row$signal, row$outcome))
  row
}))

if (!nzchar(wanted)) {
  counts <- stopping_counts(rows)
  shown <- function(x) ifelse(is.na(x), "", sprintf("%.2f", pmax(x, 0)))
  writeLines(c(
    "# Stopping",
    "",
    paste0(
      "Written by `make stopping` on ", Sys.Date(), ". Each call would take far longer; after ",
      usual_time, " seconds or less it was stopped, by setTimeLimit() and by the signal of Ctrl-C. ",
      "The columns tell how many seconds later it ended. More than ", stopping_limit, " is late; ",
      "what was late was measured once more, and the better of both is told."
    ),
    "",
    "| what | count |", "|---|---|", sprintf("| %s | %d |", names(counts), as.integer(counts)),
    "",
    "| call | limit | signal | |", "|---|---|---|---|",
    sprintf(
      "| %s | %s | %s | %s |", rows$call, shown(rows$limit), shown(rows$signal),
      ifelse(rows$outcome == "stopped", "", rows$outcome)
    )
  ), "inst/stopping.md")
  cat("Written: inst/stopping.md\n")
}
if (!stopping_holds(rows)) {
  cat("Some calls did not stop, came to their end, or were more than", stopping_limit, "s late.\n")
  quit(status = 1L)
}
