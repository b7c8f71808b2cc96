core <- system.file("include", "privpc", package = "privpc")

test_that("no header includes one that its room may not see", {
  expect_equal(wrong_includes(core), character())
})

test_that("both wings are shut against each other", {
  rooms <- read_rooms(file.path(core, "ROOMS"))
  secret <- c("counts", "statistic", "privacy")
  public <- c("graph", "network", "marginals", "search")
  for (room in secret) expect_length(intersect(rooms[[room]], public), 0)
  for (room in public) expect_length(intersect(rooms[[room]], secret), 0)
  both <- vapply(rooms, function(seen) any(seen %in% secret) && any(seen %in% public), NA)
  expect_equal(names(rooms)[both], "learners")
  # Every folder is a room and every room a folder.
  expect_setequal(names(rooms), list.dirs(core, full.names = FALSE, recursive = FALSE))
})

test_that("an include across the walls is noticed", {
  copy <- spoilable_copy(core)
  on.exit(unlink(copy, recursive = TRUE))
  write <- function(room, text) {
    writeLines(text, file.path(copy, room, "intruder.hpp"))
    on.exit(unlink(file.path(copy, room, "intruder.hpp")))
    wrong_includes(copy)
  }
  expect_equal(
    write("search", "#include \"privpc/counts/table.hpp\""),
    "search/intruder.hpp includes counts/table.hpp"
  )
  expect_equal(
    write("privacy", "  #  include <privpc/statistic/margin.hpp>"),
    "privacy/intruder.hpp includes statistic/margin.hpp"
  )
  expect_equal(write("learners", "#include \"privpc/counts/table.hpp\""), character())
  dir.create(file.path(copy, "cellar"))
  expect_equal(write("cellar", "// empty"), "cellar/intruder.hpp stands in no room")
})
