// Private choice of one of several candidates by their scores.
//
// EXPONENTIAL MECHANISM: candidate i is chosen with probability proportional to
// exp(epsilon u_i / (2 D)), D the sensitivity of every score; with monotone scores (one record
// moves them all in the same direction) exp(epsilon u_i / D). It is epsilon-DP, and as a mechanism
// of bounded range epsilon it is epsilon^2/8-zCDP (Cesar & Rogers 2021).
// PERMUTE-AND-FLIP (McKenna & Sheldon 2020): candidates in random order, each taken with
// probability exp(-(u_max - u_i) epsilon/(2 D)) until one is taken; epsilon-DP, never worse in
// expectation, but without the bounded range, so it costs a ledger its full epsilon.
//
// Both only ever need to flip coins of probability exp(-gap/scale), gap = u_max - u_i: uniform
// candidate and coin until one is accepted gives exactly the first distribution, since each
// round accepts i with probability exp(-gap_i/scale)/N. No softmax, no floating point.
// Scores are snapped to a grid (grid.hpp), which widens D by a step. Equal scores have equal
// chances.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/softmax.hpp"

namespace privpc {

enum class Selection { exponential, permute_and_flip };

class ExponentialMechanism {
 public:
  ExponentialMechanism(Epsilon epsilon, double sensitivity, bool monotone, Selection selection)
      : epsilon_(checked_positive(epsilon)),
        sensitivity_(checked_positive(sensitivity, "the sensitivity")),
        selection_(selection),
        grid_(Grid::for_noise(sensitivity, sensitivity / epsilon.value())),
        scale_(noise_scale((monotone ? 1 : 2) * grid_.steps_l1(sensitivity, 1), epsilon.value())) {}

  // Index of the chosen candidate.
  std::size_t choose(const Sensitive<std::vector<double>>& scores, Ledger& ledger, RandomBits& bits,
                     const std::string& target) const {
    const MechanismKey key;
    const std::vector<std::int64_t> steps = grid_.snap_all(scores.open(key));
    if (steps.empty()) throw std::invalid_argument("there is no candidate to choose from");
    if (scores.sensitivity() > sensitivity_) {
      throw std::invalid_argument("the scores are more sensitive than the mechanism was built for");
    }
    if (selection_ == Selection::permute_and_flip) {
      ledger.debit("permute and flip", target, Cost::pure(epsilon_));
    } else {
      ledger.debit("exponential", target, Cost::bounded_range(epsilon_));
    }
    const std::int64_t best = *std::max_element(steps.begin(), steps.end());
    return selection_ == Selection::permute_and_flip ? permute_and_flip(steps, best, bits)
                                                     : accept_reject(steps, best, bits);
  }

 private:
  bool coin(std::int64_t gap, RandomBits& bits) const {
    const Fraction ratio = gap_over_scale(static_cast<std::uint64_t>(gap), scale_);
    return bernoulli_exp_minus(ratio.numerator, ratio.denominator, bits);
  }

  std::size_t accept_reject(const std::vector<std::int64_t>& steps, std::int64_t best,
                            RandomBits& bits) const {
    for (std::size_t tried = 1;; ++tried) {
      if (tried % 64 == 0) breathe();
      const std::size_t i = static_cast<std::size_t>(bits.below(steps.size()));
      if (coin(best - steps[i], bits)) return i;
    }
  }

  std::size_t permute_and_flip(const std::vector<std::int64_t>& steps, std::int64_t best,
                               RandomBits& bits) const {
    std::vector<std::size_t> order(steps.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    for (std::size_t left = order.size(); left > 0; --left) {
      if (left % 64 == 0) breathe();
      std::swap(order[left - 1], order[static_cast<std::size_t>(bits.below(left))]);
      const std::size_t i = order[left - 1];
      if (coin(best - steps[i], bits)) return i;
    }
    throw std::logic_error("the best candidate is always taken");
  }

  Epsilon epsilon_;
  double sensitivity_;
  Selection selection_;
  Grid grid_;
  Dyadic scale_;
};

// Several choices by the exponential mechanism for one epsilon, all alike. A little less than equal
// parts, so that all of them fit where exactly that epsilon is left: a ledger rounds each one up.
class EqualChoices {
 public:
  EqualChoices(Epsilon whole, std::size_t choices)
      : choices_(choices),
        each_(whole / static_cast<double>(std::max<std::size_t>(choices, 1)) * (1 - 1e-9)) {}

  Epsilon each() const { return each_; }

  // Of all of them, in the unit of a ledger.
  Price cost(Accounting accounting) const {
    const Price one = Cost::bounded_range(each_).in(accounting);
    return one.of(static_cast<double>(choices_) * one.value());
  }

 private:
  std::size_t choices_;
  Epsilon each_;
};

}  // namespace privpc
