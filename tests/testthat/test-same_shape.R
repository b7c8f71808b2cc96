# What a private function shows, its noisy numbers apart, is a function of public facts and of the
# noise. With one seed and so little budget that the noise decides everything, data that agree in
# nothing but the public facts must therefore give the same fit, the same ledger and the same
# messages; without a seed, the same but for what the noise decides.

tiny <- 4e-4  # at delta = 1e-6 the least for which a learner can be asked
all_data <- same_shape_data()

of_order <- function(learner, ...) {
  function(data, seed) {
    learner(data, tiny, delta = 1e-6, breaks = same_shape_breaks, seed = seed, ...)
  }
}
of_blocks <- function(learner, test, ...) {
  function(data, seed) {
    learner(data, tiny, 1e-6, test = test, breaks = same_shape_breaks, seed = seed, ...)
  }
}
test_of <- function(test, ...) {
  function(data, seed) {
    private_test(
      data, "a", "o", test = test, epsilon = tiny, breaks = same_shape_breaks, seed = seed, ...
    )
  }
}
knowledge <- list(whitelist = c("a", "b"), blacklist = rbind(c("d", "e"), c("e", "d")))

# As many persons in all data sets, and in each other numbers of records.
with_visits <- function(data) {
  times <- 1L + (3L * as.integer(data$a) + as.integer(data$o)) %% 5L
  visits <- data[rep(seq_len(nrow(data)), times), ]
  visits$person <- rep(seq_len(nrow(data)), times)
  visits$visit <- seq_len(nrow(visits))
  visits
}
per_person <- function(learner, ...) {
  first_by <- list(...)$first_by
  function(data, seed) {
    visits <- with_visits(data)
    if (is.null(first_by)) visits$visit <- NULL
    learner(visits, ..., breaks = same_shape_breaks, id = "person", seed = seed)
  }
}

