#' Try to refute a privacy claim
#'
#' @description
#' Runs a randomised function many times on two neighbouring data sets, looks for the event
#' that tells them apart best, and computes how large epsilon must be at the least. If that
#' bound is above the claimed epsilon, the claim is wrong.
#'
#' **An audit can only falsify.** It sees one pair of data sets and a limited class of events,
#' and its bound is limited by the number of runs. A mechanism that passes is *consistent with
#' the claim*, which is no proof of privacy: only a proof is.
#'
#' @section How it works:
#' A mechanism is (epsilon, delta)-private if P(output of `data1` in S) <=
#' exp(epsilon) P(output of `data2` in S) + delta for every set S of outputs, and the same with
#' `data1` and `data2` exchanged. So every single event S bounds epsilon from below.
#'
#' The first half of the runs serves to choose the event: one part of it proposes candidates,
#' the other ranks them. The second half is made after the choice, and serves only to count that
#' one event. Its probability under one data set is bounded from below (p) and under the other
#' from above (q) by exact (Clopper-Pearson) intervals, each at half of 1 - `confidence`, and
#' log((p - delta) / q) is the bound. If the runs are independent, the bound exceeds the
#' true epsilon with probability at most 1 - `confidence`, however the event was chosen.
#'
#' Candidates are half-lines, intervals and unions of intervals of numbers, and single values
#' and sets of values ordered by their likelihood ratio. For vectors they concern every entry,
#' the length, the whole, and a weighted sum of the entries (weights that separate the means);
#' for lists every component. What an attacker might compute beyond that is the place of
#' `statistic`. Of a fit (class `"privpc"`) only the graph is seen without a `statistic`.
#'
#' @param mechanism A function of one argument, the data, that returns a number, a string, a
#'   vector, a matrix, a graph (a fit, a `"bn"`, an igraph) or a list of these; the same kind on
#'   every run.
#' @param data1,data2 Two neighbouring data sets: whatever `mechanism` takes. Choose the pair
#'   where you expect the privacy to be worst.
#' @param epsilon,delta The claim.
#' @param runs Number of runs on each of the two data sets.
#' @param confidence One minus the probability of calling a true claim violated.
#' @param statistic A function of one output that returns a single number or string, or a
#'   named list of such functions: further things to look at.
#' @param vectorised If `TRUE`, `mechanism(data, n)` returns `n` independent outputs at once: a
#'   vector or list of length `n`, or a matrix with `n` rows. Saves time. A mechanism can
#'   say so itself by the attribute `"vectorised"`.
#' @param progress Show a progress bar.
#' @param ... Must be empty; a misspelt argument is an error.
#'
#' @return A list of class `"privpc_audit"`:
#' * `claim`: list of `epsilon` and `delta`.
#' * `lower_bound`: epsilon is at least this, with the stated confidence; 0 if nothing was found.
#' * `violated`: `TRUE` if `lower_bound` is above the claim.
#' * `verdict`: `"consistent with the claim"` or `"violates the claim"`.
#' * `event`: the event in words.
#' * `counts`: data frame with a row for each data set: `data`, `runs` and `hits` (of the second
#'   half), `share`, and the limit that was used, `low` or `high`.
#' * `largest_bound`: the bound that two data sets which never give the same output would get.
#' * `runs`, `confidence`: as given.
#' @references
#' Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits
#' illustrated in the case of the binomial. *Biometrika* 26, 404-413.
#'
#' Ding, Z., Wang, Y., Wang, G., Zhang, D. and Kifer, D. (2018). Detecting violations of
#' differential privacy. *Proceedings of CCS*, 475-489.
#' @examples
#' # Randomised response: the truth with probability 3/4, a lie otherwise.
#' # Its epsilon is log(3) = 1.0986.
#' respond <- function(truth) if (runif(1) < 0.75) truth else !truth
#' set.seed(1)
#' audit_privacy(respond, TRUE, FALSE, epsilon = log(3), runs = 20000)
#'
#' # The same mechanism with a claim that is too good
#' audit_privacy(respond, TRUE, FALSE, epsilon = 0.5, runs = 20000)
#'
#' # Many outputs at once are faster
#' respond_often <- function(truth, n) xor(truth, runif(n) >= 0.75)
#' audit_privacy(respond_often, TRUE, FALSE, epsilon = 1, runs = 1e6, vectorised = TRUE)
#' @export
audit_privacy <- function(mechanism, data1, data2, epsilon, delta = 0, runs = 1e5,
                          confidence = 1 - 1e-6, statistic = NULL,
                          vectorised = isTRUE(attr(mechanism, "vectorised")),
                          progress = interactive(), ...) {
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_given(mechanism)
  check_given(data1)
  check_given(data2)
  if (!is.function(mechanism)) {
    abort(c(
      "{.arg mechanism} must be a function of the data.",
      x = "It is {describe(mechanism)}."
    ), call = call)
  }
  check_number(epsilon, min = 0, min_open = TRUE, max_open = TRUE)
  check_number(delta, min = 0, max = 1, max_open = TRUE)
  check_number(runs, min = 10, max = 1e9, whole = TRUE)
  check_number(confidence, min = 0, max = 1, min_open = TRUE, max_open = TRUE)
  check_flag(vectorised)
  check_flag(progress)
  statistics <- check_statistics(statistic, call)

  chosen_on <- runs %/% 2
  tested_on <- runs - chosen_on
  level <- (1 - confidence) / 2
  largest <- warn_if_blind(epsilon, delta, tested_on, level, confidence, call)
  bar <- new_bar(progress, "Auditing", 2 * runs)
  on.exit(bar$end())
  observe <- new_observer(
    mechanism, list(data1, data2), vectorised, statistics, audit_progress(bar, 2 * runs), call
  )
  training <- lapply(1:2, function(side) {
    bind_observations(lapply(chunks(chosen_on, vectorised), function(n) observe(side, n)))
  })
  event <- choose_event(training[[1L]], training[[2L]], delta, level)
  hits <- vapply(1:2, function(side) {
    sum(vapply(chunks(tested_on, vectorised), function(n) event$count(observe(side, n)), 0))
  }, 0)
  new_audit(event, hits, tested_on, epsilon, delta, runs, confidence, largest)
}

