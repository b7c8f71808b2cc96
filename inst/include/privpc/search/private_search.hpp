// The four learners of the paper with their settings: who judges, and how much each step may cost.
// Defaults are functions of public facts only: the number of nodes and of pairs to be decided.
//
// They were chosen on simulated data of seven networks (5 to 37 variables); what they mean is in
// the files of the judges.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "privpc/search/choice_search.hpp"
#include "privpc/search/gaussian_judge.hpp"
#include "privpc/search/sieve_judge.hpp"
#include "privpc/search/skeleton.hpp"
#include "privpc/search/sparse_vector_judge.hpp"

namespace privpc {

enum class PrivateLearner { sieve, sparse_vector, choice, gaussian };

struct PrivateSettings {
  PrivateLearner learner = PrivateLearner::sieve;
  std::uint64_t sample = 0;     // rows of a sieve's sub-sample
  std::size_t rounds = 0;       // 0: from the plan
  std::optional<double> tweak;  // of the sieve, in noise scales
  SearchOptions search;

  PrivateSettings() {
    search.max_order = 2;
    search.rule = SeparatorRule::first;
    search.most_tests = 3e5;
  }
};

// The number of removals a sparse vector run without restarts is made for: not quite all pairs, as
// each raises the noise, unless there is hardly any.
inline std::size_t planned_removals(const PlanSettings& plan, const SpendingPlan& spending,
                                    double epsilon) {
  if (plan.rounds > 0) return plan.rounds;
  const double pairs = static_cast<double>(plan.pairs);
  const double few = std::ceil(pairs - 0.5 * static_cast<double>(plan.nodes));
  const double removals = spending.is_precise(epsilon / (3 * pairs)) ? pairs : few;
  return static_cast<std::size_t>(std::max(1.0, removals));
}

inline Skeleton search_privately(const Schema& schema, MarginSource& margins,
                                 const PrivateSettings& settings, const Knowledge& knowledge,
                                 Ledger& ledger, RandomBits& bits, Monitor* monitor = nullptr) {
  const std::size_t nodes = schema.size();
  const std::size_t pairs = StartingGraph(nodes, knowledge).open.size();
  PlanSettings plan;
  plan.pairs = pairs;
  plan.nodes = nodes;
  plan.rows = static_cast<double>(schema.rows());
  plan.rounds = settings.rounds;
  SearchOptions search = settings.search;
  if (settings.learner == PrivateLearner::choice) {
    plan.steps_per_pair = 0.7;
    plan.kept_per_node = 1;
    SpendingPlan spending(ledger, plan);
    ChoiceSearch choices(margins, ChoiceSettings(pairs), spending, ledger, bits);
    return choices.run(nodes, knowledge, search, monitor);
  }
  search.threads = 1;  // the noise is drawn in the order of the questions
  if (settings.learner == PrivateLearner::gaussian) {
    GaussianJudge judge(margins, search.max_order, 0.25, ledger, bits);
    return search_skeleton(nodes, judge, knowledge, search, monitor);
  }
  if (settings.learner == PrivateLearner::sparse_vector) {
    plan.steps_per_pair = 1.1;
    plan.kept_per_node = 0.8;
    SpendingPlan spending(ledger, plan);
    SparseVectorJudge judge(margins, planned_removals(plan, spending, ledger.cap()), 0.5, spending,
                            ledger, bits);
    return search_skeleton(nodes, judge, knowledge, search, monitor);
  }
  plan.steps_per_pair = 1.6;
  plan.kept_per_node = 0.8;
  search.sweeps = 6;
  SpendingPlan spending(ledger, plan);
  SieveSettings sieve;
  sieve.offset_higher = sieve_offset(pairs);
  if (settings.tweak) sieve.tweak = *settings.tweak;
  SieveJudge judge(margins, {settings.sample, schema.rows()}, sieve, spending, ledger, bits);
  return search_skeleton(nodes, judge, knowledge, search, monitor);
}

}  // namespace privpc
