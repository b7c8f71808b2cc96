// Every table the counters make is compared with one counted cell by cell from the rows.
#include <catch.h>

#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "peek.h"
#include "privpc/counts/memory_tables.hpp"

using namespace privpc;
using namespace privpc_test;

namespace {

struct SimulatedData {
  std::vector<std::vector<std::int32_t>> codes;
  Schema schema;
  std::vector<ColumnInput> inputs() const {
    std::vector<ColumnInput> out;
    for (const auto& column : codes)
      out.push_back({column.data(), nullptr});
    return out;
  }
};

// Skewed columns that depend on each other, so that tables have empty and crowded cells.
SimulatedData simulated(std::size_t n, const std::vector<std::uint32_t>& levels, unsigned seed) {
  std::mt19937_64 random(seed);
  SimulatedData data;
  std::vector<Variable> variables;
  for (std::size_t v = 0; v < levels.size(); ++v) {
    std::vector<std::int32_t> column(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double u = std::pow(std::uniform_real_distribution<>()(random), 2.5);
      column[i] = static_cast<std::int32_t>(u * levels[v]) + 1;
      if (v > 0 && random() % 3 == 0) {
        column[i] = (data.codes[v - 1][i] - 1) % static_cast<std::int32_t>(levels[v]) + 1;
      }
    }
    data.codes.push_back(column);
    variables.push_back({"v" + std::to_string(v), levels[v], false, false});
  }
  data.schema = Schema(variables, n);
  return data;
}

std::vector<Count> naive_table(const SimulatedData& data, const VariableSet& set,
                               const RowMask* mask = nullptr) {
  std::size_t cells = 1;
  for (auto v : set)
    cells *= data.schema.levels(v);
  std::vector<Count> counts(cells, 0);
  for (std::size_t i = 0; i < data.schema.rows(); ++i) {
    if (mask != nullptr && !mask->contains(i)) continue;
    std::size_t index = 0;
    for (auto v : set) {
      index = index * data.schema.levels(v) + static_cast<std::size_t>(data.codes[v][i] - 1);
    }
    ++counts[index];
  }
  return counts;
}

VariableSet random_set(std::size_t variables, std::size_t size, std::mt19937_64& random) {
  VariableSet set;
  while (set.size() < size)
    set.insert(random() % variables);
  return set;
}

}  // namespace

TEST_CASE("tables equal naive counts for many shapes, kernels and memory caps") {
  std::mt19937_64 random(1);
  for (std::size_t n : {1u, 2u, 63u, 64u, 65u, 255u, 256u, 1000u, 70001u}) {
    const SimulatedData data = simulated(n, {2, 3, 1, 2, 5, 64, 4, 2, 65, 11}, 7);
    for (bool portable : {false, true}) {
      for (std::size_t cap : {std::size_t{1} << 26, std::size_t{20000}}) {
        MemoryOptions options;
        options.portable = portable;
        options.memory_cap = cap;
        MemoryTables tables(data.schema, data.inputs(), options);
        if (n % 2 == 0) announce_pairs(tables, 2);
        for (int repeat = 0; repeat < (n > 10000 ? 60 : 150); ++repeat) {
          const VariableSet set = random_set(10, random() % 6, random);
          if (!has_dense_table(tables.schema(), set)) continue;
          const auto table = table_of(tables, set);
          REQUIRE(table->counts == naive_table(data, set));
        }
      }
    }
  }
}

TEST_CASE("repeated use of the same variables goes through views and stays exact") {
  // Sparse and dense pivots, of two and more levels.
  std::vector<std::uint32_t> levels{2, 3, 4, 2, 3, 2, 4, 2, 3};
  for (bool many : {false, true}) {
    if (many) levels.insert(levels.end(), {2, 2, 5});
    const SimulatedData data = simulated(20000, levels, 11);
    MemoryTables tables(data.schema, data.inputs(), {});
    announce_pairs(tables, 1);
    std::mt19937_64 random(2);
    int with_views = 0;
    for (int repeat = 0; repeat < 500; ++repeat) {
      const VariableSet set = random_set(levels.size(), 3 + random() % 3, random);
      REQUIRE(table_of(tables, set)->counts == naive_table(data, set));
      // Among few variables the first table does not pay for a view.
      if (repeat == 0) REQUIRE((tables.view_memory() > 0) == many);
      with_views += tables.view_memory() > 0;
    }
    REQUIRE(with_views > 200);
  }
}

