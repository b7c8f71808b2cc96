# The program that accompanies the paper (Wang, Pang and Song 2020) beside the learners here: the
# same rows, the same total epsilon, CPU time and F1 of the skeleton. None of its code is here; it
# is run from a checkout of its public repository,
# github.com/sunblaze-ucb/Priv-PC-Differentially-Private-Causal-Graph-Discovery:
#   PRIVPC_AUTHORS  the checkout
#   PRIVPC_PYTHON   a Python 3 with numpy, scipy, pandas and networkx ("python3" if not set)
# Its EM-PC also needs the Python package gsq (on PYTHONPATH, if it is not installed). Its
# repository has no program for SG. `Rscript bench/run.R authors` measures this section only.

authors_python <- function() Sys.getenv("PRIVPC_PYTHON", "python3")

run_authors <- function(...) {
  shown <- suppressWarnings(system2(
    authors_python(),
    shQuote(c("bench/authors_driver.py", Sys.getenv("PRIVPC_AUTHORS"), ...)),
    stdout = TRUE, stderr = FALSE
  ))
  status <- attr(shown, "status")
  if (is.null(status)) shown else character()
}

authors_available <- function() {
  file.exists(file.path(Sys.getenv("PRIVPC_AUTHORS"), "src", "pc.py")) &&
    length(run_authors("witness")) == 1L
}

# One row per data set: what the driver found on it. `epsilon` is that of one step.
learn_as_authors <- function(learner, epsilon, delta, files) {
  lines <- run_authors(learner, format(epsilon, digits = 15), format(delta), files)
  if (length(lines) != length(files)) return(NULL)
  cells <- strsplit(paste0(lines, "\t."), "\t", fixed = TRUE)
  column <- function(i) vapply(cells, `[[`, "", i)
  number <- function(i) as.numeric(column(i))
  data.frame(
    seconds = number(1), total = number(2), steps = number(3), sampled = number(4),
    edges = column(5)
  )
}

# ---- privacy ------------------------------------------------------------------------------------

# Their account of `steps` steps, by which the parameter of a step is chosen.
their_total <- function(learner, epsilon, delta, steps) {
  advanced <- function(e, d) sqrt(2 * steps * log(1 / d)) * e + steps * e * expm1(e)
  if (learner == "priv-pc") 2 * advanced(epsilon / 2, delta / 2) else advanced(epsilon, delta)
}

# The number of steps is known only when a run has ended, and depends on their epsilon: the two
# are brought together in a few rounds.
step_epsilon <- function(learner, total, delta, files, rounds) {
  steps <- 12
  for (round in seq_len(rounds + 1)) {
    epsilon <- stats::uniroot(
      function(e) their_total(learner, e, delta, steps) - total, c(1e-6, 10), tol = 1e-9
    )$root
    if (round > rounds) break
    found <- learn_as_authors(learner, epsilon, delta, files)
    if (is.null(found)) return(NULL)
    steps <- max(mean(found$steps), 1)
  }
  epsilon
}

# The epsilon that can be claimed for the noise they draw. Three corrections (vignette `paper`):
# every run of the sieve that was started is charged, also the last one, which finds nothing; their
# p-values lie between 0 and 1/2, and one record can move that of a conditional test by nearly all
# of it (the witness of the driver), not by S; and refreshed thresholds of SVT-PC have Gaussian
# noise, which is accounted for as such. Composition is the better of adding up epsilons and
# of zero-concentrated privacy, in which a step with epsilon e costs e tanh(e/2).
# EM-PC publishes the separating sets, which are the data's own, without noise: nothing holds.
epsilon_that_holds <- function(learner, epsilon, delta, rows, steps, sampled) {
  if (learner == "em") return(Inf)
  moved <- 0.5
  assumed <- stats::pnorm(6 / sqrt(rows)) - 0.5
  if (learner == "svt") {
    scale <- 2 * assumed / epsilon
    # Query noise has four times that scale and answers two sides: 2 D / (4 scale) for a run.
    queries <- (steps + 1) * 2 * moved / (4 * scale)
    return(queries + dp_from_rho((steps + 1) * (moved / scale)^2 / 2, delta))
  }
  share <- sampled / rows
  inside <- log1p(expm1(epsilon / 2) / share)
  scale <- 2 * (assumed / sqrt(share)) / inside
  sieve <- amplified_epsilon(2 * moved / scale, sampled, rows)
  examine <- moved / (assumed / (epsilon / 2))
  cost <- function(e) e * tanh(e / 2)
  min(
    (steps + 1) * sieve + steps * examine,
    dp_from_rho((steps + 1) * cost(sieve) + steps * cost(examine), delta)
  )
}

# ---- the table ----------------------------------------------------------------------------------

edges_f1 <- function(edges, truth) {
  found <- matrix(0L, nrow(truth), nrow(truth))
  pairs <- strsplit(strsplit(edges, ",", fixed = TRUE)[[1]], "-", fixed = TRUE)
  # Counted from 0 there.
  for (pair in pairs[lengths(pairs) == 2]) found[t(as.integer(pair) + 1L)] <- 1L
  either <- function(x) (x | t(x))[upper.tri(x)]
  both <- sum(either(found) & either(truth))
  if (both == 0) 0 else 2 * both / (sum(either(found)) + sum(either(truth)))
}

their_names <- c(`priv-pc` = "Priv-PC", svt = "SVT-PC", em = "EM-PC")

