# A graph with hidden common causes is a plain list, which can be edited: all of it is looked at
# before anything is read, as R/sound.R looks at fits. A part of its marks would say "no cause" of
# what it leaves out.

check_sound_pag <- function(pag, call, arg = "x") {
  damage <- pag_damage(pag)
  if (!is.null(damage)) abort_damaged(damage, arg, call, "Graphs")
  invisible(pag)
}

# The first thing that is wrong, in words; NULL if nothing is.
pag_damage <- function(pag) {
  if (!is.list(pag)) return("It is no list.")
  if (!is_record(unclass(pag))) return("Its elements do not have names of their own.")
  checks <- list(
    graph_of_marks_damage, found_damage, pag_promise_damage, behind_damage, clear_damage
  )
  for (check in checks) {
    damage <- check(pag)
    if (!is.null(damage)) return(damage)
  }
  NULL
}

graph_of_marks_damage <- function(pag) {
  wrong <- marks_damage(pag$marks)
  if (!is.null(wrong)) return(paste0("Its {.field marks} are not those of a graph: ", wrong))
  if (is.object(pag$marks)) {
    return("Its {.field marks} are not those of a graph: they have a class.")
  }
  if (is.null(rownames(pag$marks))) return("Its {.field marks} have no names.")
  if (!identical(as.vector(pag$nodes), rownames(pag$marks))) {
    return("Its {.field nodes} are not those of its {.field marks}.")
  }
  nodes_damage(pag)
}

# What was found besides, and how.
found_damage <- function(pag) {
  if (!is.null(pag$clear) && !(is.null(marks_damage(pag$clear)) && !is.object(pag$clear) &&
                                 identical(dimnames(pag$clear), dimnames(pag$marks)))) {
    return("Its {.field clear} marks do not fit its {.field marks}.")
  }
  asked <- pag$undecided
  if (!is.null(asked) && !(is.character(asked) && !is.object(asked) && is.matrix(asked) &&
                             ncol(asked) == 3L && all(asked %in% pag$nodes))) {
    return("Its {.field undecided} triples are not three of its nodes each.")
  }
  if (!is.null(pag$separations) && !are_separations(pag$separations, pag$nodes)) {
    return("Its separating sets are not those of its nodes.")
  }
  if (!is.list(pag$settings)) return("Its {.field settings} are no list.")
  settings_damage(pag)
}

# Without these every arrow of a learnt graph would count as clear and every triple as decided.
clear_damage <- function(pag) {
  is_learnt <- !is_true_pag(pag) && !(is.null(pag$fit) && is.null(pag$privacy))
  if (is_learnt && (is.null(pag$clear) || is.null(pag$undecided))) {
    "It does not say what is clear in it ({.field clear}, {.field undecided})."
  }
}

# A true graph has the mark of the network that it was made of, or nothing; a learnt one the promise
# of its fit. One that has lost its promise has none, and says so (own_mark()).
pag_promise_damage <- function(pag) {
  if (!is.null(pag$origin) && !is_text(pag$origin)) return("Its {.field origin} is no text.")
  if (is.null(pag$privacy)) return(NULL)
  if (!is_true_pag(pag)) {
    damage <- privacy_damage(pag)
    return(if (is.null(damage)) neighbours_damage(pag) else damage)
  }
  if (!is_text(pag$privacy)) "It does not say what it promises ({.field privacy})."
}

# The fit that it was learnt from, which may have been taken out.
behind_damage <- function(pag) {
  fit <- pag$fit
  if (is.null(fit)) return(NULL)
  if (!inherits(fit, "privpc")) return("Its {.field fit} is none.")
  damage <- fit_damage(fit)
  if (!is.null(damage)) return(damage)
  if (!setequal(pag$nodes, fit$nodes)) {
    return("Its nodes are not the variables of its {.field fit}.")
  }
  same <- setdiff(union(names(pag$settings), names(fit$settings)), "search")
  if (is.null(pag$separations) || !identical(pag$settings[same], fit$settings[same])) {
    return("It does not go with what it was learnt from ({.field fit}).")
  }
  # What is less than the promise of the fit is marked; what is more is not one.
  if (is_promise(pag$privacy) && is_promise(fit$privacy) && !identical(pag$privacy, fit$privacy)) {
    "It promises something else than what it was learnt from ({.field fit})."
  }
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
