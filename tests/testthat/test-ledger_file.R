# Budgets in files. What the core does with damage, kills and full disks is tested in
# tests/cpp/test_ledger_text.cpp, test_ledger_file.cpp and test_ledger_kills.cpp.

# A folder of its own as working directory, so that names in messages are short and always the same.
local_folder <- function(env = parent.frame()) {
  folder <- tempfile("ledger")
  dir.create(folder)
  old <- setwd(folder)
  do.call(on.exit, list(substitute({
    setwd(old)
    unlink(folder, recursive = TRUE)
  }, list(old = old, folder = folder)), add = TRUE), envir = env)
  invisible(folder)
}

spend <- function(budget, amount, target = "count") {
  debit_budget(budget, "laplace", target, cost_of_epsilon(amount))
}

# In a process of its own, which has seen nothing of what happened here.
elsewhere <- function(code) {
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  library <- dirname(system.file(package = "privpc"))
  writeLines(c(
    paste0(
      "suppressMessages(library(privpc, lib.loc = ", encodeString(library, quote = "\""), "))"
    ),
    code
  ), script)
  rscript <- file.path(R.home("bin"), "Rscript")
  system2(rscript, c("--vanilla", shQuote(script)), stdout = TRUE, stderr = TRUE)
}

test_that("a budget with a file goes on where it ended, in this session and in others", {
  local_folder()
  budget <- privacy_budget(1, 1e-6, file = "cohort.ledger", data = "cohort 2024")
  expect_s3_class(budget, "privpc_budget")
  expect_identical(budget$data, "cohort 2024")
  laplace_mechanism(1, 1, 0.1, budget = budget, target = "cases")
  gaussian_mechanism(1, 1, rho = 0.001, budget = budget, target = "\u00e9ge | sex")
  again <- privacy_budget(file = "cohort.ledger")
  expect_identical(again[c("epsilon", "delta", "rho")], budget[c("epsilon", "delta", "rho")])
  expect_identical(privacy_ledger(again), privacy_ledger(budget))
  expect_identical(privacy_ledger("cohort.ledger"), privacy_ledger(budget))
  # The same line begins it and goes on with it.
  same <- privacy_budget(1, 1e-6, file = "cohort.ledger", data = "cohort 2024")
  spend(same, 0.1)
  # All of them are one.
  expect_identical(nrow(privacy_ledger(budget)), 3L)
  # As it would be in memory.
  memory <- privacy_budget(1, 1e-6)
  debit_budget(memory, "laplace", "cases", cost_of_epsilon(0.1))
  debit_budget(memory, "gaussian", "\u00e9ge | sex", cost_of_rho(0.001))
  spend(memory, 0.1)
  expect_identical(privacy_ledger(budget), privacy_ledger(memory))
  skip_on_cran()
  out <- elsewhere(c(
    'budget <- privacy_budget(file = "cohort.ledger")',
    "invisible(laplace_mechanism(1, 1, 0.1, budget = budget))",
    "cat(nrow(privacy_ledger(budget)))"
  ))
  expect_identical(out, "4")
  expect_identical(nrow(privacy_ledger(budget)), 4L)
})

test_that("a budget with a file prints its data set and its file", {
  local_folder()
  budget <- privacy_budget(1, 1e-6, file = "cohort.ledger", data = "cohort 2024")
  spend(budget, 0.1)
  expect_snapshot({
    budget
    format(budget)
    privacy_ledger("cohort.ledger")
  })
  # Without a name of its own the data set has that of the file.
  expect_identical(privacy_budget(1, file = "survey.2024.ledger")$data, "survey.2024")
})

test_that("the file is text that people can read, without times and places", {
  local_folder()
  spend(privacy_budget(1, file = "cohort.ledger", data = "cohort 2024"), 0.25, "cases")
  lines <- readLines("cohort.ledger")
  hidden <- gsub("[0-9a-f]{64}$", "<hash>", lines)
  hidden <- gsub("(id|check) [0-9a-f]{16,32}", "\\1 <digits>", hidden)
  expect_snapshot(writeLines(gsub(" +", " ", hidden)))
  expect_identical(unname(file.size("cohort.ledger")) %% 256, 0)
})

