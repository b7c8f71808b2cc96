# The objects that are damaged, and the functions they are given to.

# A fit whose noise came from a seed, so that it is the same every time, and that says what one
# without would: functions must not tell the two apart by luck.
as_if_private <- function(fit) {
  fit$privacy$private <- TRUE
  fit$privacy$why <- NULL
  fit
}

plain_cohort <- function(rows = 4000, seed = 1) {
  cohort <- simulate(network("asia"), nsim = rows, seed = seed)[c("asia", "smoke", "lung", "bronc")]
  cohort <- as.data.frame(lapply(cohort, identity))
  cohort$age <- with_seed(seed, 20 + 60 * stats::runif(rows)) + 5 * (cohort$smoke == "yes")
  cohort
}

hostile_marginal <- function(seed = 1, ...) {
  as_if_private(marginal_pc(
    plain_cohort(seed = seed), epsilon = 5, delta = 1e-6,
    breaks = list(age = c(0, 40, 60, 100)), tiers = list(c("asia", "smoke"), "."),
    blacklist = c("asia", "bronc"), seed = seed, progress = FALSE, ...
  ))
}

# Made when asked for: each takes a moment.
hostile_objects <- list(
  marginal = function() hostile_marginal(parameters = TRUE),
  persons = function() {
    cohort <- plain_cohort()
    cohort$id <- rep_len(seq_len(3000), nrow(cohort))
    fit <- as_if_private(marginal_pc(
      cohort, epsilon = 5, delta = 1e-6, breaks = list(age = c(0, 40, 60, 100)), search = "tests",
      id = "id", max_records = 2, seed = 1, progress = FALSE, neighbours = "add-remove"
    ))
    # As of a budget in a file.
    ledger <- list(
      data = "cohort 2024", entry = 2L, fits = 2L, others = 0L, epsilon = 8, delta = 1e-5,
      reserve = 0, spent = 0.5, taken = 0, receipt = "0123456789abcdef"
    )
    fit$privacy$budget <- list(epsilon = 8, delta = 1e-5, ledger = ledger)
    fit
  },
  pag = function() {
    # Knowledge forbids a pair both ways.
    suppressMessages(
      relearn(hostile_marginal(), hidden = TRUE), classes = "privpc_excluded_pairs"
    )
  },
  pooled = function() {
    pool_fits(north = hostile_marginal(parameters = TRUE), south = hostile_marginal(seed = 2))
  },
  consensus = function() {
    with_seed(1, consensus(hostile_marginal(), draws = 5, threads = 1, progress = FALSE))
  },
  priv_pc = function() {
    as_if_private(priv_pc(
      plain_cohort(), epsilon = 20, breaks = list(age = c(0, 40, 60, 100)), test = "g2",
      blacklist = c("asia", "bronc"), seed = 1, progress = FALSE
    ))
  },
  exact_pc = function() {
    exact_pc(
      plain_cohort()[c("asia", "smoke", "lung", "bronc")], test = "g2", tiers = list("asia", ".")
    )
  },
  true_pag = function() network_pag(network("asia"), hidden = "smoke"),
  network = function() network("survey"),
  test = function() {
    private_test(plain_cohort(), "smoke", "lung", epsilon = 1, test = "tau", seed = 1)
  },
  budget = function() {
    budget <- privacy_budget(1, 1e-6)
    laplace_mechanism(c(cases = 120), sensitivity = 1, epsilon = 0.1, budget = budget)
    budget
  },
  strength = function() {
    with_seed(1, edge_strength(hostile_other(), draws = 5, threads = 1, progress = FALSE))
  },
  effect = function() {
    with_seed(1, effect(hostile_other(), "smoke", "bronc", draws = 10, progress = FALSE))
  },
  heterogeneity = function() {
    # Of sites with a seed: the table has a class of ours, which says that it is not private.
    north <- hostile_marginal()
    north$privacy[c("private", "why")] <- list(FALSE, "seed")
    heterogeneity(pool_fits(north = north, south = hostile_marginal(seed = 2)))
  },
  plan = function() {
    plan_study(
      n = c(1000, 5000), epsilon = c(0.5, 1), network = "asia", effect = 0.1, runs = 2,
      progress = FALSE
    )
  },
  audit = function() {
    with_seed(1, audit_privacy(
      function(data) data + stats::rnorm(1), 0, 1, epsilon = 3, runs = 1000, confidence = 0.9,
      progress = FALSE
    ))
  },
  retest = function() retest(hostile_other(), "smoke", "lung", given = "bronc"),
  contradictions = function() {
    found <- contradictions(hostile_other())
    # As there are in graphs that do not fit their tables.
    found$pairs[1L, ] <- data.frame("asia", "lung", 0.02, 0.001, 0, FALSE)
    found$determined[1L, ] <- list("bronc", list(c("asia", "smoke")), 0.03)
    found
  },
  explanation = function() explain(hostile_other(), "smoke", "lung"),
  evaluation = function() {
    suppressMessages(evaluate_learners(
      "asia", learners = c("marginal_pc", "exact_pc"), epsilon = c(0.5, 1), n = 500, runs = 2,
      seed = 1, threads = 1, progress = FALSE
    ))
  },
  evaluation_summary = function() summary(hostile_objects$evaluation()),
  breaks = function() {
    private_breaks(
      plain_cohort(), "age", epsilon = 1, bounds = list(age = c(0, 100)), bins = 3, seed = 1
    )
  },
  chunks = function() {
    file <- file.path(tempdir(), "hostile.csv")
    if (!file.exists(file)) utils::write.csv(plain_cohort(50)[1:3], file, row.names = FALSE)
    read_chunks(file)
  }
)