# EM-PC takes minutes for a data set of 100,000 rows in the two larger networks.
rows_for <- function(learner, name, rows) {
  if (learner == "em" && name %in% c("asia", "survey")) min(rows, 10000) else rows
}

measure_theirs <- function(learner, name, rows, runs, total, delta) {
  truth <- network(name)
  files <- vapply(seq_len(runs), function(i) {
    file <- tempfile(fileext = ".csv")
    data <- simulate(truth, nsim = rows, seed = 1000 + i)
    codes <- as.data.frame(lapply(data, function(x) as.integer(x) - 1L))
    utils::write.csv(codes, file, row.names = FALSE, quote = FALSE)
    file
  }, "")
  on.exit(unlink(files))
  few <- files[seq_len(min(runs, if (learner == "em") 2 else 5))]
  epsilon <- step_epsilon(learner, total, delta, few, rounds = if (learner == "em") 1 else 3)
  if (is.null(epsilon)) return(NULL)
  found <- learn_as_authors(learner, epsilon, delta, files)
  holds <- mapply(
    epsilon_that_holds, learner, epsilon, delta, rows, found$steps, found$sampled
  )
  list(
    ms = 1000 * stats::median(found$seconds), claimed = mean(found$total), holds = mean(holds),
    f1 = mean(vapply(found$edges, edges_f1, 0, truth = as.matrix(truth)))
  )
}

measure_authors <- function(rows, runs = 20, total = 1, delta = 1e-3) {
  # Which of theirs stands beside which of ours: where they have no such learner, their Priv-PC.
  beside <- c(
    priv_pc = "priv-pc", svt_pc = "svt", em_pc = "em", sg_pc = "priv-pc", marginal_pc = "priv-pc"
  )
  results <- lapply(c("earthquake", "cancer", "asia", "survey"), function(name) {
    sizes <- vapply(names(their_names), rows_for, 0, name = name, rows = rows)
    # EM-PC is slow.
    counts <- vapply(names(their_names), function(x) if (x == "em") min(runs, 5) else runs, 0)
    theirs <- lapply(stats::setNames(nm = names(their_names)), function(learner) {
      measure_theirs(learner, name, sizes[[learner]], counts[[learner]], total, delta)
    })
    cat(" ", name, "done\n")
    out <- lapply(names(beside), function(learner) {
      peer <- beside[[learner]]
      if (is.null(theirs[[peer]])) return(NULL)
      learn <- function(data) {
        private_learners()[[learner]](data, epsilon = total, threads = 1, progress = FALSE)
      }
      data <- simulate(network(name), nsim = sizes[[peer]], seed = 1001)
      ms <- cpu_time(function() suppressMessages(learn(data)), rounds = 3)
      data.frame(
        network = name, learner = learner, theirs = their_names[[peer]],
        rows = format(sizes[[peer]], big.mark = ",", scientific = FALSE),
        `data sets` = as.character(counts[[peer]]), ms = ms, `their ms` = theirs[[peer]]$ms,
        `times theirs` = theirs[[peer]]$ms / ms,
        `skeleton F1` = skeleton_f1(learn, network(name), sizes[[peer]], counts[[peer]]),
        `their F1` = theirs[[peer]]$f1, `their epsilon` = theirs[[peer]]$claimed,
        `their epsilon, corrected` = if (is.finite(theirs[[peer]]$holds)) {
          short(theirs[[peer]]$holds)
        } else {
          "none"
        },
        check.names = FALSE
      )
    })
    do.call(rbind, out)
  })
  do.call(rbind, results)
}

authors_heading <- "The authors' program"
authors_file <- "inst/extdata/evaluation/authors.rds"

authors_witness <- function() as.numeric(strsplit(run_authors("witness"), "\t")[[1]])

# For the vignette `paper`.
save_authors <- function(table, total = 1, delta = 1e-3, file = authors_file) {
  numeric <- vapply(table, is.double, NA)
  table[numeric] <- lapply(table[numeric], signif, 4)
  saveRDS(list(
    table = table, epsilon = total, delta = delta, witness = authors_witness(),
    # What their program takes for the sensitivity of a p-value.
    assumed = stats::pnorm(6 / sqrt(1e5)) - 0.5, machine = machine(), date = Sys.Date()
  ), file, version = 3)
}

authors_note <- function(total = 1, delta = 1e-3) {
  moved <- signif(authors_witness(), 2)
  paste0(
    "Measured on ", Sys.Date(), " on ", machine(), ". The program of the paper's authors, run ",
    "from its public repository on the same rows, one thread, CPU time from the rows to the ",
    "directed graph. Its step epsilon is set so that the total is about ", total, " by its own ",
    "account (column \"their epsilon\"; the total of a run is known only at its end), with its ",
    "own delta of ", format(delta), "; the learners here have epsilon = ", total, " and their ",
    "default delta, 1e-6. \"Corrected\" is the epsilon that can be claimed for its noise, with ",
    "every step charged and the sensitivity that its p-values have: on two data sets that differ ",
    "in one record its conditional test gives ", moved[[1]], " and ", moved[[2]], ". EM-PC ",
    "publishes separating sets without noise, so no epsilon can be claimed for it. Where the ",
    "program has no such learner (sg_pc, marginal_pc) its Priv-PC stands beside it. F1 is the ",
    "mean of the data sets."
  )
}
