# Several records per person, in R: what is declared, what is counted, and what is said.

# Persons with one to six visits each, which differ within a person; no two at the same time.
some_visits <- function(persons = 400, most = 6, seed = 1) {
  with_seed(seed, {
    own <- simulate(network("cancer"), nsim = persons, seed = seed)
    whose <- rep(seq_len(persons), sample.int(most, persons, TRUE))
    visits <- own[whose, ]
    changed <- stats::runif(nrow(visits)) < 0.3
    visits$Dyspnoea[changed] <- sample(levels(visits$Dyspnoea), sum(changed), TRUE)
    visits$Xray[changed] <- sample(levels(visits$Xray), sum(changed), TRUE)
    visits <- cbind(patient = whose, day = sample.int(length(whose)), visits)
  })
  rownames(visits) <- NULL
  visits
}

learn <- function(visits, ..., epsilon = 2) {
  without_call(marginal_pc(visits, epsilon, id = "patient", first_by = "day", seed = 1, ...))
}

shuffled <- function(data, seed = 3) with_seed(seed, data[sample.int(nrow(data)), ])

# The first `most` records of each person, by day.
first_records <- function(visits, most) {
  visits <- visits[order(visits$patient, visits$day), ]
  at <- stats::ave(seq_len(nrow(visits)), visits$patient, FUN = seq_along)
  visits[at <= most, ]
}

# Shares of persons, slowly: each record weighs one over the number of its person's records.
slow_shares <- function(visits, variables) {
  total <- 0
  for (own in split(visits[variables], visits$patient)) {
    total <- total + table(own) / nrow(own)
  }
  as.data.frame(total / length(unique(visits$patient)), responseName = "share")
}

without_both <- function(visits) visits[setdiff(names(visits), c("patient", "day"))]

# ---- what is counted ----------------------------------------------------------------------------

test_that("tables are means over persons of the means of their records", {
  visits <- some_visits()
  for (most in c(1, 2, 3, 10)) {
    fit <- learn(visits, max_records = most, epsilon = 1e6)
    expect_identical(fit$settings$n, 400L)
    for (set in list("Cancer", c("Smoker", "Dyspnoea"), c("Cancer", "Xray"))) {
      found <- measured(fit, set)
      slow <- slow_shares(first_records(visits, most), set)
      both <- merge(as.data.frame(found), slow, by = set)
      expect_identical(nrow(both), nrow(slow))
      expect_equal(both$share.x, both$share.y, tolerance = 1e-4)
    }
  }
})

test_that("the order of the records, and how an id is written, change nothing", {
  visits <- some_visits()
  fits <- list(
    learn = learn,
    by_hash = function(visits) {
      without_call(marginal_pc(
        visits[names(visits) != "day"], 2, id = "patient", max_records = 2, seed = 1
      ))
    }
  )
  for (fit in fits) {
    expected <- fit(visits)
    expect_identical(fit(shuffled(visits)), expected)
    for (as_other in list(as.double, as.character, as.factor)) {
      expect_identical(fit(transform(visits, patient = as_other(patient))), expected)
    }
  }
  # A column of another kind that has the same order.
  dated <- transform(visits, day = as.Date("2020-01-01") + day)
  expect_identical(learn(dated, max_records = 2), learn(visits, max_records = 2))
  texts <- transform(visits, day = format(as.Date("2020-01-01") + day))
  expect_identical(learn(texts, max_records = 2), learn(visits, max_records = 2))
})

test_that("copies of a person's records change nothing where their mix is the same", {
  visits <- some_visits(most = 3)
  expected <- learn(visits)
  twice <- rbind(visits, visits[visits$patient %% 2 == 0, ])
  thrice <- rbind(twice, visits[visits$patient %% 2 == 0, ])
  expect_identical(learn(twice), expected)
  expect_identical(learn(thrice), expected)
})

