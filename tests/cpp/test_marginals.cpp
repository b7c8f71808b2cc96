// Noisy marginals: contrasts, the sensitivity of batches, measuring, rebuilding and testing.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "peek.h"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/learners/marginal_pc.hpp"
#include "privpc/marginals/reconstruct.hpp"
#include "privpc/marginals/returned_measurements.hpp"
#include "privpc/search/noisy_colliders.hpp"
#include "privpc/statistic/cmh.hpp"

using namespace privpc;
using namespace privpc_test;

namespace {

Schema schema_of(const std::vector<std::uint32_t>& levels, std::uint64_t rows) {
  std::vector<Variable> variables;
  for (std::size_t v = 0; v < levels.size(); ++v)
    variables.push_back({"v" + std::to_string(v), levels[v], false, false});
  return Schema(variables, rows);
}

// Rows in which every variable copies the one before it with probability `copy`.
struct Rows {
  Rows(const std::vector<std::uint32_t>& levels, std::size_t n, double copy, std::uint64_t seed)
      : schema(schema_of(levels, n)), codes(levels.size(), std::vector<std::int32_t>(n)) {
    std::uint64_t state = seed;
    const auto uniform = [&state] {  // a linear congruential generator is random enough here
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      return static_cast<double>(state >> 11) / 9007199254740992.0;
    };
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t v = 0; v < levels.size(); ++v) {
        const auto fresh = 1 + static_cast<std::int32_t>(uniform() * levels[v]);
        const bool copies = v > 0 && uniform() < copy;
        const auto most = static_cast<std::int32_t>(levels[v]);
        codes[v][r] = copies ? std::min(codes[v - 1][r], most) : fresh;
      }
    }
  }
  MemoryTables tables() const {
    std::vector<ColumnInput> inputs(codes.size());
    for (std::size_t v = 0; v < codes.size(); ++v)
      inputs[v].codes = codes[v].data();
    return MemoryTables(schema, inputs, MemoryOptions{});
  }
  Schema schema;
  std::vector<std::vector<std::int32_t>> codes;
};

// The contrasts of a single record, divided by their lengths.
std::vector<double> contrasts_of_record(const Schema& schema, const VariableSet& set,
                                        const std::vector<std::uint32_t>& record) {
  Table table;
  table.variables = set;
  std::size_t cell = 0, cells = 1;
  for (auto v : set) {
    table.levels.push_back(schema.levels(v));
    cell = cell * schema.levels(v) + record[v];
    cells *= schema.levels(v);
  }
  table.counts.assign(cells, 0);
  table.counts[cell] = 1;
  const std::vector<std::int64_t> whole = interaction_contrasts(table);
  const std::vector<double> lengths = contrast_lengths(table.levels);
  std::vector<double> out;
  for (std::size_t i = 0; i < whole.size(); ++i)
    out.push_back(static_cast<double>(whole[i]) / lengths[i]);
  return out;
}

// The largest squared change of the weighted batch over all pairs of records.
double enumerated(const Schema& schema, const Batch& batch) {
  std::size_t records = 1;
  for (std::size_t v = 0; v < schema.size(); ++v)
    records *= schema.levels(v);
  std::vector<std::vector<double>> moved(records);
  for (std::size_t r = 0; r < records; ++r) {
    std::vector<std::uint32_t> record(schema.size());
    std::size_t rest = r;
    for (std::size_t v = schema.size(); v-- > 0;) {
      record[v] = static_cast<std::uint32_t>(rest % schema.levels(v));
      rest /= schema.levels(v);
    }
    for (const BatchItem& item : batch) {
      for (double x : contrasts_of_record(schema, item.set, record))
        moved[r].push_back(x * std::sqrt(item.weight));
    }
  }
  double worst = 0;
  for (const auto& a : moved) {
    for (const auto& b : moved) {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
      worst = std::max(worst, sum);
    }
  }
  return worst;
}

Batch all_sets(const Schema& schema, std::size_t largest, double single_weight) {
  Batch batch;
  for (std::size_t mask = 1; mask < std::size_t{1} << schema.size(); ++mask) {
    VariableSet set;
    bool varies = true;
    for (std::size_t v = 0; v < schema.size(); ++v) {
      if ((mask >> v & 1) == 0) continue;
      set.append(v);
      varies = varies && schema.levels(v) > 1;
    }
    if (varies && set.size() <= largest) {
      batch.push_back({set, set.size() == 1 ? single_weight : 1});
    }
  }
  return batch;
}

