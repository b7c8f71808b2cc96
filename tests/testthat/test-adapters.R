# The calls that `make memory` makes under valgrind and with the garbage collector at every chance.

world_of_calls <- function() {
  world <- bad_call_world()
  parent.env(world) <- environment()
  world
}

test_that("the calls of make memory reach every adapter, and none fails", {
  rlang::local_options(privpc.advice = FALSE)
  reached <- new.env()
  calls <- c(good_calls, adapter_calls)
  calls$simulate.privpc <- NULL
  note <- function(name, adapter) {
    force(name)
    function(...) {
      reached[[name]] <- TRUE
      adapter(...)
    }
  }
  world <- world_of_calls()
  failed <- with_wrapped_adapters(note, make_adapter_calls(calls, world))
  expect_identical(failed, character())
  expect_setequal(ls(reached), setdiff(adapter_names(), not_called_here))
})

test_that("a call that fails is told, and adapters are put back", {
  world <- world_of_calls()
  before <- mget(adapter_names(), envir = asNamespace("privpc"))
  failed <- with_wrapped_adapters(
    function(name, adapter) function(...) stop("wrapped"),
    make_adapter_calls(list(fails = quote(network("asia")), works = quote(1 + 1)), world)
  )
  expect_match(failed, "^fails: .*wrapped")
  expect_identical(mget(adapter_names(), envir = asNamespace("privpc")), before)
})