# `event$frequent` is the data set, 1 or 2, under which the event came more often.
new_audit <- function(event, hits, n, epsilon, delta, runs, confidence, largest) {
  level <- (1 - confidence) / 2
  rare <- 3L - event$frequent
  bound <- max(0, epsilon_bound(hits[event$frequent], hits[rare], n, delta, level))
  counts <- data.frame(
    data = c("data1", "data2"), runs = n, hits = hits, share = hits / n, low = NA_real_,
    high = NA_real_
  )
  counts$low[event$frequent] <- lower_share(hits[event$frequent], n, level)
  counts$high[rare] <- upper_share(hits[rare], n, level)
  violated <- bound > epsilon
  structure(list(
    claim = list(epsilon = epsilon, delta = delta), lower_bound = bound, violated = violated,
    verdict = if (violated) "violates the claim" else "consistent with the claim",
    event = event$words, counts = counts, largest_bound = largest, runs = runs,
    confidence = confidence
  ), class = "privpc_audit")
}

#' @export
print.privpc_audit <- function(x, ...) {
  check_result(x, audit_kinds, rlang::current_env())
  whole <- function(n) format(n, scientific = FALSE, trim = TRUE)
  wrapped <- function(...) strwrap(paste0(...), width = cli::console_width(), exdent = 2L)
  cli::cat_line(cli::style_bold("<privpc_audit>"), " an attempt to refute a privacy claim")
  cli::cat_line(
    "Claim: epsilon = ", text_up(x$claim$epsilon, 7), ", delta = ", text_up(x$claim$delta, 7)
  )
  cli::cat_line(wrapped("Event: ", x$event))
  cli::cat_line(
    "  ", x$counts$data, ": ", whole(x$counts$hits), " of ", whole(x$counts$runs), " runs (",
    vapply(100 * x$counts$share, format, "", digits = 4L), "%)"
  )
  cli::cat_line(
    "Lower bound: epsilon >= ", text_down(x$lower_bound), " at confidence ",
    format(x$confidence, digits = 15L)
  )
  cli::cat_line("Verdict: ", x$verdict, col = if (x$violated) "red" else "green")
  if (!x$violated) {
    cli::cat_line(wrapped(
      "This is no proof of privacy: another pair of data, another event or more runs may still ",
      "refute it. No bound above ", text_up(x$largest_bound, 3), " can be reached with ",
      whole(x$runs), " runs."
    ))
  }
  invisible(x)
}

