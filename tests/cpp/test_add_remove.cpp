// Neighbours that differ by an added or removed record: sensitivities over all small data sets, the
// number of records as a secret, and what a fit pays for both.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "peek.h"
#include "priced.h"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/learners/enough_rows.hpp"
#include "privpc/learners/marginal_pc.hpp"
#include "random_records.h"

using namespace privpc_test;

namespace {

using Rows = std::vector<std::vector<std::int32_t>>;

Schema schema_of(const std::vector<std::uint32_t>& levels, std::size_t rows) {
  std::vector<Variable> variables;
  for (std::size_t v = 0; v < levels.size(); ++v)
    variables.push_back({"v" + std::to_string(v), levels[v], false, false});
  return Schema(variables, rows);
}

std::vector<std::vector<std::int32_t>> all_records(const std::vector<std::uint32_t>& levels) {
  Rows out{{}};
  for (std::uint32_t k : levels) {
    Rows longer;
    for (const auto& record : out) {
      for (std::uint32_t code = 1; code <= k; ++code) {
        longer.push_back(record);
        longer.back().push_back(static_cast<std::int32_t>(code));
      }
    }
    out = std::move(longer);
  }
  return out;
}

// All sets of up to three variables, the empty one among them, with uneven weights.
Batch weighted_sets(const std::vector<std::uint32_t>& levels) {
  Batch batch;
  for (std::size_t mask = 0; mask < std::size_t{1} << levels.size(); ++mask) {
    BatchItem item;
    bool varies = true;
    for (std::size_t v = 0; v < levels.size(); ++v) {
      if ((mask >> v & 1) == 0) continue;
      item.set.append(v);
      varies = varies && levels[v] > 1;
    }
    item.weight = 0.4 + static_cast<double>(mask % 5);
    if (varies && item.set.size() <= 3) batch.push_back(item);
  }
  return batch;
}

// The contrasts of a batch in units of length / sqrt(weight), from the tables of the records.
std::vector<double> contrasts_of(const std::vector<std::uint32_t>& levels, const Rows& rows,
                                 const Batch& batch) {
  std::vector<std::vector<std::int32_t>> columns(levels.size());
  for (const auto& record : rows) {
    for (std::size_t v = 0; v < levels.size(); ++v)
      columns[v].push_back(record[v]);
  }
  std::vector<ColumnInput> inputs(levels.size());
  for (std::size_t v = 0; v < levels.size(); ++v)
    inputs[v].codes = columns[v].data();
  MemoryTables tables(schema_of(levels, rows.size()), inputs, MemoryOptions{});
  std::vector<double> out;
  for (const BatchItem& item : batch) {
    const auto table = table_of(tables, item.set);
    const std::vector<std::int64_t> whole = interaction_contrasts(*table);
    const std::vector<double> lengths = contrast_lengths(table->levels);
    for (std::size_t i = 0; i < whole.size(); ++i)
      out.push_back(static_cast<double>(whole[i]) / lengths[i] * std::sqrt(item.weight));
  }
  return out;
}

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// Says that it has other rows than it counts.
class WrongRows : public TableSource {
 public:
  WrongRows(const Records& records, std::uint64_t rows)
      : counter_(records.schema(), records.inputs(), MemoryOptions{}),
        schema_(records.variables, rows) {}
  const Schema& schema() const override { return schema_; }
  void announce(const Announcement& announcement) override { counter_.announce(announcement); }
  SealedTable table(const VariableSet& set) override { return counter_.table(set); }
  Sealed<double> sum_n_log_n(const VariableSet& set) override { return counter_.sum_n_log_n(set); }

