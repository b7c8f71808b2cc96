// What fits cost and what their price can buy, from public facts: for the checks and warnings of
// R/private_fit.R, R/marginal_pc.R and R/weak_promise.R.
#include "privpc/learners/fit_price.hpp"

#include <Rcpp.h>

#include <string>

#include "measurements_io.h"
#include "price_input.h"
#include "privpc/learners/enough_rows.hpp"
#include "privpc/learners/paper_learners.hpp"
#include "privpc/learners/visible_effects.hpp"

namespace {

privpc::FitPrice price_of(const std::string& learner, double epsilon, double delta, double sample,
                          double rows, bool gaussian) {
  const privpc::Epsilon promised(epsilon);
  if (learner == "marginal_pc") {
    return gaussian ? privpc::gaussian_fit_price(promised, delta)
                    : privpc::fit_price(promised, delta);
  }
  if (gaussian) Rcpp::stop("only marginal_pc() has nothing but Gaussian steps");
  return privpc::fit_price(promised, delta, privpc::paper_learner(learner).samples_once,
                           static_cast<std::uint64_t>(sample), static_cast<std::uint64_t>(rows));
}

privpc::Schema schema_for(const Rcpp::IntegerVector& levels, double rows, bool add_remove) {
  const privpc::Schema schema = privpc_r::measured_schema(levels, rows);
  return add_remove ? schema.for_added_and_removed(schema.rows()) : schema;
}

}  // namespace

// `run`: what the run may spend, a rho, NA for an epsilon; `rho`: of the fit as a whole, NA if
// there is none; `accounting`: how the run's ledger counts; `cost`: what a budget is charged, by
// its epsilon (and delta) or by its rho. `gaussian`: all steps of the run add Gaussian noise.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_price(const std::string& learner, double epsilon, double delta, double sample,
                         double rows, bool gaussian) {
  const privpc::FitPrice price = price_of(learner, epsilon, delta, sample, rows, gaussian);
  const auto& own = price.cost.epsilon();
  const double in_rho = own ? NA_REAL : price.cost.in(privpc::Accounting::zcdp).value();
  return Rcpp::List::create(
      Rcpp::_["run"] = price.run.is_pure() ? NA_REAL : price.run.value(),
      Rcpp::_["rho"] = price.rho ? price.rho->value() : NA_REAL,
      Rcpp::_["accounting"] = privpc::accounting_name(price.run.accounting()),
      Rcpp::_["on_sample"] = price.on_sample, Rcpp::_["too_small"] = price.is_too_small(),
      Rcpp::_["cost"] =
          Rcpp::List::create(Rcpp::_["epsilon"] = own ? own->value() : NA_REAL,
                             Rcpp::_["rho"] = in_rho, Rcpp::_["delta"] = price.cost.delta()));
}

// Which accounting of marginal_pc() has less noise, where both can be had.
// [[Rcpp::export(rng = false)]]
bool cpp_gaussian_noise_is_less(const Rcpp::IntegerVector& levels, double epsilon, double delta,
                                bool add_remove) {
  const privpc::Epsilon promised(epsilon);
  return privpc::gaussian_noise_is_less(schema_for(levels, 0, add_remove),
                                        privpc::gaussian_rho_from_dp(promised, delta),
                                        privpc::rho_from_dp(promised, delta));
}

// About what a first round of priv_pc() can have for a rho, or for an epsilon where rho is NA, and
// how many blocks should vote.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_first_round(int nodes, double rows, double rounds, double epsilon, double rho) {
  const auto variables = static_cast<std::size_t>(nodes);
  const auto records = static_cast<std::uint64_t>(rows);
  const privpc::Price cap = privpc_r::read_price(epsilon, rho);
  const privpc::PlannedRound round =
      privpc::first_round(variables, records, static_cast<std::size_t>(rounds), cap);
  return Rcpp::List::create(Rcpp::_["epsilon"] = round.epsilon.value(),
                            Rcpp::_["noise"] = round.noise,
                            Rcpp::_["blocks"] = privpc::vote_blocks(variables, records, cap));
}

// [[Rcpp::export(rng = false)]]
bool cpp_enough_to_measure(double rows, const Rcpp::IntegerVector& levels, double rho, double alpha,
                           bool add_remove) {
  return privpc::enough_to_measure(schema_for(levels, rows, add_remove), privpc::Rho(rho), alpha);
}

// The smallest effect (phi) that a search by score is likely to find.
// [[Rcpp::export(rng = false)]]
double cpp_visible_effect(double rows, const Rcpp::IntegerVector& levels, double rho, double alpha,
                          bool add_remove) {
  return privpc::VisibleEffects(schema_for(levels, rows, add_remove), alpha)
      .least(rows, privpc::Rho(rho));
}

// The same of a variable with as many levels as each of `of` and one that has as many as most.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_visible_effect_of_levels(const Rcpp::NumericVector& of, double rows,
                                                 const Rcpp::IntegerVector& levels, double rho,
                                                 double alpha, bool add_remove) {
  const privpc::VisibleEffects visible(schema_for(levels, rows, add_remove), alpha);
  Rcpp::NumericVector out(of.size());
  for (R_xlen_t i = 0; i < of.size(); ++i)
    out[i] = visible.least_with(of[i], rows, privpc::Rho(rho));
  return out;
}

// With how many rows, or with which rho, it would be as small as `effect`; infinite: with none.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_enough_for_effect(double effect, double rows,
                                          const Rcpp::IntegerVector& levels, double rho,
                                          double alpha, bool add_remove) {
  const privpc::VisibleEffects visible(schema_for(levels, rows, add_remove), alpha);
  return Rcpp::NumericVector::create(Rcpp::_["rows"] = visible.rows_for(effect, privpc::Rho(rho)),
                                     Rcpp::_["rho"] = visible.rho_for(effect, rows));
}

// `blocks`: 0 for the tests by order.
// [[Rcpp::export(rng = false)]]
bool cpp_enough_for_margins(double rows, const Rcpp::IntegerVector& levels, double critical,
                            double noise, double blocks) {
  return blocks > 0 ? privpc::enough_for_votes(blocks, critical, noise)
                    : privpc::enough_for_order_margins(privpc_r::measured_schema(levels, rows),
                                                       critical, noise);
}
