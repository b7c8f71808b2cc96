# Which fits can be pooled, and what they must agree on. All of it is public: sites are compared by
# their schema, their promise and their settings.

# A named list of fits.
read_site_fits <- function(given, call) {
  # One list of fits; a fit is a list itself.
  if (length(given) == 1L && is.list(given[[1L]]) && !is.object(given[[1L]])) given <- given[[1L]]
  if (length(given) == 0L) {
    abort(c(
      "{.fn pool_fits} needs fits of {.fn marginal_pc}.",
      i = "For example {.code pool_fits(north = fit1, south = fit2)}, or a list of fits."
    ), call = call)
  }
  named <- if (is.null(names(given))) rep("", length(given)) else names(given)
  fallback <- paste("site", seq_along(given))
  names(given) <- ifelse(nzchar(named) & !is.na(named), named, fallback)
  # Of graphs with hidden causes, what was measured.
  given[] <- lapply(given, function(x) if (is_pag(x) && !is.null(x$fit)) x$fit else x)
  repeated <- unique(names(given)[duplicated(names(given))])
  if (length(repeated)) {
    abort(c(
      "Sites must have different names.", x = "Given more than once: {.val {repeated}}."
    ), call = call)
  }
  given
}

# Each alone, then all together.
check_poolable <- function(fits, call) {
  for (name in names(fits)) check_site_fit(fits[[name]], name, call)
  check_different_people(fits, call)
  check_different_budgets(fits, call)
  check_same_promise(fits, call)
  check_same_schema(fits, call)
  warn_same_ledger(fits)
}

check_site_fit <- function(fit, name, call) {
  if (is_pag(fit)) {
    abort(c(
      "All arguments in {.arg ...} must be fits of {.fn marginal_pc}.",
      x = if (is_true_pag(fit)) {
        "{.val {name}} is the true graph of {fit$origin}, for which nothing was measured."
      } else {
        "{.val {name}} is a graph whose element {.field fit}, with its measurements, was taken out."
      }
    ), call = call)
  }
  if (!inherits(fit, "privpc")) {
    known <- nearest_argument(name)
    abort(c(
      "All arguments in {.arg ...} must be fits of {.fn marginal_pc}.",
      x = "{.val {name}} is {describe(fit)}.",
      i = if (length(known)) "Did you mean the argument {.arg {known}}?",
      i = "Of a file: {.code readRDS(\"north.rds\")}."
    ), call = call)
  }
  check_measurements(fit, call, name)
  if (is_pooled(fit)) {
    abort(c(
      "{.val {name}} is pooled already.",
      i = "Pool the fits of all sites at once: {.code pool_fits(fit1, fit2, fit3)}."
    ), call = call)
  }
  if (!is.null(fit$consensus)) {
    abort(c(
      "{.val {name}} is a consensus, whose graph was not learnt from its tables at once.",
      i = paste(
        "Pool the fit it was made of, or {.code relearn()} it first, and take the {.fn consensus}",
        "of the pooled fit."
      )
    ), call = call)
  }
  damage <- site_damage(fit)
  if (!is.null(damage)) abort_damaged(damage, name, call)
}

# A file may have been edited on its way. A site must state a promise whether or not it keeps it.
site_damage <- function(fit) {
  privacy <- fit$privacy
  sound <- is_number(privacy$epsilon) && is.finite(privacy$epsilon) && privacy$epsilon > 0 &&
    privacy$delta > 0 && privacy$delta < 1 && rlang::is_string(privacy$neighbours, neighbour_kinds)
  if (!sound) return("It does not say what it promises ({.field privacy}).")
  if (nrow(fit$ledger) == 0L) return("Its ledger lists nothing.")
  damage <- promise_mismatch(privacy, fit$ledger)
  if (!is.null(damage)) return(damage)
  if (lacks_steps(privacy, fit$ledger, fit$settings)) {
    "Its ledger lists less than it says to have paid: steps are missing."
  }
}

# The argument that a stray name may have been meant as.
nearest_argument <- function(name) {
  known <- setdiff(names(formals(pool_fits)), "...")
  if (validEnc(name)) known[utils::adist(name, known)[1L, ] <= 2L]
}

