// Every mechanism of the core against a ledger that does not cover it: not one random bit is drawn,
// and the ledger is as before. Against one that does: one entry, of the price that the proof beside
// the mechanism asks for, worked out here from its formula.
#include <catch.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "priced.h"
#include "privpc/learners/measure_batch.hpp"
#include "privpc/learners/select_pairs.hpp"
#include "privpc/statistic/block_tests.hpp"
#include "random_records.h"

using namespace privpc_test;

namespace {

struct Step {
  std::string mechanism;
  double pure;  // its price where epsilon is counted; NaN: it must be refused there
  double rho;   // its price where rho is counted
  double delta;
  std::function<void(Ledger&, RandomBits&)> run;
};

const double nothing = std::nan("");

double randomised_response(double epsilon) {
  return epsilon * std::tanh(epsilon / 2);
}

Sensitive<std::vector<double>> sealed(std::vector<double> values) {
  return Sensitive<std::vector<double>>(std::move(values), 1);
}

std::vector<Step> all_steps() {
  const double e = 0.7, r = 0.3, d = 1e-4, pure_rho = randomised_response(e);
  std::vector<Step> steps;
  steps.push_back({"laplace", e, pure_rho, 0, [=](Ledger& ledger, RandomBits& bits) {
                     laplace(e, Shape{1, 2}).release(sealed({3, 4}), ledger, bits, "t");
                   }});
  steps.push_back({"laplace", e, pure_rho, 0, [=](Ledger& ledger, RandomBits& bits) {
                     laplace(e, Shape{1}).release(Sensitive<double>(3, 1), ledger, bits, "t");
                   }});
  steps.push_back({"gaussian", nothing, r, 0, [=](Ledger& ledger, RandomBits& bits) {
                     gaussian(r, Shape{1, 2}).release(sealed({3, 4}), ledger, bits, "t");
                   }});
  steps.push_back({"gaussian", nothing, r, 0, [=](Ledger& ledger, RandomBits& bits) {
                     gaussian(r, Shape{1}).release(Sensitive<double>(3, 1), ledger, bits, "t");
                   }});
  steps.push_back({"gaussian", nothing, r, 0, [=](Ledger& ledger, RandomBits& bits) {
                     const Sensitive<std::vector<std::int64_t>> values({3, 4}, 1);
                     scaled_gaussian(r, 1, {1, 2}).release(values, ledger, bits, "t");
                   }});
  steps.push_back({"exponential", e, e * e / 8, 0, [=](Ledger& ledger, RandomBits& bits) {
                     choice(e, Selection::exponential).choose(sealed({3, 4}), ledger, bits, "t");
                   }});
  steps.push_back(
      {"permute and flip", e, pure_rho, 0, [=](Ledger& ledger, RandomBits& bits) {
         choice(e, Selection::permute_and_flip).choose(sealed({3, 4}), ledger, bits, "t");
       }});
  // All choices are one entry, paid before the first of them. Each is sqrt(8 r / 2), and a little
  // less for rounding.
  const double one_of_two = std::sqrt(4 * r) * (1 - 1e-10), both = one_of_two * one_of_two / 4;
  steps.push_back(
      {"pair selection", 2 * one_of_two, both, 0, [=](Ledger& ledger, RandomBits& bits) {
         pair_selection(r, 2).choose(sealed({3, 4, 5}), ledger, bits, "t");
       }});
  // Of two runs one must not be running after its refusal, and the other goes on.
  steps.push_back({"sparse vector", e, pure_rho, 0, [=](Ledger& ledger, RandomBits& bits) {
                     SparseVector run = sparse_vector(e, 3);
                     try {
                       run.start(0, ledger, bits, "t");
                     } catch (const Overdraft&) {
                       REQUIRE_FALSE(run.running());
                       REQUIRE_THROWS_AS(run.above(Sensitive<double>(1, 1), bits),
                                         std::logic_error);
                       throw;
                     }
                     run.above(Sensitive<double>(1, 1), bits);
                   }});
  for (Accounting unit : {Accounting::pure, Accounting::zcdp}) {
    const bool pure = unit == Accounting::pure;
    steps.push_back({"sieve and examine", pure ? e : nothing, pure ? pure_rho : r, 0,
                     [=](Ledger& ledger, RandomBits& bits) {
                       SieveAndExamine run = sieve_and_examine(unit, pure ? e : r, 0.5, {50, 100});
                       try {
                         run.start(0, 0, ledger, bits, "t");
                       } catch (const Overdraft&) {
                         REQUIRE_FALSE(run.sieving());
                         REQUIRE_THROWS_AS(run.sieve(Sensitive<double>(1, 1), bits),
                                           std::logic_error);
                         throw;
                       }
                     }});
  }
  for (AdmissibleNoise noise : {AdmissibleNoise::laplace, AdmissibleNoise::gaussian}) {
    steps.push_back({"smooth median", e, pure_rho, d, [=](Ledger& ledger, RandomBits& bits) {
                       smooth_median(e, d, noise).release(sealed({0.2, 0.4}), ledger, bits, "t");
                     }});
  }

  // Tables and blocks of records. The rows are divided into blocks by random bits of their own,
  // before anything is asked: that is no noise.
  RandomBits fixed = RandomBits::from_seed(1);
  const auto records = std::make_shared<const Records>(random_records({2, 3}, 100, fixed));
  const auto blocks = std::make_shared<const BlockTests>(
      MemoryTables(records->schema(), records->inputs(), {}).blocks(10, fixed));
  steps.push_back({"gaussian", nothing, r, 0, [=](Ledger& ledger, RandomBits& bits) {
                     MemoryTables tables(records->schema(), records->inputs(), MemoryOptions{});
                     Measurements store(records->schema());
                     const Batch batch{{VariableSet{0}, 1.5}, {VariableSet{0, 1}, 1}};
                     try {
                       measure_batch(tables, batch, Rho(r), ledger, bits, "t", store);
                     } catch (const Overdraft&) {
                       REQUIRE(store.entries().empty());
                       throw;
                     }
                     REQUIRE(store.entries().size() == 2);
                   }});
  const auto three = std::make_shared<const Records>(random_records({2, 3, 2}, 100, fixed));
  const std::vector<NodePair> pairs{{0, 1}, {0, 2}, {1, 2}};
  for (bool tree : {false, true}) {
    steps.push_back(
        {"pair selection", 2 * one_of_two, both, 0, [=](Ledger& ledger, RandomBits& bits) {
           MemoryTables tables(three->schema(), three->inputs(), MemoryOptions{});
           const PairModel model = independence_model(Measurements(three->schema()));
           const auto chosen = tree
                                   ? select_tree(tables, pairs, model, Rho(r), ledger, bits, "t")
                                   : select_top(tables, pairs, model, 2, Rho(r), ledger, bits, "t");
           REQUIRE(chosen.size() == 2);
         }});
  }
  steps.push_back({"laplace", e, pure_rho, 0, [=](Ledger& ledger, RandomBits& bits) {
                     laplace(e, Shape{1, 1, true})
                         .release(blocks->count_below(0.5, TestKind::g2, 0, 1, VariableSet{}),
                                  ledger, bits, "t");
                   }});
  steps.push_back({"smooth median", e, pure_rho, d, [=](Ledger& ledger, RandomBits& bits) {
                     smooth_median(e, d, AdmissibleNoise::laplace)
                         .release(blocks->evidence(TestKind::g2, 0, 1, VariableSet{}), ledger, bits,
                                  "t");
                   }});
  return steps;
}

// Words, halves and single bits come from the same place: all of them must agree.
bool at_the_same_place(RandomBits& a, RandomBits& b) {
  for (int i = 0; i < 100; ++i) {
    if (a.coin() != b.coin() || a.next_half() != b.next_half() || a.next() != b.next())
      return false;
  }
  return true;
}

void check_same(const std::vector<Ledger::Entry>& a, const std::vector<Ledger::Entry>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    REQUIRE(a[i].mechanism == b[i].mechanism);
    REQUIRE(amount_of(a[i]) == amount_of(b[i]));
    REQUIRE(a[i].delta == b[i].delta);
  }
}

