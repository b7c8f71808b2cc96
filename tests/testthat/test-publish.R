test_that("a page is one well-formed file that asks for nothing", {
  fit <- chest_fit()
  page <- page_of(
    fit, title = "Chest clinic", author = "A registry", data = "5,000 patients", date = "May 2025",
    strength = edge_strength(fit, draws = 5), effects = TRUE
  )
  expect_identical(malformed(page), character())
  expect_match(page, "^<!DOCTYPE html>\n<html xmlns=\"[^\"]*\" lang=\"en\">")
  expect_match(page, "name=\"viewport\"", fixed = TRUE)
  for (word in c(
    "Chest clinic", "A registry, May 2025", "Data: 5,000 patients", "(2025), privpc"
  )) {
    expect_match(words_on(page), word, fixed = TRUE)
  }
  # No address but the names of two languages, nothing that loads, and a policy that forbids it.
  addresses <- unique(matches_of("[a-z]+://[^\" ]*", page))
  expect_setequal(addresses, c("http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"))
  expect_no_match(page, "( src=|url\\(|@import|<link|<iframe|<img)")
  expect_match(page, "default-src &#39;none&#39;", fixed = TRUE)
  # Two drawings; every edge is a link in both, with a card and words for those who hear it.
  edges <- as.data.frame(fit)
  expect_length(matches_of("<svg ", page), 2L)
  expect_length(matches_of("<svg [^>]*><title id=\"[a-z]+-title\">.*?</title><desc ", page), 2L)
  links <- matches_of("<a class=\"edge [a-z]+\" href=\"#edge-[0-9]+\" aria-label=\"[^\"]+\">", page)
  expect_length(links, 2L * nrow(edges))
  expect_length(matches_of("<details class=\"fold card( broad)?\"", page), nrow(edges))
  expect_length(grep(" causes ", unique(links), fixed = TRUE), sum(edges$type == "directed"))
})

test_that("the checks of these tests find what is wrong", {
  expect_length(malformed("<p>a</p>"), 0L)
  for (bad in c("<p>a", "<p>a</b></p>", "<p>a < b</p>", "<p>a & b</p>", "<p class=x>a</p>",
                "<p id=\"a\"></p><p id=\"a\"></p>", "<a href=\"#b\">c</a>", "<p a=\"<b>\"></p>")) {
    expect_gt(length(malformed(bad)), 0L)
  }
  expect_identical(decoded_base64("YWJj"), "abc")
  expect_identical(decoded_base64("w6Q="), "\u00e4")
})

test_that("what is written comes back from base64 and CSV", {
  for (text in c("", "a", "ab", "abc", "abcd", "\u00e4\u6f22\n", strrep("xyz", 1000))) {
    expect_identical(
      if (nzchar(text)) decoded_base64(base64(charToRaw(text))) else base64(raw()), text
    )
  }
  frame <- data.frame(
    text = c("a,b", "\"q\"", "line\nbreak", "\u00e4"), number = c(1 / 3, 1e-300, NA, 12345678),
    flag = c(TRUE, FALSE, NA, TRUE)
  )
  expect_identical(read_csv_text(csv_text(frame)), frame)
  expect_identical(csv_text(frame[0L, ]), "\"text\",\"number\",\"flag\"\r\n")
})

test_that("no name, level or word of the user becomes a part of the page's structure", {
  fit <- small_fit(data = hostile_cohort())
  evil <- "</title></style></script><script>alert(2)</script><img src=x onerror=alert(3)>"
  page <- page_of(
    fit, title = evil, author = evil, data = evil, date = evil,
    strength = edge_strength(fit, draws = 5), effects = TRUE
  )
  expect_identical(malformed(page), character())
  expect_length(matches_of("<script", page), 1L)
  expect_length(matches_of("<svg", page), 2L)
  expect_length(matches_of("</title>", page), 1L + 2L + 2L * (nrow(as.data.frame(fit)) + 7L))
  for (tag in c("<b ", "<i>", "<img", "alert(1)</script>", " onclick=\"", " onerror=\"")) {
    expect_false(grepl(tag, page, fixed = TRUE), info = tag)
  }
  words <- words_on(page)
  for (name in hostile_names[1:6]) expect_true(grepl(name, words, fixed = TRUE), info = name)
  # What no page can hold, or would turn the text around it, is shown by its number.
  expect_match(words, "line\nbreak<U+0001><U+202E>", fixed = TRUE)
  expect_no_match(page, "[\u0001\u202e]")
  # The files have the names as they are, but where their format cannot.
  files <- files_of(page)
  expect_named(files, c("noisy-tables.csv", "strengths.csv", "ledger.csv", "graph.graphml"))
  expect_setequal(read_csv_text(files[["strengths.csv"]])$from, hostile_names)
  expect_match(words, "Left out: the graph for dagitty, because dagitty cannot read", fixed = TRUE)
  expect_match(
    words, "Left out: a Bayesian network as BIF, because a name has a quotation mark", fixed = TRUE
  )
})

