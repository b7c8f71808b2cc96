test_that("the text has all nodes and edges", {
  mixed <- graph_of("a -> c", "b -> c", "c -> d", "d -- e", nodes = c(letters[1:5], "f"))
  expect_snapshot(cat(as_dagitty(fit_of(mixed), string = TRUE)))
  expect_snapshot(cat(as_dagitty(network("cancer"), string = TRUE)))
  expect_identical(as_dagitty(matrix(0L, 0, 0), string = TRUE), "dag {\n}\n")
})

test_that("names are quoted where dagitty needs it", {
  odd <- c("plain_1.x", "with space", "a->b", "quo\"te", "back\\slash in", "\u00e4")
  amat <- no_edges(odd)
  amat[1, 2] <- 1L
  expect_identical(
    dagitty_name(odd),
    c(
      "plain_1.x", "\"with space\"", "\"a->b\"", "\"quo\\\"te\"", "\"back\\slash in\"",
      "\"\u00e4\""
    )
  )
  expect_match(as_dagitty(amat, string = TRUE), "plain_1.x -> \"with space\"", fixed = TRUE)
})

test_that("what dagitty cannot read is refused", {
  expect_snapshot({
    show_refusal(as_dagitty(graph_of("node -> b"), string = TRUE))
    show_refusal(as_dagitty(1:3))
    show_refusal(as_dagitty(matrix(0, 2, 2), string = TRUE))
    show_refusal(as_dagitty(graph_of("a -> b"), string = NA))
    show_refusal(as_dagitty(graph_of("a -> b"), text = TRUE))
  })
})

test_that("without dagitty the message names the way out", {
  skip_if(requireNamespace("dagitty", quietly = TRUE), "dagitty is installed")
  expect_snapshot(show_refusal(as_dagitty(graph_of("a -> b"))))
})
