// The limits and defaults of the core that R states in its checks and messages.
#include <Rcpp.h>

#include <chrono>

#include "privpc/base/monitor.hpp"
#include "privpc/learners/fit_price.hpp"
#include "privpc/learners/paper_settings.hpp"
#include "privpc/marginals/known_coefficients.hpp"
#include "privpc/schema/schema.hpp"
#include "privpc/schema/variable_set.hpp"
#include "privpc/search/noisy_skeleton.hpp"
#include "privpc/statistic/margin.hpp"

namespace {

// Ctrl-C, and the limits of setTimeLimit(). R leaves by a jump, which Rcpp carries through C++ as
// an exception, so that the caller in R sees the condition that R made. (Rcpp::checkUserInterrupt()
// would make an interrupt of a time limit, and end a script.)
class Interrupts : public privpc::Monitor {
 public:
  void progress(std::size_t, std::size_t, std::size_t) override { breathe(); }

  // R looks at its time limits only every few times that it is asked, so ask often.
  void breathe() override {
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::milliseconds(20)) return;
    asked_ = now;
    Rcpp::unwindProtect(
        [](void*) -> SEXP {
          R_CheckUserInterrupt();
          return R_NilValue;
        },
        nullptr);
  }

 private:
  std::chrono::steady_clock::time_point asked_;
};

}  // namespace

// From now on all long work on R's own thread asks whether it shall go on (base/monitor.hpp). Once,
// when the package is loaded.
// [[Rcpp::export(rng = false)]]
void cpp_heed_interrupts() {
  static Interrupts interrupts;
  privpc::Listening::current() = &interrupts;
}

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
