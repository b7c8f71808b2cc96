# What the parser and the adjustment sets of dagitty say of graphs that are handed over. One file,
# so that a machine where dagitty cannot be had counts one skip.
skip_if_not_installed("dagitty")

test_that("dagitty reads graphs without hidden causes", {
  graph <- as_dagitty(network("survey"))
  expect_s3_class(graph, "dagitty")
  expect_setequal(names(graph), network("survey")$nodes)
  odd <- graph_of("a -- b", "b -> c")
  dimnames(odd) <- rep(list(c("quo\"te", "with space", "node.1")), 2)
  expect_setequal(names(as_dagitty(odd)), rownames(odd))
})

# The edges that dagitty has read, as "a o-> b"; either end may stand first.
edges_in_dagitty <- function(graph) {
  read <- dagitty::edges(graph)
  sign <- c(
    `->` = "-->", `<-` = "<--", `<->` = "<->", `@->` = "o->", `<-@` = "<-o", `@-@` = "o-o",
    `--` = "---", `@--` = "o--", `--@` = "--o"
  )
  pag_of(paste(read$v, sign[as.character(read$e)], read$w), nodes = names(graph))$marks
}

test_that("dagitty reads every mark of a graph with hidden causes", {
  every <- pag_of(
    "a --> b", "c o-> a", "c <-> d", "d o-o e", "f --> e", "b o-- f", "a --- f",
    nodes = letters[1:6]
  )
  read <- as_dagitty(every)
  expect_identical(dagitty::graphType(read), "pag")
  expect_identical(edges_in_dagitty(read)[every$nodes, every$nodes], every$marks)
  for (name in c("asia", "sachs", "child", "alarm")) {
    truth <- network(name)
    roots <- truth$nodes[colSums(as.matrix(truth)) == 0]
    pag <- network_pag(truth, roots[[1L]])
    expect_identical(edges_in_dagitty(as_dagitty(pag))[pag$nodes, pag$nodes], pag$marks)
  }
  # A name with a space.
  marked <- pag_of("a o-> b")
  dimnames(marked$marks) <- rep(list(c("a", "b 1")), 2)
  marked$nodes <- c("a", "b 1")
  expect_setequal(names(as_dagitty(marked)), c("a", "b 1"))
})

test_that("effects are refused where dagitty finds no set", {
  asked <- 0L
  with_seed(2, for (trial in 1:40) {
    dag <- random_dag(8L, 2.2)
    pag <- network_pag(dag, sample(rownames(dag), 2L))
    theirs <- as_dagitty(pag)
    for (x in pag$nodes) {
      for (y in setdiff(pag$nodes, x)) {
        set <- adjustment_in(pag, x, y)
        if (identical(set, "none")) next
        sets <- unclass(dagitty::adjustmentSets(theirs, x, y, type = "minimal"))
        expect_identical(identical(set, "refused"), length(sets) == 0L)
        if (length(sets) == 0L) next
        asked <- asked + 1L
        expect_lte(length(set), min(lengths(sets)))
      }
    }
  })
  expect_gt(asked, 10L)
})