test_that("text that is not UTF-8 is made so", {
  latin <- "\xe4rger"
  Encoding(latin) <- "latin1"
  expect_identical(escaped(latin), "\u00e4rger")
  expect_identical(escaped("a\xffb"), "a&lt;ff&gt;b")
})

test_that("the files of a page are what the functions of the package give", {
  fit <- chest_fit(parameters = TRUE)
  sure <- edge_strength(fit, draws = 5)
  files <- files_of(page_of(fit, strength = sure))
  expect_named(files, c(
    "noisy-tables.csv", "strengths.csv", "ledger.csv", "graph-dagitty.txt", "graph.graphml",
    "graph.bif"
  ))
  expect_identical(files[["graph-dagitty.txt"]], as_dagitty(fit, string = TRUE))
  ledger <- read_csv_text(files[["ledger.csv"]])
  expect_equal(ledger, privacy_ledger(fit), ignore_attr = TRUE)
  strengths <- utils::read.csv(text = files[["strengths.csv"]], na.strings = "NA")
  expect_identical(strengths, data.frame(lapply(sure, as.vector)))
  # Every table, cell by cell.
  tables <- read_csv_text(files[["noisy-tables.csv"]])
  held <- fit$measurements
  sets <- unique(lapply(c(held$tables$sets, held$families$sets), sort))
  expect_identical(length(unique(tables$table)), length(sets))
  for (table in split(tables, tables$table)) {
    names <- unlist(table[1L, grep("^variable_", names(table))])
    names <- names[!is.na(names)]
    there <- suppressMessages(measured(fit, unname(names)))
    expect_equal(table$share, there$share, tolerance = 1e-12)
    expect_equal(table$se, there$se, tolerance = 1e-9)
    levels <- table[paste0("level_", seq_along(names))]
    expect_identical(unname(as.matrix(levels)), unname(as.matrix(there[seq_along(names)])))
  }
  # The graph, read by igraph, and the network, read back.
  file <- tempfile()
  on.exit(unlink(file))
  writeLines(files[["graph.graphml"]], file, sep = "")
  expect_identical(malformed(files[["graph.graphml"]]), character())
  again <- tryCatch(igraph::read_graph(file, "graphml"), error = function(e) NULL)
  if (!is.null(again)) {
    expect_identical(
      igraph::as_data_frame(again)[names(igraph::as_data_frame(igraph::as.igraph(fit)))],
      igraph::as_data_frame(igraph::as.igraph(fit))
    )
    expect_identical(igraph::V(again)$name, fit$nodes)
  }
  writeLines(files[["graph.bif"]], file, sep = "")
  net <- suppressMessages(as_network(fit))
  back <- read_bif(file)
  expect_identical(back$parents, net$parents)
  expect_identical(back$levels, net$levels)
  expect_equal(back$probabilities, net$probabilities, tolerance = 1e-12)
})

test_that("networks come back from BIF text as they were", {
  file <- tempfile()
  on.exit(unlink(file))
  for (name in c("survey", "child")) {
    net <- network(name)
    writeLines(bif_text(net), file, sep = "")
    back <- read_bif(file, ordered = net$nodes[net$ordered])
    expect_identical(back$nodes, net$nodes)
    expect_identical(back$levels, net$levels)
    expect_equal(back$probabilities, net$probabilities, tolerance = 1e-12)
  }
  odd <- network("cancer")
  odd$nodes <- names(odd$parents) <- names(odd$levels) <- names(odd$probabilities) <-
    c("a b", "{x}", "//;", "\u00e4|", "e")
  odd$parents <- lapply(odd$parents, function(p) odd$nodes[match(p, network("cancer")$nodes)])
  writeLines(enc2utf8(bif_text(odd)), file, sep = "", useBytes = TRUE)
  expect_identical(read_bif(file)$parents, odd$parents)
  odd$levels[[1L]][[1L]] <- "a \"quote\""
  expect_null(bif_text(odd))
})

