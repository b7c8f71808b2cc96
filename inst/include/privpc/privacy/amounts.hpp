// Amounts of privacy, each with its unit in its type: an Epsilon (pure differential privacy) is
// not a Rho (zero-concentrated), and neither is a plain number. Inside the core a step that is paid
// for in the wrong unit does not compile: for small losses rho is about epsilon^2 / 2, so such a
// mistake would sell a hundred times what a budget holds. Where a number comes from outside,
// Price::in() is the one place that says which of the two it is.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

#include "privpc/base/sensitive.hpp"

namespace privpc {

struct EpsilonUnit {
  static constexpr const char* name = "epsilon";
};
struct RhoUnit {
  static constexpr const char* name = "rho";
};

// Never negative and never NaN. Infinity is allowed: it is what a conversion answers that promises
// nothing; ledgers and mechanisms refuse it.
template <class Unit>
class Amount {
 public:
  explicit Amount(double value) : value_(value) {
    if (!(value >= 0)) {
      throw std::invalid_argument(std::string(Unit::name) + " must be a number, not negative");
    }
  }
  double value() const { return value_; }
  bool is_finite() const { return std::isfinite(value_); }

  friend Amount operator*(Amount a, double share) { return Amount(a.value_ * share); }
  friend Amount operator*(double share, Amount a) { return Amount(share * a.value_); }
  friend Amount operator/(Amount a, double parts) { return Amount(a.value_ / parts); }
  friend bool operator==(Amount a, Amount b) { return a.value_ == b.value_; }
  friend bool operator!=(Amount a, Amount b) { return a.value_ != b.value_; }
  friend bool operator<(Amount a, Amount b) { return a.value_ < b.value_; }
  friend bool operator>(Amount a, Amount b) { return a.value_ > b.value_; }
  friend bool operator<=(Amount a, Amount b) { return a.value_ <= b.value_; }
  friend bool operator>=(Amount a, Amount b) { return a.value_ >= b.value_; }

 private:
  double value_;
};

using Epsilon = Amount<EpsilonUnit>;
using Rho = Amount<RhoUnit>;

// An amount that a mechanism can be calibrated to.
template <class Unit>
Amount<Unit> checked_positive(Amount<Unit> amount) {
  checked_positive(amount.value(), Unit::name);
  return amount;
}

// How a ledger counts. `gaussian`: rhos of steps all of whose noise is Gaussian, whose sum is worth
// more than that of others (gaussian_dp.hpp).
enum class Accounting { pure, zcdp, gaussian };

inline const char* accounting_name(Accounting accounting) {
  switch (accounting) {
    case Accounting::pure:
      return "pure";
    case Accounting::zcdp:
      return "zcdp";
    case Accounting::gaussian:
      return "gaussian";
  }
  throw std::logic_error("an unknown way of counting");
}

inline const char* unit_name(Accounting accounting) {
  return accounting == Accounting::pure ? EpsilonUnit::name : RhoUnit::name;
}

// An amount in whichever unit a ledger counts in. It is made of an Epsilon or a Rho and gives back
// only the one it was made of.
class Price {
 public:
  Price(Epsilon epsilon) : accounting_(Accounting::pure), value_(epsilon.value()) {}
  Price(Rho rho) : accounting_(Accounting::zcdp), value_(rho.value()) {}

  // A number in the unit of this way of counting.
  static Price in(Accounting accounting, double value) {
    if (accounting == Accounting::pure) return Epsilon(value);
    Price price{Rho(value)};
    price.accounting_ = accounting;
    return price;
  }

  Accounting accounting() const { return accounting_; }
  bool is_pure() const { return accounting_ == Accounting::pure; }

  Epsilon epsilon() const {
    require(is_pure(), EpsilonUnit::name);
    return Epsilon(value_);
  }
  Rho rho() const {
    require(!is_pure(), RhoUnit::name);
    return Rho(value_);
  }

  // For arithmetic within one ledger: the number, and a price of another number in the same unit.
  double value() const { return value_; }
  Price of(double value) const { return in(accounting_, value); }
  explicit operator bool() const { return value_ > 0; }

 private:
  void require(bool right, const char* unit) const {
    if (!right) {
      throw std::logic_error(std::string("an amount of ") + unit_name(accounting_) +
                             " was taken for one of " + unit);
    }
  }

  Accounting accounting_;
  double value_;
};

}  // namespace privpc