 private:
  MemoryTables counter_;
  Schema schema_;
};

MarginalSettings add_remove_settings(double rho, double parameter_share = 0) {
  MarginalSettings settings;
  settings.rho = Rho(rho);
  settings.parameter_share = parameter_share;
  settings.neighbours = Neighbours::add_remove;
  return settings;
}

void check_same(const Measurements& a, const Measurements& b) {
  CHECK(a.rows() == b.rows());
  REQUIRE(a.entries().size() == b.entries().size());
  for (std::size_t i = 0; i < a.entries().size(); ++i) {
    CHECK(a.entries()[i].first == b.entries()[i].first);
    CHECK(a.entries()[i].second.values == b.entries()[i].second.values);
    CHECK(a.entries()[i].second.variance == b.entries()[i].second.variance);
  }
}

// What one record costs: sum of |what it adds|^2 / (2 variance), in counts.
double rho_of(const Measurements& store) {
  double sum = 0;
  for (const auto& [set, measured] : store.entries()) {
    double squared = 1;
    for (auto v : set)
      squared *= 1 - 1.0 / store.schema().levels(v);
    sum += squared / (2 * measured.variance * store.rows() * store.rows());
  }
  return sum;
}

}  // namespace

TEST_CASE("any record added to any small data set moves a batch by just what is stated") {
  struct Case {
    std::vector<std::uint32_t> levels;
    std::size_t most_rows;
  };
  for (const Case& one : std::vector<Case>{
           {{2, 2}, 3}, {{2, 3}, 2}, {{4, 1, 2}, 2}, {{2, 2, 2, 2}, 1}, {{3, 2, 4}, 1}}) {
    const Rows records = all_records(one.levels);
    const Batch batch = weighted_sets(one.levels);
    const double stated =
        batch_l2_squared(schema_of(one.levels, 1).for_added_and_removed(7), batch);
    std::vector<Rows> data_sets{{}};
    std::size_t tried = 0;
    for (std::size_t n = 1; n <= one.most_rows; ++n) {
      std::vector<Rows> larger;
      for (const Rows& rows : data_sets) {
        for (const auto& record : records) {
          larger.push_back(rows);
          larger.back().push_back(record);
        }
      }
      data_sets = std::move(larger);
      for (const Rows& rows : data_sets) {
        const std::vector<double> before = contrasts_of(one.levels, rows, batch);
        for (const auto& record : records) {
          Rows more = rows;
          more.push_back(record);
          const double moved = squared_distance(before, contrasts_of(one.levels, more, batch));
          REQUIRE(moved <= stated);
          REQUIRE(moved >= stated * (1 - 1e-8));
          ++tried;
        }
      }
    }
    REQUIRE(tried > 100);
  }
}

TEST_CASE("the stated bound does not hold for replaced records, which need more") {
  const std::vector<std::uint32_t> levels{2, 2, 2};
  const Batch batch = weighted_sets(levels);
  const Schema replaced = schema_of(levels, 10), added = replaced.for_added_and_removed(10);
  CHECK(batch_l2_squared(replaced, batch) > 1.5 * batch_l2_squared(added, batch));
  // The number of records costs nothing where it is public, and its weight where it is not.
  const Batch count{{VariableSet{}, 3}};
  CHECK(batch_l2_squared(added, count) == Approx(3).epsilon(1e-8));
  CHECK_THROWS_AS(batch_l2_squared(added, {{VariableSet{0}, 1}, {VariableSet{0}, 1}}),
                  std::invalid_argument);
}

TEST_CASE("all pairs and singles of added records: the sum without the batch") {
  for (const auto& levels : std::vector<std::vector<std::uint32_t>>{{2, 2}, {3, 1, 5, 2}}) {
    const Schema schema = schema_of(levels, 10).for_added_and_removed(10);
    Batch batch;
    for (std::size_t x = 0; x < levels.size(); ++x) {
      if (levels[x] < 2) continue;
      batch.push_back({VariableSet{x}, 1.5});
      for (std::size_t y = x + 1; y < levels.size(); ++y) {
        if (levels[y] > 1) batch.push_back({VariableSet{x, y}, 1});
      }
    }
    CHECK(added_l2_of_all_pairs(schema, 1.5) ==
          Approx(added_l2_squared(schema, batch)).epsilon(1e-8));
  }
}