test_that("numbers on the page are those of the fit", {
  fit <- small_fit(tiers = list("a", c("b", "c")))
  expect_identical(edge_text(as.data.frame(fit)), "a -> b")
  page <- words_on(page_of(fit, effects = TRUE))
  table <- measured(fit, c("a", "b"))
  digits <- max(1, -floor(log10(100 * table$se[[1L]])))
  shown <- formatC(100 * table$share, format = "f", digits = digits)
  shown <- sub("^-", "\u2212", sub("^-(0[.]0+)$", "\\1", shown))
  for (number in shown) expect_match(page, number, fixed = TRUE)
  found <- suppressMessages(with_seed(1, effect(fit, "a", "b", draws = 10)))
  expect_match(
    page, "Effect of setting a on the risk of b = 1, compared with a = 0; adjusted for nothing"
  )
  expect_match(page, paste0(signif(found$estimate[[1L]], 3), " ["), fixed = TRUE)
})

test_that("an effect is given where the graph identifies it, else the reason", {
  fit <- chest_fit(20000)
  # Of two edges of one node, one directed and one open.
  fit$amat[] <- 0L
  fit$amat[cbind(c("smoke", "bronc", "smoke"), c("bronc", "smoke", "lung"))] <- 1L
  fit$amat["bronc", "dysp"] <- fit$amat["lung", "dysp"] <- 1L
  fit$skeleton <- without_directions(fit$amat)
  page <- words_on(page_of(fit, effects = TRUE))
  expect_match(page, "smoke \u2013 bronc.*?Effect the direction of this edge is open", perl = TRUE)
  expect_match(page, "the direction of bronc \u2013 smoke is open, so that each set of causes")
  expect_match(page, "Effect of setting lung on the risk of dysp")
})

test_that("the same fit gives the same file, and nothing of where or when it was made", {
  fit <- small_fit(tiers = list("a", c("b", "c")))
  sure <- TRUE
  set.seed(7)
  before <- .Random.seed
  page <- page_of(fit, strength = sure, effects = TRUE)
  expect_identical(.Random.seed, before)
  # Another state of the generator, another place, another call, a copy from a file.
  saved <- tempfile()
  folder <- tempfile("elsewhere")
  dir.create(folder)
  on.exit(unlink(c(saved, folder), recursive = TRUE))
  saveRDS(fit, saved)
  again <- readRDS(saved)
  again$call <- quote(marginal_pc(secret_file_of_patients, epsilon = 2))
  again <- local({
    old <- setwd(folder)
    on.exit(setwd(old))
    RNGkind("Wichmann-Hill")
    on.exit(RNGkind("default"), add = TRUE)
    set.seed(8)
    page_of(again, strength = sure, effects = TRUE)
  })
  expect_identical(again, page)
  expect_no_match(page, "secret_file_of_patients")
  for (path in c(getwd(), tempdir(), path.expand("~/"), R.home(), Sys.info()[["nodename"]])) {
    expect_false(grepl(path, page, fixed = TRUE), info = path)
  }
  expect_no_match(page, format(Sys.Date(), "\\b%Y\\b"))
  # The draws are not always the same ones: another fit has others.
  expect_match(words_on(page), "Share of 50 graphs")
})

test_that("a generator that was never used is left so", {
  state <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(if (!is.null(state)) assign(".Random.seed", state, globalenv()))
  if (!is.null(state)) rm(".Random.seed", envir = globalenv())
  with_page_draws(stats::runif(1))
  expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
})

