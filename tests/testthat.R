library(testthat)
library(privpc)

test_check("privpc")
