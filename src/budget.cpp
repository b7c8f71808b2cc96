// Adapters of R/budget.R and R/accounting.R.

#include <Rcpp.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ledger_output.h"
#include "ledger_pointer.h"
#include "price_input.h"
#include "privpc/base/monitor.hpp"
#include "privpc/base/random_name.hpp"
#include "privpc/privacy/accounting.hpp"
#include "privpc/privacy/exponential.hpp"
#include "privpc/privacy/gaussian_dp.hpp"
#include "privpc/privacy/ledger.hpp"
#include "privpc/privacy/renyi.hpp"

using privpc::Epsilon;
using privpc::Rho;

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
    privpc::breathe();
    result[i] = f(at(vectors, i)...);
  }
  return result;
}

}  // namespace

// ---- the ledger ---------------------------------------------------------------------------------

// [[Rcpp::export(rng = false)]]
SEXP cpp_new_ledger(bool pure, double cap, double slack, const std::string& neighbours) {
  const privpc::Price price = privpc_r::read_amount(pure, cap);
  const Rcpp::CharacterVector tag =
      Rcpp::CharacterVector::create(privpc_r::ledger_kind(), privpc_r::process_id(), neighbours);
  const Rcpp::List held = Rcpp::List::create(Rcpp::Named("id") = privpc::random_name(),
                                             Rcpp::Named("promise") = R_NilValue);
  return Rcpp::XPtr<privpc::Ledger>(new privpc::Ledger(price, slack), true, tag, held);
}

// [[Rcpp::export(rng = false)]]
std::string cpp_ledger_status(SEXP pointer) {
  return privpc_r::ledger_status(pointer);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_ledger_state(SEXP pointer) {
  privpc::Ledger& ledger = privpc_r::ledger_of(pointer);
  ledger.refresh();
  return Rcpp::List::create(
      Rcpp::Named("pure") = ledger.is_pure(), Rcpp::Named("cap") = ledger.cap().value(),
      Rcpp::Named("spent") = ledger.spent().value(), Rcpp::Named("left") = ledger.left().value(),
      Rcpp::Named("slack") = ledger.slack(), Rcpp::Named("slack_left") = ledger.slack_left(),
      Rcpp::Named("steps") = static_cast<double>(ledger.size()),
      Rcpp::Named("neighbours") = std::string(CHAR(STRING_ELT(R_ExternalPtrTag(pointer), 2))));
}

// A random name of the ledger, drawn when it was made and from nothing else. Fits keep it, so that
// two of them that were paid from one ledger can be told from two that were not.
// [[Rcpp::export(rng = false)]]
std::string cpp_ledger_id(SEXP pointer) {
  privpc_r::ledger_of(pointer);
  return Rcpp::as<std::string>(Rcpp::List(R_ExternalPtrProtected(pointer))["id"]);
}

// What the step is proved to be, either by its epsilon (and delta) or by its rho; the other is NA.
// An overdraft reaches R as a condition of class "privpc_core_overdraft" (conditions.h). Returns
// the number of the entry.
// [[Rcpp::export(rng = false)]]
double cpp_ledger_debit(SEXP pointer, std::string mechanism, std::string target, double epsilon,
                        double rho, double delta) {
  if (ISNA(epsilon) == ISNA(rho)) {
    throw std::invalid_argument("a step is paid for by its epsilon or by its rho, not by both");
  }
  if (ISNA(epsilon) && delta != 0) {
    throw std::invalid_argument("a step of rho has no delta of its own");
  }
  const privpc::Cost cost = ISNA(epsilon)
                                ? privpc::Cost::concentrated(privpc::Rho(rho))
                                : privpc::Cost::approximate(privpc::Epsilon(epsilon), delta);
  return static_cast<double>(privpc_r::ledger_of(pointer).debit(mechanism, target, cost));
}

// The columns of privacy_ledger() but `step`: mechanism, target, epsilon, amount, cumulative,
// delta.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_ledger_entries(SEXP pointer) {
  privpc::Ledger& ledger = privpc_r::ledger_of(pointer);
  ledger.refresh();
  return privpc_r::wrap_entries(ledger.entries());
}

// The receipt of an entry in a file; empty for a ledger in memory.
// [[Rcpp::export(rng = false)]]
std::string cpp_ledger_receipt(SEXP pointer, double entry) {
  return privpc_r::ledger_of(pointer).receipt(static_cast<std::size_t>(entry));
}