test_that("the page of a fit that is not private says so wherever it may be looked at", {
  fit <- marginal_pc(small_cohort(), epsilon = 2, seed = 1, tiers = list("a", c("b", "c")))
  words <- "NOT private: the noise came from a seed and can be repeated"
  expect_message(page_of(fit), class = "privpc_not_private")
  page <- suppressMessages(page_of(fit, strength = with_seed(1, edge_strength(fit, draws = 5))))
  expect_identical(malformed(page), character())
  body <- sub("^.*<body", "<body", page)
  expect_match(
    body, "^<body class=\"not-private\"><p class=\"banner\" role=\"alert\"><strong>NOT private"
  )
  expect_match(page, "<title>NOT private: ")
  for (svg in matches_of("<svg .*?</svg>", page)) {
    shown <- paste(matches_of("(?<=class=\"mark\")[^<]*", svg), collapse = " ")
    expect_match(gsub(" ?x=\"[^\"]*\" y=\"[^\"]*\">", "", shown), words)
  }
  expect_match(words_on(page), "Nothing on this page protects anybody")
  expect_no_match(words_on(page), "What is promised|is differentially private")
  files <- files_of(page)
  expect_true(all(startsWith(names(files), "NOT-private-")))
  for (name in grep("csv$", names(files), value = TRUE)) {
    expect_identical(unique(read_csv_text(files[[name]])$privacy), words)
  }
  expect_match(files[["NOT-private-graph.graphml"]], words, fixed = TRUE)
  expect_match(files[["NOT-private-graph.bif"]], words, fixed = TRUE)
  # As if the same noise had come from the system, nothing of it.
  private <- expect_silent(page_of(private_again(fit)))
  expect_no_match(sub("(?s)<style>.*?</style>", "", private, perl = TRUE), "NOT[- ]private")
  expect_match(private, "<body>", fixed = TRUE)
  # Strengths that are not private make the page so.
  sure <- with_seed(1, edge_strength(fit, draws = 5))
  expect_message(page_of(private_again(fit), strength = sure), class = "privpc_not_private")
})

test_that("a graph without privacy is refused before anything is written", {
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  exact <- exact_pc(small_cohort())
  expect_snapshot(show_refusal(publish(exact, file)))
  expect_error(publish(exact, file), class = "privpc_not_published")
  expect_error(publish(exact, file, overwrite = TRUE), class = "privpc_not_published")
  expect_false(file.exists(file))
  page <- suppressMessages(page_of(exact, allow_not_private = TRUE))
  expect_match(page, "<strong>NOT private: this graph was learnt from the data without protection")
  expect_match(page, "<title>NOT private: ")
  expect_match(page, "download=\"NOT-private-graph.graphml\"", fixed = TRUE)
  # Text for dagitty has no place for the remark.
  expect_no_match(page, "graph-dagitty.txt")
  expect_match(page, "its text could not say that it is not private")
  # A fit whose statement was taken out or changed is no private one.
  for (damaged in list(
    list(), list(private = FALSE, epsilon = 1), list(private = NA, epsilon = Inf)
  )) {
    fit <- small_fit()
    fit$privacy <- damaged
    said <- tryCatch(
      suppressWarnings(suppressMessages(page_of(fit))), error = function(e) "refused"
    )
    expect_true(said == "refused" || grepl("<strong>NOT private", said), info = format(damaged))
  }
})

test_that("what cannot be published is refused with a reason", {
  fit <- small_fit()
  old <- setwd(tempdir())
  on.exit({
    unlink(c("there.html", "folder"), recursive = TRUE)
    setwd(old)
  })
  writeLines("mine", "there.html")
  dir.create("folder")
  sure <- edge_strength(fit, draws = 3)
  other <- fit
  other$amat[] <- 0L
  other$skeleton <- without_directions(other$amat)
  expect_snapshot({
    show_refusal(publish())
    show_refusal(publish(fit))
    show_refusal(publish(small_cohort(), "new.html"))
    show_refusal(publish(fit, "there.html"))
    show_refusal(publish(fit, "folder"))
    show_refusal(publish(fit, "nowhere/page.html"))
    show_refusal(publish(fit, c("a.html", "b.html")))
    show_refusal(publish(fit, "new.html", titel = "Graph"))
    show_refusal(publish(fit, "new.html", title = 1))
    show_refusal(publish(fit, "new.html", data = small_cohort()))
    show_refusal(publish(fit, "new.html", date = 2025))
    show_refusal(publish(fit, "new.html", strength = 200))
    show_refusal(publish(fit, "new.html", strength = sure[1:2, ]))
    show_refusal(publish(other, "new.html", strength = sure))
    show_refusal(publish(fit, "new.html", strength = sure[, 1:3]))
    show_refusal(publish(fit, "new.html", allow_not_private = NA))
  })
  expect_identical(readLines("there.html"), "mine")
  expect_false(file.exists("new.html"))
  shown <- withVisible(
    publish(fit, "there.html", strength = FALSE, effects = FALSE, overwrite = TRUE)
  )
  expect_identical(shown, list(value = "there.html", visible = FALSE))
  expect_match(readLines("there.html", n = 1L), "DOCTYPE")
})

