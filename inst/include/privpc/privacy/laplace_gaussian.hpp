// Additive noise.
//
// LAPLACE. Theorem: releasing the snapped values plus independent discrete Laplace noise of scale
// b >= D/epsilon, D the L1 sensitivity in steps, is epsilon-DP.
// Proof: the probability of an output z is the product of c exp(-|z_i - x_i|/b). For neighbours x
// and y the ratio is exp(sum(|z_i - y_i| - |z_i - x_i|)/b) <= exp(sum |x_i - y_i|/b) <= exp(D/b).
// The differences are whole steps, so both probabilities are on the same lattice. QED
//
// GAUSSIAN. Theorem (Canonne, Kamath, Steinke 2020, Theorem 4 and its multivariate corollary):
// independent discrete Gaussian noise of parameter sigma is rho-zCDP for
// rho = D^2 / (2 sigma^2), D the L2 sensitivity in steps. It has no pure guarantee.
//
// Every release debits the ledger before a single random bit is drawn.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/random_bits.hpp"
#include "privpc/base/sensitive.hpp"
#include "privpc/privacy/accounting.hpp"
#include "privpc/privacy/grid.hpp"
#include "privpc/privacy/ledger.hpp"
#include "privpc/privacy/samplers.hpp"

namespace privpc {

// The values to be released, fixed before the data are seen: how many, how sensitive, and whether
// they are whole numbers for every data set (counts; the grid is then the integers and free, and
// what changes at all changes by 1 at the least).
struct Shape {
  double sensitivity;
  std::size_t coordinates = 1;
  bool whole = false;

  // Before anything is debited. Fractions where whole numbers were announced are refused: the grid
  // of whole numbers has no room for rounding in its sensitivity. A hundred values of 0.995 and of
  // 1.004 are 0.9 apart in L1, and 100 after rounding. Every double of 2^53 and more is whole.
  void check(const Sensitive<std::vector<double>>& values, const std::vector<double>& open) const {
    if (values.sensitivity() > sensitivity) {
      throw std::invalid_argument("the values are more sensitive than the mechanism was built for");
    }
    if (open.size() != coordinates) {
      throw std::invalid_argument("the number of values is not the one that was announced");
    }
    const auto fraction = [](double x) { return x != std::floor(x); };
    if (whole && std::any_of(open.begin(), open.end(), fraction)) {
      throw std::invalid_argument("the values were announced as whole numbers and are not");
    }
  }
};

class LaplaceMechanism {
 public:
  LaplaceMechanism(Epsilon epsilon, const Shape& shape)  // L1 sensitivity
      : epsilon_(checked_positive(epsilon)),
        shape_(shape),
        grid_(Grid::for_values(checked_positive(shape.sensitivity, "the sensitivity"),
                               shape.sensitivity / epsilon.value(), shape.coordinates,
                               shape.whole)),
        scale_(noise_scale(shape.whole ? std::ceil(shape.sensitivity)
                                       : grid_.steps_l1(shape.sensitivity, shape.coordinates),
                           epsilon.value())) {}

  std::vector<double> release(const Sensitive<std::vector<double>>& values, Ledger& ledger,
                              RandomBits& bits, const std::string& target) const {
    const MechanismKey key;
    shape_.check(values, values.open(key));
    const std::vector<std::int64_t> steps = grid_.snap_all(values.open(key));
    ledger.debit("laplace", target, Cost::pure(epsilon_));
    std::vector<double> out;
    out.reserve(steps.size());
    for (std::int64_t s : steps) {
      if (out.size() % 64 == 0) breathe();
      out.push_back(grid_.value(s + discrete_laplace(scale_, bits)));
    }
    return out;
  }

  double release(const Sensitive<double>& value, Ledger& ledger, RandomBits& bits,
                 const std::string& target) const {
    const MechanismKey key;
    return release(Sensitive<std::vector<double>>({value.open(key)}, value.sensitivity()), ledger,
                   bits, target)[0];
  }

  // Scale of the noise in the statistic's own unit.
  double scale() const { return to_double(scale_) * grid_.step(); }

 private:
  Epsilon epsilon_;
  Shape shape_;
  Grid grid_;
  Dyadic scale_;
};

// The square root is correctly rounded; one step down it is not above the true one.
inline double root_rounded_down(double x) {
  return std::nextafter(std::sqrt(x), 0.0);
}

class GaussianMechanism {
 public:
  GaussianMechanism(Rho rho, const Shape& shape)  // L2 sensitivity
      : rho_(checked_positive(rho)),
        shape_(shape),
        grid_(Grid::for_values(checked_positive(shape.sensitivity, "the sensitivity"),
                               shape.sensitivity / std::sqrt(2 * rho.value()), shape.coordinates,
                               shape.whole)),
        sigma_(noise_scale(shape.whole ? std::max(shape.sensitivity, 1.0)
                                       : grid_.steps_l2(shape.sensitivity, shape.coordinates),
                           root_rounded_down(2 * rho.value()))) {}

  std::vector<double> release(const Sensitive<std::vector<double>>& values, Ledger& ledger,
                              RandomBits& bits, const std::string& target) const {
    const MechanismKey key;
    shape_.check(values, values.open(key));
    const std::vector<std::int64_t> steps = grid_.snap_all(values.open(key));
    ledger.debit("gaussian", target, Cost::concentrated(rho_));
    std::vector<double> out;
    out.reserve(steps.size());
    for (std::int64_t s : steps) {
      if (out.size() % 64 == 0) breathe();
      out.push_back(grid_.value(s + discrete_gaussian(sigma_, bits)));
    }
    return out;
  }

  double release(const Sensitive<double>& value, Ledger& ledger, RandomBits& bits,
                 const std::string& target) const {
    const MechanismKey key;
    return release(Sensitive<std::vector<double>>({value.open(key)}, value.sensitivity()), ledger,
                   bits, target)[0];
  }

  double sigma() const { return to_double(sigma_) * grid_.step(); }

 private:
  Rho rho_;
  Shape shape_;
  Grid grid_;
  Dyadic sigma_;
};

}  // namespace privpc