# Noise is drawn anew for every fit: two with the same noisy tables are one fit, perhaps learnt
# anew. Single tables of few contrasts can agree by chance: noise is drawn in whole numbers.
check_different_people <- function(fits, call) {
  keys <- lapply(fits, function(fit) {
    tables <- fit$measurements$tables
    vapply(seq_along(tables$sets), function(i) {
      paste(c(tables$sets[[i]], "=", sprintf("%a", tables$values[[i]])), collapse = " ")
    }, "")
  })
  sets <- lapply(fits, function(fit) {
    vapply(fit$measurements$tables$sets, paste, "", collapse = " ")
  })
  for (i in seq_along(fits)) {
    for (j in seq_len(i - 1L)) {
      common <- length(intersect(sets[[i]], sets[[j]]))
      if (2L * length(intersect(keys[[i]], keys[[j]])) <= common || common == 0L) next
      abort(c(
        "{.val {names(fits)[[j]]}} and {.val {names(fits)[[i]]}} have the same measurements.",
        x = "They are of the same people, and would count them twice.",
        i = "Give each site once. Two fits of the same records are not two sites."
      ), class = "privpc_same_people", call = call)
    }
  }
}

# A budget is for one data set. Its random name tells whether it is the same; fits of earlier
# versions keep no name, but those that were paid from a ledger in a file its receipt and the name
# of the data set.
check_different_budgets <- function(fits, call) {
  budgets <- lapply(fits, function(fit) fit$privacy$budget)
  id_of <- function(budget) if (rlang::is_string(budget$id)) budget$id else NA_character_
  data_of <- function(budget) {
    ledger <- budget$ledger
    known <- rlang::is_string(ledger$receipt) && rlang::is_string(ledger$data)
    if (known) ledger$data else NA_character_
  }
  ids <- vapply(budgets, id_of, "")
  data <- vapply(budgets, data_of, NA_character_)
  for (i in seq_along(fits)) {
    for (j in seq_len(i - 1L)) {
      same <- if (anyNA(ids[c(i, j)])) data[[i]] == data[[j]] else ids[[i]] == ids[[j]]
      if (!isTRUE(same)) next
      whose <- if (is.na(data[[i]])) "" else paste0(", here the ", data_text(data[[i]]))
      whose <- cli_plain(whose)
      abort(c(
        "{.val {names(fits)[[j]]}} and {.val {names(fits)[[i]]}} were paid from the same budget.",
        x = paste0(
          "A budget is for one data set", whose, ": they are of the same people, whose epsilons ",
          "add up."
        ),
        i = "Give each data set once, and every site a {.fn privacy_budget} of its own."
      ), class = "privpc_same_people", call = call)
    }
  }
}

check_same_promise <- function(fits, call) {
  kinds <- vapply(fits, function(fit) {
    unit <- if (identical(fit$privacy$per, "person")) "person" else "record"
    budget_kind(fit$privacy$neighbours, unit)
  }, "")
  other <- which(kinds != kinds[[1L]])
  if (length(other) == 0L) return(invisible())
  one <- names(fits)[[1L]]
  two <- names(fits)[[other[[1L]]]]
  text <- function(kind) {
    paste0(kind_text(kind), if (!is_per_person(kind)) " per record")
  }
  abort(c(
    "All sites must promise the same kind of thing.",
    x = "{.val {one}} has {text(kinds[[one]])}, {.val {two}} {text(kinds[[two]])}.",
    i = paste(
      "Promises about different neighbours have no largest epsilon: pool the sites of each kind",
      "apart."
    )
  ), class = "privpc_other_neighbours", call = call)
}

check_same_schema <- function(fits, call) {
  first <- public_schema(fits[[1L]])
  for (name in names(fits)[-1L]) {
    difference <- schema_difference(first, public_schema(fits[[name]]), names(fits)[[1L]], name)
    if (is.null(difference)) next
    abort(c(
      "All sites must have the same variables with the same levels.", x = difference,
      i = paste(
        "Declare them alike at every site, in the same order: {.code factor(x, levels = )},",
        "{.arg levels} or {.arg breaks}."
      )
    ), class = "privpc_other_schema", call = call)
  }
}

public_schema <- function(fit) {
  held <- fit$measurements
  # The outer bins also hold what lies beyond the outermost numbers, which therefore may differ.
  inner <- function(cuts) utils::head(as.vector(cuts, "double")[-1L], -1L)
  list(
    nodes = held$nodes, levels = lapply(held$levels, as.character),
    ordered = unname(ordered_nodes(held)),
    cuts = lapply(held$nodes, function(name) inner(fit$settings$breaks[[name]]))
  )
}

