# What `make run` shows: a private causal graph of simulated patients of the Asia network.
# Usage: Rscript tools/run.R <picture file>

library(privpc)

picture <- commandArgs(trailingOnly = TRUE)[1L]
asia <- network("asia")

cat("Simulating 100,000 patients from the Asia network ...\n")
patients <- simulate(asia, nsim = 100000, seed = 1)

cat("Learning the graph from them with epsilon = 1 ...\n\n")
fit <- marginal_pc(patients, epsilon = 1)
print(fit)

cat("\nCompared with the network that made the data:\n")
print(compare_graphs(fit, asia))
cat("\nThe same without privacy (G2 tests on the data as they are):\n")
print(compare_graphs(exact_pc(patients, test = "g2", alpha = 0.01), asia))

# Some builds of R draw no PNG; all of them draw PDF.
if (capabilities("png")) {
  grDevices::png(picture, width = 1600, height = 1200, res = 200)
} else {
  picture <- sub("[.]png$", ".pdf", picture)
  grDevices::pdf(picture, width = 8, height = 6)
}
plot(fit)
invisible(grDevices::dev.off())

cat(
  "\nPicture of the graph: ", picture, "\n",
  "Try the package:      R_LIBS=build/lib R    and there: library(privpc)\n",
  "Install it for good:  make install\n",
  sep = ""
)
