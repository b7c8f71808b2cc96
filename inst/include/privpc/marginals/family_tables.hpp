// What private parameters need: for one directed graph of the learnt class, the tables of every
// variable with its parents. They are measured after the graph is known, from a share of the budget
// that was set aside before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/graph/pdag.hpp"
#include "privpc/marginals/batch.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/table_basis.hpp"
#include "privpc/search/neighbourhoods.hpp"

namespace privpc {

// Interactions of more variables than this are left out: their noise would exceed what they tell.
inline constexpr std::size_t kMaxFamilyInteraction = 4;

// Every interaction inside every family, each once.
inline Batch family_batch(TableSource& source, const Pdag& dag) {
  std::vector<VariableSet> sets;
  const auto want = [&](const VariableSet& set) {
    const bool varies = contrast_count(levels_of(source.schema(), set)) > 0;
    if (!varies || !source.is_dense(set)) return;
    if (std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(set);
  };
  for (int node = 0; node < dag.size(); ++node) {
    std::vector<VariableSet::Id> family{static_cast<VariableSet::Id>(node)};
    for (int other : dag.neighbours(node)) {
      if (dag.is_directed(other, node)) family.push_back(static_cast<VariableSet::Id>(other));
    }
    std::sort(family.begin(), family.end());
    for (std::size_t size = 1; size <= std::min(family.size(), kMaxFamilyInteraction); ++size) {
      for_each_subset(family, size, [&](const VariableSet& set) {
        want(set);
        return true;
      });
    }
  }
  Batch batch;
  for (const VariableSet& set : sets)
    batch.push_back({set, 1});
  return batch;
}

}  // namespace privpc
