# The true graphs against pcalg's fci() on d-separation facts (data-raw/pags.R).

pcalg_cases <- function() {
  lines <- readLines(test_path("pcalg_pags.txt"))
  lines <- strsplit(lines[!startsWith(lines, "#")], "|", fixed = TRUE)
  lapply(lines, function(x) {
    list(name = x[[1L]], hidden = strsplit(x[[2L]], "+", fixed = TRUE)[[1L]], edges = x[[3L]])
  })
}

# The matrix that a line of the file stands for.
marks_from <- function(edges, nodes, hidden) {
  marks <- no_edges(nodes)
  parts <- regmatches(edges, gregexpr("[0-9]+[o<-][o>-][0-9]+", edges))[[1L]]
  for (part in parts) {
    ends <- as.integer(strsplit(part, "[^0-9]+")[[1L]])
    signs <- strsplit(gsub("[0-9]", "", part), "")[[1L]]
    marks[ends[[2L]], ends[[1L]]] <- match(signs[[1L]], c("o", "<", "-"))
    marks[ends[[1L]], ends[[2L]]] <- match(signs[[2L]], c("o", ">", "-"))
  }
  seen <- setdiff(nodes, hidden)
  marks[seen, seen, drop = FALSE]
}

test_that("they are those of pcalg, with no, every single and every pair of roots hidden", {
  cases <- pcalg_cases()
  expect_setequal(vapply(cases, `[[`, "", "name"), networks()$name)
  for (name in networks()$name) {
    net <- network(name)
    of_network <- Filter(function(case) case$name == name, cases)
    roots <- sum(lengths(net$parents) == 0L)
    expect_length(of_network, 1L + roots + choose(roots, 2L))
    same <- vapply(of_network, function(case) {
      identical(network_pag(net, case$hidden)$marks, marks_from(case$edges, net$nodes, case$hidden))
    }, NA)
    expect_true(all(same), info = name)
  }
  # The file says something: all four kinds of edges occur.
  text <- paste(vapply(cases, `[[`, "", "edges"), collapse = " ")
  for (kind in c("oo", "o>", "->", "<>")) expect_match(text, kind, fixed = TRUE)
})

test_that("any graph without open directions will do, others are refused", {
  dag <- graph_of("u -> x", "u -> y", "x -> z", "y -> z")
  pag <- network_pag(dag, "u")
  expect_identical(pag$nodes, c("x", "y", "z"))
  expect_identical(pag$marks["x", "y"], 1L)
  expect_null(pag$fit)
  expect_snapshot({
    pag
    network_pag(network("asia"), c("smoke", "either"))
    show_refusal(network_pag(network("asia"), network("asia")$nodes))
    show_refusal(network_pag(graph_of("a -- b")))
    show_refusal(network_pag(graph_of("a -> b", "b -> c", "c -> a")))
    show_refusal(network_pag(network("asia"), "nobody"))
    show_refusal(network_pag(network("asia"), 1))
    show_refusal(network_pag(1))
    show_refusal(measured(pag, "x"))
    show_refusal(effect(pag, "x", "z"))
  })
})

test_that("the graph of a network from a fit that is not private says so", {
  cohort <- simulate(network("cancer"), nsim = 20000, seed = 1)
  net <- suppressMessages(as_network(marginal_pc(cohort, epsilon = 1, seed = 1)))
  pag <- network_pag(net, "Cancer")
  expect_match(mark_of(pag), "NOT private")
  expect_match(paste(capture.output(print(pag)), collapse = " "), "NOT private")
  expect_match(format(pag), "NOT private")
  expect_null(mark_of(network_pag(network("cancer"))))
})
