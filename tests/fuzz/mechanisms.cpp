// Mechanisms and samplers with any parameters: refused, and then nothing was debited, or with at
// least the noise that the promise asks for, a debit of what was promised and a result that such a
// mechanism can have.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "fuzz_target.h"
#include "privpc/privacy/exponential.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/pair_selection.hpp"
#include "privpc/privacy/samplers.hpp"
#include "privpc/privacy/scaled_gaussian.hpp"
#include "privpc/privacy/sieve_and_examine.hpp"
#include "privpc/privacy/smooth_median.hpp"
#include "privpc/privacy/sparse_vector.hpp"

using namespace privpc;
using privpc_fuzz::Input;
using privpc_fuzz::refused;

namespace {

double parameter(Input& input) {
  return input.below(4) != 0 ? input.usual() : input.real();
}

// At least this many scales away is never seen.
constexpr double kFar = 200;

std::vector<double> any_values(Input& input, std::size_t most, bool whole) {
  std::vector<double> out(input.below(most + 1));
  const bool wild = input.coin();
  for (double& x : out) {
    x = wild ? input.real() : static_cast<double>(input.byte()) - 100;
    if (whole && input.below(8) != 0) x = std::floor(x);
  }
  return out;
}

Ledger ledger_for(Input& input) {
  const auto accounting = static_cast<Accounting>(input.below(3));
  return Ledger(Price::in(accounting, input.coin() ? 1e15 : 1), 0.5);
}

// Nothing may be taken for what was refused.
template <class Release>
bool release_or_nothing(Ledger& ledger, const Release& release) {
  const std::size_t before = ledger.size();
  const bool was_refused = refused(release);
  FUZZ_CHECK(ledger.size() == before + (was_refused ? 0 : 1));
  return !was_refused;
}

void check_noisy(const std::vector<double>& values, const std::vector<double>& out, double scale,
                 double clamp) {
  FUZZ_CHECK(out.size() == values.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double value = std::min(std::max(values[i], -clamp), clamp);
    FUZZ_CHECK(!std::isnan(out[i]));
    FUZZ_CHECK(std::fabs(out[i] - value) <= kFar * scale + 1e-9 * std::fabs(value) + 2);
  }
}

void additive(Input& input, RandomBits& bits) {
  const double price = parameter(input), sensitivity = parameter(input);
  const bool whole = input.coin(), laplace = input.coin();
  const std::vector<double> values = any_values(input, 5, whole);
  Shape shape{sensitivity, input.below(8) == 0 ? input.below(5) : values.size(), whole};
  Ledger ledger = ledger_for(input);
  std::optional<LaplaceMechanism> by_laplace;
  std::optional<GaussianMechanism> by_gauss;
  const bool none = refused([&] {
    if (laplace) {
      by_laplace.emplace(Epsilon(price), shape);
    } else {
      by_gauss.emplace(Rho(price), shape);
    }
  });
  if (none) return;
  // Never less noise than the promise asks for.
  const double scale = laplace ? by_laplace->scale() : by_gauss->sigma();
  const double needed = laplace ? sensitivity / price : sensitivity / std::sqrt(2 * price);
  FUZZ_CHECK(scale >= needed * (1 - 1e-12));
  std::optional<Sensitive<std::vector<double>>> sealed;
  if (refused(
          [&] { sealed.emplace(values, input.below(4) == 0 ? parameter(input) : sensitivity); }))
    return;
  std::vector<double> out;
  const auto release = [&] {
    out = laplace ? by_laplace->release(*sealed, ledger, bits, "t")
                  : by_gauss->release(*sealed, ledger, bits, "t");
  };
  if (!release_or_nothing(ledger, release)) return;
  FUZZ_CHECK(sealed->sensitivity() <= sensitivity && values.size() == shape.coordinates);
  for (double x : values)
    FUZZ_CHECK(std::isfinite(x) && (!whole || x == std::floor(x)));
  if (std::isfinite(scale) && scale > 1e-300 && scale < 1e300) {
    // Values are clamped to 2^61 steps, and the noise has up to 2^50.
    const bool inside = std::all_of(values.begin(), values.end(),
                                    [&](double x) { return std::fabs(x) <= scale * 1e3; });
    if (inside) check_noisy(values, out, scale, 1e308);
  }
}

void scaled(Input& input, RandomBits& bits) {
  std::vector<double> units;
  for (std::size_t size = input.below(4); size > 0; --size)
    units.push_back(parameter(input));
  const double rho = parameter(input), sensitivity = parameter(input);
  Ledger ledger = ledger_for(input);
  std::unique_ptr<ScaledGaussianMechanism> mechanism;
  if (refused([&] {
        mechanism = std::make_unique<ScaledGaussianMechanism>(Rho(rho), sensitivity, units,
                                                              ledger.accounting());
      }))
    return;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const double needed = units[i] * sensitivity / std::sqrt(2 * rho);
    FUZZ_CHECK(mechanism->sigma(i) >= needed * (1 - 1e-12));
  }
  std::vector<std::int64_t> values(units.size());
  for (std::int64_t& x : values)
    x = static_cast<std::int64_t>(input.word()) / 4;
  const Sensitive<std::vector<std::int64_t>> sealed(values, sensitivity);
  std::vector<std::int64_t> out;
  if (!release_or_nothing(ledger, [&] { out = mechanism->release(sealed, ledger, bits, "t"); }))
    return;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double away = std::fabs(static_cast<double>(out[i] - values[i]));
    FUZZ_CHECK(away <= kFar * mechanism->sigma(i));
  }
}

