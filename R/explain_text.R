# An explanation in words: short lines, each about one thing.

#' @rdname explain
#' @param width Number of characters per line.
#' @export
format.privpc_explanation <- function(x, ..., width = cli::console_width()) {
  check_dots_empty(...)
  check_explanation(x, rlang::current_env())
  mark <- mark_of(x)
  c(explanation_text(x, width), if (!is.null(mark)) strwrap(paste0(mark, "."), width = width))
}

explanation_text <- function(x, width) {
  bullets <- function(lines) {
    unlist(lapply(lines, strwrap, width = width, prefix = "  ", initial = "* "), use.names = FALSE)
  }
  changes <- change_lines(x)
  c(
    title_text(x), bullets(explanation_lines(x)),
    if (length(changes)) "What would change it?", bullets(changes),
    if (length(own_cost_text(x))) strwrap(own_cost_text(x), width = width)
  )
}

#' @rdname explain
#' @export
print.privpc_explanation <- function(x, ...) {
  check_dots_empty(...)
  check_explanation(x, rlang::current_env())
  cat(explanation_text(x, cli::console_width()), sep = "\n")
  cat_mark(x)
  invisible(x)
}

title_text <- function(why) {
  question <- if (!nzchar(why$edge)) {
    paste("Why no edge between", why$x, "and", paste0(why$y, "?"))
  } else {
    paste0("Why ", edge_words(why), "?")
  }
  paste("<privpc explanation>", question)
}

edge_words <- function(why) {
  switch(why$edge,
    `->` = paste(why$x, "->", why$y), `<-` = paste(why$y, "->", why$x),
    paste(why$x, "--", why$y)
  )
}

# What the fit holds is public if the fit is; a fit without protection promises nothing.
own_cost_text <- function(why) {
  if (!is.null(mark_of(why)) || !is.finite(why$about$epsilon)) return(NULL)
  "Computed from what the fit holds: it costs no budget and reads no records."
}

# Each with what it is about.
explanation_lines <- function(why) {
  lines <- c(
    Reason = reason_text(why),
    Measured = if (why$about$has_tables) measured_text(why),
    Separated = separated_text(why),
    `After the fact` = nearest_text(why),
    `But` = uncovered_text(why),
    Power = power_text(why),
    Knowledge = knowledge_of_pair_text(why),
    Direction = if (nzchar(why$edge)) direction_text(why),
    Contradictions = contradiction_of_pair_text(why)
  )
  paste0(names(lines), ": ", lines)
}

reason_text <- function(why) {
  about <- why$about
  given <- name_list(why$separated$given)
  joined <- nzchar(why$edge)
  learner <- paste0(about$learner, "()")
  switch(why$reason,
    required = paste0(
      "background knowledge requires it (", toString(why$knowledge$required),
      "), whatever the tables say."
    ),
    forbidden = "background knowledge forbids it in both directions.",
    `one level` = paste0(name_list(about$constant), " can have one value only."),
    consensus = paste0(
      "it is in ", percent_of(why$strength), " of ", about$consensus$draws, " graphs; more than ",
      percent_of(about$consensus$threshold), " are asked for."
    ),
    changed = paste0(
      "not known. The graph has ", if (joined) "this" else "no such",
      " edge, and its own settings and tables give ", if (joined) "none" else "one",
      ": the fit was changed, or learnt by another version."
    ),
    score = if (joined) {
      "among the graphs that were compared, those with this edge agree better with the tables."
    } else {
      paste(
        "among the graphs that were compared, those without this edge agree better with the",
        "tables. No test separated the two."
      )
    },
    tests = if (about$has_tables) {
      "the two are dependent, and no set that was tested explains it."
    } else {
      paste0("no test of ", learner, " separated the two.")
    },
    separated = paste0(
      "tests", if (identical(about$search, "score")) " beside the score",
      " separated the two given ", given, "."
    ),
    independent = if (about$has_tables) {
      "without conditions the tables do not call the two dependent."
    } else {
      "a test without conditions did not call the two dependent."
    },
    `not measured` = paste0(
      "nothing was measured about the pair",
      if (about$selects) ": of so many variables pairs were selected, and this one was not", "."
    ),
    "not known: the fit keeps no separating set of the two."
  )
}

