// SVT-PC: PC with the sparse vector technique alone (sparse_vector_judge.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "privpc/learners/paper_settings.hpp"
#include "privpc/learners/sparse_vector_judge.hpp"

namespace privpc {

// The number of removals a run without restarts is made for: not quite all pairs, as each raises
// the noise, unless there is hardly any.
inline std::size_t planned_removals(const SpendingSettings& settings, const SpendingPlan& spending,
                                    const Price& cap) {
  if (settings.rounds > 0) return settings.rounds;
  const double pairs = static_cast<double>(settings.pairs);
  const double few = std::ceil(pairs - 0.5 * static_cast<double>(settings.nodes));
  const double removals = spending.is_precise(cap.of(cap.value() / (3 * pairs))) ? pairs : few;
  return static_cast<std::size_t>(std::max(1.0, removals));
}

inline Skeleton search_by_sparse_vector(const Schema& schema, MarginSource& margins,
                                        const PaperSettings& settings, const Knowledge& knowledge,
                                        Ledger& ledger, RandomBits& bits, Monitor* monitor) {
  const SpendingSettings expected = spending_of(schema.size(), open_pairs(schema.size(), knowledge),
                                                schema.rows(), settings.rounds, {1.1, 0.8});
  SpendingPlan spending(ledger, expected);
  SparseVectorJudge judge(margins, QuestionsAhead(schema, margins, settings.search.threads),
                          planned_removals(expected, spending, ledger.cap()), 0.5, spending, ledger,
                          bits);
  SearchOptions search = settings.search;
  search.threads = 1;  // the noise is drawn in the order of the questions
  return search_skeleton(schema.size(), judge, knowledge, search, monitor);
}

inline Fit svt_pc(TableSource& source, const PaperSettings& settings, const Knowledge& knowledge,
                  Ledger& ledger, RandomBits& bits, Monitor* monitor) {
  const auto margins = margins_of(source, settings, bits);
  return learn_by_margins(search_by_sparse_vector, source, *margins, settings, knowledge, ledger,
                          bits, monitor);
}

}  // namespace privpc
