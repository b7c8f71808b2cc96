#' Learn a private causal graph from noisy marginals
#'
#' The most accurate of the private learners. It measures noisy one-, two- and
#' three-way tables in a few batches under a budget that is fixed in advance, and
#' then does everything else - tests, search, directions, parameters, plots - with
#' these tables only. Nothing after the measuring touches the data or costs budget.
#'
#' @section How it works:
#' 1. **All pairs** (40 % of the budget): the one- and two-way tables of all
#'    variables and pairs, as *contrasts*, that is what a table tells beyond its margins. One
#'    record moves all of them together by much less than each by itself would
#'    suggest, which saves noise.
#' 2. **Pairs in question** (twice 30 %): what decides about the graph that scores best so
#'    far is measured again: its edges, pairs that may yet become edges, and the ends of its
#'    two-paths, which tell a collider from a chain. Where rows and budget are larger (a public
#'    number decides, before the data are touched), part of the budget goes to **triples**
#'    instead, the three-way tables that tests given two variables need: half of the last round,
#'    and with still more rows the shares are 50 % for all pairs, 33 % for pairs in question and
#'    17 % for triples.
#' 3. **The graph**, from these tables alone. Whole graphs are scored: each implies the
#'    covariances of all pairs, and these are compared with the measured ones, which are known
#'    with the precision that noise and sampling leave. A missing edge is evidence as well
#'    as a present one, and a wrong direction implies a covariance that is not there. Greedy
#'    steps and a random search look for the graph with the best score. Tests
#'    on the same tables decide which pairs may be edges at all: at least one pair must pass a
#'    false-discovery rule at level `alpha`, the p-value of an edge must be below twice `alpha` or
#'    pass that rule, and no test may have separated it clearly. For ordered factors and binned
#'    numbers with three or more levels these tests also look for trends along the levels, so
#'    declare an order where there is one: with many levels fewer rows show an edge.
#'
#' With `search = "tests"` the shares are 50 % for all pairs, 33 % for pairs in question and 17 %
#' for triples, and the graph comes from tests alone, as in the PC algorithm. A pair is called
#' dependent if it passes the false-discovery rule and a Bayes factor against an effect of size
#' `prior` favours dependence. An edge is removed if, given up to `max_order` neighbours, the
#' evidence favours independence and the effect has all but vanished. All tests know the noise.
#' Colliders are found by comparing, for every unshielded triple, how well the tables agree with
#' either direction.
#'
#' On random networks of many shapes the search by score was the better one from 2,000 to 100,000
#' rows, most so for directions (the vignette has the table). The shares are
#' fixed, what is measured after the first step is chosen from the noisy results of the steps
#' before. The vignette `algorithms` has the proofs.
#'
#' @section Many variables:
#' The noise of all pairs grows with the number of variables. So from 50 variables on, if that noise
#' matters and pairs can be told apart at all (public numbers decide: rows, variables, levels,
#' budget and background knowledge), pairs are *selected* privately before they are measured: first
#' a tree of those that are farthest from independence, then as many others, those that are farthest
#' from what the tree explains. The rest of the budget goes to two rounds of pairs in question. On
#' random networks this finds many more edges. The price: nothing is known about pairs that were not
#' selected, so that of variables that depend very strongly on each other, one after the other, some
#' may be joined that are only indirectly dependent, and [edge_strength()] does not always tell. The
#' ledger lists the choices as `"pair selection"`, and `fit$settings$selects` is `TRUE`. Added and
#' removed records (below) and `search = "tests"` never select.
#'
#' @section How it is counted:
#' Unless pairs are selected all noise is Gaussian. Such a fit, if it stands alone, is counted by
#' what is exact for such noise (*Gaussian differential privacy*, [rho_from_dp()] with
#' `gaussian = TRUE`), which allows about 1.15 times the rho of the general conversion and so makes
#' the noise 7 % smaller. Only where there is hardly any noise (a large `epsilon`) the general
#' conversion is better, and used. A fit that selects, or that a `budget` pays for, is counted in
#' zero-concentrated privacy. `fit$privacy$accounting` says which one it was. Several fits of the
#' same records, each standing alone, add up: their epsilons and their deltas. To do better, pay for
#' them from one budget.
#'
#' @section How long it takes:
#' With few variables of few levels a fit takes a moment, with many of many levels minutes or more.
#' The time grows with the number of pairs and with the number of contrasts, which is the sum of the
#' levels less one; the number of rows matters little beside them. So fewer variables, fewer levels
#' (merged ones, fewer `breaks`) and background knowledge that decides pairs shorten it, and so does
#' `search = "tests"`, which does not compare whole graphs. From 1,000 contrasts on the search by
#' score makes fewer tries, and where each takes long it stops at a bound of work and says so: there
#' may be a better graph then. Measured times are in `bench/results.md` of the sources, section
#' "Large networks". A search by score has a bound of work, and says when it
#' met it. `progress = TRUE` shows that the fit is at work; without it, as in scripts, nothing is
#' said until the end.
#'
#' A fit can be stopped, by Ctrl-C or `setTimeLimit()`. What a `budget` has paid for a fit that was
#' stopped stays paid, and there is no result: the price is taken before the data are touched. To
#' see how long it takes try it first on public or simulated data of the same shape.
#'
#' @section What alpha promises:
#' If no two variables depend on each other, the probability that the graph has any edge is
#' at most about `alpha`, whatever `epsilon` is. If some do, `alpha` bounds the expected share of
#' false ones among the pairs that are called dependent *before* conditioning. Edges
#' that only a third variable explains are then removed as far as the noise
#' allows; with a small budget some indirect edges may stay, and weak edges are
#' missed.
#'
#' @section What is public:
#' The number of rows, the names, levels and cut points of the columns and all arguments; and that
#' the columns are complete and within their declared levels, because an error tells otherwise, at
#' no price. If it is a secret whether somebody's value is missing, use `na = "level"`; see
#' [privacy_budget()] for unusual values. Running time is outside the promise.
#'
#' @section Added and removed records:
#' By default neighbours are data sets in which one record is replaced, and the number of records is
#' public. Other software promises something else: that *adding or removing* one record changes
#' little. With `neighbours = "add-remove"` so does this function. It needs less noise (its standard
#' deviation is 1.4 to 2 times smaller), but promises less for the same `epsilon`: replacing a
#' record is removing one and adding another, which may cost up to twice the epsilon. Do not compare
#' the two by their epsilon. The number of records is a secret then, beyond that there is at least
#' one: it is measured as the first step, `settings$n` and `measurements$n` are that noisy number,
#' `delta` is 1e-6 by default whatever the number of rows is, and a warning of few rows comes after
#' the measuring, from the noisy number. Choose `delta` far below one over the number of records by
#' what is publicly known of it. The fit, its print, [report()] and the budget say which promise it
#' is; a `budget` must be of the same kind, and cut points must not come from [private_breaks()].
#'
#' @section When to prefer another learner:
#' * [priv_pc()] can do without `delta` (pure privacy), and works with Kendall's tau on
#'   numeric columns at full resolution; `marginal_pc()` needs `delta > 0` and uses
#'   numbers through `breaks`.
#' * With several hundred variables the budget is spread over very many tables. If
#'   background knowledge leaves few pairs open, give it: pairs that no test can need
#'   are not measured, which leaves more for the others.
#' * Variables with very many levels (more than 100) are not accepted; merge levels.
#'
#' @section Rare outcomes:
#' `prior` is the size of a typical effect. On a rare outcome even a strong risk factor has a small
#' one (a doubled risk of a 5 % outcome is about 0.003). If edges to such a variable are missing,
#' `relearn(fit, prior = 0.01)` looks for smaller effects, at no cost. Directions are the most
#' fragile part of any such graph: one missed edge can turn an arrow. Give what is known about time
#' as `tiers`.
#'
#' @section Warnings:
#' As in [priv_pc()], an `epsilon` above 10 warns. Whether there are enough rows follows from public
#' numbers: rows, variables, levels, `epsilon` and `alpha` tell how strong an edge between two
#' evenly split variables must be (phi, as a correlation) to be found in 80 % of fits. Above
#' `r hidden_effect` a warning says that hardly any edge can be found (on random networks the
#' skeleton's F1 was below 0.2 then); above `r missed_effect`, where the noise has a part in it, a
#' message says that weak edges will be missed. Both name that phi, and how many rows or which
#' `epsilon` would do. That is for a pair like most; where it is above `r hidden_effect` only for
#' variables with many more levels than others have, a warning says from how many levels on. Where
#' pairs are selected before they are measured (from 50 variables on, if it pays), weaker edges are
#' found than these numbers say. With `search = "tests"` the warning comes where the noise hides
#' even a correlation of one half, in at least half of all pairs. A message asks, once, about cut points
#' and levels of `cut()` that look as if they had been made from the data (`breaks`).
#' `options(privpc.advice = FALSE)` turns all of them off. [plan_study()] tells the same before
#' there are any data.
#'
#' @section Limits:
#' * Dependence that shows only in three-way tables (as in `z = x XOR y`, where all
#'   pairs are independent) is not found: the PC algorithm never sees it either, because
#'   it asks for marginal dependence first.
#' * Effects that cancel each other are overlooked for the same reason: a treatment that is given to
#'   the gravest cases and helps them may look unrelated to the outcome, and the edge is
#'   removed at once. [retest()] given the severity shows it; `whitelist` keeps the edge.
#' * Conditional tests pool over the strata of the conditions, as
#'   Cochran-Mantel-Haenszel tests do. Dependence that cancels out over strata is
#'   overlooked.
#' * If a variable is a function of others, no test given those can see what it
#'   does; edges around it may be missing, as with any PC search.
#' * Conditioning sets have at most three variables.
#'
#' @inheritParams exact_pc
#' @param data A data frame of factors with declared levels, one row per record; numbers
#'   need `breaks`. The levels are public, also those that do not occur. At most 100 levels per
#'   variable. Or a table in a data base, or records in parts: see [tables_in_engines] and
#'   [read_chunks()].
#' @param epsilon,delta The promise: replacing one record changes the probability of any
#'   result by a factor of at most `exp(epsilon)`, up to the probability `delta`. The
#'   default of `delta` is 1e-6, or 1/(10 n) from 100,000 rows on.
#' @param search How the graph is found in the noisy tables: `"score"` compares whole graphs,
#'   `"tests"` goes from test to test, as the PC algorithm does; see below.
#' @param id,max_records,first_by If a person may have several records: the column that says whose
#'   record it is, how many of a person are used at most (1 to 10), and a column by which the first
#'   ones are chosen. The promise is then for a person with all their records; see
#'   [several_records].
#' @param max_order Largest conditioning set of the tests, 0 to 3.
#' @param alpha Level of the false-discovery rule; see below.
#' @param prior Size of a typical effect, as phi squared: the squared correlation of two variables
#'   with two levels each; with more levels a sum of such over contrasts, see [contradictions()].
#' @param least_effect Effects (phi squared) below this are taken for none, however
#'   significant.
#' @param parameters `TRUE` sets 30 % of the budget aside to measure, for each variable,
#'   its table with its parents, so that private parameters can be read off with
#'   [measured()]. The graph then has less budget.
#' @param budget A [privacy_budget()] with a delta that pays for the fit, `NULL` if the fit
#'   stands alone. The rho of `epsilon` and `delta` is taken from it before the data are touched;
#'   `delta` is then by default that of the budget. A fit that the budget does not cover is refused.
#' @param neighbours Between which data sets the promise holds: `"replace-one"`, or `"add-remove"`;
#'   see below.
#' @param hidden `TRUE` for a graph in which common causes may be hidden, of class
#'   [`"privpc_pag"`][privpc_pag]; its element `fit` is what `hidden = FALSE` gives. It can be asked
#'   for later, too, at no cost: `relearn(fit, hidden = TRUE)`.
#' @param seed Only for teaching and tests: makes the noise repeatable, and the fit **not
#'   private**. The same seed gives the same fit on processors of the same kind: ARM rounds sums in
#'   other places than x86, so that numbers differ in their last digits, and graphs now and then.
#' @return A fit of class `"privpc"` ([fits][privpc-class]) with the further element
#'   `measurements`: a list of `nodes`, `levels`, `ordered`, `n`, `tables` (the noisy contrasts of
#'   each measured set as shares of the records, with the `variance` of their noise) and `families`
#'   (the same for the tables that `parameters = TRUE` asked for). All of it is
#'   noisy or public, and the whole fit may be published.
#' @seealso [measured()], [retest()] and [relearn()] for further questions to the same
#'   measurements, at no cost; [privacy_ledger()] for what was spent.
#' @references
#' Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate. *Journal
#' of the Royal Statistical Society B* 57, 289-300.
#'
#' Canonne, C. L., Kamath, G. and Steinke, T. (2020). The discrete Gaussian for
#' differential privacy. *Advances in Neural Information Processing Systems* 33.
#'
#' Dong, J., Roth, A. and Su, W. (2022). Gaussian differential privacy. *Journal of the Royal
#' Statistical Society B* 84, 3-37.
#' @examples
#' # A hundred thousand simulated patients, and a strong promise to each of them.
#' cohort <- simulate(network("asia"), nsim = 100000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 1)
#' fit
#' compare_graphs(fit, network("asia"))
#'
#' # What was the budget spent on?
#' privacy_ledger(fit)
#'
#' # Several private steps that keep one promise together
#' budget <- privacy_budget(epsilon = 1, delta = 1e-6)
#' fit <- marginal_pc(cohort, epsilon = 0.8, budget = budget)
#' private_test(cohort, "asia", "dysp", epsilon = 0.5, budget = budget)$p.value
#' budget
#'
#' # Questions that come up later cost nothing: a noisy table, a test, another graph.
#' measured(fit, c("smoke", "lung"))
#' retest(fit, "xray", "smoke", given = "lung")
#' relearn(fit, tiers = list(
#'   c("asia", "smoke"), c("tub", "lung", "bronc"), "either", c("xray", "dysp")
#' ))
#' @export
marginal_pc <- function(data, epsilon, delta = NULL, search = c("score", "tests"), max_order = 3,
                        alpha = 0.05, prior = 0.1, least_effect = 2e-4, parameters = FALSE,
                        whitelist = NULL, blacklist = NULL, tiers = NULL, na = "error",
                        breaks = NULL, bounds = NULL, levels = NULL, other = "error", id = NULL,
                        max_records = 10, first_by = NULL,
                        threads = getOption("privpc.threads", 2L), progress = interactive(),
                        budget = NULL, neighbours = "replace-one", hidden = FALSE, seed = NULL,
                        ...) {
  check_quoted(c("id", "first_by"), rlang::current_env())
  args <- as.list(environment())
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(data)
  check_epsilon(epsilon, call)
  check_flag(hidden)
  fit <- learn_from_marginals(args, call, match.call())
  if (!hidden) return(fit)
  say_excluded_pairs(fit, call)
  with_hidden_causes(fit, call)
}

