// The PC algorithm with ordinary tests. NOT private: what the others are measured against.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "privpc/counts/table.hpp"
#include "privpc/learners/exact_colliders.hpp"
#include "privpc/learners/exact_judge.hpp"
#include "privpc/learners/fit.hpp"
#include "privpc/search/skeleton.hpp"

namespace privpc {

struct ExactSettings {
  TestKind test = TestKind::g2;
  double alpha = 0.05;
  std::size_t max_order = kMaxOrder;
  double most_tests = HUGE_VAL;  // an order that may take more is left out, but for that of 0
  unsigned threads = 1;
  DegreesOfFreedom counted = DegreesOfFreedom::declared;
  ColliderRule colliders = ColliderRule::separating_set;
};

struct ExactFit {
  Fit fit;
  std::uint64_t collider_tests = 0;  // asked for directions, after those of the skeleton
  bool colliders_cut_short = false;  // some were left out for their number
};

inline ExactFit exact_pc(TableSource& source, const ExactSettings& settings,
                         const Knowledge& knowledge, Monitor* monitor = nullptr) {
  SearchOptions options;
  options.max_order = settings.max_order;
  options.most_tests = settings.most_tests;
  options.threads = settings.threads;
  options.rule = SeparatorRule::strongest;
  ExactJudge judge(source, settings.test, settings.alpha, settings.threads, settings.counted);
  Skeleton skeleton = search_skeleton(source.schema().size(), judge, knowledge, options, monitor);
  if (settings.colliders == ColliderRule::separating_set)
    return {directed_fit(std::move(skeleton), knowledge)};
  ColliderSearch search(source, judge, skeleton, settings.max_order);
  const bool all = search.ask(settings.threads, monitor, settings.most_tests);
  std::vector<Collider> colliders = search.colliders(settings.colliders, settings.alpha);
  const std::uint64_t tests = search.tests();
  return {directed_fit(std::move(skeleton), std::move(colliders), knowledge), tests, !all};
}

}  // namespace privpc
