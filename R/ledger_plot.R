# Where the budget went, as a picture: for fits and for budgets, with base graphics here and with
# ggplot2 in autoplot.R. Reads the ledger only, which is public.

# Steps with the same purpose together, in the order of the first of them, as shares of the whole
# budget; what is left comes last. More than `most` purposes are too many to read: those that are
# only counted ("round 7") become one, and then the cheapest of them.
ledger_shares <- function(x, most = 12L) {
  budget <- ledger_total(x)
  ledger <- privacy_ledger(x)
  amount <- if (budget$unit == "rho") ledger$rho else ledger$epsilon
  # Every site has a budget of its own: the mean of their shares.
  if (is_pooled(x)) amount <- budget$total * ledger$share / nrow(x$sites)
  purpose <- ledger$target
  if (length(unique(purpose)) > most) purpose <- sub(" [0-9]+$", "", purpose)
  target <- factor(purpose, unique(purpose))
  parts <- data.frame(
    target = levels(target), steps = as.vector(table(target)),
    share = as.vector(tapply(amount, target, sum)) / budget$total,
    left = rep(FALSE, nlevels(target))
  )
  if (nrow(parts) > most) {
    kept <- rank(-parts$share, ties.method = "first") < most
    others <- parts[!kept, ]
    parts <- rbind(parts[kept, ], data.frame(
      target = paste(nrow(others), "others"), steps = sum(others$steps),
      share = sum(others$share), left = FALSE
    ))
  }
  unspent <- max(0, 1 - sum(parts$share))
  # Less than this is rounding.
  if (unspent > 1e-6) {
    parts <- rbind(parts, data.frame(
      target = "not spent", steps = 0L, share = unspent, left = TRUE
    ))
  }
  row.names(parts) <- NULL
  parts
}

# The whole budget, in the unit in which its steps add up.
ledger_total <- function(x) {
  if (inherits(x, "privpc_budget")) {
    pure <- x$delta == 0
    return(list(unit = if (pure) "epsilon" else "rho", total = if (pure) x$epsilon else x$rho))
  }
  rho <- x$privacy$rho
  if (isTRUE(is.finite(rho) && rho > 0)) return(list(unit = "rho", total = rho))
  # A fit on a sub-sample lists the rho of the sub-sample: shares of what was spent.
  if (isTRUE(x$privacy$delta > 0)) return(list(unit = "rho", total = sum(x$ledger$rho)))
  own <- x$privacy$epsilon - if (is.null(x$privacy$breaks)) 0 else x$privacy$breaks
  list(unit = "epsilon", total = own)
}

ledger_title <- function(x) {
  privacy <- if (inherits(x, "privpc_budget")) x else x$privacy
  paste0(
    "Budget: ", promise_text(privacy),
    if (!is.null(privacy$sites)) paste0(" at most, mean of ", counted(privacy$sites, "site")),
    if (is_add_remove(privacy$neighbours)) " (add-remove neighbours)",
    if (is_per_person(privacy$neighbours) || identical(privacy$per, "person")) ", per person"
  )
}

ledger_labels <- function(parts) {
  ifelse(parts$steps > 1L, paste0(parts$target, " (", parts$steps, " steps)"), parts$target)
}

check_spent <- function(x, call) {
  if (nrow(privacy_ledger(x)) > 0L || inherits(x, "privpc_budget")) return(invisible())
  abort(c(
    "This fit has no ledger to draw.",
    x = "{.fn {x$learner}} is not private and spends no budget."
  ), call = call)
}

#' Draw what a budget was spent on
#'
#' One bar per purpose, as long as its share of the budget; what was not spent is an empty bar.
#' For fits use `plot(fit, what = "ledger")`.
#'
#' @param x A [privacy_budget()].
#' @param ... Must be empty.
#' @param main A title; `NULL` for the promise of the budget.
#' @return Invisibly, a data frame with the columns `target`, `steps` (how many), `share` of the
#'   budget and `left` (`TRUE` for what was not spent).
#' @examples
#' budget <- privacy_budget(epsilon = 1, delta = 1e-6)
#' counts <- c(never = 500, former = 188, current = 312)
#' gaussian_mechanism(
#'   counts, sqrt(2), rho = 0.01, whole = TRUE, budget = budget, target = "smoking"
#' )
#' plot(budget)
#' @export
plot.privpc_budget <- function(x, ..., main = NULL) {
  check_dots_empty(...)
  check_budget(x, rlang::current_env(), arg = "x", neighbours = NULL)
  draw_ledger(x, main)
}

draw_ledger <- function(x, main, call = rlang::caller_env()) {
  if (!is.null(main)) check_string(main, call = call)
  check_spent(x, call)
  parts <- ledger_shares(x)
  labels <- ledger_labels(parts)
  n <- nrow(parts)
  margin <- max(graphics::strwidth(labels, units = "inches", cex = 0.9)) + 0.25
  room <- grDevices::dev.size("in")
  # Long labels leave at least 40 % of the width to the bars.
  cex <- min(1, (0.6 * room[1L] - 0.25) / (margin - 0.25))
  old <- graphics::par(mai = c(0.7, 0.25 + (margin - 0.25) * cex, 0.6, 0.35))
  on.exit(graphics::par(old))
  graphics::plot.new()
  graphics::plot.window(c(0, 1.12 * max(parts$share)), c(n + 0.6, 0.4), yaxs = "i", xaxs = "i")
  at <- seq_len(n)
  graphics::rect(
    0, at - 0.35, parts$share, at + 0.35, col = ifelse(parts$left, "white", "grey40"),
    border = "grey20", lty = ifelse(parts$left, "44", "solid")
  )
  graphics::text(parts$share, at, paste0(" ", percent_text(parts$share, 2)),
                 adj = c(0, 0.5), cex = 0.9)
  graphics::axis(2L, at, labels, las = 1L, tick = FALSE, line = -0.8, cex.axis = 0.9 * cex)
  ticks <- pretty(c(0, parts$share), 5L)
  graphics::axis(1L, ticks, paste0(100 * ticks, "%"), cex.axis = 0.9)
  graphics::mtext("share of the budget", 1L, line = 2.2, cex = 0.9)
  graphics::title(if (is.null(main)) ledger_title(x) else main, cex.main = 1)
  mark <- mark_of(x)
  draw_mark(mark, 3L, line = 0.2)
  invisible(marked(parts, mark))
}

# Not "100%" before all of it is; less than this is rounding.
percent_text <- function(share, digits = 3) {
  local_decimal_point()
  text <- vapply(100 * share, format, "", digits = digits)
  short <- share < 1 - 1e-6 & as.double(text) >= 100
  text[short] <- if (digits > 2) ">99.9" else ">99"
  paste0(text, "%", recycle0 = TRUE)
}
