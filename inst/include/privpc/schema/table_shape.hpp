// The shape of the table over a set of variables: public, because levels are.
#pragma once

#include <algorithm>
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

// Whether a table with all cells is worth its memory: it may be larger than the data, but not by
// much. From public facts alone, so that the same questions are asked of every source. A number
// without bins has no table. Where the number of records is a secret the limit is the one that
// holds for any number: a source, which knows it, has a table for all of these.
inline bool has_dense_table(const Schema& schema, const VariableSet& set) {
  for (auto v : set) {
    if (schema.levels(v) == 0) return false;
  }
  const bool is_public = schema.neighbours() == Neighbours::replace_one;
  const double rows = is_public ? static_cast<double>(schema.rows()) : 0;
  return cell_count(schema, set) <= std::max(65536.0, std::min(4 * rows, 4194304.0));
}

}  // namespace privpc