test_that("no more than max_records of a person count, and only the first ones", {
  visits <- some_visits(most = 6)
  for (most in 1:5) {
    expect_identical(
      learn(visits, max_records = most), learn(first_records(visits, most), max_records = most)
    )
  }
  # Ten thousand records of one person weigh as much as one.
  crowd <- visits[rep(which(visits$patient == 7)[[1L]], 1e4), ]
  fit <- learn(rbind(visits, transform(crowd, day = day + seq_len(1e4))), epsilon = 1e6)
  before <- learn(visits, epsilon = 1e6)
  moved <- measured(fit, "Cancer")$share - measured(before, "Cancer")$share
  expect_lt(max(abs(moved)), 1 / 400 + 1e-4)
})

test_that("a missing time comes last", {
  visits <- data.frame(
    patient = c("a", "a", "b", "b"), day = c(NA, 2, NA, NA), x = c("no", "yes", "yes", "no"),
    y = c("no", "yes", "no", "yes")
  )
  visits <- rbind(visits, data.frame(patient = 1:200, day = 1, x = "no", y = "no"))
  fit <- marginal_pc(
    visits, 1e6, id = "patient", first_by = "day", max_records = 1, seed = 1,
    levels = list(x = c("no", "yes"), y = c("no", "yes"))
  )
  # a: the one with a time; b: of two without, the one with the lower level.
  shares <- measured(fit, "x")
  expect_equal(shares$share[shares$x == "yes"], 1 / 202, tolerance = 1e-3)
})

# ---- the other functions use one record of each ------------------------------------------------

test_that("one record of each person is what a data frame of these records gives", {
  visits <- some_visits(3000)
  one <- without_both(first_records(visits, 1))
  shared <- c("amat", "skeleton", "sepsets", "ledger")
  for (name in names(paper_learners)) {
    of <- function(data, ...) {
      suppressMessages(paper_learners[[name]](data, 5, seed = 1, ...))
    }
    fit <- of(visits, id = "patient", first_by = "day")
    expect_identical(fit[shared], of(one)[shared], info = name)
    expect_identical(fit$settings$n, 3000L)
    expect_identical(fit$privacy$per, "person")
  }
  exact <- function(data, ...) exact_pc(data, ...)[c("amat", "skeleton", "sepsets")]
  expect_identical(exact(visits, id = "patient", first_by = "day"), exact(one))
  test <- function(data, ...) {
    private_test(data, "Smoker", "Cancer", epsilon = 1, seed = 1, ...)[c("p.value", "n", "noise")]
  }
  # The rule sees the variables of the test only, which matters at equal times alone.
  expect_identical(test(visits, id = "patient", first_by = "day"), test(one))
  expect_identical(
    test(visits, test = "g2", id = "patient", first_by = "day"), test(one, test = "g2")
  )
})

test_that("cut points are chosen from one record of each person", {
  visits <- with_seed(4, cbind(some_visits(2000), size = stats::rnorm(nrow(some_visits(2000)))))
  # Who has many records has large numbers: all records together give other cut points.
  visits$size <- visits$size + stats::ave(visits$day, visits$patient, FUN = length)
  one <- first_records(visits, 1)
  cuts <- function(data, ...) {
    private_breaks(
      data, "size", bins = 4, epsilon = 100, bounds = list(size = c(-5, 12)), seed = 1, ...
    )
  }
  chosen <- suppressWarnings(cuts(visits, id = "patient", first_by = "day"))
  expect_equal(chosen$size, suppressWarnings(cuts(one))$size, ignore_attr = TRUE)
  expect_false(isTRUE(all.equal(
    chosen$size, suppressWarnings(cuts(visits))$size, check.attributes = FALSE
  )))
  expect_identical(attr(chosen, "privacy")$per, "person")
})

# ---- what is declared ---------------------------------------------------------------------------

