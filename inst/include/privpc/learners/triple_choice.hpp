// Which triples to measure: those that tests given two variables need for the edges that are left,
// ranked by how much of the dependence they would explain, as many as keep the noise in bounds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "privpc/learners/measure_batch.hpp"
#include "privpc/search/noisy_skeleton.hpp"

namespace privpc {

struct TripleSettings {
  double explained_share = 0.9;  // of the effect that may be left for a triple to be of interest
  // Noise variance of triples, over the number of rows: at most about the sampling variance.
  double noise = 0.3;
  std::size_t most_rounds = 8;  // pairs of conditions per edge
};

namespace detail {

inline std::vector<VariableSet> promising_conditions(NoisySkeleton& search, const Schema& schema,
                                                     const NodePair& edge, double explained_share) {
  std::vector<std::pair<double, VariableSet>> ranked;
  for (const VariableSet& given : search.conditioning_sets(edge, 2)) {
    const double left = std::max(search.test(edge, given).effect, 0.0);
    const bool countable =
        has_dense_table(schema, given.with(edge.x)) && has_dense_table(schema, given.with(edge.y));
    if (countable && left < explained_share * search.effect(edge.x, edge.y)) {
      ranked.emplace_back(left, given);
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<VariableSet> out;
  for (const auto& item : ranked)
    out.push_back(item.second);
  return out;
}

inline void add_triple(Batch& batch, const VariableSet& triple) {
  const bool known = std::any_of(batch.begin(), batch.end(),
                                 [&](const BatchItem& item) { return item.set == triple; });
  if (!known) batch.push_back({triple, 1});
}

// In counts, of the pairs that were measured best.
inline double pair_noise(const Measurements& so_far) {
  double least = HUGE_VAL;
  for (const auto& [set, measured] : so_far.entries()) {
    if (set.size() == 2) least = std::min(least, measured.variance);
  }
  return least * so_far.rows() * so_far.rows();
}

}  // namespace detail

inline Batch choose_triples(const Measurements& so_far, const Knowledge& knowledge,
                            const NoisyRules& rules, Rho rho, const TripleSettings& settings = {},
                            Monitor* monitor = nullptr) {
  if (rules.max_order < 2) return {};
  const Schema& schema = so_far.schema();
  NoisySkeleton search(so_far, knowledge, rules, monitor);
  search.examine_order(1);
  search.examine_order(2);
  struct Wish {
    NodePair edge;
    std::vector<VariableSet> conditions;  // the most promising first
  };
  std::vector<Wish> wishes;
  for (const NodePair& edge : search.open_edges()) {
    wishes.push_back(
        {edge, detail::promising_conditions(search, schema, edge, settings.explained_share)});
  }
  const double bound = std::max(detail::pair_noise(so_far), settings.noise * so_far.rows());
  Batch chosen;
  for (std::size_t round = 0; round < settings.most_rounds; ++round) {
    Batch more = chosen;
    for (const Wish& wish : wishes) {
      if (round >= wish.conditions.size()) continue;
      for (std::size_t end : {wish.edge.x, wish.edge.y})
        detail::add_triple(more, wish.conditions[round].with(end));
    }
    if (more.size() == chosen.size()) continue;
    if (!chosen.empty() && batch_noise(schema, more, rho) > bound) break;
    chosen = std::move(more);
  }
  return chosen;
}

}  // namespace privpc