quietly_drawn <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  force(code)
}

# What a picture of ggplot2 shows, without the environments that it drags along.
picture_parts <- function(picture) {
  list(lapply(picture$layers, function(layer) as.list(layer$data)), as.list(picture$labels))
}

# Functions of a graph, by name; those of fits and pags too.
graph_readers <- list(
  print = function(x) print(x),
  format = function(x) format(x),
  summary = function(x) {
    shown <- summary(x)
    print(shown)
    shown
  },
  as.matrix = function(x) as.matrix(x),
  as.data.frame = function(x) as.data.frame(x),
  as.igraph = function(x) igraph::as_data_frame(as.igraph(x), "both"),
  as_dagitty = function(x) as_dagitty(x, string = TRUE),
  as_bn = function(x) as_bn(x),
  plot = function(x) quietly_drawn(plot(x)),
  autoplot = function(x) picture_parts(ggplot2::autoplot(x)),
  compare_graphs = function(x) compare_graphs(x, x),
  simulate = function(x) simulate(x, 10, seed = 1),
  network_pag = function(x) network_pag(x)
)

fit_readers <- c(graph_readers, list(
  `plot ledger` = function(x) quietly_drawn(plot(x, what = "ledger")),
  `plot tiers` = function(x) quietly_drawn(plot(x, tiers = TRUE)),
  `plot strength` = function(x) quietly_drawn(plot(x, strength = x$strength)),
  `autoplot ledger` = function(x) picture_parts(ggplot2::autoplot(x, what = "ledger")),
  privacy_ledger = function(x) privacy_ledger(x),
  report = function(x) report(x),
  explain = function(x) explain(x, "smoke", "lung"),
  `explain none` = function(x) explain(x, "asia", "age"),
  publish = function(x) {
    file <- tempfile(fileext = ".html")
    on.exit(unlink(file))
    publish(x, file, strength = FALSE, effects = FALSE, allow_not_private = TRUE, open = FALSE)
    # The page names no file, but the result does.
    readLines(file)
  },
  measured = function(x) measured(x, c("smoke", "lung")),
  retest = function(x) retest(x, "smoke", "lung", given = "bronc"),
  relearn = function(x) relearn(x, alpha = 0.01),
  `relearn hidden` = function(x) relearn(x, hidden = TRUE),
  edge_strength = function(x) {
    with_seed(1, edge_strength(x, draws = 2, threads = 1, progress = FALSE))
  },
  consensus = function(x) with_seed(1, consensus(x, draws = 2, threads = 1, progress = FALSE)),
  contradictions = function(x) contradictions(x),
  effect = function(x) {
    with_seed(1, effect(
      x, "smoke", "bronc", draws = 10, graphs = 2, threads = 1, progress = FALSE
    ))
  },
  as_network = function(x) as_network(x),
  as_bn_fit = function(x) as_bn_fit(x),
  bin_like = function(x) bin_like(plain_cohort(5), x),
  heterogeneity = function(x) heterogeneity(x),
  pool_fits = function(x) pool_fits(here = x, there = hostile_other()),
  knowledge = function(x) {
    relearn(hostile_other(), whitelist = as.data.frame(x)[0L, c("from", "to")])
  }
))

