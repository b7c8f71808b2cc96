# What a fit has measured, as R/sound.R looks at it.

tables_damage <- function(fit) {
  held <- fit$measurements
  if (is.null(held)) return(NULL)
  if (!is_record(held)) return("Its element {.field measurements} is no list of tables.")
  damage <- damage_of(held, fit$nodes)
  if (!is.null(damage)) return(damage)
  settings <- fit$settings
  if (!are_rules(settings)) {
    return("Its settings are not those of {.fn marginal_pc} ({.field settings}).")
  }
  if (!can_be_read(held)) "What it has measured cannot be read as noisy tables."
}

# By which a graph can be found again.
are_rules <- function(settings) {
  is_number(settings$alpha, 0, 1) && settings$alpha > 0 && settings$alpha < 1 &&
    is_number(settings$prior, 0, 100) && settings$prior > 0 &&
    is_number(settings$least_effect, 0, 100) && is_number(settings$max_order, 0, 3) &&
    settings$max_order == round(settings$max_order)
}

# The core is asked about numbers: how many each table must have, and that all of them are some.
can_be_read <- function(held) {
  tryCatch({
    cpp_check_site(
      lengths(held$levels), list(n = held$n, tables = held$tables, families = held$families)
    )
    TRUE
  }, error = function(e) FALSE, warning = function(w) FALSE)
}

# What the core takes at its word, in fits that were changed by hand. NULL if nothing is wrong.
damage_of <- function(held, nodes) {
  if (!are_names(held$nodes) || length(nodes) != length(held$nodes) ||
        !setequal(nodes, held$nodes)) {
    return("Its nodes are not the variables that were measured.")
  }
  # Positions in the tables are those of the sorted names.
  if (!identical(as.vector(held$nodes), sort(held$nodes, method = "radix"))) {
    return("Its nodes are not the variables that were measured.")
  }
  if (!is.list(held$levels) || length(held$levels) != length(held$nodes) ||
        !all(vapply(held$levels, are_names_of_levels, NA))) {
    return("It does not have one set of levels for every variable.")
  }
  ordered <- held$ordered
  if (!is.null(ordered) &&
        (!is.logical(ordered) || anyNA(ordered) || length(ordered) != length(held$nodes))) {
    return("It does not say of every variable whether its levels are ordered.")
  }
  if (!is_number(held$n, 1, core_limits$max_rows)) return("Its number of rows is no such number.")
  if (!is_record(held$tables) || !(is.null(held$families) || is_record(held$families))) {
    return("Its tables do not say which variables they are of.")
  }
  sets <- held$tables$sets
  families <- held$families$sets
  if (!is_list_of_sets(sets) || !(is.null(families) || is_list_of_sets(families))) {
    return("Its tables do not say which variables they are of.")
  }
  # Two tables of the same variables would be averaged, as if they had been measured twice.
  for (group in list(sets, families)) {
    inside <- vapply(group, anyDuplicated, 0L)
    if (any(inside > 0L) || anyDuplicated(lapply(group, function(set) sort(as.double(set))))) {
      return("It has two tables of the same variables, or a table with a variable twice.")
    }
  }
  if (!are_tables(held$tables) || !are_tables(held$families)) {
    return("What it has measured cannot be read as noisy tables.")
  }
  # What a set of several variables tells is told beyond its margins.
  alone <- unlist(sets[lengths(sets) == 1L])
  if (!all(unlist(sets[lengths(sets) > 1L]) %in% alone)) {
    return("A variable has a table with others and none of its own.")
  }
  NULL
}

are_names_of_levels <- function(x) {
  is.character(x) && length(x) > 0L && !anyNA(x) && all(validEnc(x)) && !anyDuplicated(x)
}

is_list_of_sets <- function(sets) {
  is.list(sets) && all(vapply(sets, function(set) {
    is.numeric(set) && length(set) > 0L && !anyNA(set) && all(set >= 1 & set == round(set))
  }, NA))
}

# Numbers beside each set; how many, the core knows.
are_tables <- function(tables) {
  is.null(tables) || length(tables) == 0L || (
    is.list(tables$values) && all(vapply(tables$values, is.numeric, NA)) &&
      is.numeric(tables$variance) && length(tables$values) == length(tables$sets) &&
      length(tables$variance) == length(tables$sets)
  )
}
