// The learners of the paper by name. A new one that asks through margins is one more line.
#pragma once

#include <string>

#include "privpc/learners/em_pc.hpp"
#include "privpc/learners/priv_pc.hpp"
#include "privpc/learners/sg_pc.hpp"
#include "privpc/learners/svt_pc.hpp"

namespace privpc {

struct PaperLearner {
  const char* name;
  Fit (*learn)(TableSource&, const PaperSettings&, const Knowledge&, Ledger&, RandomBits&,
               Monitor*);
  MarginSearch search;  // the same without data, for tests
  // Whether a sub-sample is drawn once, for the run as a whole. (The sieve draws one for each
  // round, and sees all rows as well; the others know no sub-samples.)
  bool samples_once;
};

inline constexpr PaperLearner kPaperLearners[] = {
    {"priv_pc", priv_pc, search_by_sieve, false},
    {"svt_pc", svt_pc, search_by_sparse_vector, false},
    {"em_pc", em_pc, search_by_choices, false},
    {"sg_pc", sg_pc, search_by_gaussian, true},
};

inline const PaperLearner& paper_learner(const std::string& name) {
  for (const PaperLearner& learner : kPaperLearners) {
    if (name == learner.name) return learner;
  }
  throw std::invalid_argument("there is no learner called '" + name + "'");
}

}  // namespace privpc
