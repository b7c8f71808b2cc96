test_that("networks() lists the published sizes", {
  listed <- networks()
  expect_identical(
    listed$name,
    c("earthquake", "cancer", "survey", "asia", "sachs", "child", "alarm")
  )
  expect_equal(listed$nodes, c(5, 5, 6, 8, 11, 20, 37))
  expect_equal(listed$arcs, c(4, 4, 6, 8, 17, 25, 46))
  expect_equal(listed$parameters, c(10, 10, 21, 18, 178, 230, 509))
  expect_identical(listed$levels, c("2", "2", "2-3", "2", "3", "2-6", "2-4"))
  expect_equal(listed$ordinal, c(0, 1, 3, 0, 11, 8, 26))
  expect_snapshot(networks())
})

test_that("every network is a complete, consistent object", {
  for (name in networks()$name) {
    net <- network(name)
    expect_s3_class(net, "privpc_network")
    expect_identical(net$name, name)
    for (field in c("levels", "ordered", "parents", "probabilities")) {
      expect_identical(names(net[[field]]), net$nodes)
    }
    for (node in net$nodes) {
      table <- net$probabilities[[node]]
      expect_identical(dimnames(table), net$levels[c(node, net$parents[[node]])])
      expect_true(all(table >= 0))
      sums <- colSums(matrix(table, nrow(table)))
      expect_equal(sums, rep(1, length(sums)))
    }
  }
})

test_that("a wrong name lists the known ones", {
  expect_snapshot({
    show_refusal(network("Asia"))
    show_refusal(network("as"))
    show_refusal(network(c("asia", "alarm")))
    show_refusal(network(1))
    show_refusal(network(NA_character_))
  })
})

test_that("ordinal variables are those whose levels are amounts", {
  ordinal <- function(name) {
    net <- network(name)
    net$nodes[net$ordered]
  }
  expect_identical(ordinal("earthquake"), character())
  expect_identical(ordinal("asia"), character())
  expect_identical(ordinal("cancer"), "Pollution")
  expect_identical(ordinal("survey"), c("A", "E", "R"))
  expect_identical(ordinal("sachs"), network("sachs")$nodes)
  expect_setequal(
    ordinal("child"),
    c("HypoxiaInO2", "CO2", "LowerBodyO2", "RUQO2", "CO2Report", "Age", "DuctFlow", "LungFlow")
  )
  alarm <- network("alarm")
  yes_no <- vapply(alarm$levels, setequal, logical(1), c("TRUE", "FALSE"))
  expect_setequal(alarm$nodes[!alarm$ordered], c(alarm$nodes[yes_no], "INTUBATION"))
  scale <- c("ZERO", "LOW", "AVG", "NORMAL", "HIGH")
  for (net in list(alarm, network("sachs"))) {
    for (node in net$nodes[net$ordered]) {
      expect_false(is.unsorted(match(net$levels[[node]], scale)))
    }
  }
})

test_that("probabilities move with reordered levels", {
  child <- network("child")
  as_listed <- read_bif(system.file("extdata", "child.bif", package = "privpc"))
  expect_identical(as_listed$levels$CO2, c("Normal", "Low", "High"))
  expect_identical(child$levels$CO2, c("Low", "Normal", "High"))
  expect_identical(child$levels$LungFlow, c("Low", "Normal", "High"))
  # From the file: P(CO2 = Low | LungParench = Normal) = 0.1, Normal 0.8;
  # P(ChestXray = Oligaemic | Normal, LungFlow = Low) = 0.80.
  expect_equal(child$probabilities$CO2["Low", "Normal"], 0.1)
  expect_equal(child$probabilities$CO2[2, 1], 0.8)
  expect_equal(child$probabilities$ChestXray["Oligaemic", "Normal", "Low"], 0.8)
  expect_equal(child$probabilities$ChestXray[2, 1, 1], 0.8)
  for (node in child$nodes) {
    listed <- as_listed$probabilities[[node]]
    moved <- child$probabilities[[node]]
    where <- as.matrix(expand.grid(dimnames(listed), stringsAsFactors = FALSE))
    expect_identical(moved[where], listed[where])
  }
})

test_that("ordinal.csv speaks only of variables and levels that exist", {
  table <- utils::read.csv(system.file("extdata", "ordinal.csv", package = "privpc"))
  expect_true(all(table$network %in% networks()$name))
  expect_false(anyDuplicated(table[c("network", "variable")]) > 0)
})

test_that("as.matrix() has a one from each parent to its child", {
  asia <- as.matrix(network("asia"))
  expect_type(asia, "integer")
  expect_identical(dimnames(asia), rep(list(network("asia")$nodes), 2))
  expect_identical(names(which(asia[, "dysp"] == 1L)), c("bronc", "either"))
  expect_identical(names(which(asia["smoke", ] == 1L)), c("lung", "bronc"))
  expect_identical(sum(asia), 8L)
})

test_that("as.data.frame() gives the arcs in the form of a fit's edges", {
  arcs <- as.data.frame(network("asia"))
  expect_identical(arcs, as.data.frame(fit_of(as.matrix(network("asia")))))
  expect_identical(names(arcs), c("from", "to", "type"))
  expect_identical(nrow(arcs), 8L)
  expect_setequal(arcs$from[arcs$to == "dysp"], c("bronc", "either"))
  expect_identical(row.names(as.data.frame(network("cancer"), letters[1:4])), letters[1:4])
})

test_that("methods of networks refuse unknown arguments", {
  cancer <- network("cancer")
  expect_snapshot({
    show_refusal(as.data.frame(cancer, type = "directed"))
    show_refusal(as.matrix(cancer, sparse = TRUE))
    show_refusal(summary(cancer, digits = 2))
    show_refusal(print(cancer, n = 5))
    show_refusal(format(cancer, width = 10))
  })
})

test_that("networks print and format", {
  expect_snapshot({
    network("asia")
    network("alarm")
    summary(network("child"))
    format(network("sachs"))
  })
})

test_that("print() and summary() cope with a single variable", {
  file <- tempfile(fileext = ".bif")
  writeLines(c(
    "network one { }",
    "variable x { type discrete [ 2 ] { a, b }; }",
    "probability ( x ) { table 0.5, 0.5; }"
  ), file)
  net <- read_bif(file, ordered = "x")
  expect_snapshot({
    net
    summary(net)
  })
  expect_identical(as.matrix(net), matrix(0L, 1, 1, dimnames = list("x", "x")))
  utils::capture.output(expect_invisible(print(net)))
})
