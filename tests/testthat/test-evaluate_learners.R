# Small designs: what is tested is the machinery, not the learners.
small_evaluation <- function(..., networks = "cancer", learners = c("em_pc", "exact_pc"),
                             epsilon = c(0.5, 5), n = 2000, runs = 2, noise_seed = 1,
                             progress = FALSE) {
  evaluate_learners(
    networks, learners, epsilon, n = n, runs = runs, noise_seed = noise_seed,
    progress = progress, ...
  )
}

without_time <- function(x) x[names(x) != "seconds"]

# A private learner that needs no time: the graph in which the first two variables are joined.
first_pair <- function(data, epsilon, delta) {
  amat <- matrix(0L, length(data), length(data), dimnames = list(names(data), names(data)))
  amat[1, 2] <- amat[2, 1] <- 1L
  amat
}

# A name that no file has, in a folder of its own.
fresh_file <- function(name = "evaluation.csv") {
  folder <- tempfile("folder")
  dir.create(folder)
  file.path(folder, name)
}

test_that("one row per fit, with the scores of compare_graphs()", {
  found <- small_evaluation(networks = c("cancer", "survey"))
  expect_s3_class(found, c("privpc_evaluation", "data.frame"), exact = TRUE)
  expect_identical(names(found), names(evaluation_columns))
  # Two networks, two runs, two epsilons and one fit without privacy.
  expect_identical(nrow(found), 2L * 2L * 3L)
  expect_identical(anyDuplicated(found[c("network", "learner", "epsilon", "n", "run")]), 0L)
  expect_identical(unique(found$delta[found$learner == "em_pc"]), 1e-6)
  expect_identical(unique(found$epsilon[found$learner == "exact_pc"]), Inf)
  expect_true(all(found$seconds > 0))
  expect_true(all(is.na(found$problem)))
  # The data are those that the help page promises, and so are the scores.
  for (i in which(found$learner == "exact_pc")) {
    truth <- network(found$network[[i]])
    data <- simulate(truth, nsim = found$n[[i]], seed = 1 + found$run[[i]] - 1)
    fit <- suppressMessages(exact_pc(data))
    score <- compare_graphs(fit, truth)
    expect_identical(found$skeleton_precision[[i]], score$precision[[1]])
    expect_identical(found$skeleton_recall[[i]], score$recall[[1]])
    expect_identical(found$skeleton_f1[[i]], score$f1[[1]])
    expect_identical(found$cpdag_precision[[i]], score$precision[[2]])
    expect_identical(found$cpdag_recall[[i]], score$recall[[2]])
    expect_identical(found$cpdag_f1[[i]], score$f1[[2]])
    expect_identical(found$shd[[i]], score$shd[[2]])
    expect_identical(found$tests[[i]], as.double(sum(fit$settings$tests)))
  }
  private <- found[found$learner == "em_pc", ]
  expect_true(all(private$spent > 0 & private$spent <= 1 + 1e-9))
})

test_that("all learners of the package can be named, and get their budget", {
  found <- evaluate_learners("cancer", epsilon = 2, delta = 1e-7, n = 1000, runs = 1)
  expect_setequal(found$learner, learner_names())
  expect_true(all(is.na(found$problem)))
  expect_identical(found$delta, ifelse(found$learner == "exact_pc", 0, 1e-7))
})

