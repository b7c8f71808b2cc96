# The files inside a page, each a function of the fit: text, a name to save it by, its type and what
# it is. What cannot be had is listed with the reason.

page_files <- function(fit, strength, mark) {
  mark_name <- if (!is.null(mark)) "NOT-private-"
  file <- function(name, type, what, made, note = NULL) {
    if (is.null(made$text)) return(list(what = what, why = made$why))
    list(
      name = paste0(mark_name, name), type = type, what = what, text = made$text,
      note = made$note
    )
  }
  has_tables <- is.list(fit$measurements)
  no_tables <- list(why = elements("the learner ", fit$learner, "() measures no tables"))
  all <- list(
    file(
      "noisy-tables.csv", "text/csv", "the noisy tables",
      if (has_tables) tables_file(fit, mark) else no_tables
    ),
    file(
      "strengths.csv", "text/csv", "the strengths of all pairs",
      if (!is.null(strength)) {
        list(text = csv_text(csv_marked(plain_frame(strength), mark)))
      } else if (has_tables) {
        list(why = "they were not asked for")
      } else {
        no_tables
      }
    ),
    file(
      "ledger.csv", "text/csv", "the ledger",
      if (nrow(fit$ledger)) {
        list(text = csv_text(csv_marked(plain_frame(privacy_ledger(fit)), mark)))
      } else {
        list(why = "no budget was spent")
      }
    ),
    file("graph-dagitty.txt", "text/plain", "the graph for dagitty", dagitty_file(fit, mark)),
    file("graph.graphml", "application/xml", "the graph as GraphML", graphml_file(fit, mark)),
    file("graph.bif", "text/plain", "a Bayesian network as BIF", bif_file(fit))
  )
  is_there <- !vapply(all, function(file) is.null(file$text), NA)
  list(files = all[is_there], left_out = all[!is_there])
}

# Without class and attributes of its own.
plain_frame <- function(frame) new_data_frame(lapply(frame, as.vector))

# A table that is read elsewhere says it in every row.
csv_marked <- function(frame, mark) {
  if (!is.null(mark)) frame$privacy <- rep(mark, nrow(frame))
  frame
}

tables_file <- function(fit, mark) {
  frame <- tables_frame(fit)
  if (is.null(frame)) {
    return(list(why = paste(
      "no variable varies, or all tables have more than", core_limits$most_cells, "cells"
    )))
  }
  list(text = csv_text(csv_marked(frame, mark)))
}

# All tables that were measured, but for very large ones, one row per cell, as measured() gives
# them: which variables, their levels, share and standard error.
tables_frame <- function(fit) {
  held <- opened(fit$measurements)
  sets <- unique(lapply(c(held$tables$sets, held$families$sets), function(set) {
    sort(as.integer(set))
  }))
  most <- max(lengths(sets), 1L)
  parts <- lapply(seq_along(sets), function(k) {
    at <- sets[[k]]
    # Rather a page without it than no page: measured() gives it all the same.
    if (prod(lengths(held$levels)[at]) > core_limits$most_cells) return(NULL)
    table <- noisy_table(held, at)
    # A family whose smaller tables were left out is no table by itself.
    if (length(table$missing)) return(NULL)
    cells <- whole_cells(table)
    place <- arrayInd(seq_along(cells$share), table$levels)
    columns <- lapply(seq_len(most), function(i) {
      if (i > length(at)) return(list(NA_character_, NA_character_))
      list(held$nodes[[at[[i]]]], held$levels[[at[[i]]]][place[, i]])
    })
    columns <- lapply(unlist(columns, recursive = FALSE), rep_len, length(cells$share))
    names(columns) <- paste0(c("variable_", "level_"), rep(seq_len(most), each = 2L))
    new_data_frame(c(
      list(table = rep(k, length(cells$share))), columns, list(share = cells$share, se = cells$se)
    ))
  })
  do.call(rbind, parts)
}

dagitty_file <- function(fit, mark) {
  # Its text has no place for a remark, and a copy under another name would look private.
  if (!is.null(mark)) return(list(why = "its text could not say that it is not private"))
  text <- tryCatch(
    withCallingHandlers(
      as_dagitty(fit, string = TRUE), privpc_not_private = function(cnd) rlang::cnd_muffle(cnd)
    ),
    privpc_error = function(cnd) NULL
  )
  if (is.null(text)) return(list(why = "dagitty cannot read the name of one of the variables"))
  list(text = as.vector(text))
}

# In the form that igraph::as.igraph() gives the graph: an undirected edge is two arcs, marked.
graphml_file <- function(fit, mark) {
  graph <- edge_matrix(fit)
  nodes <- rownames(graph)
  ends <- edge_ends(graph)
  undirected <- is_undirected(graph)[ends]
  key <- function(id, on, name, type) {
    element("key", id = id, `for` = on, attr.name = name, attr.type = type)
  }
  text <- element(
    "graphml", xmlns = "http://graphml.graphdrawing.org/xmlns",
    if (!is.null(mark)) key("privacy", "graph", "privacy", "string"),
    key("name", "node", "name", "string"), key("undirected", "edge", "undirected", "boolean"),
    key("arrow", "edge", "arrow.mode", "double"),
    element(
      "graph", id = "G", edgedefault = "directed",
      if (!is.null(mark)) element("data", key = "privacy", mark),
      lapply(seq_along(nodes), function(k) {
        element("node", id = paste0("n", k), element("data", key = "name", nodes[[k]]))
      }),
      lapply(seq_len(nrow(ends)), function(k) {
        element(
          "edge", source = paste0("n", ends[k, 1L]), target = paste0("n", ends[k, 2L]),
          element("data", key = "undirected", if (undirected[[k]]) "true" else "false"),
          element("data", key = "arrow", if (undirected[[k]]) "0" else "2")
        )
      })
    )
  )
  list(text = paste0("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", text, "\n"))
}

# The network that as_network() makes of the noisy tables. Directions that the graph leaves open are
# added there, which the reader has to know.
bif_file <- function(fit) {
  if (!is.list(fit$measurements)) {
    return(list(why = elements("the learner ", fit$learner, "() measures no tables")))
  }
  filled_in <- FALSE
  net <- tryCatch(
    withCallingHandlers(
      as_network(fit),
      privpc_not_measured = function(cnd) {
        if (!inherits(cnd, "message")) return()
        filled_in <<- TRUE
        rlang::cnd_muffle(cnd)
      }
    ),
    privpc_not_measured = function(cnd) "not all tables that it takes were measured",
    privpc_error = function(cnd) "its tables would be too large"
  )
  if (is.character(net)) return(list(why = net))
  text <- bif_text(net)
  if (is.null(text)) return(list(why = why_no_bif(net)))
  list(text = text, note = paste0(
    if (any(is_undirected(edge_matrix(fit)))) {
      "; open directions were settled by a fixed rule there and mean nothing"
    },
    if (filled_in) "; interactions that were not measured are taken as none there"
  ))
}
