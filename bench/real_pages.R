# From real records to the page: the sets of tests/testthat/helper-real_sets.R that are installed,
# at epsilon 1, through everything that a user does with a fit. Run it with
#   Rscript bench/real_pages.R                    all sets, about ten minutes
#   Rscript bench/real_pages.R "coronary|Chile"   the sets whose names match
#   Rscript bench/real_pages.R ".*" <folder>      keeps the pages, and all that was printed, there
# Printed is a table with one row per set: rows, variables, edges, seconds for the fit, for
# strengths and for the page, kB of the page, and whether all of it went without an error; then every
# error and warning, and every step that took longer than `slow` seconds.

suppressPackageStartupMessages(library(privpc))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[[1L]]))
source(file.path(here, "../tests/testthat/helper-real_sets.R"))
asked <- commandArgs(TRUE)
pattern <- if (length(asked)) asked[[1L]] else ".*"
folder <- if (length(asked) > 1L) asked[[2L]] else tempfile("pages")
dir.create(folder, showWarnings = FALSE)
slow <- 5

# Runs `code`, writes down what it prints and says, and how long it took. What stops is noted.
new_diary <- function(file) {
  notes <- character()
  steps <- data.frame(what = character(), seconds = double())
  write <- function(...) cat(..., "\n", file = file, append = TRUE, sep = "")
  list(
    run = function(what, code) {
      write("\n#### ", what)
      started <- proc.time()[["elapsed"]]
      value <- NULL
      said <- utils::capture.output(value <- tryCatch(
        withCallingHandlers(
          force(code),
          warning = function(cnd) {
            write("WARNING ", conditionMessage(cnd))
            notes <<- c(notes, paste0("warning in ", what, ": ", conditionMessage(cnd)))
            invokeRestart("muffleWarning")
          },
          message = function(cnd) {
            write("said: ", conditionMessage(cnd))
            invokeRestart("muffleMessage")
          }
        ),
        # A refusal with a reason is an answer.
        privpc_no_effect = function(cnd) write("refused: ", conditionMessage(cnd)),
        error = function(cnd) {
          write("ERROR ", conditionMessage(cnd))
          notes <<- c(notes, paste0("ERROR in ", what, ": ", conditionMessage(cnd)))
          NULL
        }
      ))
      write(paste(said, collapse = "\n"))
      seconds <- proc.time()[["elapsed"]] - started
      write(sprintf("(%.1f s)", seconds))
      steps[nrow(steps) + 1L, ] <<- list(what, seconds)
      invisible(value)
    },
    notes = function() notes,
    seconds = function(what) steps$seconds[match(what, steps$what)],
    slow = function() steps[steps$seconds > slow, , drop = FALSE]
  )
}

# One of each kind of question that a graph can be asked: an arrow that is identified, one that is
# not, a pair without a path, and one the other way round.
ask_effects <- function(diary, fit) {
  edges <- as.data.frame(fit)
  arrows <- edges[edges$type == "directed", ]
  for (k in seq_len(min(nrow(arrows), 2L))) {
    from <- arrows$from[[k]]
    to <- arrows$to[[k]]
    what <- paste("effect", from, "on", to)
    diary$run(what, print(effect(fit, from, to)))
    diary$run(paste(what, "(uncertain)"), print(
      effect(fit, from, to, graph = "uncertain", graphs = 50)
    ))
    diary$run(paste(what, "(reversed)"), print(effect(fit, to, from)))
  }
  lines <- edges[edges$type != "directed", ]
  if (nrow(lines)) {
    diary$run("effect along an open edge", print(effect(fit, lines$from[[1L]], lines$to[[1L]])))
  }
  apart <- which(as.matrix(fit) + t(as.matrix(fit)) == 0, arr.ind = TRUE)
  apart <- apart[apart[, 1L] < apart[, 2L], , drop = FALSE]
  if (nrow(apart)) {
    pair <- fit$nodes[apart[nrow(apart), ]]
    diary$run("effect where there is no edge", print(effect(fit, pair[[1L]], pair[[2L]])))
    diary$run("explain no edge", print(explain(fit, pair[[1L]], pair[[2L]])))
  }
  if (nrow(edges)) {
    diary$run("explain an edge", print(explain(fit, edges$from[[1L]], edges$to[[1L]])))
  }
}

tour <- function(name, set) {
  log <- file.path(folder, paste0(name, ".txt"))
  unlink(log)
  diary <- new_diary(log)
  run <- diary$run
  fit <- run("fit", do.call(marginal_pc, c(list(set$data, epsilon = 1), set$arguments)))
  page <- file.path(folder, paste0(name, ".html"))
  if (!is.null(fit)) {
    run("print", print(fit))
    run("summary", print(summary(fit)))
    sure <- run("strength", edge_strength(fit, draws = 50))
    run("print strength", print(sure))
    run("contradictions", print(contradictions(fit)))
    ask_effects(diary, fit)
    net <- run("network", as_network(fit))
    if (!is.null(net)) {
      run("print network", print(net))
      run("simulate", utils::str(simulate(net, nsim = 1000, seed = 1)))
    }
    if (requireNamespace("bnlearn", quietly = TRUE)) {
      run("bn.fit", {
        bn <- as_bn_fit(fit)
        synthetic <- simulate(net, nsim = 1000, seed = 1)
        print(stats::logLik(bn, synthetic[bnlearn::nodes(bn)]) / nrow(synthetic))
      })
    }
    grDevices::pdf(NULL)
    run("plot", plot(fit, strength = sure))
    if (requireNamespace("ggplot2", quietly = TRUE)) run("autoplot", print(ggplot2::autoplot(fit)))
    grDevices::dev.off()
    run("report", print(report(fit)))
    run("page", publish(
      fit, page, title = set$about, strength = sure, event = set$event, reference = set$reference,
      overwrite = TRUE, open = FALSE
    ))
  }
  there <- file.exists(page) && !is.null(fit)
  list(
    notes = diary$notes(), slow = diary$slow(),
    row = data.frame(
      set = name, rows = nrow(set$data), variables = length(fit$nodes),
      edges = if (is.null(fit)) NA else nrow(as.data.frame(fit)),
      fit_s = diary$seconds("fit"), strength_s = diary$seconds("strength"),
      page_s = diary$seconds("page"), page_kB = if (there) ceiling(file.size(page) / 1000) else NA,
      ok = there && !any(startsWith(diary$notes(), "ERROR"))
    )
  )
}

found <- list()
for (name in grep(pattern, names(real_sets), value = TRUE)) {
  set <- real_sets[[name]]()
  if (is.null(set)) {
    cat(name, "is not installed\n")
    next
  }
  found[[name]] <- tour(name, set)
}
print(do.call(rbind, lapply(found, `[[`, "row")), row.names = FALSE, digits = 2)
for (name in names(found)) {
  slow_steps <- found[[name]]$slow
  about <- c(
    found[[name]]$notes, sprintf("%s took %.0f s", slow_steps$what, slow_steps$seconds)
  )
  if (length(about)) cat("\n", name, "\n", paste0("  ", about, "\n"), sep = "")
}