# In words, or NULL. Plain text: names of variables may have braces in them.
schema_difference <- function(one, two, first, second) {
  say <- function(text) cli_plain(text)
  missing <- setdiff(one$nodes, two$nodes)
  extra <- setdiff(two$nodes, one$nodes)
  if (length(missing) || length(extra)) {
    where <- c(
      if (length(missing)) paste0("only ", first, " has ", quoted_list(missing)),
      if (length(extra)) paste0("only ", second, " has ", quoted_list(extra))
    )
    return(say(paste0(upper_first(paste(where, collapse = ", ")), ".")))
  }
  for (i in seq_along(one$nodes)) {
    a <- one$levels[[i]]
    b <- two$levels[[i]]
    at <- paste0("Variable \"", one$nodes[[i]], "\"")
    if (!identical(a, b)) {
      what <- if (setequal(a, b) && length(a) == length(b)) {
        "the same levels in another order"
      } else {
        "other levels"
      }
      return(say(paste0(
        at, " has ", what, ": ", quoted_list(a), " in ", first, ", ", quoted_list(b), " in ",
        second, "."
      )))
    }
    if (one$ordered[[i]] != two$ordered[[i]]) {
      is_so <- if (one$ordered[[i]]) first else second
      return(say(paste0(at, " is ordered in ", is_so, " only.")))
    }
    if (!identical(one$cuts[[i]], two$cuts[[i]])) {
      return(say(paste0(at, " is cut at other numbers in ", first, " than in ", second, ".")))
    }
  }
  NULL
}

quoted_list <- function(x, most = 8L) {
  shown <- paste0("\"", utils::head(x, most), "\"")
  if (length(x) > most) shown <- c(shown, paste(length(x) - most, "more"))
  paste(shown, collapse = ", ")
}

# As it is, through cli.
cli_plain <- function(text) gsub("}", "}}", gsub("{", "{{", text, fixed = TRUE), fixed = TRUE)

# A ledger is kept for one data set. Two of the same name may be of the same people, or not.
warn_same_ledger <- function(fits) {
  data <- vapply(fits, function(fit) {
    kept <- fit$privacy$budget$ledger$data
    if (rlang::is_string(kept)) kept else NA_character_
  }, "")
  same <- unique(data[!is.na(data) & duplicated(data)])
  if (length(same) == 0L) return(invisible())
  sites <- names(fits)[data %in% same]
  cli::cli_warn(c(
    "Sites {.val {sites}} were paid from ledgers of data sets with the same name ({.val {same}}).",
    i = "If these are the same records, they must not be pooled: their people would count twice."
  ), class = "privpc_same_ledger")
}

# ---- settings ------------------------------------------------------------------------------------

# Given ones, or those that all fits have.
pooled_rules <- function(fits, given, call) {
  values <- lapply(names(given), function(name) {
    if (!is.null(given[[name]])) return(given[[name]])
    all <- lapply(fits, function(fit) {
      if (name == "search") search_of(fit$settings) else fit$settings[[name]]
    })
    if (length(unique(all)) > 1L) {
      at <- which(!vapply(all, identical, NA, all[[1L]]))[[1L]]
      abort(c(
        "The sites have different values of {.arg {name}}: say which to take.",
        x = paste(
          "{.val {names(fits)[[1L]]}} has {.val {all[[1L]]}},",
          "{.val {names(fits)[[at]]}} {.val {all[[at]]}}."
        ),
        i = "For example {.code pool_fits(..., {name} = {deparse(all[[1L]])})}."
      ), call = call)
    }
    all[[1L]]
  })
  names(values) <- names(given)
  check_noisy_rules(
    values$search, values$alpha, values$prior, values$least_effect, values$max_order, call
  )
}

# `given`: a list around each argument that was. What is not given must say the same everywhere,
# however it is written.
pooled_knowledge <- function(fits, given, call) {
  sorted <- fits[[1L]]$measurements$nodes
  out <- lapply(names(given), function(name) {
    if (!is.null(given[[name]])) return(given[[name]][[1L]])
    arcs <- lapply(fits, function(fit) {
      own <- list(whitelist = NULL, blacklist = NULL, tiers = NULL)
      own[name] <- list(fit$settings[[name]])
      known <- parse_knowledge(own$whitelist, own$blacklist, own$tiers, sorted, call)
      lapply(known, function(x) sort(paste(x[, 1L], x[, 2L])))
    })
    same <- vapply(arcs, identical, NA, arcs[[1L]])
    if (!all(same)) {
      abort(c(
        "The sites have different background knowledge: say which to take.",
        x = paste(
          "{.arg {name}} of {.val {names(fits)[[1L]]}} and of {.val {names(fits)[!same][[1L]]}}",
          "are not the same."
        ),
        i = "Give {.arg {name}}, or {.code {name} = NULL} for none."
      ), call = call)
    }
    fits[[1L]]$settings[[name]]
  })
  stats::setNames(out, names(given))
}
