// The PC algorithm with ordinary tests. NOT private: what the others are measured against.
#pragma once

#include <utility>

#include "privpc/counts/table.hpp"
#include "privpc/learners/exact_judge.hpp"
#include "privpc/learners/fit.hpp"
#include "privpc/search/skeleton.hpp"

namespace privpc {

struct ExactSettings {
  TestKind test = TestKind::g2;
  double alpha = 0.05;
  std::size_t max_order = kMaxOrder;
  unsigned threads = 1;
};

inline Fit exact_pc(TableSource& source, const ExactSettings& settings, const Knowledge& knowledge,
                    Monitor* monitor = nullptr) {
  SearchOptions options;
  options.max_order = settings.max_order;
  options.threads = settings.threads;
  options.rule = SeparatorRule::strongest;
  ExactJudge judge(source, settings.test, settings.alpha, settings.threads);
  return directed_fit(search_skeleton(source.schema().size(), judge, knowledge, options, monitor),
                      knowledge);
}

}  // namespace privpc
