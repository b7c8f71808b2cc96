#' The paragraph for the methods section
#'
#' Writes down how a graph was learnt and what was promised, in the sentences that a reviewer or a
#' data-protection officer looks for: the learner and its settings, the version, epsilon and
#' delta and between which data sets they hold, what counts as public, where the noise came from,
#' what the budget was spent on, the background knowledge, and what to cite. For a fit that was paid
#' from a [privacy_budget()] in a file it also says which fit of the data set this is, and what all
#' steps had cost together by then. A fit that is not private is never called private.
#'
#' @param fit A fit of one of the learners, or a [graph with hidden common causes][privpc_pag].
#' @param ... Must be empty.
#' @return A character vector of class `"privpc_report"`, one element per sentence group: `hidden`
#'   (of a graph with hidden common causes), `graph`, `privacy`, `public`, `selection`, `budget`,
#'   `knowledge` and `citation`, as far as they apply.
#'   `print()` wraps it as one paragraph; `as.character()` or `paste()` give the text.
#' @references
#' Meek, C. (1995). Causal inference and causal explanation with background
#' knowledge. *Proceedings of UAI*, 403-410.
#'
#' Perkovic, E., Kalisch, M. and Maathuis, M. H. (2017). Interpreting and using CPDAGs with
#' background knowledge. *Proceedings of UAI*.
#'
#' Zhang, J. (2008). On the completeness of orientation rules for causal discovery in the presence
#' of latent confounders and selection bias. *Artificial Intelligence* 172, 1873-1896.
#' @seealso [privacy_ledger()] for the same budget as a table; `citation("privpc")`.
#' @examples
#' cohort <- simulate(network("cancer"), nsim = 50000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 1, tiers = tiers(
#'   Pollution + Smoker ~ Cancer ~ Xray + Dyspnoea
#' ))
#' report(fit)
#'
#' # The same for a graph that is not private
#' report(exact_pc(cohort))
#'
#' # As text, for a document that is built by a program
#' paste(report(fit), collapse = " ")
#' @export
report <- function(fit, ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(fit, "fit", call)
  pag <- if (is_pag(fit)) fit
  fit <- fit_behind(fit, call)
  check_fit(fit, call)
  if (!is.null(pag) && !is.null(mark_of(pag)) && is.null(mark_of(fit))) {
    abort_damaged("Its promise is not that of its {.field fit}.", "fit", call, "Graphs")
  }
  text <- report_text(fit, substr(format(Sys.Date()), 1L, 4L))
  if (!is.null(pag)) text <- c(hidden = report_hidden(pag), text)
  structure(text, class = "privpc_report")
}

# The graph that is the result, what its marks mean and what it assumes; then the fit whose tables
# it was learnt from.
report_hidden <- function(pag) {
  edges <- pag_edges(pag$marks, pag$clear)
  rules <- report_rules(pag$settings)
  visible <- sum(edges$visible)
  paste0(
    "A partial ancestral graph, which allows for common causes that were not recorded, of ",
    counted(length(pag$nodes), "variable"), " was learnt by the FCI algorithm with the ",
    "orientation rules of Zhang (2008) from noisy tables of ", report_pag_size(pag$fit),
    if (length(rules)) paste0(" (", rules, ")"), "; it has ", pag_counts_text(edges), ". ",
    "An arrowhead at an end of an edge says that the variable there is no cause of the one at the ",
    "other end, a tail that it is a cause of it, directly or through others, and a circle that ",
    "neither is known.",
    if (any(edges$edge == "-->")) paste0(
      " Of ", counted(sum(edges$edge == "-->"), "edge"), " with a tail and an arrowhead ", visible,
      if (visible == 1L) " is" else " are", " visible: no hidden cause acts on both ends."
    ),
    " It is assumed that nobody is in the data because of what two of the variables are (no ",
    "selection bias), and that independences are no accidents (faithfulness). ",
    "The tables are those of a fit without hidden common causes, described next."
  )
}

report_pag_size <- function(fit) {
  n <- fit$settings$n
  if (length(n) == 0L) return("the records")
  paste0(
    if (is_add_remove(fit$settings$neighbours)) "about ", big(n), " ",
    report_unit(fit$settings), "s"
  )
}

# `year`: of the citation, NULL for none.
report_text <- function(fit, year) {
  local_decimal_point()
  private <- is_promise(fit$privacy)
  c(
    graph = report_graph(fit),
    privacy = if (private) report_promise(fit$privacy) else report_no_promise(fit$privacy),
    public = if (private) report_public(fit),
    selection = report_selection(fit),
    budget = if (private) report_budget(fit),
    knowledge = report_knowledge(fit$settings, fit$nodes),
    citation = report_citation(fit, year)
  )
}