TEST_CASE("a view shows the rows of its pivot, once what was spent without it is its price") {
  for (std::uint32_t pivot_levels : {2u, 40u}) {  // 40: levels of a few rows, which are picked
    const SimulatedData data = simulated(9000, {pivot_levels, 3}, 5);
    Words scratch;
    std::vector<Column> columns;
    for (std::size_t v = 0; v < 2; ++v) {
      columns.push_back(
          encode_column(data.inputs()[v], data.schema[v], v, 9000, portable::kernels, scratch));
    }
    PivotViews views(columns, 9000, portable::kernels, std::size_t{1} << 24);
    const std::uint64_t price =
        4 * padded_words(9000) * columns[1].active.size() * views.layout(0).segments.size();
    REQUIRE(views.bits(0, 1, price / 2) == nullptr);
    REQUIRE(views.bits(0, 1, price / 2 - 1) == nullptr);
    const Word* bits = views.bits(0, 1, 2);
    REQUIRE(bits != nullptr);
    REQUIRE(views.bits(0, 1, 0) == bits);
    for (std::size_t a = 0; a < columns[1].active.size(); ++a) {
      for (const auto& segment : views.layout(0).segments) {
        std::size_t at = 0;
        for (std::size_t row = 0; row < 9000; ++row) {
          if (data.codes[0][row] != static_cast<std::int32_t>(segment.level) + 1) continue;
          const Word* word = bits + a * views.layout(0).words + segment.offset + at / kWordBits;
          const bool seen = (*word >> (at % kWordBits) & 1) != 0;
          REQUIRE(seen ==
                  (data.codes[1][row] == static_cast<std::int32_t>(columns[1].active[a]) + 1));
          ++at;
        }
      }
    }
  }
}

TEST_CASE("sums of n log n agree with the tables, also where no full table is made") {
  const SimulatedData data = simulated(3000, {2, 200, 300, 3, 65535, 2}, 3);
  MemoryTables tables(data.schema, data.inputs(), {});
  announce_pairs(tables, 1);
  std::mt19937_64 random(3);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const VariableSet set = random_set(6, random() % 7, random);
    std::map<std::vector<std::int32_t>, double> counts;
    for (std::size_t i = 0; i < 3000; ++i) {
      std::vector<std::int32_t> key;
      for (auto v : set)
        key.push_back(data.codes[v][i]);
      ++counts[key];
    }
    double expected = 0;
    for (const auto& item : counts)
      expected += item.second * std::log(item.second);
    REQUIRE(peek(tables.sum_n_log_n(set)) == Approx(expected).scale(0).epsilon(1e-12));
  }
}

TEST_CASE("strata are visited with exactly the rows' values") {
  const SimulatedData data = simulated(2000, {3, 500, 4, 2, 70}, 5);
  MemoryTables tables(data.schema, data.inputs(), {});
  for (const VariableSet& given :
       {VariableSet{}, VariableSet{2}, VariableSet{2, 3}, VariableSet{2, 3, 4}}) {
    std::map<std::vector<std::int32_t>, std::map<std::pair<std::uint32_t, std::uint32_t>, Count>>
        expected;
    for (std::size_t i = 0; i < 2000; ++i) {
      std::vector<std::int32_t> key;
      for (auto v : given)
        key.push_back(data.codes[v][i]);
      ++expected[key][{static_cast<std::uint32_t>(data.codes[0][i] - 1),
                       static_cast<std::uint32_t>(data.codes[1][i] - 1)}];
    }
    auto next = expected.begin();  // std::map runs in the lexicographic order promised
    PeekForTests::visit_strata(tables, 0, 1, given, [&](const Sealed<SparseStratum>& stratum) {
      const auto [cells, size] = peek(stratum);
      REQUIRE(next != expected.end());
      REQUIRE(size == next->second.size());
      std::size_t i = 0;
      for (const auto& item : next->second) {
        REQUIRE(cells[i].x == item.first.first);
        REQUIRE(cells[i].y == item.first.second);
        REQUIRE(cells[i].count == item.second);
        ++i;
      }
      ++next;
    });
    REQUIRE(next == expected.end());
  }
}