TEST_CASE("the number of records is measured with the noise of its price") {
  RandomBits fixed = RandomBits::from_seed(1);
  const Records records = random_records({2, 3}, 400, fixed);
  MemoryTables tables(records.schema(), records.inputs(), MemoryOptions{});
  for (Accounting accounting : {Accounting::zcdp, Accounting::gaussian}) {
    const double rho = 0.002, extra = accounting == Accounting::gaussian ? kGaussianWidening : 0;
    RandomBits bits = RandomBits::from_seed(2);
    double sum = 0, squares = 0;
    const int runs = 4000;
    for (int r = 0; r < runs; ++r) {
      Ledger ledger = ledger_of(accounting, rho);
      const double noise =
          static_cast<double>(measure_records(tables, Rho(rho), ledger, bits)) - 400;
      REQUIRE(ledger.entries()[0].target == "number of records");
      REQUIRE(spent_of(ledger) >= rho);
      sum += noise;
      squares += noise * noise;
    }
    const double variance = 1 / (2 * rho) + extra;
    CHECK(std::fabs(sum / runs) < 5 * std::sqrt(variance / runs));
    CHECK(std::fabs(squares / runs / variance - 1) < 5 * std::sqrt(2.0 / runs));
  }
  // Never below 1.
  RandomBits bits = RandomBits::from_seed(3);
  const Records few = random_records({2, 2}, 2, fixed);
  MemoryTables two(few.schema(), few.inputs(), MemoryOptions{});
  for (int r = 0; r < 50; ++r) {
    Ledger ledger = ledger_of(Accounting::zcdp, 1e-4);
    CHECK(measure_records(two, Rho(1e-4), ledger, bits) >= 1);
  }
}

TEST_CASE("counting records that are not covered draws nothing") {
  RandomBits fixed = RandomBits::from_seed(1);
  const Records records = random_records({2, 3}, 40, fixed);
  MemoryTables tables(records.schema(), records.inputs(), MemoryOptions{});
  Ledger ledger = ledger_of(Accounting::zcdp, 0.0999);
  RandomBits bits = RandomBits::from_seed(7), twin = RandomBits::from_seed(7);
  CHECK_THROWS_AS(measure_records(tables, Rho(0.1), ledger, bits), Overdraft);
  CHECK(ledger.size() == 0);
  CHECK(bits.next() == twin.next());
}

TEST_CASE("a fit for added and removed records pays for the number of records first, and in all") {
  RandomBits fixed = RandomBits::from_seed(4);
  for (const auto& levels :
       std::vector<std::vector<std::uint32_t>>{{2, 2}, {2, 3, 4}, {5, 2, 1, 3}, {2, 2, 2, 2, 3}}) {
    const Records records = random_records(levels, 500, fixed);
    const Knowledge none(static_cast<int>(levels.size()));
    for (Accounting accounting : {Accounting::zcdp, Accounting::gaussian}) {
      for (double rho : {0.01, 0.5}) {
        for (double share : {0.0, 0.3}) {
          MemoryTables tables(records.schema(), records.inputs(), MemoryOptions{});
          Ledger ledger = ledger_of(accounting, rho);
          RandomBits bits = RandomBits::from_seed(9);
          const Fit fit = marginal_pc(tables, add_remove_settings(rho, share), none, ledger, bits);
          REQUIRE(ledger.entries()[0].target == "number of records");
          CHECK(amount_of(ledger.entries()[0]) ==
                Approx(rho * share_for_records(records.schema())).epsilon(1e-9));
          CHECK(spent_of(ledger) <= rho);
          CHECK(fit.tables->schema().neighbours() == Neighbours::add_remove);
          CHECK(fit.families->rows() == fit.tables->rows());
          // The noise alone, without what the error of the number of records adds to it.
          const double added =
              relative_records_variance(add_remove_settings(rho, share), fit.tables->schema());
          const Measurements noise_only = with_uncertain_records(*fit.tables, -added);
          const double used =
              amount_of(ledger.entries()[0]) + rho_of(noise_only) + rho_of(*fit.families);
          INFO("rho " << rho << ", used " << used << ", spent " << spent_of(ledger));
          CHECK(used <= spent_of(ledger) * (1 + 1e-12));
          if (accounting == Accounting::zcdp) CHECK(used >= 0.999 * spent_of(ledger));
          if (accounting == Accounting::gaussian && rho < 0.1)
            CHECK(used >= 0.8 * spent_of(ledger));
        }
      }
    }
  }
}

