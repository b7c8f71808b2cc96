# inst/attacks.md. inst/security.md takes its counts from the table at the head of it.

attack_parts <- c(
  "worst", "whole", "persons", "controls", "bits", "secrets", "files", "time"
)

table_lines <- function(data) {
  if (is.null(data)) return("**Has not run.**")
  data[] <- lapply(data, function(x) gsub("|", "\\|", format(x, trim = TRUE), fixed = TRUE))
  c(
    paste0("| ", paste(names(data), collapse = " | "), " |"),
    paste0("|", strrep("---|", length(data))),
    paste0("| ", do.call(paste, c(data, sep = " | ")), " |")
  )
}

with_commas <- function(x) format(x, big.mark = ",", scientific = FALSE, trim = TRUE)

# Parts that did not run have no rows, and are named.
attack_counts <- function(results, build) {
  rows <- list()
  add <- function(what, count) {
    if (is.numeric(count)) count <- with_commas(count)
    rows[[length(rows) + 1L]] <<- data.frame(what = what, count = count)
  }
  tables <- lapply(results, `[[`, "table")
  members <- intersect(c("worst", "whole", "persons"), names(results))
  planned <- lapply(results[c(members, intersect("controls", names(results)))], `[[`, "planned")
  ran <- lapply(tables[names(planned)], nrow)
  left <- setdiff(attack_parts, names(results))
  add("parts of the attacks that have not run", named_or_none(left))
  other <- names(results)[!is_of_build(results, build)]
  add("parts that were run with another build of the package", named_or_none(other))
  add("attacks and controls on memberships that were planned and left out",
      sum(unlist(planned)) - sum(unlist(ran)))
  if (length(members)) {
    sound <- do.call(rbind, lapply(tables[members], `[`, c("attack", "runs", "verdict")))
    add("attacks on memberships", nrow(sound))
    # The runs of practice and of trial, on both sides.
    add("outputs they looked at", 4 * sum(sound$runs))
    add("claims they refuted", sum(sound$verdict == "refuted"))
  }
  if (!is.null(tables$controls)) {
    add("controls on memberships", nrow(tables$controls))
    add("controls caught", sum(tables$controls$verdict == "refuted"))
  }
  bits <- tables$bits
  if (!is.null(bits)) {
    ours <- !startsWith(bits$release, "control")
    add("releases whose last bits were attacked", sum(ours))
    add("numbers looked at", sum(bits$numbers[ours]))
    add("numbers off their grid", sum(bits$`off the grid`[ours]))
    add("releases with bits that tell", sum(bits$verdict[ours] == "refuted"))
    add("controls by bits", sum(!ours))
    add("controls by bits caught", sum(bits$verdict[!ours] == "refuted"))
  }
  secret <- tables$secrets
  if (!is.null(secret)) {
    shown <- function(kind) sum(secret$found[secret$kind == kind] > 0)
    add("calls searched for secrets", sum(secret$kind == "call"))
    add("calls that showed a secret", shown("call"))
    add("refusals searched for secrets", sum(secret$kind == "refusal"))
    add("refusals that showed a secret", shown("refusal"))
    add("planted leaks", sum(secret$kind == "planted leak"))
    add("planted leaks found", shown("planted leak"))
  }
  if (!is.null(tables$files)) {
    files <- tables$files
    add("kinds of records whose files were watched", sum(files$`seen by` == "strace"))
    add("files that held a secret", sum(files$`secrets in them` > 0))
    add("fits beside them that held a secret", sum(files$`secrets in the fit` > 0))
  }
  do.call(rbind, rows)
}

# When each part was run, and whether with the build of the package that is installed now: parts
# take hours, and are kept.
attack_days <- function(results, build) {
  data.frame(
    part = names(results), date = vapply(results, `[[`, "", "date"),
    minutes = vapply(results, function(found) round(found$minutes), 0),
    build = ifelse(is_of_build(results, build), "the one of this report", "another")
  )
}

# A part whose attacks all were left out has not run.
has_rows <- function(found) NROW(found$table) > 0L

# What makes a report worthless, though nothing in it is wrong.
attack_gaps <- function(results) {
  empty <- names(results)[!vapply(results, has_rows, NA)]
  members <- any(c("worst", "whole", "persons") %in% names(results))
  c(
    paste("nothing was tried:", empty, recycle0 = TRUE),
    if (members && !"controls" %in% setdiff(names(results), empty)) {
      "attacks on memberships have no controls"
    }
  )
}

