// Thin adapters of the mechanisms. What comes from the user's data goes straight into Sensitive
// and comes out through a mechanism only. Whether a release is private is said by the bits that its
// noise was drawn from.
#include <Rcpp.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "ledger_pointer.h"
#include "privpc/base/monitor.hpp"
#include "privpc/base/random_bits.hpp"
#include "privpc/privacy/exponential.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/sieve_and_examine.hpp"
#include "privpc/privacy/smooth_median.hpp"
#include "privpc/privacy/sparse_vector.hpp"
#include "random_input.h"

using namespace privpc;

namespace {

// The user's ledger, or one made for this release alone, with its price as the cap.
class LedgerFor {
 public:
  LedgerFor(SEXP budget, const Price& price, double slack = 0) {
    if (Rf_isNull(budget)) {
      own_ = std::make_unique<Ledger>(privpc_r::countable(price), privpc_r::countable_delta(slack));
    } else {
      given_ = &privpc_r::ledger_of(budget);
    }
  }
  Ledger& get() { return own_ ? *own_ : *given_; }

 private:
  std::unique_ptr<Ledger> own_;
  Ledger* given_ = nullptr;
};

std::vector<double> as_doubles(const Rcpp::NumericVector& x) {
  return std::vector<double>(x.begin(), x.end());
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_laplace(const Rcpp::NumericVector& value, double sensitivity, double epsilon,
                       bool whole, SEXP budget, const std::string& target,
                       const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  const Shape shape{sensitivity, static_cast<std::size_t>(value.size()), whole};
  const LaplaceMechanism mechanism(Epsilon(epsilon), shape);
  LedgerFor ledger(budget, Epsilon(epsilon));
  RandomBits bits = privpc_r::open_bits(seed);
  const std::vector<double> out = mechanism.release(
      Sensitive<std::vector<double>>(as_doubles(value), sensitivity), ledger.get(), bits, target);
  return Rcpp::List::create(Rcpp::_["value"] = out, Rcpp::_["scale"] = mechanism.scale(),
                            Rcpp::_["private"] = !bits.reproducible());
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_gaussian(const Rcpp::NumericVector& value, double sensitivity, double rho,
                        bool whole, SEXP budget, const std::string& target,
                        const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  const Shape shape{sensitivity, static_cast<std::size_t>(value.size()), whole};
  const GaussianMechanism mechanism(Rho(rho), shape);
  LedgerFor ledger(budget, Rho(rho));
  RandomBits bits = privpc_r::open_bits(seed);
  const std::vector<double> out = mechanism.release(
      Sensitive<std::vector<double>>(as_doubles(value), sensitivity), ledger.get(), bits, target);
  return Rcpp::List::create(Rcpp::_["value"] = out, Rcpp::_["scale"] = mechanism.sigma(),
                            Rcpp::_["private"] = !bits.reproducible());
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_exponential(const Rcpp::NumericVector& scores, double sensitivity, double epsilon,
                           bool monotone, bool permute_and_flip, SEXP budget,
                           const std::string& target,
                           const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  const ExponentialMechanism mechanism(
      Epsilon(epsilon), sensitivity, monotone,
      permute_and_flip ? Selection::permute_and_flip : Selection::exponential);
  LedgerFor ledger(budget, Epsilon(epsilon));
  RandomBits bits = privpc_r::open_bits(seed);
  const std::size_t chosen = mechanism.choose(
      Sensitive<std::vector<double>>(as_doubles(scores), sensitivity), ledger.get(), bits, target);
  return Rcpp::List::create(Rcpp::_["value"] = static_cast<int>(chosen) + 1,
                            Rcpp::_["private"] = !bits.reproducible());
}

// One run of `cutoff` positives, which is pure, or `rounds` runs of one positive each, composed in
// zero-concentrated privacy.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_sparse_vector(const Rcpp::NumericVector& values, double threshold,
                             double sensitivity, double epsilon_per_run, int rounds, int cutoff,
                             bool monotone, double share, SEXP budget, const std::string& target,
                             const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  const Epsilon each(epsilon_per_run);
  SparseVector run(each, sensitivity, static_cast<std::size_t>(cutoff), monotone, share);
  Price price = each;
  // Several runs are paid for together, before the first one, so that a refusal comes first too:
  // as a step of rho, which a budget without delta refuses. They then draw on a ledger of their
  // own, with room for rounding each debit up.
  if (rounds > 1) {
    const Rho whole(outward::up(rho_of_pure(each).value() * rounds));
    if (!Rf_isNull(budget)) {
      privpc_r::ledger_of(budget).debit("sparse vector", target, Cost::concentrated(whole));
      budget = R_NilValue;
    }
    price = Rho(whole.value() * (1 + 1e-12) + rounds * Ledger::smallest());
  }
  LedgerFor ledger(budget, price);
  RandomBits bits = privpc_r::open_bits(seed);
  Rcpp::LogicalVector above(values.size(), NA_LOGICAL);
  int runs_left = rounds;
  for (R_xlen_t i = 0; i < values.size(); ++i) {
    if (i % 64 == 0) breathe();
    if (!run.running()) {
      if (runs_left-- == 0) break;
      run.start(threshold, ledger.get(), bits, target);
    }
    above[i] = run.above(Sensitive<double>(values[i], sensitivity), bits);
  }
  return Rcpp::List::create(
      Rcpp::_["above"] = above, Rcpp::_["threshold_noise"] = run.threshold_noise(),
      Rcpp::_["query_noise"] = run.query_noise(), Rcpp::_["private"] = !bits.reproducible());
}

// `query(i, rows)` gives the value of query i on these rows; `rows` is NULL for all.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_sieve_and_examine(const Rcpp::Function& query, int queries, double rows,
                                 double subsample, double threshold, double tweak,
                                 double sensitivity, double epsilon, double share, SEXP budget,
                                 const std::string& target,
                                 const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  SieveAndExamine run(SieveAndExamine::Split::pure(Epsilon(epsilon), share), sensitivity,
                      {static_cast<std::uint64_t>(subsample), static_cast<std::uint64_t>(rows)});
  LedgerFor ledger(budget, Epsilon(epsilon));
  RandomBits bits = privpc_r::open_bits(seed);
  const RowMask mask = run.start(threshold, tweak, ledger.get(), bits, target);
  Rcpp::IntegerVector sample(static_cast<R_xlen_t>(mask.selected()));
  R_xlen_t at = 0;
  mask.for_each([&](std::size_t row) { sample[at++] = static_cast<int>(row) + 1; });
  int sieved = NA_INTEGER;
  bool accepted = false;
  for (int i = 1; i <= queries; ++i) {
    const double on_sample = Rcpp::as<double>(query(i, sample));
    if (run.sieve(Sensitive<double>(on_sample, sensitivity), bits)) {
      sieved = i;
      const double on_all = Rcpp::as<double>(query(i, R_NilValue));
      accepted = run.examine(Sensitive<double>(on_all, sensitivity), bits);
      break;
    }
  }
  return Rcpp::List::create(Rcpp::_["sieved"] = sieved, Rcpp::_["accepted"] = accepted,
                            Rcpp::_["sieve_epsilon"] = run.sieve_epsilon().value(),
                            Rcpp::_["threshold_noise"] = run.sieve_noise().threshold_noise(),
                            Rcpp::_["query_noise"] = run.sieve_noise().query_noise(),
                            Rcpp::_["examine_noise"] = run.examine_noise(),
                            Rcpp::_["private"] = !bits.reproducible());
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_smooth_median(const Rcpp::NumericVector& values, double lower, double upper,
                             double epsilon, double delta, bool gaussian, SEXP budget,
                             const std::string& target,
                             const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  const SmoothMedian mechanism(Epsilon(epsilon), delta, lower, upper,
                               gaussian ? AdmissibleNoise::gaussian : AdmissibleNoise::laplace);
  LedgerFor ledger(budget, Epsilon(epsilon), delta);
  RandomBits bits = privpc_r::open_bits(seed);
  const double median = mechanism.release(Sensitive<std::vector<double>>(as_doubles(values), 1),
                                          ledger.get(), bits, target);
  return Rcpp::List::create(Rcpp::_["value"] = median, Rcpp::_["private"] = !bits.reproducible());
}

// [[Rcpp::export(rng = false)]]
double cpp_epsilon_per_round(double rho, int rounds) {
  return epsilon_per_round(Rho(rho), static_cast<std::size_t>(rounds)).value();
}
