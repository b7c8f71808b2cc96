# The include graph of the core as it stands in the code, for CONTRIBUTING.md:
#
#   Rscript tools/rooms.R          prints it
#   Rscript tools/rooms.R write    writes it between its marks in CONTRIBUTING.md
source("tests/testthat/helper-rooms.R")

core <- "inst/include/privpc"

drawn_rooms <- function() {
  rooms <- names(read_rooms(file.path(core, "ROOMS")))
  includes <- read_includes(core)
  counted <- table(
    factor(includes$from, rooms), factor(includes$to, rooms)
  )
  headers <- vapply(rooms, function(room) length(list.files(file.path(core, room))), 0L)
  cells <- ifelse(counted > 0, as.character(counted), ".")
  diag(cells) <- ifelse(diag(counted) > 0, as.character(diag(counted)), ".")
  lines <- vapply(rooms, function(room) {
    paste0(
      formatC(room, width = -10), formatC(headers[[room]], width = 7), "  ",
      paste(formatC(cells[room, ], width = 9), collapse = " ")
    )
  }, "")
  c(
    "```",
    paste0(
      formatC("includes", width = -10), formatC("headers", width = 7), "  ",
      paste(formatC(rooms, width = 9), collapse = " ")
    ),
    unname(lines),
    "```"
  )
}

drawn <- drawn_rooms()
if (identical(commandArgs(TRUE), "write")) {
  page <- readLines("CONTRIBUTING.md")
  marks <- grep("^<!-- rooms", page)
  stopifnot(length(marks) == 2L)
  page <- c(page[seq_len(marks[[1L]])], drawn, page[marks[[2L]]:length(page)])
  writeLines(page, "CONTRIBUTING.md")
} else {
  writeLines(drawn)
}
