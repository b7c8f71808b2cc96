# Every adapter of the C++ core (functions called cpp_*) is reached by these calls: test-adapters.R
# says so. tools/memory.R makes them while the garbage collector runs at every chance, and under
# valgrind. They name what bad_call_world() has.

# Adapters that no exported function of the table of good calls reaches with its arguments there.
adapter_calls <- list(
  ledger_file = quote({
    file <- tempfile(fileext = ".ledger")
    privacy_budget(1, 1e-6, file = file, data = "the data set of these calls")
    again <- privacy_budget(file = file)
    marginal_pc(rows, epsilon = 0.5, delta = 1e-7, budget = again, progress = FALSE)
    laplace_mechanism(1, sensitivity = 1, epsilon = 0.01, budget = again)
    privacy_ledger(file)
  }),
  in_memory_budget = quote({
    own <- privacy_budget(2, 1e-6)
    marginal_pc(rows, epsilon = 0.5, delta = 1e-7, budget = own, progress = FALSE)
    laplace_mechanism(1, sensitivity = 1, epsilon = 0.01, budget = own)
    privacy_ledger(own)
  }),
  persons = quote({
    visits <- cbind(rows, id = rep(1:150, 2L))
    marginal_pc(visits, 1, 1e-6, id = "id", max_records = 2, progress = FALSE)
  }),
  persons_in_chunks = quote({
    file <- tempfile(fileext = ".csv")
    visits <- cbind(rows, id = rep(seq_len(150), each = 2L))
    utils::write.csv(visits, file, row.names = FALSE)
    records <- read_chunks(file, rows = 70)
    marginal_pc(
      records, 1, 1e-6, id = "id", max_records = 2, levels = lapply(rows, levels), progress = FALSE
    )
  }),
  seeds = quote(lapply(
    list(marginal_pc, priv_pc, em_pc, svt_pc, sg_pc),
    function(learner) learner(rows, 5, 1e-6, seed = 1, progress = FALSE)
  )),
  subsample = quote(priv_pc(rows, 1, test = "rho", subsample = 0.5, progress = FALSE)),
  parameters = quote(as_network(marginal_pc(
    rows, 5, 1e-6, parameters = TRUE, seed = 1, progress = FALSE
  ))),
  select_pairs = quote(marginal_pc(
    simulate(random_network(24, seed = 1), nsim = 400, seed = 1), epsilon = 0.4, delta = 1e-6,
    progress = FALSE
  )),
  hidden = quote(relearn(fit, hidden = TRUE)),
  by_tests = quote(relearn(fit, search = "tests", alpha = 0.1)),
  votes = quote(private_test(rows, "smoke", "lung", epsilon = 5, test = "g2", aggregate = "count")),
  median = quote(private_test(
    rows, "smoke", "lung", epsilon = 5, delta = 1e-6, test = "g2", aggregate = "median"
  )),
  uncertain = quote(effect(
    fit, "smoke", "bronc", graph = "uncertain", draws = 10, graphs = 5, threads = 2,
    progress = FALSE
  )),
  pooled_strength = quote(edge_strength(pooled, draws = 2, threads = 2, progress = FALSE)),
  audits = quote({
    for (audit in c(sound_mechanisms, learner_audits[c("marginal_pc", "priv_pc")])) audit(1, 200)
  }),
  selection = quote(selected_pairs(
    data_source(rows), rbind(c(1, 2), c(1, 3)), list(matrix(0.25, 2, 2), matrix(0.25, 2, 2)), 0.1,
    count = 1L
  )),
  noise = quote({
    cpp_discrete_laplace(10, 2.5, 1)
    cpp_discrete_gaussian(10, 2.5, 1)
    cpp_count_exp_minus(10, 1, 2, 1)
    cpp_random_bits(cpp_random_stream(1), 4)
    cpp_random_bits(cpp_random_stream(NULL), 4)
    cpp_noise_scale(2.5)
    cpp_rho_of_exponential(0.1)
    cpp_gaussian_instead(0.1)
    cpp_gaussian_rho_from_dp(1, 1e-6)
    cpp_smooth_sensitivity(c(1, 2, 5, 9), 0.3)
    cpp_noisy_median_tail(1, 50, 10, 1, 1, 1e-6, 100)
    cpp_enough_to_measure(10000, c(2L, 3L), 0.1, 0.05, FALSE)
  }),
  graphs = quote({
    dag <- as.matrix(net)
    cpp_dag_to_cpdag(dag, no_arcs, no_arcs)
    cpp_orient(dag + t(dag), 1L, 2L, list(3L), 1, no_arcs, no_arcs, seq_len(nrow(dag)) - 1L)
  }),
  tables = quote({
    source <- data_source(rows)
    cpp_table(source, 1:2, TRUE, 2^26)
    cpp_table(source, 1:2, FALSE, 2^26)
    cpp_count_pairs(source, 2L, FALSE)
    cpp_kernel_name()
    cpp_whole_number(7)
  }),
  loading = quote({
    cpp_limits()
    cpp_heed_interrupts()
    cpp_byte_order(c("b", "a", NA))
  })
)

# Only in a process of its own: whoever calls it ends when the parent that it names does.
not_called_here <- "cpp_end_with_parent"

adapter_names <- function() grep("^cpp_", ls(asNamespace("privpc")), value = TRUE)

# Where adapters are looked up from here: in the package, and in the copy of its functions that
# testthat may put around these helpers.
homes_of_adapters <- function() {
  namespace <- asNamespace("privpc")
  homes <- list(namespace)
  env <- environment(homes_of_adapters)
  # A copy of a namespace passes for one.
  while (!identical(env, emptyenv()) && !identical(env, namespace)) {
    if (exists("cpp_limits", envir = env, inherits = FALSE)) homes <- c(homes, env)
    env <- parent.env(env)
  }
  homes
}

# The value of `code` while every adapter is replaced by `wrap(name, adapter)`.
with_wrapped_adapters <- function(wrap, code) {
  originals <- mget(adapter_names(), envir = asNamespace("privpc"))
  put <- function(functions) {
    for (home in homes_of_adapters()) {
      for (name in names(functions)) {
        locked <- bindingIsLocked(name, home)
        if (locked) unlockBinding(name, home)
        assign(name, functions[[name]], envir = home)
        if (locked) lockBinding(name, home)
      }
    }
  }
  on.exit(put(originals))
  put(Map(wrap, names(originals), originals))
  code
}

# Makes the calls. Errors are those of the package in calls that are not meant to have any.
make_adapter_calls <- function(calls, world) {
  failed <- character()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (name in names(calls)) {
    error <- tryCatch(quietly_drawn({
      utils::capture.output(suppressWarnings(suppressMessages(
        eval(calls[[name]], new.env(parent = world))
      )))
      NULL
    }), error = conditionMessage)
    if (!is.null(error)) failed <- c(failed, paste0(name, ": ", error))
  }
  failed
}
