# Hostile input to the functions of R: `make hostile`. Writes inst/hostile.md.
#
# Usage: Rscript tools/hostile.R [share of what there is [parts ...]]; parts are damages, arguments,
# frames, schemas (all of them if none is named). The share of what is tried is drawn at random, from
# a fixed seed. What came of a part is kept in build/hostile, and the report is written of what is
# there of this build of the package. A part that could not be run or tried nothing has failed.

library(privpc)
arguments <- commandArgs(trailingOnly = TRUE)
share <- if (length(arguments)) as.numeric(arguments[[1L]]) else 1
parts <- c("damages", "arguments", "frames", "schemas")
asked <- if (length(arguments) > 1L) arguments[-1L] else parts
stopifnot(share > 0, share <= 1, asked %in% parts)
processes <- max(1L, as.integer(Sys.getenv("JOBS", "1")))
options(privpc.advice = FALSE, cli.num_colors = 1L)

world <- new.env(parent = asNamespace("privpc"))
helpers <- c(
  "graph", "same_shape", "hostile", "hostile_fits", "bad_calls", "reference", "tool_parts"
)
for (name in helpers) {
  sys.source(file.path("tests/testthat", paste0("helper-", name, ".R")), envir = world)
}

# In processes of their own: a crash of R is counted, and named by `label`.
try_each <- function(things, f, label) {
  found <- world$in_groups(drawn(things), f, label, processes)
  writeLines(paste0("lost: ", found$crashes, recycle0 = TRUE))
  found
}

drawn <- function(things) {
  set.seed(1)
  things[sort(sample.int(length(things), ceiling(share * length(things))))]
}

wrong_rows <- function(rows, wrong) rows[rows$verdict == wrong, , drop = FALSE]

# ---- damaged objects -----------------------------------------------------------------------------

# What is refused at the door is given to two functions, to see that they ask; what is let in to all.
try_damages <- function() {
  kinds <- setdiff(names(world$hostile_objects), "true_pag")
  each <- lapply(kinds, function(kind) {
    object <- world$hostile_objects[[kind]]()
    readers <- world$readers_of(kind)
    sound <- lapply(readers, function(read) world$outcome_of(read(object)))
    rows <- world$damages_of(object)
    found <- try_each(seq_len(nrow(rows)), function(i) {
      broken <- world$damaged_by(object, rows$at[[i]], rows$kind[[i]])
      if (is.null(broken) || identical(broken, object)) return(NULL)
      let_in <- world$is_let_in(broken)
      set.seed(i)
      names <- if (let_in) names(readers) else sample(names(readers), min(2L, length(readers)))
      do.call(rbind, lapply(names, function(name) {
        outcome <- world$outcome_of(readers[[name]](broken))
        data.frame(
          object = kind, damage = paste(rows$name[[i]], rows$kind[[i]]), call = name, let_in = let_in,
          verdict = world$verdict_on(outcome, sound[[name]]),
          said = paste(outcome$raw, collapse = " | ")
        )
      }))
    }, function(i) paste(kind, rows$name[[i]], rows$kind[[i]]))
    cat(sprintf("%-10s %6d calls, %d lost\n", kind, nrow(found$rows), length(found$crashes)))
    found
  })
  rows <- do.call(rbind, lapply(each, `[[`, "rows"))
  outside <- rows[!rows$let_in & rows$verdict != "refused", , drop = FALSE]
  list(
    counts = c(
      "objects with one damage" = length(unique(paste(rows$object, rows$damage))),
      "calls with them" = nrow(rows), "of them refused in our words" = sum(rows$verdict == "refused"),
      "of them with the result of the sound object" = sum(rows$verdict == "same"),
      "of them with another result: nothing contradicts the edit, or the result tells of it" =
        sum(rows$verdict == "different")
    ),
    crashes = unlist(lapply(each, `[[`, "crashes")), raw = wrong_rows(rows, "raw"), outside = outside
  )
}

# ---- wrong arguments -----------------------------------------------------------------------------

row_of_bad <- function(name, arg, label, value) {
  call <- world$with_bad(world$good_calls[[name]], arg)
  outcome <- world$outcome_of_bad(call, value, world$with_own_budget(world$made))
  data.frame(
    call = name, arg = arg, value = label,
    verdict = if (length(outcome$raw)) "raw" else if (outcome$refused) "refused" else "carried out",
    spent = outcome$spent, said = paste(outcome$raw, collapse = " | ")
  )
}

summed_up <- function(found, what) {
  rows <- found$rows
  counts <- c(nrow(rows), sum(rows$verdict == "refused"), sum(rows$verdict == "carried out"))
  names(counts) <- c(what, "of them refused in our words", "of them carried out")
  spent <- rows[rows$spent, , drop = FALSE]
  list(
    counts = counts, crashes = found$crashes, raw = wrong_rows(rows, "raw"), outside = spent
  )
}

try_arguments <- function() {
  world$made <- world$bad_call_world()
  todo <- do.call(rbind, lapply(names(world$good_calls), function(name) {
    arguments <- world$arguments_of(as.character(world$good_calls[[name]][[1L]]))
    expand.grid(
      name = name, arg = arguments, label = names(world$bad_values), stringsAsFactors = FALSE
    )
  }))
  found <- try_each(seq_len(nrow(todo)), function(i) {
    label <- todo$label[[i]]
    row_of_bad(todo$name[[i]], todo$arg[[i]], label, world$bad_values[[label]])
  }, function(i) paste0(todo$name[[i]], "(", todo$arg[[i]], " = ", todo$label[[i]], ")"))
  summed_up(found, "calls with one argument that is wrong or odd")
}