# `args` are the arguments of marginal_pc() by name, `call` its environment, for errors; `recorded`
# what match.call() says. `stages` changes what is measured, by the names of its parts
# (StageSettings in the core), `select` whether pairs are selected first: both for calibration.
learn_from_marginals <- function(args, call, recorded, stages = list(), select = NULL) {
  data <- args$data
  epsilon <- as.double(args$epsilon)
  rules <- check_noisy_rules(
    args$search, args$alpha, args$prior, args$least_effect, args$max_order, call
  )
  check_flag(args$parameters, "parameters", call = call)
  check_flag(args$progress, "progress", call = call)
  check_seed(args$seed, args$budget, call)
  neighbours <- check_neighbours(args$neighbours, call)
  add_remove <- is_add_remove(neighbours)
  persons <- read_persons(args$id, args$max_records, args$first_by, data_columns(data), call, 10)
  per <- unit_of_promise(persons)
  check_budget(args$budget, call, neighbours = neighbours, per = per)
  threads <- check_threads(args$threads, call)
  breaks <- resolve_breaks(args$breaks, args$bounds, data, call)
  check_private_breaks(breaks, args$budget, call)
  check_breaks_neighbours(breaks, neighbours, call)
  check_breaks_persons(breaks, persons, call)
  source <- data_source(
    data, args$na, breaks, levels = args$levels, other = args$other, persons = persons, call = call
  )
  schema <- source$schema
  check_measurable_levels(schema, call)
  say_undeclared_id(schema)
  ask_about_cuts(breaks, args$bounds, schema)
  # A secret number of records must not show in a default or a warning: there is at least one.
  public_n <- if (add_remove) 1 else schema$n
  delta <- choose_learner_delta(
    args$delta, public_n, args$budget, call, pure = learner_registry$marginal_pc$pure
  )
  knowledge <- parse_knowledge(args$whitelist, args$blacklist, args$tiers, schema$names, call)
  for_families <- if (args$parameters) parameter_share else 0
  accounts <- marginal_price(
    schema$levels, schema$n, epsilon, delta, rules, knowledge, for_families, add_remove, call,
    alone = is.null(args$budget), select = select
  )
  selects <- accounts$selects
  gaussian <- accounts$gaussian
  price <- accounts$price
  warn_if_few <- function(n) {
    plan <- list(
      n = n, levels = schema$levels, rho = price$rho * (1 - for_families), alpha = rules$alpha,
      add_remove = add_remove
    )
    if (rules$search == "tests") {
      enough <- do.call(cpp_enough_to_measure, unname(plan))
      unit <- counted_unit(persons)
      if (enough) return(warn_many_levels(plan, epsilon, rows_are(n, unit)))
      return(warn_few_rows(enough, n, length(schema$names), epsilon, "marginal_pc", unit))
    }
    # What the whole fit would cost if its graph were to have this rho.
    epsilon_of <- function(rho) {
      convert <- if (gaussian) cpp_gaussian_dp_from_rho else cpp_dp_from_rho
      convert(rho / (1 - for_families), delta)
    }
    warn_weak_effects(plan, epsilon, epsilon_of, counted_unit(persons), selects)
  }
  if (!add_remove) warn_if_few(schema$n)
  memory <- cache_bytes(call)
  # Before anything is spent: a call that cannot be recorded is an error.
  recorded <- recorded_call(recorded, "marginal_pc")
  check_before_paying(args$budget, source, call)
  paid <- pay_for_fit(args$budget, schema, "marginal_pc", price, call, neighbours, per)
  beside <- if (is.null(args$seed)) spent_beside(recorded, schema$names, args$budget)
  found <- with_source(source, call, function(source) {
    with_progress(args$progress, "Searching", function(report) {
      cpp_marginal_pc(
        source, schema$nodes, price$run, price$accounting == "gaussian", selects, add_remove,
        for_families, rules, stages, knowledge$required, knowledge$forbidden, threads,
        force_portable(), memory, args$seed, report
      )
    })
  }, paid = !is.null(args$budget))
  say_score_cut_short(found, schema)
  # As far as it is public: with the noise that was paid for, where it is a secret.
  n <- if (add_remove) found$n else schema$n
  if (add_remove) warn_if_few(n)
  fit <- new_fit(
    found, learner = "marginal_pc",
    privacy = privacy_with_inputs(drop_null(list(
      epsilon = epsilon, delta = delta, rho = price$rho, accounting = price$accounting,
      private = !found$repeatable, neighbours = neighbours, per = if (per == "person") per,
      why = why_not_private(found$repeatable, published = FALSE),
      budget = shared_budget(args$budget, paid), beside = beside
    )), data),
    ledger = ledger_of_persons(ledger_frame(found$ledger, TRUE), persons),
    settings = c(rules, list(
      parameters = isTRUE(args$parameters), n = n, whitelist = args$whitelist,
      blacklist = args$blacklist, tiers = args$tiers, na = args$na, breaks = breaks
    ), person_settings(persons), if (add_remove) list(neighbours = neighbours),
    if (selects) list(selects = TRUE), cut_short_settings(found)),
    call = recorded
  )
  fit$measurements <- list(
    nodes = schema$names, levels = level_names(schema, breaks),
    ordered = schema$ordered, n = n,
    tables = found$tables, families = found$families
  )
  fit
}

