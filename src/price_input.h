// Amounts of privacy as R hands them over: plain numbers, whose unit is said here and nowhere else.
#pragma once

#include <Rcpp.h>

#include "privpc/privacy/amounts.hpp"

namespace privpc_r {

// A rho, or NA and then an epsilon.
inline privpc::Price read_price(double epsilon, double rho) {
  return ISNA(rho) ? privpc::Price::in(privpc::Accounting::pure, epsilon)
                   : privpc::Price::in(privpc::Accounting::zcdp, rho);
}

// A rho; `gaussian`: of a run all of whose steps add Gaussian noise.
inline privpc::Price read_rho(double rho, bool gaussian) {
  return privpc::Price::in(gaussian ? privpc::Accounting::gaussian : privpc::Accounting::zcdp, rho);
}

// One number: an epsilon, or else a rho.
inline privpc::Price read_amount(bool is_epsilon, double amount) {
  return privpc::Price::in(is_epsilon ? privpc::Accounting::pure : privpc::Accounting::zcdp,
                           amount);
}

}  // namespace privpc_r
