# What a page tells about each edge: its strength, its noisy table, and the effect
# (R/page_effects.R) where the graph identifies one. Everything comes from the fit; no
# record is looked at.

# One list per edge: `id` (for links), `at` (positions of its ends), `from`, `to`, `directed`,
# `label`, `share` (NA: none), and `table` and `effect`, each as in edge_table_found() and
# edge_effect_found(). `effects` as from page_effects(), NULL for none.
page_edges <- function(fit, strength, effects, report_step = function(...) NULL) {
  graph <- edge_matrix(fit)
  table <- edge_table(graph)
  held <- if (is.list(fit$measurements)) opened(fit$measurements)
  lapply(seq_len(nrow(table)), function(k) {
    from <- table$from[[k]]
    to <- table$to[[k]]
    directed <- table$type[[k]] == "directed"
    found <- strength_of(strength, from, to)
    edge <- list(
      id = paste0("edge-", k), at = match(c(from, to), rownames(graph)), from = from, to = to,
      directed = directed, has_tables = !is.null(held), strength = found,
      share = if (is.null(found) || found$required) NA_real_ else found$strength,
      table = if (!is.null(held)) edge_table_found(held, from, to),
      effect = if (!is.null(effects)) edge_effect_found(fit, graph, from, to, directed, effects)
    )
    edge$label <- edge_label(edge, attr(strength, "draws"))
    report_step()
    edge
  })
}

# The row of this pair, as it stands in the graph.
strength_of <- function(strength, from, to) {
  if (is.null(strength)) return(NULL)
  row <- strength[strength$from == from & strength$to == to, ]
  if (nrow(row) == 1L) as.list(row)
}

# In words, for those who hear the page.
edge_label <- function(edge, draws) {
  paste0(
    readable(edge$from), if (edge$directed) " causes " else " is joined to ", readable(edge$to),
    if (!edge$directed) ", direction not identified",
    if (isTRUE(edge$strength$required)) {
      ", required beforehand"
    } else if (!is.na(edge$share)) {
      paste0(", in ", share_label(edge$share), " of ", draws, " graphs")
    }
  )
}

# The table of the two ends: `share`, a matrix with the levels as names, and `se`. NULL if the pair
# was not measured: what measured() fills in would be the assumption that there is no edge.
edge_table_found <- function(held, from, to) {
  at <- match(c(from, to), held$nodes)
  table <- noisy_table(held, at)
  if (length(table$missing)) return(NULL)
  cells <- whole_cells(table)
  list(
    share = matrix(cells$share, table$levels[[1L]], dimnames = held$levels[at]), se = cells$se[[1L]]
  )
}

# Shares and standard errors of a table that was measured as a whole, the first variable fastest: as
# measured() has them.
whole_cells <- function(table) {
  list(
    share = as.vector(table$basis %*% table$value),
    se = sqrt(as.vector(table$basis^2 %*% table$variance))
  )
}

# ---- as HTML -------------------------------------------------------------------------------------

edges_section <- function(edges, strength, notes) {
  if (length(edges) == 0L) {
    return(section("edges", "The edges", element("p", "This graph has no edges."), notes))
  }
  section(
    "edges", "The edges", notes,
    element("div", class = "cards", lapply(edges, edge_card, strength))
  )
}

# Open, so that everything can be read where no script runs; a script folds them.
edge_card <- function(edge, strength) {
  element(
    "details", class = paste0("fold card", if (is_broad(edge$table)) " broad"), id = edge$id,
    open = "open",
    element("summary", edge_html(edge)),
    element(
      "div", class = "body", edge_strength_html(edge, strength), edge_table_html(edge),
      edge_effect_html(edge),
      if (!edge$has_tables) element("p", class = "quiet", "Only the edge itself was released.")
    )
  )
}

# Whether the names of the levels are too long for half a sheet of paper.
is_broad <- function(table) {
  if (is.null(table)) return(FALSE)
  levels <- lapply(dimnames(table$share), nchar, type = "width")
  max(levels[[1L]]) + sum(pmax(levels[[2L]], 5L) + 1L) > 45L
}

edge_html <- function(edge) {
  elements(
    name_html(edge$from), if (edge$directed) " \u2192 " else " \u2013 ", name_html(edge$to),
    if (!edge$directed) element("span", class = "quiet", " direction not identified")
  )
}

edge_strength_html <- function(edge, strength) {
  found <- edge$strength
  if (is.null(found)) return(NULL)
  if (found$required) return(element("p", "This edge was required by background knowledge."))
  element(
    "p", element("b", "Strength "), "in ", element("b", share_label(found$strength)), " of ",
    attr(strength, "draws"), " graphs (give or take ", decimals(100 * found$uncertainty, 0L),
    " points).",
    # Where it never stands, it points nowhere.
    if (found$strength > 0) {
      elements(
        " Where it stands, it points from ", name_html(edge$from), " to ", name_html(edge$to),
        " in ", share_label(found$direction), " (open ones count half)."
      )
    }
  )
}

edge_table_html <- function(edge) {
  table <- edge$table
  if (is.null(table)) {
    return(if (edge$has_tables) element("p", "The table of this pair was not measured."))
  }
  levels <- dimnames(table$share)
  columns <- c(
    list(lapply(levels[[1L]], name_html)),
    lapply(seq_along(levels[[2L]]), function(k) percent_cells(table$share[, k], table$se))
  )
  names(columns) <- c("", readable(levels[[2L]]))
  head <- elements(
    element("b", "Noisy table "), "in percent; rows ", name_html(edge$from), ", columns ",
    name_html(edge$to), "; each cell give or take ", error_text(table$se), " by noise"
  )
  pair_table(columns, head)
}

pair_table <- function(columns, head) {
  heads <- lapply(names(columns)[-1L], function(level) {
    # A bin such as "> 65" stays on one line.
    element("th", scope = "col", class = "number", name_html(sub("^(<=|>) ", "\\1\u00a0", level)))
  })
  element(
    "div", class = "scroll", tabindex = 0, role = "region", `aria-label` = words_of(head),
    element(
      "table", element("caption", head),
      element("thead", element("tr", element("td"), heads)),
      element("tbody", lapply(seq_along(columns[[1L]]), function(i) {
        element(
          "tr", element("th", scope = "row", columns[[1L]][[i]]),
          lapply(columns[-1L], function(column) element("td", class = "number", column[[i]]))
        )
      }))
    )
  )
}

# As many decimals as the noise leaves, at least one.
percent_cells <- function(share, se) decimals(100 * share, noise_digits(se))

noise_digits <- function(se) {
  if (!isTRUE(se > 0)) return(1L)
  as.integer(min(4, max(1, -floor(log10(100 * se)))))
}

error_text <- function(se) decimals(100 * se, noise_digits(se))

# A minus sign that is one, and no "-0.0".
decimals <- function(x, digits) {
  local_decimal_point()
  text <- formatC(x, format = "f", digits = digits, width = 1L, decimal.mark = ".")
  text <- sub("^-(0[.]?0*)$", "\\1", text)
  sub("^-", "\u2212", text)
}

format_each <- function(x) {
  local_decimal_point()
  vapply(signif(x, 3L), format, "", digits = 3L, scientific = FALSE, decimal.mark = ".")
}