# What the search had to leave out follows from noisy tables, like the graph.
say_score_cut_short <- function(found, schema) {
  if (!found$cut_short) return(invisible())
  contrasts <- big(sum(schema$levels - 1))
  cli::cli_inform(c(
    "!" = paste(
      "The search was stopped before it had tried everything: with {contrasts} contrasts (the",
      "levels less one of all variables) each try takes long."
    ),
    i = "There may be a better graph. Fewer variables or levels and background knowledge help."
  ), class = "privpc_cut_short")
}

# Whether pairs are selected, how the steps are counted, and what the fit costs: from public facts,
# so that plan_study() plans for the same. With many variables, pairs are selected before they are
# measured; else all steps are Gaussian. What a budget pays for is counted as the budget counts; a
# fit that stands `alone` has none. A secret `n` is not used.
marginal_price <- function(levels, n, epsilon, delta, rules, knowledge, for_families, add_remove,
                           call, alone = TRUE, select = NULL) {
  selects <- rules$search == "score" && !add_remove && if (is.null(select)) {
    cpp_selects_pairs(
      levels, n, cpp_rho_from_dp(epsilon, delta) * (1 - for_families), rules, knowledge$required,
      knowledge$forbidden
    )
  } else {
    select
  }
  gaussian <- !selects && alone && cpp_gaussian_noise_is_less(levels, epsilon, delta, add_remove)
  public_n <- if (add_remove) 1 else n
  list(
    selects = selects, gaussian = gaussian,
    price = fit_price("marginal_pc", epsilon, delta, public_n, public_n, call, gaussian)
  )
}

