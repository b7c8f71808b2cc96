// Gaussian noise on whole numbers that are measured in units of their own.
//
// Theorem. Let x be a vector of whole numbers and u_c > 0 public units such that replacing one
// record changes x by d with sum (d_c / u_c)^2 <= D^2. Adding independent discrete Gaussian noise
// of parameter sigma_c >= u_c D / sqrt(2 rho) to every x_c is rho-zCDP.
// Proof. For one coordinate the Renyi divergence of order a between the outputs of two neighbours
// is at most a d_c^2 / (2 sigma_c^2) (Canonne, Kamath & Steinke 2020, Proposition 5), because d_c
// is a whole number. The coordinates' noise is independent, so divergences add up: at most
// (a/2) sum d_c^2 / sigma_c^2 <= (a/2) (2 rho / D^2) sum (d_c / u_c)^2 <= a rho. QED
//
// In a ledger of Gaussian steps the continuous variance behind coordinate c has to pay for rho, and
// that is sigma_c^2 - 4 (theorem 3 of gaussian_dp.hpp): sum of d_c^2 / (sigma_c^2 - 4) <= 2 rho if
// sigma_c^2 >= u_c^2 D^2 / (2 rho) + 4. All coordinates get u_c^2 (D^2 / (2 rho) + 4 / u^2), u the
// smallest unit, which is no less: then their noise is still in proportion to their units. Few
// counts: a run at (1, 1e-6) has variances of hundreds and more.
//
// Nothing is rounded that comes from records: there is no grid, and no widening of D.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/privacy/gaussian_dp.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"

namespace privpc {

class ScaledGaussianMechanism {
 public:
  // `units` may be rounded by a few parts in 10^15; they are widened by more than that here.
  ScaledGaussianMechanism(Rho rho, double sensitivity, const std::vector<double>& units,
                          Accounting accounting = Accounting::zcdp)
      : cost_(accounting == Accounting::gaussian ? Cost::gaussian(checked_positive(rho))
                                                 : Cost::concentrated(checked_positive(rho))),
        sensitivity_(checked_positive(sensitivity, "the sensitivity")) {
    const double root = root_rounded_down(2 * rho.value());
    double smallest = HUGE_VAL;
    for (double unit : units)
      smallest = std::min(smallest, checked_positive(unit, "a unit"));
    const double widening =
        accounting == Accounting::gaussian ? std::sqrt(kGaussianWidening) / smallest * root : 0;
    const double wide = std::hypot(sensitivity, widening);
    sigmas_.reserve(units.size());
    for (double unit : units) {
      const double numerator = unit * wide * (1 + 1e-12);
      // More noise than asked for is always safe.
      sigmas_.push_back(noise_scale(std::max(numerator, 2 * kSmallestScale * root), root));
    }
  }

  std::vector<std::int64_t> release(const Sensitive<std::vector<std::int64_t>>& values,
                                    Ledger& ledger, RandomBits& bits,
                                    const std::string& target) const {
    if (values.sensitivity() > sensitivity_) {
      throw std::invalid_argument("the values are more sensitive than the mechanism was built for");
    }
    const MechanismKey key;
    std::vector<std::int64_t> out = values.open(key);
    if (out.size() != sigmas_.size()) {
      throw std::invalid_argument("the number of values is not the one that was announced");
    }
    check_few_enough(ledger);
    ledger.debit("gaussian", target, cost_);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (i % 64 == 0) breathe();
      out[i] += discrete_gaussian(sigmas_[i], bits);
    }
    return out;
  }

  double sigma(std::size_t coordinate) const { return to_double(sigmas_[coordinate]); }

 private:
  // At most 2^50 numbers in all, as theorem 3 asks: 2^20 steps of 2^30.
  void check_few_enough(const Ledger& ledger) const {
    if (ledger.accounting() != Accounting::gaussian) return;
    constexpr std::size_t steps = std::size_t{1} << 20, numbers = std::size_t{1} << 30;
    static_assert(static_cast<double>(steps) * static_cast<double>(numbers) <=
                  kMostGaussianNumbers);
    if (ledger.size() >= steps || sigmas_.size() > numbers) {
      throw std::invalid_argument("too many numbers for a ledger of Gaussian steps");
    }
  }

  Cost cost_;
  double sensitivity_;
  std::vector<Dyadic> sigmas_;
};

}  // namespace privpc