TEST_CASE("a sub-sample counts exactly its rows") {
  const SimulatedData data = simulated(5000, {2, 3, 4, 2, 100, 5}, 9);
  std::mt19937_64 random(4);
  const auto below = [&](std::uint64_t k) {
    return std::uniform_int_distribution<std::uint64_t>(0, k - 1)(random);
  };
  for (bool portable : {false, true}) {
    MemoryOptions options;
    options.portable = portable;
    MemoryTables all(data.schema, data.inputs(), options);
    for (std::uint64_t m : {0u, 1u, 64u, 777u, 4999u, 5000u}) {
      const RowMask mask = RowMask::sample(5000, m, below);
      REQUIRE(mask.selected() == m);
      MemoryTables some(all, mask);
      REQUIRE(some.schema().rows() == m);
      for (int repeat = 0; repeat < 40; ++repeat) {
        const VariableSet set = random_set(6, random() % 5, random);
        REQUIRE(table_of(some, set)->counts == naive_table(data, set, &mask));
      }
    }
  }
}

TEST_CASE("sub-samples of a given size are all equally likely") {
  // 3 of 5 rows: 10 sets; 20,000 draws; chi-square with 9 df above 52 has probability < 1e-7.
  std::mt19937_64 random(5);
  std::map<std::vector<bool>, int> seen;
  for (int draw = 0; draw < 20000; ++draw) {
    const RowMask mask = RowMask::sample(5, 3, [&](std::uint64_t k) {
      return std::uniform_int_distribution<std::uint64_t>(0, k - 1)(random);
    });
    std::vector<bool> rows;
    for (std::uint64_t i = 0; i < 5; ++i)
      rows.push_back(mask.contains(i));
    ++seen[rows];
  }
  REQUIRE(seen.size() == 10);
  double chi2 = 0;
  for (const auto& item : seen)
    chi2 += std::pow(item.second - 2000.0, 2) / 2000.0;
  REQUIRE(chi2 < 52);
  REQUIRE_THROWS(RowMask::sample(5, 6, [](std::uint64_t) { return std::uint64_t{0}; }));
}

TEST_CASE("missing and undeclared codes are refused, naming the column") {
  for (std::uint32_t levels : {2u, 64u, 65u, 300u}) {
    for (std::int32_t bad :
         {INT32_MIN, 0, -1, static_cast<std::int32_t>(levels) + 1, 256 + 1, INT32_MAX}) {
      if (bad >= 1 && bad <= static_cast<std::int32_t>(levels)) continue;
      for (std::size_t at : {std::size_t{0}, std::size_t{64}, std::size_t{99}}) {
        std::vector<std::int32_t> good(100, 1), spoiled(100, 1);
        spoiled[at] = bad;
        const Schema schema({{"good", 2, false, false}, {"spoiled", levels, false, false}}, 100);
        for (bool portable : {false, true}) {
          MemoryOptions options;
          options.portable = portable;
          try {
            MemoryTables tables(schema, {{good.data(), nullptr}, {spoiled.data(), nullptr}},
                                options);
            FAIL("accepted code " << bad);
          } catch (const InvalidCode& e) {
            REQUIRE(e.variable == 1);
          }
        }
      }
    }
  }
}

