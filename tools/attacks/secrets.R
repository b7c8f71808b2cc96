# Planted secrets in everything that calls give, say, print and raise.

try_secrets <- function(share) {
  data <- secret_persons(secret_records())
  secrets <- secrets_of(data)
  rows <- list()
  add <- function(kind, call, found, expected) {
    cat(sprintf("%-12s %-45s %s\n", kind, call, if (length(found)) found[[1L]] else "nothing"))
    rows[[length(rows) + 1L]] <<- data.frame(
      kind = kind, call = call, found = length(found),
      first = if (length(found)) utils::head(found, 1L) else "",
      `as expected` = if ((length(found) > 0L) == expected) "yes" else "NO", check.names = FALSE
    )
  }
  # With so little budget a secret is not hit by chance; the other is as it is used.
  for (epsilon in if (share < 0.5) 0.02 else c(0.02, 1)) {
    calls <- secret_calls(data, epsilon)
    for (name in names(calls)) {
      add(
        "call", paste0(name, ", epsilon ", epsilon),
        secrets_shown(calls[[name]], secrets, must_work = TRUE), FALSE
      )
    }
  }
  refused <- refused_calls(data)
  for (name in names(refused)) {
    seen <- all_seen(refused[[name]]())
    stopifnot(inherits(seen$value, "error"))
    add("refusal", name, secrets_seen(seen, secrets), FALSE)
  }
  fit <- secret_calls(data)$marginal_pc()
  for (name in names(planted_leaks)) {
    found <- secrets_shown(function() planted_leaks[[name]](fit, data), secrets)
    add("planted leak", name, found, TRUE)
  }
  rows <- do.call(rbind, rows)
  list(
    table = rows, secrets = length(secrets$numbers) + length(secrets$words),
    wrong = sum(rows$`as expected` == "NO")
  )
}

