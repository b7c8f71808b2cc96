# Several records per person, for tests in memory, in files and in data bases.

# People with 1 to 14 visits in random order: some on the same day, some alike, some without a day.
# Ids as numbers and as text, times as whole numbers, dates and other numbers.
some_visits <- function(name, people = 600, seed = 3) {
  visits <- with_seed(seed, {
    whose <- rep(seq_len(people), times = sample(1:14, people, TRUE))
    list(
      whose = whose, alike = sample(c(TRUE, FALSE), length(whose), TRUE),
      visit = sample(c(NA, 1:20), length(whose), TRUE), order = sample(length(whose))
    )
  })
  data <- simulate(network(name), nsim = length(visits$whose), seed = seed)
  first <- match(visits$whose, visits$whose)
  data[visits$alike, ] <- data[first[visits$alike], ]
  data <- cbind(
    data, whose = visits$whose, person = paste0("p", visits$whose, "'\u00e4|"),
    visit = visits$visit, day = as.Date("2020-02-20") + visits$visit, when = visits$visit / 7
  )[visits$order, ]
  rownames(data) <- NULL
  data
}

# All that count persons, called alike.
person_learners <- function(levels, ...) {
  persons <- list(levels = levels, ...)
  called <- function(learn, ...) {
    settings <- c(list(...), persons)
    function(data) do.call(learn, c(list(data), settings))
  }
  pair <- names(levels)[1:2]
  list(
    marginal_pc = called(marginal_pc, 3, seed = 1, max_records = 3),
    priv_pc = called(priv_pc, 20, seed = 1, max_order = 1),
    em_pc = called(em_pc, 20, seed = 1, max_order = 1),
    svt_pc = called(svt_pc, 20, seed = 1, max_order = 1),
    sg_pc = called(sg_pc, 20, seed = 1, max_order = 1),
    exact_pc = called(exact_pc, max_order = 1),
    private_test = called(private_test, pair[[1]], pair[[2]], epsilon = 1, seed = 1)
  )
}
