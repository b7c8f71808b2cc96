// What a tree implies about the pairs that it does not hold, against sums over all cells of the
// joint distribution.
#include <catch.h>

#include <cmath>
#include <vector>

#include "peek.h"
#include "priced.h"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/learners/measure_batch.hpp"
#include "privpc/learners/tree_model.hpp"
#include "random_records.h"

using namespace privpc_test;

namespace {

struct Measured5 {
  Measured5()
      : data(make()), tables(data.schema(), data.inputs(), MemoryOptions{}), store(data.schema()) {
    Batch batch;
    for (std::size_t v = 0; v < 5; ++v)
      batch.push_back({VariableSet{v}, 1});
    for (const NodePair& pair : tree)
      batch.push_back({VariableSet{pair.x, pair.y}, 1});
    RandomBits bits = RandomBits::from_seed(2);
    Ledger ledger = ledger_of(Accounting::zcdp, 1e12);
    measure_batch(tables, batch, Rho(1e11), ledger, bits, "", store);
  }
  static Records make() {
    RandomBits bits = RandomBits::from_seed(1);
    return random_records({2, 3, 4, 2, 3}, 5000, bits);
  }
  std::vector<double> shares(const VariableSet& set) {
    std::vector<double> out;
    for (Count count : table_of(tables, set)->counts)
      out.push_back(as_real(count) / 5000);
    return out;
  }
  // 2 - 0 - 1, 1 - 4; 3 is alone.
  const std::vector<NodePair> tree{{0, 1}, {2, 0}, {4, 1}};
  Records data;
  MemoryTables tables;
  Measurements store;
};

}  // namespace

TEST_CASE("a tree implies its own tables, products along paths, and independence elsewhere") {
  Measured5 all;
  const PairModel model = tree_model(all.store, all.tree);
  const auto p0 = all.shares(VariableSet{0}), p1 = all.shares(VariableSet{1}),
             p3 = all.shares(VariableSet{3});
  const auto p01 = all.shares(VariableSet{0, 1}), p02 = all.shares(VariableSet{0, 2}),
             p14 = all.shares(VariableSet{1, 4});
  const auto check = [](const std::vector<double>& found, const std::vector<double>& exact) {
    REQUIRE(found.size() == exact.size());
    for (std::size_t c = 0; c < exact.size(); ++c)
      CHECK(found[c] == Approx(exact[c]).epsilon(1e-5));
  };
  check(model(0, 1), p01);
  check(model(0, 2), p02);
  check(model(1, 4), p14);
  // 1 and 2 over 0; 2 and 4 over 0 and 1.
  std::vector<double> p12(12, 0), p24(12, 0);
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      for (std::size_t c = 0; c < 4; ++c) {
        const double joint = p01[a * 3 + b] * p02[a * 4 + c] / p0[a];
        p12[b * 4 + c] += joint;
        for (std::size_t e = 0; e < 3; ++e)
          p24[c * 3 + e] += joint * p14[b * 3 + e] / p1[b];
      }
    }
  }
  check(model(1, 2), p12);
  check(model(2, 4), p24);
  std::vector<double> p13;
  for (double p : p1) {
    for (double q : p3)
      p13.push_back(p * q);
  }
  check(model(1, 3), p13);
}

TEST_CASE("shares that noise made negative still give a table") {
  const Schema schema({{"a", 2, false, false}, {"b", 2, false, false}, {"c", 2, false, false}}, 10);
  Measurements store(schema);
  for (std::size_t v = 0; v < 3; ++v)
    store.add(VariableSet{v}, {{v == 0 ? 3.0 : 0.1}, 1});
  store.add(VariableSet{0, 1}, {{-2}, 1});
  store.add(VariableSet{1, 2}, {{0.4}, 1});
  for (double share : tree_model(store, {{0, 1}, {1, 2}})(0, 2)) {
    CHECK(std::isfinite(share));
    CHECK(share > 0);
  }
}
