// Tables that somebody else counts. Honest counts, in any order and in parts, give the tables of
// the records, however little memory there is; wrong ones are refused or have the right total.
#include <map>
#include <memory>
#include <vector>

#include "../cpp/peek.h"
#include "fuzz_target.h"
#include "privpc/counts/fetched_tables.hpp"
#include "records.h"

using namespace privpc;
using privpc_fuzz::Input;
using privpc_fuzz::Records;

namespace {

class Engine : public FetchedTables {
 public:
  Engine(const Records& records, Input& input, std::size_t memory_cap, Count unit, bool honest)
      : FetchedTables(records.schema(), memory_cap, 1, unit),
        records_(records),
        input_(input),
        honest_(honest) {}

 protected:
  void count(const std::vector<VariableSet>& sets, Arrivals& arrivals) override {
    for (std::size_t s = 0; s < sets.size(); ++s) {
      for (const auto& [known, n] : records_.cells(sets[s])) {
        std::uint64_t cell = known;
        const Count all = n * unit();
        Count part = static_cast<Count>(input_.below(static_cast<std::size_t>(n)));
        if (honest_) {
          arrivals.add(s, cell, part);
          arrivals.add(s, cell, all - part);
          continue;
        }
        switch (input_.below(12)) {
          case 0:
            part = static_cast<Count>(input_.word());
            break;
          case 1:
            cell = input_.word();
            break;
          case 2:
            arrivals.add(s + input_.below(3), cell, part);
            break;
          case 3:
            arrivals.add(s, cell, std::numeric_limits<Count>::max());
            break;
          default:
            part = all;
        }
        arrivals.add(s, cell, part);
      }
    }
  }

 private:
  const Records& records_;
  Input& input_;
  bool honest_;
};

void ask(Engine& engine, const Records& records, Input& input, bool honest) {
  for (int step = 0; step < 10 && !input.empty(); ++step) {
    const VariableSet set = privpc_fuzz::any_set(input, records.levels.size());
    if (input.below(3) == 0) {
      std::vector<VariableSet> sets{set, privpc_fuzz::any_set(input, records.levels.size())};
      engine.announce({[&](const Announcement::Visit& visit) {
                         for (const VariableSet& each : sets)
                           visit(each);
                       },
                       false, 1});
      continue;
    }
    if (!has_dense_table(engine.schema(), set)) continue;
    const auto table = privpc_test::table_of(engine, set);
    Count total = 0;
    for (Count count : table->counts) {
      FUZZ_CHECK(count >= 0);
      total += count;
    }
    FUZZ_CHECK(total == static_cast<Count>(records.rows) * engine.unit());
    if (!honest) continue;
    auto cells = records.cells(set);
    for (auto& [cell, count] : cells)
      count *= engine.unit();
    privpc_fuzz::check_table(*table, cells);
  }
}

}  // namespace

FUZZ_TARGET(fetched) {
  const Records records = privpc_fuzz::any_records(input, 7, 60);
  if (!records.all_declared()) return;
  const bool honest = input.coin();
  const std::size_t memory_cap = input.coin() ? std::size_t{1} << 20 : input.below(3000);
  Engine engine(records, input, memory_cap, input.coin() ? 1 : 2520, honest);
  try {
    ask(engine, records, input, honest);
  } catch (const ChangedData&) {
    FUZZ_CHECK(!honest);
  } catch (const NeedsRows&) {
    // More cells than numbers can tell apart.
    double cells = 1;
    for (std::uint32_t levels : records.levels)
      cells *= levels;
    FUZZ_CHECK(cells > 0x1p53);
  }
}
