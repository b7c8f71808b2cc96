# What is called with secrets among the records (helper-attacks_secrets.R): every private function,
# what is made of its results, and calls that are refused.

# ---- What is called ------------------------------------------------------------------------------

# So little budget that a secret is not hit by chance, and once as it is used.
secret_calls <- function(data, epsilon = 0.02) {
  plain <- data[c("smoke", "cough", "fever", "sex", "grade", "income")]
  persons <- data[c("smoke", "cough", "fever", "sex", "grade", "person")]
  learn <- function(learner, ...) {
    force(learner)
    function() {
      learner(plain, epsilon, 1e-6, breaks = secret_breaks, threads = 1, progress = FALSE, ...)
    }
  }
  test <- function(test, ..., least = epsilon) {
    function() {
      private_test(
        plain, "smoke", "cough", test = test, epsilon = max(epsilon, least),
        breaks = secret_breaks, ...
      )
    }
  }
  fit <- learn(marginal_pc)
  made <- function(what) function() what(fit())
  counts <- function() table(plain$smoke)
  calls <- list(
    marginal_pc = fit,
    `marginal_pc, by tests` = learn(marginal_pc, search = "tests"),
    `marginal_pc, add-remove` = learn(marginal_pc, neighbours = "add-remove"),
    `marginal_pc, parameters` = learn(marginal_pc, parameters = TRUE),
    `marginal_pc, hidden causes` = learn(marginal_pc, hidden = TRUE),
    `marginal_pc, do.call` = function() {
      do.call(marginal_pc, list(plain, epsilon, 1e-6, breaks = secret_breaks, progress = FALSE))
    },
    `marginal_pc, per person` = function() {
      marginal_pc(persons, epsilon, 1e-6, id = "person", progress = FALSE)
    },
    `marginal_pc, in parts` = function() {
      file <- tempfile(fileext = ".csv")
      on.exit(unlink(file))
      utils::write.csv(plain[1:5], file, row.names = FALSE)
      marginal_pc(
        read_chunks(file, rows = 3000), epsilon, 1e-6, levels = lapply(plain[1:5], levels),
        progress = FALSE
      )
    },
    `marginal_pc, from a budget` = function() {
      marginal_pc(
        plain, epsilon, 1e-6, breaks = secret_breaks, progress = FALSE,
        budget = privacy_budget(1, 1e-6)
      )
    },
    `marginal_pc, with progress` = function() {
      marginal_pc(plain, epsilon, 1e-6, breaks = secret_breaks, progress = TRUE)
    },
    priv_pc = learn(priv_pc), `priv_pc, rho` = learn(priv_pc, test = "rho"),
    `priv_pc, sub-sample` = learn(priv_pc, subsample = 0.5),
    svt_pc = learn(svt_pc), em_pc = learn(em_pc), sg_pc = learn(sg_pc),
    `private_test, tau` = test("tau"), `private_test, given` = test("rho", given = "income"),
    `private_test, g2` = test("g2"), `private_test, cmh` = test("cmh", given = "sex"),
    `private_test, median` = test("chisq", aggregate = "median", delta = 1e-6, least = 0.5),
    private_breaks = function() {
      private_breaks(
        plain, "income", bins = 4, epsilon = epsilon, bounds = list(income = c(0, 5000))
      )
    },
    laplace_mechanism = function() laplace_mechanism(counts(), 2, epsilon, whole = TRUE),
    gaussian_mechanism = function() {
      gaussian_mechanism(counts() / 20000, 2 / 20000, epsilon, 1e-6)
    },
    exponential_mechanism = function() exponential_mechanism(counts(), 1, epsilon),
    sparse_vector = function() sparse_vector(counts(), 8000, 1, epsilon),
    private_median = function() private_median(plain$income[130:180], 0, 5000, epsilon, 1e-6),
    sieve_and_examine = function() {
      queries <- list(function(rows) sum(plain$smoke[rows] == "yes"))
      sieve_and_examine(queries, 20000, 5000, 1, epsilon, subsample = 10000)
    },
    measured = made(function(fit) measured(fit, c("smoke", "cough"))),
    retest = made(function(fit) retest(fit, "smoke", "cough")),
    explain = made(function(fit) explain(fit, "smoke", "cough")),
    contradictions = made(contradictions),
    edge_strength = made(function(fit) edge_strength(fit, draws = 5)),
    consensus = made(function(fit) consensus(fit, draws = 5)),
    relearn = made(function(fit) relearn(fit, alpha = 0.01)),
    effect = made(function(fit) effect(fit, "smoke", "cough", graph = "uncertain", draws = 10)),
    as_network = made(as_network),
    simulate = made(function(fit) simulate(as_network(fit), 50)),
    report = made(report),
    privacy_ledger = made(privacy_ledger),
    publish = made(function(fit) {
      file <- tempfile(fileext = ".html")
      on.exit(unlink(file))
      publish(fit, file, open = FALSE, progress = FALSE, effects = FALSE)
      readLines(file)
    })
  )
  c(calls, if (requireNamespace("RSQLite", quietly = TRUE)) list(
    `marginal_pc, in SQLite` = function() {
      con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
      on.exit(DBI::dbDisconnect(con))
      DBI::dbWriteTable(con, "records", data.frame(lapply(plain[1:5], as.character)))
      marginal_pc(
        dplyr::tbl(con, "records"), epsilon, 1e-6, levels = lapply(plain[1:5], levels),
        progress = FALSE
      )
    }
  ))
}

