# What is said about the sites of a pooled fit, in prints, pictures, reports and pages.

# As in: 2 sites: north (30,000 rows), south (20,000 rows).
sites_text <- function(sites, unit = "row", most = 6L) {
  shown <- utils::head(sites, most)
  named <- paste0(shown$site, " (", site_rows_text(shown), " ", unit, "s)")
  rest <- nrow(sites) - nrow(shown)
  paste0(
    counted(nrow(sites), "site"), ": ",
    paste(c(named, if (rest) paste(rest, "more")), collapse = ", ")
  )
}

# Where the number is a secret it was measured.
site_rows_text <- function(sites) {
  paste0(ifelse(sites$neighbours %in% "add-remove", "about ", ""), big(sites$n))
}

# Below a picture: the names alone.
sites_caption <- function(fit, most = 8L) {
  if (!is_pooled(fit)) return(NULL)
  names <- utils::head(fit$sites$site, most)
  rest <- nrow(fit$sites) - length(names)
  paste0(
    "Pooled from ", counted(nrow(fit$sites), "site"), ": ",
    enumerate(c(names, if (rest) paste(rest, "more")))
  )
}

cat_sites <- function(fit) {
  if (is_pooled(fit)) cat_wrapped(sites_text(fit$sites, counted_unit(fit$settings$persons)))
}

# A new graph from the same sites.
with_sites <- function(fit, from) {
  fit$sites <- from$sites
  fit$pooled <- from$pooled
  fit
}

# Whose promise that of a pooled fit is.
site_promise_text <- function(privacy) {
  if (is.null(privacy$sites)) return(NULL)
  if (privacy$sites == 1) return(" It is the promise of the only site.")
  paste0(
    " The largest of ", counted(privacy$sites, "site"), "; it holds for whoever is in one of them ",
    "only.",
    if (!is.null(privacy$in_all)) {
      paste0(" For somebody in all of them: ", promise_text(privacy$in_all), ".")
    }
  )
}

# Lines about differences between sites, for summary().
difference_lines <- function(found, level = 0.05, most = 5L) {
  if (is.null(found)) return(NULL)
  of <- function(kind) found[found$kind == kind, , drop = FALSE]
  line <- function(kind, word) {
    all <- of(kind)
    all <- all[!is.na(all$p.adjusted), , drop = FALSE]
    if (nrow(all) == 0L) return(NULL)
    differing <- all[all$p.adjusted < level, , drop = FALSE]
    shown <- utils::head(differing, most)
    named <- ifelse(is.na(shown$y), shown$x, paste(shown$x, "-", shown$y))
    rest <- nrow(differing) - nrow(shown)
    paste0(
      nrow(differing), " of ", counted(nrow(all), word),
      if (nrow(differing)) {
        paste0(": ", paste(c(named, if (rest) paste(rest, "more")), collapse = ", "))
      }
    )
  }
  c(line("edge", "edge"), line("pair", "other pair"), line("variable", "variable"))
}

# ---- report --------------------------------------------------------------------------------------

report_sites <- function(fit) {
  if (!is_pooled(fit)) return(NULL)
  sites <- fit$sites
  unit <- report_unit(fit$settings)
  shown <- paste0(
    sites$site, " (", site_rows_text(sites), " ", unit, "s, epsilon = ", text_up(sites$epsilon),
    ", delta = ", text_up(sites$delta), ", weight ", format(round(sites$weight, 3)), ")"
  )
  paste0(
    " Noisy tables of ", counted(nrow(sites), "site"), " were pooled, with weights by ",
    if (fit$pooled$weights == "precision") {
      "precision (rows and noise)"
    } else {
      paste0("the number of ", unit, "s")
    },
    ": ", enumerate(shown), ". Sampling errors are those of ", big(fit$measurements$n),
    " effective ", unit, "s."
  )
}

report_site_promise <- function(privacy) {
  if (is.null(privacy$sites)) return(NULL)
  if (privacy$sites == 1) return(" These are the values of the only site.")
  paste0(
    " These are the largest values of the ", counted(privacy$sites, "site"), ", each of which ",
    "drew its own noise. They hold for whoever is in one site only; for somebody in several sites ",
    "the values of these sites add up",
    if (!is.null(privacy$in_all)) paste0(", in all of them to ", promise_text(privacy$in_all)),
    ". In which site somebody is, is not protected."
  )
}

