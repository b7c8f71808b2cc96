// The settings of the learners of the paper, from the list that R hands over.
#pragma once

#include <Rcpp.h>

#include <cmath>

#include "data_input.h"
#include "privpc/learners/fit_price.hpp"
#include "privpc/learners/paper_learners.hpp"

namespace privpc_r {

// The list has: learner, test, critical, published, epsilon, delta, subsample, rounds (0:
// automatic), tweak (NA: automatic), max_order, blocks (for g2 and chisq), threads, portable,
// memory_cap.
struct PaperInput {
  const privpc::PaperLearner& learner;
  privpc::Epsilon epsilon;
  double delta;
  privpc::PaperSettings settings;
  privpc::MemoryOptions memory;

  explicit PaperInput(const Rcpp::List& given)
      : learner(privpc::paper_learner(Rcpp::as<std::string>(given["learner"]))),
        epsilon(Rcpp::as<double>(given["epsilon"])),
        delta(Rcpp::as<double>(given["delta"])),
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

  // What the run may spend: by the same function that told R what to charge.
  privpc::Price cap(std::uint64_t rows) const {
    return privpc::fit_price(epsilon, delta, learner.samples_once, settings.sample_of(rows), rows)
        .run;
  }
};

}  // namespace privpc_r