TEST_CASE("what a source says of its number of rows does not show in a fit that keeps it secret") {
  RandomBits fixed = RandomBits::from_seed(6);
  const Records records = random_records({2, 3, 2, 4}, 700, fixed);
  const Knowledge none(4);
  const auto learn = [&](std::uint64_t said) {
    WrongRows source(records, said);
    Ledger ledger = ledger_of(Accounting::gaussian, 0.3);
    RandomBits bits = RandomBits::from_seed(11);
    return marginal_pc(source, add_remove_settings(0.3, 0.3), none, ledger, bits);
  };
  const Fit honest = learn(700);
  for (std::uint64_t said : {1u, 699u, 701u, 1000000u}) {
    const Fit other = learn(said);
    check_same(*honest.tables, *other.tables);
    check_same(*honest.families, *other.families);
    CHECK(honest.tests == other.tests);
    for (int x = 0; x < 4; ++x) {
      for (int y = 0; y < 4; ++y)
        CHECK(honest.graph.is_directed(x, y) == other.graph.is_directed(x, y));
    }
    REQUIRE(honest.ledger.size() == other.ledger.size());
    for (std::size_t i = 0; i < honest.ledger.size(); ++i) {
      CHECK(honest.ledger[i].target == other.ledger[i].target);
      CHECK(amount_of(honest.ledger[i]) == amount_of(other.ledger[i]));
    }
  }
  // The control: where it is public it does show.
  MarginalSettings open = add_remove_settings(0.3);
  open.neighbours = Neighbours::replace_one;
  const auto learn_openly = [&](std::uint64_t said) {
    WrongRows source(records, said);
    Ledger ledger = ledger_of(Accounting::gaussian, 0.3);
    RandomBits bits = RandomBits::from_seed(11);
    return marginal_pc(source, open, none, ledger, bits).tables->entries()[0].second.values[0];
  };
  CHECK(learn_openly(700) != learn_openly(701));
}

TEST_CASE("which tables are countable does not depend on a secret number of records") {
  std::vector<std::uint32_t> levels(3, 50);  // 125,000 cells
  const VariableSet all{0, 1, 2};
  const Schema many = schema_of(levels, 1000000);
  CHECK(has_dense_table(many, all));
  CHECK_FALSE(has_dense_table(schema_of(levels, 1000), all));
  for (std::uint64_t rows : {1000u, 1000000u})
    CHECK_FALSE(has_dense_table(many.for_added_and_removed(rows), all));
  CHECK(has_dense_table(many.for_added_and_removed(5), VariableSet{0, 1}));
}

TEST_CASE("a schema that is not that of the source is refused before anything is paid") {
  RandomBits fixed = RandomBits::from_seed(8);
  const Records records = random_records({3, 3}, 50, fixed);
  MemoryTables tables(records.schema(), records.inputs(), MemoryOptions{});
  for (const auto& levels :
       std::vector<std::vector<std::uint32_t>>{{2, 3}, {3}, {3, 3, 2}, {3, 4}}) {
    Measurements store(schema_of(levels, 50).for_added_and_removed(50));
    Ledger ledger = ledger_of(Accounting::zcdp, 1);
    RandomBits bits = RandomBits::from_seed(1);
    CHECK_THROWS(measure_batch(tables, {{VariableSet{0}, 1}}, Rho(0.1), ledger, bits, "t", store));
    CHECK(ledger.size() == 0);
  }
}

TEST_CASE("fewer rows are enough where records are added and removed") {
  const std::vector<std::uint32_t> levels(10, 2);
  const auto least = [&](bool added) {
    std::uint64_t n = 1;
    while (true) {
      const Schema schema = schema_of(levels, n);
      if (enough_to_measure(added ? schema.for_added_and_removed(n) : schema, Rho(0.02), 0.05))
        return n;
      ++n;
    }
  };
  CHECK(least(true) < 0.8 * static_cast<double>(least(false)));
}