percent_of <- function(share) paste(format(round(100 * share, 1)), "%")

# Two digits are as many as noise leaves.
phi_text <- function(phi) format(signif(phi, 2), scientific = FALSE)

effect_text <- function(found) {
  # All as phi here; the prior is its square.
  typical <- paste("phi", phi_text(sqrt(found$prior)))
  size <- if (is.na(found$phi)) {
    "a phi that cannot be told beside the noise of rare levels"
  } else {
    paste0(
      "phi ", phi_text(found$phi), " (about ", phi_text(found$lower), " to ",
      phi_text(found$upper), ")"
    )
  }
  paste0(
    size, ", ", p_value_text(signif(found$p.value, 2)), ", ", evidence_of(found, typical),
    if (is_small_effect(found)) "; with such a p-value a small effect, not none"
  )
}

measured_text <- function(why) {
  found <- why$measured
  if (is.null(found)) return("no table of the two.")
  about <- why$about
  larger <- vapply(found$tables[lengths(found$tables) > 2L], function(set) {
    paste(setdiff(set, c(why$x, why$y)), collapse = " and ")
  }, "")
  paste0(
    effect_text(found), ". From the table of the two",
    if (length(larger)) paste0(" (also measured with ", name_list(larger), ")"),
    ", whose cells have noise of +/- ", format(signif(found$se, 2)), ", that is ",
    big(signif(found$se * about$n, 2)), " of ", if (about$noisy_n) "about ",
    counted(big(round(about$n)), about$unit), "."
  )
}

separated_text <- function(why) {
  found <- why$separated
  if (length(found$given) == 0L) return(NULL)
  if (is.null(found$phi)) {
    return(paste0("given ", name_list(found$given), if (why$about$has_tables) {
      "; not all tables for it were measured."
    } else {
      "; this learner keeps no more of its tests."
    }))
  }
  paste0("given ", name_list(found$given), " what is left is ", effect_text(found), ".")
}

nearest_text <- function(why) {
  found <- why$nearest
  if (is.null(found)) return(NULL)
  paste0(
    "of all sets of neighbours, given ", name_list(found$given), " least is left: ",
    effect_text(found), ". This was looked for now, and is the best of several."
  )
}

uncovered_text <- function(why) {
  found <- why$uncovered
  if (is.null(found)) return(NULL)
  paste0(
    "given ", found$given, ", a cause of one of them, the two are dependent: ", effect_text(found),
    ". Effects that cancel without conditions are not seen by the search. If this one is to be in ",
    "the graph, require it: see below."
  )
}

power_text <- function(why) {
  power <- why$power
  if (is.null(power) || power$least <= 0) return(NULL)
  given <- if (!is.null(power$least_here)) why$separated$given
  size <- function(phi) {
    if (phi > 1) "above 1, which hardly any is" else paste("about", text_up(phi, 2))
  }
  paste0(
    "an edge between two variables with as many levels as most here have, evenly split, is found ",
    "in 80 % of fits like this one if its phi is ", size(power$least),
    if (!is.null(power$least_here)) {
      paste0(
        "; of these two", if (length(given)) paste(" given", name_list(given)), ", ",
        size(power$least_here)
      )
    }, ".",
    if (why$about$selects) " Reckoned as if no pairs had been selected."
  )
}

knowledge_of_pair_text <- function(why) {
  known <- why$knowledge
  tiers <- known$tiers
  said <- c(
    if (length(known$required)) paste("required:", toString(known$required)),
    if (length(known$forbidden)) paste("forbidden:", toString(known$forbidden)),
    if (!is.null(tiers)) {
      if (tiers[[1L]] == tiers[[2L]]) {
        paste("both in tier", tiers[[1L]])
      } else {
        toString(paste(names(tiers), "in tier", tiers))
      }
    }
  )
  if (length(said)) paste0(paste(said, collapse = "; "), ".") else "none about this pair."
}

contradiction_of_pair_text <- function(why) {
  found <- why$contradictions
  if (is.null(found)) return(NULL)
  if (nrow(found$pairs) + nrow(found$determined) == 0L) return("none between graph and tables.")
  paste0(paste(contradiction_lines(found), collapse = "; "), ".")
}
