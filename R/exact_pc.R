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
#' enough.
#'
#' Without `max_order` the number of tests can double with every neighbour of a variable: a
#' variable that stays adjacent to thirty others has a billion sets to be tested with. The
#' progress bar (`progress = TRUE`) shows the order and how far it is, and the search can be
#' interrupted at any time, with Ctrl-C or Esc.
#'
#' @section Orientation:
#' The directions that the separating sets tell are found by rules that treat
#' all variables alike:
#' 1. Directions that background knowledge decides come first.
#' 2. Two nodes x and y that are not adjacent but share a neighbour z, which is
#'    not in the set that separates them, form a v-structure x -> z <- y. The
#'    v-structures are taken from the strongest separation (largest p-value) to
#'    the weakest; one that contradicts what is already directed, or would close
#'    a directed cycle, is left out. Of v-structures of exactly equal strength
#'    that contradict each other none is taken.
#' 3. Meek's four rules direct what then follows.
#' 4. The graph is completed to the one equivalence class it stands for (where the
#'    rules leave a choice, as in a cycle of four without v-structures, by the names in
#'    alphabetical order), so the result is always a valid CPDAG: no directed cycle, no bidirected edge, and
#'    some directed acyclic graph has exactly these directed edges in common
#'    with all graphs equivalent to it (given the background knowledge).
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
#'   are used through `breaks` by the other tests and in conditioning sets.
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
#'   that can have some. [addNA()] on a column does the same. With `"error"` it is a public
#'   fact that the columns are complete: for a private learner, an error that says
#'   otherwise costs nothing and is outside the promise. Name the columns for which that is a
#'   secret, whether or not they have missing values. To leave incomplete
#'   rows out, use [na.omit()] on the
#'   data (for a private learner: who has missing values, and how many, is then outside the
#'   promise, which takes the number of rows as public). A missing value has no place in an order: `"tau"` and `"rho"` refuse it,
#'   and `"cmh"` treats such a column as nominal.
#' @param breaks Public cut points of numeric columns: a named list of
#'   increasing vectors such as `list(age = c(0, 40, 65, 120))`, here three bins.
#'   **The first and the last number are the limits of the range and make no cut**: values beyond
#'   them go to the outer bins. So `c(40, 65)` would be one bin for everybody, and is refused; at
#'   least three numbers are needed, and `c(-Inf, 40, 65, Inf)` is the same as the example.
#'   Intervals are closed on the right; the bins are called `"<= 40"`, `"(40,65]"`, `"> 65"`. See
#'   [bin_like()] for the same bins elsewhere.
#' @param bounds Instead of `breaks`: the public range of numeric columns, a named list such as
#'   `list(age = c(18, 100))`, which is cut into five bins of equal width. [private_breaks()]
#'   chooses bins of about equal size, at a price.
#' @param threads Number of threads. Any number gives the same result. The
#'   default is the option `privpc.threads`, or 2.
#' @param progress Show a progress bar when the search takes more than a moment.
#' @param ... Must be empty; a misspelt argument is an error.
#'
#' @return A list of class `privpc`: `amat` (0/1 adjacency matrix, row = from;
#'   an undirected edge has both entries), `skeleton`, `sepsets` (data frame with
#'   the separating set of every separated pair), `nodes`, `learner`, `privacy`,
#'   `ledger` (empty here), `settings` (including the number of `tests` of each
#'   order) and `call`. See [as_bn()] for the way to bnlearn, igraph and dagitty.
#' @references
#' Colombo, D. and Maathuis, M. H. (2014). Order-independent constraint-based
#' causal structure learning. *Journal of Machine Learning Research* 15,
#' 3921-3962.
#'
#' Meek, C. (1995). Causal inference and causal explanation with background
#' knowledge. *Proceedings of UAI*, 403-410.
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
                     na = "error", breaks = NULL, bounds = NULL,
                     threads = getOption("privpc.threads", 2L), progress = interactive(), ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(data)
  test <- check_test(test, call)
  check_number(alpha, min = 0, max = 1, min_open = TRUE, max_open = TRUE)
  check_flag(progress)
  max_order <- check_max_order(max_order, call)
  threads <- check_threads(threads, call)
  by_order <- compares_by_order(test)
  breaks <- resolve_breaks(breaks, bounds, data, call)
  encoded <- encode_data(data, na, breaks, by_order, if (by_order) names(data), call = call)
  if (max_order > 0L && length(data) > 2L) {
    check_conditioning(encoded, encoded$names, call)
    say_identifiers(encoded)
  }
  say_nominal_order(encoded, test)
  knowledge <- parse_knowledge(whitelist, blacklist, tiers, encoded$names, call)
  memory <- cache_bytes(call)
  found <- with_encoded(encoded, call, function(encoded) {
    with_progress(progress, "Searching", function(report) {
      cpp_exact_pc(
        encoded, test, alpha, max_order, knowledge$required, knowledge$forbidden, threads,
        force_portable(), memory, report
      )
    })
  })
  say_sparse(found)
  new_fit(found, encoded, names(data), learner = "exact_pc", settings = list(
    test = test, alpha = as.double(alpha), max_order = if (max_order < core_limits$max_order) max_order else Inf,
    n = encoded$n, whitelist = whitelist, blacklist = blacklist, tiers = tiers, na = na,
    breaks = breaks, tests = found$tests
  ), call = recorded_call(match.call()))
}