report_site_budgets <- function(fit) {
  steps <- table(factor(fit$ledger$site, fit$sites$site))
  shared <- vapply(fit$pooled$sites, function(site) {
    !is.null(site$privacy$budget) || !is.null(site$privacy$beside)
  }, NA)
  paste0(
    "The price of every site's part was fixed before its search began; ",
    enumerate(paste(names(steps), "paid it in", vapply(steps, counted, "", "step"))), ".",
    if (any(shared)) {
      paste0(
        " What else was paid from the same budget, or spent on the same records, the own report",
        if (sum(shared) > 1L) "s", " of ", enumerate(names(shared)[shared]),
        if (sum(shared) > 1L) " say." else " says."
      )
    }
  )
}

# ---- page ----------------------------------------------------------------------------------------

sites_section <- function(fit) {
  if (!is_pooled(fit)) return(NULL)
  sites <- fit$sites
  found <- if (nrow(sites) > 1L) difference_lines(site_differences(fit, fit$measurements))
  section(
    "sites", "The sites",
    element(
      "p", "Noisy tables of ", counted(nrow(sites), "site"), " were pooled. No record left its ",
      "site.",
      if (isTRUE(fit$privacy$private) && nrow(sites) > 1L) {
        paste0(
          " The promise above is the largest of theirs, and holds for whoever is in one site only.",
          if (!is.null(fit$privacy$in_all)) {
            paste0(" For somebody in all of them: ", promise_text(fit$privacy$in_all), ".")
          }
        )
      }
    ),
    html_table(
      list(
        site = lapply(sites$site, name_html), rows = site_rows_text(sites),
        epsilon = text_up(sites$epsilon), delta = text_up(sites$delta),
        weight = percent_text(sites$weight)
      ),
      "Sites and their promises", numeric = c("rows", "epsilon", "delta", "weight")
    ),
    if (!is.null(found)) element(
      "p", "Of these the sites differ by more than noise and sampling explain (Cochran's Q, Holm, ",
      "5 %): ", paste(found, collapse = "; "), "."
    )
  )
}

# ---- damage --------------------------------------------------------------------------------------

# What prints and tests read of the sites.
are_sites <- function(fit) {
  sites <- fit$sites
  kept <- fit$pooled$sites
  numbers <- c("n", "epsilon", "delta", "weight")
  is_frame(sites) && nrow(sites) > 0L && all(c("site", "neighbours", numbers) %in% names(sites)) &&
    are_names(sites$site) && is.character(sites$neighbours) &&
    all(vapply(unclass(sites)[numbers], function(x) {
      is.numeric(x) && all(is.finite(x) & x >= 0)
    }, NA)) && is_record(kept) && identical(names(kept), sites$site) &&
    all(vapply(kept, is_site, NA, fit)) && rlang::is_string(fit$pooled$weights, site_weightings) &&
    is.character(fit$ledger$site) && all(fit$ledger$site %in% sites$site) &&
    # What is said of a site in two places is the same.
    isTRUE(all.equal(
      sites$n, vapply(kept, function(x) as.double(x$n), 0), check.attributes = FALSE
    )) &&
    isTRUE(all.equal(
      sites$epsilon, vapply(kept, function(x) x$privacy$epsilon, 0), check.attributes = FALSE
    ))
}

site_weightings <- c("precision", "records")

# What is kept of a site is looked at as a fit of the same variables is.
is_site <- function(x, fit) {
  held <- fit$measurements
  if (!is_record(x) || !is.list(held)) return(FALSE)
  part <- list(
    nodes = fit$nodes, privacy = x$privacy, ledger = x$ledger, settings = x$settings,
    measurements = list(
      nodes = held$nodes, levels = held$levels, ordered = held$ordered, n = x$n, tables = x$tables,
      families = x$families
    )
  )
  is.null(privacy_damage(part)) && is.null(ledger_damage(part)) && is.null(settings_damage(part)) &&
    is.null(tables_damage(part)) && is_number(x$privacy$rho, 0) && x$privacy$rho > 0
}
