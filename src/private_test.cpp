// Adapters of private_test(). The records are encoded and checked, the whole price is taken from
// the user's ledger, and only then is a statistic computed; it leaves through a mechanism.
#include "privpc/learners/private_test.hpp"

#include <Rcpp.h>

#include <string>
#include <vector>

#include "data_input.h"
#include "ledger_pointer.h"
#include "measurements_io.h"
#include "price_input.h"
#include "privpc/privacy/median_null.hpp"
#include "random_input.h"

using namespace privpc;

namespace {

// x, y and given are one-based positions in the encoded data.
Question read_question(const Schema& schema, const std::string& test, int x, int y,
                       const Rcpp::IntegerVector& given) {
  const Question asked{privpc_r::read_test(test), privpc_r::read_position(x),
                       privpc_r::read_position(y), privpc_r::read_set(given)};
  for (auto v : asked.given.with(asked.x).with(asked.y)) {
    if (v >= schema.size()) Rcpp::stop("there are not that many variables");
  }
  return asked;
}

// From the user's ledger, if there is one. The parts then draw on a ledger of their own.
void charge(SEXP budget, const std::string& target, const Cost& cost) {
  if (!Rf_isNull(budget)) privpc_r::ledger_of(budget).debit("private test", target, cost);
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_private_order_test(const Rcpp::List& data, const std::string& test, int x, int y,
                                  const Rcpp::IntegerVector& given, double amount, bool gaussian,
                                  double share, bool portable, SEXP budget,
                                  const std::string& target,
                                  const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  MemoryOptions options;
  options.portable = portable;
  const auto tables = privpc_r::open_tables(data, options);
  const Question asked = read_question(tables->schema(), test, x, y, given);
  const Price price = privpc_r::read_amount(!gaussian, amount);
  charge(budget, target, Cost(price));
  Ledger ledger(cap_of_order_test(price));
  RandomBits bits = privpc_r::open_bits(seed);
  const ReleasedOrderTest noisy = order_test(*tables, asked, price, share, ledger, bits);
  return Rcpp::List::create(
      Rcpp::_["statistic"] = noisy.statistic.value, Rcpp::_["scale"] = noisy.statistic.scale,
      Rcpp::_["variance"] = noisy.variance.value, Rcpp::_["variance_scale"] = noisy.variance.scale,
      Rcpp::_["variance_limit"] = noisy.variance_limit, Rcpp::_["private"] = !bits.reproducible());
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_private_block_count(const Rcpp::List& data, const std::string& test, int x, int y,
                                   const Rcpp::IntegerVector& given, double blocks, double amount,
                                   bool gaussian, SEXP budget, const std::string& target,
                                   const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  const auto tables = privpc_r::open_tables(data, MemoryOptions());
  const Question asked = read_question(tables->schema(), test, x, y, given);
  RandomBits bits = privpc_r::open_bits(seed);
  const BlockTests tests(tables->blocks(static_cast<std::size_t>(blocks), bits));
  const Price price = privpc_r::read_amount(!gaussian, amount);
  charge(budget, target, Cost(price));
  Ledger ledger(privpc_r::countable(price));
  const Released noisy = block_count_test(tests, asked, price, ledger, bits, target);
  return Rcpp::List::create(Rcpp::_["count"] = noisy.value, Rcpp::_["scale"] = noisy.scale,
                            Rcpp::_["private"] = !bits.reproducible());
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_private_block_median(const Rcpp::List& data, const std::string& test, int x, int y,
                                    const Rcpp::IntegerVector& given, double blocks, double upper,
                                    double epsilon, double delta, SEXP budget,
                                    const std::string& target,
                                    const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  const auto tables = privpc_r::open_tables(data, MemoryOptions());
  const Question asked = read_question(tables->schema(), test, x, y, given);
  RandomBits bits = privpc_r::open_bits(seed);
  const BlockTests tests(tables->blocks(static_cast<std::size_t>(blocks), bits));
  const SmoothMedian mechanism(Epsilon(epsilon), delta, 0, upper, AdmissibleNoise::laplace);
  charge(budget, target, Cost::approximate(Epsilon(epsilon), delta));
  Ledger ledger(privpc_r::countable(Epsilon(epsilon)), privpc_r::countable_delta(delta));
  const double noisy = block_median_test(tests, asked, mechanism, ledger, bits, target);
  return Rcpp::List::create(Rcpp::_["evidence"] = noisy, Rcpp::_["private"] = !bits.reproducible());
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