// ---- conversions --------------------------------------------------------------------------------

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_rho_from_dp(Rcpp::NumericVector epsilon, Rcpp::NumericVector delta) {
  return each([](double e, double d) { return rho_from_dp(Epsilon(e), d).value(); }, epsilon,
              delta);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_dp_from_rho(Rcpp::NumericVector rho, Rcpp::NumericVector delta) {
  return each([](double r, double d) { return dp_from_rho(Rho(r), d).value(); }, rho, delta);
}

// The same for steps all of which add Gaussian noise.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_gaussian_rho_from_dp(Rcpp::NumericVector epsilon,
                                             Rcpp::NumericVector delta) {
  return each(
      [](double e, double d) { return privpc::gaussian_rho_from_dp(Epsilon(e), d).value(); },
      epsilon, delta);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_gaussian_dp_from_rho(Rcpp::NumericVector rho, Rcpp::NumericVector delta) {
  return each([](double r, double d) { return privpc::gaussian_dp_from_rho(Rho(r), d).value(); },
              rho, delta);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_delta_from_rho(Rcpp::NumericVector rho, Rcpp::NumericVector epsilon) {
  return each([](double r, double e) { return delta_from_rho(Rho(r), Epsilon(e)); }, rho, epsilon);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_rho_of_pure(Rcpp::NumericVector epsilon) {
  return each([](double e) { return rho_of_pure(Epsilon(e)).value(); }, epsilon);
}

// Several choices by the exponential mechanism for one epsilon: what each has, and, in the unit of
// the ledger (NULL: NA), what all of them cost and what is left.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_equal_choices(double epsilon, int choices, SEXP ledger) {
  const privpc::EqualChoices all(Epsilon(epsilon), static_cast<std::size_t>(choices));
  double cost = NA_REAL, left = NA_REAL;
  if (!Rf_isNull(ledger)) {
    const privpc::Ledger& payer = privpc_r::ledger_of(ledger);
    cost = all.cost(payer.accounting()).value();
    left = payer.left().value();
  }
  return Rcpp::List::create(Rcpp::Named("each") = all.each().value(), Rcpp::Named("cost") = cost,
                            Rcpp::Named("left") = left);
}

// The rho of Gaussian noise as wide as Laplace noise of this epsilon; NA where the Laplace noise
// costs no more.
// [[Rcpp::export(rng = false)]]
double cpp_gaussian_instead(double epsilon) {
  const Rho gaussian = privpc::rho_of_gaussian_like_laplace(Epsilon(epsilon));
  return gaussian < rho_of_pure(Epsilon(epsilon)) ? gaussian.value() : NA_REAL;
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_amplified_epsilon(Rcpp::NumericVector epsilon, Rcpp::NumericVector sampled,
                                          Rcpp::NumericVector total) {
  return each(
      [](double e, double m, double n) { return amplified_epsilon(Epsilon(e), m, n).value(); },
      epsilon, sampled, total);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_epsilon_before_sampling(Rcpp::NumericVector epsilon,
                                                Rcpp::NumericVector sampled,
                                                Rcpp::NumericVector total) {
  return each([](double e, double m,
                 double n) { return epsilon_before_sampling(Epsilon(e), m, n).value(); },
              epsilon, sampled, total);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_advanced_composition(Rcpp::NumericVector epsilon, Rcpp::NumericVector delta,
                                    Rcpp::NumericVector steps, Rcpp::NumericVector slack) {
  auto total = [](double e, double d, double k, double s) {
    return privpc::advanced_composition(Epsilon(e), d, k, s);
  };
  return Rcpp::List::create(
      Rcpp::Named("epsilon") = each(
          [&](double e, double d, double k, double s) { return total(e, d, k, s).epsilon.value(); },
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
        return subsampled_gaussian_epsilon(privpc::rho_of_gaussian(size, s), m, n, k, d).value();
      },
      sigma, sampled, total, steps, delta, sensitivity);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_subsampled_gaussian_sigma(
    Rcpp::NumericVector epsilon, Rcpp::NumericVector delta, Rcpp::NumericVector sampled,
    Rcpp::NumericVector total, Rcpp::NumericVector steps, Rcpp::NumericVector sensitivity) {
  return each(
      [](double e, double d, double m, double n, double k, double size) {
        return privpc::sigma_of_gaussian(size, subsampled_gaussian_rho(Epsilon(e), d, m, n, k));
      },
      epsilon, delta, sampled, total, steps, sensitivity);
}
