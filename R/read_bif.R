#' Read a Bayesian network from a BIF file
#'
#' Reads the *Bayesian interchange format* (BIF, version 0.15), the plain text
#' format in which benchmark networks are usually passed on and which bnlearn
#' writes.
#'
#' Every level of every variable must have a probability for every
#' configuration of its parents: as a `table`, as one row per configuration, or
#' through a `default` row. The numbers of a `table` of a variable with parents
#' follow the format's definition: they count through the variables in the
#' order of the block's heading, the last parent fastest and the variable
#' itself slowest. (`bnlearn::read.bif()` reads such tables only for variables
#' without parents.) A distribution whose sum misses one by at most 0.01, as
#' rounded numbers do, is divided by its sum; a larger gap is an error.
#'
#' Properties and comments are skipped. Names may be quoted. The text must be
#' UTF-8 (plain ASCII is); the file may be compressed with gzip, bzip2 or xz.
#'
#' @param file Path of the file, a single string.
#' @param ordered Which variables are ordinal. Either a character vector of
#'   variables whose levels are listed in the file from low to high, or a named
#'   list with, for each ordinal variable, all its levels from low to high. The
#'   probabilities move with the levels. `NULL`, the default: none; BIF cannot
#'   say it.
#' @return An object of class `"privpc_network"`, as described in [network()].
#'   Its name is the name in the file, or the file's name when that is missing
#'   or `unknown`.
#' @references
#' Cozman, F. G. (1998). *The interchange format for Bayesian networks*,
#' version 0.15.
#' @seealso [network()] for the bundled networks,
#'   [simulate()][simulate.privpc_network] to draw data.
#' @export
#' @examples
#' # The bundled networks are ordinary BIF files.
#' file <- system.file("extdata", "survey.bif", package = "privpc")
#' read_bif(file)
#'
#' # BIF does not tell that age is ordinal. Its levels are listed in order, so
#' # its name is enough; otherwise list the levels.
#' survey <- read_bif(file, ordered = "A")
#' survey <- read_bif(file, ordered = list(A = c("young", "adult", "old")))
#' survey$levels$A
#' survey$ordered["A"]
read_bif <- function(file, ordered = NULL) {
  check_string(file)
  call <- rlang::current_env()
  parsed <- cpp_parse_bif(read_bytes(file, call))
  if (!is.null(parsed$message)) {
    abort(c(
      "Cannot read a network from {.file {basename(file)}}.",
      x = "Line {parsed$line}: {parsed$message}."
    ), class = "privpc_bif_error", line = parsed$line, call = call)
  }
  name <- parsed$name
  if (name %in% c("", "unknown")) name <- sub("[.].*$", "", basename(file))
  net <- new_network(
    name = name,
    nodes = parsed$nodes,
    levels = parsed$levels,
    parents = lapply(parsed$parents, function(positions) parsed$nodes[positions]),
    probabilities = parsed$probabilities
  )
  set_ordered(net, ordered, call)
}

read_bytes <- function(file, call) {
  if (!file.exists(file)) {
    abort(c(
      "{.arg file} must be the path of an existing file.",
      x = "There is no file {.file {file}}.",
      i = "Relative paths start at {.code getwd()}."
    ), call = call)
  }
  if (dir.exists(file)) {
    abort(c(
      "{.arg file} must be the path of a file.",
      x = "{.file {file}} is a folder."
    ), call = call)
  }
  # gzfile() also reads plain files.
  connection <- tryCatch(
    suppressWarnings(gzfile(file, "rb")),
    error = function(error) {
      abort(c(
        "{.arg file} must be the path of a file that can be read.",
        x = "{.file {file}} cannot be opened."
      ), call = call)
    }
  )
  on.exit(close(connection))
  chunks <- list()
  tryCatch(
    repeat {
      chunk <- readBin(connection, "raw", n = 2^20)
      if (length(chunk) == 0L) break
      chunks[[length(chunks) + 1L]] <- chunk
    },
    error = function(error) {
      if (is_time_limit(error)) stop(error)
      abort_not_unpacked(file, call)
    },
    # Of what is damaged further on R only warns, and gives what it has read so far.
    warning = function(warning) abort_not_unpacked(file, call)
  )
  do.call(c, c(list(raw(0)), chunks))
}

abort_not_unpacked <- function(file, call) {
  abort(c(
    "{.arg file} must be the path of a file that can be read.",
    x = "{.file {file}} cannot be read to its end; a compressed file may be damaged or cut short.",
    i = "Copy or download it again."
  ), call = call)
}

# Marks variables as ordinal, reordering their levels where a list asks for it.
set_ordered <- function(net, ordered, call) {
  if (is.null(ordered)) return(net)
  names_only <- is.character(ordered) && !anyNA(ordered)
  if (!names_only && !(is.list(ordered) && !is.null(names(ordered)))) {
    abort(c(
      "{.arg ordered} must be a character vector of variables or a named list of levels.",
      x = "It is {describe(ordered)}.",
      i = "For example {.code ordered = list(pain = c(\"none\", \"some\", \"strong\"))}."
    ), call = call)
  }
  variables <- if (names_only) ordered else names(ordered)
  unknown <- setdiff(variables, net$nodes)
  if (length(unknown)) {
    abort(c(
      "{.arg ordered} must name variables of the network.",
      x = "Unknown: {.val {unknown}}.",
      i = "The variables are {.val {net$nodes}}."
    ), call = call)
  }
  twice <- unique(variables[duplicated(variables)])
  if (length(twice)) {
    abort(c(
      "{.arg ordered} must name each variable once.",
      x = "Named more than once: {.val {twice}}."
    ), call = call)
  }
  net$ordered[variables] <- TRUE
  if (names_only) return(net)
  for (variable in variables) {
    given <- ordered[[variable]]
    known <- net$levels[[variable]]
    if (!is.character(given) || length(given) != length(known) || !setequal(given, known)) {
      shown <- if (is.character(given)) "{.val {given}}" else "{describe(given)}"
      abort(c(
        "{.arg ordered} must list every level of {.val {variable}} once, from low to high.",
        x = paste0("Given: ", shown, "."),
        i = "The levels are {.val {known}}."
      ), call = call)
    }
  }
  reorder_levels(net, ordered)
}

# `levels`: named list, each a permutation of the variable's levels.
reorder_levels <- function(net, levels) {
  net$levels[names(levels)] <- levels
  net$probabilities <- lapply(net$probabilities, function(table) {
    if (!any(names(dimnames(table)) %in% names(levels))) return(table)
    rlang::exec("[", table, !!!unname(net$levels[names(dimnames(table))]), drop = FALSE)
  })
  net
}
