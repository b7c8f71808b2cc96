#' How good are the learners?
#'
#' @description
#' Draws data from known networks, learns graphs from them with several learners at several
#' privacy budgets, and scores each graph against the network that made the data. The result is
#' a data frame with one row per fit; `plot()` draws accuracy against epsilon,
#' `summary()` gives tables of accuracy and time.
#'
#' All data are simulated, so the scores and times, which no private release could show, tell
#' nothing about anybody.
#'
#' @section Learners of your own: A learner is a function whose first argument is the data. If it
#' has an argument `epsilon`, it is run for every epsilon, and gets `delta` too if it has that
#' argument. If it has none, it counts as not private: like [exact_pc()] it is run once for each
#' data set and stands in the result with an epsilon of `Inf`. The package's own learners are
#' called by the same rule. Arguments `threads` and `progress`, if there are any, are set to 1 and
#' `FALSE`, so that times can be compared. What it returns may be any graph that
#' [compare_graphs()] takes. Messages and warnings of learners are not shown.
#'
#' A fit that fails leaves a row without scores and with the error in the column `problem`; the
#' others go on.
#'
#' @section Repeating and continuing: The data depend on `seed` alone: run `i` on `n` rows uses
#' `simulate(network, nsim = n, seed = seed + i - 1)`, whatever the learner. So all learners see
#' the same data and differences between them are not blurred by chance. The **noise** of the
#' private learners comes from the operating system and cannot be repeated, as in real use.
#' `noise_seed` makes it repeatable for those learners that have an argument `seed`.
#'
#' With a `file`, every fit is written there as soon as it is done. After an interrupt or a crash
#' the same call goes on where it stopped; with more runs, networks, learners or values of epsilon
#' only the new fits are made. Fits that failed are tried again. If `seed`, `noise_seed`, `delta`,
#' the version of the package, the content of a network or the code of a learner differs from what
#' the file was made with, the call is refused: the results would not belong together. (Only the
#' code of a learner is compared, not the values of variables that it takes from elsewhere.)
#' Without a `file` the results of an interrupted call are lost.
#'
#' @param networks Names of bundled networks ([networks()]), a network ([network()],
#'   [read_bif()]), or a list of both.
#' @param learners Names of learners of this package, or a list of such names and of functions;
#'   functions must be named, and the name is the label in the result.
#' @param epsilon Privacy budgets, each for a whole fit; numbers above 0.
#' @param delta One number for all private fits, or `NULL` for the learners' default: 1e-6, or
#'   1/(10 n) from 100,000 rows on.
#' @param n Numbers of rows.
#' @param runs How many data sets to draw for each network and number of rows.
#' @param seed A whole number from which the data are drawn.
#' @param threads How many data sets to work on at the same time, each in a process of its own
#'   (one after the other on Windows). The results are the same; the time of a fit may be longer
#'   if the processes get into each other's way.
#' @param progress Show a progress bar.
#' @param file Name of a file for the finished fits (a text file with comma-separated values), or
#'   `NULL`.
#' @param noise_seed A whole number for noise that can be repeated, or `NULL` for noise from the
#'   operating system. It changes nothing in the distribution of the results.
#' @param ... Must be empty; a misspelt argument is an error.
#'
#' @return A data frame of class `"privpc_evaluation"`, one row per fit, with the columns
#'   * `network`, `learner`, `epsilon` (`Inf` without privacy), `delta`, `n`, `run`,
#'   * `skeleton_precision`, `skeleton_recall`, `skeleton_f1`: the edges without their directions,
#'   * `cpdag_precision`, `cpdag_recall`, `cpdag_f1`, `shd`: the edges with their marks, against the
#'     CPDAG of the network, see [compare_graphs()],
#'   * `seconds`: elapsed time of the fit,
#'   * `tests`: how many independence tests it made, `NA` if it does not say,
#'   * `spent`: the part of the budget that was used, from 0 to 1, `NA` if it does not say,
#'   * `problem`: `NA`, or why the fit failed.
#' @seealso [plot.privpc_evaluation()], [summary.privpc_evaluation()], [compare_graphs()]; the
#'   vignette `paper` for the evaluation of Wang, Pang and Song (2020) made again.
#' @export
#' @examples
#' # How much budget do two learners need on a small network? The figures and tables of a real
#' # evaluation want more runs.
#' found <- evaluate_learners(
#'   "cancer", c("priv_pc", "marginal_pc", "exact_pc"), epsilon = c(0.1, 1, 10), n = 20000, runs = 3
#' )
#' found
#' summary(found)
#' plot(found)
#'
#' # The same learner twice, with different settings
#' thresholds <- evaluate_learners("cancer", list(
#'   strict = function(data, epsilon, delta) priv_pc(data, epsilon, delta, threshold = 4),
#'   lenient = function(data, epsilon, delta) priv_pc(data, epsilon, delta, threshold = 2)
#' ), epsilon = 1, n = 20000, runs = 3)
#' summary(thresholds)
#'
#' # A learner of your own, here one that is not private and knows nothing: all edges
#' everything <- function(data) {
#'   matrix(1L, length(data), length(data), dimnames = list(names(data), names(data))) -
#'     diag(length(data))
#' }
#' evaluate_learners("cancer", list("exact_pc", everything = everything), n = 20000, runs = 2)
evaluate_learners <- function(networks = c("earthquake", "cancer", "asia", "survey"),
                              learners = c(
                                "priv_pc", "em_pc", "svt_pc", "sg_pc", "marginal_pc", "exact_pc"
                              ),
                              epsilon = c(0.1, 0.3, 1, 3, 10), delta = NULL, n = 1e5, runs = 5,
                              seed = 1, threads = 1, progress = interactive(), file = NULL,
                              noise_seed = NULL, ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  networks <- check_evaluated_networks(networks, call)
  learners <- check_evaluated_learners(learners, call)
  epsilon <- unique(as.double(check_numbers(epsilon, min = 0, min_open = TRUE)))
  n <- check_numbers(n, min = 1, max = .Machine$integer.max, min_open = TRUE, whole = TRUE)
  n <- unique(as.double(n))
  check_number(runs, min = 1, max = 1e6, whole = TRUE)
  check_number(seed, min = -2^52, max = 2^52, whole = TRUE)
  if (!is.null(delta)) check_number(delta, min = 0, max = 1, max_open = TRUE)
  if (!is.null(noise_seed)) check_number(noise_seed, min = 0, max = 2^52, whole = TRUE)
  threads <- check_threads(threads, call)
  if (threads > 1L) check_suggested("parallel", "for more than one thread", call)
  check_flag(progress)
  if (!is.null(file)) check_string(file)

  design <- evaluation_design(networks, learners, epsilon, delta, n, runs, seed, noise_seed)
  if (is.null(file)) {
    file <- tempfile("evaluation", fileext = ".csv")
    on.exit(unlink(file))
  }
  facts <- design_facts(networks, learners, delta, seed, noise_seed)
  done <- open_evaluation_file(file, facts, call)
  missing <- design[!cell_key(design) %in% cell_key(done[is.na(done$problem), ]), ]
  run_cells(missing, networks, learners, file, threads, progress)
  new_evaluation(collect_cells(design, read_evaluation_file(file)$cells))
}

