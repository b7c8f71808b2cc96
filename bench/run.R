# The benchmarks: `make bench`. Everything is measured in one run, as a ratio to a peer where
# there is one, and written to bench/results.md; what got
# slower than the last committed table is shown. `Rscript bench/run.R quick` tries everything out
# with fewer rows and less care in a few minutes, and writes to build/ only. `Rscript bench/run.R
# authors` measures only the section on the authors' program (see bench/authors.R for what it
# needs); the other sections stay as they are.

source("bench/measure.R")
source("bench/compare.R")
source("bench/peers.R")
source("bench/random_networks.R")
source("bench/growth.R")
source("bench/many_levels.R")
source("bench/kernel.R")
source("bench/noise.R")
source("bench/private.R")
source("bench/authors.R")

asked <- commandArgs(trailingOnly = TRUE)
quick <- "quick" %in% asked
if (quick) options(privpc.bench_seconds = 0.02)
many <- if (quick) 10000 else 100000
runs <- if (quick) 2 else 20
has_bnlearn <- requireNamespace("bnlearn", quietly = TRUE)

tables <- list()
notes <- list()
measured <- function(heading, table, note = NULL) {
  tables[[heading]] <<- table
  notes[[heading]] <<- note
  cat("\n", heading, "\n", sep = "")
  print(table, row.names = FALSE, digits = 3)
}
authors_rows <- if (quick) 2000 else 100000
with_authors <- function() {
  measured(authors_heading, measure_authors(authors_rows, runs), authors_note())
  if (!quick) save_authors(tables[[authors_heading]])
}
if ("authors" %in% asked) {
  if (!authors_available()) stop("the authors' program is not at hand: see bench/authors.R")
  report <- if (quick) "build/bench-results.md" else "bench/results.md"
  with_authors()
  replace_section(
    report, authors_heading, report_part(tables[[authors_heading]], notes[[authors_heading]])
  )
  quit(save = "no")
}

rows_text <- paste0(format(many, big.mark = ",", scientific = FALSE), " rows")

measured("exact_pc() against other packages", compare_with_peers(many), paste0(
  "CPU time on one thread, from the data frame to the CPDAG; ", rows_text, ", G2 test, alpha = ",
  "0.01, conditioning sets of at most 3. Every skeleton was the same as bnlearn's. bnlearn is its ",
  "pc.stable(), which also gives a CPDAG, and beside it with `undirected = TRUE`, which gives no ",
  "directions; pcalg is its skeleton(). Ratios are medians of rounds in which the packages take ",
  "turns."
))
if (has_bnlearn) {
  measured("Other tests of bnlearn", compare_tests(many), paste0(
    "As above, with each of bnlearn's tests for discrete data that is also here. For \"jt\" all ",
    "variables are ordered."
  ))
  measured("The private learners", measure_private(many, runs), paste0(
    "CPU time on one thread at epsilon = 1, and how many times faster than bnlearn's pc.stable, ",
    "which is not private, on the same ", rows_text, " (G2 test, alpha = 0.01, sets of at most ",
    "3). F1 is the mean of ", runs, " data sets."
  ))
}
if (has_bnlearn) {
  strength_rows <- if (quick) 2000 else 20000
  measured("How sure is an edge", measure_strength(strength_rows, if (quick) 2 else 20), paste0(
    "CPU time on one thread of edge_strength(), which makes 200 graphs by default, and of ",
    "bnlearn's boot.strength() with pc.stable (which has the records and is not private), for one ",
    "graph; ", format(strength_rows, big.mark = ","), " rows, epsilon = 1."
  ))
}
measured("Sub-sampling in priv_pc()", measure_subsampling(many, runs), paste0(
  rows_text, ", epsilon = 1. A share of 1 is the default. F1 is the mean of ", runs, " data sets."
))
measured("Growth with the number of rows", measure_growth(if (quick) 10^(4:5) else 10^(4:7)), paste(
  "Elapsed and CPU time with two threads; memory is the peak of the process above what it",
  "needed to hold the data."
))
shapes <- if (quick) {
  measure_shapes(many, nodes = c(10, 30), levels = c(2, 8), orders = c(0, 2))
} else {
  measure_shapes(many)
}
measured("Growth with variables, levels and order", shapes, paste0(
  "CPU time on one thread, ", rows_text, ", random networks (orders: alarm). exact_pc() and ",
  "marginal_pc() condition on at most 3 variables, priv_pc() on 2, unless it is the order that ",
  "grows."
))
measured("The counting kernel", measure_kernel(if (quick) 1e5 else 1e6), paste0(
  "One thread, ", if (quick) "100,000" else "1,000,000", " rows of alarm. The plain loop counts ",
  "every pair by itself."
))
measured("Exact noise", measure_noise())

report <- if (quick) "build/bench-results.md" else "bench/results.md"
kept <- list()
if (authors_available()) {
  with_authors()
} else {
  kept[[authors_heading]] <- kept_section(report, authors_heading, "the program was not at hand")
}

# What is measured by scripts of its own stays: bench/engines.R, pooling.R, large_networks.R ...
for (heading in setdiff(headings_of(report), c(names(tables), names(kept)))) {
  kept[[heading]] <- section_lines(report, heading)
}

if (quick) {
  # Compared with the last quick run, if there was one.
  dir.create("build", showWarnings = FALSE)
  write_report(tables, notes, kept, report)
} else {
  write_report(tables, notes, kept)
}
