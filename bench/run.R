# The benchmarks: `make bench`. Everything is measured in one run, as a ratio to a peer where there
# is one, and written to bench/results.md and between the marks in README.md.
# `Rscript bench/run.R quick` takes about a minute and writes nothing.

source("bench/measure.R")
source("bench/peers.R")
source("bench/growth.R")
source("bench/kernel.R")
source("bench/noise.R")

quick <- "quick" %in% commandArgs(trailingOnly = TRUE)

cat("Against other packages ...\n")
against_peers <- compare_with_peers(rows = if (quick) 10000 else 100000)
print(against_peers, row.names = FALSE)

cat("Growth with the number of rows ...\n")
growth <- measure_growth(rows = if (quick) 10^(4:5) else 10^(4:7))
print(growth, row.names = FALSE)

cat("The counting kernel ...\n")
kernel <- measure_kernel(rows = if (quick) 1e5 else 1e6)
print(kernel, row.names = FALSE)

cat("Noise ...\n")
noise <- measure_noise()
print(noise, row.names = FALSE)

if (!quick) write_report(against_peers, growth, kernel, noise)
