// Adapters of R/budget.R and R/accounting.R.

#include <Rcpp.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ledger_output.h"
#include "ledger_pointer.h"
#include "privpc/privacy/accounting.hpp"
#include "privpc/privacy/ledger.hpp"
#include "privpc/privacy/renyi.hpp"

namespace {

double at(const Rcpp::NumericVector& values, R_xlen_t i) {
  return values[i % values.size()];
}

// Applies `f` to each position of vectors that R has checked; short ones are recycled.
template <class Function, class... Vectors>
Rcpp::NumericVector each(Function f, const Vectors&... vectors) {
  const R_xlen_t longest = std::max({vectors.size()...});
  const bool none = std::min({vectors.size()...}) == 0;
  Rcpp::NumericVector result(none ? 0 : longest);
  for (R_xlen_t i = 0; i < result.size(); ++i) {
    Rcpp::checkUserInterrupt();
    result[i] = f(at(vectors, i)...);
  }
  return result;
}

}  // namespace

// ---- the ledger ---------------------------------------------------------------------------------

// [[Rcpp::export(rng = false)]]
SEXP cpp_new_ledger(bool pure, double cap, double slack) {
  const privpc::Accounting accounting = pure ? privpc::Accounting::pure : privpc::Accounting::zcdp;
  const Rcpp::CharacterVector tag =
      Rcpp::CharacterVector::create(privpc_r::ledger_kind(), privpc_r::process_id());
  return Rcpp::XPtr<privpc::Ledger>(new privpc::Ledger(accounting, cap, slack), true, tag,
                                    R_NilValue);
}

// [[Rcpp::export(rng = false)]]
std::string cpp_ledger_status(SEXP pointer) {
  return privpc_r::ledger_status(pointer);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_ledger_state(SEXP pointer) {
  const privpc::Ledger& ledger = privpc_r::ledger_of(pointer);
  return Rcpp::List::create(
      Rcpp::Named("pure") = ledger.accounting() == privpc::Accounting::pure,
      Rcpp::Named("cap") = ledger.cap(), Rcpp::Named("spent") = ledger.spent(),
      Rcpp::Named("left") = ledger.left(), Rcpp::Named("slack") = ledger.slack(),
      Rcpp::Named("slack_left") = ledger.slack_left(),
      Rcpp::Named("steps") = static_cast<double>(ledger.size()));
}

// Throws privpc::Overdraft, which reaches R as a condition of that class.
// [[Rcpp::export(rng = false)]]
void cpp_ledger_debit(SEXP pointer, std::string mechanism, std::string target, double epsilon,
                      double amount, double delta) {
  privpc_r::ledger_of(pointer).debit(mechanism, target, epsilon, amount, delta);
}

// The columns of privacy_ledger() but `step`: mechanism, target, epsilon, amount, cumulative.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_ledger_entries(SEXP pointer) {
  return privpc_r::wrap_entries(privpc_r::ledger_of(pointer).entries());
}

// ---- conversions --------------------------------------------------------------------------------

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_rho_from_dp(Rcpp::NumericVector epsilon, Rcpp::NumericVector delta) {
  return each(privpc::rho_from_dp, epsilon, delta);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_dp_from_rho(Rcpp::NumericVector rho, Rcpp::NumericVector delta) {
  return each(privpc::dp_from_rho, rho, delta);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_delta_from_rho(Rcpp::NumericVector rho, Rcpp::NumericVector epsilon) {
  return each(privpc::delta_from_rho, rho, epsilon);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_rho_of_pure(Rcpp::NumericVector epsilon) {
  return each(privpc::rho_of_pure, epsilon);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_rho_of_exponential(Rcpp::NumericVector epsilon) {
  return each(privpc::rho_of_exponential, epsilon);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_amplified_epsilon(Rcpp::NumericVector epsilon, Rcpp::NumericVector sampled,
                                          Rcpp::NumericVector total) {
  return each(privpc::amplified_epsilon, epsilon, sampled, total);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_epsilon_before_sampling(Rcpp::NumericVector epsilon,
                                                Rcpp::NumericVector sampled,
                                                Rcpp::NumericVector total) {
  return each(privpc::epsilon_before_sampling, epsilon, sampled, total);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_advanced_composition(Rcpp::NumericVector epsilon, Rcpp::NumericVector delta,
                                    Rcpp::NumericVector steps, Rcpp::NumericVector slack) {
  auto total = [](double e, double d, double k, double s) {
    return privpc::advanced_composition(e, d, k, s);
  };
  return Rcpp::List::create(
      Rcpp::Named("epsilon") =
          each([&](double e, double d, double k, double s) { return total(e, d, k, s).epsilon; },
               epsilon, delta, steps, slack),
      Rcpp::Named("delta") =
          each([&](double e, double d, double k, double s) { return total(e, d, k, s).delta; },
               epsilon, delta, steps, slack));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_subsampled_gaussian_dp(Rcpp::NumericVector sigma,
                                               Rcpp::NumericVector sampled,
                                               Rcpp::NumericVector total, Rcpp::NumericVector steps,
                                               Rcpp::NumericVector delta,
                                               Rcpp::NumericVector sensitivity) {
  return each(
      [](double s, double m, double n, double k, double d, double size) {
        return privpc::subsampled_gaussian_epsilon(privpc::rho_of_gaussian(size, s), m, n, k, d);
      },
      sigma, sampled, total, steps, delta, sensitivity);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_subsampled_gaussian_sigma(
    Rcpp::NumericVector epsilon, Rcpp::NumericVector delta, Rcpp::NumericVector sampled,
    Rcpp::NumericVector total, Rcpp::NumericVector steps, Rcpp::NumericVector sensitivity) {
  return each(
      [](double e, double d, double m, double n, double k, double size) {
        return privpc::sigma_of_gaussian(size, privpc::subsampled_gaussian_rho(e, d, m, n, k));
      },
      epsilon, delta, sampled, total, steps, sensitivity);
}
