# The file from which evaluate_learners() continues. Lines that begin with # state what the results
# depend on, one line names the columns, and every other is a finished fit, comma-separated: as
# read.csv(file, comment.char = "#") reads it. Lines are only ever
# appended, so that whatever ends the work leaves the finished fits behind.

evaluation_columns <- c(
  network = "character", learner = "character", epsilon = "numeric", delta = "numeric",
  n = "numeric", run = "integer", skeleton_precision = "numeric", skeleton_recall = "numeric",
  skeleton_f1 = "numeric", cpdag_precision = "numeric", cpdag_recall = "numeric",
  cpdag_f1 = "numeric", shd = "integer", seconds = "numeric", tests = "numeric",
  spent = "numeric", problem = "character"
)

evaluation_title <- "# privpc evaluation"

# What a cell is: the same for the same cell of any design.
cell_key <- function(cells) {
  paste(
    cells$network, cells$learner, exact_text(cells$epsilon), exact_text(cells$n), cells$run,
    sep = "\n", recycle0 = TRUE
  )
}

# The shorter of two texts from which the same number is read again. There are no missing ones.
exact_text <- function(x) {
  local_decimal_point()
  text <- sprintf("%.15g", x)
  ifelse(as.double(text) == x, text, sprintf("%.17g", x))
}

# What results must have in common to stand in one file: a named vector of texts.
design_facts <- function(networks, learners, delta, seed, noise_seed) {
  own <- lapply(rlang::set_names(learner_names()), learner_function)
  content <- function(net) {
    rlang::hash(unclass(net)[c("nodes", "levels", "ordered", "parents", "probabilities")])
  }
  code <- function(learner) {
    built_in <- vapply(own, identical, NA, learner)
    if (any(built_in)) return(names(own)[built_in])
    rlang::hash(deparse(utils::removeSource(learner)))
  }
  c(
    version = as.character(utils::packageVersion("privpc")), seed = exact_text(seed),
    noise_seed = if (is.null(noise_seed)) "none" else exact_text(noise_seed),
    delta = if (is.null(delta)) "default" else exact_text(delta),
    stats::setNames(vapply(networks, content, ""), paste("network", names(networks))),
    stats::setNames(vapply(learners, code, ""), paste("learner", names(learners)))
  )
}

# Makes the file, or checks that the one that is there belongs to this design, and returns the
# fits in it.
open_evaluation_file <- function(file, facts, call) {
  if (!file.exists(file)) {
    folder <- dirname(file)
    if (!dir.exists(folder)) {
      abort(c(
        "{.arg file} cannot be written.",
        x = "There is no folder {.file {folder}}."
      ), call = call)
    }
    append_lines(file, c(evaluation_title, fact_lines(facts), column_line()))
    return(read_evaluation_file(file)$cells)
  }
  held <- tryCatch(read_evaluation_file(file), error = function(e) NULL)
  if (is.null(held)) {
    abort(c(
      "{.arg file} must be new, or made by {.fn evaluate_learners}.",
      x = "{.file {file}} is something else, or damaged, and is left as it is."
    ), call = call)
  }
  common <- intersect(names(facts), names(held$facts))
  changed <- common[facts[common] != held$facts[common]]
  if (length(changed)) abort_changed_design(file, facts[changed], held$facts[changed], call)
  if (!held$whole) writeLines(held$lines, file, useBytes = TRUE)
  added <- facts[setdiff(names(facts), names(held$facts))]
  if (length(added)) append_lines(file, fact_lines(added))
  held$cells
}

abort_changed_design <- function(file, now, before, call) {
  shown <- names(now) %in% c("version", "seed", "noise_seed", "delta")
  what <- ifelse(
    shown, paste0(names(now), " was ", before, " and is ", now),
    paste0("the ", ifelse(grepl("^network", names(now)), "content", "code"), " of ", names(now),
           " is not the same")
  )
  name <- basename(file)
  differences <- paste(what, collapse = "; ")
  abort(c(
    "{.arg file} holds results of another design, which cannot be continued.",
    x = "In {.file {name}}: {differences}.",
    i = "Repeat the call that made the file, or give another {.arg file}."
  ), class = "privpc_changed_design", call = call)
}

count_fields <- function(line) {
  connection <- textConnection(line)
  on.exit(close(connection))
  fields <- utils::count.fields(connection, sep = ",", quote = "\"", comment.char = "")
  if (length(fields) == 1L && !is.na(fields)) fields else 0L
}

column_line <- function() paste(names(evaluation_columns), collapse = ",")

fact_lines <- function(facts) paste0("# ", names(facts), ": ", facts)

# The cells, the facts, the complete lines, and whether there was nothing else: a crash in the
# middle of a line leaves a part of it, which is to be forgotten. If a cell stands there more than
# once, it was tried again after it had failed: the last counts.
read_evaluation_file <- function(file) {
  text <- readChar(file, file.size(file), useBytes = TRUE)
  lines <- strsplit(text, "\n", fixed = TRUE, useBytes = TRUE)[[1L]]
  Encoding(lines) <- "UTF-8"
  whole <- endsWith(text, "\n")
  if (!whole) lines <- utils::head(lines, -1L)
  if (!identical(lines[1L], evaluation_title)) stop("not a file of evaluate_learners()")
  stated <- startsWith(lines, "# ")
  facts <- sub("^# ", "", lines[stated][-1L])
  facts <- stats::setNames(sub(".*: ", "", facts), sub(": [^:]*$", "", facts))
  fits <- lines[!stated & lines != column_line()]
  # What was cut off or grown together is made again.
  fits <- fits[vapply(fits, count_fields, 0L) == length(evaluation_columns)]
  cells <- if (length(fits)) {
    utils::read.csv(
      text = fits, header = FALSE, col.names = names(evaluation_columns),
      colClasses = unname(evaluation_columns), encoding = "UTF-8", na.strings = "",
      comment.char = "", strip.white = FALSE
    )
  } else {
    as.data.frame(lapply(evaluation_columns, vector, length = 0L))
  }
  cells <- cells[!duplicated(cell_key(cells), fromLast = TRUE), ]
  list(cells = cells, facts = facts, lines = lines, whole = whole)
}

append_cell <- function(file, row) {
  fields <- lapply(row[names(evaluation_columns)], function(x) {
    if (is.na(x)) return("")
    if (!is.character(x)) return(exact_text(x))
    paste0("\"", gsub("\"", "\"\"", gsub("[\r\n]+", " ", x)), "\"")
  })
  append_lines(file, paste(fields, collapse = ","))
}

# In one piece: other processes may be writing to the same file.
append_lines <- function(file, lines) {
  text <- enc2utf8(paste0(lines, "\n", collapse = ""))
  connection <- base::file(file, open = "ab")
  on.exit(close(connection))
  writeBin(charToRaw(text), connection)
}
