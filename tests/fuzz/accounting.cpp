// Conversions of privacy losses with any numbers: refused, or an amount, never NaN; and what goes
// there and back is never better than what one started with.
#include "privpc/privacy/accounting.hpp"

#include <cmath>
#include <limits>

#include "fuzz_target.h"
#include "privpc/privacy/gaussian_dp.hpp"
#include "privpc/privacy/renyi.hpp"
#include "privpc/privacy/sparse_vector.hpp"

using namespace privpc;
using privpc_fuzz::Input;
using privpc_fuzz::refused;

namespace {

double parameter(Input& input) {
  return input.below(3) != 0 ? input.usual() : input.real();
}

double any_delta(Input& input) {
  return input.coin() ? std::ldexp(1 + input.byte() / 256.0, -1 - static_cast<int>(input.below(80)))
                      : input.real();
}

void check_pair(Input& input) {
  const double epsilon = parameter(input), delta = any_delta(input);
  Rho zcdp(0), gaussian(0);
  if (refused([&] {
        zcdp = rho_from_dp(Epsilon(epsilon), delta);
        gaussian = gaussian_rho_from_dp(Epsilon(epsilon), delta);
      })) {
    FUZZ_CHECK(!(epsilon >= 0 && std::isfinite(epsilon) && delta > 0 && delta < 1));
    return;
  }
  FUZZ_CHECK(zcdp.is_finite() && gaussian.is_finite());
  // The way back promises no less privacy than what it came from.
  const double room = 1 + 1e-9;
  FUZZ_CHECK(dp_from_rho(zcdp, delta).value() <= epsilon * room + 1e-9);
  FUZZ_CHECK(gaussian_dp_from_rho(gaussian, delta).value() <= epsilon * room + 1e-9);
  if (epsilon < 1e6 && delta > 1e-290)
    FUZZ_CHECK(delta_from_rho(zcdp, Epsilon(epsilon)) <= delta * (1 + 1e-6));
  // More is allowed to those who add Gaussian noise alone.
  if (epsilon > 1e-6 && epsilon < 1e3 && delta > 1e-15 && delta < 0.1)
    FUZZ_CHECK(gaussian.value() >= zcdp.value() * (1 - 1e-9));
}

void check_rho(Input& input) {
  const double rho = parameter(input), delta = any_delta(input);
  Epsilon zcdp(0), gaussian(0);
  if (refused([&] {
        zcdp = dp_from_rho(Rho(rho), delta);
        gaussian = gaussian_dp_from_rho(Rho(rho), delta);
      })) {
    FUZZ_CHECK(!(rho >= 0 && std::isfinite(rho) && delta > 0 && delta < 1));
    return;
  }
  FUZZ_CHECK(gaussian <= zcdp);
  if (zcdp.is_finite() && zcdp.value() > 0) {
    FUZZ_CHECK(rho_from_dp(zcdp, delta).value() <= rho * (1 + 1e-6) + 1e-9);
    const double back = delta_from_rho(Rho(rho), zcdp);
    FUZZ_CHECK(back >= 0 && back <= 1);
  }
  // More of it is never worth less.
  FUZZ_CHECK(dp_from_rho(Rho(rho / 2), delta).value() <= zcdp.value() * (1 + 1e-9));
}

void check_steps(Input& input) {
  const double epsilon = parameter(input), sampled = parameter(input), total = parameter(input);
  Epsilon less(0);
  if (!refused([&] { less = amplified_epsilon(Epsilon(epsilon), sampled, total); })) {
    FUZZ_CHECK(less.value() <= epsilon);
    FUZZ_CHECK(less.value() >= epsilon * sampled / total * (1 - 1e-9));
    const Epsilon back = epsilon_before_sampling(less, sampled, total);
    // Unless it is so small that its last digits are rounding.
    if (less.value() > 1e-280) FUZZ_CHECK(back.value() <= epsilon * (1 + 1e-6));
    FUZZ_CHECK(back >= less);
  }
  refused([&] {
    const Rho pure = rho_of_pure(Epsilon(epsilon)), choice = rho_of_exponential(Epsilon(epsilon));
    FUZZ_CHECK(pure.value() >= epsilon * std::tanh(epsilon / 2));
    FUZZ_CHECK(pure.value() <= epsilon * (1 + 1e-9) + 1e-300);
    FUZZ_CHECK(choice.value() >= epsilon * epsilon / 8);
  });
  refused([&] {
    const std::size_t rounds = input.below(100);
    const Epsilon each = epsilon_per_round(Rho(epsilon), rounds);
    FUZZ_CHECK(rho_of_pure(each).value() * static_cast<double>(rounds) <= epsilon);
  });
  refused([&] {
    const double delta = any_delta(input), steps = std::floor(parameter(input));
    const ApproximateDp all =
        advanced_composition(Epsilon(epsilon), delta, steps, any_delta(input));
    FUZZ_CHECK(all.delta >= 0 && all.delta <= 1 && all.epsilon.value() >= epsilon);
  });
  refused([&] {
    const double sigma = sigma_of_gaussian(sampled, Rho(epsilon));
    FUZZ_CHECK(sigma >= 0);
    if (sigma > 1e-100 && sigma < 1e100)
      FUZZ_CHECK(rho_of_gaussian(sampled, sigma).value() <= epsilon * (1 + 1e-9));
  });
}

void check_subsampled(Input& input) {
  const double rho = input.usual() * 1e-3, total = 2 + static_cast<double>(input.below(100000));
  const double sampled = input.coin() ? parameter(input) : total / (1 + input.byte());
  const double steps = input.coin() ? std::floor(parameter(input)) : 1 + input.byte();
  const double delta = any_delta(input);
  Epsilon all(0);
  if (refused([&] { all = subsampled_gaussian_epsilon(Rho(rho), sampled, total, steps, delta); }))
    return;
  FUZZ_CHECK(all.value() >= 0);
  const double promise = parameter(input);
  Rho each(0);
  if (!refused(
          [&] { each = subsampled_gaussian_rho(Epsilon(promise), delta, sampled, total, steps); }))
    FUZZ_CHECK(each.value() == 0 ||
               subsampled_gaussian_epsilon(each, sampled, total, steps, delta).value() <= promise);
  if (steps == 1)
    FUZZ_CHECK(all.value() <= dp_from_rho(Rho(rho), delta).value() * (1 + 1e-6) + 1e-9);
}

}  // namespace

FUZZ_TARGET(accounting) {
  switch (input.below(8)) {
    case 0:
    case 1:
    case 2:
      return check_pair(input);
    case 3:
    case 4:
      return check_rho(input);
    case 5:
      return check_subsampled(input);
    default:
      check_steps(input);
  }
}