test_that("learners of the user's own are called by their arguments", {
  seen <- list()
  note <- function(data, epsilon, delta, threads, progress, seed) {
    seen[[length(seen) + 1L]] <<- list(nrow(data), epsilon, delta, threads, progress, seed)
    first_pair(data)
  }
  found <- small_evaluation(learners = list(
    note = note, plain = function(data) first_pair(data), bare = function(x, epsilon) first_pair(x),
    again = exact_pc, "em_pc"
  ), epsilon = 3, runs = 1, delta = 1e-5)
  expect_length(seen, 1L)
  expect_identical(seen[[1]][1:5], list(2000L, 3, 1e-5, 1L, FALSE))
  expect_true(is.numeric(seen[[1]][[6]]))
  expect_identical(found$learner, c("note", "plain", "bare", "again", "em_pc"))
  expect_identical(found$epsilon, c(3, Inf, 3, Inf, 3))
  # Pollution and Smoker are not joined in the network: nothing is right.
  expect_identical(found$skeleton_f1[1:3], c(0, 0, 0))
  expect_identical(found$shd[1:3], rep(5L, 3))
  expect_identical(is.na(found$tests), c(TRUE, TRUE, TRUE, FALSE, FALSE))
  # Without a seed for the noise none is handed over.
  given <- NULL
  small_evaluation(learners = list(note = function(data, epsilon, seed = 0) {
    given <<- seed
    first_pair(data)
  }), epsilon = 3, runs = 1, noise_seed = NULL)
  expect_identical(given, 0)
})

test_that("networks may be objects, and the same under another name", {
  cancer <- network("cancer")
  found <- small_evaluation(networks = list("cancer", mine = cancer), learners = "exact_pc")
  mine <- found[found$network == "mine", -1]
  row.names(mine) <- NULL
  expect_identical(without_time(mine), without_time(found[found$network == "cancer", -1]))
  alone <- small_evaluation(networks = cancer, learners = "exact_pc")
  expect_identical(unique(alone$network), "cancer")
})

test_that("a seed for the noise makes everything repeatable, in any number of processes", {
  skip_on_os("windows")
  once <- small_evaluation(networks = c("cancer", "survey"))
  again <- small_evaluation(networks = c("cancer", "survey"), threads = 2)
  expect_identical(without_time(once), without_time(again))
  # A larger design has the same cells in it.
  larger <- small_evaluation(networks = c("survey", "cancer"), epsilon = c(5, 0.5, 1), runs = 3)
  at <- match(cell_key(once), cell_key(larger))
  expect_identical(without_time(once), without_time(larger[at, ]), ignore_attr = "row.names")
})

test_that("noise comes from the seed for the noise if there is one, else from the system", {
  # The noise of each fit, on a scale on which two draws are never the same.
  noise_of <- function(noise_seed) {
    seen <- numeric()
    draw <- function(data, epsilon, seed = NULL) {
      noise <- laplace_mechanism(0, sensitivity = 1e6, epsilon = epsilon, seed = seed)$value
      seen <<- c(seen, noise)
      first_pair(data)
    }
    small_evaluation(learners = list(draw = draw), noise_seed = noise_seed)
    seen
  }
  expect_identical(noise_of(1), noise_of(1))
  expect_identical(anyDuplicated(c(noise_of(1), noise_of(2))), 0L)
  expect_identical(anyDuplicated(c(noise_of(NULL), noise_of(NULL))), 0L)
})

test_that("work that was interrupted is continued, whatever it left behind", {
  file <- fresh_file()
  calls <- 0
  stops <- function(data, epsilon) {
    calls <<- calls + 1
    # As an interrupt does it: not an error, and nothing that the evaluation catches.
    if (calls == 4) signalCondition(structure(class = c("stopped", "condition"), list()))
    first_pair(data)
  }
  run <- function() {
    small_evaluation(learners = list(stops = stops), epsilon = 1:3, runs = 2, file = file)
  }
  expect_s3_class(tryCatch(run(), stopped = identity), "stopped")
  expect_identical(nrow(read_evaluation_file(file)$cells), 3L)
  # A crash may also leave half a line.
  cat("\"cancer\",\"stops\",1,1e-", file = file, append = TRUE)
  expect_false(read_evaluation_file(file)$whole)
  found <- run()
  expect_identical(calls, 7)
  expect_identical(nrow(found), 6L)
  expect_true(read_evaluation_file(file)$whole)
  # Nothing is left to do.
  expect_identical(run(), found)
  expect_identical(calls, 7)
})

