# Simulated studies for plan_study(): records of a known network, two fits of them with the noise of
# a private fit, and how good and how alike the graphs are.

# Columns for the rows of the plan's table.
simulate_studies <- function(plan, truth, runs, parameters, threads, progress, call) {
  if (threads > 1L) check_suggested("parallel", "for more than one thread", call)
  settings <- list(
    alpha = plan$design$rules$alpha, least_effect = plan$design$rules$least_effect,
    parameters = parameters, neighbours = plan$neighbours
  )
  folder <- tempfile("studies")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  studies <- study_design(plan$table, runs)
  run <- function(study, is_wanted = function() TRUE, tick = function(count) NULL) {
    found <- run_study(study, truth, settings, is_wanted, tick)
    if (!is.null(found)) saveRDS(found, study_file(folder, study))
  }
  bar <- new_bar(progress, "Simulating studies", sum(vapply(studies, nrow, 0L)))
  on.exit(bar$end(), add = TRUE)
  if (threads > 1L && .Platform$OS.type != "windows") {
    run_forked(studies, threads, bar$add, run)
  } else {
    for (study in studies) run(study, tick = bar$add)
  }
  score_studies(plan$table, collect_studies(studies, folder, call))
}

# One data frame for each data set, with a row for each epsilon. All seeds are drawn here, so that
# the results depend on R's random numbers alone and not on who works on what.
study_design <- function(table, runs) {
  sizes <- unique(table$n)
  studies <- expand.grid(run = seq_len(runs), n = sizes)
  lapply(seq_len(nrow(studies)), function(i) {
    study <- table[table$n == studies$n[[i]], c("n", "epsilon", "delta")]
    study$study <- i
    study$data_seed <- draw_seed()
    study$noise_seed <- vapply(study$n, function(n) draw_seed(), 0)
    study$other_seed <- vapply(study$n, function(n) draw_seed(), 0)
    study
  })
}

study_file <- function(folder, study) file.path(folder, paste0(study$study[[1L]], ".rds"))

run_study <- function(study, truth, settings, is_wanted, tick) {
  data <- suppressMessages(
    stats::simulate(truth, nsim = study$n[[1L]], seed = study$data_seed[[1L]])
  )
  # The data are simulated, so seeds give nobody away. Warnings about few rows are what is asked
  # about.
  rlang::local_options(privpc.advice = FALSE)
  learn <- function(i, seed) {
    suppressWarnings(suppressMessages(rlang::exec(
      marginal_pc, data, study$epsilon[[i]], study$delta[[i]], !!!settings, threads = 1L,
      progress = FALSE, seed = seed
    )))
  }
  rows <- list()
  for (i in seq_len(nrow(study))) {
    if (!is_wanted()) return(NULL)
    fits <- list(learn(i, study$noise_seed[[i]]), learn(i, study$other_seed[[i]]))
    scores <- lapply(fits, function(fit) compare_graphs(fit, truth)$f1)
    rows[[i]] <- data.frame(
      n = study$n[[i]], epsilon = study$epsilon[[i]],
      edges_f1 = mean(vapply(scores, `[[`, 0, 1L)), cpdag_f1 = mean(vapply(scores, `[[`, 0, 2L)),
      stability = compare_graphs(fits[[1L]], fits[[2L]])$f1[[1L]]
    )
    tick(1)
  }
  do.call(rbind, rows)
}

collect_studies <- function(studies, folder, call) {
  files <- vapply(studies, study_file, "", folder = folder)
  lost <- sum(!file.exists(files))
  if (lost > 0L) {
    abort(c(
      "{lost} of {length(files)} simulated studies could not be finished.",
      x = "The process that worked on {cli::qty(lost)}{?it/them} ended early.",
      i = "With {.code threads = 1} an error is shown; fewer records need less memory."
    ), call = call)
  }
  do.call(rbind, lapply(files, readRDS))
}

# Means over data sets, with their standard errors, in the order of the table.
score_studies <- function(table, found) {
  of_row <- match(paste(found$n, found$epsilon), paste(table$n, table$epsilon))
  of_row <- factor(of_row, seq_len(nrow(table)))
  means <- function(score) as.vector(tapply(score, of_row, mean))
  runs <- nrow(found) / nrow(table)
  errors <- function(score) as.vector(tapply(score, of_row, stats::sd)) / sqrt(runs)
  data.frame(
    skeleton_f1 = means(found$edges_f1), skeleton_se = errors(found$edges_f1),
    cpdag_f1 = means(found$cpdag_f1), cpdag_se = errors(found$cpdag_f1),
    stability = means(found$stability), stability_se = errors(found$stability)
  )
}
