# Time and memory from ten thousand to ten million rows.

measure_growth <- function(rows, names = c("asia", "alarm")) {
  results <- lapply(names, function(name) {
    do.call(rbind, lapply(rows, function(n) {
      data <- simulate(network(name), nsim = n, seed = 1, threads = 2)
      run <- function() {
        suppressMessages(exact_pc(data, "g2", 0.01, max_order = 3, threads = 2, progress = FALSE))
      }
      cpu <- cpu_time(run, rounds = 3, at_least = 0.2)
      elapsed <- 1000 * min(replicate(3, system.time(run())[["elapsed"]]))
      rm(data)
      gc()
      set_up <- sprintf(
        "data <- simulate(network('%s'), nsim = %d, seed = 1, threads = 2); gc()", name, n
      )
      data.frame(
        network = name, rows = n, `CPU ms` = cpu, `elapsed ms` = elapsed,
        `data MB` = 4 * n * length(network(name)$nodes) / 2^20,
        `extra MB` = peak_memory(set_up, "fit <- suppressMessages(exact_pc(data, 'g2', 0.01, max_order = 3))"),
        check.names = FALSE
      )
    }))
  })
  out <- do.call(rbind, results)
  out$rows <- format(out$rows, big.mark = ",", scientific = FALSE, trim = TRUE)
  out
}
