// How precisely a fit will know its pairs, from public numbers alone: rows, variables, levels and
// budget. Decides what is measured for a search by score.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "privpc/learners/measure_batch.hpp"

namespace privpc {

inline std::vector<std::size_t> varying_variables(const Schema& schema) {
  std::vector<std::size_t> varying;
  for (std::size_t v = 0; v < schema.size(); ++v) {
    if (schema.levels(v) > 1) varying.push_back(v);
  }
  return varying;
}

// 2.5 pairs per variable that stand for those of a graph (every variable with the next two, and
// every other one with the third), and the batch of them and all single variables.
struct TypicalRound {
  std::vector<VariableSet> pairs;
  Batch batch;
};

inline TypicalRound typical_round(const Schema& schema) {
  const std::vector<std::size_t> varying = varying_variables(schema);
  const std::size_t p = varying.size();
  TypicalRound round;
  for (std::size_t v : varying)
    round.batch.push_back({VariableSet{v}, 1});
  for (std::size_t distance = 1; distance <= 3; ++distance) {
    for (std::size_t i = 0; i < p; ++i) {
      if (distance == 3 && i % 2 == 1) continue;
      const VariableSet pair = VariableSet{varying[i]}.with(varying[(i + distance) % p]);
      const auto known = std::find(round.pairs.begin(), round.pairs.end(), pair);
      if (pair.size() < 2 || known != round.pairs.end()) continue;
      round.pairs.push_back(pair);
      round.batch.push_back({pair, 1});
    }
  }
  return round;
}

// As many rows without noise would tell as much about a pair that is measured with this noise
// variance (in counts): 1 / (1/n + noise variance of a whitened covariance). Levels are taken as
// equally frequent.
inline double rows_without_noise(const Schema& schema, const VariableSet& pair, double rows,
                                 double noise) {
  const double cells = static_cast<double>(schema.levels(pair[0])) * schema.levels(pair[1]);
  return 1 / (1 / rows + noise * cells / (rows * rows));
}

inline double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

// Of the pairs of a typical round that gets 60 % of the budget, in the median.
inline double effective_rows(const Schema& schema, Rho rho) {
  const double n = static_cast<double>(schema.rows());
  const TypicalRound round = typical_round(schema);
  if (round.pairs.empty() || n < 1) return n;
  const double noise = batch_noise(schema, round.batch, rho * 0.6);
  std::vector<double> rows;
  for (const VariableSet& pair : round.pairs)
    rows.push_back(rows_without_noise(schema, pair, n, noise));
  return median_of(std::move(rows));
}

// Of the budget: all pairs, rounds of pairs in question, triples.
struct GuidedShares {
  double all_pairs;
  std::vector<double> rounds;
  double triples;
};

// The bounds, in effective rows, and the shares were found by trial; bench/plans.R compares them on
// random networks. Where much is known already a second round of pairs says little that triples do
// not say better.
inline GuidedShares guided_shares(double effective) {
  if (effective < 3000) return {0.4, {0.3, 0.3}, 0};
  if (effective < 10000) return {0.4, {0.3, 0.15}, 0.15};
  return {0.5, {0.33}, 0.17};
}

}  // namespace privpc
