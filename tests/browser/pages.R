# The pages that tests/browser/test_page.js looks at: Rscript tests/browser/pages.R <folder>

library(privpc)
options(privpc.advice = FALSE)
folder <- commandArgs(TRUE)[[1L]]
source("tests/testthat/helper-page.R")

write <- function(fit, name, ...) {
  publish(fit, file.path(folder, paste0(name, ".html")), ..., overwrite = TRUE)
  cat("Wrote", name, "\n")
}

chest <- simulate(network("asia"), nsim = 20000, seed = 1)
write(
  marginal_pc(chest, epsilon = 1), "asia", title = "Lung diseases", author = "A registry",
  data = "20,000 simulated patients of a chest clinic", date = "2025-05-01"
)

# With a seed, and so with the mark; strengths of few draws, because the graph is large.
alarm <- marginal_pc(simulate(network("alarm"), nsim = 20000, seed = 1), epsilon = 1, seed = 1)
write(alarm, "alarm", strength = suppressMessages(edge_strength(alarm, draws = 5)))

evil <- "</title></script><script>alert(2)</script><img src=x onerror=alert(3)>"
write(
  marginal_pc(hostile_cohort(), epsilon = 5), "hostile", title = evil, author = evil, data = evil,
  strength = TRUE
)

# The graph alone, as the learners of the paper release it.
write(suppressMessages(em_pc(chest, epsilon = 1)), "graph_alone")