test_that("the promise is told for what it protects", {
  data <- small_cohort()
  promise <- function(fit) {
    sub("The graph.*$", "", sub("^.*What is promised", "", words_on(page_of(fit))))
  }
  plain <- promise(marginal_pc(data, epsilon = 1, delta = 1e-6))
  expect_match(plain, "Suppose any one record had been another one")
  expect_match(
    plain, "at most 2.72 times as large, and at least 1/2.72 as large, give or take 0.000001\\."
  )
  expect_match(plain, "several records of one person are not protected as a whole")
  added <- promise(marginal_pc(data, epsilon = 1, neighbours = "add-remove"))
  expect_match(added, "Suppose one record had not been in the data, or one more had been")
  expect_match(added, "add-remove")
  data$who <- rep(seq_len(nrow(data) / 2), each = 2)
  person <- promise(marginal_pc(data, epsilon = 1, id = "who", max_records = 2))
  expect_match(person, "Suppose any one person with all their records had been another one")
  expect_match(person, "All records of a person are protected together")
  expect_no_match(person, "not protected as a whole")
  pure <- promise(suppressMessages(em_pc(small_cohort(), epsilon = 1, delta = 0)))
  expect_no_match(pure, "give or take")
})

test_that("learners that release the graph alone have pages that say so", {
  data <- simulate(network("survey"), nsim = 3000, seed = 1)
  data[] <- lapply(data, function(x) factor(as.integer(x), ordered = TRUE))
  for (name in names(paper_learners)) {
    fit <- suppressMessages(paper_learners[[name]](data, epsilon = 1))
    page <- page_of(fit, strength = TRUE, effects = TRUE)
    expect_identical(malformed(page), character(), info = name)
    expect_match(words_on(page), paste0("The learner ", name, "\\(\\) releases the graph alone"))
    expect_match(
      words_on(page), "Left out: the noisy tables, because the learner .* measures no tables"
    )
    expect_identical(
      nrow(read_csv_text(files_of(page)[["ledger.csv"]])), nrow(privacy_ledger(fit)), info = name
    )
  }
})

test_that("an edge that no repetition has points nowhere", {
  fit <- small_fit(tiers = list("a", c("b", "c")))
  sure <- with_seed(1, edge_strength(fit, draws = 3))
  expect_match(
    words_on(page_of(fit, strength = sure)), "Where it stands, it points from a to b in 100%"
  )
  sure$strength <- sure$direction <- 0
  page <- words_on(page_of(fit, strength = sure))
  expect_match(page, "Strength in 0% of 3 graphs")
  expect_no_match(page, "Where it stands")
})

test_that("what is left out is said", {
  fit <- small_fit()
  expect_match(words_on(page_of(fit)), "Left out of this page: strengths and effects.")
  expect_match(
    words_on(page_of(fit)), "Left out: the strengths of all pairs, because they were not asked for"
  )
  expect_no_match(words_on(page_of(fit, strength = TRUE, effects = TRUE)), "Left out of this page")
  known <- small_fit(whitelist = c("a", "c"))
  page <- words_on(page_of(known, strength = edge_strength(known, draws = 3), effects = TRUE))
  expect_match(page, "This edge was required by background knowledge")
  # A pair that was not measured has no table, not one that assumes there is no edge.
  known <- small_fit(tiers = list("a", c("b", "c")))
  pair <- match("b", known$measurements$nodes[-1L]) + 3L
  expect_identical(known$measurements$tables$sets[[pair]], 1:2)
  for (part in c("sets", "values", "variance")) {
    known$measurements$tables[[part]] <- known$measurements$tables[[part]][-pair]
  }
  page <- words_on(page_of(known, effects = TRUE))
  expect_match(page, "The table of this pair was not measured")
  expect_match(page, "Effect not everything that it takes was measured")
})

test_that("a consensus has the strengths that it was made from", {
  agreed <- consensus(chest_fit(), draws = 12)
  page <- words_on(page_of(agreed, strength = TRUE))
  expect_match(page, "Share of 12 graphs")
  expect_match(page, "the consensus of 12 repetitions")
})