void choices(Input& input, RandomBits& bits) {
  const double price = parameter(input), sensitivity = parameter(input);
  const std::vector<double> scores = any_values(input, 6, false);
  std::optional<Sensitive<std::vector<double>>> sealed;
  if (refused([&] { sealed.emplace(scores, sensitivity); })) return;
  Ledger ledger = ledger_for(input);
  if (input.coin()) {
    const auto selection = input.coin() ? Selection::exponential : Selection::permute_and_flip;
    std::optional<ExponentialMechanism> mechanism;
    if (refused([&] { mechanism.emplace(Epsilon(price), sensitivity, input.coin(), selection); }))
      return;
    std::size_t chosen = 0;
    if (!release_or_nothing(ledger,
                            [&] { chosen = mechanism->choose(*sealed, ledger, bits, "t"); }))
      return;
    FUZZ_CHECK(chosen < scores.size());
    const double best = *std::max_element(scores.begin(), scores.end());
    const double behind = (best - scores[chosen]) * price / (2 * sensitivity);
    const double wide = 1e3 * 2 * sensitivity / price;
    const bool inside = std::fabs(best) < wide && std::fabs(scores[chosen]) < wide;
    if (inside) FUZZ_CHECK(behind <= kFar);
    return;
  }
  const std::size_t rounds = input.below(8);
  std::optional<PairSelection> mechanism;
  if (refused([&] { mechanism.emplace(Rho(price), rounds, sensitivity); })) return;
  std::vector<std::size_t> chosen;
  if (!release_or_nothing(ledger, [&] { chosen = mechanism->choose(*sealed, ledger, bits, "t"); }))
    return;
  FUZZ_CHECK(chosen.size() == std::min(rounds, scores.size()));
  FUZZ_CHECK(std::set<std::size_t>(chosen.begin(), chosen.end()).size() == chosen.size());
  FUZZ_CHECK(*std::max_element(chosen.begin(), chosen.end()) < scores.size());
}

void sparse(Input& input, RandomBits& bits) {
  const double price = parameter(input), sensitivity = parameter(input);
  const std::size_t cutoff = input.below(5);
  Ledger ledger = ledger_for(input);
  std::unique_ptr<SparseVector> run;
  if (refused([&] {
        run = std::make_unique<SparseVector>(Epsilon(price), sensitivity, cutoff, input.coin(),
                                             input.coin() ? 0 : parameter(input));
      }))
    return;
  FUZZ_CHECK(!run->running() && run->query_noise() >= sensitivity / price);
  const double threshold = parameter(input);
  // A threshold is public: what is wrong with it may show after the debit.
  if (refused([&] { run->start(threshold, ledger, bits, "t"); })) return;
  std::size_t positives = 0;
  for (int query = 0; query < 12 && run->running(); ++query) {
    const double value = input.coin() ? threshold : input.real();
    bool above = false;
    if (refused([&] { above = run->above(Sensitive<double>(value, sensitivity), bits); })) {
      FUZZ_CHECK(!std::isfinite(value));
      continue;
    }
    positives += above;
    const double noise = run->query_noise() + run->threshold_noise();
    const double distance = (value - threshold) / noise;
    // What lies far out is clamped, and then equal.
    const bool inside = std::fabs(value) < 1e3 * noise && std::fabs(threshold) < 1e3 * noise;
    if (inside && distance > kFar) FUZZ_CHECK(above);
    if (inside && distance < -kFar) FUZZ_CHECK(!above);
    FUZZ_CHECK(run->running() == (positives < cutoff));
  }
  FUZZ_CHECK(positives <= cutoff && ledger.size() == 1);
}

