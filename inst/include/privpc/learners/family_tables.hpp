// What private parameters need: for one directed graph of the learnt class, the tables of every
// variable with its parents. They are measured after the graph is known, from a share of the budget
// that was set aside before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "privpc/graph/neighbourhoods.hpp"
#include "privpc/graph/pdag.hpp"
#include "privpc/marginals/contrasts.hpp"
#include "privpc/schema/table_shape.hpp"
#include "privpc/statistic/batch.hpp"

namespace privpc {

// Interactions of more variables than this are left out: their noise would exceed what they tell.
// Large families have very many interactions, of which only the smaller ones are measured.
inline std::size_t max_family_interaction(std::size_t family) {
  return family <= 7 ? 4 : family <= 12 ? 3 : 2;
}

// Every interaction inside every family, each once.
inline Batch family_batch(const Schema& schema, const Pdag& dag) {
  std::set<std::vector<VariableSet::Id>> sets;
  const auto want = [&](const VariableSet& set) {
    const bool varies = contrast_count(levels_of(schema, set)) > 0;
    if (varies && has_dense_table(schema, set)) sets.emplace(set.begin(), set.end());
  };
  for (int node = 0; node < dag.size(); ++node) {
    std::vector<VariableSet::Id> family{static_cast<VariableSet::Id>(node)};
    for (int other : dag.neighbours(node)) {
      if (dag.is_directed(other, node)) family.push_back(static_cast<VariableSet::Id>(other));
    }
    std::sort(family.begin(), family.end());
    for (std::size_t size = 1;
         size <= std::min(family.size(), max_family_interaction(family.size())); ++size) {
      for_each_subset(family, size, [&](const VariableSet& set) {
        want(set);
        return true;
      });
    }
  }
  Batch batch;
  for (const auto& members : sets) {
    BatchItem item;
    for (auto v : members)
      item.set.append(v);
    batch.push_back(item);
  }
  return batch;
}

}  // namespace privpc