try_frames <- function() {
  world$made <- world$bad_call_world()
  frames <- world$bad_frames()
  todo <- expand.grid(
    name = names(world$learner_calls), label = names(frames), stringsAsFactors = FALSE
  )
  found <- try_each(seq_len(nrow(todo)), function(i) {
    data_argument <- world$arguments_of(todo$name[[i]])[[1L]]
    row_of_bad(todo$name[[i]], data_argument, todo$label[[i]], frames[[todo$label[[i]]]])
  }, function(i) paste0(todo$name[[i]], "(", todo$label[[i]], ")"))
  summed_up(found, "calls with records that are wrong or odd")
}

# ---- random data ---------------------------------------------------------------------------------

try_schemas <- function() {
  found <- try_each(seq_len(2000), world$random_case, function(seed) paste("data set", seed))
  rows <- found$rows
  raw <- rows[rows$differences > 0L, , drop = FALSE]
  raw$said <- raw$what
  counts <- c(
    "random data sets beside a slow reference" = nrow(rows), "tables compared" = sum(rows$tables),
    "tests compared" = sum(rows$tests), "skeletons compared" = sum(rows$skeletons),
    "graphs compared" = sum(rows$cpdags), "tables of fits compared" = sum(rows$contrasts)
  )
  list(counts = counts, crashes = found$crashes, raw = raw, outside = raw[0L, ])
}

# ---- the report ----------------------------------------------------------------------------------

wrong_words <- c(
  damages = "of them with words of R, or another function's error",
  arguments = "of them with words of R, or another function's error",
  frames = "of them with words of R, or another function's error", schemas = "differences"
)
outside_words <- c(
  damages = "of them let in by one function and not by another",
  arguments = "of them refused after they had spent something",
  frames = "of them refused after they had spent something"
)

kept_in <- "build/hostile"
dir.create(kept_in, showWarnings = FALSE, recursive = TRUE)
build <- world$package_build()
could_run <- vapply(asked, function(part) {
  cat("\n", part, "\n", sep = "")
  world$run_and_keep(part, kept_in, build, function() {
    found <- get(paste0("try_", part))()
    found$share <- share
    for (wrong in list(found$raw, found$outside)) {
      if (nrow(wrong)) print(utils::head(wrong, 40L), row.names = FALSE, right = FALSE)
    }
    found
  })
}, NA)

results <- world$kept_parts(kept_in, parts)
results <- results[world$is_of_build(results, build)]
if (!length(results)) {
  cat("\nNo part was run: no report is written.\n")
  quit(status = 1L)
}
big <- function(x) format(x, big.mark = ",", scientific = FALSE, trim = TRUE)
tried_words <- c(
  damages = "damages of objects", arguments = "wrong or odd arguments",
  frames = "wrong or odd records", schemas = "random data sets"
)
rows_of <- function(part) {
  found <- results[[part]]
  tried <- sprintf(
    "| share tried of all %s | %s %% |", tried_words[[part]], signif(100 * found$share, 3)
  )
  counts <- c(found$counts, stats::setNames(nrow(found$raw), wrong_words[[part]]))
  if (part %in% names(outside_words)) counts[[outside_words[[part]]]] <- nrow(found$outside)
  counts[["crashes of R"]] <- length(found$crashes)
  c(tried, sprintf("| %s | %s |", names(counts), big(unname(counts))))
}
tried <- vapply(results, function(found) found$share, 0)
crashes <- unlist(lapply(results, `[[`, "crashes"), use.names = FALSE)
left <- world$named_or_none(setdiff(parts, names(results)))
writeLines(c(
  "# Hostile input",
  "",
  paste0(
    "Written by `make hostile`, run ", world$days_of(results), " with one build of the package. ",
    "Tried: ",
    toString(sprintf("%s %s %%", names(results), signif(100 * tried, 3))),
    " of what there is, drawn at random from a fixed seed. What there is: each part of fits, partial ",
    "ancestral graphs, networks, results and budgets, damaged in each of ",
    length(world$kinds_of_damage), " ways; each argument of ", length(world$good_calls),
    " functions with each of ", length(world$bad_values), " values; data frames that are odd in ",
    length(world$bad_frames()), " ways; 2,000 random data sets of 1 to 65,535 levels, 2 to 200 ",
    "variables and 1 to a million records. `make test` has a sample, and a table of calls with all ",
    "that is said (tests/testthat/_snaps)."
  ),
  "", "| what | count |", "|---|---|",
  sprintf("| parts of the hostile input that have not run | %s |", left),
  unlist(lapply(names(results), rows_of)),
  if (length(crashes)) c("", "Crashes of R:", "", paste("-", crashes))
), "inst/hostile.md")
cat("\nWritten: inst/hostile.md\n")
wrong <- sum(vapply(results, function(found) nrow(found$raw) + nrow(found$outside), 0L)) +
  length(crashes)
nothing <- names(results)[vapply(results, function(found) found$counts[[1L]] == 0, NA)]
if (wrong > 0) cat(wrong, "results are not as they should be\n")
if (length(nothing)) cat("Nothing was tried: ", toString(nothing), "\n", sep = "")
if (!all(could_run)) cat("Could not be run: ", toString(asked[!could_run]), "\n", sep = "")
quit(status = if (wrong > 0 || length(nothing) || !all(could_run)) 1L else 0L)