test_that("a design may grow and shrink in its file", {
  file <- fresh_file()
  few <- small_evaluation(file = file)
  more <- small_evaluation(
    file = file, epsilon = c(0.5, 5, 1), runs = 3, learners = c("em_pc", "exact_pc", "svt_pc")
  )
  at <- match(cell_key(few), cell_key(more))
  expect_identical(few, more[at, ], ignore_attr = "row.names")
  size <- file.size(file)
  expect_identical(small_evaluation(file = file), few)
  expect_identical(file.size(file), size)
})

test_that("a changed design is refused and the file left alone", {
  file <- fresh_file("results.csv")
  mine <- network("cancer")
  learners <- list(a = function(data, epsilon) first_pair(data))
  run <- function(networks = list(mine), by = learners, ...) {
    small_evaluation(networks = networks, learners = by, file = file, ...)
  }
  run()
  before <- readLines(file)
  other <- mine
  other$probabilities$Smoker[] <- c(0.4, 0.6)
  expect_snapshot({
    show_refusal(run(seed = 2))
    show_refusal(run(delta = 1e-5, noise_seed = 4))
    show_refusal(run(networks = list(other)))
    show_refusal(run(by = list(a = function(data, epsilon) first_pair(data[2:1]))))
  })
  expect_identical(readLines(file), before)
  writeLines("something else", file)
  expect_snapshot(show_refusal(run()), transform = function(x) gsub("'.*results", "'results", x))
  expect_identical(readLines(file), "something else")
})

test_that("a fit that fails is told and tried again", {
  file <- fresh_file()
  broken <- TRUE
  fails <- function(data, epsilon) {
    if (broken && epsilon == 2) stop("no {such}\n\"thing\", says the learner")
    first_pair(data)
  }
  run <- function() {
    small_evaluation(learners = list(fails = fails), epsilon = 1:2, runs = 2, file = file)
  }
  expect_snapshot(found <- show_said(run()))
  expect_identical(is.na(found$problem), c(TRUE, FALSE, TRUE, FALSE))
  expect_identical(found$problem[[2]], "no {such} \"thing\", says the learner")
  expect_identical(is.na(found$skeleton_f1), c(FALSE, TRUE, FALSE, TRUE))
  expect_identical(unique(summary(found)$scores$epsilon), 1)
  broken <- FALSE
  expect_true(all(is.na(run()$problem)))
})

test_that("fits of a process that died are told", {
  skip_on_os("windows")
  dies <- function(data, epsilon) {
    # Only ever in a process of its own.
    if (Sys.getpid() != here && epsilon == 2) tools::pskill(Sys.getpid(), tools::SIGKILL)
    first_pair(data)
  }
  here <- Sys.getpid()
  expect_warning(
    found <- small_evaluation(learners = list(dies = dies), epsilon = 1:3, runs = 2, threads = 2),
    class = "privpc_failed_fits"
  )
  expect_identical(is.na(found$problem), rep(c(TRUE, FALSE, FALSE), 2))
  expect_match(found$problem[[2]], "ended early")
})

test_that("no process stays behind after an interrupt", {
  skip_on_os("windows")
  jobs <- lapply(1:3, function(k) data.frame(at = k))
  started <- fresh_file()
  stops <- function(count) signalCondition(structure(class = c("stopped", "condition"), list()))
  found <- tryCatch(
    run_forked(jobs, 2, stops, function(cells, is_wanted) {
      cat(Sys.getpid(), "\n", file = started, append = TRUE)
      # The first one ends at once, which brings the signal; the second one is still at work then.
      if (cells$at == 2) while (is_wanted()) Sys.sleep(0.05)
    }),
    stopped = identity
  )
  expect_s3_class(found, "stopped")
  pids <- scan(started, quiet = TRUE)
  expect_gte(length(pids), 2L)
  expect_null(suppressWarnings(parallel::mccollect(wait = FALSE)))
  # Signal 0 asks only whether the process is there. On a busy machine, one that has handed over
  # its result may take a moment to end.
  for (i in 1:100) {
    if (!any(tools::pskill(pids, 0))) break
    Sys.sleep(0.1)
  }
  expect_false(any(tools::pskill(pids, 0)))
})