# Of the same schema, made once.
hostile_other <- local({
  made <- NULL
  function() {
    if (is.null(made)) made <<- hostile_marginal(seed = 3)
    made
  }
})

network_readers <- c(graph_readers[names(graph_readers) != "autoplot"], list(
  as_bn_fit = function(x) as_bn_fit(x),
  as_network = function(x) as_network(x),
  plan_study = function(x) {
    plan_study(n = 1000, epsilon = 1, network = x, runs = 2, progress = FALSE)
  }
))

result_readers <- list(print = function(x) print(x), format = function(x) format(x))

budget_readers <- list(
  print = function(x) print(x),
  format = function(x) format(x),
  privacy_ledger = function(x) privacy_ledger(x),
  plot = function(x) quietly_drawn(plot(x)),
  autoplot = function(x) picture_parts(ggplot2::autoplot(x)),
  # Seeded noise cannot be paid for; what is drawn does not matter here.
  spend = function(x) {
    is.list(laplace_mechanism(1, sensitivity = 1, epsilon = 1e-9, budget = x))
  }
)

strength_readers <- list(
  print = function(x) print(x),
  plot = function(x) quietly_drawn(plot(hostile_other(), strength = x)),
  autoplot = function(x) picture_parts(ggplot2::autoplot(hostile_other(), strength = x)),
  as_bn_strength = function(x) as_bn_strength(x),
  publish = function(x) {
    file <- tempfile(fileext = ".html")
    on.exit(unlink(file))
    publish(hostile_other(), file, strength = x, effects = FALSE, open = FALSE, progress = FALSE)
    readLines(file)
  }
)

drawn_readers <- c(result_readers["print"], list(
  summary = function(x) print(summary(x)),
  plot = function(x) quietly_drawn(plot(x)),
  autoplot = function(x) picture_parts(ggplot2::autoplot(x))
))

plan_readers <- c(
  result_readers, drawn_readers[c("plot", "autoplot")],
  list(as.data.frame = function(x) as.data.frame(x))
)

breaks_readers <- c(result_readers, list(
  marginal_pc = function(x) {
    is.list(marginal_pc(plain_cohort(50), epsilon = 5, breaks = x, seed = 1, progress = FALSE))
  }
))

chunk_readers <- list(
  print = function(x) print(x),
  exact_pc = function(x) {
    exact_pc(x, levels = list(
      asia = c("no", "yes"), smoke = c("no", "yes"), lung = c("no", "yes")
    ))$amat
  }
)

# Whether what all functions look at first lets the object in. Those that it does not are refused by
# every one of them, so a few are enough to see that they ask.
is_let_in <- function(x) {
  if (inherits(x, "privpc")) return(is.null(fit_damage(x)))
  if (inherits(x, "privpc_pag")) return(is.null(pag_damage(x)))
  if (inherits(x, "privpc_network")) {
    return(!inherits(try(check_network_fields(x, NULL), silent = TRUE), "try-error"))
  }
  TRUE
}

readers_of <- function(kind) {
  switch(kind,
    network = network_readers, test = result_readers, budget = budget_readers,
    strength = strength_readers, plan = plan_readers, evaluation = drawn_readers,
    explanation = result_readers, breaks = breaks_readers, chunks = chunk_readers,
    effect = , heterogeneity = , audit = , retest = , contradictions = ,
    evaluation_summary = result_readers["print"],
    fit_readers
  )
}
