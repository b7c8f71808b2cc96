// The settings of the learners of the paper, from the list that R hands over.
#pragma once

#include <Rcpp.h>

#include <cmath>

#include "data_input.h"
#include "price_input.h"
#include "privpc/learners/paper_learners.hpp"

namespace privpc_r {

// The list has: learner, test, critical, published, epsilon, rho (what the run may cost on the rows
// it sees; NA: epsilon), subsample, rounds (0: automatic), tweak (NA: automatic), max_order, blocks
// (for g2 and chisq), threads, portable, memory_cap.
struct PaperInput {
  const privpc::PaperLearner& learner;
  privpc::Price cap;
  privpc::PaperSettings settings;
  privpc::MemoryOptions memory;

  explicit PaperInput(const Rcpp::List& given)
      : learner(privpc::paper_learner(Rcpp::as<std::string>(given["learner"]))),
        cap(read_price(Rcpp::as<double>(given["epsilon"]), Rcpp::as<double>(given["rho"]))),
        memory(memory_options(Rcpp::as<int>(given["threads"]), Rcpp::as<bool>(given["portable"]),
                              Rcpp::as<double>(given["memory_cap"]))) {
    settings.sample = static_cast<std::uint64_t>(Rcpp::as<double>(given["subsample"]));
    settings.rounds = static_cast<std::size_t>(Rcpp::as<double>(given["rounds"]));
    const double tweak = Rcpp::as<double>(given["tweak"]);
    if (!std::isnan(tweak)) settings.tweak = tweak;
    settings.search.max_order = static_cast<std::size_t>(Rcpp::as<int>(given["max_order"]));
    settings.search.threads = memory.threads;
    settings.rule.kind = read_test(Rcpp::as<std::string>(given["test"]));
    settings.rule.critical = Rcpp::as<double>(given["critical"]);
    if (Rcpp::as<bool>(given["published"])) settings.rule.constants = privpc::Constants::published;
    settings.blocks = static_cast<std::size_t>(Rcpp::as<double>(given["blocks"]));
  }
};

}  // namespace privpc_r
