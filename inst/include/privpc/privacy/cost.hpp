// What a step of a private computation is proved to be, whatever ledger pays for it. The ledger
// reads off the one number it counts in; no mechanism turns one unit into the other by itself.
//
//   statement about the step               in a ledger of epsilon   in a ledger of rho (zCDP)
//   pure(e)          e-DP                   e                        e tanh(e/2)
//   bounded_range(e) exponential mechanism  e                        e^2/8
//   bounded_ranges(e, k)  k of them         k e                      k e^2/8
//   concentrated(r)  r-zCDP, nothing pure   refused                  r
//   gaussian(r)      Gaussian noise         refused                  r
//   approximate(e,d) (e, d)-DP              e; d of its slack        e tanh(e/2); d of its slack
//
// A ledger that counts Gaussian steps (gaussian_dp.hpp) takes r of gaussian(r) and refuses all
// others: its cap is worth more than the same rho is elsewhere, and only for that kind of noise.
// approximate: for every pair of neighbours an (e, d)-DP step is, with probability 1 - d, a
// randomised answer that is e-DP, and with probability d anything (Kairouz, Oh & Viswanath 2015,
// Theorem 3.3). That is a d-approximate zCDP step with the rho of a pure one (accounting.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>

#include "privpc/privacy/accounting.hpp"

namespace privpc {

class Cost {
 public:
  static Cost pure(Epsilon epsilon) { return Cost(epsilon, rho_of_pure(epsilon), 0); }
  static Cost bounded_range(Epsilon epsilon) {
    return Cost(epsilon, rho_of_exponential(epsilon), 0);
  }
  // One after the other on the same data, each chosen after seeing what the ones before it gave.
  static Cost bounded_ranges(Epsilon each, std::size_t rounds) {
    const double k = static_cast<double>(rounds);
    return Cost(Epsilon(outward::up(each.value() * k)),
                Rho(outward::up(rho_of_exponential(each).value() * k)), 0);
  }
  static Cost concentrated(Rho rho) { return Cost(std::nullopt, rho, 0); }
  // With noise as wide as theorem 3 of gaussian_dp.hpp asks for.
  static Cost gaussian(Rho rho) {
    Cost cost = concentrated(rho);
    cost.is_gaussian_ = true;
    return cost;
  }
  static Cost approximate(Epsilon epsilon, double delta) {
    return Cost(epsilon, rho_of_pure(epsilon), delta);
  }

  // A step that is calibrated to a price: an e-DP or an r-zCDP one.
  explicit Cost(const Price& price)
      : Cost(price.is_pure() ? pure(price.epsilon()) : concentrated(price.rho())) {}

  // In the unit of a ledger.
  Price in(Accounting accounting) const {
    if (accounting == Accounting::gaussian && !is_gaussian_) {
      throw std::invalid_argument("a ledger of Gaussian steps takes no others");
    }
    if (accounting != Accounting::pure) {
      if (!rho_.is_finite()) throw std::invalid_argument("the cost of a step must be finite");
      return Price::in(accounting, rho_.value());
    }
    if (!epsilon_) {
      throw std::invalid_argument(
          "a step that costs rho has no pure guarantee: it needs delta > 0");
    }
    return *epsilon_;
  }

  const std::optional<Epsilon>& epsilon() const { return epsilon_; }
  double delta() const { return delta_; }

 private:
  Cost(std::optional<Epsilon> epsilon, Rho rho, double delta)
      : epsilon_(epsilon), rho_(rho), delta_(delta) {
    if (!(delta >= 0 && delta < 1)) {
      throw std::invalid_argument("the delta of a step must be at least 0 and below 1");
    }
  }

  std::optional<Epsilon> epsilon_;  // none: the step has no pure guarantee
  Rho rho_;
  double delta_;
  bool is_gaussian_ = false;
};

}  // namespace privpc