# ---- what is to be done -------------------------------------------------------------------------

# One row per fit, in the order of the result: data sets first, so that each is drawn only once.
evaluation_design <- function(networks, learners, epsilon, delta, n, runs, seed, noise_seed) {
  of_learner <- do.call(rbind, lapply(names(learners), function(name) {
    data.frame(learner = name, epsilon = if (is_private(learners[[name]])) epsilon else Inf)
  }))
  data_sets <- expand.grid(
    run = seq_len(runs), n = n, network = names(networks), stringsAsFactors = FALSE
  )
  each <- rep(seq_len(nrow(data_sets)), each = nrow(of_learner))
  again <- rep(seq_len(nrow(of_learner)), nrow(data_sets))
  cells <- data.frame(
    network = data_sets$network[each], of_learner[again, ],
    delta = NA_real_, n = data_sets$n[each], run = data_sets$run[each], row.names = NULL
  )
  private <- is.finite(cells$epsilon)
  cells$delta <- if (is.null(delta)) vapply(cells$n, default_delta, 0) else delta
  cells$delta[!private] <- 0
  cells$data_set <- each
  cells$data_seed <- seed + cells$run - 1
  cells$noise_seed <- if (is.null(noise_seed)) NA_real_ else noise_seeds(noise_seed, cells)
  cells
}

# A number of its own for each cell, which does not change when the design grows: taken from a
# hash of what the cell is.
noise_seeds <- function(noise_seed, cells) {
  hashes <- vapply(paste(noise_seed, cell_key(cells)), rlang::hash, "", USE.NAMES = FALSE)
  # 48 bits: whole numbers that a double holds exactly.
  strtoi(substr(hashes, 1L, 6L), 16L) * 2^24 + strtoi(substr(hashes, 7L, 12L), 16L)
}

is_private <- function(learner) "epsilon" %in% names(formals(learner))

# ---- doing it -----------------------------------------------------------------------------------

