// Sparse vector technique: which of many queries are above a threshold, paying only for those
// that are (at most `cutoff`), however many are below.
//
// One run with budget epsilon = e1 + e2: the threshold gets discrete Laplace noise of scale D/e1
// once, every query fresh noise of scale 2 c D/e2 (c D/e2 if monotone), c the cutoff; the run
// stops at its c-th positive. Nothing but above / below is ever said. A tie counts as above.
//
// Theorem (Lyu, Su & Li 2017, Theorem 4; here on the integers): the run is epsilon-DP.
// Proof. Let x and y be neighbours, in steps |q_i(x) - q_i(y)| <= D, D an integer, and fix an
// answer vector a with positives P, |P| <= c. For every value z of the noisy threshold let
//   f(z) = product over negatives of Pr[q_i(x) + noise < z],
//   g(z) = product over positives of Pr[q_i(x) + noise >= z].
// On y with threshold z + D: for a negative, q_i(y) <= q_i(x) + D, so Pr[q_i(y) + noise < z + D]
// >= Pr[q_i(x) + noise < z]. For a positive, q_i(y) >= q_i(x) - D, so the noise has to reach at
// most 2D further; Pr[noise >= t + 2D] >= exp(-2D/scale) Pr[noise >= t] with scale 2cD/e2 gives a
// factor exp(-e2/c), at most c of them. And Pr[threshold noise = z + D] >= exp(-e1) Pr[= z],
// shifting by the whole number D. Summing over z, Pr_x[a] <= exp(e1 + e2) Pr_y[a]. If monotone:
// when all q_i(y) >= q_i(x), shift the threshold by D as before; a positive then needs its noise to
// reach at most D further. When all q_i(y) <= q_i(x), leave the threshold as it is; negatives are
// at least as likely, and a positive needs at most D more. So scale cD/e2 suffices. QED
//
// The split e1 : e2 = 1 : (2c)^(2/3) (1 : c^(2/3) if monotone) makes the variance of the
// comparison smallest (same paper, section 4.2).
//
// For (epsilon, delta) the run is restarted after every positive (a fresh threshold, cutoff 1), c
// runs composed in zero-concentrated privacy; see epsilon_per_round().
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "privpc/privacy/laplace_gaussian.hpp"

namespace privpc {

class SparseVector {
 public:
  // Prepares a run; nothing is debited or drawn before start(). `share` is the part of epsilon
  // that goes to the threshold; 0 takes the best split.
  SparseVector(Epsilon promise, double sensitivity, std::size_t cutoff, bool monotone,
               double share = 0)
      : epsilon_(checked_positive(promise)),
        sensitivity_(checked_positive(sensitivity, "the sensitivity")),
        cutoff_(cutoff),
        grid_(Grid::for_noise(sensitivity, sensitivity / promise.value())) {
    if (cutoff == 0) throw std::invalid_argument("the cutoff must be at least 1");
    const double factor = (monotone ? 1.0 : 2.0) * static_cast<double>(cutoff);
    if (share == 0) share = 1 / (1 + std::pow(factor, 2.0 / 3.0));
    if (!(share > 0 && share < 1)) {
      throw std::invalid_argument("the share of the threshold must be between 0 and 1");
    }
    const double steps = grid_.steps_l1(sensitivity, 1);  // a whole number
    // Both parts rounded down, so that they cannot add up to more than epsilon.
    const double epsilon = promise.value();
    const double first = epsilon * share * (1 - 1e-15);
    const double second = (epsilon - first) * (1 - 1e-15);
    threshold_scale_ = noise_scale(steps, first);
    query_scale_ = noise_scale(factor * steps, second);
  }
  SparseVector(const SparseVector&) = delete;  // a copy of a running run would be free
  SparseVector& operator=(const SparseVector&) = delete;

  // Debits the whole run and draws the noise of the threshold.
  void start(double threshold, Ledger& ledger, RandomBits& bits, const std::string& target) {
    ledger.debit("sparse vector", target, Cost::pure(epsilon_));
    start_charged(threshold, bits);
  }

  bool running() const { return running_; }

  // Is this query above the threshold? Ends the run at the cutoff.
  bool above(const Sensitive<double>& query, RandomBits& bits) {
    if (!running_) throw std::logic_error("the run has ended: its budget is spent");
    if (query.sensitivity() > sensitivity_) {
      throw std::invalid_argument("the query is more sensitive than the run was built for");
    }
    const MechanismKey key;
    const std::int64_t noisy = grid_.snap(query.open(key)) + discrete_laplace(query_scale_, bits);
    const bool positive = noisy >= threshold_;
    if (positive && ++positives_ == cutoff_) running_ = false;
    return positive;
  }

  double threshold_noise() const { return to_double(threshold_scale_) * grid_.step(); }
  double query_noise() const { return to_double(query_scale_) * grid_.step(); }

 private:
  friend class SieveAndExamine;  // debits sieve and examine as one step
  void start_charged(double threshold, RandomBits& bits) {
    threshold_ = grid_.snap(threshold) + discrete_laplace(threshold_scale_, bits);
    positives_ = 0;
    running_ = true;
  }

  Epsilon epsilon_;
  double sensitivity_;
  std::size_t cutoff_;
  Grid grid_;
  Dyadic threshold_scale_{};
  Dyadic query_scale_{};
  std::int64_t threshold_ = 0;
  std::size_t positives_ = 0;
  bool running_ = false;
};

// The largest epsilon of a single run for which `rounds` runs cost at most rho: solves
// rounds * e tanh(e/2) = rho from below.
inline Epsilon epsilon_per_round(Rho rho, std::size_t rounds) {
  checked_positive(rho);
  if (rounds == 0) throw std::invalid_argument("the number of rounds must be at least 1");
  const Rho each = rho / static_cast<double>(rounds) * (1 - 1e-12);
  double low = 0, high = 1;
  while (rho_of_pure(Epsilon(high)) < each)
    high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (rho_of_pure(Epsilon(middle)) <= each ? low : high) = middle;
  }
  return Epsilon(low);
}

}  // namespace privpc
