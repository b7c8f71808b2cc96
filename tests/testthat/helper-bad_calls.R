# Every exported function with arguments that are right, and values that are wrong for nearly all of
# them. Used by test-bad_calls.R (a sample) and tools/hostile.R (every value for every argument).

# What the calls below name. Small: most calls never get to the records.
bad_call_world <- function() {
  world <- new.env(parent = asNamespace("privpc"))
  list2env(list(
    cohort = plain_cohort(300), rows = plain_cohort(300)[c("asia", "smoke", "lung", "bronc")],
    cuts = list(age = c(0, 40, 60, 100)), fit = hostile_marginal(), other = hostile_other(),
    pooled = hostile_objects$pooled(), net = network("cancer"),
    strength = with_seed(
      1, edge_strength(hostile_other(), draws = 2, threads = 1, progress = FALSE)
    ),
    page = tempfile(fileext = ".html"),
    bif = system.file("extdata", "cancer.bif", package = "privpc"),
    budget = privacy_budget(1, 1e-6), mechanism = function(data, n = 1) stats::rnorm(n),
    plan = plan_study(n = 1000, levels = rep(2, 3), epsilon = 1),
    a_test = hostile_objects$test(), a_pag = hostile_objects$pag(),
    csv = local({
      file <- tempfile(fileext = ".csv")
      utils::write.csv(data.frame(a = c("x", "y"), b = c("u", "v")), file, row.names = FALSE)
      file
    })
  ), world)
  world
}

# A budget serves only in the process that made it: another gets one of its own.
with_own_budget <- function(world) {
  if (!identical(world$process, Sys.getpid())) world$budget <- privacy_budget(1, 1e-6)
  world$process <- Sys.getpid()
  world
}

learner_calls <- list(
  marginal_pc = quote(
    marginal_pc(cohort, epsilon = 1, delta = 1e-6, breaks = cuts, progress = FALSE)
  ),
  priv_pc = quote(priv_pc(cohort, epsilon = 1, test = "tau", breaks = cuts, progress = FALSE)),
  em_pc = quote(em_pc(cohort, epsilon = 1, test = "tau", breaks = cuts, progress = FALSE)),
  svt_pc = quote(svt_pc(cohort, epsilon = 1, test = "tau", breaks = cuts, progress = FALSE)),
  sg_pc = quote(
    sg_pc(cohort, epsilon = 1, delta = 1e-6, test = "tau", breaks = cuts, progress = FALSE)
  ),
  exact_pc = quote(exact_pc(rows, progress = FALSE)),
  private_test = quote(private_test(cohort, "smoke", "lung", epsilon = 1, test = "tau")),
  private_breaks = quote(
    private_breaks(cohort, "age", epsilon = 1, bounds = list(age = c(0, 100)))
  ),
  cond_g2 = quote(cond_g2(rows, "smoke", "lung", given = "bronc")),
  cond_chisq = quote(cond_chisq(rows, "smoke", "lung")),
  cond_cmh = quote(cond_cmh(rows, "smoke", "lung")),
  cond_tau = quote(cond_tau(rows, "smoke", "lung")),
  cond_rho = quote(cond_rho(rows, "smoke", "lung"))
)

