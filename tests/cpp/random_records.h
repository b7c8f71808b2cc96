// Made-up records for the tests of statistics.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "privpc/base/random_bits.hpp"
#include "privpc/counts/memory_tables.hpp"

namespace privpc_test {

using privpc::ColumnInput;
using privpc::RandomBits;
using privpc::Schema;
using privpc::Variable;

struct Records {
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<std::vector<double>> values;  // empty unless numeric
  std::vector<Variable> variables;

  std::size_t rows() const { return codes[0].size(); }
  Schema schema() const { return Schema(variables, rows()); }
  std::vector<ColumnInput> inputs() const {
    std::vector<ColumnInput> out(codes.size());
    for (std::size_t v = 0; v < codes.size(); ++v) {
      out[v].codes = codes[v].data();
      if (!values[v].empty()) out[v].values = values[v].data();
    }
    return out;
  }
};

// x, y, z, .. with these levels; y follows x a little.
inline Records random_records(const std::vector<std::uint32_t>& levels, std::size_t n,
                              RandomBits& bits) {
  Records r;
  for (std::size_t v = 0; v < levels.size(); ++v) {
    r.variables.push_back({"v" + std::to_string(v), levels[v], v % 2 == 0, false});
    r.values.emplace_back();
    r.codes.emplace_back(n);
    for (std::size_t i = 0; i < n; ++i) {
      std::uint64_t code = bits.below(levels[v]);
      if (v == 1 && bits.below(3) == 0) {
        code =
            std::min<std::uint64_t>(static_cast<std::uint64_t>(r.codes[0][i]) - 1, levels[v] - 1);
      }
      r.codes[v][i] = static_cast<std::int32_t>(code + 1);
    }
  }
  return r;
}

}  // namespace privpc_test
