#' The PC algorithm without privacy
#'
#' Learns a causal graph by the order-independent PC algorithm from exact
#' conditional independence tests. It is the reference that the private
#' learners are measured against: **its result is not private** and must not be
#' published as if it were.
#'
#' @section The search:
#' PC-stable (Colombo and Maathuis, 2014): starting from the complete graph,
#' every edge is tested given all sets of 0, 1, 2, ... neighbours of either
#' end, the neighbours being those at the start of each order. An edge is
#' removed when some test has a p-value above `alpha`; of the sets of that order
#' that separate the pair, the one with the largest p-value is kept. Neither the
#' order of the columns nor the number of threads can change the result.
#'
#' With many variables in a conditioning set, `"g2"` and `"chisq"` have more
#' degrees of freedom than the rows can fill, and then call almost everything
#' independent. The skeleton follows such tests (as bnlearn's does), but a separation
#' that would not stand if only the levels that occur in a stratum were counted is
#' reported by a message and is not used to direct edges. Often `max_order = 3` is
#' enough; or `df = "occurring"` counts those levels only, in every test.
#'
#' Without `max_order` the number of tests can double with every neighbour of a variable: a
#' variable that stays adjacent to thirty others has a billion sets to be tested with. Before an
#' order that may take a million tests or more a message says how many they may be. The
#' progress bar (`progress = TRUE`) shows the order and how far it is, and the search can be
#' interrupted at any time, with Ctrl-C or Esc. `max_tests` bounds it beforehand.
#'
#' @section Orientation:
#' The directions that the separating sets tell are found by rules that treat
#' all variables alike:
#' 1. Directions that background knowledge decides come first.
#' 2. Two nodes x and y that are not adjacent but share a neighbour z may form a
#'    v-structure x -> z <- y; `colliders` says when they do. The v-structures are
#'    taken from the strongest to the weakest; one that contradicts what is already
#'    directed, or would close a directed cycle, is left out. Of v-structures of
#'    exactly equal strength that contradict each other none is taken.
#' 3. Meek's four rules direct what then follows.
#' 4. The graph is completed to the one equivalence class it stands for (where the
#'    rules leave a choice, as in a cycle of four without v-structures, by the names in
#'    alphabetical order), so the result is always a valid CPDAG: no directed cycle, no bidirected
#'    edge, and some directed acyclic graph has exactly these directed edges in common
#'    with all graphs equivalent to it (given the background knowledge).
#'
#' The rules for v-structures:
#' * `"max-p"` (Ramsey, 2016): x and y are tested given all sets of up to three
#'   neighbours of x or of y (at most `max_order`; one more than the separating set
#'   where that is larger). They form a v-structure at z if the largest p-value is
#'   that of a set without z.
#' * `"conservative"` (Ramsey, Zhang and Spirtes, 2006): the same tests. They form a
#'   v-structure if some set without z separates them (p-value above `alpha`) and none
#'   with z does.
#' * `"sepset"`: no further tests. They form a v-structure if z is not in the set that
#'   separated them in the search.
#'
#' How strong a v-structure is: with `"max-p"` and `"conservative"`, how surely x and y are
#' dependent given z (the smaller the largest p-value given a set with z, the surer); with
#' `"sepset"`, the p-value of the separation, which under independence is a matter of chance.
#' Tests in which most cells are empty, or in which no stratum has both variables varying, count
#' for nothing.
#'
#' Which rule is best depends on the data. On random networks `"max-p"` directs better than
#' `"sepset"` and `"conservative"` better still, but on networks with many weak v-structures,
#' as alarm with 10,000 rows, `"conservative"` misses too many; `bench/colliders.R` in the sources
#' of the package compares them. The skeleton is the same for all.
#'
#' @section Background knowledge:
#' `whitelist` and `blacklist` mean what they mean in bnlearn, except that an arc in
#' both, or arcs whose only allowed directions would close a cycle, are an error
#' here. A whitelisted arc is in the graph; whitelisted both ways, its direction is left
#' open. A blacklisted arc is not; blacklisted both ways, the pair is not
#' adjacent. A pair that is decided by knowledge is never tested, so a pair
#' that is forbidden has no separating set and says nothing about v-structures.
#' `tiers` forbid every arc from a later into an earlier tier, as the blacklist of
#' `bnlearn::tiers2blacklist()` does. What was given is kept in the fit's
#' `settings` and named when it is printed.
#'
#' @section Numeric columns:
#' `"tau"` and `"rho"` compare numeric columns value by value, but can condition on
#' them only through the bins of `breaks`. What varies inside a bin is not held
#' constant: with few, wide bins dependence through a numeric variable stays visible
#' and too many edges remain. Give as many bins as the rows allow. The other tests
#' use numeric columns through their bins only (`"cmh"` with scores 1, 2, ...).
#'
#' @param data A data frame of factors: one row per record, levels declared.
#'   Numeric columns are compared at full resolution by `"tau"` and `"rho"`, and
#'   are used through `breaks` by the other tests and in conditioning sets. Or a table in a
#'   data base, or records in parts: see [tables_in_engines] and [read_chunks()].
#' @param test The conditional independence test: `"g2"` (log-likelihood ratio),
#'   `"chisq"` (Pearson), `"tau"` (Kendall), `"rho"` (Spearman) or `"cmh"`
#'   (generalised Cochran-Mantel-Haenszel; ordered factors through their
#'   scores). See [cond_g2()].
#' @param alpha Significance level: pairs with a p-value above it are called
#'   independent.
#' @param max_order Largest size of a conditioning set; `NULL` for no limit (larger
#'   sets than 30 are never used).
#' @param whitelist,blacklist Arcs that must or must not be in the graph: a
#'   matrix or data frame with two columns of names, from and to.
#' @param tiers A list of character vectors, the earliest tier first, that names
#'   every variable once; [tiers()] writes it as `tiers(age + sex ~ smoking ~ cancer)`.
#' @param na What to do with missing values: `"error"`; `"level"` to make them a level of their
#'   own in every column; or `c(smoking = "level")` to do so in the named columns
#'   only, the others having none. The level is added whether or not a column
#'   has missing values (levels are public and never read off the data), which costs
#'   `"g2"` and `"chisq"` degrees of freedom, and private learners noise: name the columns
#'   that can have some. [addNA()] on a column does the same. Ordered levels with such a level
#'   among them count as unordered. With `"error"` it is a public
#'   fact that the columns are complete: for a private learner, an error that says
#'   otherwise costs nothing and is outside the promise. Name the columns for which that is a
#'   secret, whether or not they have missing values. To leave incomplete
#'   rows out, use [na.omit()] on the
#'   data (for a private learner: who has missing values, and how many, is then outside the
#'   promise, which takes the number of rows as public). A missing value has no place in an order:
#'   `"tau"` and `"rho"` refuse it, and `"cmh"` treats such a column as nominal.
#' @param breaks Public cut points of numeric columns: a named list of
#'   increasing vectors such as `list(age = c(0, 40, 65, 120))`, here three bins.
#'   **The first and the last number are the limits of the range and make no cut**: values beyond
#'   them go to the outer bins. So `c(40, 65)` would be one bin for everybody, and is refused; at
#'   least three numbers are needed, and `c(-Inf, 40, 65, Inf)` is the same as the example.
#'   **Choose them without looking at the data**, from the literature or the questionnaire:
#'   quantiles, and the limits that `cut(x, 4)` makes, tell about the records, and no private
#'   learner's promise covers that. Private learners ask about cut points that look computed;
#'   [private_breaks()] pays for quantiles. Intervals are closed on the right; the bins are called
#'   `"<= 40"`, `"(40,65]"`, `"> 65"`. See [bin_like()] for the same bins elsewhere.
#' @param bounds Instead of `breaks`: the public range of numeric columns, a named list such as
#'   `list(age = c(18, 100))`, which is cut into five bins of equal width. [private_breaks()]
#'   chooses bins of about equal size, at a price.
#' @param levels,other What columns that are no factors can hold, and what becomes of other values:
#'   `levels = list(smoking = c("no", "yes"))`, `other = "error"` or the name of a level that takes
#'   them in. Needed for tables in a data base; see [tables_in_engines].
#' @param id,first_by If a person may have several records: the column that says whose record it is,
#'   and one by which a person's first record is chosen. One record of each person is
#'   used; see [several_records].
#' @param colliders The rule for v-structures: `"max-p"`, `"conservative"` or `"sepset"`; see the
#'   section on orientation.
#' @param df What the degrees of freedom of `"g2"` and `"chisq"` count: the `"declared"` levels of
#'   the variables and of the strata, or in each stratum only the levels of both variables that are
#'   `"occurring"` there (as bnlearn's `"mi-adf"` and `"x2-adf"`, which in addition do not test
#'   where there are fewer than five records per cell). Only for tests without privacy: which
#'   levels occur is a secret of the records.
#' @param max_tests Most tests of an order. An order that may take more is not begun, and a message
#'   and the fit (`settings$cut_short`, `settings$colliders_cut_short`) say so; the tests for
#'   directions (`colliders`) end in the same way. All pairs are tested in any case. `NULL` for no
#'   limit.
#' @param threads Number of threads. Any number gives the same result. The
#'   default is the option `privpc.threads`, or 2.
#' @param progress Show a progress bar when the search takes more than a moment.
#' @param ... Must be empty; a misspelt argument is an error.
#'
#' @return A list of class `privpc`: `amat` (0/1 adjacency matrix, row = from;
#'   an undirected edge has both entries), `skeleton`, `sepsets` (data frame with
#'   the separating set of every separated pair), `nodes`, `learner`, `privacy`,
#'   `ledger` (empty here), `settings` (including the number of `tests` of each
#'   order, and of the `collider_tests` asked for directions) and `call`. See [as_bn()] for the way
#'   to bnlearn, igraph and dagitty.
#' @references
#' Colombo, D. and Maathuis, M. H. (2014). Order-independent constraint-based
#' causal structure learning. *Journal of Machine Learning Research* 15,
#' 3921-3962.
#'
#' Meek, C. (1995). Causal inference and causal explanation with background
#' knowledge. *Proceedings of UAI*, 403-410.
#'
#' Ramsey, J. (2016). Improving accuracy and scalability of the PC algorithm by
#' maximizing p-value. arXiv:1610.00378.
#'
#' Ramsey, J., Zhang, J. and Spirtes, P. (2006). Adjacency-faithfulness and
#' conservative causal inference. *Proceedings of UAI*, 401-408.
#' @seealso [compare_graphs()] to score a graph against the truth.
#' @examples
#' # A hundred thousand simulated patients from the Asia network.
#' asia <- simulate(network("asia"), nsim = 100000, seed = 1)
#' fit <- exact_pc(asia, test = "g2", alpha = 0.01)
#' fit
#'
#' # How good is it? Asia's `either` is a deterministic function of its
#' # parents: given them nothing is left to be tested, so no test of this kind
#' # can find all edges around it.
#' compare_graphs(fit, network("asia"))
#'
#' # What is known about time helps with the directions.
#' exact_pc(asia, test = "g2", alpha = 0.01, tiers = list(
#'   c("asia", "smoke"), c("tub", "lung", "bronc"), "either", c("xray", "dysp")
#' ))
#'
#' # Your own data: declare the levels of every factor, and public cut points of
#' # every number.
#' cars <- data.frame(
#'   gears = factor(mtcars$gear, levels = 3:5, ordered = TRUE),
#'   manual = factor(mtcars$am, levels = 0:1),
#'   weight = mtcars$wt
#' )
#' exact_pc(cars, test = "cmh", breaks = list(weight = c(1, 2.5, 3.5, 6)))
#' @export
exact_pc <- function(data, test = c("g2", "chisq", "tau", "rho", "cmh"), alpha = 0.05,
                     max_order = NULL, whitelist = NULL, blacklist = NULL, tiers = NULL,
                     na = "error", breaks = NULL, bounds = NULL, levels = NULL, other = "error",
                     id = NULL, first_by = NULL,
                     colliders = c("max-p", "conservative", "sepset"),
                     df = c("declared", "occurring"), max_tests = NULL,
                     threads = getOption("privpc.threads", 2L), progress = interactive(), ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(data)
  check_quoted(c("id", "first_by"), call)
  test <- check_test(test, learner_tests("exact_pc"), call)
  check_number(alpha, min = 0, max = 1, min_open = TRUE, max_open = TRUE)
  colliders <- check_choice(colliders, c("max-p", "conservative", "sepset"))
  df <- check_df(df, test, call)
  check_flag(progress)
  max_order <- check_max_order(max_order, call)
  max_tests <- check_max_tests(max_tests, call)
  threads <- check_threads(threads, call)
  by_order <- compares_by_order(test)
  breaks <- resolve_breaks(breaks, bounds, data, call)
  persons <- read_persons(id, 1L, first_by, data_columns(data), call)
  source <- data_source(
    data, na, breaks, by_order, if (by_order) data_columns(data), levels = levels, other = other,
    persons = persons, private = FALSE, call = call
  )
  schema <- source$schema
  if (max_order > 0L && length(schema$names) > 2L) {
    check_conditioning(schema, schema$names, call)
    say_identifiers(schema)
  }
  say_nominal_order(schema, test)
  knowledge <- parse_knowledge(whitelist, blacklist, tiers, schema$names, call)
  memory <- cache_bytes(call)
  found <- with_source(source, call, function(source) {
    with_progress(progress, "Searching", function(report) {
      cpp_exact_pc(
        source, schema$nodes, test, df, alpha, max_order, max_tests, colliders,
        knowledge$required, knowledge$forbidden, threads, force_portable(), memory, report,
        tests_ahead(bounded = is.finite(max_tests))
      )
    })
  })
  say_sparse(found)
  say_tests_left_out(found, max_tests)
  new_fit(found, learner = "exact_pc", settings = c(list(
    test = test, alpha = as.double(alpha),
    max_order = if (max_order < core_limits$max_order) max_order else Inf,
    colliders = colliders, df = df,
    n = schema$n, whitelist = whitelist, blacklist = blacklist, tiers = tiers, na = na,
    breaks = breaks, tests = found$tests, collider_tests = found$collider_tests
  ), if (is.finite(max_tests)) list(max_tests = max_tests), cut_short_settings(found),
  person_settings(persons)),
  call = recorded_call(match.call(), "exact_pc"))
}

# Separations for which only empty cells speak (learners/exact_judge.hpp). A smaller `max_order` is
# a remedy only if it is smaller than the largest of the sets that separated so, and above 0.
say_sparse <- function(found) {
  sparse <- found$by_empty_cells
  if (sparse == 0L) return(invisible())
  # Plain text: formatting by cli would take longer than many a search.
  pairs <- if (sparse == 1L) "1 pair was" else paste(sparse, "pairs were")
  smaller <- min(3L, found$sparse_order - 1L)
  remedies <- if (smaller > 0L) {
    paste0("a smaller `max_order`, such as ", smaller, ", fewer levels,")
  } else {
    "fewer levels"
  }
  rlang::inform(c(
    "!" = paste(pairs, "separated only by a test in which most cells are empty."),
    i = "Such a test calls almost everything independent.",
    i = paste0("Consider ", remedies, ' or `df = "occurring"`.')
  ), class = "privpc_sparse_tests")
}