private_functions <- list(
  priv_pc = of_order(priv_pc),
  `priv_pc, pure` = function(data, seed) {
    priv_pc(data, 1e-5, delta = 0, breaks = same_shape_breaks, seed = seed)
  },
  `priv_pc, on a sub-sample` = of_order(priv_pc, subsample = 0.5),
  `priv_pc, rho` = of_order(priv_pc, test = "rho"),
  `priv_pc, g2` = of_blocks(priv_pc, "g2"),
  `priv_pc, with knowledge` = of_order(
    priv_pc, whitelist = knowledge$whitelist, blacklist = knowledge$blacklist
  ),
  svt_pc = of_order(svt_pc),
  `svt_pc, pure` = function(data, seed) {
    svt_pc(data, 1e-5, delta = 0, breaks = same_shape_breaks, seed = seed)
  },
  `svt_pc, chisq` = of_blocks(svt_pc, "chisq"),
  em_pc = of_order(em_pc),
  `em_pc, pure` = function(data, seed) {
    em_pc(data, 1e-5, delta = 0, breaks = same_shape_breaks, seed = seed)
  },
  `em_pc, g2` = of_blocks(em_pc, "g2"),
  `em_pc, two variables` = function(data, seed) {
    em_pc(data[c("o", "x")], tiny, delta = 1e-6, breaks = same_shape_breaks["x"], seed = seed)
  },
  `em_pc, two variables, pure` = function(data, seed) {
    em_pc(data[c("o", "x")], 1e-5, delta = 0, breaks = same_shape_breaks["x"], seed = seed)
  },
  `em_pc, two variables, g2` = function(data, seed) {
    em_pc(data[c("a", "o")], tiny, delta = 1e-6, test = "g2", seed = seed)
  },
  sg_pc = of_order(sg_pc),
  `sg_pc, on a sub-sample` = of_order(sg_pc, subsample = 0.5),
  marginal_pc = of_order(marginal_pc),
  `marginal_pc, add-remove` = of_order(marginal_pc, neighbours = "add-remove"),
  `marginal_pc, with parameters` = of_order(marginal_pc, parameters = TRUE),
  `marginal_pc, order 0` = of_order(marginal_pc, max_order = 0),
  `marginal_pc, with knowledge` = of_order(
    marginal_pc, whitelist = knowledge$whitelist, blacklist = knowledge$blacklist
  ),
  `marginal_pc, with a level for missing values` = of_order(marginal_pc, na = "level"),
  `marginal_pc, per person` = per_person(marginal_pc, tiny, 1e-6),
  `marginal_pc, per person, add-remove` = per_person(
    marginal_pc, tiny, 1e-6, neighbours = "add-remove"
  ),
  `marginal_pc, per person, by time` = per_person(marginal_pc, tiny, 1e-6, first_by = "visit"),
  `priv_pc, per person` = per_person(priv_pc, tiny, 1e-6),
  `private_test, tau` = test_of("tau"),
  `private_test, rho given two` = test_of("rho", given = c("b", "x")),
  `private_test, pure` = test_of("tau", delta = 0),
  `private_test, numbers` = function(data, seed) {
    private_test(data, "x", "y", test = "tau", epsilon = tiny, seed = seed)
  },
  `private_test, g2 by counts` = test_of("g2", given = "d"),
  `private_test, cmh by counts` = test_of("cmh", given = "y"),
  `private_test, chisq by median` = test_of("chisq", aggregate = "median", delta = 1e-6),
  private_breaks = function(data, seed) {
    private_breaks(
      data, c("x", "y"), bins = c(2, 2), epsilon = tiny,
      bounds = list(x = c(0, 100), y = c(-1, 1)), seed = seed
    )
  },
  laplace_mechanism = function(data, seed) {
    laplace_mechanism(table(data[c("a", "b")]), 2, tiny, whole = TRUE, seed = seed)
  },
  gaussian_mechanism = function(data, seed) {
    mean <- c(mean = mean(pmin(pmax(data$x, 0), 100)))
    gaussian_mechanism(mean, 100 / 80, tiny, 1e-6, seed = seed)
  },
  exponential_mechanism = function(data, seed) {
    exponential_mechanism(table(data$o), 1, tiny, seed = seed)
  },
  `permute and flip` = function(data, seed) {
    exponential_mechanism(c(table(data$o)), 1, tiny, method = "permute_and_flip", seed = seed)
  },
  sparse_vector = function(data, seed) {
    sparse_vector(table(data$o), 40, 1, tiny, cutoff = 2, seed = seed)
  },
  `sparse_vector, several runs` = function(data, seed) {
    sparse_vector(table(data$o), 40, 1, tiny, delta = 1e-6, cutoff = 4, seed = seed)
  },
  sieve_and_examine = function(data, seed) {
    queries <- lapply(levels(data$o), function(level) function(rows) sum(data$o[rows] == level))
    sieve_and_examine(queries, 80, 20, 1, tiny, subsample = 40, seed = seed)
  },
  private_median = function(data, seed) {
    private_median(pmin(pmax(data$x, 0), 100), 0, 100, tiny, 1e-6, seed = seed)
  }
)

test_that("the data sets are different in all that is not public", {
  expect_identical(anyDuplicated(all_data), 0L)
  public <- lapply(all_data, function(data) list(dim(data), names(data), lapply(data, levels)))
  expect_length(unique(public), 1L)
  counts <- lapply(all_data, function(data) table(data$o))
  expect_identical(anyDuplicated(counts), 0L)
})