# How a graph is found in noisy tables, the default first.
graph_searches <- c("score", "tests")

# Of the budget, for the tables of the families.
parameter_share <- 0.3

max_measured_levels <- 100L

check_noisy_rules <- function(search, alpha, prior, least_effect, max_order, call) {
  search <- check_choice(search, graph_searches, "search", call)
  check_number(
    alpha, "alpha", min = 0, max = 1, min_open = TRUE, max_open = TRUE, call = call
  )
  check_number(prior, "prior", min = 0, max = 100, min_open = TRUE, call = call)
  check_number(least_effect, "least_effect", min = 0, max = 100, call = call)
  check_number(max_order, "max_order", min = 0, max = 3, whole = TRUE, call = call)
  list(
    search = search, alpha = as.double(alpha), prior = as.double(prior),
    least_effect = as.double(least_effect), max_order = as.integer(max_order)
  )
}

check_measurable_levels <- function(schema, call) {
  many <- which(schema$levels > max_measured_levels)
  if (length(many) == 0L) return(invisible())
  abort(c(
    "Columns of {.arg data} can have at most {max_measured_levels} levels here.",
    x = paste(
      "{cli::qty(length(many))}Column{?s} {.var {schema$names[many]}} {?has/have}",
      "{schema$levels[many]}."
    ),
    i = "Merge levels; for numbers declare fewer {.arg breaks}.",
    i = id_hint(schema$names[many])
  ), call = call)
}
