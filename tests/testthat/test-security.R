# inst/security.md says what the result files say.
inst <- function(name) system.file(name, package = "privpc")

test_that("the counts in security.md are those of the result files", {
  folder <- dirname(inst("security.md"))
  found <- between_marks(readLines(inst("security.md")))$inside
  expect_identical(found, security_lines(folder))
  # A test that reads nothing would agree with anything.
  expect_true(any(grepl("mutants.md", found, fixed = TRUE)))
  expect_true(any(grepl("audit.md", found, fixed = TRUE)))
})

test_that("what must be none is none, and what must be all is all", {
  counts <- security_counts(dirname(inst("security.md")))
  of <- function(file, what) {
    as.numeric(gsub(",", "", counts$count[counts$from == file & counts$tried == what]))
  }
  all_faults <- of("mutants.md", mutants_words)
  expect_gt(all_faults, 100)
  expect_identical(of("mutants.md", "of them noticed by the tests"), all_faults)
  expect_identical(of("mutants.md", "of them not noticed"), 0)
  expect_gt(of("audit.md", controls_words), 0)
  expect_gt(of("audit.md", "claims audited on the worst neighbours"), 50)
  expect_identical(of("audit.md", "of them refuted"), 0)
  expect_identical(of("audit.md", "of them caught"), of("audit.md", controls_words))
  skip_if_not(nzchar(inst("attacks.md")), "attacks.md is here")
  none <- c(
    "claims they refuted", "numbers off their grid", "releases with bits that tell",
    "calls that showed a secret", "refusals that showed a secret", "files that held a secret",
    "fits beside them that held a secret"
  )
  # What has not run has no row, and is named.
  there <- counts$tried[counts$from == "attacks.md"]
  expect_true(all(c("parts of the attacks that have not run", none[[1L]]) %in% there))
  for (what in intersect(none, there)) expect_identical(of("attacks.md", what), 0, label = what)
  pairs <- c(
    "controls on memberships" = "controls caught", "controls by bits" = "controls by bits caught",
    "planted leaks" = "planted leaks found"
  )
  for (what in intersect(names(pairs), there)) {
    expect_identical(of("attacks.md", pairs[[what]]), of("attacks.md", what), label = what)
    expect_gt(of("attacks.md", what), 0, label = what)
  }
})

test_that("other reports have nothing wrong left either, and their controls are caught", {
  counts <- security_counts(dirname(inst("security.md")))
  reports <- c("fuzz.md", "hostile.md", "memory.md", "stopping.md")
  counts <- counts[counts$from %in% reports & nzchar(counts$count), ]
  of <- function(rows) as.numeric(gsub(",", "", counts$count[rows]))
  wrong <- paste(
    "^crashes", "^different results", "^differences$", "that only the collector made",
    "^errors of memory", "^blocks lost", "with words of R", "let in by one",
    "refused after they had", "^that did not stop", "late$", sep = "|"
  )
  # Each report that is there has such rows.
  expect_true(all(tapply(grepl(wrong, counts$tried), counts$from, any)))
  expect_identical(unique(of(grepl(wrong, counts$tried))), 0)
  expect_identical(of(counts$tried == "controls caught"), of(counts$tried == "controls"))
  expect_gt(min(Inf, of(counts$tried == "controls")), 0)
  # What was tried at all: the counts that "of them" and others divide.
  tried <- "^(inputs tried|calls|objects with one|random data sets|adapters of the core)"
  expect_gt(min(of(grepl(tried, counts$tried))), 0)
})

test_that("the counts are read as they stand in the files", {
  folder <- tempfile("results")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  empty <- security_counts(folder)
  expect_identical(empty$from, names(counted_in))
  expect_match(empty$tried, "not filled in", fixed = TRUE)
  writeLines(
    "Written on 2026-01-02: 1304 mutants (9 in C++, 4 in R), 1303 killed, 1 not; 7 tests, of",
    file.path(folder, "mutants.md")
  )
  writeLines(c(
    "| mechanism | verdict |", "|---|---|", "| a | violates the claim |", "| b | fine |", "",
    "| mechanism | spent | verdict |", "|---|---|---|", "| a | 4 | violates the claim |"
  ), file.path(folder, "audit.md"))
  writeLines(
    c("# x", "", "| what | count |", "|---|---|", "| inputs \\| tried | 12,345 |", "text"),
    file.path(folder, "fuzz.md")
  )
  counts <- security_counts(folder)
  expect_identical(counts$count[1:8], c("1,304", "1,303", "1", "2", "1", "1", "1", ""))
  expect_identical(counts$count[counts$from == "fuzz.md"], "12,345")
})

test_that("the address for reports stands in one place", {
  text <- paste(readLines(inst("security.md")), collapse = "\n")
  expect_match(text, "maintainer(\"privpc\")", fixed = TRUE)
  expect_no_match(text, "@", fixed = TRUE)
})
