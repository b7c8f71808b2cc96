# The message of an error and the function it names, for snapshots. expect_snapshot(error =
# TRUE) would do, but writes errors differently in different versions of testthat.
show_refusal <- function(code) {
  error <- tryCatch(
    {
      force(code)
      stop("not refused")
    },
    privpc_error = identity
  )
  cat("Error in ", rlang::format_error_call(error$call), ":\n", sep = "")
  cat(conditionMessage(error), "\n", sep = "")
}

# Messages and warnings as they are worded, for snapshots, which would otherwise hold the headings
# that testthat's version gives them. Gives what the code gives.
show_said <- function(code) {
  withCallingHandlers(
    code,
    message = function(m) {
      cat(conditionMessage(m))
      invokeRestart("muffleMessage")
    },
    warning = function(w) {
      cat("Warning: ", conditionMessage(w), "\n", sep = "")
      invokeRestart("muffleWarning")
    }
  )
}