TEST_CASE("limits of the schema are refused") {
  REQUIRE_THROWS_AS(Schema({{"a", 65536, false, false}}, 10), std::invalid_argument);
  REQUIRE_THROWS_AS(Schema({{"a", 0, false, false}}, 10), std::invalid_argument);
  REQUIRE_THROWS_AS(Schema({{"a", 2, false, false}}, std::uint64_t{1} << 31),
                    std::invalid_argument);
  REQUIRE_THROWS_AS(Schema(std::vector<Variable>(4097, {"a", 2, false, false}), 10),
                    std::invalid_argument);
  REQUIRE_NOTHROW(Schema(std::vector<Variable>(4096, {"a", 65535, false, false}), 2147483647));
}

TEST_CASE("threads count the same tables") {
  const SimulatedData data = simulated(30000, {2, 3, 4, 2, 3, 2, 4, 6}, 13);
  MemoryOptions two;
  two.threads = 2;
  MemoryTables tables(data.schema, data.inputs(), two);
  announce_pairs(tables, 2);
  std::mt19937_64 random(6);
  std::vector<VariableSet> sets;
  for (int i = 0; i < 300; ++i)
    sets.push_back(random_set(8, 2 + random() % 4, random));
  std::vector<std::vector<Count>> got(sets.size());
  parallel_for(sets.size(), 4, [&](std::size_t i) { got[i] = table_of(tables, sets[i])->counts; });
  for (std::size_t i = 0; i < sets.size(); ++i)
    REQUIRE(got[i] == naive_table(data, sets[i]));
}

TEST_CASE("portable and processor-specific kernels give the same bits") {
  std::mt19937_64 random(8);
  const Kernels& fast = best_kernels();
  const Kernels& plain = portable::kernels;
  for (int repeat = 0; repeat < 3000; ++repeat) {
    const std::size_t words = kVectorWords * (1 + random() % 30);
    const unsigned density = static_cast<unsigned>(random() % 65);
    Words mask = Words::zeros(words), source = Words::zeros(words);
    for (std::size_t i = 0; i < words; ++i) {
      Word w = 0;
      for (unsigned b = 0; b < 64; ++b)
        w |= static_cast<Word>(random() % 64 < density) << b;
      mask.data()[i] = random() % 4 == 0 ? 0 : w;
      source.data()[i] = random();
    }
    const std::uint64_t selected = plain.popcount(mask.data(), words);
    REQUIRE(fast.popcount(mask.data(), words) == selected);
    REQUIRE(fast.and_popcount(mask.data(), source.data(), words) ==
            plain.and_popcount(mask.data(), source.data(), words));
    Words a = Words::zeros(words), b = Words::zeros(words);
    REQUIRE(fast.and_into(a.data(), mask.data(), source.data(), words) ==
            plain.and_into(b.data(), mask.data(), source.data(), words));
    REQUIRE(std::equal(a.data(), a.data() + words, b.data()));
    const std::size_t room = static_cast<std::size_t>(selected / kWordBits + 1);
    Words packed_a = Words::zeros(room), packed_b = Words::zeros(room);
    const Word* from = source.data();
    Word *to_a = packed_a.data(), *to_b = packed_b.data();
    fast.compress(mask.data(), words, &from, &to_a, 1);
    plain.compress(mask.data(), words, &from, &to_b, 1);
    REQUIRE(std::equal(to_a, to_a + room, to_b));
  }
}

TEST_CASE("there is no stratum without records") {
  const std::vector<std::int32_t> codes{1, 2, 1};
  const Schema schema({{"a", 2, false, false}, {"b", 2, false, false}}, codes.size());
  MemoryTables tables(schema, {{codes.data(), nullptr}, {codes.data(), nullptr}}, {});
  const auto nobody = tables.sample(RowMask(codes.size()));
  int strata = 0;
  PeekForTests::visit_strata(*nobody, 0, 1, {}, [&](const Sealed<SparseStratum>&) { ++strata; });
  REQUIRE(strata == 0);
}