fit_calls <- list(
  measured = quote(measured(fit, c("smoke", "lung"))),
  retest = quote(retest(fit, "smoke", "lung", given = "bronc")),
  relearn = quote(relearn(fit, alpha = 0.01)),
  effect = quote(
    effect(fit, "smoke", "bronc", draws = 10, graphs = 2, threads = 1, progress = FALSE)
  ),
  explain = quote(explain(fit, "smoke", "lung")),
  edge_strength = quote(edge_strength(fit, draws = 2, threads = 1, progress = FALSE)),
  consensus = quote(consensus(fit, draws = 2, threads = 1, progress = FALSE)),
  contradictions = quote(contradictions(fit)),
  heterogeneity = quote(heterogeneity(pooled)),
  pool_fits = quote(pool_fits(fit, other, alpha = 0.05)),
  report = quote(report(fit)),
  publish = quote(publish(
    fit, page, strength = FALSE, effects = FALSE, overwrite = TRUE, open = FALSE, progress = FALSE
  )),
  bin_like = quote(bin_like(cohort, fit)),
  as_network = quote(as_network(fit)),
  as_bn = quote(as_bn(fit)),
  as_bn_fit = quote(as_bn_fit(fit)),
  as_bn_strength = quote(as_bn_strength(strength)),
  as_dagitty = quote(as_dagitty(fit, string = TRUE)),
  compare_graphs = quote(compare_graphs(fit, other)),
  privacy_ledger = quote(privacy_ledger(fit)),
  network_pag = quote(network_pag(net)),
  # Methods of generics of others.
  plot.privpc = quote(plot.privpc(fit)),
  plot.privpc_pag = quote(plot.privpc_pag(a_pag)),
  plot.privpc_network = quote(plot.privpc_network(net)),
  plot.privpc_budget = quote(plot.privpc_budget(budget)),
  autoplot.privpc = quote(autoplot.privpc(fit)),
  autoplot.privpc_pag = quote(autoplot.privpc_pag(a_pag)),
  simulate.privpc_network = quote(simulate.privpc_network(net, nsim = 10)),
  simulate.privpc = quote(simulate.privpc(fit)),
  as.data.frame.privpc = quote(as.data.frame.privpc(fit)),
  as.data.frame.privpc_pag = quote(as.data.frame.privpc_pag(a_pag)),
  as.data.frame.privpc_network = quote(as.data.frame.privpc_network(net)),
  as.data.frame.privpc_plan = quote(as.data.frame.privpc_plan(plan)),
  as.matrix.privpc = quote(as.matrix.privpc(fit)),
  print.privpc = quote(print.privpc(fit)),
  print.privpc_network = quote(print.privpc_network(net)),
  print.privpc_budget = quote(print.privpc_budget(budget)),
  print.privpc_test = quote(print.privpc_test(a_test)),
  print.privpc_plan = quote(print.privpc_plan(plan)),
  print.privpc_strength = quote(print.privpc_strength(strength)),
  summary.privpc = quote(summary.privpc(fit)),
  summary.privpc_network = quote(summary.privpc_network(net)),
  plot.privpc_plan = quote(plot.privpc_plan(plan))
)

number_calls <- list(
  laplace_mechanism = quote(laplace_mechanism(10, sensitivity = 1, epsilon = 0.001)),
  gaussian_mechanism = quote(
    gaussian_mechanism(10, sensitivity = 1, epsilon = 0.001, delta = 1e-8)
  ),
  exponential_mechanism = quote(
    exponential_mechanism(c(a = 1, b = 2), sensitivity = 1, epsilon = 0.1)
  ),
  sparse_vector = quote(sparse_vector(c(1, 200), threshold = 100, sensitivity = 1, epsilon = 1)),
  private_median = quote(
    private_median(c(1, 2, 3), lower = 0, upper = 10, epsilon = 1, delta = 1e-6)
  ),
  sieve_and_examine = quote(sieve_and_examine(
    list(function(rows) 0.2), n = 1000, threshold = 0.5, sensitivity = 0.002, epsilon = 1
  )),
  privacy_budget = quote(privacy_budget(epsilon = 1, delta = 1e-6)),
  rho_from_dp = quote(rho_from_dp(epsilon = 1, delta = 1e-6)),
  dp_from_rho = quote(dp_from_rho(rho = 0.02, delta = 1e-6)),
  delta_from_rho = quote(delta_from_rho(rho = 0.02, epsilon = 1)),
  advanced_composition = quote(advanced_composition(epsilon = 0.1, steps = 20, slack = 1e-6)),
  amplified_epsilon = quote(amplified_epsilon(epsilon = 1, sampled = 1000, total = 20000)),
  epsilon_before_sampling = quote(
    epsilon_before_sampling(epsilon = 1, sampled = 1000, total = 20000)
  ),
  subsampled_gaussian_dp = quote(
    subsampled_gaussian_dp(sigma = 2, sampled = 10, total = 100, delta = 1e-6)
  ),
  subsampled_gaussian_sigma = quote(subsampled_gaussian_sigma(
    epsilon = 1, delta = 1e-6, sampled = 10, total = 100
  )),
  subsample_size = quote(subsample_size(n = 100000, epsilon = 0.5)),
  error_bounds = quote(error_bounds(epsilon = 1, sensitivity = 1, margin = 50)),
  kendall_threshold = quote(kendall_threshold(n = 10000)),
  spearman_threshold = quote(spearman_threshold(n = 10000)),
  audit_privacy = quote(audit_privacy(mechanism, 1, 2, epsilon = 1, runs = 1000, progress = FALSE)),
  evaluate_learners = quote(evaluate_learners(
    "cancer", learners = "exact_pc", epsilon = 1, n = 100, runs = 1, progress = FALSE
  )),
  plan_study = quote(
    plan_study(n = 1000, levels = rep(2, 3), epsilon = 1, runs = 2, progress = FALSE)
  ),
  random_network = quote(random_network(nodes = 4, seed = 1)),
  network = quote(network("asia")),
  read_bif = quote(read_bif(bif)),
  read_chunks = quote(read_chunks(csv)),
  tiers = quote(tiers("a", "b"))
)