const std::vector<std::vector<std::uint32_t>> kShapes{{2, 2},    {2, 3, 4}, {3, 3, 2, 2},
                                                      {1, 2, 3}, {5, 2, 2}, {2, 2, 2, 2, 2}};

}  // namespace

TEST_CASE("the basis of contrasts is orthonormal") {
  for (std::uint32_t k = 1; k < 12; ++k) {
    const std::vector<double> u = orthonormal_basis(k);
    for (std::size_t a = 0; a < k; ++a) {
      for (std::size_t b = 0; b < k; ++b) {
        double sum = 0;
        for (std::size_t level = 0; level < k; ++level)
          sum += u[level * k + a] * u[level * k + b];
        CHECK(sum == Approx(a == b ? 1.0 : 0.0).margin(1e-12));
      }
    }
  }
}

TEST_CASE("no replacement moves a batch by more than stated, and some by just that") {
  for (const auto& levels : kShapes) {
    const Schema schema = schema_of(levels, 10);
    for (double weight : {0.5, 1.0, 3.0}) {
      for (std::size_t largest : {1, 2, 3}) {
        const Batch batch = all_sets(schema, largest, weight);
        CHECK(batch_l2_squared(schema, batch) ==
              Approx(enumerated(schema, batch)).scale(0).epsilon(1e-8));
      }
    }
    // Half of the sets, with uneven weights.
    Batch some;
    for (const BatchItem& item : all_sets(schema, 3, 2)) {
      if ((item.set[0] + 2 * item.set.size()) % 3 != 0) some.push_back(item);
      if (!some.empty()) some.back().weight *= 1.3;
    }
    const double truth = enumerated(schema, some);
    CHECK(batch_l2_squared(schema, some) == Approx(truth).scale(0).epsilon(1e-8));
    // Where groups have to be split the bound may grow, but never fall below the truth.
    for (std::size_t widest : {1, 2, 3}) {
      CHECK(worst_pattern_by_elimination(schema, some, widest) >= truth * (1 - 1e-9));
    }
    CHECK(worst_pattern_of_all_pairs(schema, 2) >=
          enumerated(schema, all_sets(schema, 2, 2)) * (1 - 1e-9));
  }
}

TEST_CASE("uneven weights are paid for, and no set twice for the price of one") {
  for (const auto& levels : kShapes) {
    const Schema schema = schema_of(levels, 10);
    for (double of_pairs : {0.3, 1.5, 20.0}) {
      // Pairs heavier than one another and than singles; the first single is the heaviest or not.
      for (bool falling : {true, false}) {
        Batch batch = all_sets(schema, 2, 1);
        double next = falling ? 9 : 0.1;
        for (BatchItem& item : batch) {
          item.weight = item.set.size() == 1 ? next : of_pairs * next;
          next *= falling ? 0.6 : 1.7;
        }
        CHECK(batch_l2_squared(schema, batch) ==
              Approx(enumerated(schema, batch)).scale(0).epsilon(1e-8));
        Batch singles;
        for (const BatchItem& item : batch) {
          if (item.set.size() == 1) singles.push_back(item);
        }
        CHECK(batch_l2_squared(schema, singles) ==
              Approx(enumerated(schema, singles)).scale(0).epsilon(1e-8));
        batch.push_back(batch.front());
        CHECK_THROWS_AS(batch_l2_squared(schema, batch), std::invalid_argument);
      }
    }
  }
}

