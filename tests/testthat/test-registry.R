# One line per learner and per test: these tests hold the lines against what the functions do.

cohort <- simulate(network("survey"), nsim = 400, seed = 1)[c("A", "S", "E")]

choices <- function(f, arg) eval(formals(f)[[arg]], baseenv())

learn <- function(name, ...) {
  given <- list(...)
  if (learner_registry[[name]]$private) given <- c(list(epsilon = 5, seed = 1), given)
  suppressWarnings(suppressMessages(rlang::exec(name, cohort, !!!given, progress = FALSE)))
}

test_that("every learner is a function of the package that takes what its line says", {
  for (name in learner_names()) {
    expect_true(name %in% getNamespaceExports("privpc"), info = name)
    about <- learner_registry[[name]]
    takes <- names(formals(learner_function(name)))
    expect_identical("epsilon" %in% takes, about$private, info = name)
    expect_identical("budget" %in% takes, about$private, info = name)
    expect_identical(choices(learner_function(name), "test"), learner_tests(name), info = name)
    expect_identical("sensitivity" %in% takes, about$paper, info = name)
  }
  # And every function of the package that calls itself a learner has a line.
  exported <- getNamespaceExports("privpc")
  expect_setequal(grep("_pc$", exported, value = TRUE), learner_names())
  expect_setequal(names(paper_learners), Filter(is_of_paper, learner_names()))
})

test_that("a fit names its learner, and keeps the promise that the line states", {
  for (name in learner_names()) {
    fit <- learn(name)
    about <- learner_registry[[name]]
    expect_identical(fit$learner, name)
    expect_identical(is.finite(fit$privacy$epsilon), about$private, info = name)
    if (!about$private) next
    if (about$pure) {
      expect_identical(learn(name, delta = 0)$privacy$delta, 0, info = name)
    } else {
      expect_error(learn(name, delta = 0), class = "privpc_error", info = name)
    }
  }
})

test_that("learners decide by the tests of their lines and by no others", {
  for (name in learner_names()) {
    for (test in learner_tests(name)) {
      expect_identical(learn(name, test = test)$settings$test, test, info = name)
    }
    others <- setdiff(names(test_registry), learner_tests(name))
    for (test in others) expect_error(learn(name, test = test), class = "privpc_error", info = name)
  }
})

test_that("report() has a sentence for the method of every learner", {
  methods <- vapply(learner_names(), method_text, "")
  expect_false(any(methods == method_text("unknown_pc")))
  expect_identical(anyDuplicated(methods), 0L)
  for (name in learner_names()) {
    text <- report(learn(name))
    expect_match(text[["graph"]], methods[[name]], fixed = TRUE, info = name)
    expect_identical(
      grepl("Wang, Pang and Song", text[["citation"]]), learner_registry[[name]]$paper, info = name
    )
  }
})

test_that("evaluations and figures know all learners", {
  expect_identical(choices(evaluate_learners, "learners"), learner_names())
  points <- data.frame(
    learner = factor(learner_names(), learner_names()),
    private = vapply(learner_registry, `[[`, NA, "private")
  )
  looks <- learner_looks(points)
  expect_identical(looks$learner, learner_names())
  expect_identical(anyDuplicated(looks[c("colour", "symbol", "line")]), 0L)
})

test_that("every test is one of the core, of cond_*() and of private_test()", {
  expect_setequal(
    grep("^cond_", getNamespaceExports("privpc"), value = TRUE),
    paste0("cond_", names(test_registry))
  )
  expect_identical(choices(private_test, "test"), private_tests)
  expect_setequal(private_tests, names(test_registry))
  expect_error(
    cpp_cond_test(data_source(cohort), "median", "declared", 1L, 2L, integer(), FALSE), "unknown"
  )
  for (test in names(test_registry)) {
    about <- test_registry[[test]]
    exact <- suppressMessages(rlang::exec(paste0("cond_", test), cohort, "A", "S"))
    expect_named(exact$statistic, about$symbol)
    expect_identical(exact$method, about$label)
    private <- suppressWarnings(suppressMessages(
      private_test(cohort, "A", "S", test = test, epsilon = 1, seed = 1)
    ))
    expect_identical(private$test, test)
    # By blocks, or as a whole.
    expect_identical(is.null(private$blocks), about$by_order, info = test)
    # As a whole only with a bound on what one record can do, which the core must know.
    expect_identical(is.null(exact$sensitivity), !about$by_order, info = test)
  }
})

test_that("tests by order, and no others, compare numbers by their values", {
  numbers <- data.frame(x = sin(1:200), y = cos(1:200))
  for (test in names(test_registry)) {
    ask <- function(...) rlang::exec(paste0("cond_", test), numbers, "x", "y", ...)
    if (compares_by_order(test)) {
      expect_s3_class(ask(), "htest")
      expect_error(ask(na = "level"), class = "privpc_error", info = test)
    } else {
      expect_error(ask(), class = "privpc_error", info = test)
      cuts <- list(x = c(-1, 0, 1), y = c(-1, 0, 1))
      expect_s3_class(ask(na = "level", breaks = cuts), "htest")
    }
  }
})

test_that("names of other software lead to a test of ours", {
  elsewhere <- unlist(lapply(test_registry, `[[`, "elsewhere"))
  expect_identical(anyDuplicated(c(elsewhere, names(test_registry))), 0L)
  expect_snapshot({
    show_refusal(exact_pc(cohort, test = "mi"))
    show_refusal(priv_pc(cohort, epsilon = 1, test = "kendall"))
    show_refusal(priv_pc(cohort, epsilon = 1, test = "cmh"))
    show_refusal(private_test(cohort, "A", "S", test = "spearman", epsilon = 1))
    show_refusal(private_test(cohort, "A", "S", test = "cmh", epsilon = 1, aggregate = "mean"))
  })
})

test_that("messages have an example of every learner and test", {
  asked <- c(learner_names(), paste0("cond_", names(test_registry)))
  for (name in asked) {
    example <- str2lang(registered_example(name))
    expect_identical(example[[1L]], as.symbol(name))
    f <- get(name, envir = asNamespace("privpc"))
    expect_error(match.call(f, example), NA)
  }
  expect_null(registered_example("mean"))
})

test_that("nothing else lists learners or tests by hand", {
  space <- asNamespace("privpc")
  functions <- Filter(is.function, mget(ls(space, all.names = TRUE), envir = space))
  strings <- function(code) {
    if (is.character(code)) return(code)
    # Names too, as in switch(learner, em_pc = ...).
    if (is.call(code)) c(names(code), unlist(lapply(as.list(code), function(part) {
      if (!identical(part, rlang::missing_arg())) strings(part)
    })))
  }
  lists <- function(known) {
    found <- vapply(functions, function(f) length(intersect(strings(body(f)), known)), 0L)
    names(found)[found > 1L]
  }
  expect_identical(lists(learner_names()), character())
  expect_identical(lists(names(test_registry)), character())
})