good_calls <- c(learner_calls, fit_calls, number_calls)

# Wrong for nearly every argument. Where one is right, the call is simply carried out.
bad_values <- list(
  `NULL` = NULL, `NA` = NA, `NA number` = NA_real_, `NA text` = NA_character_, `NaN` = NaN,
  `Inf` = Inf, `-Inf` = -Inf, `minus one` = -1, zero = 0, half = 0.5, huge = 1e300, tiny = 1e-300,
  `two numbers` = c(1, 2), `integer overflow` = 2147483648, text = "nowhere", `no text` = "",
  `two texts` = c("smoke", "smoke"), `partial name` = "smo", `bad bytes` = "\xff\xfe\xfa",
  `not ASCII` = "\u00e5\u4e2d", braces = "{stop('no')}", `long text` = strrep("x", 1e4),
  true = TRUE, `two flags` = c(TRUE, FALSE), complex = 1i, raw = as.raw(1),
  factor = factor(c("a", "b")), Date = as.Date("2024-01-01"),
  POSIXct = as.POSIXct("2024-01-01", tz = "UTC"), difftime = as.difftime(1, units = "days"),
  `a function` = function(x) x, list = list(), `nested list` = list(list(list(1))),
  `named list` = list(a = 1, a = 2), matrix = matrix(1:6, 2L),
  `text matrix` = matrix(c("smoke", "nobody"), 1L), array = array(1:8, c(2, 2, 2)),
  frame = data.frame(), `frame of one` = data.frame(x = 1), environment = new.env(),
  formula = y ~ x, symbol = quote(a), call = quote(a + b), ALTREP = 1:1e6,
  `zero length` = numeric(), `no characters` = character(), S4 = methods::getClass("numeric"),
  connection = stdin(), `null frame` = structure(list(), class = "data.frame"),
  `false fit` = structure(list(), class = "privpc"),
  `false text fit` = structure("x", class = "privpc"),
  `false pag` = structure(list(nodes = 1), class = "privpc_pag"),
  `false network` = structure(list(nodes = "a"), class = "privpc_network"),
  `false budget` = structure(list(epsilon = 1), class = "privpc_budget"),
  `false bn` = structure(list(), class = "bn"), `false igraph` = structure(list(), class = "igraph")
)

