#' Write down what came first
#'
#' Tiers say which variables came before which: no arc of the graph then points from a later tier
#' to an earlier one. `tiers()` writes them as one line, with `~` between the tiers, the earliest
#' first, and `+` inside a tier.
#'
#' Every learner takes tiers as its argument `tiers`, and [relearn()] takes them after the
#' fact, at no cost. Tiers are background knowledge: they must come from the design of the study
#' (what was recorded before what), not from a look at the same data.
#'
#' A plain list of character vectors does the same; its names, if it has any, are the names of the
#' tiers and are shown by [plot()][plot.privpc].
#'
#' @param ... Either one formula, as in `age + sex ~ smoking ~ cancer`; or one argument per tier,
#'   whose name, if given, names the tier: `exposure = smoking + alcohol`. Names of variables are
#'   written without quotes, or in backticks if they are not plain; strings and `c("a", "b")` work
#'   too. A single `.` stands for all variables that are in no other tier.
#' @return A list of character vectors, one per tier.
#' @seealso [relearn()], [plot()][plot.privpc] with `tiers = TRUE`.
#' @examples
#' # What we know before we see any data: nobody becomes a smoker because of dyspnoea.
#' tiers(Pollution + Smoker ~ Cancer ~ Xray + Dyspnoea)
#'
#' # The same with names, which pictures show
#' known <- tiers(
#'   exposure = Pollution + Smoker, disease = Cancer, findings = Xray + Dyspnoea
#' )
#' cohort <- simulate(network("cancer"), nsim = 50000, seed = 1)
#' fit <- exact_pc(cohort, alpha = 0.01, tiers = known)
#' plot(fit, tiers = TRUE)
#'
#' # All that is not named stands in the middle
#' tiers(Smoker ~ . ~ Xray)
#' @export
tiers <- function(...) {
  call <- rlang::current_env()
  given <- as.list(substitute(list(...)))[-1L]
  if (length(given) == 0L) {
    abort(c(
      "{.fn tiers} needs the tiers.",
      i = "For example {.code tiers(age + sex ~ smoking ~ cancer)}."
    ), call = call)
  }
  one_formula <- length(given) == 1L && is_call_to(given[[1L]], "~")
  parts <- if (one_formula) formula_parts(given[[1L]], call) else given
  out <- lapply(parts, tier_names, call = call)
  if (!is.null(names(out))) out <- name_tiers(out)
  repeated <- unique(unlist(out)[duplicated(unlist(out))])
  if (length(repeated)) {
    abort(c(
      "A variable can be in one tier only.",
      x = "In more than one place: {.val {repeated}}."
    ), call = call)
  }
  out
}

# a ~ b ~ c is read by R as (a ~ b) ~ c.
formula_parts <- function(x, call) {
  if (!is_call_to(x, "~")) return(list(x))
  if (length(x) == 2L) {
    abort(c(
      "A tier is missing before {.code ~}.",
      i = "For example {.code tiers(age + sex ~ smoking ~ cancer)}."
    ), call = call)
  }
  c(formula_parts(x[[2L]], call), list(x[[3L]]))
}

is_call_to <- function(x, name) is.call(x) && identical(x[[1L]], as.name(name))

# The names in one tier: a + b, c("a", "b"), a or "a".
tier_names <- function(x, call) {
  if (is.symbol(x) && nzchar(as.character(x))) return(as.character(x))
  if (is.character(x) && !anyNA(x)) return(x)
  if (is_call_to(x, "(")) return(tier_names(x[[2L]], call))
  if (is_call_to(x, "c") || (is_call_to(x, "+") && length(x) == 3L)) {
    return(unlist(lapply(as.list(x)[-1L], tier_names, call = call), use.names = FALSE))
  }
  written <- paste(deparse(x, width.cutoff = 60L), collapse = " ")
  abort(c(
    "A tier is made of names of variables, joined by {.code +}.",
    x = "{.code {written}} is none.",
    i = paste(
      "For example {.code tiers(age + sex ~ smoking ~ cancer)}, or",
      "{.code tiers(baseline = age + sex, exposure = smoking)}."
    )
  ), call = call)
}

# Tiers without a name of their own among named ones are numbered.
name_tiers <- function(tiers) {
  bare <- !nzchar(names(tiers))
  names(tiers)[bare] <- paste("tier", seq_along(tiers))[bare]
  tiers
}

# A lone "." is all variables that no other tier names.
fill_tiers <- function(tiers, nodes) {
  if ("." %in% nodes) return(tiers)
  named <- unlist(tiers, use.names = FALSE)
  if (sum(named == ".") != 1L) return(tiers)
  rest <- setdiff(nodes, named)
  lapply(tiers, function(tier) if ("." %in% tier) c(setdiff(tier, "."), rest) else tier)
}