test_that("every step that a budget pays for is in the file", {
  local_folder()
  budget <- privacy_budget(50, 1e-3, reserve = 1e-4, file = "all.ledger")
  data <- small_cohort(2000)
  numbers <- data.frame(x = rep(1:9, 20))
  laplace_mechanism(1, 1, 0.1, budget = budget)
  gaussian_mechanism(1, 1, rho = 0.001, budget = budget)
  exponential_mechanism(c(a = 1, b = 2), 1, 0.1, budget = budget)
  sparse_vector(c(1, 2), 3, 1, 0.1, budget = budget)
  sieve_and_examine(
    list(function(rows) 0.1), n = 100, threshold = 0.5, sensitivity = 0.01, epsilon = 0.1,
    budget = budget
  )
  private_median(stats::runif(500), 0, 1, 0.1, 1e-6, budget = budget)
  private_test(data, "a", "b", epsilon = 0.1, budget = budget)
  private_breaks(numbers, "x", bins = 2, epsilon = 0.1, bounds = list(x = c(1, 9)), budget = budget)
  for (learner in learner_names(private = TRUE)) {
    suppressMessages(suppressWarnings(
      learner_function(learner)(data, epsilon = 1, budget = budget)
    ))
  }
  expect_identical(
    privacy_ledger("all.ledger")$mechanism,
    c(
      "laplace", "gaussian", "exponential", "sparse vector", "sieve and examine", "smooth median",
      "private test", "exponential", learner_names(private = TRUE)
    )
  )
  expect_identical(length(readLines("all.ledger")), 9L + length(learner_names(private = TRUE)))
})

test_that("an overdraft is refused and not written", {
  local_folder()
  budget <- privacy_budget(1, file = "cohort.ledger")
  spend(budget, 0.75)
  size <- file.size("cohort.ledger")
  expect_error(spend(budget, 0.5), class = "privpc_overdraft")
  expect_error(laplace_mechanism(1, 1, 0.5, budget = budget), class = "privpc_overdraft")
  expect_identical(file.size("cohort.ledger"), size)
  spend(budget, 0.25)
})

test_that("another promise than that of the file is refused, and both are shown", {
  local_folder()
  budget <- privacy_budget(1, 1e-6, 1e-7, file = "cohort.ledger", data = "cohort 2024")
  size <- file.size("cohort.ledger")
  expect_snapshot({
    show_refusal(privacy_budget(2, 1e-6, 1e-7, file = "cohort.ledger"))
    show_refusal(privacy_budget(1, 1e-6, 1e-7, file = "cohort.ledger", data = "cohort 2023"))
    show_refusal(privacy_budget(delta = 1e-5, file = "cohort.ledger"))
  })
  other <- function(...) {
    expect_error(privacy_budget(..., file = "cohort.ledger"), class = "privpc_other_promise")
  }
  other(1)
  other(1, 1e-6)
  other(1 + 1e-15, 1e-6, 1e-7)
  other(1, 1e-6, 1e-7, "add-remove")
  other(neighbours = "add-remove")
  other(reserve = 0)
  # What is left out is taken from the file.
  expect_identical(privacy_budget(delta = 1e-6, file = "cohort.ledger")$reserve, 1e-7)
  expect_identical(file.size("cohort.ledger"), size)
})

test_that("arguments of a budget with a file are checked", {
  local_folder()
  writeLines("a,b", "table.csv")
  dir.create("folder")
  file.create("empty")
  expect_snapshot({
    show_refusal(privacy_budget(file = "cohort.ledger"))
    show_refusal(privacy_budget(1, file = "nowhere/cohort.ledger"))
    show_refusal(privacy_budget(1, file = "table.csv"))
    show_refusal(privacy_budget(file = "empty"))
    show_refusal(privacy_budget(1, file = "folder"))
    show_refusal(privacy_budget(1, file = 3))
    show_refusal(privacy_budget(1, data = "cohort"))
    show_refusal(privacy_budget(1, file = "a.ledger", data = "two\nlines"))
    show_refusal(privacy_budget(1, file = "a.ledger", data = strrep("x", 101)))
    show_refusal(privacy_ledger("cohort.ledger"))
    show_refusal(privacy_ledger("nowhere/cohort.ledger"))
    show_refusal(privacy_ledger(c("a", "b")))
  })
  expect_identical(readLines("table.csv"), "a,b")
  expect_setequal(list.files(), c("table.csv", "folder", "empty"))
})