run_cells <- function(cells, networks, learners, file, threads, progress) {
  if (nrow(cells) == 0L) return(invisible())
  data_sets <- split(cells, cells$data_set)
  bar <- new_bar(progress, "Evaluating", nrow(cells))
  on.exit(bar$end())
  forks <- threads > 1L && length(data_sets) > 1L && .Platform$OS.type != "windows"
  if (forks) {
    run_forked(data_sets, threads, bar$add, function(cells, is_wanted) {
      run_data_set(cells, networks, learners, file, is_wanted = is_wanted)
    })
  } else {
    for (cells in data_sets) run_data_set(cells, networks, learners, file, bar$add)
  }
}

run_data_set <- function(cells, networks, learners, file, tick = function(count) NULL,
                         is_wanted = function() TRUE) {
  truth <- networks[[cells$network[[1L]]]]
  data <- stats::simulate(truth, nsim = cells$n[[1L]], seed = cells$data_seed[[1L]])
  for (i in seq_len(nrow(cells))) {
    if (!is_wanted()) return(invisible())
    append_cell(file, run_cell(cells[i, ], data, truth, learners[[cells$learner[[i]]]]))
    tick(1)
  }
}

# A process for each data set, at most `threads` at a time. The fits need nothing from each other:
# each opens its own source of noise and its own budget. Every process appends its lines to the
# same file; a line is written at once, so lines of different processes do not mix.
run_forked <- function(data_sets, threads, tick, run) {
  # The processes work while this file is there: after an interrupt they end with the fit they are
  # at. Each has to be collected, or it would stay until R ends. If this process is killed, they
  # are.
  here <- Sys.getpid()
  wanted <- tempfile("wanted")
  file.create(wanted)
  jobs <- list()
  on.exit({
    unlink(wanted)
    if (length(jobs)) suppressWarnings(parallel::mccollect(unname(jobs)))
  })
  sizes <- integer()
  waiting <- seq_along(data_sets)
  while (length(waiting) || length(jobs)) {
    while (length(waiting) && length(jobs) < threads) {
      cells <- data_sets[[waiting[[1L]]]]
      waiting <- waiting[-1L]
      job <- parallel::mcparallel({
        cpp_end_with_parent(here)
        run(cells, function() file.exists(wanted))
      }, silent = TRUE)
      pid <- as.character(job$pid)
      jobs[[pid]] <- job
      sizes[[pid]] <- nrow(cells)
    }
    # Also names a process that has died; what it left undone shows when the file is read, and is
    # told then, in other words than the warning here.
    ended <- suppressWarnings(
      names(parallel::mccollect(unname(jobs), wait = FALSE, timeout = 0.2))
    )
    for (pid in intersect(ended, names(jobs))) {
      tick(sizes[[pid]])
      jobs[[pid]] <- NULL
    }
  }
}

# The row of one fit.
run_cell <- function(cell, data, truth, learner) {
  offered <- list(
    epsilon = cell$epsilon, delta = cell$delta, threads = 1L, progress = FALSE,
    seed = cell$noise_seed
  )
  if (is.na(cell$noise_seed)) offered$seed <- NULL
  if (!is_private(learner)) offered[c("epsilon", "delta")] <- NULL
  offered <- offered[intersect(names(offered), names(formals(learner)))]
  tryCatch(
    suppressWarnings(suppressMessages({
      start <- Sys.time()
      # With `data` as a symbol a learner that records its call does not record the rows.
      fit <- do.call(function(...) learner(data, ...), offered)
      seconds <- as.double(Sys.time() - start, units = "secs")
      score_cell(cell, fit, truth, seconds)
    })),
    error = function(e) {
      # A limit on the time is one on the whole, not a fit that failed.
      if (is_time_limit(e)) stop(e)
      # In the file an empty text would be no problem.
      message <- conditionMessage(e)
      failed_cell(cell, if (nzchar(message)) message else "an error without a message")
    }
  )
}

score_cell <- function(cell, fit, truth, seconds) {
  score <- compare_graphs(fit, truth)
  ours <- inherits(fit, "privpc")
  tests <- if (ours) fit$settings$tests
  new_data_frame(list(
    network = cell$network, learner = cell$learner, epsilon = cell$epsilon, delta = cell$delta,
    n = cell$n, run = cell$run,
    skeleton_precision = score$precision[[1L]], skeleton_recall = score$recall[[1L]],
    skeleton_f1 = score$f1[[1L]], cpdag_precision = score$precision[[2L]],
    cpdag_recall = score$recall[[2L]], cpdag_f1 = score$f1[[2L]], shd = score$shd[[2L]],
    seconds = seconds, tests = if (is.null(tests)) NA_real_ else sum(tests),
    spent = if (ours) share_spent(fit$privacy, fit$ledger) else NA_real_,
    problem = NA_character_
  ))
}

