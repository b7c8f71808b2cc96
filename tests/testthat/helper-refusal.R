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