test_that("the file is found when the working directory is another one", {
  folder <- local_folder()
  budget <- privacy_budget(1, file = "cohort.ledger")
  dir.create("elsewhere")
  setwd("elsewhere")
  spend(budget, 0.25)
  setwd(folder)
  expect_identical(nrow(privacy_ledger("cohort.ledger")), 1L)
})

test_that("a ledger that was edited, torn, cut or put back is refused in clear words", {
  local_folder()
  budget <- privacy_budget(1, file = "cohort.ledger")
  spend(budget, 0.25, "age")
  older <- readBin("cohort.ledger", "raw", 1e6)
  spend(budget, 0.25, "sex")
  whole <- readBin("cohort.ledger", "raw", 1e6)
  put <- function(bytes, file = "cohort.ledger") writeBin(bytes, file)
  pay <- function(budget) spend_in(budget, rlang::current_env())
  spend_in <- function(budget, call) {
    debit_budget(budget, "laplace", "", cost_of_epsilon(0.1), call = call)
  }
  edited <- whole
  edited[regexpr("age", rawToChar(whole), fixed = TRUE)] <- charToRaw("e")
  put(edited)
  expect_snapshot({
    show_refusal(pay(budget))
    budget
    format(budget)
    show_refusal(laplace_mechanism(1, 1, 0.1, budget = budget))
    show_refusal(privacy_ledger("cohort.ledger"))
  })
  edited <- whole
  edited[[20L]] <- as.raw(0L)
  put(edited)
  expect_snapshot(show_refusal(pay(budget)))
  put(older)
  expect_snapshot({
    show_refusal(pay(budget))
    show_refusal(privacy_budget(file = "cohort.ledger"))
  })
  put(c(whole, charToRaw("3 | units 12")))
  expect_snapshot(show_refusal(privacy_budget(file = "cohort.ledger")))
  put(charToRaw(sub("ledger 1", "ledger 2", rawToChar(whole))))
  expect_snapshot(show_refusal(privacy_budget(file = "cohort.ledger")))
  unlink("cohort.ledger")
  expect_snapshot(show_refusal(pay(budget)))
  # Another ledger in its place.
  privacy_budget(1, file = "another.ledger", data = "cohort")
  file.rename("another.ledger", "cohort.ledger")
  expect_snapshot(show_refusal(pay(budget)))
  # The file as it was is accepted again, with all that was spent.
  put(whole)
  expect_identical(nrow(privacy_ledger(budget)), 2L)
})

test_that("what the disk refuses is told in clear words", {
  refuse <- function(...) {
    error <- structure(
      class = c("privpc_core_file_error", "error", "condition"),
      list(message = "", call = NULL, ...)
    )
    abort_ledger_file(error, "somewhere/cohort.ledger", rlang::current_env())
  }
  expect_snapshot({
    show_refusal(refuse(problem = "busy"))
    show_refusal(refuse(problem = "no_locks"))
    show_refusal(refuse(problem = "failed", doing = "written", reason = "No space left on device"))
    show_refusal(refuse(problem = "failed", doing = "opened", reason = "Permission denied"))
  })
  overspent <- structure(
    class = c("privpc_core_bad_ledger", "error", "condition"),
    list(message = "", call = NULL, problem = "overspent", entry = 3)
  )
  expect_snapshot(cat(ledger_file_words(overspent, "cohort.ledger"), sep = "\n"))
})

test_that("a step that was stopped while it was written counts", {
  local_folder()
  budget <- privacy_budget(1, file = "cohort.ledger")
  spend(budget, 0.25)
  whole <- readBin("cohort.ledger", "raw", 1e6)
  # Another file with the same beginning and one entry more, as another process leaves it.
  skip_on_cran()
  elsewhere(c(
    'budget <- privacy_budget(file = "cohort.ledger")',
    "invisible(laplace_mechanism(1, 1, 0.5, budget = budget))"
  ))
  longer <- readBin("cohort.ledger", "raw", 1e6)
  writeBin(longer[seq_len(length(whole) + 140L)], "cohort.ledger")
  expect_snapshot(privacy_ledger(budget))
  expect_error(spend(budget, 0.5), class = "privpc_overdraft")
  spend(budget, 0.25)
  expect_identical(privacy_ledger("cohort.ledger")$cumulative, c(0.25, 0.75, 1))
})