TEST_CASE("many variables with most of their pairs: the worst of all patterns") {
  // Too many records to enumerate, so every pattern h of batch.hpp: which variables are replaced.
  std::vector<std::uint32_t> levels;
  for (std::uint32_t v = 0; v < 16; ++v)
    levels.push_back(2 + v % 3);
  const Schema schema = schema_of(levels, 10);
  for (double weight : {0.2, 1.0, 30.0}) {
    Batch batch;
    for (std::size_t x = 0; x < levels.size(); ++x) {
      batch.push_back({VariableSet{x}, weight});
      for (std::size_t y = x + 1; y < levels.size(); ++y)
        batch.push_back({VariableSet{x, y}, 1});
    }
    double worst = 0;
    for (std::size_t pattern = 0; pattern < std::size_t{1} << 16; ++pattern) {
      double sum = 0;
      for (const BatchItem& item : batch) {
        double own = 1, shared = 1;  // products of the records' contrasts, alike and different
        for (auto v : item.set) {
          const double k = levels[v];
          own *= (k - 1) / k;
          shared *= (pattern >> v & 1) != 0 ? -1 / k : (k - 1) / k;
        }
        sum += 2 * item.weight * (own - shared);
      }
      worst = std::max(worst, sum);
    }
    CHECK(batch_l2_squared(schema, batch) == Approx(worst).scale(0).epsilon(1e-8));
  }
}

TEST_CASE("a batch is cheaper together than one table after the other") {
  const Schema schema = schema_of(std::vector<std::uint32_t>(40, 2), 10);
  const Batch batch = all_sets(schema_of({2, 2}, 10), 2, 1);
  double apart = 0;
  Batch pairs;
  for (std::size_t x = 0; x < 40; ++x) {
    for (std::size_t y = x + 1; y < 40; ++y) {
      pairs.push_back({VariableSet{x, y}, 1});
      apart += batch_l2_squared(schema, {pairs.back()});
    }
  }
  CHECK(batch_l2_squared(schema, pairs) < 0.6 * apart);
  // A chain of pairs is a tree: elimination is exact, and no better than apart.
  Batch chain;
  for (std::size_t x = 0; x + 1 < 40; ++x)
    chain.push_back({VariableSet{x, x + 1}, 1});
  CHECK(batch_l2_squared(schema, chain) == Approx(39.0).scale(0).epsilon(1e-8));
}

TEST_CASE("with next to no noise every table is rebuilt exactly") {
  const Rows rows({2, 3, 4, 1, 2}, 500, 0.5, 7);
  MemoryTables tables = rows.tables();
  Ledger ledger(Rho(1e12));
  RandomBits bits = RandomBits::from_seed(1);
  Measurements store(rows.schema);
  measure_batch(tables, all_sets(rows.schema, 5, 1), Rho(1e12), ledger, bits, "all", store);
  for (const VariableSet& set :
       {VariableSet{0}, VariableSet{1, 2}, VariableSet{0, 1, 2, 4}, VariableSet{2, 3, 4}}) {
    const NoisyTable rebuilt = reconstruct(store, set);
    const auto exact = table_of(tables, set);
    REQUIRE(rebuilt.shares.size() == exact->counts.size());
    CHECK(rebuilt.unmeasured.empty());
    for (std::size_t i = 0; i < exact->counts.size(); ++i)
      CHECK(rebuilt.shares[i] == Approx(as_real(exact->counts[i]) / 500).margin(1e-9));
  }
}

TEST_CASE("an interaction that was not measured is named, and the margins still agree") {
  const Rows rows({2, 3, 2}, 400, 0.5, 8);
  MemoryTables tables = rows.tables();
  Ledger ledger(Rho(1e12));
  RandomBits bits = RandomBits::from_seed(1);
  Measurements store(rows.schema);
  measure_batch(tables, all_sets(rows.schema, 2, 1), Rho(1e12), ledger, bits, "pairs", store);
  const NoisyTable rebuilt = reconstruct(store, VariableSet{0, 1, 2});
  REQUIRE(rebuilt.unmeasured.size() == 1);
  CHECK((rebuilt.unmeasured[0] == VariableSet{0, 1, 2}));
  const auto pair = table_of(tables, VariableSet{0, 1});
  for (std::size_t i = 0; i < pair->counts.size(); ++i) {
    CHECK(rebuilt.shares[2 * i] + rebuilt.shares[2 * i + 1] ==
          Approx(as_real(pair->counts[i]) / 400).margin(1e-9));
  }
}

