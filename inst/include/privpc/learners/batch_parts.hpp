// Parts of batches that several choosers need.
#pragma once

#include <cstddef>
#include <vector>

#include "privpc/graph/knowledge.hpp"
#include "privpc/schema/schema.hpp"
#include "privpc/search/noisy_skeleton.hpp"
#include "privpc/statistic/batch.hpp"

namespace privpc {

namespace detail {

// Every pair of variables that vary, with whether knowledge has decided it.
template <class Visit>
void for_each_varying_pair(const Schema& schema, const Knowledge& knowledge, const Visit& visit) {
  for (std::size_t x = 0; x < schema.size(); ++x) {
    for (std::size_t y = x + 1; y < schema.size(); ++y) {
      if (schema.levels(x) < 2 || schema.levels(y) < 2) continue;
      const int a = static_cast<int>(x), b = static_cast<int>(y);
      visit(x, y, knowledge.pair_is_required(a, b) || knowledge.pair_is_forbidden(a, b));
    }
  }
}

inline std::vector<bool> variables_in(const Batch& batch, const Schema& schema) {
  std::vector<bool> involved(schema.size(), false);
  for (const BatchItem& item : batch) {
    for (auto v : item.set)
      involved[v] = true;
  }
  return involved;
}

}  // namespace detail

inline void add_all_singles(Batch& batch, const Schema& schema, double weight) {
  for (std::size_t v = 0; v < schema.size(); ++v) {
    if (schema.levels(v) > 1) batch.push_back({VariableSet{v}, weight});
  }
}

// Every variable and every pair that knowledge leaves open, and those decided pairs that tests of
// open ones may need as conditions: with an end in an open pair.
inline Batch all_pairs(const Schema& schema, const Knowledge& knowledge, const NoisyRules& rules,
                       double single_weight) {
  Batch batch;
  add_all_singles(batch, schema, single_weight);
  std::vector<bool> in_open_pair(schema.size(), false);
  detail::for_each_varying_pair(schema, knowledge, [&](std::size_t x, std::size_t y, bool decided) {
    if (!decided) in_open_pair[x] = in_open_pair[y] = true;
  });
  detail::for_each_varying_pair(schema, knowledge, [&](std::size_t x, std::size_t y, bool decided) {
    const bool needed = rules.max_order > 0 && (in_open_pair[x] || in_open_pair[y]);
    if (!decided || needed) batch.push_back({VariableSet{x, y}, 1});
  });
  return batch;
}

// The covariance of a pair is as uncertain as its margins.
inline void add_singles(Batch& batch, const Schema& schema, double weight) {
  const std::vector<bool> involved = detail::variables_in(batch, schema);
  for (std::size_t v = 0; v < schema.size(); ++v) {
    if (involved[v]) batch.push_back({VariableSet{v}, weight});
  }
}

// A pair that knowledge requires is not tested. But one of its ends may stand between the other and
// a third variable, and to see that their joint table is needed.
inline void add_required_pairs(Batch& batch, const Schema& schema, const Knowledge& knowledge) {
  const std::vector<bool> involved = detail::variables_in(batch, schema);
  detail::for_each_varying_pair(schema, knowledge, [&](std::size_t x, std::size_t y, bool) {
    const bool required = knowledge.pair_is_required(static_cast<int>(x), static_cast<int>(y));
    if (required && (involved[x] || involved[y])) batch.push_back({VariableSet{x, y}, 1});
  });
}

}  // namespace privpc
