// Adapter of R/engine_source.R.
#include <Rcpp.h>

#include "whole_numbers.h"

// The first of the numbers that a driver has returned, NA if there is none.
// [[Rcpp::export(rng = false)]]
double cpp_whole_number(SEXP column) {
  const privpc_r::WholeNumbers numbers(column);
  if (numbers.size() == 0) return NA_REAL;
  const auto value = numbers[0];
  return value ? static_cast<double>(*value) : NA_REAL;
}