TEST_CASE("the noise has the stated variance, in contrasts and in cells") {
  const Rows rows({3, 4}, 1000, 0.3, 9);
  MemoryTables tables = rows.tables();
  const Batch batch = all_sets(rows.schema, 2, 1.5);
  const VariableSet set{0, 1};
  const auto exact = table_of(tables, set);
  double contrasts = 0, cells = 0, stated = 0, error = 0;
  const int runs = 4000;
  for (int r = 0; r < runs; ++r) {
    Ledger ledger(Rho(0.1));
    RandomBits bits = RandomBits::from_seed(static_cast<std::uint64_t>(r));
    Measurements store(rows.schema);
    measure_batch(tables, batch, Rho(0.1), ledger, bits, "pairs", store);
    CHECK(ledger.spent().value() <= 0.1);
    const Measured& measured = *store.find(set);
    stated = measured.variance;
    const std::vector<std::int64_t> whole = interaction_contrasts(*exact);
    const std::vector<double> lengths = contrast_lengths(exact->levels);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const double d = measured.values[i] - static_cast<double>(whole[i]) / lengths[i] / 1000;
      contrasts += d * d / static_cast<double>(runs * whole.size());
    }
    const NoisyTable table = reconstruct(store, set);
    error = table.standard_error;
    const double d = table.shares[5] - as_real(exact->counts[5]) / 1000;
    cells += d * d / runs;
  }
  // Sums of squares of 24000 and 4000 normal numbers; five standard deviations either way are a
  // false alarm in less than one of a million runs.
  CHECK(contrasts == Approx(stated).scale(0).epsilon(5 * std::sqrt(2.0 / (runs * 6))));
  CHECK(cells == Approx(error * error).scale(0).epsilon(5 * std::sqrt(2.0 / runs)));
}

TEST_CASE("the noise of a batch is what the worst pair of neighbours needs for the price") {
  // By the theorem of scaled_gaussian.hpp a pair whose contrasts differ by d costs sum d^2/(2
  // sigma^2). The sigmas are those that are stated, and the noise that is found has them.
  const double rho = 0.1;
  for (const auto& levels : {std::vector<std::uint32_t>{2, 3, 2}, {4, 2}, {2, 2, 2, 2}}) {
    const Rows rows(levels, 50, 0.3, 10);
    MemoryTables tables = rows.tables();
    Batch batch = all_sets(rows.schema, 3, 1);
    for (std::size_t i = 0; i < batch.size(); ++i)
      batch[i].weight = 0.5 + static_cast<double>(i * i % 7);
    double squares = 0, numbers = 0;
    for (std::uint64_t run = 0; run < 400; ++run) {
      Ledger ledger{Rho(rho)};
      RandomBits bits = RandomBits::from_seed(run);
      Measurements store(rows.schema);
      measure_batch(tables, batch, Rho(rho), ledger, bits, "batch", store);
      Batch in_units_of_noise;
      for (const auto& [set, measured] : store.entries()) {
        const double sigma = std::sqrt(measured.variance) * store.rows();
        in_units_of_noise.push_back({set, 1 / (sigma * sigma)});
        const std::vector<std::int64_t> whole = interaction_contrasts(*table_of(tables, set));
        const std::vector<double> lengths = contrast_lengths(levels_of(rows.schema, set));
        for (std::size_t i = 0; i < whole.size(); ++i) {
          const double exact = static_cast<double>(whole[i]) / lengths[i];
          const double off = (measured.values[i] * store.rows() - exact) / sigma;
          squares += off * off;
          ++numbers;
        }
      }
      if (run > 0) continue;
      const double price = enumerated(rows.schema, in_units_of_noise) / 2;
      CHECK(price <= ledger.spent().value());
      CHECK(price > 0.999 * rho);
    }
    // Five standard deviations of a sum of squares of normal numbers, as above.
    CHECK(squares / numbers == Approx(1).scale(0).epsilon(5 * std::sqrt(2 / numbers)));
  }
}