# Of a process that has ended and was not collected a number is left, where nobody collects orphans.
are_at_work <- function(pids) {
  vapply(pids, function(pid) {
    status <- file.path("/proc", pid, "stat")
    line <- tryCatch(
      readLines(status, warn = FALSE), error = function(e) "", warning = function(w) ""
    )
    tools::pskill(pid, 0) && !any(grepl(") Z ", line, fixed = TRUE))
  }, NA)
}

test_that("processes end with the one that started them, however that ended", {
  skip_on_cran()
  skip_on_os("windows")
  pids <- fresh_file()
  # Two processes that would work for minutes, one of them where R is not asked.
  script <- fresh_file(".R")
  writeLines(c(
    "library(privpc)",
    paste0("pids <- ", deparse(pids)),
    "slow <- function(data) {",
    "  cat(Sys.getpid(), \"\\n\", file = pids, append = TRUE)",
    "  deadline <- Sys.time() + 300",
    "  while (Sys.time() < deadline) Sys.sleep(0.1)",
    "}",
    "busy <- function(data) {",
    "  cat(Sys.getpid(), \"\\n\", file = pids, append = TRUE)",
    "  edge_strength(fit, draws = 1e6, threads = 1, progress = FALSE)",
    "}",
    "cohort <- simulate(network(\"alarm\"), nsim = 5000, seed = 1)",
    "fit <- suppressMessages(suppressWarnings(marginal_pc(cohort, epsilon = 3)))",
    "cat(Sys.getpid(), \"\\n\", file = pids, append = TRUE)",
    "evaluate_learners(\"cancer\", list(of_two = function(data) {",
    "  if (nrow(data) == 100) slow(data) else busy(data)",
    "}), n = c(100, 200), runs = 1, threads = 2, progress = FALSE)"
  ), script)
  system2(file.path(R.home("bin"), "Rscript"), shQuote(script), wait = FALSE, stdout = FALSE,
          stderr = FALSE, env = paste0("R_LIBS=", paste(.libPaths(), collapse = ":")))
  found <- function() if (file.exists(pids)) scan(pids, quiet = TRUE) else integer()
  until <- function(done, seconds) {
    for (i in seq_len(10 * seconds)) {
      if (done()) break
      Sys.sleep(0.1)
    }
    done()
  }
  on.exit(tools::pskill(found(), tools::SIGKILL))
  expect_true(until(function() length(found()) == 3L, 120))
  workers <- found()[-1L]
  expect_true(all(are_at_work(workers)))
  tools::pskill(found()[[1L]], tools::SIGKILL)
  expect_true(until(function() !any(are_at_work(workers)), 30))
})

test_that("numbers are read from the file as they were written", {
  file <- fresh_file()
  epsilon <- c(0.1, 1 / 3, exp(seq(log(1), log(100), length.out = 5)))
  found <- small_evaluation(
    learners = list(`a, "quoted" # name` = first_pair), epsilon = epsilon, file = file, runs = 1
  )
  expect_identical(found$epsilon, epsilon)
  expect_identical(unique(found$learner), "a, \"quoted\" # name")
  file <- fresh_file()
  found <- small_evaluation(file = file)
  table <- utils::read.csv(
    file, comment.char = "#", na.strings = "", colClasses = evaluation_columns
  )
  expect_identical(
    table[names(table) != "problem"], as.data.frame(unclass(found))[names(table) != "problem"]
  )
  # Files of former versions did not name the columns.
  lines <- readLines(file)
  writeLines(setdiff(lines, column_line()), file)
  expect_identical(small_evaluation(file = file), found)
  x <- c(pi, 1e-300, 0.1, 1 / 3, Inf, 123456789012345680)
  expect_identical(as.double(exact_text(x)), x)
})