# Calls that are refused, before and after records were looked at.
refused_calls <- function(data) {
  plain <- data[c("smoke", "cough", "fever", "sex", "grade")]
  holey <- plain
  holey$cough[[4711]] <- NA
  numbers <- data[c("smoke", "income")]
  strange <- lapply(plain, as.character)
  strange$cough[[4711]] <- "Ada-Geheim-0815"
  strange <- as.data.frame(strange)
  persons <- data[c("smoke", "cough", "person")]
  persons$person[[7]] <- NA
  levels <- lapply(plain, levels)
  calls <- list(
    `epsilon is no number` = function() marginal_pc(plain, epsilon = "a"),
    `epsilon is no number, do.call` = function() do.call(marginal_pc, list(plain, epsilon = "a")),
    `a misspelt argument, do.call` = function() do.call(priv_pc, list(plain, 1, epsilom = 2)),
    `a missing value` = function() marginal_pc(holey, 1),
    `a missing value, do.call` = function() do.call("svt_pc", list(holey, 1)),
    `a missing value and a budget` = function() {
      marginal_pc(holey, 1, budget = privacy_budget(2, 1e-6))
    },
    `a level that nobody declared` = function() marginal_pc(strange, 1, levels = levels),
    `the same, do.call` = function() do.call(marginal_pc, list(strange, 1, levels = levels)),
    `no breaks` = function() marginal_pc(numbers, 1),
    `a person without a name` = function() marginal_pc(persons, 1, id = "person"),
    `an overdraft` = function() marginal_pc(plain, 2, budget = privacy_budget(1, 1e-6)),
    `an overdraft, do.call` = function() {
      do.call(marginal_pc, list(plain, 2, budget = privacy_budget(1, 1e-6)))
    },
    `a test of nothing, do.call` = function() {
      do.call(private_test, list(plain, "smoke", "nothing", test = "g2", epsilon = 1))
    },
    `numbers that are no counts, do.call` = function() {
      do.call(laplace_mechanism, list(data$income, 1, 1, whole = TRUE))
    },
    `a file with a strange level` = function() {
      file <- tempfile(fileext = ".csv")
      on.exit(unlink(file))
      utils::write.csv(strange, file, row.names = FALSE)
      marginal_pc(read_chunks(file, rows = 3000), 1, levels = levels, progress = FALSE)
    }
  )
  c(calls, if (requireNamespace("RSQLite", quietly = TRUE)) list(
    `an engine that refuses` = function() {
      con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
      DBI::dbWriteTable(con, "records", data.frame(lapply(plain, as.character)))
      table <- dplyr::tbl(con, "records")
      DBI::dbExecute(con, "ALTER TABLE records RENAME COLUMN cough TO coughs")
      on.exit(DBI::dbDisconnect(con))
      marginal_pc(table, 1, levels = levels, progress = FALSE)
    },
    `a strange level in an engine` = function() {
      con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
      on.exit(DBI::dbDisconnect(con))
      DBI::dbWriteTable(con, "records", strange)
      marginal_pc(dplyr::tbl(con, "records"), 1, levels = levels, progress = FALSE)
    }
  ))
}
