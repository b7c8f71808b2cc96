# What inst/mutants.md says.

test_label <- function(test) paste0(basename(test$file), ", \"", test$name, "\"")

in_cell <- function(text) gsub("|", "\\|", text, fixed = TRUE)

report_lines <- function(catalogue, verdicts, sound) {
  field <- function(name) vapply(catalogue, function(entry) entry[[name]], "")
  killer <- vapply(catalogue, function(entry) test_label(entry$killed_by), "")
  killed <- verdicts == "killed"
  shown <- ifelse(killed, killer, paste0("NOT KILLED (", verdicts, "): ", killer))
  rows <- function(area) {
    these <- field("area") == area
    c(
      paste0("## ", toupper(substr(area, 1, 1)), substring(area, 2), ": ", sum(these)), "",
      "| mutant | file | what is broken | killed by |", "|---|---|---|---|",
      paste0(
        "| ", field("id")[these], " | ", basename(field("file")[these]), " | ",
        in_cell(field("breaks")[these]), " | ", in_cell(shown[these]), " |"
      ), ""
    )
  }
  in_r <- vapply(catalogue, function(entry) is_r(entry$file), NA)
  c(
    "# Mutants",
    "",
    paste(
      "Each mutant is a small change to a line that the promise rests on; the test named beside",
      "it has to fail because of it. `make mutants` builds the package and the unit tests of the",
      "core once, with every mutant behind a switch, runs each named test without a mutant (it",
      "must pass) and then with its mutant on (it must fail). The sources themselves hold no",
      "switch. The catalogue is in tools/mutants/catalogue; a few quick ones run with `make test`."
    ),
    "",
    paste0(
      "Written by `make mutants` on ", Sys.Date(), ": ", length(catalogue), " mutants (",
      sum(!in_r), " in C++, ", sum(in_r), " in R), ", sum(killed), " killed, ", sum(!killed),
      " not; ", length(sound), " tests, of which ", sum(sound == "survived"),
      " pass without a mutant."
    ),
    "",
    paste(
      "What is protected is a record, or a person with all their records where a column says whose",
      "each is. The mutants of that are those called persons."
    ),
    "",
    unlist(lapply(unique(field("area")), rows))
  )
}