#' @export
print.privpc_report <- function(x, ...) {
  cat(strwrap(paste(x, collapse = " "), width = min(80L, cli::console_width())), sep = "\n")
  invisible(x)
}

# A comma parts the thousands, so the decimal mark is a point.
big <- function(n) {
  format(n, big.mark = ",", decimal.mark = ".", scientific = FALSE, trim = TRUE)
}

method_text <- function(learner) {
  method <- learner_method(learner)
  if (is.null(method)) "a constraint-based search" else method
}

report_graph <- function(fit) {
  edges <- as.data.frame(fit)
  rules <- report_rules(fit$settings)
  paste0(
    "A causal graph (", report_graph_kind(fit$settings), ") of ",
    counted(length(fit$nodes), "variable"), " was learnt from ",
    if (is_add_remove(fit$settings$neighbours)) "about ",
    if (length(fit$settings$n)) {
      paste0(big(fit$settings$n), " ", report_unit(fit$settings), "s")
    } else {
      "the records"
    },
    if (length(fit$settings$subsample)) {
      paste0(" (tests on random sub-samples of ", big(fit$settings$subsample), ")")
    },
    " with ", method_text(fit$learner), ", function ", fit$learner,
    "() of the R package privpc, version ", utils::packageVersion("privpc"),
    if (length(rules)) paste0(" (", rules, ")"), "; it has ", edge_counts_text(edges), ".",
    report_cut_short(fit$settings), report_sites(fit), report_persons(fit),
    report_consensus(fit$consensus), report_cuts(fit$settings$breaks),
    report_missing(fit$settings$na)
  )
}

report_unit <- function(settings) if (is.null(settings$persons)) "record" else "person"

# How the records of a person were counted.
report_persons <- function(fit) {
  persons <- fit$settings$persons
  if (is.null(persons)) return(NULL)
  most <- persons$max_records
  if (is.null(most)) {
    return(" A person may have several records; how many were used differs by site.")
  }
  chosen <- if (is.null(persons$first_by)) {
    "chosen by a hash of their identifier and levels"
  } else {
    paste("the first by", persons$first_by)
  }
  paste0(
    " A person may have several records (told by ", persons$id, "). ",
    if (most == 1L) {
      paste0("One of each was used, ", chosen, ".")
    } else {
      paste0(
        "At most ", most, " of each were used, ", chosen, " where there were more; a person's ",
        "records have the weight of one together, and the sample size is the number of persons."
      )
    }
  )
}

report_consensus <- function(agreed) {
  if (is.null(agreed)) return(NULL)
  paste0(
    " It is the consensus of ", agreed$draws, " repetitions of the fit on tables that were drawn ",
    "given its noisy ones: the edges in more than ", format(100 * agreed$threshold), " % of them."
  )
}

# The numbers at which numeric variables were cut into bins: public, or paid for.
report_cuts <- function(breaks) {
  if (length(breaks) == 0L) return(NULL)
  cuts <- vapply(unclass(breaks), function(b) {
    numbers <- cut_numbers(b)
    if (length(numbers) > 20L) numbers <- c(numbers[1:20], paste(length(numbers) - 20L, "more"))
    if (length(numbers)) paste("at", enumerate(numbers)) else "nowhere"
  }, "")
  paste0(" Bins of numeric variables: ", paste(names(breaks), "cut", cuts, collapse = "; "), ".")
}

# Knowledge directs edges that stay open in the class of all equivalent graphs (Meek 1995), so that
# with it the graph is no longer a CPDAG but what Perkovic, Kalisch and Maathuis (2017) call an
# MPDAG.
report_graph_kind <- function(settings) {
  if (is.null(knowledge_text(settings))) return("completed partially directed acyclic graph")
  paste(
    "maximally oriented partially directed acyclic graph, given the background knowledge;",
    "Meek 1995, Perkovic et al. 2017"
  )
}

report_rules <- function(settings) {
  shown <- c(
    search = "search by", test = "test", alpha = "significance level", threshold = "threshold",
    prior = "prior effect", least_effect = "least effect", max_order = "largest conditioning set"
  )
  shown <- shown[names(shown) %in% names(settings)]
  known <- vapply(settings[names(shown)], function(x) {
    length(x) == 1L && !is.na(x) && !(is.numeric(x) && is.infinite(x))
  }, NA)
  values <- vapply(settings[names(shown)[known]], format, "")
  enumerate(paste(shown[known], values, recycle0 = TRUE))
}