test_that("evaluations print, and summarise to means and standard deviations", {
  found <- small_evaluation(networks = c("cancer", "survey"), runs = 3, epsilon = c(0.5, 5, 50))
  tables <- summary(found)
  at <- found$network == "survey" & found$epsilon == 5
  row <- tables$scores[tables$scores$network == "survey" & tables$scores$epsilon == 5, ]
  expect_identical(row$skeleton_f1, mean(found$skeleton_f1[at]))
  expect_identical(row$skeleton_f1_sd, stats::sd(found$skeleton_f1[at]))
  expect_identical(row$cpdag_f1, mean(found$cpdag_f1[at]))
  expect_identical(row$shd, mean(found$shd[at]))
  expect_identical(row$runs, 3L)
  times <- tables$times
  at <- found$network == "survey" & found$learner == "em_pc"
  expect_identical(
    times$seconds[times$network == "survey" & times$learner == "em_pc"],
    stats::median(found$seconds[at])
  )
  # For the print, learners whose results never change.
  steady <- function(data, epsilon) if (epsilon > 1) network("cancer") else first_pair(data)
  found <- small_evaluation(
    learners = list(steady = steady, "exact_pc"), runs = 3, epsilon = c(0.5, 5, 50),
    n = c(500, 2000)
  )
  found$seconds <- ifelse(found$learner == "steady", 0.00234, 12.345)
  expect_snapshot({
    found
    summary(found)
    print(summary(found[found$n == 2000 & found$run == 1, ]), score = "shd")
    print(found[1:3, 1:2])
    found[0, ]
    summary(found[0, ])
  })
  # Not all values of epsilon fit the console.
  expect_snapshot(print(score_table(summary(found[found$n == 500, ])$scores, "shd", width = 50)))
  printed <- rlang::with_options(
    utils::capture.output(print(summary(found[found$n == 500, ]))), width = 50, cli.width = 50
  )
  expect_match(printed, "1 of 3 values of epsilon", all = FALSE)
})

test_that("a failure without a message is one, and a line that was cut is made again", {
  file <- fresh_file()
  mute <- function(data) stop()
  expect_warning(found <- small_evaluation(learners = list(mute = mute), file = file), "fail")
  expect_identical(unique(found$problem), "an error without a message")
  file <- fresh_file()
  whole <- small_evaluation(file = file)
  lines <- readLines(file)
  for (kept in c(1, 6, 14, 16)) {
    cut <- lines
    fields <- strsplit(lines[[length(lines) - 1L]], ",")[[1]]
    cut[[length(lines) - 1L]] <- paste(fields[seq_len(kept)], collapse = ",")
    writeLines(cut, file)
    expect_no_warning(again <- small_evaluation(file = file))
    expect_identical(without_time(again), without_time(whole))
  }
})

test_that("a limit on the time stops the whole", {
  slow <- function(data) {
    Sys.sleep(20)
    network("cancer")
  }
  on.exit(setTimeLimit())
  expect_error({
    setTimeLimit(elapsed = 2, transient = TRUE)
    small_evaluation(learners = list(slow = slow), runs = 3)
  }, "time limit")
})

test_that("plots show all panels and the numbers of the summary", {
  found <- small_evaluation(
    networks = c("cancer", "survey"), learners = c("em_pc", "svt_pc", "exact_pc"), n = c(500, 2000)
  )
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par(no.readonly = TRUE)
  drawn <- plot(found)
  expect_identical(graphics::par("mfrow", "mar"), before[c("mfrow", "mar")])
  expect_identical(levels(drawn$panel), c(
    "cancer, 500 rows", "cancer, 2,000 rows", "survey, 500 rows", "survey, 2,000 rows"
  ))
  scores <- summary(found)$scores
  scores <- scores[is.finite(scores$epsilon), ]
  expect_identical(drawn$mean, scores$skeleton_f1)
  expect_identical(drawn$sd, scores$skeleton_f1_sd)
  expect_identical(drawn$at, scores$epsilon)
  # Against the rows, learners without privacy stand in the panels of every epsilon.
  drawn <- plot(found, against = "n", score = "shd", columns = 1)
  expect_identical(levels(drawn$panel), c(
    "cancer, epsilon = 0.5", "cancer, epsilon = 5", "survey, epsilon = 0.5", "survey, epsilon = 5"
  ))
  expect_identical(as.vector(table(drawn$panel, drawn$learner)), rep(2L, 12L))
  one <- plot(found[found$epsilon == 5, ])
  expect_identical(sort(unique(one$at)), c(500, 2000))
  # Only what is not private, and a single run.
  expect_identical(nrow(plot(found[found$learner == "exact_pc" & found$n == 500, ])), 0L)
  expect_no_error(plot(found[found$run == 1 & found$n == 500, ]))
})

