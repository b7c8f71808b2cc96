#' One page to publish
#'
#' Writes one HTML file with everything that may be said about a private graph: the graph, with
#' what is known of each edge when it is pointed at, tapped or reached by the keyboard; the promise
#' in plain words; strengths, contradictions, the ledger, the sentences of [report()]; and the
#' tables, strengths, ledger and graph as files to take along. The page needs no network, no other
#' file and, but for comfort, no script. It can be read on a phone and printed.
#'
#' @details
#' The page is a function of the fit: no record is read, and there is no time, user or path
#' in it. What is drawn at random for it, strengths and intervals of effects, is drawn from a fixed
#' seed (the state of R's generator is left alone), so that the same fit gives the same file, on
#' processors of the same kind (on ARM and on x86 sums are rounded in different places). That
#' seed protects nothing and harms nothing: privacy comes from the noise that is already in the fit.
#'
#' Titles, names of the authors, words about the data and the names of variables and levels stand on
#' the page as they are: they must be public.
#'
#' @section Fits that are not private:
#' A fit with a `seed`, or another one that states an epsilon and does not keep it
#' ([fits][privpc-class]), gives a page that says **NOT private** at its top, on the picture, in
#' every heading, in the name and the contents of its files, and a message says so. A graph of
#' [exact_pc()] comes straight from the records: it is refused, unless `allow_not_private = TRUE`
#' says that the records may be shown. Its page is marked in the same way.
#'
#' @param fit A fit of one of the learners. Those of [marginal_pc()], and their [consensus()], have
#'   tables, strengths, effects and a network with probabilities; for the others the page says that
#'   these parts are left out.
#' @param file Name of the file to write, such as `"graph.html"`.
#' @param ... Must be empty.
#' @param title The title of the page; `NULL` for a plain one.
#' @param author Who publishes it, or `NULL`.
#' @param data Words about the data set, or `NULL`.
#' @param date A date, as `Sys.Date()` or as text; `NULL` for none. With one, the citation of
#'   the software has its year.
#' @param strength `TRUE` to compute the strengths of the edges from `r page_strength_draws` draws
#'   (those of a [consensus()] are there already); what [edge_strength()] returned for this fit, to
#'   have more draws or the other `kind`; `FALSE` for none. Each draw takes as long as learning the
#'   graph.
#' @param effects `TRUE` to give the [effect()] along each arrow where the graph identifies it, with
#'   intervals from `r page_effect_draws` draws. These hold only if the graph is right, and the page
#'   says so.
#' @param event,reference Which levels the effects speak of, by name of variable: the level of an
#'   outcome whose risk is told, and the level of an exposure with which its others are compared,
#'   such as `event = c(dysp = "yes"), reference = c(smoke = "no")`. Variables that are not named
#'   have the defaults of [effect()], the last level as event (but for that of missing values) and
#'   the first as reference.
#' @param graph `"given"`, or `"uncertain"` to have beside each effect what [effect()] gives for
#'   `graph = "uncertain"`: an interval that includes that the graph may be wrong, from
#'   `r page_effect_graphs` graphs (drawn once for all effects). Each takes as long as learning the
#'   graph, and of each the effects are estimated: with a dozen variables half a minute, with many
#'   or large tables several.
#' @param overwrite `TRUE` to replace a file that exists.
#' @param allow_not_private `TRUE` to write the page of a graph that was learnt without privacy.
#' @param open Open the page in a browser?
#' @param threads,progress As in [edge_strength()].
#' @return The name of the file, invisibly.
#' @seealso [report()], [plot()][plot.privpc], [edge_strength()], [effect()], [measured()]
#' @examples
#' cohort <- simulate(network("asia"), nsim = 20000, seed = 1)
#' fit <- marginal_pc(cohort, epsilon = 1)
#' page <- publish(
#'   fit, tempfile(fileext = ".html"), title = "Lung diseases",
#'   data = "20,000 simulated patients of a chest clinic",
#'   strength = edge_strength(fit, draws = 20),
#'   event = c(dysp = "yes", bronc = "yes"), reference = c(smoke = "no")
#' )
#' page
#'
#' # A graph that is not private is not published by mistake
#' try(publish(exact_pc(cohort), tempfile(fileext = ".html")))
#' @export
publish <- function(fit, file, ..., title = NULL, author = NULL, data = NULL, date = NULL,
                    strength = TRUE, effects = TRUE, event = NULL, reference = NULL,
                    graph = c("given", "uncertain"), overwrite = FALSE, allow_not_private = FALSE,
                    open = interactive(), threads = getOption("privpc.threads", 2L),
                    progress = interactive()) {
  local_decimal_point()
  call <- rlang::current_env()
  check_dots_empty(..., call = call)
  check_fit(fit, call)
  check_flag(allow_not_private)
  check_flag(overwrite)
  check_flag(effects)
  check_flag(open)
  check_flag(progress)
  threads <- check_threads(threads, call)
  # First of all: whatever else is wrong, this is what must be read.
  check_publishable(fit, allow_not_private, call)
  check_page_file(file, overwrite, call)
  words <- list(title = title, author = author, data = data)
  for (arg in names(words)) {
    if (!is.null(words[[arg]])) check_string(words[[arg]], arg, call)
  }
  words$date <- check_date(date, call)
  strength <- check_page_strength(strength, fit, call)
  asked <- check_page_effects(effects, event, reference, graph, fit, call)
  page <- with_page_draws(page_text(fit, words, strength, asked, threads, progress, call))
  write_page(page$text, file, call)
  say_mark(page$mark, "The page is")
  if (open) utils::browseURL(file)
  invisible(file)
}

