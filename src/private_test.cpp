// Adapters of private_test(). The records are encoded and checked, the whole price is taken from
// the user's ledger, and only then is a statistic computed; it leaves through a mechanism.
#include <Rcpp.h>

#include <cmath>
#include <string>
#include <vector>

#include "data_input.h"
#include "ledger_pointer.h"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/median_null.hpp"
#include "privpc/privacy/smooth_median.hpp"
#include "privpc/statistic/block_tests.hpp"
#include "privpc/statistic/margin.hpp"
#include "privpc/statistic/null_variance.hpp"
#include "random_input.h"

using namespace privpc;

namespace {

struct Question {
  std::size_t x, y;
  VariableSet given;

  Question(int first, int second, const Rcpp::IntegerVector& set)
      : x(static_cast<std::size_t>(first - 1)), y(static_cast<std::size_t>(second - 1)) {
    for (int z : set)
      given.insert(static_cast<std::size_t>(z - 1));
  }
};

// What an additive release costs: epsilon for Laplace noise, rho for Gaussian.
Price price_of(double amount, bool gaussian) {
  return gaussian ? Price(Rho(amount)) : Price(Epsilon(amount));
}

// From the user's ledger, if there is one. The parts then draw on a ledger of their own.
void charge(SEXP budget, const std::string& target, const Cost& cost) {
  if (!Rf_isNull(budget)) privpc_r::ledger_of(budget).debit("private test", target, cost);
}

struct Released {
  double value, scale;
};

double only(double value) {
  return value;
}
double only(const std::vector<double>& values) {
  return values[0];
}

// One number, or a vector of one.
template <class Value>
Released release(const Sensitive<Value>& value, bool whole, const Price& price, Ledger& ledger,
                 RandomBits& bits, const std::string& target) {
  const Shape shape{value.sensitivity(), 1, whole};
  if (price.is_pure()) {
    const LaplaceMechanism mechanism(price.epsilon(), shape);
    return {only(mechanism.release(value, ledger, bits, target)), mechanism.scale()};
  }
  const GaussianMechanism mechanism(price.rho(), shape);
  return {only(mechanism.release(value, ledger, bits, target)), mechanism.sigma()};
}

}  // namespace

// T or R and its variance under independence, each with noise. `share` of the amount goes to the
// variance. x, y and given are one-based positions in the encoded data.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_private_order_test(const Rcpp::List& data, const std::string& test, int x, int y,
                                  const Rcpp::IntegerVector& given, double amount, bool gaussian,
                                  double share, bool portable, SEXP budget,
                                  const std::string& target,
                                  const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  const privpc_r::DataInput input = privpc_r::read_data(data);
  const TestKind kind = privpc_r::read_test(test);
  MemoryOptions options;
  options.portable = portable;
  MemoryTables tables(input.schema, input.columns, options);
  const Question asked(x, y, given);
  const Price price = price_of(amount, gaussian);
  charge(budget, target, Cost(price));
  // Both parts rounded down, so that they add up to at most the price; the ledger they draw on has
  // room for rounding two debits up to whole units of 2^-64.
  const Price of_variance = price.of(amount * share * (1 - 1e-12));
  const Price of_sum = price.of((amount - of_variance.value()) * (1 - 1e-12));
  Ledger ledger(price.of(amount + 4 * Ledger::smallest()));
  RandomBits bits = privpc_r::open_bits(seed);

  const Released noisy = release(order_statistic(tables, kind, asked.x, asked.y, asked.given),
                                 false, of_sum, ledger, bits, "statistic");
  const Released noisy_variance =
      release(sealed_null_variance(tables, kind, asked.x, asked.y, asked.given), false, of_variance,
              ledger, bits, "variance");
  return Rcpp::List::create(
      Rcpp::_["statistic"] = noisy.value, Rcpp::_["scale"] = noisy.scale,
      Rcpp::_["variance"] = noisy_variance.value, Rcpp::_["variance_scale"] = noisy_variance.scale,
      Rcpp::_["variance_limit"] =
          null_variance_limit(tables.schema(), kind, asked.x, asked.y, asked.given));
}

// In how many blocks the p-value is at most 1/2, with noise.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_private_block_count(const Rcpp::List& data, const std::string& test, int x, int y,
                                   const Rcpp::IntegerVector& given, double blocks, double amount,
                                   bool gaussian, SEXP budget, const std::string& target,
                                   const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  const privpc_r::DataInput input = privpc_r::read_data(data);
  const Question asked(x, y, given);
  RandomBits bits = privpc_r::open_bits(seed);
  const BlockTests tests(input.schema, input.columns, static_cast<std::size_t>(blocks), bits);
  const Price price = price_of(amount, gaussian);
  charge(budget, target, Cost(price));
  Ledger ledger(privpc_r::countable(price));
  const Released noisy =
      release(tests.count_below(0.5, privpc_r::read_test(test), asked.x, asked.y, asked.given),
              true, price, ledger, bits, target);
  return Rcpp::List::create(Rcpp::_["count"] = noisy.value, Rcpp::_["scale"] = noisy.scale);
}

// The median over the blocks of -2 log(p-value), with noise in proportion to its smooth
// sensitivity.
// [[Rcpp::export(rng = false)]]
double cpp_private_block_median(const Rcpp::List& data, const std::string& test, int x, int y,
                                const Rcpp::IntegerVector& given, double blocks, double upper,
                                double epsilon, double delta, SEXP budget,
                                const std::string& target,
                                const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  const privpc_r::DataInput input = privpc_r::read_data(data);
  const Question asked(x, y, given);
  RandomBits bits = privpc_r::open_bits(seed);
  const BlockTests tests(input.schema, input.columns, static_cast<std::size_t>(blocks), bits);
  const SmoothMedian mechanism(Epsilon(epsilon), delta, 0, upper, AdmissibleNoise::laplace);
  charge(budget, target, Cost::approximate(Epsilon(epsilon), delta));
  Ledger ledger(privpc_r::countable(Epsilon(epsilon)), privpc_r::countable_delta(delta));
  return mechanism.release(tests.evidence(privpc_r::read_test(test), asked.x, asked.y, asked.given),
                           ledger, bits, target);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_noisy_median_tail(const Rcpp::NumericVector& observed, double blocks,
                                          double upper, double inflation, double epsilon,
                                          double delta, double draws) {
  const std::vector<double> values(observed.begin(), observed.end());
  const MedianNull null{static_cast<std::size_t>(blocks), upper, inflation,
                        static_cast<std::size_t>(draws)};
  const std::vector<double> tail = noisy_median_tail(values, null, Epsilon(epsilon), delta);
  return Rcpp::NumericVector(tail.begin(), tail.end());
}
