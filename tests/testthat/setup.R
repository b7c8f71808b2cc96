# Most tests use few rows or a large epsilon on purpose; test-weak_promise.R looks at the warnings.
rlang::local_options(privpc.advice = FALSE, .frame = testthat::teardown_env())