# Few, because each is a whole search. A reader sees how many there were.
page_strength_draws <- 50

# The mark of a page: that of the fit, and of a graph that was never meant to be private.
page_mark <- function(fit, strength = NULL) {
  mark <- mark_of(fit, strength)
  if (is.null(mark) && !isTRUE(fit$privacy$private)) return(not_private_text("no protection"))
  mark
}

# A fit that states an epsilon carries a mark if it does not keep it; one that states none looks
# like any other graph.
check_publishable <- function(fit, allowed, call) {
  states_none <- is.null(mark_of(fit)) && !isTRUE(fit$privacy$private)
  if (!states_none || allowed) return(invisible())
  abort(c(
    "This graph is not private, and was not published.",
    x = "{.fn {fit$learner}} learnt it from the records without protection.",
    i = "Learn a private one, as with {.code marginal_pc(data, epsilon = 1)}.",
    i = paste(
      "Only if the records themselves may be shown: {.code allow_not_private = TRUE}. The page",
      "says that it is not private."
    )
  ), class = "privpc_not_published", call = call)
}

check_page_file <- function(file, overwrite, call) {
  check_string(file, call = call)
  if (dir.exists(file)) {
    abort(c(
      "{.arg file} must be the name of a file.", x = "{.file {file}} is a folder."
    ), call = call)
  }
  if (!dir.exists(dirname(file))) {
    abort(c(
      "{.arg file} must be in a folder that exists.",
      x = "There is no folder {.file {dirname(file)}}."
    ), call = call)
  }
  if (file.exists(file) && !overwrite) {
    abort(c(
      "{.file {file}} exists already.",
      i = "Give another name, or {.code overwrite = TRUE}."
    ), call = call)
  }
}

# As text and, for the citation, its year.
check_date <- function(date, call) {
  if (is.null(date)) return(NULL)
  if (inherits(date, c("Date", "POSIXt")) && length(date) == 1L && !is.na(date)) {
    return(format(date, "%Y-%m-%d"))
  }
  if (rlang::is_string(date) && nzchar(date)) return(date)
  abort(c(
    "{.arg date} must be a date, a single string or `NULL`.", x = "It is {describe(date)}."
  ), call = call)
}

year_of <- function(date) {
  year <- regmatches(date, regexpr("\\b(19|20)[0-9]{2}\\b", date, perl = TRUE))
  if (length(year)) year
}