# Data frames that are wrong, or odd, in all the ways we could think of.
bad_frames <- function() {
  good <- plain_cohort(40)[c("asia", "smoke", "lung")]
  with_column <- function(x) {
    good$odd <- x
    good
  }
  renamed <- function(names) {
    names(good) <- names
    good
  }
  n <- nrow(good)
  list(
    `no rows` = good[0L, ], `no columns` = good[, 0L], `one row` = good[1L, ],
    `one column` = good["asia"], `list column` = with_column(I(as.list(seq_len(n)))),
    `matrix column` = with_column(matrix(0, n, 2L)), `frame column` = with_column(good[1:2]),
    `array column` = with_column(array(0, c(n, 2L, 2L))), `raw column` = with_column(raw(n)),
    `complex column` = with_column(complex(n)), `text column` = with_column(rep("a", n)),
    `logical column` = with_column(rep(NA, n)),
    `Date column` = with_column(as.Date("2024-01-01") + seq_len(n)),
    `POSIXct column` = with_column(as.POSIXct("2024-01-01", tz = "UTC") + seq_len(n)),
    `POSIXlt column` = with_column(as.POSIXlt(as.POSIXct("2024-01-01", tz = "UTC") + seq_len(n))),
    `difftime column` = with_column(as.difftime(seq_len(n), units = "days")),
    `numbers without cuts` = with_column(stats::runif(n)),
    `infinite numbers` = with_column(rep(Inf, n)), `missing numbers` = with_column(rep(NaN, n)),
    `whole numbers` = with_column(seq_len(n)), `missing factor` = with_column(factor(rep(NA, n))),
    `missing levels` = with_column(addNA(factor(rep(c("a", NA), length.out = n)))),
    `no levels` = with_column(factor(rep(NA, n), levels = character())),
    `codes out of levels` = with_column(
      structure(rep(9L, n), levels = c("a", "b"), class = "factor")
    ),
    `codes below levels` = with_column(
      structure(rep(-1L, n), levels = c("a", "b"), class = "factor")
    ),
    `factor of doubles` = with_column(
      structure(rep(1.5, n), levels = c("a", "b"), class = "factor")
    ),
    `factor without levels` = with_column(structure(rep(1L, n), class = "factor")),
    `levels of numbers` = with_column(structure(rep(1L, n), levels = 1:2, class = "factor")),
    `levels twice` = with_column(structure(rep(1L, n), levels = c("a", "a"), class = "factor")),
    `levels in bad bytes` = with_column(
      structure(rep(1L, n), levels = c("\xff", "b"), class = "factor")
    ),
    `S4 column` = structure(
      c(as.list(good), list(odd = methods::getClass("numeric"))), class = "data.frame",
      row.names = seq_len(n)
    ),
    `function column` = structure(
      c(as.list(good), list(odd = function(x) x)), class = "data.frame", row.names = seq_len(n)
    ),
    `short column` = structure(
      c(as.list(good), list(odd = factor("a"))), class = "data.frame", row.names = seq_len(n)
    ),
    `NULL column` = structure(
      c(as.list(good), list(odd = NULL)), class = "data.frame", row.names = seq_len(n)
    ),
    `same names` = renamed(c("smoke", "smoke", "lung")),
    `no name` = renamed(c("smoke", "", "lung")), `missing name` = renamed(c("smoke", NA, "lung")),
    nameless = structure(unname(good)),
    `names in bad bytes` = renamed(c("smoke", "\xff\xfe", "lung")),
    `names not ASCII` = renamed(c("smoke", "\u00e5ge \u4e2d\u6587", "lung")),
    `long names` = renamed(c("smoke", strrep("n", 1e5), "lung")),
    `braces in names` = renamed(c("smoke", "{stop('no')}", "lung")),
    `a name of two lines` = renamed(c("smoke", "a\nb", "lung")),
    `wrong rows` = structure(as.list(good), class = "data.frame", row.names = 1:3),
    `no row names` = structure(as.list(good), class = "data.frame"),
    matrix = as.matrix(good), list = as.list(good), environment = list2env(as.list(good)),
    table = table(good), `a vector` = good$asia, `a string` = "cohort", `a function` = mean,
    `NULL` = NULL
  )
}

# The call with this argument replaced by the value called `bad`.
with_bad <- function(call, arg) {
  f <- get(as.character(call[[1L]]), envir = asNamespace("privpc"))
  call <- match.call(f, call, expand.dots = FALSE)
  dots <- call$...
  call$... <- NULL
  call[[arg]] <- quote(bad)
  if (length(dots)) call <- as.call(c(as.list(call), dots))
  call
}