# Where a missing value was a level.
report_missing <- function(na) {
  columns <- names(na)[na == "level"]
  if (is.null(names(na)) && !identical(na, "level") || !is.null(names(na)) && !length(columns)) {
    return(NULL)
  }
  where <- if (length(columns)) paste(" in", enumerate(columns))
  paste0(" Missing values counted as a level of their own", where, ".")
}

report_promise <- function(privacy) {
  epsilon <- text_up(privacy$epsilon)
  delta <- if (privacy$delta > 0) text_up(privacy$delta)
  whom <- if (identical(privacy$per, "person")) "person with all their records" else "record"
  paste0(
    "The result is differentially private with epsilon = ", epsilon,
    if (is.null(delta)) " (pure, delta = 0)" else paste0(" and delta = ", delta),
    if (is_add_remove(privacy$neighbours)) {
      paste0(": adding any one ", whom, " or removing one (add-remove neighbours)")
    } else {
      paste0(": replacing any one ", whom, " by any other")
    },
    " changes the probability of every possible result by a factor of at most exp(", epsilon,
    ") = ",
    text_up(exp(as.double(epsilon)), 3),
    if (!is.null(delta)) paste0(", up to a probability of ", delta), ".",
    report_site_promise(privacy)
  )
}

report_no_promise <- function(privacy) {
  why <- if (is.null(privacy$why) || is.na(privacy$why)) "" else privacy$why
  reason <- switch(why,
    seed = "its noise was drawn from a fixed seed, so that it can be repeated and taken off",
    `marked input` =
      "it was learnt from data or with knowledge that came from a result without privacy",
    `seeded breaks` = paste(
      "its cut points were drawn with a fixed seed, so that their noise can be repeated and taken",
      "off"
    ),
    `published constants` =
      "it used published sensitivities that do not hold, so that the noise is too small",
    "it was computed from the records without protection"
  )
  paste0("This result is not differentially private: ", reason, ".")
}

report_public <- function(fit) {
  settings <- fit$settings
  paid <- vapply(settings$breaks, function(cuts) !is.null(attr(cuts, "paid")), NA)
  declared <- names(settings$breaks)[!paid]
  chosen <- names(settings$breaks)[paid]
  na_level <- !is.null(report_missing(settings$na))
  public <- c(
    if (!is_add_remove(fit$privacy$neighbours)) {
      paste0("the number of ", report_unit(settings), "s", if (is_pooled(fit)) " of every site")
    },
    "the names and levels of the variables",
    paste0(
      "that no value is missing", if (na_level) " (but where that is a level)",
      " or outside these levels"
    ),
    if (length(declared)) paste("the cut points of", enumerate(declared)),
    "the settings of the analysis",
    if (!is.null(knowledge_text(settings))) "the background knowledge"
  )
  paste0(
    upper_first(enumerate(public)), " were treated as public.",
    if (length(chosen)) {
      paste0(
        " The cut points of ", enumerate(chosen), " were chosen privately for epsilon = ",
        text_up(fit$privacy$breaks), ", which is included in the total."
      )
    },
    " Noise was drawn exactly on a discrete grid from the stream cipher ChaCha20 with a key of ",
    "the operating system; no seed was used."
  )
}

# Of many variables not all pairs were measured, which a reader would take for granted.
report_selection <- function(fit) {
  if (!isTRUE(fit$settings$selects)) return(NULL)
  sets <- fit$measurements$tables$sets
  nodes <- length(fit$nodes)
  paste0(
    "Which pairs of variables were measured was chosen privately, by the exponential mechanism: ",
    big(sum(lengths(sets) == 2L)), " of ", big(nodes * (nodes - 1) / 2), "."
  )
}

