// Where the noise comes from.
#pragma once

#include <Rcpp.h>

#include <cstdint>

#include "privpc/base/random_bits.hpp"

namespace privpc_r {

// A whole number up to 2^53 from R, or NULL for noise from the operating system's entropy.
inline privpc::RandomBits open_bits(const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  if (seed.isNull()) return privpc::RandomBits::from_entropy();
  return privpc::RandomBits::from_seed(
      static_cast<std::uint64_t>(static_cast<std::int64_t>(Rcpp::NumericVector(seed.get())[0])));
}

}  // namespace privpc_r
