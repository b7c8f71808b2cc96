// The four learners of the paper with their settings: who judges, and how much each step may cost.
// Defaults are functions of public facts only: the number of nodes and of pairs to be decided.
//
// They were chosen on simulated data of the seven bundled networks (5 to 37 variables) and of eight
// random ones (12 to 70); what they mean is in the files of the judges.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "privpc/learners/choice_search.hpp"
#include "privpc/learners/gaussian_judge.hpp"
#include "privpc/learners/sieve_judge.hpp"
#include "privpc/learners/sparse_vector_judge.hpp"
#include "privpc/search/skeleton.hpp"

namespace privpc {

enum class PrivateLearner { sieve, sparse_vector, choice, gaussian };

// Whether a sub-sample is drawn once, for the run as a whole. (The sieve draws one for each round,
// and sees all rows as well; the others know no sub-samples.)
inline bool samples_once(PrivateLearner learner) {
  return learner == PrivateLearner::gaussian;
}

struct PrivateSettings {
  PrivateLearner learner = PrivateLearner::sieve;
  std::uint64_t sample = 0;     // rows of a sieve's sub-sample
  std::size_t rounds = 0;       // 0: from the plan
  std::optional<double> tweak;  // of the sieve, in noise scales
  SearchOptions search;

  PrivateSettings() {
    search.max_order = 2;
    search.rule = SeparatorRule::first;
    search.most_tests = kMostTests;
  }

  static constexpr double kMostTests = 3e5;
};

// What each learner expects to spend its steps on. (sg_pc has no plan: it pays for every test.)
inline PlanSettings plan_of(PrivateLearner learner, std::size_t pairs, std::size_t nodes,
                            double rows, std::size_t rounds) {
  PlanSettings plan;
  plan.pairs = pairs;
  plan.nodes = nodes;
  plan.rows = rows;
  plan.rounds = rounds;
  const bool choice = learner == PrivateLearner::choice;
  const bool sieve = learner == PrivateLearner::sieve;
  plan.steps_per_pair = choice ? 0.7 : sieve ? 1.6 : 1.1;
  plan.kept_per_node = choice ? 1 : 0.8;
  return plan;
}

// The number of removals a sparse vector run without restarts is made for: not quite all pairs, as
// each raises the noise, unless there is hardly any.
inline std::size_t planned_removals(const PlanSettings& plan, const SpendingPlan& spending,
                                    const Price& cap) {
  if (plan.rounds > 0) return plan.rounds;
  const double pairs = static_cast<double>(plan.pairs);
  const double few = std::ceil(pairs - 0.5 * static_cast<double>(plan.nodes));
  const double removals = spending.is_precise(cap.of(cap.value() / (3 * pairs))) ? pairs : few;
  return static_cast<std::size_t>(std::max(1.0, removals));
}

inline Skeleton search_privately(const Schema& schema, MarginSource& margins,
                                 const PrivateSettings& settings, const Knowledge& knowledge,
                                 Ledger& ledger, RandomBits& bits, Monitor* monitor = nullptr) {
  const std::size_t nodes = schema.size();
  const std::size_t pairs = StartingGraph(nodes, knowledge).open.size();
  const PlanSettings plan =
      plan_of(settings.learner, pairs, nodes, static_cast<double>(schema.rows()), settings.rounds);
  SpendingPlan spending(ledger, plan);
  SearchOptions search = settings.search;
  if (settings.learner == PrivateLearner::choice) {
    ChoiceSearch choices(margins, ChoiceSettings(pairs), spending, ledger, bits);
    return choices.run(nodes, knowledge, search, monitor);
  }
  search.threads = 1;  // the noise is drawn in the order of the questions
  if (settings.learner == PrivateLearner::gaussian) {
    GaussianJudge judge(margins, search.max_order, 0.25, ledger, bits);
    return search_skeleton(nodes, judge, knowledge, search, monitor);
  }
  if (settings.learner == PrivateLearner::sparse_vector) {
    SparseVectorJudge judge(margins, planned_removals(plan, spending, ledger.cap()), 0.5, spending,
                            ledger, bits);
    return search_skeleton(nodes, judge, knowledge, search, monitor);
  }
  search.sweeps = 6;
  SieveSettings sieve(pairs);
  if (settings.tweak) sieve.tweak = *settings.tweak;
  SieveJudge judge(margins, {settings.sample, schema.rows()}, sieve, spending, ledger, bits);
  return search_skeleton(nodes, judge, knowledge, search, monitor);
}

// What a first round of priv_pc can have, all pairs being open: its epsilon as a whole, and the
// noise of its examine step. From public facts, for choosing a sub-sample or a number of blocks.
struct PlannedRound {
  Epsilon epsilon;
  double noise;
};

inline PlannedRound first_round(std::size_t nodes, std::uint64_t rows, std::size_t rounds,
                                const Price& cap) {
  const std::size_t pairs = nodes * (nodes - 1) / 2;
  Ledger ledger(cap);
  SpendingPlan plan(
      ledger, plan_of(PrivateLearner::sieve, pairs, nodes, static_cast<double>(rows), rounds));
  const Price price = plan.next(SieveJudge::kLeastRounds);
  const SieveAndExamine run(SieveAndExamine::Split::of(price, SieveSettings(pairs).sieve_share),
                            1.0, {rows, rows});
  return {price.is_pure() ? price.epsilon() : epsilon_per_round(price.rho(), 1),
          run.examine_noise()};
}

// Enough blocks for their votes to stand out against the noise of such a round
// (statistic/vote_margins.hpp), but of a hundred rows at least, where there are that many.
inline double vote_blocks(std::size_t nodes, std::uint64_t rows, const Price& cap) {
  const double most = std::max(2.0, static_cast<double>(rows) / 100);
  const double wanted = std::max(20.0, std::ceil(12 * first_round(nodes, rows, 0, cap).noise));
  return std::floor(std::min(most, wanted));
}

}  // namespace privpc