# ---- Bounds ------------------------------------------------------------------------------------

# Clopper and Pearson: the limits are quantiles of beta distributions.
lower_share <- function(hits, n, level) {
  ifelse(hits == 0, 0, stats::qbeta(level, pmax(hits, 1), n - hits + 1))
}

upper_share <- function(hits, n, level) {
  ifelse(hits == n, 1, stats::qbeta(level, hits + 1, pmax(n - hits, 1), lower.tail = FALSE))
}

# P <= e^epsilon Q + delta, solved for epsilon with P at its lower and Q at its upper limit: both
# limits hold together except with probability 2 * level. -Inf where nothing is left of P.
epsilon_bound <- function(hits, other_hits, n, delta, level) {
  log(pmax(lower_share(hits, n, level) - delta, 0)) - log(upper_share(other_hits, n, level))
}

# The best that can happen is an event that always occurs under one data set and never under the
# other. Its limits are p = level^(1/n) and q = 1 - p, and the bound passes epsilon when
# p > (e^epsilon + delta) / (e^epsilon + 1).
warn_if_blind <- function(epsilon, delta, n, level, confidence, call) {
  largest <- max(0, epsilon_bound(n, 0, n, delta, level))
  if (largest > epsilon) return(largest)
  needed <- 2 * ceiling(log(level) / log1p(-(1 - delta) * stats::plogis(-epsilon)) + 1)
  cli::cli_warn(c(
    "Too few runs: this audit cannot refute the claim, however wrong it is.",
    x = "At confidence {format(confidence, digits = 15L)} the bound can reach
         {text_up(largest, 3)} at most; the claim is epsilon = {text_up(epsilon, 7)}.",
    i = "Use {.code runs = {format(needed, digits = 3L)}} at the least, better ten times that."
  ), class = "privpc_blind_audit", call = call)
  largest
}

# ---- Running the mechanism ---------------------------------------------------------------------

chunks <- function(n, vectorised) {
  most <- if (vectorised) 1e5 else 1e4
  c(rep(most, n %/% most), if (n %% most > 0) n %% most)
}

check_statistics <- function(statistic, call) {
  statistics <- if (is.function(statistic)) list(statistic) else as.list(statistic)
  if (!all(vapply(statistics, is.function, NA))) {
    abort(c(
      "{.arg statistic} must be a function of one output, or a named list of such functions.",
      x = "It is {describe(statistic)}."
    ), call = call)
  }
  given <- rlang::names2(statistics)
  names(statistics) <- ifelse(nzchar(given), given, seq_along(statistics))
  statistics
}

# Looking at the clock costs less than moving the bar.
audit_progress <- function(bar, total) {
  done <- 0
  shown <- Sys.time()
  function(n) {
    done <<- done + n
    if (done < total && Sys.time() - shown < 0.1) return()
    shown <<- Sys.time()
    bar$set(done, total, "Auditing")
  }
}