TEST_CASE("the stated error of a cell is what the errors of all contrasts add up to") {
  const Schema schema = schema_of({2, 3, 4}, 100);
  const VariableSet set{0, 1, 2};
  const auto filled = [&](std::size_t entry, std::size_t coordinate) {
    Measurements store(schema);
    std::size_t e = 0;
    for (const BatchItem& item : all_sets(schema, 3, 1)) {
      Measured measured;
      measured.values.assign(contrast_count(levels_of(schema, item.set)), 0.0);
      measured.variance = 0.1 + 0.2 * static_cast<double>(e);
      if (e++ == entry) measured.values[coordinate] = 1;
      store.add(item.set, measured);
    }
    return store;
  };
  const std::size_t nowhere = 1000;
  const Measurements zero = filled(nowhere, 0);
  const NoisyTable base = reconstruct(zero, set);
  std::vector<double> variance(base.shares.size(), 0.0);
  for (std::size_t e = 0; e < zero.entries().size(); ++e) {
    const Measured& measured = zero.entries()[e].second;
    for (std::size_t c = 0; c < measured.values.size(); ++c) {
      const NoisyTable moved = reconstruct(filled(e, c), set);
      for (std::size_t i = 0; i < variance.size(); ++i)
        variance[i] += std::pow(moved.shares[i] - base.shares[i], 2) * measured.variance;
    }
  }
  for (double v : variance)
    CHECK(std::sqrt(v) == Approx(base.standard_error).scale(0).epsilon(1e-9));
}

TEST_CASE("a batch that the ledger does not cover is refused before noise is drawn") {
  const Rows rows({2, 2}, 100, 0.3, 9);
  MemoryTables tables = rows.tables();
  Ledger ledger(Rho(0.1));
  RandomBits bits = RandomBits::from_seed(1), twin = RandomBits::from_seed(1);
  Measurements store(rows.schema);
  const Batch batch = all_sets(rows.schema, 2, 1);
  CHECK_THROWS_AS(measure_batch(tables, batch, Rho(0.2), ledger, bits, "pairs", store), Overdraft);
  CHECK(store.entries().empty());
  CHECK(bits.next() == twin.next());
  Ledger pure(Epsilon(1));
  CHECK_THROWS_AS(measure_batch(tables, batch, Rho(0.2), pure, bits, "pairs", store),
                  std::invalid_argument);
}

TEST_CASE("repeated measurements are averaged by their precision") {
  Measurements store(schema_of({2}, 10));
  store.add(VariableSet{0}, {{1.0}, 1.0});
  store.add(VariableSet{0}, {{4.0}, 0.5});
  CHECK(store.find(VariableSet{0})->values[0] == Approx(3.0));
  CHECK(store.find(VariableSet{0})->variance == Approx(1.0 / 3));
  CHECK_THROWS_AS(store.add(VariableSet{0}, {{1.0, 2.0}, 1.0}), std::invalid_argument);
  // However far apart they are, the noise of both together is not none.
  Measurements other(schema_of({2}, 10));
  other.add(VariableSet{0}, {{1.0}, 1e20});
  other.add(VariableSet{0}, {{4.0}, 1e-20});
  CHECK(other.find(VariableSet{0})->variance == Approx(1e-20));
}

TEST_CASE("measurements that come back damaged are refused") {
  const Schema schema({{"a", 2, false, false}, {"b", 3, false, false}, {"c", 0, false, true}}, 10);
  Measurements store(schema);
  add_returned(store, {1, 0}, {{0.1, 0.2}, 1e-4});
  CHECK(store.find(VariableSet{0, 1})->values[1] == 0.2);
  const auto is_refused = [&](const std::vector<std::size_t>& members, const Measured& measured) {
    CHECK_THROWS_AS(add_returned(store, members, measured), std::invalid_argument);
  };
  is_refused({}, {{1}, 1});
  is_refused({0, 0}, {{0.1}, 1});
  is_refused({3}, {{0.1}, 1});
  is_refused({65536}, {{0.1}, 1});  // which is the first variable in 16 bits
  is_refused({2}, {{0.1}, 1});      // a number without bins has no table
  is_refused({1}, {{0.1}, 1});
  is_refused({0}, {{0.1, 0.2}, 1});
  is_refused(std::vector<std::size_t>(40, 0), {{0.1}, 1});
  for (const double wrong : {HUGE_VAL, -HUGE_VAL, std::nan(""), 1e200}) {
    is_refused({0}, {{wrong}, 1});
    is_refused({0}, {{0.1}, wrong});
  }
  for (const double variance : {0.0, -1.0, 5e-324})
    is_refused({0}, {{0.1}, variance});
  CHECK(store.entries().size() == 1);
  // What has one level varies with nothing: it has no contrasts, and is never measured.
  Measurements constant(
      Schema({{"a", 2, false, false}, {"b", 1, false, false}, {"c", 2, false, false}}, 10));
  CHECK_THROWS_AS(add_returned(constant, {1}, {{}, 1}), std::invalid_argument);
  CHECK_THROWS_AS(add_returned(constant, {0, 1, 2}, {{}, 1}), std::invalid_argument);
  // Contrasts of many variables are more than a whole number can hold; 0 is not their number.
  Measurements large(Schema(std::vector<Variable>(5, {"a", 32769, false, false}), 10));
  CHECK_THROWS_AS(add_returned(large, {0, 1, 2, 3, 4}, {{}, 1}), std::invalid_argument);
}