test_that("what is wrong with id, max_records and first_by is said", {
  visits <- some_visits(20)
  of <- function(...) marginal_pc(visits, 1, ...)
  odd <- transform(
    visits, weight = patient + 0.5, born = as.Date("1950-01-01") + patient, ill = patient > 5
  )
  odd$all <- as.list(odd$day)
  expect_snapshot({
    show_refusal(of(first_by = "day"))
    show_refusal(of(id = "pateint"))
    show_refusal(of(id = c("patient", "day")))
    show_refusal(of(id = "patient", first_by = "when"))
    show_refusal(of(id = "patient", first_by = "patient"))
    show_refusal(of(id = "patient", max_records = 0))
    show_refusal(of(id = "patient", max_records = 11))
    show_refusal(of(id = "patient", max_records = 2.5))
    show_refusal(marginal_pc(odd, 1, id = "weight"))
    show_refusal(marginal_pc(odd, 1, id = "born"))
    show_refusal(marginal_pc(odd, 1, id = "ill"))
    show_refusal(marginal_pc(odd, 1, id = "patient", first_by = "all"))
    show_refusal(marginal_pc(as.matrix(visits), 1, id = "patient"))
    show_refusal(private_test(visits, "patient", "Cancer", epsilon = 1, id = "patient"))
    show_refusal(private_test(
      visits, "Smoker", "Cancer", given = "day", epsilon = 1, id = "patient", first_by = "day"
    ))
    show_refusal(private_breaks(
      visits, "day", epsilon = 1, bounds = list(day = c(0, 99)), id = "who"
    ))
    show_refusal(priv_pc(visits, 1, id = "who"))
    show_refusal(exact_pc(visits, id = "who"))
  })
  chosen <- private_breaks(visits, "day", bins = 3, epsilon = 1, bounds = list(day = c(0, 99)))
  expect_snapshot(show_refusal(of(id = "patient", breaks = chosen)))
})

test_that("a record that is nobody's is refused before anything is spent", {
  visits <- some_visits(30)
  budget <- privacy_budget(2, 1e-6, per = "person")
  pure <- privacy_budget(2, per = "person")
  for (nobody in list(NA, "")) {
    lost <- transform(visits, patient = replace(as.character(patient), 9L, nobody))
    refused <- function(code) expect_error(code, class = "privpc_without_id")
    refused(marginal_pc(lost, 1, id = "patient", first_by = "day", budget = budget))
    for (learner in paper_learners) {
      refused(learner(lost, 1, id = "patient", first_by = "day", budget = budget))
    }
    refused(private_test(
      lost, "Smoker", "Cancer", epsilon = 1, id = "patient", first_by = "day", budget = pure
    ))
    refused(private_breaks(
      transform(lost, size = as.double(day)), "size", epsilon = 1, id = "patient", first_by = "day",
      bounds = list(size = c(0, 99)), budget = pure
    ))
    refused(exact_pc(lost, id = "patient", first_by = "day"))
    parts <- read_chunks(function() {
      part <- lost
      function() {
        now <- part
        part <<- NULL
        now
      }
    })
    refused(marginal_pc(
      parts, 1, id = "patient", first_by = "day", levels = visits[0, 3:7], budget = budget
    ))
  }
  expect_identical(nrow(privacy_ledger(budget)), 0L)
  expect_identical(nrow(privacy_ledger(pure)), 0L)
  expect_snapshot(show_refusal(marginal_pc(lost, 1, id = "patient", first_by = "day")))
})