test_that("a full disk refuses the step, releases nothing and says why", {
  skip_on_os("windows")
  skip_on_cran()
  local_folder()
  privacy_budget(1, file = "cohort.ledger")
  script <- c(
    'budget <- privacy_budget(file = "cohort.ledger")',
    'released <- "nothing"',
    "refused <- tryCatch({",
    "  for (i in 1:8) laplace_mechanism(1, 1, 0.1, budget = budget)",
    '  released <- "all"',
    "}, privpc_ledger_file = conditionMessage)",
    'cat(refused, released, nrow(privacy_ledger(budget)), sep = "\\n")'
  )
  # Files of this process may have 1 KiB: the promise and three entries. A script of its own, since
  # the limit holds for all that R writes, too.
  writeLines(c(paste0(
    "suppressMessages(library(privpc, lib.loc = ",
    encodeString(dirname(system.file(package = "privpc")), quote = "\""), "))"
  ), script), "script.R")
  command <- paste(
    "trap '' XFSZ; ulimit -f 2;", shQuote(file.path(R.home("bin"), "Rscript")), "--vanilla script.R"
  )
  out <- system2("sh", c("-c", shQuote(command)), stdout = TRUE, stderr = TRUE)
  expect_match(out[[1L]], "cannot be written: File too large", fixed = TRUE)
  expect_identical(utils::tail(out, 2L), c("nothing", "3"))
  expect_identical(nrow(privacy_ledger("cohort.ledger")), 3L)
  expect_identical(file.size("cohort.ledger"), 1024)
})

test_that("a saved budget with a file says how to open it again", {
  local_folder()
  budget <- privacy_budget(1, file = "cohort.ledger", data = "cohort 2024")
  spend(budget, 0.25)
  saveRDS(budget, "budget.rds")
  loaded <- readRDS("budget.rds")
  loaded$file <- file.path("somewhere", basename(loaded$file))
  pay <- function(budget) check_budget(budget, call = rlang::current_env())
  expect_snapshot({
    show_refusal(pay(loaded))
    loaded
  })
})

test_that("a forked process spends from the file", {
  skip_on_os("windows")
  skip_on_cran()
  local_folder()
  budget <- privacy_budget(1, file = "cohort.ledger")
  spend(budget, 0.25)
  taken <- parallel::mclapply(1:6, function(i) {
    tryCatch(
      {
        laplace_mechanism(1, 1, 0.125, budget = budget)
        1
      },
      privpc_overdraft = function(e) 0
    )
  }, mc.cores = 3L)
  expect_identical(sum(unlist(taken)), 6)
  expect_identical(nrow(privacy_ledger(budget)), 7L)
  expect_error(spend(budget, 0.01), class = "privpc_overdraft")
})

test_that("a budget with a file that was changed by hand is refused", {
  local_folder()
  budget <- privacy_budget(1, 1e-6, file = "cohort.ledger", data = "cohort 2024")
  for (name in c("epsilon", "delta", "reserve", "rho")) {
    other <- budget
    other[[name]] <- 1e-7
    expect_error(check_budget(other), class = "privpc_bad_budget")
  }
  other <- budget
  other$data <- "another"
  expect_error(check_budget(other), class = "privpc_bad_budget")
  other <- budget
  other$file <- NULL
  expect_error(check_budget(other), class = "privpc_bad_budget")
  expect_no_error(check_budget(budget))
})

test_that("a file that allows more than its promise is refused", {
  local_folder()
  cpp_create_ledger_file("more.ledger", "cohort", 1, 1e-6, 0, "replace-one", 0.5)
  expect_error(privacy_budget(file = "more.ledger"), class = "privpc_ledger_file")
  expect_snapshot(show_refusal(privacy_budget(file = "more.ledger")))
  cpp_create_ledger_file("less.ledger", "cohort", 1, 1e-6, 0, "replace-one", 0.01)
  expect_identical(privacy_budget(file = "less.ledger")$rho, 0.01)
  cpp_create_ledger_file("kind.ledger", "cohort", 1, 0, 0, "strangers", 1)
  expect_error(privacy_budget(file = "kind.ledger"), class = "privpc_ledger_file")
})

