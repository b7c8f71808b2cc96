// Codes to tables, in memory: whatever is asked in whatever order, with every way of counting, is
// what one gets by going through the records; and a code that is no level is refused.
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "../cpp/peek.h"
#include "fuzz_target.h"
#include "privpc/base/random_bits.hpp"
#include "privpc/counts/memory_tables.hpp"
#include "records.h"

using namespace privpc;
using privpc_fuzz::Input;
using privpc_fuzz::Records;

namespace {

void check_sum(double found, const std::map<std::uint64_t, Count>& cells) {
  double expected = 0;
  for (const auto& [cell, count] : cells)
    expected += n_log_n(as_real(count));
  FUZZ_CHECK(std::fabs(found - expected) <= 1e-9 * (1 + expected));
}

void check_strata(TableSource& source, const Records& records, Input& input) {
  const std::size_t variables = records.levels.size();
  const std::size_t x = input.below(variables), y = input.below(variables);
  VariableSet given;
  for (auto v : privpc_fuzz::any_set(input, variables)) {
    if (v != x && v != y) given.insert(v);
  }
  if (x == y) return;
  // By stratum, then by x and y.
  std::map<std::uint64_t, std::map<std::pair<std::uint32_t, std::uint32_t>, Count>> expected;
  for (std::size_t row = 0; row < records.rows; ++row) {
    const auto a = static_cast<std::uint32_t>(records.codes[x][row] - 1);
    const auto b = static_cast<std::uint32_t>(records.codes[y][row] - 1);
    ++expected[records.cell(row, given)][{a, b}];
  }
  auto next = expected.begin();
  PeekForTests::visit_strata(source, x, y, given, [&](const Sealed<SparseStratum>& sealed) {
    const SparseStratum stratum = privpc_test::peek(sealed);
    FUZZ_CHECK(next != expected.end() && stratum.size == next->second.size());
    const Cell* cell = stratum.cells;
    for (const auto& [levels, count] : next->second) {
      FUZZ_CHECK(cell->x == levels.first && cell->y == levels.second && cell->count == count);
      ++cell;
    }
    ++next;
  });
  FUZZ_CHECK(next == expected.end());
}

void ask(TableSource& source, const Records& records, Input& input, int deep) {
  for (int step = 0; step < 12 && !input.empty(); ++step) {
    const VariableSet set = privpc_fuzz::any_set(input, records.levels.size());
    switch (input.below(5)) {
      case 0:
        check_sum(privpc_test::peek(source.sum_n_log_n(set)), records.cells(set));
        break;
      case 1:
        check_strata(source, records, input);
        break;
      case 2:
        privpc_test::announce_pairs(source, 1);
        break;
      case 3: {
        if (deep == 0) break;
        RandomBits bits = RandomBits::from_seed(input.byte());
        const RowMask mask = RowMask::sample(records.rows, input.below(records.rows + 1),
                                             [&](std::uint64_t k) { return bits.below(k); });
        Records part;
        part.levels = records.levels;
        part.rows = static_cast<std::size_t>(mask.selected());
        for (const auto& column : records.codes) {
          part.codes.emplace_back();
          mask.for_each([&](std::size_t row) { part.codes.back().push_back(column[row]); });
        }
        FUZZ_CHECK(part.codes[0].size() == part.rows);
        ask(*source.sample(mask), part, input, deep - 1);
        break;
      }
      default:
        if (!has_dense_table(source.schema(), set)) break;
        privpc_fuzz::check_table(*privpc_test::table_of(source, set), records.cells(set));
    }
  }
}

}  // namespace

FUZZ_TARGET(tables) {
  const Records records = privpc_fuzz::any_records(input, 6, 400);
  MemoryOptions options;
  options.portable = input.coin();
  if (input.below(3) == 0) options.memory_cap = input.below(5000);
  std::unique_ptr<MemoryTables> source;
  try {
    source = std::make_unique<MemoryTables>(records.schema(), records.inputs(), options);
  } catch (const InvalidCode&) {
    FUZZ_CHECK(!records.all_declared());
    return;
  }
  FUZZ_CHECK(records.all_declared());
  ask(*source, records, input, 2);
}
