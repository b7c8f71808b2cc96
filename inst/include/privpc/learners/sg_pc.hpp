// SG: Gaussian noise on every single test (gaussian_judge.hpp), on one sub-sample as a whole if
// there is one.
#pragma once

#include <cstddef>

#include "privpc/learners/gaussian_judge.hpp"
#include "privpc/learners/paper_settings.hpp"

namespace privpc {

inline Skeleton search_by_gaussian(const Schema& schema, MarginSource& margins,
                                   const PaperSettings& settings, const Knowledge& knowledge,
                                   Ledger& ledger, RandomBits& bits, Monitor* monitor) {
  SearchOptions search = settings.search;
  search.threads = 1;  // the noise is drawn in the order of the questions
  GaussianJudge judge(margins, QuestionsAhead(schema, margins, settings.search.threads),
                      search.max_order, 0.25, ledger, bits);
  return search_skeleton(schema.size(), judge, knowledge, search, monitor);
}

inline Fit sg_pc(TableSource& source, const PaperSettings& settings, const Knowledge& knowledge,
                 Ledger& ledger, RandomBits& bits, Monitor* monitor) {
  const auto all_rows = margins_of(source, settings, bits);
  const std::uint64_t rows = source.schema().rows(), size = settings.sample_of(rows);
  if (size >= rows) {
    return learn_by_margins(search_by_gaussian, source, *all_rows, settings, knowledge, ledger,
                            bits, monitor);
  }
  const auto below = [&](std::uint64_t k) { return bits.below(k); };
  const auto sample = all_rows->on_sample(RowMask::sample(rows, size, below));
  return learn_by_margins(search_by_gaussian, source, *sample, settings, knowledge, ledger, bits,
                          monitor);
}

}  // namespace privpc