arguments_of <- function(name) {
  setdiff(names(formals(get(name, envir = asNamespace("privpc")))), c("...", "progress", "open"))
}

# What comes of it, with `bad` bound to the value; `spent` if a refused call took something from the
# budget.
outcome_of_bad <- function(call, value, world) {
  frame <- new.env(parent = world)
  assign("bad", value, frame)
  before <- cpp_ledger_state(world$budget$ledger)$spent
  out <- quietly_drawn(outcome_of(eval(call, frame)))
  after <- cpp_ledger_state(world$budget$ledger)$spent
  out$spent <- out$refused && after != before
  out
}

# ---- tables of calls -----------------------------------------------------------------------------

# A fit with one thing wrong, by what that is.
damaged_things <- function(fit, pooled, pag, net, test, budget) {
  changed <- function(x, path, value) {
    with_damage(x, path_of(x, path), function(old) value)
  }
  amat <- fit$amat
  list(
    nodes = changed(fit, "nodes", NULL), graph = changed(fit, "amat", amat[-1L, ]),
    skeleton = changed(fit, "skeleton", 0 * fit$skeleton),
    tables = changed(fit, c("measurements", "tables", "values"), list()),
    rows = changed(fit, c("measurements", "n"), -1), settings = changed(fit, "settings", 1),
    privacy = changed(fit, c("privacy", "epsilon"), 0.01), ledger = changed(fit, "ledger", list()),
    sepsets = changed(fit, c("sepsets", "x"), rep("nobody", nrow(fit$sepsets))),
    cuts = changed(fit, c("settings", "breaks", "age"), "40"),
    knowledge = changed(fit, c("settings", "tiers"), list("nobody")),
    levels = changed(fit, c("measurements", "levels"), list()),
    names = changed(fit, "amat", unname(amat)),
    variance = changed(fit, c("measurements", "tables", "variance"), NA),
    sites = changed(pooled, c("pooled", "sites"), NULL),
    pag = changed(pag, "fit", 1), marks = changed(pag, "marks", 4L + pag$marks),
    network = changed(net, "parents", NULL),
    probabilities = changed(net, c("probabilities", net$nodes[[1L]]), -net$probabilities[[1L]]),
    test = changed(test, "p.value", "small"), budget = changed(budget, "epsilon", 2)
  )
}

path_of <- function(x, names) {
  out <- integer()
  for (name in names) {
    out <- c(out, match(name, names(x)))
    x <- .subset2(x, name)
  }
  out
}

# Writes what is said of each call. Gives the calls that were not refused, or not in our words, or
# that spent something.
show_bad_calls <- function(calls) {
  world <- bad_call_world()
  world$odd <- bad_frames()
  world$new_S4 <- methods::getClass("numeric")
  world$false_fit <- structure(list(), class = "privpc")
  world$no_measurements <- hostile_objects$exact_pc()
  world$damaged <- damaged_things(
    world$fit, world$pooled, world$a_pag, world$net, world$a_test, world$budget
  )
  wrong <- character()
  for (call in as.list(calls)) {
    text <- paste(trimws(deparse(call, 500L)), collapse = " ")
    before <- cpp_ledger_state(world$budget$ledger)$spent
    error <- tryCatch(quietly_drawn({
      utils::capture.output(suppressMessages(eval(call, new.env(parent = world))))
      NULL
    }), error = identity)
    spent <- cpp_ledger_state(world$budget$ledger)$spent != before
    said <- if (is.null(error)) "NOT REFUSED" else conditionMessage(error)
    for (folder in c(normalizePath(tempdir(), "/"), tempdir())) {
      said <- gsub(folder, "<folder>", said, fixed = TRUE)
    }
    said <- gsub("<folder>/[^ '\"`]+", "<file>", said)
    cat("> ", text, "\n", said, "\n\n", sep = "")
    if (!inherits(error, "privpc_error") || grepl(raw_pattern, said) || spent) {
      wrong <- c(wrong, paste0(text, if (spent) " (spent)", ": ", said))
    }
  }
  wrong
}