test_that("graphs of every size have a picture in which all labels are whole", {
  one <- small_fit(data = small_cohort()[c("a", "b")])
  none <- one
  none$amat[] <- none$skeleton[] <- 0L
  page <- page_of(none, strength = FALSE)
  expect_match(words_on(page), "This graph has no edges.")
  expect_no_match(page, "id=\"panel\"")
  many <- one
  nodes <- sprintf("variable_%02d", 1:70)
  many$amat <- matrix(0L, 70, 70, dimnames = list(nodes, nodes))
  many$amat[cbind(1:69, 2:70)] <- many$amat[cbind(1:60, 8:67)] <- 1L
  many$skeleton <- without_directions(many$amat)
  many$nodes <- nodes
  many$measurements <- NULL
  many$sepsets <- many$sepsets[0L, ]
  many$learner <- "priv_pc"
  many$call <- quote(priv_pc(data, epsilon = 3))
  for (fit in list(one, none, many)) {
    page <- page_of(fit)
    expect_identical(malformed(page), character())
    for (svg in matches_of("<svg .*?</svg>", page)) {
      labels <- matches_of("(?<=<g class=\"node\"><title>)[^<]*", svg)
      expect_identical(labels, fit$nodes)
      drawn <- gsub("<[^>]*>", "", matches_of("<text style=.*?</text>", svg))
      expect_identical(drawn[seq_along(fit$nodes)], fit$nodes)
      # Everything within the frame, and letters that can be read.
      frame <- as.double(strsplit(matches_of("(?<=viewBox=\")[^\"]*", svg), " ")[[1L]])
      x <- as.double(matches_of("(?<=<rect x=\")[^\"]*", svg))
      width <- as.double(matches_of("(?<= width=\")[0-9.]+(?=\" height=\"[0-9.]+\" rx)", svg))
      expect_true(all(x[seq_along(width)] >= frame[[1L]]))
      expect_true(all(x[seq_along(width)] + width <= frame[[1L]] + frame[[3L]]))
      size <- as.double(matches_of("(?<=<text style=\"font-size:)[0-9.]+", svg))
      expect_gte(min(size), 11)
    }
  }
})

test_that("letters are as wide as those of Helvetica", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  graphics::plot.new()
  letters <- intToUtf8(32:126, multiple = TRUE)
  there <- graphics::strwidth(letters, units = "inches", family = "Helvetica") / (12 / 72)
  # R measures a typographic quote for "'", and a minus sign for "-".
  same <- !letters %in% c("'", "-", "`")
  expect_equal(text_width(letters)[same], there[same], tolerance = 1e-3)
  expect_gt(text_width("\u5fc3"), 1)
  expect_identical(text_width("e\u0301"), text_width("e"))
})

test_that("long ledgers are grouped, and shown as far as a reader goes", {
  fit <- small_fit()
  fit$ledger <- fit$ledger[rep(1L, 130L), ]
  fit$ledger$step <- 1:130
  fit$ledger$rho <- rep(fit$privacy$rho / 130, 130L)
  fit$ledger$cumulative <- cumsum(fit$ledger$rho)
  fit$ledger$target <- paste("round", 1:130)
  page <- page_of(fit)
  expect_match(words_on(page), "The first 100; the file has all 130")
  expect_match(words_on(page), "By purpose")
  expect_identical(nrow(read_csv_text(files_of(page)[["ledger.csv"]])), 130L)
})

test_that("contradictions are on the page where there are any", {
  fit <- chest_fit(20000)
  expect_gt(sum(fit$amat["smoke", ], fit$amat[, "smoke"]), 0)
  fit$amat["smoke", ] <- fit$amat[, "smoke"] <- 0L
  fit$skeleton <- without_directions(fit$amat)
  expect_gt(nrow(contradictions(fit)$pairs), 0)
  expect_match(
    words_on(page_of(fit)), "Where the graph and its tables disagree.*and smoke|smoke and"
  )
})

test_that("the policy of the page allows its script, and only this one", {
  page <- page_of(marginal_pc(small_cohort(), epsilon = 2))
  script <- matches_of("(?s)(?<=<script>).*?(?=</script>)", page)
  tool <- Sys.which("sha256sum")
  skip_if(!nzchar(tool), "sha256sum is not here")
  file <- tempfile()
  on.exit(unlink(file))
  writeBin(charToRaw(script), file)
  hex <- substr(system2(tool, shQuote(file), stdout = TRUE), 1L, 64L)
  bytes <- as.raw(strtoi(substring(hex, seq(1L, 63L, 2L), seq(2L, 64L, 2L)), 16L))
  # If this fails because page.js was changed, put the value into page_script_hash.
  expect_identical(page_script_hash, paste0("sha256-", base64(bytes)))
  expect_match(page, paste0("script-src &#39;", page_script_hash, "&#39;"), fixed = TRUE)
})
