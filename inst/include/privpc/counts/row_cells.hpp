// Counting row by row through codes and ranks: for variables of very many levels, for numeric
// columns, and for sets whose full table would be larger than the data. O(n log n) at worst.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/unhurried_sort.hpp"
#include "privpc/counts/columns.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

// Adds one to the full table's cell of every row: mixed-radix index, in blocks so that the
// partial index stays in the first-level cache.
inline void count_by_codes(const std::vector<Column>& columns, std::size_t rows, Table& table) {
  constexpr std::size_t kBlock = 1024;
  std::uint32_t index[kBlock];
  for (std::size_t begin = 0; begin < rows; begin += kBlock) {
    if (begin % (64 * kBlock) == 0) breathe();
    const std::size_t length = std::min(kBlock, rows - begin);
    std::fill(index, index + length, 0u);
    for (std::size_t i = 0; i < table.variables.size(); ++i) {
      const std::int32_t* codes = columns[table.variables[i]].codes + begin;
      const std::uint32_t levels = table.levels[i];
      for (std::size_t r = 0; r < length; ++r) {
        index[r] = index[r] * levels + static_cast<std::uint32_t>(codes[r]) - 1u;
      }
    }
    for (std::size_t r = 0; r < length; ++r)
      ++table.counts[index[r]];
  }
}

// The joint value of a set of variables in every row, renumbered 0, 1, ... in lexicographic
// order of the levels that occur.
struct Strata {
  std::vector<std::uint32_t> of_row;
  std::uint32_t size = 1;
};

inline Strata strata_of(const std::vector<Column>& columns, std::size_t rows,
                        const VariableSet& set) {
  Strata strata;
  strata.of_row.assign(rows, 0);
  std::vector<std::uint64_t> keys(rows), distinct;
  std::vector<std::uint32_t> number;
  for (auto v : set) {
    breathe();
    const Column& column = columns[v];
    const std::uint64_t levels = column.levels;
    for (std::size_t r = 0; r < rows; ++r) {
      keys[r] = strata.of_row[r] * levels + static_cast<std::uint32_t>(column.codes[r]) - 1u;
    }
    const std::uint64_t range = strata.size * levels;
    if (range <= 4 * static_cast<std::uint64_t>(rows) + 65536) {
      number.assign(static_cast<std::size_t>(range), 0);
      for (std::uint64_t key : keys)
        number[key] = 1;
      std::uint32_t next = 0;
      for (std::uint32_t& slot : number)
        slot = slot != 0 ? next++ : 0;
      for (std::size_t r = 0; r < rows; ++r)
        strata.of_row[r] = number[keys[r]];
      strata.size = next;
    } else {
      distinct = keys;
      unhurried_sort(distinct.begin(), distinct.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      for (std::size_t r = 0; r < rows; ++r) {
        if (r % 65536 == 0) breathe();
        strata.of_row[r] = static_cast<std::uint32_t>(
            std::lower_bound(distinct.begin(), distinct.end(), keys[r]) - distinct.begin());
      }
      strata.size = static_cast<std::uint32_t>(distinct.size());
    }
  }
  return strata;
}

inline std::uint32_t fine_value(const Column& column, std::size_t row) {
  return column.ranks.empty() ? static_cast<std::uint32_t>(column.codes[row]) - 1u
                              : column.ranks[row];
}

// Calls visit() for each stratum with its non-empty (x, y) cells, sorted.
inline void visit_row_strata(const std::vector<Column>& columns, std::size_t rows, std::size_t x,
                             std::size_t y, const VariableSet& given, const VisitStratum& visit) {
  const Strata strata = strata_of(columns, rows, given);
  // Rows grouped by stratum (counting sort), each row as one sortable key (x high, y low).
  std::vector<std::size_t> begin(strata.size + std::size_t{1}, 0);
  for (std::uint32_t s : strata.of_row)
    ++begin[s + std::size_t{1}];
  for (std::size_t s = 0; s < strata.size; ++s)
    begin[s + 1] += begin[s];
  std::vector<std::uint64_t> keys(rows);
  std::vector<std::size_t> at(begin.begin(), begin.end() - 1);
  for (std::size_t r = 0; r < rows; ++r) {
    if (r % 65536 == 0) breathe();
    keys[at[strata.of_row[r]]++] =
        static_cast<std::uint64_t>(fine_value(columns[x], r)) << 32 | fine_value(columns[y], r);
  }
  std::vector<Cell> cells;
  for (std::size_t s = 0; s < strata.size; ++s) {
    std::uint64_t* first = keys.data() + begin[s];
    std::uint64_t* last = keys.data() + begin[s + 1];
    if (first == last) continue;  // without rows
    unhurried_sort(first, last);
    cells.clear();
    for (std::uint64_t* k = first; k != last; ++k) {
      if (k != first && *k == k[-1]) {
        ++cells.back().count;
      } else {
        cells.push_back({static_cast<std::uint32_t>(*k >> 32), static_cast<std::uint32_t>(*k), 1});
      }
    }
    visit(Sealed<SparseStratum>({cells.data(), cells.size()}));
  }
}

}  // namespace privpc