attack_report <- function(results, build) {
  minutes <- sum(vapply(results, function(found) found$minutes, 0))
  secret <- results$secrets$table
  if (is.null(secret)) secret <- data.frame(kind = character())
  shown <- function(kind) if (nrow(secret)) secret[secret$kind == kind, c("call", "found", "as expected")]
  c(
    "# Attacks on the promise",
    "",
    paste0(
      "Written by `make attacks`, run ", days_of(results), " in ", round(minutes), " minutes. ",
      "tests/testthat has a quick part of it; the programs are its helper-attacks files and ",
      "tools/attacks."
    ),
    "",
    table_lines(attack_counts(results, build)),
    "",
    "## When",
    "",
    table_lines(attack_days(results, build)),
    "",
    "## Was this person among the records?",
    "",
    paste(
      "The attacker knows both data sets, every argument and the program, sees one released object",
      "and says which data it came from. Scores and thresholds are learnt on half of the runs and",
      "tried on the other (column \"runs\", on each of the two data sets). The advantage is",
      "TPR - FPR; the bound is (exp(epsilon) - 1 + 2 delta) / (exp(epsilon) + 1), which no",
      "attacker can pass.",
      "\"Refuted\" would mean that a share is beyond its bound with certainty 1 - 1e-6. An",
      "advantage near the bound is no fault: it is what the epsilon allows. The thresholds for a FPR",
      "of 1 % and 0.1 % are learnt, too: of few runs the FPR that came out is another, and a TPR may",
      "lie above the bound at 1 % without being above that of its own FPR. A claim is also refuted by",
      "a rare event that comes with data2 and hardly with data1. Then advantage and TPR are small: so it",
      "is with the controls of sg_pc. The column \"most telling event\" (not in tables of older runs)",
      "has the shares of this event, or of one that comes with data1, on its own side and on the",
      "other; what the first surely is at least; and the most that is allowed, exp(epsilon) times what",
      "the second surely is at most, plus delta."
    ),
    "",
    "### The worst neighbours of the audits, everything that a release tells",
    "",
    paste(
      "svt_pc alone is attacked at epsilon = 4: what overspends there can be seen."
    ),
    "",
    table_lines(results$worst$table),
    "",
    "### Whole objects as users get them, worst neighbours",
    "",
    paste(
      "\"Theory\" is 2 pnorm(mu / 2) - 1 of the best attacker there is, where mu squared is the",
      "sum of (difference of contrasts)^2 / variance over what was released. Of a test and of cut",
      "points all that their objects hold is seen; of a fit the",
      "network, a thousand synthetic rows, or the words of its page."
    ),
    "",
    table_lines(results$whole$table),
    "",
    "### Persons as they occur",
    "",
    paste(
      "Of records of a network one person is replaced: a typical one (the most frequent record),",
      "a rare one (the rarest that occurs), or the one whose replacement changes the graph of",
      "`exact_pc()` (\"deciding\"). The attacker knows all other records."
    ),
    "",
    table_lines(results$persons$table),
    "",
    "### Controls: the same attacks on what spends many times its claim",
    "",
    paste(
      "All must be caught. In the graphs of the paper's learners nobody's presence shows at this",
      "size; there the control is the graph without noise."
    ),
    "",
    table_lines(results$controls$table),
    "",
    "## The last bits of released numbers",
    "",
    paste(
      "Doubles have more room near 0 than far from it, so that noise that is added as a double",
      "tells by its last bits what it was added to (Mironov 2012; Haney and others 2022). Every",
      "released number must be a whole number of public steps, the same whole number always the same",
      "double, and an attacker who sees only the last bits must have no advantage above 0.01. An",
      "advantage is measured, and of few numbers it is off by chance: a release is refuted if its",
      "advantage is above 0.01 with certainty 1 - 1e-6. For that it must be measured as about",
      "0.01 + 10.5 / sqrt(numbers): 0.12 of 10,000 numbers, 0.34 of 1,000. So a row of few numbers",
      "that is kept says little about bits that tell a little, and what is off the grid says more."
    ),
    "",
    table_lines(results$bits$table),
    "",
    "## Secrets in objects, messages, errors and files",
    "",
    paste0(
      "Of 20,000 records ", if (is.null(results$secrets)) "some" else results$secrets$secrets,
      " secrets are known: counts of one to three ",
      "variables that are as good as unique (7,919 among them), their shares, one value ",
      "(1234.5678), somebody's name, and vectors as long as the data. They are looked for in the ",
      "object with all attributes and environments, in all conditions with their traces, in what ",
      "is printed, and in the bytes of the object as it would be saved (XDR, native, ASCII; not ",
      "compressed, gzip, bzip2, xz). A secret counts as shown if each of three calls shows it."
    ),
    "",
    table_lines(shown("call")),
    "",
    "Errors of calls that are refused, whole, with their traces:",
    "",
    table_lines(shown("refusal")),
    "",
    "Planted leaks, which must be found:",
    "",
    table_lines(shown("planted leak")),
    "",
    "## Files",
    "",
    paste0(
      "What a session writes between the start and the end of its fits, with umask ",
      results$files$umask, "."
    ),
    "",
    table_lines(results$files$table),
    "",
    "## Time: a side channel that is not protected",
    "",
    paste0(
      "Medians of the processor's time in milliseconds, ", with_commas(results$time$records),
      " records of asia, one thread. \"Told\" is how often the times of five fits on each of two data ",
      "sets are in the same order: 0.50 is a coin, though with so few runs up to 0.7 is chance. ",
      "Whoever can time a fit learns about the data; so the promise holds only if nobody can."
    ),
    "",
    table_lines(results$time$table)
  )
}