failed_cell <- function(cell, problem) {
  row <- cell[intersect(names(evaluation_columns), names(cell))]
  row[setdiff(names(evaluation_columns), names(cell))] <- NA
  row$problem <- problem
  row[names(evaluation_columns)]
}

# ---- the result ---------------------------------------------------------------------------------

# The rows of the file that belong to the design, in its order. A cell that has no row was
# lost with the process that worked on it.
collect_cells <- function(design, cells) {
  at <- match(cell_key(design), cell_key(cells))
  for (i in which(is.na(at))) {
    cells <- rbind(cells, failed_cell(design[i, ], "the process that worked on it ended early"))
    at[[i]] <- nrow(cells)
  }
  found <- cells[at, ]
  row.names(found) <- NULL
  failed <- sum(!is.na(found$problem))
  if (failed > 0L) {
    first <- found[which(!is.na(found$problem))[[1L]], ]
    cli::cli_warn(c(
      "{failed} fit{?s} failed; see the column {.field problem}.",
      x = "The first: {first$learner} on {first$network}: {first$problem}"
    ), class = "privpc_failed_fits")
  }
  found
}

new_evaluation <- function(cells) {
  class(cells) <- c("privpc_evaluation", "data.frame")
  cells
}

# ---- checks of the arguments --------------------------------------------------------------------

# A named list of networks.
check_evaluated_networks <- function(networks, call) {
  if (inherits(networks, "privpc_network")) networks <- list(networks)
  given <- as.list(networks)
  usable <- length(given) > 0L && (is.character(networks) || rlang::is_bare_list(networks))
  known <- names(network_references)
  found <- lapply(if (usable) given, function(x) {
    if (inherits(x, "privpc_network")) return(x)
    if (rlang::is_string(x) && x %in% known) return(network(x))
    abort(c(
      "{.arg networks} must be names of bundled networks, or networks.",
      x = "One of them is {describe(x)}.",
      i = "The names are {.val {known}}. For a file of your own use {.fn read_bif}.",
      # c() takes a network to pieces.
      i = if (is.list(networks)) {
        "Names and networks go together in a list: {.code list(\"cancer\", my_network)}."
      }
    ), call = call)
  })
  if (!usable) {
    abort(c(
      "{.arg networks} must be names of bundled networks, or networks.",
      x = "It is {describe(networks)}.",
      i = if (inherits(networks, "bn.fit")) {
        "{.fn as_network} makes a network of it."
      }
    ), call = call)
  }
  own <- rlang::names2(given)
  names(found) <- ifelse(nzchar(own), own, vapply(found, function(x) x$name, ""))
  check_labels(names(found), "networks", call)
  found
}

# A named list of functions.
check_evaluated_learners <- function(learners, call) {
  known <- learner_names()
  refuse <- function(problem) {
    abort(c(
      "{.arg learners} must be names of learners, or a list of names and named functions.",
      x = problem,
      i = "The names are {.val {known}}."
    ), call = call, envir = rlang::caller_env())
  }
  if (is.function(learners)) refuse("It is a function without a name.")
  given <- as.list(learners)
  if (length(given) == 0L || !(is.character(learners) || rlang::is_bare_list(learners))) {
    refuse("It is {describe(learners)}.")
  }
  labels <- rlang::names2(given)
  for (i in seq_along(given)) {
    x <- given[[i]]
    if (rlang::is_string(x) && x %in% known) {
      if (!nzchar(labels[[i]])) labels[[i]] <- x
      given[[i]] <- learner_function(x)
    } else if (!is.function(x)) {
      refuse("Element {i} is {describe(x)}.")
    } else if (!nzchar(labels[[i]])) {
      refuse("Element {i} is a function without a name.")
    } else if (is.primitive(x) || length(formals(x)) == 0L) {
      refuse("Element {i}, {.val {labels[[i]]}}, is a function without arguments.")
    }
  }
  check_labels(labels, "learners", call)
  stats::setNames(given, labels)
}

# Labels identify the rows of the result and stand in lines of the file.
check_labels <- function(labels, arg, call) {
  twice <- unique(labels[duplicated(labels)])
  if (length(twice)) {
    abort(c(
      "{.arg {arg}} must have different names.",
      x = "Twice there {?is/are}: {.val {twice}}."
    ), call = call)
  }
  if (any(grepl("[\r\n]", labels))) {
    abort("The names of {.arg {arg}} must not have line breaks.", call = call)
  }
}