test_that("with one seed nothing but noisy numbers differs between data of the same shape", {
  # A choice between equal scores takes no random bits, so that from the second choice on the
  # stream of a seed is at another place: em_pc() is compared where there is one choice.
  several_choices <- c("em_pc", "em_pc, pure", "em_pc, g2")
  for (name in setdiff(names(private_functions), several_choices)) {
    shown <- lapply(all_data, function(data) all_shown(private_functions[[name]](data, 1)))
    for (other in names(shown)[-1L]) {
      label <- paste0(name, ", ", other, " against constant data")
      expect_same(shown[[other]][c("said", "printed")], shown[[1L]][c("said", "printed")], label)
      expect_same(
        without_noisy_values(shown[[other]]$value), without_noisy_values(shown[[1L]]$value), label
      )
      expect_identical(
        length(serialize(shown[[other]]$value, NULL)), length(serialize(shown[[1L]]$value, NULL)),
        label = label
      )
    }
    expect_false(inherits(shown[[1L]]$value, "refused"), label = name)
    expect_null(parts_that_hold_secrets(shown[[1L]]$value), label = name)
  }
})

test_that("without a seed nothing but what the noise decides differs", {
  # What a fit says beside its graph, its steps and its measurements; what a test or a release says
  # beside its answer.
  public_parts <- function(x) {
    if (inherits(x, "privpc")) {
      x$settings$tests <- NULL
      # Where it is a secret it was measured.
      if (is_add_remove(x$privacy$neighbours)) x$settings$n <- NULL
      return(x[c("nodes", "learner", "privacy", "settings", "call")])
    }
    if (inherits(x, "privpc_breaks")) return(list(names(x), attr(x, "privacy"), class(x)))
    x <- without_noisy_values(x)
    x[["independent"]] <- x[["value"]] <- NULL
    x
  }
  # As in "347 rows are very few": the warning has the noisy number, and what follows from it.
  without_rows <- function(said) {
    rapply(said, how = "replace", classes = "character", f = function(x) {
      few <- "(?s)^[0-9,]+ (row|person)s? (is|are) very few.*"
      sub(few, "* are very few", x, perl = TRUE)
    })
  }
  for (name in names(private_functions)) {
    shown <- lapply(all_data, function(data) all_shown(private_functions[[name]](data, NULL)))
    if (endsWith(name, "add-remove")) {
      for (i in seq_along(shown)) shown[[i]]$said <- without_rows(shown[[i]]$said)
    }
    for (other in names(shown)[-1L]) {
      label <- paste(name, "on", other)
      expect_same(shown[[other]]$said, shown[[1L]]$said, label)
      expect_same(public_parts(shown[[other]]$value), public_parts(shown[[1L]]$value), label)
    }
  }
})

test_that("the noise is the same whatever the data: noisy numbers differ as the exact ones do", {
  binned <- lapply(all_data, function(data) {
    for (name in names(same_shape_breaks)) {
      data[[name]] <- bin_values(data[[name]], same_shape_breaks[[name]])
    }
    data
  })
  for (name in c("marginal_pc", "marginal_pc, with parameters")) {
    fits <- lapply(all_data, private_functions[[name]], seed = 4)
    held <- fits[[1L]]$measurements
    for (part in c("tables", "families")) {
      for (k in seq_along(held[[part]]$sets)) {
        set <- held$nodes[held[[part]]$sets[[k]]]
        noise <- lapply(names(fits), function(of) {
          fits[[of]]$measurements[[part]]$values[[k]] * 80 - exact_contrasts(binned[[of]], set)
        })
        for (other in noise[-1L]) expect_equal(other, noise[[1L]], tolerance = 1e-9)
      }
    }
  }
  for (test in c("tau", "rho")) {
    exact <- if (test == "tau") cond_tau else cond_rho
    asked <- if (test == "tau") "tau" else "rho given two"
    noise <- vapply(all_data, function(data) {
      answer <- private_functions[[paste("private_test,", asked)]](data, 5)
      value <- exact(
        data, "a", "o", given = if (test == "rho") c("b", "x"), breaks = same_shape_breaks
      )$statistic
      answer$statistic - value
    }, 0)
    # The grid of the statistic is 2^-16, and that of so much noise a little coarser.
    expect_lt(diff(range(noise)), 0.05)
  }
})
