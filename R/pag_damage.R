# A graph with hidden common causes is a plain list, which can be edited: what functions read of it
# is looked at before. A part of its marks would say "no cause" of what it leaves out.

check_pag <- function(x, call, arg = "x") {
  damage <- if (!is.list(x)) "It is no list." else pag_damage(x)
  if (!is.null(damage)) abort_damaged(damage, arg, call, "Graphs")
  invisible(x)
}

pag_damage <- function(x) {
  wrong <- marks_damage(x$marks)
  if (!is.null(wrong)) return(paste0("Its {.field marks} are not those of a graph: ", wrong))
  if (is.null(rownames(x$marks)) && nrow(x$marks)) return("Its {.field marks} have no names.")
  if (!identical(as.character(x$nodes), as.character(rownames(x$marks)))) {
    return("Its {.field nodes} are not those of its {.field marks}.")
  }
  if (!is.null(x$clear) && !(is.null(marks_damage(x$clear)) &&
    identical(dimnames(x$clear), dimnames(x$marks)))) {
    return("Its {.field clear} marks do not fit its {.field marks}.")
  }
  asked <- x$undecided
  if (!is.null(asked) && !(is.character(asked) && is.matrix(asked) && ncol(asked) == 3L &&
    all(asked %in% x$nodes))) {
    return("Its {.field undecided} triples are not three of its nodes each.")
  }
  if (!is.list(x$settings)) return("Its {.field settings} are no list.")
  if (!is.null(x$origin) && !rlang::is_string(x$origin)) return("Its {.field origin} is no text.")
  if (is.null(x$fit)) return(NULL)
  if (!inherits(x$fit, "privpc")) return("Its {.field fit} is none.")
  if (!setequal(x$nodes, x$fit$nodes)) "Its nodes are not the variables of its {.field fit}."
}

# What is wrong with a matrix as one of pcalg's codes; NULL if nothing is.
marks_damage <- function(marks) {
  if (!is.matrix(marks) || !is.numeric(marks)) return("they are no matrix of numbers.")
  if (nrow(marks) != ncol(marks)) return("it has not as many rows as columns.")
  if (anyNA(marks) || !all(marks %in% 0:3)) {
    return("the codes are 0 (no edge), 1 (circle), 2 (arrowhead) and 3 (tail).")
  }
  if (any((marks > 0) != t(marks > 0))) return("an edge has a mark at one of its ends only.")
  if (any(diag(marks) > 0)) return("a variable is joined to itself.")
  names <- rownames(marks)
  if (!identical(names, colnames(marks))) return("rows and columns have other names.")
  if (anyDuplicated(names) || anyNA(names) || !all(nzchar(names))) {
    return("names are missing, or stand there twice.")
  }
}
