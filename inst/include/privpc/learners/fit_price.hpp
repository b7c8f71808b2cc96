// What a fit with the promise (epsilon, delta) may spend, what it is proved to be and what a budget
// pays for it. One place for all three: a price that is paid and another that is enforced would be
// a leak, or a waste.
//
//   delta = 0               the run spends epsilon; the fit is epsilon-DP.
//   delta > 0               the run spends the largest rho that implies (epsilon, delta); the
//                           fit is rho-zCDP, and zCDP adds up over adaptively chosen steps
//                           (ledger.hpp).
//   only Gaussian steps,    the run spends the largest rho that implies (epsilon, delta) for such
//   delta > 0               steps (gaussian_dp.hpp): more than above. It is no less rho-zCDP, so a
//                           budget is charged that rho; but that alone would imply a larger
//                           epsilon.
//   the whole run on one    what costs this rho on the sub-sample is (epsilon, delta)-DP on all
//   sub-sample, delta > 0   rows (renyi.hpp), and has no rho of its own there. A budget is charged
//                           that it behaves as an epsilon-DP step but for a probability of delta
//                           (Kairouz, Oh and Viswanath 2015, theorem 3.3), which comes from the
//                           budget's reserve (cost.hpp).
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "privpc/privacy/cost.hpp"
#include "privpc/privacy/gaussian_dp.hpp"
#include "privpc/privacy/renyi.hpp"

namespace privpc {

struct FitPrice {
  Price run;               // the cap of the run's own ledger, on the rows that the run sees
  std::optional<Rho> rho;  // of the fit as a whole; none: only (epsilon, delta) is known
  Cost cost;               // what a budget is charged
  bool on_sample;          // the whole run is on one sub-sample

  // Below this the noise would hide any number of records (an epsilon), or any count below 20,000
  // (a rho), and the ledger's rounding would matter.
  static constexpr double kLeastEpsilon = 1e-6;
  static constexpr double kLeastRho = 1.0 / (1 << 30);
  bool is_too_small() const { return run.value() < (run.is_pure() ? kLeastEpsilon : kLeastRho); }
};

// For a learner that sees all rows.
inline FitPrice fit_price(Epsilon epsilon, double delta) {
  if (delta == 0) return {epsilon, std::nullopt, Cost::pure(epsilon), false};
  const Rho rho = rho_from_dp(epsilon, delta);
  return {rho, rho, Cost::concentrated(rho), false};
}

// For a learner that sees all rows, and all of whose steps add Gaussian noise: the ledger of the
// run refuses any other.
inline FitPrice gaussian_fit_price(Epsilon epsilon, double delta) {
  const Rho rho = gaussian_rho_from_dp(epsilon, delta);
  return {Price::in(Accounting::gaussian, rho.value()), rho, Cost::concentrated(rho), false};
}

// For one that may see a sub-sample of `sample` of the rows; `once`: the same one in the whole run.
inline FitPrice fit_price(Epsilon epsilon, double delta, bool once, std::uint64_t sample,
                          std::uint64_t rows) {
  if (!once || sample >= rows) return fit_price(epsilon, delta);
  if (delta == 0) throw std::invalid_argument("a run on a sub-sample needs delta > 0");
  const Rho rho = subsampled_gaussian_rho(epsilon, delta, static_cast<double>(sample),
                                          static_cast<double>(rows), 1);
  return {rho, std::nullopt, Cost::approximate(epsilon, delta), true};
}

}  // namespace privpc