# TRUE: to be computed; NULL: none; else the strengths of this very graph.
check_page_strength <- function(strength, fit, call) {
  if (isTRUE(strength)) {
    if (!is.list(fit$measurements)) return(NULL)
    return(if (is.null(fit$strength)) TRUE else fit$strength)
  }
  if (isFALSE(strength)) return(NULL)
  whole <- inherits(strength, "privpc_strength") && !is.null(attr(strength, "draws")) &&
    ncol(strength) == 8L
  if (!whole) {
    abort(c(
      "{.arg strength} must be `TRUE`, `FALSE` or a whole result of {.fn edge_strength}.",
      x = "It is {describe(strength)}."
    ), call = call)
  }
  check_frame(strength, drawn_strength_columns, list(), call, "strength")
  if (is_strength_of(strength, fit)) {
    check_whole_strength(strength, call, "strength")
    return(strength)
  }
  abort(c(
    "{.arg strength} must be that of this fit.",
    x = "Its variables or edges are not those of {.arg fit}.",
    i = "For example {.code publish(fit, file, strength = edge_strength(fit))}."
  ), call = call)
}

# The same variables, every pair, and the edges where this graph has them.
is_strength_of <- function(strength, fit) {
  nodes <- fit$nodes
  at <- cbind(match(strength$from, nodes), match(strength$to, nodes))
  if (anyNA(at) || nrow(at) != length(nodes) * (length(nodes) - 1L)) return(FALSE)
  graph <- edge_matrix(fit)[nodes, nodes, drop = FALSE] == 1L
  sign <- c("", "->", "<-", "--")[1L + graph[at] + 2L * graph[at[, 2:1, drop = FALSE]]]
  !anyDuplicated(at) && identical(sign, as.vector(strength$in_fit))
}

# Draws that are the same for the same fit, and leave R's generator as it was.
with_page_draws <- function(code) {
  old <- get0(".Random.seed", globalenv(), inherits = FALSE)
  kinds <- RNGkind()
  on.exit({
    RNGkind(kinds[[1L]], kinds[[2L]], kinds[[3L]])
    if (is.null(old)) {
      rm(".Random.seed", envir = globalenv())
    } else {
      assign(".Random.seed", old, globalenv())
    }
  })
  set.seed(1L, "Mersenne-Twister", "Inversion", "Rejection")
  force(code)
}

write_page <- function(text, file, call) {
  written <- tryCatch(
    {
      connection <- base::file(file, "wb")
      on.exit(close(connection))
      writeBin(charToRaw(text), connection)
      TRUE
    },
    error = function(e) FALSE, warning = function(w) FALSE
  )
  if (!written) abort("{.file {file}} cannot be written.", call = call)
}

# ---- the page ------------------------------------------------------------------------------------

# `effects` as from check_page_effects().
page_text <- function(fit, words, strength, effects, threads, progress, call) {
  if (isTRUE(strength)) {
    strength <- edge_strength(
      fit, draws = page_strength_draws, threads = threads, progress = progress
    )
  }
  mark <- page_mark(fit, strength)
  effects <- page_effects(fit, effects, threads, progress, call)
  bar <- new_bar(progress, "Edges", nrow(edge_table(edge_matrix(fit))))
  on.exit(bar$end())
  edges <- page_edges(fit, strength, effects, bar$add)
  made <- page_files(fit, strength, mark)
  title <- if (is.null(words$title)) default_title(mark) else words$title
  has_tables <- is.list(fit$measurements)
  body <- element(
    "body", class = if (!is.null(mark)) "not-private",
    mark_banner(mark),
    element(
      "main", page_header(title, words), promise_section(fit, mark),
      sites_section(fit), graph_section(fit, edges, strength, mark),
      edges_section(edges, strength, missing_parts(fit, strength, effects)),
      if (!is.null(strength)) strength_section(strength),
      if (has_tables) contradictions_section(fit),
      ledger_section(fit), methods_section(fit, if (!is.null(words$date)) year_of(words$date)),
      downloads_section(made$files, made$left_out)
    ),
    element("footer", element(
      "p", "Made with the R package privpc, version ",
      as.character(utils::packageVersion("privpc")),
      ". This page asks for nothing from the network."
    )),
    element("script", as_html(page_asset("page.js")))
  )
  head <- page_head(if (is.null(mark)) title else paste("NOT private:", title))
  html <- element("html", xmlns = "http://www.w3.org/1999/xhtml", lang = "en", head, body)
  list(text = enc2utf8(paste0("<!DOCTYPE html>\n", html, "\n")), mark = mark)
}

