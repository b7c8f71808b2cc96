# Methods for what people try first and what has another name here: errors that point the way.

#' @export
simulate.privpc <- function(object, nsim = 1, seed = NULL, ...) {
  check_sound(object, rlang::current_env(), "object")
  measured <- !is.null(object$measurements)
  if (!is_number(nsim)) nsim <- 1000
  abort(c(
    "A fit is a graph; rows are drawn from a network, which has probabilities too.",
    i = if (measured) {
      paste0(
        "Use {.code simulate(as_network(fit), nsim = {format(nsim, scientific = FALSE)})}",
        if (is.null(mark_of(object))) "; it costs no budget", "."
      )
    } else {
      paste(
        "Fits of {.fn marginal_pc} have them: {.code simulate(as_network(fit), nsim = 1000)}.",
        "{.fn {object$learner}} measures none."
      )
    }
  ), call = rlang::current_env())
}

#' @export
plot.privpc_strength <- function(x, ...) {
  abort(c(
    "The strength of the edges is drawn with the graph.",
    i = "Use {.code plot(fit, strength = x)}, with the fit and this result of {.fn edge_strength}."
  ), call = rlang::current_env())
}
