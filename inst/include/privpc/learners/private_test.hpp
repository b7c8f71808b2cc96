// Single tests with noise: the statistic and its variance under independence, or an aggregate of
// the same test on blocks of records.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "privpc/base/random_bits.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/ledger.hpp"
#include "privpc/privacy/smooth_median.hpp"
#include "privpc/statistic/block_tests.hpp"
#include "privpc/statistic/margin.hpp"
#include "privpc/statistic/null_variance.hpp"

namespace privpc {

struct Question {
  TestKind test;
  std::size_t x, y;
  VariableSet given;
};

// A noisy number and the scale of its noise.
struct Released {
  double value, scale;
};

namespace detail {

inline double only(double value) {
  return value;
}
inline double only(const std::vector<double>& values) {
  return values[0];
}

// One number, or a vector of one: Laplace noise for an epsilon, Gaussian for a rho.
template <class Value>
Released release_one(const Sensitive<Value>& value, bool whole, const Price& price, Ledger& ledger,
                     RandomBits& bits, const std::string& target) {
  const Shape shape{value.sensitivity(), 1, whole};
  if (price.is_pure()) {
    const LaplaceMechanism mechanism(price.epsilon(), shape);
    return {only(mechanism.release(value, ledger, bits, target)), mechanism.scale()};
  }
  const GaussianMechanism mechanism(price.rho(), shape);
  return {only(mechanism.release(value, ledger, bits, target)), mechanism.sigma()};
}

}  // namespace detail

struct ReleasedOrderTest {
  Released statistic, variance;
  double variance_limit;  // a public fact
};

// What order_test() may take from its ledger for a price: two debits are rounded up to whole units.
inline Price cap_of_order_test(const Price& price) {
  return price.of(price.value() + 4 * Ledger::smallest());
}

// T or R and its variance under independence, each with noise. `share` of the price goes to the
// variance. Both parts are rounded down, so that they add up to at most the price.
inline ReleasedOrderTest order_test(TableSource& source, const Question& asked, const Price& price,
                                    double share, Ledger& ledger, RandomBits& bits) {
  const double amount = price.value();
  const Price of_variance = price.of(amount * share * (1 - 1e-12));
  const Price of_sum = price.of((amount - of_variance.value()) * (1 - 1e-12));
  source.announce(
      {[&](const Announcement::Visit& visit) { visit(asked.given.with(asked.x).with(asked.y)); }});
  const Released sum =
      detail::release_one(OrderMargin::statistic(source, asked.test, asked.x, asked.y, asked.given),
                          false, of_sum, ledger, bits, "statistic");
  const Released variance =
      detail::release_one(NullVarianceOf::of(source, asked.test, asked.x, asked.y, asked.given),
                          false, of_variance, ledger, bits, "variance");
  return {sum, variance,
          null_variance_limit(source.schema(), asked.test, asked.x, asked.y, asked.given)};
}

// In how many blocks the p-value is at most 1/2, with noise.
inline Released block_count_test(const BlockTests& tests, const Question& asked, const Price& price,
                                 Ledger& ledger, RandomBits& bits, const std::string& target) {
  return detail::release_one(tests.count_below(0.5, asked.test, asked.x, asked.y, asked.given),
                             true, price, ledger, bits, target);
}

// The median over the blocks of -2 log(p-value), with noise in proportion to its smooth
// sensitivity.
inline double block_median_test(const BlockTests& tests, const Question& asked,
                                const SmoothMedian& mechanism, Ledger& ledger, RandomBits& bits,
                                const std::string& target) {
  return mechanism.release(tests.evidence(asked.test, asked.x, asked.y, asked.given), ledger, bits,
                           target);
}

}  // namespace privpc
