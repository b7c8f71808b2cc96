# Which files does a fit write, and what is in them? A session of its own runs under strace, where
# there is one, with secrets among the records; all files that it opens to write are looked at. Of
# each kind of records three fits are made: noise hits a secret by chance, but not in all of them.

files_child <- c(
  "library(privpc); options(privpc.advice = FALSE)",
  "arguments <- commandArgs(trailingOnly = TRUE)",
  "kind <- arguments[[1L]]; folder <- arguments[[2L]]",
  "data <- readRDS(file.path(folder, 'records.rds'))",
  "columns <- c('smoke', 'cough', 'fever', 'sex', 'grade')",
  "declared <- lapply(data[columns], levels)",
  "budget <- NULL",
  "if (kind == 'data frame') input <- data[columns]",
  "if (kind == 'file in parts') {",
  "  input <- read_chunks(file.path(folder, 'records.csv'), columns = columns, rows = 3000)",
  "}",
  "if (kind == 'SQLite') {",
  "  con <- DBI::dbConnect(RSQLite::SQLite(), file.path(folder, 'records.sqlite'),",
  "    flags = RSQLite::SQLITE_RO)",
  "  input <- dplyr::tbl(con, 'records')",
  "}",
  "if (kind == 'ledger file') {",
  "  input <- data[columns]",
  "  budget <- privacy_budget(6, 1e-5, file = file.path(folder, 'cohort.ledger'))",
  "}",
  "cat('#before\\n', file = file.path(folder, 'marker'))",
  "use <- list(input, 1, 1e-6, progress = FALSE, budget = budget)",
  "if (kind %in% c('file in parts', 'SQLite')) use$levels <- declared",
  "fits <- lapply(1:3, function(i) suppressWarnings(do.call(marginal_pc, use)))",
  "if (kind %in% c('data frame', 'ledger file')) {",
  "  for (learner in c(priv_pc, svt_pc, em_pc, sg_pc)) {",
  "    use[[2L]] <- 0.3; suppressWarnings(do.call(learner, use))",
  "  }",
  "}",
  "cat('#after\\n', file = file.path(folder, 'marker'))",
  "saveRDS(fits, file.path(folder, 'fits.rds'))"
)

watched_calls <- c(
  "openat", "open", "creat", "mkdir", "mkdirat", "rename", "renameat", "renameat2", "link", "linkat"
)

# Files that were opened to write between the two markers, from the log of strace.
written_files <- function(log, folder) {
  opened <- grep("open(at)?\\(|creat\\(|mkdir|rename|link\\(", log, value = TRUE)
  opened <- grep("= -1 ", opened, value = TRUE, fixed = TRUE, invert = TRUE)
  writes <- grepl("O_WRONLY|O_RDWR|O_CREAT|creat\\(|mkdir|rename|link\\(", opened)
  marks <- which(writes & grepl("/marker\"", opened))
  between <- seq_along(opened) > marks[[1L]] & seq_along(opened) < marks[[length(marks)]]
  paths <- sub("^[^\"]*\"([^\"]*)\".*$", "\\1", opened[writes & between])
  unique(sub(folder, "<folder>", paths, fixed = TRUE))
}

file_mode <- function(file) as.character(file.info(file)$mode)

try_files <- function(share) {
  strace <- nzchar(Sys.which("strace"))
  data <- secret_persons(secret_records())
  secrets <- secrets_of(data)
  kinds <- c(
    "data frame", "file in parts", "ledger file",
    if (requireNamespace("RSQLite", quietly = TRUE) && requireNamespace("dplyr", quietly = TRUE) &&
          requireNamespace("dbplyr", quietly = TRUE)) "SQLite"
  )
  rows <- lapply(kinds, function(kind) {
    folder <- tempfile("files")
    dir.create(folder)
    on.exit(unlink(folder, recursive = TRUE))
    saveRDS(data, file.path(folder, "records.rds"))
    utils::write.csv(data, file.path(folder, "records.csv"), row.names = FALSE)
    if (kind == "SQLite") {
      con <- DBI::dbConnect(RSQLite::SQLite(), file.path(folder, "records.sqlite"))
      DBI::dbWriteTable(con, "records", data.frame(lapply(data[1:5], as.character)))
      DBI::dbDisconnect(con)
    }
    writeLines(files_child, file.path(folder, "child.R"))
    log <- file.path(folder, "log")
    run <- c(
      file.path(R.home("bin"), "Rscript"), file.path(folder, "child.R"), shQuote(kind), folder
    )
    if (strace) {
      run <- c("strace", "-f", "-e", paste0("trace=", toString(watched_calls)), "-o", log, run)
      run[[4L]] <- gsub(" ", "", run[[4L]])
    }
    status <- system2(run[[1L]], run[-1L], stdout = FALSE, stderr = FALSE)
    stopifnot(status == 0L)
    written <- if (strace) written_files(readLines(log), folder) else NA_character_
    written <- setdiff(written, c("/dev/null", "/dev/tty"))
    ledger <- file.path(folder, "cohort.ledger")
    held <- if (file.exists(ledger)) secrets_in_text(readLines(ledger), secrets)
    fits <- readRDS(file.path(folder, "fits.rds"))
    in_fits <- Reduce(intersect, lapply(fits, secrets_in_object, secrets = secrets))
    with_ledger <- kind == "ledger file"
    as_expected <- with_ledger == file.exists(ledger) && with_ledger == (length(written) > 0L) &&
      all(grepl("cohort.ledger", written, fixed = TRUE))
    data.frame(
      records = kind, `seen by` = if (strace) "strace" else "nothing: no strace here",
      `files written` = if (length(written)) toString(written) else "none",
      mode = if (file.exists(ledger)) file_mode(ledger) else "",
      `secrets in them` = length(held), `secrets in the fit` = length(in_fits),
      `as expected` = if (length(held) || length(in_fits)) {
        "NO"
      } else if (!strace) {
        "not watched"
      } else if (as_expected) "yes" else "NO",
      check.names = FALSE
    )
  })
  rows <- do.call(rbind, rows)
  print(rows)
  list(table = rows, umask = as.character(Sys.umask(NA)), wrong = sum(rows$`as expected` != "yes"))
}
