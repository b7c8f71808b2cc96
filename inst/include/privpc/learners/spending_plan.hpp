// How much of what is left of a budget goes to the next step.
//
// A learner that pays for every edge it removes does not know beforehand how many steps it will
// take. The ledger allows steps whose price depends on earlier outcomes, so each step gets an
// equal share among those still expected: as many as pairs are left beyond the edges a sparse
// graph keeps (about one per node), with some more for steps that find nothing. All of this is
// a function of public facts and of answers that were already paid for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "privpc/privacy/ledger.hpp"

namespace privpc {

struct SpendingSettings {
  std::size_t pairs = 0;  // that tests decide
  std::size_t nodes = 0;
  double rows = 0;
  std::size_t rounds = 0;       // a fixed number of equal steps; 0: as described above
  double steps_per_pair = 1;    // expected for each pair that is to be removed
  double kept_per_node = 0.85;  // edges expected to stay
};

struct ExpectedSteps {
  double per_pair, kept_per_node;
};

inline SpendingSettings spending_of(std::size_t nodes, std::size_t pairs, std::uint64_t rows,
                                    std::size_t rounds, const ExpectedSteps& steps) {
  SpendingSettings settings;
  settings.pairs = pairs;
  settings.nodes = nodes;
  settings.rows = static_cast<double>(rows);
  settings.rounds = rounds;
  settings.steps_per_pair = steps.per_pair;
  settings.kept_per_node = steps.kept_per_node;
  return settings;
}

class SpendingPlan {
 public:
  // A step with less than this part of the first one's price tells little.
  static constexpr double kWorthAStep = 0.2;

  // Beginning a task of several steps, as a new order is, takes more; less so in larger graphs,
  // where more edges wait for the later orders.
  double worth_of_a_task() const {
    return 0.35 + 0.15 * std::min(1.0, 30 / static_cast<double>(settings_.pairs));
  }

  SpendingPlan(Ledger& ledger, const SpendingSettings& settings)
      : ledger_(ledger), settings_(settings) {}

  // The price of the next step; 0 when it is time to stop. At least `least`
  // steps are expected from here on, and `more` besides those the plan knows of. A step of `weight`
  // costs that many times an ordinary one. `worth` is the part of the first step's price below
  // which it is not made, unless its noise is small anyway; 0: it is made in any case.
  Price next(double least, double more = 0, double weight = 1, double worth = kWorthAStep) {
    const Price unit = ledger_.left();
    const double left = unit.value();
    const double each = left / std::max(expected(least) + more, weight);
    if (first_ == 0) first_ = each;
    const bool enough = settings_.rounds > 0 ? steps_ < settings_.rounds
                                             : each >= first_ * worth || is_precise(unit.of(each));
    if (!enough || !(each > 0)) return unit.of(0);
    ++steps_;
    return unit.of(std::min(weight * each, left));
  }

  void pair_removed() { ++removed_; }

  std::size_t steps() const { return steps_; }

  // Whether the noise for this price is small against the chance variation of margins, which is of
  // the order of the square root of the number of rows.
  bool is_precise(const Price& price) const {
    const double noise =
        price.is_pure() ? 1 / price.epsilon().value() : 1 / std::sqrt(2 * price.rho().value());
    return noise < std::sqrt(settings_.rows) / 20;
  }

 private:
  // Of pairs beyond the edges that are expected to stay, all; of the others perhaps a third.
  double expected(double least) const {
    if (settings_.rounds > 0) {
      return static_cast<double>(settings_.rounds - std::min(steps_, settings_.rounds));
    }
    const double pairs = static_cast<double>(settings_.pairs - removed_);
    const double kept = settings_.kept_per_node * static_cast<double>(settings_.nodes);
    return std::max({least, settings_.steps_per_pair * (pairs - kept), 0.3 * pairs});
  }

  Ledger& ledger_;
  SpendingSettings settings_;
  double first_ = 0;  // in the ledger's unit
  std::size_t steps_ = 0;
  std::size_t removed_ = 0;
};

}  // namespace privpc