void check_refused(const Step& step, Ledger& ledger) {
  RandomBits bits = RandomBits::from_seed(7), twin = RandomBits::from_seed(7);
  const std::vector<Ledger::Entry> before = ledger.entries();
  const double left = left_of(ledger), slack = ledger.slack_left();
  REQUIRE_THROWS_AS(step.run(ledger, bits), Overdraft);
  REQUIRE(at_the_same_place(bits, twin));
  check_same(ledger.entries(), before);
  REQUIRE(left_of(ledger) == left);
  REQUIRE(ledger.slack_left() == slack);
}

}  // namespace

TEST_CASE("a step that is not covered draws no random bit and leaves the ledger as it is") {
  for (const Step& step : all_steps()) {
    for (Accounting unit : {Accounting::pure, Accounting::zcdp}) {
      const double price = unit == Accounting::pure ? step.pure : step.rho;
      if (std::isnan(price)) continue;
      INFO(step.mechanism << " counted in " << unit_name(unit));
      // A little too small from the start, and with something spent before.
      Ledger small = ledger_of(unit, price * 0.999, 0.01);
      check_refused(step, small);
      Ledger used = ledger_of(unit, price * 1.5, 0.01);
      RandomBits other = RandomBits::from_seed(3);
      laplace(price * 0.6, Shape{1}).release(Sensitive<double>(0, 1), used, other, "before");
      if (unit == Accounting::pure) check_refused(step, used);
      if (step.delta == 0) continue;
      // Enough of the amount, too little delta.
      Ledger tight = ledger_of(unit, 100, step.delta * 0.999);
      check_refused(step, tight);
      REQUIRE(spent_of(tight) == 0);
    }
  }
}

