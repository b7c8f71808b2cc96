# A network as BIF text, in the form that read_bif() and bnlearn read: one row per configuration of
# the parents.

# NULL for a network that BIF cannot hold; why_no_bif() says why.
bif_text <- function(net) {
  if (!is.null(why_no_bif(net))) return(NULL)
  paste0(paste(c(bif_head(net), unlist(lapply(net$nodes, bif_block, net))), collapse = "\n"), "\n")
}

# A quoted name ends at the next quote or line, and there is no way to write these inside one.
why_no_bif <- function(net) {
  names <- c(net$nodes, unlist(net$levels, use.names = FALSE))
  if (any(grepl("[\"[:cntrl:]]", names))) {
    return("a name has a quotation mark or a control character, which BIF cannot hold")
  }
  if (!all(nzchar(names))) return("a name is empty, which BIF cannot hold")
}

bif_head <- function(net) {
  mark <- mark_of(net)
  c(
    paste("network", bif_name(net$name), "{"),
    # A property runs to the next semicolon.
    if (!is.null(mark)) paste0("  property \"", gsub("[\";]", " ", mark), "\" ;"),
    "}",
    unlist(lapply(net$nodes, function(node) {
      levels <- net$levels[[node]]
      c(
        paste("variable", bif_name(node), "{"),
        paste0(
          "  type discrete [ ", length(levels), " ] { ", paste(bif_name(levels), collapse = ", "),
          " };"
        ),
        "}"
      )
    }))
  )
}

bif_block <- function(node, net) {
  parents <- net$parents[[node]]
  levels <- net$levels[[node]]
  table <- matrix(net$probabilities[[node]], length(levels))
  rows <- apply(table, 2L, function(p) paste(all_digits_text(p), collapse = ", "))
  given <- if (length(parents) == 0L) {
    "table"
  } else {
    # The first parent runs fastest, as in the array.
    grid <- expand.grid(lapply(net$levels[parents], bif_name), stringsAsFactors = FALSE)
    paste0("(", do.call(paste, c(unname(as.list(grid)), sep = ", ")), ")")
  }
  c(
    paste0(
      "probability ( ", bif_name(node),
      if (length(parents)) paste(" |", paste(bif_name(parents), collapse = ", ")), " ) {"
    ),
    paste0("  ", given, " ", rows, ";"),
    "}"
  )
}

# In quotes unless it is plain.
bif_name <- function(name) {
  name <- enc2utf8(name)
  ifelse(grepl("^[A-Za-z0-9_.-]+$", name), name, paste0("\"", name, "\""))
}
