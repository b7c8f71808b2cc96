#' Private causal discovery by sieve-and-examine
#'
#' Learns a causal graph by the PC algorithm with differentially private tests (Priv-PC: Wang,
#' Pang and Song, 2020). The graph, its separating sets and everything else in the result may
#' be published: replacing any one record changes the probability of every outcome by a factor
#' of at most `exp(epsilon)`, up to a probability `delta`.
#'
#' @section How it works:
#' The search is that of [exact_pc()]. Tests cost budget only when they seem to find an
#' independence: a *sieve* (a sparse vector run with threshold and answers hidden in noise)
#' passes over the tests until one looks independent; an *examine* step looks at that test
#' alone, with less noise, and says yes (the edge goes) or no. Either way the round is paid
#' and the next begins. An edge that stays is free, however many tests it passed.
#'
#' A test is decided by its margin, `threshold` standard deviations of the statistic under
#' independence minus the statistic's absolute value, divided by its sensitivity: one record moves
#' the margin of any test by at most 1, so tests of variables with two and with eleven levels
#' share one run. What the standard deviation is follows from the ties in the data and is part of
#' the margin.
#'
#' @section Choosing between the learners:
#' [em_pc()] is more accurate at the same budget, and so, by far, is measuring noisy tables once
#' ([marginal_pc()]), which also sees dependence that has no direction (nominal
#' variables). `priv_pc()` is the corrected version of the published algorithm; it needs little
#' memory and works with numeric columns at full resolution.
#'
#' @section Budget:
#' `epsilon` and `delta` are the whole price of the whole fit, fixed before the data are
#' touched. Rounds get equal shares of what is left, for as many as the number of pairs still to be
#' decided suggests. What a fit took is in its `ledger`; the guarantee is `epsilon` whether or
#' not all of it was used. With `delta = 0` the guarantee is pure and the noise is several
#' times larger.
#'
#' With a `budget` the whole price of the fit is taken from it at once, as one step, so that the
#' fit, other fits, tests and releases together keep the budget's promise. From a budget with a
#' delta it takes the rho of `epsilon` and `delta` ([rho_from_dp()]), where `delta` is by
#' default the budget's; with `delta = 0` it takes epsilon tanh(epsilon / 2). From a budget
#' without a delta it takes `epsilon`, and `delta` must be 0, which is then the default. What the
#' fit leaves unspent is not given back. The price of [private_breaks()] is paid where they are
#' made.
#'
#' The guarantee treats the number of rows, the columns' names, levels and `breaks`, and all
#' arguments as public, and so that the columns are complete and within their declared levels: an
#' error tells otherwise, at no price (see `na`, and [privacy_budget()] for what to do if that is
#' a secret). Running time is outside of it.
#'
#' @section Warnings:
#' Two warnings follow from public facts alone: an `epsilon` above 10, which promises almost
#' nothing, and so few rows for the variables and the budget that even a correlation of one half
#' would more likely be lost in the noise than found. Each is given once for the same facts;
#' `options(privpc.advice = FALSE)` turns them off.
#'
#' @section Sub-sampling:
#' With `subsample` below 1 each round's sieve looks at that share of the rows only, drawn afresh.
#' Sampling amplifies privacy, but the signal shrinks as fast as the noise: the vignette `paper` has
#' both side by side. In this implementation counting is so fast that drawing the sub-samples takes
#' longer than it saves. The default is therefore to use all rows. `subsample = "optimal"` takes the
#' published optimum, see [subsample_size()].
#'
#' @section Sparse strata:
#' The standard deviation under independence is that of large strata. With many conditions and few
#' rows per stratum it is too small, and too many edges stay.
#'
#' @param data A data frame of factors with declared levels; numeric columns are compared value by
#'   value and need `breaks` to be conditioned on. Or a table in a data base, or records in parts:
#'   see [tables_in_engines] and [read_chunks()].
#' @param epsilon The privacy budget, a number above 0.
#' @param delta The probability with which the bound may fail. `NULL` for 1e-6, or 1/(10 n) from
#'   100,000 rows on. 0 for pure differential privacy.
#' @param threshold How many standard deviations a statistic may lie from 0 under independence;
#'   `NULL` for 3. The noise is allowed for on top of it.
#' @param tweak How much more readily than the examine step the sieve takes a test for
#'   independent, in units of its own noise; `NULL` for the default, -0.25.
#' @param subsample The share of the rows (at most 1) or their number (above 1) that a sieve sees,
#'   or `"optimal"`.
#' @param test `"tau"` (Kendall) or `"rho"` (Spearman), which use the order of the levels; or
#'   `"g2"` or `"chisq"`, by votes of many small blocks of rows (sub-sample-and-aggregate), which
#'   do not, but need strong dependence and many rows.
#' @param rounds Number of rounds among which the budget is divided equally; `NULL` to adapt it.
#' @param max_order Largest size of a conditioning set; `NULL` for 2. Larger sets hardly ever
#'   separate what smaller ones do not, and every test more is a chance for an error.
#' @param sensitivity `"proven"`, or `"paper"` for the published constants, which do not hold: for
#'   comparisons only, and the fit says that it is not private.
#' @param threads Number of threads for counting. Any number gives the same distribution of
#'   results, and with a `seed` the same result.
#' @param budget A [privacy_budget()] that pays for the fit, `NULL` if the fit stands alone. The
#'   whole price is taken before the data are touched, and a fit that the budget does not cover
#'   is refused. See *Budget*.
#' @param seed A whole number for repeatable noise, for teaching and tests only: **a fit with a
#'   seed is not private**. `NULL` takes noise from the operating system; `set.seed()` has no
#'   effect on it. The random bits of a seed are the same everywhere. Sums of fractions are not, in
#'   their last bits: where processors multiply and add in one step (ARM), a decision that hangs by
#'   such a bit can be another one than on x86.
#' @inheritParams exact_pc
#' @return A fit of class `privpc`, see [fits][privpc-class]. `privacy` states the guarantee,
#'   `ledger` lists what was spent on what.
#' @references
#' Wang, L., Pang, Q. and Song, D. (2020). Towards practical differentially private causal graph
#' discovery. *Advances in Neural Information Processing Systems* 33.
#' @seealso [em_pc()], [svt_pc()] and [sg_pc()] for the paper's other learners,
#'   [private_test()] for a single test, [privacy_ledger()].
#' @examples
#' # A hundred thousand simulated patients
#' cohort <- simulate(network("cancer"), nsim = 100000, seed = 1)
#' fit <- priv_pc(cohort, epsilon = 1)
#' fit
#'
#' # How good is it, and what was paid for?
#' compare_graphs(fit, network("cancer"))
#' head(privacy_ledger(fit))
#'
#' # What is known beforehand costs nothing and helps
#' priv_pc(cohort, epsilon = 0.3, tiers = list(
#'   c("Pollution", "Smoker"), "Cancer", c("Xray", "Dyspnoea")
#' ))
#' @export
priv_pc <- function(data, epsilon, delta = NULL, threshold = NULL, tweak = NULL, subsample = 1,
                    test = c("tau", "rho", "g2", "chisq"), rounds = NULL, max_order = NULL,
                    whitelist = NULL, blacklist = NULL, tiers = NULL, na = "error",
                    breaks = NULL, bounds = NULL, levels = NULL, other = "error", id = NULL,
                    first_by = NULL, sensitivity = c("proven", "paper"),
                    threads = getOption("privpc.threads", 2L), progress = interactive(),
                    budget = NULL, seed = NULL, ...) {
  check_quoted(c("id", "first_by"), rlang::current_env())
  args <- as.list(environment())
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(data)
  check_epsilon(epsilon, call)
  learn_privately("priv_pc", args, call, match.call())
}