default_title <- function(mark) {
  if (is.null(mark)) "A private causal graph" else "A causal graph"
}

# Nothing may be loaded, and no script may run but the one whose hash is named: should a name ever
# get past element(), it stays without effect.
page_head <- function(title) {
  element(
    "head", element("meta", charset = "utf-8"),
    element("meta", `http-equiv` = "Content-Security-Policy", content = paste0(
      "default-src 'none'; style-src 'unsafe-inline'; script-src '", page_script_hash,
      "'; base-uri 'none'; form-action 'none'"
    )),
    element("meta", name = "viewport", content = "width=device-width, initial-scale=1"),
    element("meta", name = "referrer", content = "no-referrer"),
    element("title", title),
    element("style", as_html(page_asset("page.css")))
  )
}

# Of inst/page/page.js; test-publish.R compares.
page_script_hash <- "sha256-dPld1U1oUU2AXU11yO++wL61qpbdCOJD617Yq/qAC08="

# Neither has an ampersand or an opening bracket, which XML and HTML would read differently.
page_asset <- function(name) {
  path <- system.file("page", name, package = "privpc", mustWork = TRUE)
  paste0("\n", paste(readLines(path, encoding = "UTF-8"), collapse = "\n"), "\n")
}

mark_banner <- function(mark) {
  if (is.null(mark)) return(NULL)
  element(
    "p", class = "banner", role = "alert", element("strong", mark),
    ". Do not publish this as a private result."
  )
}

page_header <- function(title, words) {
  by <- Filter(Negate(is.null), list(words$author, words$date))
  element(
    "header", element("h1", title),
    if (length(by)) element("p", class = "byline", paste(unlist(by), collapse = ", ")),
    if (!is.null(words$data)) element("p", "Data: ", words$data)
  )
}

# Two drawings of the same graph, for wide and for narrow pages; one of them is shown.
graph_section <- function(fit, edges, strength, mark) {
  graph <- edge_matrix(fit)
  share <- if (!is.null(strength)) share_matrix(edges, graph)
  draw <- function(width, least, id) {
    element("div", class = paste("picture", id), tabindex = 0, role = "region",
            `aria-label` = "Picture of the graph",
            picture_svg(graph, edges, share, mark, width, least, id))
  }
  section(
    "graph", "The graph",
    element(
      "p", "Causes stand above their effects. ",
      if (any(is_undirected(graph))) {
        "Of two variables joined by a dashed line, which one stands higher means nothing. "
      },
      if (!is.null(strength)) {
        "A percentage says in how many of the repetitions below the edge is. "
      },
      if (length(edges)) {
        element(
          "span", class = "on-screen",
          "Point at an edge, tap it or reach it with the tab key to read more about it."
        )
      }
    ),
    element(
      "div", class = "beside",
      element("figure", draw(8.2, 0.85, "wide"), draw(3.7, 0.72, "narrow")),
      if (length(edges)) element(
        "aside", id = "panel", `aria-live` = "polite", `aria-label` = "About an edge",
        element("p", class = "quiet", "No edge is chosen.")
      )
    )
  )
}

share_matrix <- function(edges, graph) {
  share <- matrix(NA_real_, nrow(graph), nrow(graph))
  for (edge in edges) {
    share[edge$at[[1L]], edge$at[[2L]]] <- share[edge$at[[2L]], edge$at[[1L]]] <- edge$share
  }
  share
}

# What the edges have no information about, and why.
missing_parts <- function(fit, strength, effects) {
  if (!is.list(fit$measurements)) {
    return(element(
      "p", "The learner ", fit$learner,
      "() releases the graph alone: there are no noisy tables, no strengths and no effects."
    ))
  }
  left_out <- c(if (is.null(strength)) "strengths", if (is.null(effects)) "effects")
  if (length(left_out)) element("p", "Left out of this page: ", enumerate(left_out), ".")
}