report_budget <- function(fit) {
  ledger <- fit$ledger
  if (nrow(ledger) == 0L) return(NULL)
  if (is_pooled(fit)) return(report_site_budgets(fit))
  spent <- share_spent(fit$privacy, ledger)
  in_rho <- isTRUE(is.finite(fit$privacy$rho) && fit$privacy$rho > 0)
  total <- if (in_rho) fit$privacy$rho else NULL
  parts <- ledger_shares(fit)
  parts <- parts[!parts$left, , drop = FALSE]
  shared <- fit$privacy$budget
  beside <- fit$privacy$beside
  paste0(
    if (is.null(shared)) "The budget" else "The price of the graph",
    # Where a ledger lists other steps, the data were used before.
    " was fixed before ",
    if (is.null(shared$ledger) && is.null(beside)) "the data were used" else "the search began",
    if (!is.null(total) && is_gaussian(fit$privacy)) {
      paste0(
        " and was accounted for as Gaussian differential privacy (mu = ",
        text_up(sqrt(2 * total), 3), ")"
      )
    } else if (!is.null(total)) {
      paste0(
        " and was accounted for as zero-concentrated differential privacy (rho = ",
        text_up(total, 3), ")"
      )
    },
    "; ", if (is.na(spent)) "it" else paste0(percent_text(spent), " of it"), " was spent in ",
    counted(nrow(ledger), "step"),
    if (nrow(parts) %in% 2:5) {
      paste0(" (", enumerate(paste(parts$target, percent_text(parts$share))), ")")
    }, ".",
    if (!is.null(shared$ledger)) report_ledger(shared$ledger),
    if (!is.null(beside)) {
      paste0(
        " It was not paid from the ledger of the ", data_text(beside$data), ", which already ",
        "listed ", spent_so_far_text(beside), ": this graph adds its epsilon and delta to these."
      )
    },
    if (!is.null(shared) && is.null(shared$ledger)) {
      paste0(
        " It was taken from a budget of epsilon = ", text_up(shared$epsilon),
        if (shared$delta > 0) paste(" and delta =", text_up(shared$delta)),
        " that was fixed for the whole study: all results paid from that budget keep this promise ",
        "together."
      )
    }
  )
}

# A budget in a file: which fit of the data set this is, and what all of them have cost by then.
report_ledger <- function(so_far) {
  paste0(
    " It was taken from a budget of epsilon = ", text_up(so_far$epsilon),
    if (so_far$delta > 0) paste(" and delta =", text_up(so_far$delta)),
    " that was fixed for all results from the ", data_text(so_far$data),
    " together. Its ledger, a file that is only appended to, listed ", spent_so_far_text(so_far),
    ", including this one (entry ", so_far$entry, ", receipt ", so_far$receipt, ")."
  )
}

report_knowledge <- function(settings, nodes) {
  given <- c(
    if (length(settings$tiers)) paste(
      "an order in time of", length(settings$tiers), "tiers",
      paste0("(", tier_text(settings$tiers), ")")
    ),
    report_arcs(settings$whitelist, "required arc", nodes),
    report_arcs(settings$blacklist, "forbidden arc", nodes)
  )
  if (length(given) == 0L) return("No background knowledge was used.")
  paste0("Background knowledge was given: ", enumerate(given), ".")
}

# By name, as far as that can be read.
report_arcs <- function(arcs, noun, nodes) {
  if (length(arcs) == 0L) return(NULL)
  named <- arc_labels(read_arcs(arcs, "arcs", nodes, rlang::caller_env()), nodes)
  text <- counted(length(named), noun)
  if (length(named) > 10L) text else paste0(text, " (", toString(named), ")")
}

# Long tiers by their size.
tier_text <- function(tiers) {
  paste(vapply(tiers, function(tier) {
    if (identical(tier, ".")) return("all others")
    if (length(tier) <= 4L) return(enumerate(tier))
    paste(length(tier), "variables")
  }, ""), collapse = "; then ")
}

report_citation <- function(fit, year) {
  method <- if (is_of_paper(fit$learner)) {
    paste(
      " Method: Wang, Pang and Song (2020), Towards practical differentially private causal graph",
      "discovery, NeurIPS 33,",
      if (identical(fit$settings$sensitivity, "paper")) {
        "with its published sensitivities."
      } else {
        "with corrected sensitivities."
      }
    )
  }
  paste0(
    "Software: privpc authors", if (!is.null(year)) paste0(" (", year, ")"), ", privpc: ",
    utils::packageDescription("privpc", fields = "Title"), ", R package version ",
    utils::packageVersion("privpc"), ".", method
  )
}

# "a, b and c"; where an element has an "and" of its own, "a, b and c, and d".
enumerate <- function(x) {
  if (length(x) < 2L) return(x)
  last <- if (any(grepl(" and ", x, fixed = TRUE))) ", and" else " and"
  paste0(toString(x[-length(x)]), last, " ", x[[length(x)]])
}

upper_first <- function(x) paste0(toupper(substr(x, 1L, 1L)), substring(x, 2L))
