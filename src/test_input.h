// How R names what the tests without privacy count.
#pragma once

#include <Rcpp.h>

#include <string>

#include "privpc/statistic/test_result.hpp"

namespace privpc_r {

inline privpc::DegreesOfFreedom read_df(const std::string& df) {
  if (df == "declared") return privpc::DegreesOfFreedom::declared;
  if (df == "occurring") return privpc::DegreesOfFreedom::occurring;
  Rcpp::stop("unknown degrees of freedom");
}

}  // namespace privpc_r