test_that("learners can be told apart by symbol, and by colour and line", {
  points <- data.frame(
    learner = factor(c("marginal_pc", "mine", "priv_pc", "yours", "exact_pc", "em_pc")),
    private = c(TRUE, TRUE, TRUE, TRUE, FALSE, TRUE)
  )
  look <- learner_looks(points)
  private <- look[look$private, ]
  expect_identical(anyDuplicated(private$symbol), 0L)
  expect_identical(anyDuplicated(private[c("colour", "line")]), 0L)
  expect_false(any(private$line == "dashed"))
  expect_identical(look$line[!look$private], "dashed")
  # The same look in every figure.
  alone <- learner_looks(points[1, ] |> droplevels())
  expect_identical(alone$colour, look$colour[look$learner == "marginal_pc"])
})

test_that("autoplot draws the same", {
  skip_if_not_installed("ggplot2")
  found <- small_evaluation(networks = c("cancer", "survey"))
  picture <- ggplot2::autoplot(found)
  expect_s3_class(picture, "ggplot")
  built <- ggplot2::ggplot_build(picture)
  expect_identical(nrow(built$layout$layout), 2L)
  scores <- summary(found)$scores
  private <- scores[is.finite(scores$epsilon), ]
  expect_setequal(built$data[[4]]$y, private$skeleton_f1)
  expect_setequal(built$data[[1]]$yintercept, scores$skeleton_f1[is.infinite(scores$epsilon)])
})

test_that("bad arguments are refused", {
  expect_snapshot({
    show_refusal(evaluate_learners("rome"))
    show_refusal(evaluate_learners(3))
    show_refusal(evaluate_learners(c("cancer", network("asia"))))
    show_refusal(evaluate_learners(structure(list(), class = c("bn.fit", "bn.fit.dnet"))))
    show_refusal(evaluate_learners("asia", epsilon = c(1, NA)))
    show_refusal(evaluate_learners(list()))
    show_refusal(evaluate_learners(list("asia", network("asia"))))
    show_refusal(evaluate_learners("asia", "pc"))
    show_refusal(evaluate_learners("asia", exact_pc))
    show_refusal(evaluate_learners("asia", list(exact_pc)))
    show_refusal(evaluate_learners("asia", list(none = function() 1)))
    show_refusal(evaluate_learners("asia", c("em_pc", "em_pc")))
    show_refusal(evaluate_learners("asia", list("a\nb" = exact_pc)))
    show_refusal(evaluate_learners("asia", epsilon = c(1, 0)))
    show_refusal(evaluate_learners("asia", epsilon = Inf))
    show_refusal(evaluate_learners("asia", n = 10.5))
    show_refusal(evaluate_learners("asia", runs = 0))
    show_refusal(evaluate_learners("asia", delta = 1))
    show_refusal(evaluate_learners("asia", seed = "a"))
    show_refusal(evaluate_learners("asia", noise_seed = -1))
    show_refusal(evaluate_learners("asia", threads = 0))
    show_refusal(evaluate_learners("asia", progress = NA))
    show_refusal(evaluate_learners("asia", file = 1))
    show_refusal(evaluate_learners("asia", file = "there/is/no/such/folder/a.csv"))
    show_refusal(evaluate_learners("asia", epsilons = 1))
  })
  found <- small_evaluation(learners = "exact_pc")
  expect_snapshot({
    show_refusal(plot(found, score = "f1"))
    show_refusal(plot(found, against = "run"))
    show_refusal(plot(found[1:3]))
    show_refusal(summary(found[1:3]))
    show_refusal(print(summary(found), score = 1))
  })
})
