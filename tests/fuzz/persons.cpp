// Persons with several records: which are kept, whatever order the records come in, and what the
// kept ones weigh.
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "../cpp/peek.h"
#include "fuzz_target.h"
#include "privpc/counts/kept_records.hpp"
#include "privpc/counts/person_tables.hpp"
#include "records.h"

using namespace privpc;
using privpc_fuzz::Input;
using privpc_fuzz::Records;

namespace {

struct People {
  Records records;
  std::vector<std::int32_t> whose;
  std::vector<std::string> ids;
  std::vector<double> time;

  std::vector<std::uint8_t> kept(unsigned most, bool by_time) const {
    const PersonInput input{whose.data(), ids, by_time ? time.data() : nullptr};
    const std::vector<ColumnInput> columns = records.inputs();
    return KeptRecords(input, columns, records.rows, most).take();
  }
};

// The same records in another order, each with its own number.
People shuffled(const People& people, Input& input, std::vector<std::size_t>& from) {
  People out = people;
  from.resize(people.records.rows);
  std::iota(from.begin(), from.end(), 0);
  for (std::size_t i = from.size(); i > 1; --i)
    std::swap(from[i - 1], from[input.below(i)]);
  for (std::size_t i = 0; i < from.size(); ++i) {
    out.whose[i] = people.whose[from[i]];
    out.time[i] = people.time[from[i]];
    for (std::size_t v = 0; v < out.records.codes.size(); ++v)
      out.records.codes[v][i] = people.records.codes[v][from[i]];
  }
  return out;
}

// Everyone weighs `unit` in all, and records of a person weigh the same.
std::map<std::uint64_t, Count> weighed(const People& people, const std::vector<std::uint8_t>& kept,
                                       Count unit, const VariableSet& set) {
  std::map<std::uint64_t, Count> out;
  for (std::size_t row = 0; row < kept.size(); ++row) {
    if (kept[row] > 0) out[people.records.cell(row, set)] += unit / kept[row];
  }
  return out;
}

void check_kept(const People& people, const std::vector<std::uint8_t>& kept, unsigned most) {
  std::vector<unsigned> all(people.ids.size() + 1, 0), of_person(people.ids.size() + 1, 0);
  for (std::size_t row = 0; row < kept.size(); ++row) {
    ++all[static_cast<std::size_t>(people.whose[row])];
    of_person[static_cast<std::size_t>(people.whose[row])] += kept[row] > 0;
  }
  for (std::size_t row = 0; row < kept.size(); ++row) {
    const auto person = static_cast<std::size_t>(people.whose[row]);
    FUZZ_CHECK(of_person[person] == std::min(all[person], most));
    FUZZ_CHECK(kept[row] == 0 || kept[row] == of_person[person]);
  }
}

}  // namespace

FUZZ_TARGET(persons) {
  People people;
  people.records = privpc_fuzz::any_records(input, 4, 80);
  if (!people.records.all_declared()) return;
  const std::size_t persons = 1 + input.below(20);
  for (std::size_t p = 0; p < persons; ++p)
    people.ids.push_back(std::to_string(p) + input.text(3));
  const bool by_time = input.coin();
  std::vector<char> there(persons + 1, 0);
  bool whole = true;
  for (std::size_t row = 0; row < people.records.rows; ++row) {
    const int stray = input.below(64) == 63 ? input.number_below(5) - 2 : 1;
    people.whose.push_back(static_cast<std::int32_t>(input.below(persons)) + stray);
    people.time.push_back(input.coin() ? input.byte() : std::nan(""));
    const std::int32_t whose = people.whose.back();
    if (whose < 1 || whose > static_cast<std::int32_t>(persons)) {
      whole = false;
    } else {
      there[static_cast<std::size_t>(whose)] = 1;
    }
  }
  whole = whole && std::count(there.begin() + 1, there.end(), 1) == static_cast<long>(persons);
  const unsigned most = static_cast<unsigned>(input.below(12));
  std::vector<std::uint8_t> kept;
  const bool refused = privpc_fuzz::refused([&] { kept = people.kept(most, by_time); });
  FUZZ_CHECK(refused == (most < 1 || most > kMostRecords || !whole));
  if (refused) return;
  check_kept(people, kept, most);
  PersonTables tables(people.records.schema(persons), people.records.inputs(), kept, most,
                      MemoryOptions{});
  std::vector<std::size_t> from;
  const People others = shuffled(people, input, from);
  const std::vector<std::uint8_t> also = others.kept(most, by_time);
  for (int step = 0; step < 6; ++step) {
    const VariableSet set = privpc_fuzz::any_set(input, people.records.levels.size());
    if (!has_dense_table(tables.schema(), set)) continue;
    const auto expected = weighed(people, kept, tables.unit(), set);
    privpc_fuzz::check_table(*privpc_test::table_of(tables, set), expected);
    FUZZ_CHECK(expected == weighed(others, also, tables.unit(), set));
  }
  // Damaged marks: refused, or they say of as many persons as there are.
  std::vector<std::uint8_t> damaged = kept;
  damaged[input.below(damaged.size())] = input.byte();
  privpc_fuzz::refused([&] {
    PersonTables(people.records.schema(persons), people.records.inputs(), damaged, most,
                 MemoryOptions{});
  });
}