void sieve(Input& input, RandomBits& bits) {
  const double price = parameter(input), sensitivity = parameter(input);
  const SieveAndExamine::Sample sample{input.below(40), input.below(40)};
  Ledger ledger = ledger_for(input);
  std::unique_ptr<SieveAndExamine> run;
  if (refused([&] {
        const Price whole = Price::in(input.coin() ? Accounting::pure : Accounting::zcdp, price);
        run = std::make_unique<SieveAndExamine>(
            SieveAndExamine::Split::of(whole, input.coin() ? 0.5 : parameter(input)), sensitivity,
            sample);
      }))
    return;
  std::optional<RowMask> mask;
  if (refused([&] { mask = run->start(input.byte(), input.byte(), ledger, bits, "t"); })) return;
  FUZZ_CHECK(mask->selected() == sample.size && ledger.size() == 1);
  for (int query = 0; query < 4 && run->sieving(); ++query) {
    if (!run->sieve(Sensitive<double>(input.byte(), sensitivity), bits)) continue;
    run->examine(Sensitive<double>(input.byte(), sensitivity), bits);
    FUZZ_CHECK(!run->sieving());
  }
}

void median(Input& input, RandomBits& bits) {
  const double price = parameter(input), delta = input.coin() ? 1e-6 : parameter(input);
  const double lower = input.real(), upper = input.real();
  std::optional<SmoothMedian> mechanism;
  if (refused([&] {
        mechanism.emplace(Epsilon(price), delta, lower, upper,
                          input.coin() ? AdmissibleNoise::laplace : AdmissibleNoise::gaussian);
      }))
    return;
  Ledger ledger = ledger_for(input);
  std::vector<double> values = any_values(input, 9, false);
  const auto release = [&](const std::vector<double>& of, double& out) {
    return release_or_nothing(ledger, [&] {
      out = mechanism->release(Sensitive<std::vector<double>>(of, 1), ledger, bits, "t");
    });
  };
  double out = 0;
  if (release(values, out)) FUZZ_CHECK(out >= lower && out <= upper);
  const bool numbers =
      std::none_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
  if (!numbers || values.empty()) return;
  // Whether it is refused may not depend on the values.
  const auto is_refused = [&](const std::vector<double>& of) {
    Ledger own(Epsilon(1e15), 0.999);
    return refused(
        [&] { mechanism->release(Sensitive<std::vector<double>>(of, 1), own, bits, "t"); });
  };
  std::vector<double> apart(values.size(), lower);
  std::fill(apart.begin(), apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2), upper);
  FUZZ_CHECK(is_refused(apart) == is_refused(std::vector<double>(values.size(), lower)));
}

void samplers(Input& input, RandomBits& bits) {
  Dyadic scale{input.word() >> input.below(64), input.number_below(200) - 100};
  if (input.coin()) {
    const double x = parameter(input);
    if (refused([&] { scale = dyadic_at_least(x); })) {
      FUZZ_CHECK(!(x >= kSmallestScale && x <= kLargestScale));
      return;
    }
    FUZZ_CHECK(to_double(scale) >= x && to_double(scale) <= x * (1 + 1.2e-7));
  }
  std::int64_t laplace = 0, gaussian = 0;
  const bool none = refused([&] { laplace = discrete_laplace(scale, bits); });
  FUZZ_CHECK(none == refused([&] { gaussian = discrete_gaussian(scale, bits); }));
  if (none) return;
  FUZZ_CHECK(std::fabs(static_cast<double>(laplace)) <= kFar * to_double(scale) + 1);
  FUZZ_CHECK(std::fabs(static_cast<double>(gaussian)) <= kFar / 4 * to_double(scale) + 1);
}

}  // namespace

FUZZ_TARGET(mechanisms) {
  RandomBits bits = RandomBits::from_seed(input.byte());
  switch (input.below(8)) {
    case 0:
      return samplers(input, bits);
    case 1:
      return scaled(input, bits);
    case 2:
      return choices(input, bits);
    case 3:
      return sparse(input, bits);
    case 4:
      return sieve(input, bits);
    case 5:
      return median(input, bits);
    default:
      additive(input, bits);
  }
}
