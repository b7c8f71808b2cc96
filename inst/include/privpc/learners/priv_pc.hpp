// Priv-PC (Wang, Pang & Song 2020): PC with sieve-and-examine, corrected (sieve_judge.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "privpc/learners/paper_settings.hpp"
#include "privpc/learners/sieve_judge.hpp"

namespace privpc {

inline constexpr ExpectedSteps kSieveSteps{1.6, 0.8};

inline Skeleton search_by_sieve(const Schema& schema, MarginSource& margins,
                                const PaperSettings& settings, const Knowledge& knowledge,
                                Ledger& ledger, RandomBits& bits, Monitor* monitor) {
  const std::size_t nodes = schema.size(), pairs = open_pairs(nodes, knowledge);
  SpendingPlan spending(ledger,
                        spending_of(nodes, pairs, schema.rows(), settings.rounds, kSieveSteps));
  SieveSettings sieve(pairs);
  if (settings.tweak) sieve.tweak = *settings.tweak;
  SieveJudge judge(margins, QuestionsAhead(schema, margins, settings.search.threads),
                   {settings.sample_of(schema.rows()), schema.rows()}, sieve, spending, ledger,
                   bits);
  SearchOptions search = settings.search;
  search.threads = 1;  // the noise is drawn in the order of the questions
  search.sweeps = 6;
  return search_skeleton(nodes, judge, knowledge, search, monitor);
}

inline Fit priv_pc(TableSource& source, const PaperSettings& settings, const Knowledge& knowledge,
                   Ledger& ledger, RandomBits& bits, Monitor* monitor) {
  const auto margins = margins_of(source, settings, bits);
  return learn_by_margins(search_by_sieve, source, *margins, settings, knowledge, ledger, bits,
                          monitor);
}

// What a first round can have, all pairs being open: its epsilon as a whole, and the noise of its
// examine step. From public facts, for choosing a sub-sample or a number of blocks.
struct PlannedRound {
  Epsilon epsilon;
  double noise;
};

inline PlannedRound first_round(std::size_t nodes, std::uint64_t rows, std::size_t rounds,
                                const Price& cap) {
  const std::size_t pairs = nodes * (nodes - 1) / 2;
  Ledger ledger(cap);
  SpendingPlan plan(ledger, spending_of(nodes, pairs, rows, rounds, kSieveSteps));
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
