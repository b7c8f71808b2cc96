// Records made of a fuzzer's bytes, and their tables counted one record after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fuzz_target.h"
#include "privpc/counts/columns.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/schema/schema.hpp"

namespace privpc_fuzz {

using privpc::Count;
using privpc::VariableSet;

struct Records {
  std::vector<std::uint32_t> levels;
  std::vector<std::vector<std::int32_t>> codes;  // by variable
  std::size_t rows = 0;

  privpc::Schema schema(std::uint64_t of_rows) const {
    std::vector<privpc::Variable> variables;
    for (std::size_t v = 0; v < levels.size(); ++v)
      variables.push_back({"v" + std::to_string(v), levels[v], v % 2 == 0, false});
    return privpc::Schema(variables, of_rows);
  }
  privpc::Schema schema() const { return schema(rows); }

  std::vector<privpc::ColumnInput> inputs() const {
    std::vector<privpc::ColumnInput> out(codes.size());
    for (std::size_t v = 0; v < codes.size(); ++v)
      out[v].codes = codes[v].data();
    return out;
  }

  std::uint64_t cell(std::size_t row, const VariableSet& set) const {
    std::uint64_t out = 0;
    for (auto v : set)
      out = out * levels[v] + static_cast<std::uint64_t>(codes[v][row] - 1);
    return out;
  }

  std::map<std::uint64_t, Count> cells(const VariableSet& set) const {
    std::map<std::uint64_t, Count> out;
    for (std::size_t row = 0; row < rows; ++row)
      ++out[cell(row, set)];
    return out;
  }

  bool all_declared() const {
    for (std::size_t v = 0; v < levels.size(); ++v) {
      for (std::int32_t code : codes[v]) {
        if (code < 1 || static_cast<std::uint32_t>(code) > levels[v]) return false;
      }
    }
    return true;
  }
};

// One to `most_variables` variables. A seed spreads a few bytes over many rows; now and then a code
// is none.
inline Records any_records(Input& input, std::size_t most_variables, std::size_t most_rows) {
  Records out;
  const std::size_t variables = 1 + input.below(most_variables);
  out.rows = 1 + input.below(most_rows);
  const bool damaged = input.below(8) == 7;
  for (std::size_t v = 0; v < variables; ++v) {
    const std::size_t kind = input.below(16);
    out.levels.push_back(static_cast<std::uint32_t>(kind == 15   ? 60 + input.below(12)
                                                    : kind == 14 ? 300
                                                                 : 1 + kind % 5));
    std::uint64_t state = input.byte();
    const std::size_t common = input.below(8);  // of so many, how many records are at one level
    out.codes.emplace_back();
    for (std::size_t row = 0; row < out.rows; ++row) {
      state = state * 6364136223846793005U + 1442695040888963407U + (row < 16 ? input.byte() : 0);
      const std::uint64_t draw = state >> 33;
      const std::uint64_t level = draw % 8 < common ? 0 : draw / 8 % out.levels[v];
      out.codes[v].push_back(static_cast<std::int32_t>(level + 1));
    }
  }
  if (damaged) {
    const std::array<std::int32_t, 6> wrong{
        0, -1, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(),
        6, 73};
    auto& column = out.codes[input.below(variables)];
    column[input.below(out.rows)] = wrong[input.below(wrong.size())];
  }
  return out;
}

inline VariableSet any_set(Input& input, std::size_t variables) {
  const std::size_t members = input.byte();
  VariableSet out;
  for (std::size_t v = 0; v < variables; ++v) {
    if ((members >> v & 1U) != 0) out.insert(v);
  }
  return out;
}

inline void check_table(const privpc::Table& table, const std::map<std::uint64_t, Count>& cells) {
  std::size_t filled = 0;
  for (std::size_t cell = 0; cell < table.counts.size(); ++cell) {
    if (table.counts[cell] == 0) continue;
    const auto known = cells.find(cell);
    FUZZ_CHECK(known != cells.end() && known->second == table.counts[cell]);
    ++filled;
  }
  for (const auto& [cell, count] : cells)
    filled -= count != 0;
  FUZZ_CHECK(filled == 0);
}

}  // namespace privpc_fuzz