# observe(side, n): n runs on data set `side`, as a list of `output` and one element for each of the
# user's statistics: a list of length n, or a matrix with n rows. Watches that all outputs are of
# one kind.
new_observer <- function(mechanism, data, vectorised, statistics, tick, call) {
  done <- c(0, 0)
  seen <- NULL
  form <- NULL
  place <- function(side, run) {
    paste0("run ", format(done[side] + run, scientific = FALSE), " on `data", side, "`")
  }
  # Calls `code(run)` for run = 1, 2, ..., n; an error says in which run it happened.
  each_run <- function(n, code, what, side) {
    results <- vector("list", n)
    run <- 0
    tryCatch(
      while (run < n) {
        run <- run + 1
        results[run] <- list(code(run))
      },
      error = function(problem) {
        where <- place(side, run)
        abort("{what} failed in {where}.", parent = problem, call = call)
      }
    )
    results
  }
  run_mechanism <- function(side, n) {
    if (!vectorised) {
      return(each_run(n, function(run) {
        tick(1)
        mechanism(data[[side]])
      }, "`mechanism`", side))
    }
    outputs <- each_run(1, function(run) mechanism(data[[side]], n), "`mechanism`", side)[[1L]]
    if (is.data.frame(outputs)) outputs <- as.matrix(outputs)
    if (is.factor(outputs)) outputs <- as.character(outputs)
    if (!is.atomic(outputs) && !is.list(outputs) || NROW(outputs) != n) {
      abort(c(
        "A vectorised {.arg mechanism} must return {.code n} outputs.",
        x = "Asked for {n}, it returned {describe(outputs)}.",
        i = "Return a vector or list of length {.code n}, or a matrix with {.code n} rows."
      ), call = call)
    }
    tick(n)
    if (is.atomic(outputs) && !is.matrix(outputs)) outputs <- matrix(as.vector(unclass(outputs)))
    now <- if (is.list(outputs)) "a list" else paste0("a table of width ", ncol(outputs))
    if (is.null(form)) form <<- now
    if (now == form) return(outputs)
    abort(c(
      "A vectorised {.arg mechanism} must return its outputs in the same form every time.",
      x = "It returned {form}, then {now}.",
      i = "Return a list if the length of an output is not fixed."
    ), call = call)
  }
  check_kind <- function(kinds, side) {
    known <- which(kinds != "missing")
    if (is.null(seen) && length(known)) {
      seen <<- list(kind = kinds[known[1L]], where = place(side, known[1L]))
    }
    wrong <- known[kinds[known] != seen$kind | kinds[known] == "opaque"][1L]
    if (is.na(wrong)) return()
    where <- place(side, wrong)
    if (kinds[wrong] == "opaque") {
      abort(c(
        "{.arg mechanism} must return numbers, text or graphs, or vectors or lists of them.",
        x = "It returned something else in {where}."
      ), call = call)
    }
    other <- kinds[wrong]
    abort(c(
      "{.arg mechanism} must return the same kind of output on every run.",
      x = "It returned {kind_words[seen$kind]} in {seen$where}, but {kind_words[other]} in {where}."
    ), call = call)
  }
  measure <- function(statistic, name, items, side) {
    each_run(length(items), function(run) {
      value <- statistic(items[[run]])
      if (is.atomic(value) && length(value) == 1L) return(value)
      stop("It must return a single number or string, not ", describe(value), ".", call. = FALSE)
    }, paste("Statistic", name), side)
  }
  function(side, n) {
    output <- run_mechanism(side, n)
    check_kind(if (is.list(output)) kinds_of(output) else output_kind(output), side)
    items <- if (length(statistics) == 0L || is.list(output)) {
      output
    } else {
      lapply(seq_len(n), function(i) output[i, ])
    }
    measured <- Map(function(f, name) measure(f, name, items, side), statistics, names(statistics))
    done[side] <<- done[side] + n
    names(measured) <- paste("statistic", names(statistics), recycle0 = TRUE)
    c(list(output = output), measured)
  }
}

# Observations of several chunks as one.
bind_observations <- function(chunks) {
  sapply(names(chunks[[1L]]), simplify = FALSE, FUN = function(name) {
    parts <- lapply(chunks, `[[`, name)
    if (is.list(parts[[1L]])) unlist(parts, recursive = FALSE) else do.call(rbind, parts)
  })
}
