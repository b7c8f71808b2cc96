# The paper's experiment and what goes beyond it: `make evaluation`. Writes
# inst/extdata/evaluation/results.rds, from which the vignette `paper` is made.
# `Rscript tools/evaluation.R tiny` runs a small design and writes to build/evaluation only.
#
# An interrupted run is continued by the next one with the same build of the package; a run that
# was finished starts afresh.

library(privpc)

tiny <- "tiny" %in% commandArgs(trailingOnly = TRUE)
threads <- if (.Platform$OS.type == "windows") 1 else min(2, parallel::detectCores())
built <- rlang::hash(utils::packageDescription("privpc")$Built)
folder <- file.path("build", "evaluation", substr(built, 1, 12))
dir.create(folder, recursive = TRUE, showWarnings = FALSE)

# The level and the limit that the benchmarks use. What another level would give is measured too
# (`reference` below), and the vignette says it.
at_level <- function(alpha) {
  force(alpha)
  function(data) exact_pc(data, alpha = alpha, max_order = 3, threads = 1)
}
not_private <- at_level(0.01)
subsampled <- function(data, epsilon, delta) {
  priv_pc(data, epsilon, delta, subsample = "optimal", threads = 1, progress = FALSE)
}
all_learners <- list(
  "priv_pc", "priv_pc, sub-sampled" = subsampled, "em_pc", "svt_pc", "sg_pc", "marginal_pc",
  exact_pc = not_private
)
in_paper <- c("earthquake", "cancer", "asia", "survey")
larger <- c("sachs", "child", "alarm")
between <- function(from, to, count) signif(exp(seq(log(from), log(to), length.out = count)), 6)
if (tiny) between <- function(from, to, count) c(from, to)
at_most <- function(count) if (tiny) min(count, 2) else count
rows <- function(n) round(if (tiny) n / 100 else n)

measure <- function(..., name) {
  cat(format(Sys.time(), "%H:%M:%S "), name, "\n", sep = "")
  evaluate_learners(
    ..., seed = 1, file = file.path(folder, paste0(name, ".csv")), progress = interactive()
  )
}

start <- Sys.time()
paper <- measure(
  name = "paper", in_paper, all_learners, epsilon = between(1, 100, 21), n = rows(1e5),
  runs = at_most(5), threads = threads
)
# Running times once more, one fit after the other: two processes would slow each other down.
times <- measure(
  name = "times", in_paper, all_learners, epsilon = c(1, 10, 100), n = rows(1e5), runs = at_most(20)
)
small_epsilon <- measure(
  name = "small_epsilon", in_paper, all_learners, epsilon = between(0.05, 1, 14), n = rows(1e5),
  runs = at_most(10), threads = threads
)
larger_networks <- measure(
  name = "larger_networks", larger, all_learners,
  epsilon = unique(c(between(0.05, 1, 8), between(1, 100, 14))), n = rows(1e5),
  runs = at_most(5), threads = threads
)
some_rows <- measure(
  name = "rows", in_paper, all_learners, epsilon = 1, n = rows(10^seq(3, 6, by = 0.5)),
  runs = at_most(5), threads = threads
)
# Ten million rows need a gigabyte and more for a network of this size: one at a time, and fewer
# data sets.
many_rows <- measure(
  name = "many_rows", in_paper, all_learners, epsilon = 1, n = rows(10^c(6.5, 7)),
  runs = at_most(3)
)
reference <- measure(
  name = "reference", c(in_paper, larger), list(`0.01` = at_level(0.01), `0.05` = at_level(0.05)),
  n = rows(1e5), runs = at_most(20), threads = threads
)

everything <- rbind(paper, times, small_epsilon, larger_networks, some_rows, many_rows, reference)
failed <- sum(!is.na(everything$problem))
if (failed > 0) stop(failed, " fits failed; nothing was written. Mend that and run it again.")

# Times are not known to more than three digits; fewer digits take less room.
compact <- function(x) {
  x$seconds <- signif(x$seconds, 3)
  x$spent <- signif(x$spent, 4)
  x
}

processor <- if (file.exists("/proc/cpuinfo")) {
  sub(".*: ", "", grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)[[1]])
} else {
  Sys.info()[["machine"]]
}
found <- list(
  paper = compact(paper), times = compact(times), small_epsilon = compact(small_epsilon),
  larger_networks = compact(larger_networks), rows = compact(rbind(some_rows, many_rows)),
  reference = compact(reference), processor = processor, r = as.character(getRversion()),
  date = Sys.Date(),
  version = as.character(utils::packageVersion("privpc"))
)

target <- if (tiny) "build/evaluation/tiny.rds" else "inst/extdata/evaluation/results.rds"
dir.create(dirname(target), recursive = TRUE, showWarnings = FALSE)
saveRDS(found, target, compress = "xz", version = 3)
unlink(folder, recursive = TRUE)
cat(
  "Written: ", target, ", ", round(file.size(target) / 1024), " KB, after ",
  round(as.double(Sys.time() - start, units = "mins"), 1), " minutes\n", sep = ""
)