check_test <- function(test, call) {
  known <- c("g2", "chisq", "tau", "rho", "cmh")
  if (identical(test, known)) return(known[[1L]])
  # Not `test` itself, on which something may hang.
  if (is.character(test) && length(test) == 1L && test %in% known) return(known[known == test])
  elsewhere <- c(mi = "g2", x2 = "chisq", jt = "tau", kendall = "tau", spearman = "rho")
  meant <- if (is.character(test) && length(test) == 1L) elsewhere[test] else NA
  abort(c(
    "{.arg test} must be one of {.val {known}}.",
    x = "It is {describe(test)}.",
    i = if (!is.na(meant)) "Here that test is called {.val {meant}}."
  ), call = call)
}

check_max_order <- function(max_order, call) {
  if (is.null(max_order)) return(core_limits$max_order)
  check_number(max_order, "max_order", min = 0, whole = TRUE, call = call)
  as.integer(min(max_order, core_limits$max_order))
}

check_threads <- function(threads, call) {
  check_number(threads, "threads", min = 1, max = 1024, whole = TRUE, call = call)
  as.integer(threads)
}

compares_by_order <- function(test) test == "tau" || test == "rho"

# A numeric variable can be conditioned on only through its bins.
check_conditioning <- function(encoded, names, call) {
  if (all(encoded$levels > 0L)) return(invisible())
  bare <- encoded$names[encoded$levels == 0L]
  bare <- bare[bare %in% names]
  if (length(bare)) abort_numeric_needs_breaks(bare[[1L]], call)
}

# tau and rho compare by order. Where a factor's order was not declared to mean
# something, say aloud that it is used.
say_nominal_order <- function(encoded, test, names = encoded$names) {
  if (!compares_by_order(test)) return(invisible())
  nominal <- encoded$names[!encoded$ordered & encoded$levels > 2L & encoded$names %in% names]
  if (length(nominal) == 0L) return(invisible())
  # Plain text: formatting by cli would take longer than many a search.
  count <- if (length(nominal) == 1L) "1 factor is" else paste(length(nominal), "factors are")
  text <- paste0(
    '! "', test, '" uses the order of the levels, but ', count, " not ordered: ",
    paste0("`", nominal, "`", collapse = ", "), ".\n",
    "i Declare the order with `factor(..., ordered = TRUE)`, or use a test for nominal variables ",
    'such as "g2".\n'
  )
  message(structure(
    class = c("privpc_nominal_order", "message", "condition"), list(message = text, call = NULL)
  ))
}

# Given a variable that has almost as many levels as there are records, everything is constant and
# looks independent.
say_identifiers <- function(encoded) {
  many <- encoded$levels >= 20L & encoded$levels > encoded$n / 5
  if (!any(many)) return(invisible())
  shown <- paste0("`", encoded$names[many], "` (", encoded$levels[many], ")", collapse = ", ")
  rlang::inform(c(
    "!" = paste0("Almost as many levels as records (", encoded$n, "): ", shown, "."),
    i = "Given such a variable almost everything looks independent. Leave it out, or merge its levels."
  ), class = "privpc_identifiers")
}

# Separations for which only empty cells speak (strength below 0, see
# learners/exact_judge.hpp).
say_sparse <- function(found) {
  sparse <- sum(found$strength < 0)
  if (sparse == 0L) return(invisible())
  # Plain text: formatting by cli would take longer than many a search.
  pairs <- if (sparse == 1L) "1 pair was" else paste(sparse, "pairs were")
  rlang::inform(c(
    "!" = paste(pairs, "separated only by a test in which most cells are empty."),
    i = "Such a test calls almost everything independent.",
    i = "Consider a smaller `max_order`, such as 3, or fewer levels."
  ), class = "privpc_sparse_tests")
}

# Switches for tests and for machines with little memory.
force_portable <- function() isTRUE(getOption("privpc.portable", FALSE))
cache_bytes <- function(call = rlang::caller_env()) {
  mb <- getOption("privpc.cache_mb", 512)
  check_number(mb, "options(privpc.cache_mb)", min = 0, max = 2^20, call = call)
  mb * 2^20
}