test_that("a data base finds records that are nobody's", {
  con <- local_sqlite()
  visits <- some_visits(30)
  budget <- privacy_budget(2, 1e-6, per = "person")
  lost <- remote_table(con, transform(visits, patient = replace(patient, 9L, NA)))
  expect_error(
    marginal_pc(
      lost, 1, id = "patient", first_by = "day", levels = visits[0, 3:7], budget = budget
    ), class = "privpc_without_id"
  )
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

test_that("a value that is missing in any record is refused, kept or not", {
  visits <- some_visits(30)
  # The last record of somebody with several.
  several <- visits$patient[duplicated(visits$patient)][[1L]]
  last <- which.max(ifelse(visits$patient == several, visits$day, 0))
  visits$Xray[[last]] <- NA
  budget <- privacy_budget(2, 1e-6, per = "person")
  expect_error(
    marginal_pc(visits, 1, id = "patient", first_by = "day", max_records = 1, budget = budget),
    "Xray"
  )
  expect_identical(nrow(privacy_ledger(budget)), 0L)
})

# ---- where the records are ----------------------------------------------------------------------

parts_of <- function(data, size) {
  read_chunks(function() {
    at <- 0
    function() {
      if (at >= nrow(data)) return(NULL)
      part <- data[seq(at + 1, min(at + size, nrow(data))), ]
      at <<- at + size
      part
    }
  })
}

test_that("parts that end inside a person give the fit of a data frame", {
  visits <- some_visits(120)
  declared <- visits[0, 3:7]
  for (most in c(1, 2, 10)) {
    expected <- learn(visits, max_records = most, levels = declared)
    expect_identical(expected$settings$n, 120L)
    for (size in c(1, 2, 7, 1000)) {
      parts <- parts_of(visits, size)
      expect_identical(learn(parts, max_records = most, levels = declared), expected)
    }
  }
  hashed <- function(data) {
    without_call(marginal_pc(
      data, 2, id = "patient", max_records = 2, seed = 1, levels = declared
    ))
  }
  visits$day <- NULL
  expect_identical(hashed(parts_of(visits, 7)), hashed(visits))
})

test_that("nobody who comes twice in a file is counted as two", {
  visits <- data.frame(
    patient = rep(c("1", "01", "1", "2"), each = 2), x = rep(c("no", "yes"), 4),
    y = rep(c("no", "yes"), each = 4)
  )
  levels <- list(x = c("no", "yes"), y = c("no", "yes"))
  of <- function(data) marginal_pc(data, 5, id = "patient", levels = levels, seed = 1)
  expect_identical(of(visits)$settings$n, 3L)
  refused <- function(ids) {
    for (size in c(1, 2, 3)) {
      visits$patient <- ids
      expect_error(of(parts_of(visits, size)), class = "privpc_unsorted")
    }
  }
  # Equal as numbers, and not the same person.
  refused(visits$patient)
  refused(rep(paste0("900719925474099", c(3, 2, 3, 9)), each = 2))
  refused(rep(c("b", "a", "b", "c"), each = 2))
  refused(rep(c(3, 5, 3, 6), each = 2))
  # In the order of numbers, or of text.
  for (ids in list(c(2, 9, 10, 11), c("10", "11", "2", "9"), c("a", "b", "c", "d"))) {
    visits$patient <- rep(ids, each = 2)
    expect_identical(of(parts_of(visits, 3))$settings$n, 4L)
  }
  visits$patient <- rep(c("b", "a", "b", "c"), each = 2)
  expect_snapshot(show_refusal(of(parts_of(visits, 3))))
})

test_that("SQLite counts persons as a data frame does, and needs first_by", {
  con <- local_sqlite()
  visits <- some_visits(200)
  table <- remote_table(con, visits)
  declared <- visits[0, 3:7]
  for (most in c(1, 2, 10)) {
    expect_identical(
      learn(table, max_records = most, levels = declared),
      learn(visits, max_records = most, levels = declared)
    )
  }
  expect_snapshot({
    show_refusal(marginal_pc(
      dplyr::select(table, !day), 1, id = "patient", levels = declared
    ))
    show_refusal(marginal_pc(table, 1))
  })
})

# ---- budgets ------------------------------------------------------------------------------------

test_that("a budget for persons pays for steps that name them, and for no others", {
  visits <- some_visits(300)
  rows <- without_both(visits)
  budget <- privacy_budget(3, 1e-6, per = "person")
  refused <- function(code) expect_error(code, class = "privpc_other_neighbours")
  refused(marginal_pc(rows, 1, budget = budget))
  refused(priv_pc(rows, 1, budget = budget))
  refused(private_test(rows, "Smoker", "Cancer", epsilon = 0.1, budget = budget))
  refused(private_breaks(
    visits, "day", epsilon = 0.1, bounds = list(day = c(0, 2000)), budget = budget
  ))
  expect_identical(nrow(privacy_ledger(budget)), 0L)
  marginal_pc(visits, 1, id = "patient", first_by = "day", budget = budget)
  private_test(
    visits, "Smoker", "Cancer", epsilon = 0.1, id = "patient", first_by = "day", budget = budget
  )
  # The user has said how far a whole person moves it.
  laplace_mechanism(c(cases = 7), sensitivity = 1, epsilon = 0.1, budget = budget)
  expect_identical(nrow(privacy_ledger(budget)), 3L)
})

# ---- what is said -------------------------------------------------------------------------------

test_that("fits, tests, budgets and reports say that they are about persons", {
  visits <- some_visits(300)
  fit <- marginal_pc(visits, 1, id = "patient", first_by = "day", max_records = 3)
  expect_identical(fit$privacy$per, "person")
  expect_identical(
    fit$settings$persons, list(id = "patient", max_records = 3L, first_by = "day")
  )
  printed <- paste(utils::capture.output(print(fit)), collapse = " ")
  expect_match(printed, "300 persons", fixed = TRUE)
  expect_match(printed, "replace-one neighbours per person", fixed = TRUE)
  expect_match(format(fit), "per person", fixed = TRUE)
  said <- paste(report(fit), collapse = " ")
  for (part in c(
    "learnt from 300 persons", "(told by patient)",
    "At most 3 of each were used, the first by day where there were more",
    "replacing any one person with all their records by any other", "The number of persons"
  )) {
    expect_match(said, part, fixed = TRUE)
  }
  hashed <- visits[names(visits) != "day"]
  expect_match(
    paste(report(em_pc(hashed, 1, id = "patient")), collapse = " "),
    "One of each was used, chosen by a hash", fixed = TRUE
  )
  counted <- marginal_pc(hashed, 1, id = "patient", neighbours = "add-remove")
  expect_match(
    paste(report(counted), collapse = " "),
    "adding any one person with all their records or removing one", fixed = TRUE
  )
  test <- private_test(hashed, "Smoker", "Cancer", epsilon = 1, id = "patient")
  printed <- paste(utils::capture.output(print(test)), collapse = " ")
  expect_match(printed, "(300 persons)", fixed = TRUE)
  expect_match(printed, "replace-one neighbours per person", fixed = TRUE)
  budget <- privacy_budget(1, 1e-6, per = "person")
  expect_match(format(budget), "per person", fixed = TRUE)
  expect_match(paste(utils::capture.output(budget), collapse = " "), "per person", fixed = TRUE)
  # Without persons nobody speaks of them.
  plain <- marginal_pc(without_both(visits), 1)
  expect_null(plain$privacy$per)
  expect_null(plain$settings$persons)
  expect_no_match(paste(report(plain), collapse = " "), "person")
})

test_that("what is computed from a fit of persons takes their number for the sample size", {
  visits <- some_visits(4000, most = 4)
  known <- tiers(Pollution + Smoker ~ Cancer ~ Xray + Dyspnoea)
  # Everybody's records are copies of one: the same people, once.
  visits[3:7] <- visits[match(visits$patient, visits$patient), 3:7]
  once <- without_both(first_records(visits, 1))
  fit_of <- function(data, ...) {
    marginal_pc(data, 1e5, tiers = known, parameters = TRUE, seed = 1, ...)
  }
  fit <- fit_of(visits, id = "patient", first_by = "day")
  same <- fit_of(once)
  expect_equal(fit$measurements$n, 4000)
  expect_identical(fit$amat, same$amat)
  near <- function(of) {
    found <- suppressMessages(with_seed(1, of(fit)))
    expected <- suppressMessages(with_seed(1, of(same)))
    expect_equal(found, expected, tolerance = 0.02)
  }
  near(function(fit) retest(fit, "Smoker", "Xray")$statistic)
  near(function(fit) retest(fit, "Smoker", "Xray", given = "Cancer")$statistic)
  near(function(fit) as.data.frame(effect(fit, "Smoker", "Xray", draws = 50))$estimate)
  near(function(fit) as.data.frame(effect(fit, "Smoker", "Xray", draws = 400))$lower[[1L]])
  near(function(fit) unlist(as_network(fit)$probabilities))
  # The same strengths of sampling, which depends on the number alone.
  near(function(fit) mean(edge_strength(fit, draws = 20, kind = "sampling")$strength))
  again <- relearn(fit, alpha = 0.01)
  agreed <- with_seed(1, consensus(fit, draws = 10))
  for (other in list(again, agreed)) {
    expect_identical(other$settings$persons, fit$settings$persons)
    expect_identical(other$privacy$per, "person")
    expect_match(paste(report(other), collapse = " "), "4,000 persons", fixed = TRUE)
  }
})

# ---- identifiers that were not declared ---------------------------------------------------------

test_that("names that look like identifiers are told by the name alone", {
  yes <- c(
    "id", "ID", "patient_id", "patientId", "PatientID", "person", "Patient", "subjects", "mrn",
    "pid", "hospital.id", "participant_no", "patient code", "NHS"
  )
  no <- c("age", "idea", "paid", "humid", "outpatient", "patience", "video", "grid", "persona")
  expect_identical(yes[!looks_like_id(yes)], character())
  expect_identical(no[looks_like_id(no)], character())
})

test_that("an identifier that was not declared is pointed out", {
  visits <- some_visits(20)
  text <- transform(visits[names(visits) != "day"], patient = as.character(patient))
  numbers <- visits[names(visits) != "day"]
  expect_snapshot({
    show_refusal(marginal_pc(text, 1))
    show_refusal(marginal_pc(numbers, 1))
  })
  # One that is used as a variable.
  site <- transform(numbers, patient = factor(patient %% 3, levels = 0:2))
  said <- function(code) {
    conditions <- list()
    withCallingHandlers(
      rlang::with_options(code, rlib_message_verbosity = "verbose"),
      privpc_undeclared_id = function(m) {
        conditions <<- c(conditions, list(m))
        invokeRestart("muffleMessage")
      }
    )
    conditions
  }
  for (learn in c(paper_learners, marginal_pc = marginal_pc)) {
    heard <- suppressMessages(said(learn(site, 5, seed = 1)))
    expect_length(heard, 1)
  }
  lines <- strsplit(conditionMessage(heard[[1L]]), "\n", fixed = TRUE)[[1L]]
  # The last one says how often it is shown.
  expect_snapshot(cat(lines[1:3], sep = "\n"))
  expect_length(said(marginal_pc(numbers, 5, seed = 1, id = "patient")), 0)
})

test_that("names of columns are shown, and never run", {
  odd <- "x{stop('run')}_id"
  visits <- some_visits(20)
  names(visits)[[1L]] <- odd
  error <- tryCatch(marginal_pc(visits[names(visits) != "day"], 1), error = identity)
  expect_s3_class(error, "privpc_error")
  expect_match(conditionMessage(error), "declare it: `id = \"x{stop('run')}_id\"`", fixed = TRUE)
  fit <- marginal_pc(visits, 5, id = odd, first_by = "day", seed = 1)
  expect_identical(fit$settings$n, 20L)
})

test_that("what needs an id, or may be one, says so", {
  data <- data.frame(
    a = factor(rep(0:1, 200)), b = factor(rep(c(0, 0, 1, 1), 100)), person = rep(1:200, 2)
  )
  big_ids <- transform(data, person = 2^54 + 4 * person)
  many <- transform(data, person = factor(person))
  expect_snapshot({
    show_refusal(marginal_pc(data[1:2], 1, max_records = 3))
    show_refusal(marginal_pc(big_ids, 1, id = "person"))
    show_refusal(marginal_pc(many, 1))
  })
  # The defaults need none.
  expect_s3_class(marginal_pc(data[1:2], 1), "privpc")
})

# As parts of a function.
in_parts <- function(...) {
  parts <- list(...)
  read_chunks(function() {
    at <- 0
    function() {
      at <<- at + 1
      if (at <= length(parts)) parts[[at]]
    }
  })
}
x_and_y <- list(x = c("u", "v"), y = c("p", "q"))
shares_of_x <- function(data, ...) {
  fit <- suppressMessages(suppressWarnings(
    marginal_pc(data, 1e6, id = "pid", levels = x_and_y, seed = 1, ...)
  ))
  round(measured(fit, "x")$share * fit$settings$n)
}

test_that("nobody's spelling of a time decides which records of others are kept", {
  latin <- "\xe9"
  Encoding(latin) <- "latin1"
  cohort <- function(first) {
    rbind(
      data.frame(pid = "A", t = first, x = "u", y = "p"),
      data.frame(
        pid = rep(sprintf("p%03d", 1:50), each = 2), t = rep(c("\u00e9", "\u00fc"), 50),
        x = rep(c("u", "v"), 50), y = rep(c("p", "q"), 50)
      )
    )
  }
  expect_identical(
    shares_of_x(cohort("\u00e9"), first_by = "t", max_records = 1),
    shares_of_x(cohort(latin), first_by = "t", max_records = 1)
  )
  # Nor, in parts, its levels.
  parts <- function(time) {
    in_parts(
      data.frame(pid = c("A", "B"), t = factor(c(time, "may")), x = "u", y = "p"),
      data.frame(pid = c("B", "C"), t = factor(c("june", "june")), x = "v", y = "p")
    )
  }
  for (time in c("april", "may")) {
    expect_error(
      shares_of_x(parts(time), first_by = "t"), "other levels", class = "privpc_not_opened"
    )
  }
  same <- function(x) factor(x, levels = c("may", "april", "june"))
  data <- data.frame(
    pid = c("A", "B", "B", "C"), t = same(c("april", "june", "may", "june")),
    x = c("u", "u", "v", "v"), y = "p"
  )
  expect_identical(
    shares_of_x(in_parts(data[1:2, ], data[3:4, ]), first_by = "t", max_records = 1),
    shares_of_x(data, first_by = "t", max_records = 1)
  )
})

test_that("ids and times that are no columns of one value each are refused, never read beyond", {
  data <- data.frame(x = rep(c("u", "v"), 6), y = rep(c("p", "q"), 6), pid = rep(1:6, 2), t = 1:12)
  matrix_id <- data
  matrix_id$pid <- matrix(as.character(1:24), 12)
  factor_id <- data
  factor_id$pid <- structure(gl(6, 4), dim = c(12L, 2L))
  for (bad in list(matrix_id, factor_id)) {
    expect_error(marginal_pc(bad, 1, id = "pid", levels = x_and_y, first_by = "t"), "`id` must be")
  }
  short <- function(name, value) {
    part <- as.list(data[order(data$pid), ])
    part[[name]] <- value
    structure(part, class = "data.frame", row.names = 1:12)
  }
  for (part in list(short("pid", 1:3), short("t", 1:3))) {
    expect_error(
      marginal_pc(in_parts(part), 1, id = "pid", first_by = "t", levels = x_and_y),
      class = "privpc_error"
    )
  }
  columns <- list(rep(1:2, 6))
  expect_error(
    cpp_kept_records(columns, list(NULL), 1:3, c("a", "b", "c"), NULL, 1), "as many values"
  )
  expect_error(cpp_kept_records(columns, list(NULL), rep(1L, 12), "a", c(1, 2), 1), "a time")
  # NaN is no name.
  data$pid[[1]] <- NaN
  expect_error(
    marginal_pc(data, 1, id = "pid", first_by = "t", levels = x_and_y), class = "privpc_without_id"
  )
})

test_that("64-bit numbers are read by the package that knows them", {
  testthat::skip_if_not_installed("bit64")
  # Not suggested: it comes with the drivers that need it.
  integer64 <- getExportedValue("bit64", "as.integer64")
  data <- data.frame(x = rep(c("u", "v"), 6), y = rep(c("p", "q"), 6))
  data$pid <- integer64("9007199254740993") + rep(0:5, each = 2)
  fit <- marginal_pc(data, 1, id = "pid", levels = x_and_y, seed = 1)
  expect_identical(fit$settings$n, 6L)
  data$pid[[1]] <- NA
  expect_error(marginal_pc(data, 1, id = "pid", levels = x_and_y), class = "privpc_without_id")
  data$pid <- 1:12
  data$t <- integer64("9007199254740993") + 1:12
  expect_error(
    marginal_pc(data, 1, id = "pid", first_by = "t", levels = x_and_y), "too large"
  )
})

test_that("the columns of persons are no variables, and whose persons they are is in the ledger", {
  data <- data.frame(
    x = rep(c("u", "v"), 30), y = rep(c("p", "q"), 30), pid = rep(1:20, 3), t = 1:60
  )
  expect_snapshot({
    show_refusal(
      marginal_pc(data, 1, id = "pid", levels = c(x_and_y, list(pid = 1:5)), first_by = "t")
    )
    show_refusal(
      marginal_pc(data, 1, id = "pid", levels = x_and_y, breaks = list(t = c(0, 9)), first_by = "t")
    )
    show_refusal(marginal_pc(data[1:2], 1, levels = x_and_y, max_records = 1))
  })
  budget <- privacy_budget(5, 1e-6, per = "person")
  marginal_pc(data, 1, id = "pid", first_by = "t", levels = x_and_y, budget = budget)
  expect_identical(privacy_ledger(budget)$target, "graph of 2 variables, persons by pid")
})

test_that("files and data frames agree on decimal commas, short numbers, empty times and parts", {
  data <- with_seed(4, data.frame(
    pid = rep(c(1e5, 2e5, 3e5, 4e5), each = 4), t = rep(c(9.5, 10.5, 100.5, NA), 4),
    x = sample(x_and_y$x, 16, TRUE), y = sample(x_and_y$y, 16, TRUE)
  ))
  file <- tempfile(fileext = ".csv")
  utils::write.csv2(data, file, row.names = FALSE)
  expect_match(paste(readLines(file), collapse = " "), "1e+05", fixed = TRUE)
  chunks <- function(...) read_chunks(file, rows = 3, sep = ";", dec = ",", na.strings = "NA", ...)
  expect_identical(
    shares_of_x(chunks(), first_by = "t", max_records = 2),
    shares_of_x(data, first_by = "t", max_records = 2)
  )
  expect_identical(
    shares_of_x(chunks(columns = c("pid", "x", "y")), max_records = 2),
    shares_of_x(data[-2], max_records = 2)
  )
  # Text from a function stays text; an empty time is none, in a data frame too.
  text <- transform(data, t = rep(c("9", "10", "", "100"), 4))
  expect_identical(
    shares_of_x(
      in_parts(text[0, ], text[1:5, ], text[0, ], text[6:16, ]), first_by = "t", max_records = 1
    ),
    shares_of_x(text, first_by = "t", max_records = 1)
  )
  expect_identical(order_numbers(c("b", "", "a", NA)), c(2, NA, 1, NA))
})

test_that("whole numbers without breaks may be an identifier, whatever their values are", {
  data <- simulate(network("asia"), nsim = 50, seed = 1)
  refused <- function(...) {
    tryCatch(marginal_pc(cbind(data, ...), epsilon = 1), error = conditionMessage)
  }
  hint <- "`pat` says whose record it is, declare it: `id = \"pat\"`"
  expect_match(refused(pat = 1:50), hint, fixed = TRUE)
  expect_identical(refused(pat = 1:50), refused(pat = rep(7L, 50)))
  expect_false(grepl("whose record", refused(weight = 1:50 / 3)))
  expect_match(refused(pat = 1:50, age = 50:1), "`id = \"column\"`", fixed = TRUE)
  expect_match(refused(patient_id = 1:50, age = 50:1), "`id = \"patient_id\"`", fixed = TRUE)
})
