// Many runs of one mechanism in a row, for the audits: the same classes that the user's functions
// call, without the way through R for every run. Not exported to users.
#include <Rcpp.h>

#include <string>
#include <vector>

#include "privpc/privacy/exponential.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/sieve_and_examine.hpp"
#include "privpc/privacy/smooth_median.hpp"
#include "privpc/privacy/sparse_vector.hpp"

using namespace privpc;

namespace {

// One string per run: "T" above, "F" below, as far as the run went.
std::string answers_of_run(const std::vector<double>& values, SparseVector& run, double threshold,
                           Ledger& ledger, RandomBits& bits, double sensitivity) {
  std::string answers;
  run.start(threshold, ledger, bits, "");
  for (std::size_t i = 0; i < values.size() && run.running(); ++i) {
    answers += run.above(Sensitive<double>(values[i], sensitivity), bits) ? 'T' : 'F';
  }
  return answers;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_runs_additive(const Rcpp::NumericVector& value, double sensitivity,
                                      double epsilon_or_rho, bool gaussian, bool whole, int times) {
  const std::vector<double> values(value.begin(), value.end());
  const Shape shape{sensitivity, values.size(), whole};
  const Price price = gaussian ? Price(Rho(epsilon_or_rho)) : Price(Epsilon(epsilon_or_rho));
  const Sensitive<std::vector<double>> sealed(values, sensitivity);
  RandomBits bits = RandomBits::from_entropy();
  Rcpp::NumericMatrix out(times, static_cast<int>(values.size()));
  for (int i = 0; i < times; ++i) {
    Ledger ledger(price);
    const std::vector<double> noisy =
        gaussian ? GaussianMechanism(price.rho(), shape).release(sealed, ledger, bits, "")
                 : LaplaceMechanism(price.epsilon(), shape).release(sealed, ledger, bits, "");
    for (std::size_t j = 0; j < noisy.size(); ++j)
      out(i, static_cast<int>(j)) = noisy[j];
  }
  return out;
}

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_runs_exponential(const Rcpp::NumericVector& scores, double sensitivity,
                                         double epsilon, bool monotone, bool permute_and_flip,
                                         int times) {
  const ExponentialMechanism mechanism(
      Epsilon(epsilon), sensitivity, monotone,
      permute_and_flip ? Selection::permute_and_flip : Selection::exponential);
  const Sensitive<std::vector<double>> sealed(std::vector<double>(scores.begin(), scores.end()),
                                              sensitivity);
  RandomBits bits = RandomBits::from_entropy();
  Rcpp::IntegerVector out(times);
  for (int i = 0; i < times; ++i) {
    Ledger ledger{Epsilon(epsilon)};
    out[i] = static_cast<int>(mechanism.choose(sealed, ledger, bits, "")) + 1;
  }
  return out;
}

// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector cpp_runs_sparse_vector(const Rcpp::NumericVector& values, double threshold,
                                             double sensitivity, double epsilon, int cutoff,
                                             bool monotone, int times) {
  const std::vector<double> queries(values.begin(), values.end());
  RandomBits bits = RandomBits::from_entropy();
  Rcpp::CharacterVector out(times);
  for (int i = 0; i < times; ++i) {
    Ledger ledger{Epsilon(epsilon)};
    SparseVector run(Epsilon(epsilon), sensitivity, static_cast<std::size_t>(cutoff), monotone);
    out[i] = answers_of_run(queries, run, threshold, ledger, bits, sensitivity);
  }
  return out;
}

// Queries are sums of a column of `rows` over the sub-sample and over all rows. One string per
// run: the query the sieve stopped at, and what the examine step said.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector cpp_runs_sieve_and_examine(const Rcpp::NumericMatrix& rows, int subsample,
                                                 double threshold, double tweak, double sensitivity,
                                                 double epsilon, int times) {
  const std::uint64_t n = static_cast<std::uint64_t>(rows.nrow());
  RandomBits bits = RandomBits::from_entropy();
  Rcpp::CharacterVector out(times);
  for (int i = 0; i < times; ++i) {
    SieveAndExamine run(SieveAndExamine::Split::pure(Epsilon(epsilon)), sensitivity,
                        {static_cast<std::uint64_t>(subsample), n});
    Ledger ledger{Epsilon(epsilon)};
    const RowMask mask = run.start(threshold, tweak, ledger, bits, "");
    std::string answer = "none";
    for (int q = 0; q < rows.ncol(); ++q) {
      double on_sample = 0, on_all = 0;
      mask.for_each([&](std::size_t r) { on_sample += rows(static_cast<int>(r), q); });
      for (int r = 0; r < rows.nrow(); ++r)
        on_all += rows(r, q);
      if (!run.sieve(Sensitive<double>(on_sample, sensitivity), bits)) continue;
      const bool accepted = run.examine(Sensitive<double>(on_all, sensitivity), bits);
      answer = std::to_string(q + 1) + (accepted ? " accepted" : " refused");
      break;
    }
    out[i] = answer;
  }
  return out;
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_runs_smooth_median(const Rcpp::NumericVector& values, double lower,
                                           double upper, double epsilon, double delta,
                                           bool gaussian, int times) {
  const SmoothMedian mechanism(Epsilon(epsilon), delta, lower, upper,
                               gaussian ? AdmissibleNoise::gaussian : AdmissibleNoise::laplace);
  const Sensitive<std::vector<double>> sealed(std::vector<double>(values.begin(), values.end()), 1);
  RandomBits bits = RandomBits::from_entropy();
  Rcpp::NumericVector out(times);
  for (int i = 0; i < times; ++i) {
    Ledger ledger(Epsilon(epsilon), delta);
    out[i] = mechanism.release(sealed, ledger, bits, "");
  }
  return out;
}
