// The random bits and the samplers of noise, for tests and benchmarks. No function for users draws
// noise through here: noise without a mechanism around it has no place in R.
#include <Rcpp.h>

#include <cstdint>

#include "privpc/base/random_bits.hpp"
#include "privpc/privacy/samplers.hpp"

namespace {

using Stream = Rcpp::XPtr<privpc::RandomBits>;

// A whole number below 2^53 in size, or NULL for entropy of the operating system.
privpc::RandomBits random_bits(const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  if (seed.isNull()) return privpc::RandomBits::from_entropy();
  const double value = Rcpp::as<double>(seed.get());
  return privpc::RandomBits::from_seed(
      static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
}

using Sampler = std::int64_t (*)(privpc::Dyadic, privpc::RandomBits&);

// As R's numbers: whole and exact up to 2^53.
Rcpp::NumericVector draw(int n, double scale, const Rcpp::Nullable<Rcpp::NumericVector>& seed,
                         Sampler sampler) {
  const privpc::Dyadic dyadic = privpc::dyadic_at_least(scale);
  privpc::RandomBits bits = random_bits(seed);
  Rcpp::NumericVector out(Rcpp::no_init(n));
  for (int i = 0; i < n; ++i) {
    if (i % 65536 == 65535) Rcpp::checkUserInterrupt();
    out[i] = static_cast<double>(sampler(dyadic, bits));
  }
  return out;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_discrete_laplace(int n, double scale,
                                         Rcpp::Nullable<Rcpp::NumericVector> seed) {
  return draw(n, scale, seed, privpc::discrete_laplace);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_discrete_gaussian(int n, double sigma,
                                          Rcpp::Nullable<Rcpp::NumericVector> seed) {
  return draw(n, sigma, seed, privpc::discrete_gaussian);
}

// How often n events of probability exp(-numerator/denominator) happen.
// [[Rcpp::export(rng = false)]]
double cpp_count_exp_minus(int n, double numerator, double denominator,
                           Rcpp::Nullable<Rcpp::NumericVector> seed) {
  privpc::RandomBits bits = random_bits(seed);
  double yes = 0;
  for (int i = 0; i < n; ++i)
    yes += privpc::bernoulli_exp_minus(static_cast<std::uint64_t>(numerator),
                                       static_cast<std::uint64_t>(denominator), bits);
  return yes;
}

// The scale that is used for `x`: the next number of 24 bits.
// [[Rcpp::export(rng = false)]]
double cpp_noise_scale(double x) {
  return privpc::to_double(privpc::dyadic_at_least(x));
}

// A stream that lives from call to call, as in a mechanism that is called again and again.
// [[Rcpp::export(rng = false)]]
SEXP cpp_random_stream(Rcpp::Nullable<Rcpp::NumericVector> seed) {
  return Stream(new privpc::RandomBits(random_bits(seed)), true);
}

// The next n words of a stream as bytes, the lowest byte of each word first.
// [[Rcpp::export(rng = false)]]
Rcpp::RawVector cpp_random_bits(SEXP stream, int n) {
  Stream bits(stream);
  Rcpp::RawVector out(8 * static_cast<R_xlen_t>(n));
  for (R_xlen_t i = 0; i < n; ++i) {
    const std::uint64_t word = bits->next();
    for (int byte = 0; byte < 8; ++byte)
      out[8 * i + byte] = static_cast<Rbyte>(word >> (8 * byte));
  }
  return out;
}
