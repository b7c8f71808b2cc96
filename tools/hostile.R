# Hostile input to the functions of R: `make hostile`. Writes inst/hostile.md.
#
# Usage: Rscript tools/hostile.R [share of what there is [parts ...]]; parts are damages, arguments,
# frames, schemas (all of them if none is named). The share of what is tried is drawn at random, from
# a fixed seed. What came of a part is kept in build/hostile, and the report is written of what is there.

library(privpc)
arguments <- commandArgs(trailingOnly = TRUE)
share <- if (length(arguments)) as.numeric(arguments[[1L]]) else 1
parts <- c("damages", "arguments", "frames", "schemas")
asked <- if (length(arguments) > 1L) arguments[-1L] else parts
stopifnot(share > 0, share <= 1, asked %in% parts)
processes <- max(1L, as.integer(Sys.getenv("JOBS", "1")))
options(privpc.advice = FALSE, cli.num_colors = 1L)

world <- new.env(parent = asNamespace("privpc"))
for (name in c("graph", "same_shape", "hostile", "hostile_fits", "bad_calls", "reference")) {
  sys.source(file.path("tests/testthat", paste0("helper-", name, ".R")), envir = world)
}

# In processes of their own, a few hundred at a time: a crash of R is a lost group, and is counted.
in_groups <- function(things, f) {
  groups <- split(things, ceiling(seq_along(things) / 100))
  found <- parallel::mclapply(groups, function(group) lapply(group, f),
                              mc.cores = processes, mc.preschedule = FALSE, mc.set.seed = FALSE)
  died <- !vapply(found, is.list, NA)
  for (lost in found[died]) cat("lost a group:", conditionMessage(attr(lost, "condition")), "\n")
  list(rows = do.call(rbind, unlist(found[!died], recursive = FALSE)), lost = sum(died))
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
    found <- in_groups(drawn(seq_len(nrow(rows))), function(i) {
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
    })
    cat(sprintf("%-10s %6d calls, %d lost\n", kind, NROW(found$rows), found$lost))
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
    lost = sum(vapply(each, `[[`, 0, "lost")), raw = wrong_rows(rows, "raw"), outside = outside
  )
}

# ---- wrong arguments -----------------------------------------------------------------------------

row_of_bad <- function(name, arg, label, value) {
  call <- world$with_bad(world$good_calls[[name]], arg)
  outcome <- world$outcome_of_bad(call, value, world$made)
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
  list(counts = counts, lost = found$lost, raw = wrong_rows(rows, "raw"), outside = spent)
}

try_arguments <- function() {
  world$made <- world$bad_call_world()
  todo <- do.call(rbind, lapply(names(world$good_calls), function(name) {
    arguments <- world$arguments_of(as.character(world$good_calls[[name]][[1L]]))
    expand.grid(
      name = name, arg = arguments, label = names(world$bad_values), stringsAsFactors = FALSE
    )
  }))
  found <- in_groups(drawn(seq_len(nrow(todo))), function(i) {
    label <- todo$label[[i]]
    row_of_bad(todo$name[[i]], todo$arg[[i]], label, world$bad_values[[label]])
  })
  summed_up(found, "calls with one argument that is wrong or odd")
}

try_frames <- function() {
  world$made <- world$bad_call_world()
  frames <- world$bad_frames()
  todo <- expand.grid(
    name = names(world$learner_calls), label = names(frames), stringsAsFactors = FALSE
  )
  found <- in_groups(drawn(seq_len(nrow(todo))), function(i) {
    data_argument <- world$arguments_of(todo$name[[i]])[[1L]]
    row_of_bad(todo$name[[i]], data_argument, todo$label[[i]], frames[[todo$label[[i]]]])
  })
  summed_up(found, "calls with records that are wrong or odd")
}

# ---- random data ---------------------------------------------------------------------------------

try_schemas <- function() {
  found <- in_groups(seq_len(ceiling(2000 * share)), function(seed) world$random_case(seed))
  rows <- found$rows
  raw <- rows[rows$differences > 0L, , drop = FALSE]
  raw$said <- raw$what
  counts <- c(
    "random data sets beside a slow reference" = nrow(rows), "tables compared" = sum(rows$tables),
    "tests compared" = sum(rows$tests), "skeletons compared" = sum(rows$skeletons),
    "graphs compared" = sum(rows$cpdags), "tables of fits compared" = sum(rows$contrasts)
  )
  list(counts = counts, lost = found$lost, raw = raw, outside = raw[0L, ])
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
for (part in asked) {
  cat("\n", part, "\n", sep = "")
  found <- get(paste0("try_", part))()
  found$share <- share
  saveRDS(found, file.path(kept_in, paste0(part, ".rds")))
  for (wrong in list(found$raw, found$outside)) {
    if (nrow(wrong)) print(utils::head(wrong, 40L), row.names = FALSE, right = FALSE)
  }
}

files <- file.path(kept_in, paste0(parts, ".rds"))
there <- file.exists(files)
results <- lapply(stats::setNames(files, parts)[there], readRDS)
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
  counts[["crashes of R"]] <- found$lost
  c(tried, sprintf("| %s | %s |", names(counts), big(unname(counts))))
}
tried <- vapply(results, function(found) found$share, 0)
writeLines(c(
  "# Hostile input",
  "",
  paste0(
    "Written by `make hostile` on ", Sys.Date(), "; every count is of this run. Tried: ",
    toString(sprintf("%s %s %%", names(results), signif(100 * tried, 3))),
    " of what there is, drawn at random from a fixed seed. What there is: each part of fits, partial ",
    "ancestral graphs, networks, results and budgets, damaged in each of ",
    length(world$kinds_of_damage), " ways; each argument of ", length(world$good_calls),
    " functions with each of ", length(world$bad_values), " values; data frames that are odd in ",
    length(world$bad_frames()), " ways; 2,000 random data sets of 1 to 65,535 levels, 2 to 200 ",
    "variables and 1 to a million records. `make test` has a sample, and a table of calls with all ",
    "that is said (tests/testthat/_snaps)."
  ),
  if (!all(there)) c("", paste0("**Has not run**: ", toString(parts[!there]), ".")),
  "", "| what | count |", "|---|---|", unlist(lapply(names(results), rows_of))
), "inst/hostile.md")
cat("\nWritten: inst/hostile.md\n")
wrong <- sum(vapply(results, function(found) nrow(found$raw) + nrow(found$outside) + found$lost, 0))
if (wrong > 0) {
  cat(wrong, "results are not as they should be\n")
  quit(status = 1L)
}
