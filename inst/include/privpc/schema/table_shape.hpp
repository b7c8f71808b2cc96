// The shape of the table over a set of variables: public, because levels are.
#pragma once

#include <cstdint>
#include <vector>

#include "privpc/schema/schema.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

// Number of cells, or +infinity where it does not fit.
inline double cell_count(const Schema& schema, const VariableSet& set) {
  double cells = 1;
  for (auto v : set)
    cells *= schema.levels(v);
  return cells;
}

inline std::vector<std::uint32_t> levels_of(const Schema& schema, const VariableSet& set) {
  std::vector<std::uint32_t> levels;
  for (auto v : set)
    levels.push_back(schema.levels(v));
  return levels;
}

}  // namespace privpc