TEST_CASE("the tail of a weighted sum of chi-squares is right far out") {
  // Two weights, each twice: a sum of two exponential variables with means 2 and 2 w.
  for (double w : {0.1, 0.5, 0.8}) {
    for (double t : {5.0, 10.0, 20.0, 40.0}) {
      const double exact = (std::exp(-t / 2) - w * std::exp(-t / (2 * w))) / (1 - w);
      CHECK(weighted_chi_square_upper(t, {1, 1, w, w}) == Approx(exact).scale(0).epsilon(0.12));
    }
  }
  CHECK(weighted_chi_square_upper(3.84, {1}) == Approx(0.05).scale(0).epsilon(0.01));
  CHECK(weighted_chi_square_upper(3, {}) == 1);
}

TEST_CASE("without noise the conditional test is the generalised CMH test") {
  const Rows rows({3, 3, 2}, 20000, 0.05, 11);
  MemoryTables tables = rows.tables();
  Ledger ledger(Rho(1e12));
  RandomBits bits = RandomBits::from_seed(1);
  Measurements store(rows.schema);
  measure_batch(tables, all_sets(rows.schema, 2, 1), Rho(1e12), ledger, bits, "pairs", store);
  NoisyTests tests(store);
  const NoisyReading reading = tests.conditional(0, 1, VariableSet{2}, 0.1);
  CmhSum cmh(rows.schema[0], rows.schema[1]);
  PeekForTests::visit_strata(tables, 0, 1, VariableSet{2},
                             [&](const Sealed<SparseStratum>& stratum) {
                               const auto [cells, size] = peek(stratum);
                               cmh.add(cells, size);
                             });
  CHECK(reading.df == 4);
  CHECK(reading.distance == Approx(cmh.result().statistic).scale(0).epsilon(0.01));
}

TEST_CASE("a chain is found without its shortcut, a collider is recognised") {
  const Rows rows({2, 3, 2}, 50000, 0.6, 12);  // v0 -> v1 -> v2
  MemoryTables tables = rows.tables();
  Ledger ledger(Rho(10));
  RandomBits bits = RandomBits::from_seed(5);
  const Knowledge none(3);
  StagedChooser stages(tables.schema(), none, NoisyRules{}, Rho(10));
  const Measurements store = measure_all(tables, stages, ledger, bits, 1);
  CHECK(ledger.spent().value() <= 10);
  NoisySkeleton search(store, none, NoisyRules{});
  CHECK(search.linked(0, 2));
  search.examine_all_orders();
  CHECK(search.linked(0, 1));
  CHECK(search.linked(1, 2));
  CHECK_FALSE(search.linked(0, 2));
  const Skeleton skeleton = search.result();
  CHECK(collider_evidence(search, skeleton).empty());

  Rows sum({2, 2, 3}, 50000, 0, 13);  // v0 -> v2 <- v1
  for (std::size_t r = 0; r < 50000; ++r)
    sum.codes[2][r] = sum.codes[0][r] + sum.codes[1][r] - 1;
  MemoryTables sums = sum.tables();
  Ledger second(Rho(10));
  StagedChooser again(sums.schema(), none, NoisyRules{}, Rho(10));
  const Measurements held = measure_all(sums, again, second, bits, 1);
  NoisySkeleton found(held, none, NoisyRules{});
  found.examine_all_orders();
  CHECK_FALSE(found.linked(0, 1));
  const std::vector<Collider> colliders = collider_evidence(found, found.result());
  REQUIRE(colliders.size() == 1);
  CHECK(colliders[0].centre == 2);
  CHECK(colliders[0].support > 10);
}
