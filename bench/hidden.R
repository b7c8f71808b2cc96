# Graphs with hidden common causes: how many marks are wrong, by rows and epsilon, beside FCI of
# pcalg on the same rows without privacy (if pcalg is installed). Random networks of 12 variables,
# of which two that cause several others are hidden.
#
#   Rscript bench/hidden.R [networks] [collider,apart ...]
#
# A mark is wrong if what it says of causes is not so in the network: an arrowhead at a cause, a
# tail at what is none. Prints the table of bench/results.md and writes
# inst/extdata/evaluation/hidden.csv. Further arguments try other values of how much evidence marks
# need (DecisiveEvidence in the core) on other networks, and write nothing.
library(privpc)
given <- commandArgs(TRUE)
cases <- if (length(given)) as.integer(given[[1L]]) else 40L
decisive <- given[-1L]
# What is chosen is not tried out on the networks of the table.
seeds <- seq_len(cases) + if (length(decisive)) 1000L else 2000L
sizes <- c(2000, 10000, 30000, 100000)
epsilons <- c(0.5, 1, 3)

draw_case <- function(seed) {
  net <- random_network(12, degree = 2.5, levels = 2, effect = 0.3, seed = seed)
  children <- table(factor(unlist(net$parents), net$nodes))
  hidden <- names(sort(children, decreasing = TRUE))[1:2]
  list(net = net, hidden = hidden, truth = network_pag(net, hidden))
}

# Is the row's node a cause of the column's?
causes <- function(net) {
  dag <- as.matrix(net)
  reach <- dag > 0
  for (i in seq_len(nrow(dag))) reach <- reach | (reach %*% dag) > 0
  reach
}

score <- function(marks, case) {
  nodes <- rownames(marks)
  is_cause <- causes(case$net)[nodes, nodes]
  # Entry (a, b) is the mark at b: is b a cause of a?
  said <- marks > 1
  wrong <- (marks == 2 & t(is_cause)) | (marks == 3 & !t(is_cause))
  pag <- structure(list(marks = marks, nodes = nodes), class = "privpc_pag")
  found <- compare_graphs(pag, case$truth)
  truth <- case$truth$marks
  c(
    f1 = found$f1[[1L]], edges = sum(marks > 0) / 2, said = sum(said), wrong = sum(wrong),
    arrows = sum(marks == 2), wrong_arrows = sum(marks == 2 & t(is_cause)),
    tails = sum(marks == 3), wrong_tails = sum(marks == 3 & !t(is_cause)),
    possible = sum(truth > 1)
  )
}

pcalg_marks <- function(rows) {
  test <- function(x, y, given, rows) {
    cond_g2(rows, names(rows)[x], names(rows)[y], names(rows)[given])$p.value
  }
  marks <- pcalg::fci(rows, test, alpha = 0.01, labels = names(rows), m.max = 3)@amat
  storage.mode(marks) <- "integer"
  marks
}

one <- function(seed, n) {
  case <- draw_case(seed)
  rows <- simulate(case$net, nsim = n, seed = seed)
  rows <- rows[setdiff(names(rows), case$hidden)]
  found <- lapply(epsilons, function(epsilon) {
    fit <- suppressMessages(suppressWarnings(marginal_pc(rows, epsilon = epsilon, threads = 1)))
    ways <- if (length(decisive)) decisive else ""
    do.call(rbind, lapply(ways, function(way) {
      graph <- privpc:::with_hidden_causes(fit, NULL, as.numeric(strsplit(way, ",")[[1L]]))
      data.frame(by = "privpc", epsilon = epsilon, decisive = way, t(score(graph$marks, case)))
    }))
  })
  if (requireNamespace("pcalg", quietly = TRUE)) {
    found <- c(found, list(data.frame(
      by = "pcalg", epsilon = Inf, decisive = "", t(score(pcalg_marks(rows), case))
    )))
  }
  cbind(seed = seed, n = n, do.call(rbind, found))
}

results <- do.call(rbind, lapply(sizes, function(n) {
  do.call(rbind, lapply(seeds, function(seed) one(seed, n)))
}))
ratio <- function(part, whole) ifelse(whole > 0, part / whole, NA)
key <- paste(results$n, results$epsilon, results$decisive, results$by)
table <- do.call(rbind, lapply(split(results, factor(key, unique(key))), function(x) {
  data.frame(
    rows = x$n[[1L]], epsilon = x$epsilon[[1L]], decisive = x$decisive[[1L]], by = x$by[[1L]],
    f1 = mean(x$f1), said = sum(x$said) / sum(2 * x$edges),
    wrong = ratio(sum(x$wrong), sum(x$said)),
    wrong_arrows = ratio(sum(x$wrong_arrows), sum(x$arrows)),
    wrong_tails = ratio(sum(x$wrong_tails), sum(x$tails)),
    marks = sum(x$said) / nrow(x), possible = sum(x$possible) / nrow(x)
  )
}))
row.names(table) <- NULL
if (length(decisive)) {
  print(table, digits = 2)
} else {
  table$decisive <- NULL
  utils::write.csv(
    cbind(table, networks = cases), "inst/extdata/evaluation/hidden.csv", row.names = FALSE
  )
  of_pcalg <- table$by == "pcalg"
  shown <- ifelse(of_pcalg, "pcalg's fci(), not private", paste("epsilon", table$epsilon))
  number <- function(x) ifelse(is.na(x), "", formatC(x, digits = 2, format = "f"))
  cat(
    "| rows | | skeleton F1 | ends with a mark | of these wrong | arrowheads wrong | ",
    "tails wrong |\n",
    "|---|---|---|---|---|---|---|\n", sep = ""
  )
  cat(paste0(
    "| ", format(table$rows, big.mark = ",", trim = TRUE, scientific = FALSE), " | ", shown, " | ",
    number(table$f1), " | ", number(table$said), " | ", number(table$wrong), " | ",
    number(table$wrong_arrows), " | ", number(table$wrong_tails), " |\n"
  ), sep = "")
}
