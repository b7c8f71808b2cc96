# Effects in graphs with hidden common causes: how often the arrow behind an answer of effect() is
# what it is taken for, and how often the 95 % interval holds the truth. Random networks of 11 or
# 12 variables (of two and three levels), of which the two with most effects are hidden; every
# visible arrow of the learnt graph is asked about, and all risk differences of its outcome's last
# level count.
#
#   Rscript bench/visible.R [networks] [collider,apart ...]
#
# Prints the table of bench/results.md and writes inst/extdata/evaluation/visible.csv. Further
# arguments try other values of how much evidence visible arrows need (kClearEvidence in the core)
# on other networks, and write nothing.
library(privpc)
given <- commandArgs(TRUE)
cases <- if (length(given)) as.integer(given[[1L]]) else 60L
tried <- given[-1L]
# What is chosen is not tried out on the networks of the table.
seeds <- seq_len(cases) + if (length(tried)) 5000L else 6000L
sizes <- c(10000, 40000)
epsilons <- c(1, 8)

draw_case <- function(seed) {
  net <- if (seed %% 2) {
    random_network(12, degree = 2.5, levels = 2, effect = 0.3, seed = seed)
  } else {
    random_network(11, degree = 2.3, levels = 3, effect = 0.4, seed = seed)
  }
  children <- table(factor(unlist(net$parents), net$nodes))
  list(net = net, hidden = names(sort(children, decreasing = TRUE))[1:2])
}

is_cause <- function(net, a, b) {
  dag <- as.matrix(net) > 0
  reached <- a
  repeat {
    more <- union(reached, colnames(dag)[colSums(dag[reached, , drop = FALSE]) > 0])
    if (length(more) == length(reached)) return(b %in% setdiff(more, a))
    reached <- more
  }
}

# Risk of the last level of b for every level of a: frequencies where a is set. With 400,000 rows
# they are off by less than 0.002.
true_risks <- function(net, a, b, seed) {
  set <- net
  vapply(seq_along(net$levels[[a]]), function(level) {
    table <- net$probabilities[[a]]
    table[] <- as.numeric(slice.index(table, 1L) == level)
    set$probabilities[[a]] <- table
    rows <- simulate(set, nsim = 4e5, seed = seed)
    mean(as.integer(rows[[b]]) == nlevels(rows[[b]]))
  }, 0)
}

answers_of <- function(graph, net, seed) {
  edges <- as.data.frame(graph)
  edges <- edges[edges$visible, , drop = FALSE]
  do.call(rbind, lapply(seq_len(nrow(edges)), function(i) {
    a <- edges$from[[i]]
    b <- edges$to[[i]]
    found <- tryCatch(
      suppressMessages(suppressWarnings(effect(graph, a, b, draws = 200))),
      error = function(e) NULL
    )
    cause <- is_cause(net, a, b)
    if (is.null(found)) return(data.frame(cause, answered = FALSE, inside = NA, off = NA))
    found <- as.data.frame(found)
    found <- found[found$measure == "risk difference", ]
    risks <- true_risks(net, a, b, seed)
    levels <- net$levels[[a]]
    other <- setdiff(levels, found$exposure)
    truth <- risks[match(found$exposure, levels)] - risks[match(other, levels)]
    inside <- truth > found$lower - 0.002 & truth < found$upper + 0.002
    data.frame(cause, answered = TRUE, inside, off = abs(found$estimate - truth))
  }))
}

one <- function(seed) {
  case <- draw_case(seed)
  settings <- expand.grid(rows = sizes, epsilon = epsilons)
  do.call(rbind, Map(function(rows, epsilon) {
    data <- simulate(case$net, nsim = rows, seed = seed)
    data <- data[setdiff(names(data), case$hidden)]
    fit <- suppressMessages(suppressWarnings(marginal_pc(data, epsilon = epsilon, threads = 1)))
    do.call(rbind, lapply(if (length(tried)) tried else "", function(way) {
      decisive <- if (nzchar(way)) c(2, 1, as.numeric(strsplit(way, ",")[[1L]])) else double()
      found <- answers_of(privpc:::with_hidden_causes(fit, NULL, decisive), case$net, seed)
      if (is.null(found)) return(NULL)
      cbind(data.frame(network = seed, rows, epsilon, way), found)
    }))
  }, settings$rows, settings$epsilon))
}

results <- do.call(rbind, lapply(seeds, function(seed) {
  tryCatch(one(seed), error = function(e) {
    message("network ", seed, ": ", conditionMessage(e))
    NULL
  })
}))
key <- paste(results$rows, results$epsilon, results$way)
summary_of <- function(x) {
  got <- x[x$answered, ]
  right <- got[got$cause, ]
  data.frame(
    rows = x$rows[[1L]], epsilon = x$epsilon[[1L]], way = x$way[[1L]],
    networks = cases, with_answers = length(unique(got$network)), answers = nrow(got),
    no_cause = mean(!got$cause), inside = mean(got$inside), inside_if_cause = mean(right$inside),
    off = mean(got$off)
  )
}
table <- do.call(rbind, lapply(split(results, factor(key, sort(unique(key)))), summary_of))
row.names(table) <- NULL
print(table, digits = 2)
if (!length(tried)) {
  table$way <- NULL
  utils::write.csv(
    format(table, digits = 3, scientific = FALSE, trim = TRUE),
    "inst/extdata/evaluation/visible.csv", row.names = FALSE, quote = FALSE
  )
}
