# The rooms of the core and who may include whom. Also sourced by tools/lint.sh and tools/rooms.R.

# A named list from room to the rooms that it may see.
read_rooms <- function(file) {
  lines <- grep("^[a-z]+:", readLines(file), value = TRUE)
  seen <- strsplit(trimws(sub("^[a-z]+:", "", lines)), " +")
  stats::setNames(lapply(seen, function(rooms) rooms[nzchar(rooms)]), sub(":.*", "", lines))
}

# Every include of a header of the core by another: `file`, `from` (its room), `to`, `header`.
read_includes <- function(core) {
  files <- list.files(core, pattern = "[.]hpp$", recursive = TRUE)
  each <- lapply(files, function(file) {
    lines <- readLines(file.path(core, file), warn = FALSE)
    found <- regmatches(lines, regexpr("^ *# *include +[\"<]privpc/[^\">]+", lines))
    header <- sub("^ *# *include +[\"<]privpc/", "", found)
    data.frame(
      file = rep(file, length(header)), from = rep(room_of(file), length(header)),
      to = room_of(header), header = header
    )
  })
  do.call(rbind, each)
}

room_of <- function(path) ifelse(grepl("/", path), sub("/.*", "", path), "")

# "search/a.hpp includes counts/b.hpp" for everything that the matrix does not allow.
wrong_includes <- function(core) {
  rooms <- read_rooms(file.path(core, "ROOMS"))
  includes <- read_includes(core)
  allowed <- mapply(function(from, to) {
    from %in% names(rooms) && (from == to || to %in% rooms[[from]])
  }, includes$from, includes$to)
  wrong <- includes[!allowed, ]
  headers <- list.files(core, pattern = "[.]hpp$", recursive = TRUE)
  homeless <- headers[!room_of(headers) %in% names(rooms)]
  c(
    paste(wrong$file, "includes", wrong$header, recycle0 = TRUE),
    paste(homeless, "stands in no room", recycle0 = TRUE)
  )
}

# A copy of a folder that a test may spoil.
spoilable_copy <- function(folder) {
  home <- tempfile("core")
  dir.create(home)
  file.copy(folder, home, recursive = TRUE)
  file.path(home, basename(folder))
}
