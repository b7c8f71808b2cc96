// The names of the private learners of the paper, as R has them.
#pragma once

#include <Rcpp.h>

#include <string>

#include "privpc/learners/private_search.hpp"

namespace privpc_r {

inline privpc::PrivateLearner read_learner(const std::string& name) {
  if (name == "priv_pc") return privpc::PrivateLearner::sieve;
  if (name == "svt_pc") return privpc::PrivateLearner::sparse_vector;
  if (name == "em_pc") return privpc::PrivateLearner::choice;
  if (name == "sg_pc") return privpc::PrivateLearner::gaussian;
  Rcpp::stop("unknown learner");
}

}  // namespace privpc_r