test_that("fits say which one of the data set they are, and what all have cost", {
  local_folder()
  cohort <- small_cohort(2000)
  budget <- privacy_budget(5, 1e-6, file = "cohort.ledger", data = "cohort 2024")
  first <- svt_pc(cohort, epsilon = 0.5, budget = budget)
  expect_identical(first$privacy$budget$ledger$entry, 1L)
  expect_identical(first$privacy$budget$ledger$fits, 1L)
  laplace_mechanism(1, 1, 0.1, budget = budget)
  fit <- marginal_pc(cohort, epsilon = 1, budget = privacy_budget(file = "cohort.ledger"))
  kept <- fit$privacy$budget$ledger
  expect_identical(kept[c("data", "entry", "fits", "others")], list(
    data = "cohort 2024", entry = 3L, fits = 2L, others = 1L
  ))
  ledger <- privacy_ledger(budget)
  expect_identical(kept$spent, ledger$cumulative[[3L]])
  # The receipt is in the file, and the place of the file is not in the fit.
  expect_match(readLines("cohort.ledger")[[4L]], kept$receipt, fixed = TRUE)
  expect_false(any(grepl("cohort.ledger", unlist(fit$privacy), fixed = TRUE)))
  expect_match(privacy_text(fit$privacy, fit$ledger), "as fit 2 of the data set \"cohort 2024\"")
  said <- gsub("receipt [0-9a-f]{16}", "receipt <digits>", report(fit)[["budget"]])
  said <- gsub("\\([^()]*\\); .* spent in .*?[.] It", "(...); ... It", said, perl = TRUE)
  expect_snapshot({
    cat(strwrap(said), sep = "\n")
    cat(strwrap(spent_so_far_text(kept)), sep = "\n")
  })
  # Later steps do not change what the fit says.
  laplace_mechanism(1, 1, 0.1, budget = budget)
  expect_identical(fit$privacy$budget$ledger, kept)
})

test_that("a fit of the same data without the budget says what was spent before", {
  local_folder()
  cohort <- small_cohort(2000)
  other <- stats::setNames(cohort, toupper(names(cohort)))
  budget <- privacy_budget(5, 1e-6, file = "cohort.ledger", data = "cohort 2024")
  expect_no_message(svt_pc(cohort, epsilon = 0.5))
  svt_pc(cohort, epsilon = 0.5, budget = budget)
  expect_snapshot(fit <- show_said(svt_pc(cohort, epsilon = 0.5)))
  expect_message(marginal_pc(cohort, epsilon = 0.5), class = "privpc_spent_before")
  expect_identical(fit$privacy$beside[c("data", "entry", "fits")], list(
    data = "cohort 2024", entry = 1L, fits = 1L
  ))
  expect_match(
    report(fit)[["budget"]], "It was not paid from the ledger of the data set \"cohort 2024\""
  )
  expect_match(privacy_text(fit$privacy, fit$ledger), "Not paid from the ledger")
  # Other data, and what is not private anyway.
  expect_no_message(svt_pc(other, epsilon = 0.5))
  expect_no_message(svt_pc(cohort, epsilon = 0.5, seed = 1))
  # By the name of the data set alone.
  privacy_budget(5, 1e-6, file = "other.ledger", data = "other")
  expect_message(svt_pc(other, epsilon = 0.5), "0 fits, all together")
  # A ledger that is gone says nothing.
  unlink(c("cohort.ledger", "other.ledger"))
  expect_no_message(svt_pc(cohort, epsilon = 0.5))
})

test_that("a file begun without delta does not pay for Gaussian noise, and says what to do", {
  local_folder()
  budget <- privacy_budget(1, file = "pure.ledger")
  expect_snapshot(
    show_refusal(marginal_pc(simulate(network("asia"), nsim = 500, seed = 1), 0.5, budget = budget))
  )
})

test_that("a ledger that was deleted is not begun anew in the same session", {
  local_folder()
  budget <- privacy_budget(1, file = "gone.ledger")
  spend(budget, 1)
  unlink("gone.ledger")
  expect_snapshot(show_refusal(privacy_budget(1, file = "gone.ledger")))
  expect_false(file.exists("gone.ledger"))
})
