// How precisely a fit will know its pairs, from public numbers alone: rows, variables, levels and
// budget. Decides what is measured for a search by score.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "privpc/learners/measure_batch.hpp"

namespace privpc {

// As many rows without noise would tell as much about a pair that is measured with 2.5 pairs per
// variable, for 60 % of the budget: 1 / (1/n + noise variance of a whitened covariance), in the
// median over pairs that stand for those of a graph (every variable with the next two, and every
// other one with the third). Levels are taken as equally frequent.
inline double effective_rows(const Schema& schema, Rho rho) {
  std::vector<std::size_t> varying;
  for (std::size_t v = 0; v < schema.size(); ++v) {
    if (schema.levels(v) > 1) varying.push_back(v);
  }
  const std::size_t p = varying.size();
  const double n = static_cast<double>(schema.rows());
  if (p < 2 || n < 1) return n;
  Batch batch;
  for (std::size_t v : varying)
    batch.push_back({VariableSet{v}, 1});
  std::vector<VariableSet> pairs;
  for (std::size_t distance = 1; distance <= 3; ++distance) {
    for (std::size_t i = 0; i < p; ++i) {
      if (distance == 3 && i % 2 == 1) continue;
      const VariableSet pair = VariableSet{varying[i]}.with(varying[(i + distance) % p]);
      if (pair.size() < 2 || std::find(pairs.begin(), pairs.end(), pair) != pairs.end()) continue;
      pairs.push_back(pair);
      batch.push_back({pair, 1});
    }
  }
  const double noise = batch_noise(schema, batch, rho * 0.6);
  std::vector<double> rows;
  for (const VariableSet& pair : pairs) {
    const double cells = static_cast<double>(schema.levels(pair[0])) * schema.levels(pair[1]);
    rows.push_back(1 / (1 / n + noise * cells / (n * n)));
  }
  std::sort(rows.begin(), rows.end());
  return (rows[(rows.size() - 1) / 2] + rows[rows.size() / 2]) / 2;
}

}  // namespace privpc
