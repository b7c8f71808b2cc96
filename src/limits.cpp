// The limits and defaults of the core that R states in its checks and messages.
#include <Rcpp.h>

#include "privpc/learners/fit_price.hpp"
#include "privpc/learners/paper_settings.hpp"
#include "privpc/marginals/known_coefficients.hpp"
#include "privpc/schema/schema.hpp"
#include "privpc/schema/variable_set.hpp"
#include "privpc/search/noisy_skeleton.hpp"
#include "privpc/statistic/margin.hpp"

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_limits() {
  const privpc::NoisyRules rules;
  return Rcpp::List::create(
      Rcpp::_["max_levels"] = static_cast<int>(privpc::kMaxLevels),
      Rcpp::_["max_variables"] = static_cast<int>(privpc::kMaxVariables),
      Rcpp::_["max_rows"] = static_cast<double>(privpc::kMaxRows),
      Rcpp::_["max_order"] = static_cast<int>(privpc::kMaxOrder),
      Rcpp::_["most_tests"] = privpc::PaperSettings::kMostTests,
      Rcpp::_["most_cells"] = privpc::kMostMatrixCells,
      Rcpp::_["most_conditioning_cells"] = static_cast<double>(privpc::kMaxConditioningCells),
      Rcpp::_["least_epsilon"] = privpc::FitPrice::kLeastEpsilon,
      Rcpp::_["critical"] = privpc::MarginRule().critical,
      Rcpp::_["private_max_order"] = static_cast<int>(privpc::PaperSettings().search.max_order),
      Rcpp::_["noisy"] =
          Rcpp::List::create(Rcpp::_["alpha"] = rules.alpha, Rcpp::_["prior"] = rules.prior,
                             Rcpp::_["least_effect"] = rules.least_effect,
                             Rcpp::_["max_order"] = static_cast<int>(rules.max_order)));
}