TEST_CASE("a step that is covered is one entry of its proven price, and draws") {
  for (const Step& step : all_steps()) {
    for (Accounting unit : {Accounting::pure, Accounting::zcdp}) {
      const double price = unit == Accounting::pure ? step.pure : step.rho;
      INFO(step.mechanism << " counted in " << unit_name(unit));
      Ledger ledger = ledger_of(unit, 100, 0.01);
      RandomBits bits = RandomBits::from_seed(7), twin = RandomBits::from_seed(7);
      if (std::isnan(price)) {
        REQUIRE_THROWS_AS(step.run(ledger, bits), std::invalid_argument);
        REQUIRE(at_the_same_place(bits, twin));
        REQUIRE(ledger.size() == 0);
        continue;
      }
      step.run(ledger, bits);
      REQUIRE_FALSE(at_the_same_place(bits, twin));
      REQUIRE(ledger.size() == 1);
      const Ledger::Entry entry = ledger.entries()[0];
      REQUIRE(entry.mechanism == step.mechanism);
      REQUIRE(entry.target == "t");
      REQUIRE(amount_of(entry) >= price * (1 - 1e-15));
      REQUIRE(amount_of(entry) <= price * (1 + 1e-12));
      REQUIRE(entry.delta >= step.delta);
      REQUIRE(entry.delta <= step.delta * (1 + 1e-12));
    }
  }
}

TEST_CASE("a ledger of Gaussian steps takes measured tables and refuses all others, undrawn") {
  std::size_t taken = 0;
  for (const Step& step : all_steps()) {
    INFO(step.mechanism);
    RandomBits bits = RandomBits::from_seed(7), twin = RandomBits::from_seed(7);
    Ledger small = ledger_of(Accounting::gaussian, step.rho * 0.999);
    Ledger ledger = ledger_of(Accounting::gaussian, 100);
    try {
      step.run(ledger, bits);
    } catch (const std::invalid_argument&) {
      REQUIRE(at_the_same_place(bits, twin));
      REQUIRE(ledger.size() == 0);
      continue;
    }
    ++taken;
    REQUIRE(step.mechanism == "gaussian");
    REQUIRE(ledger.size() == 1);
    REQUIRE(amount_of(ledger.entries()[0]) >= step.rho * (1 - 1e-15));
    check_refused(step, small);
  }
  REQUIRE(taken == 1);
}
