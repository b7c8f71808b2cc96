// How the core's progress reaches an R user, and a user's interrupt the core.
#pragma once

#include <Rcpp.h>

#include <chrono>

#include "privpc/base/monitor.hpp"

namespace privpc_r {

// Tells R functions how far the search is, and how many tests an order may take before it begins.
// Whether to go on is asked as in all long work (src/limits.cpp).
class RMonitor : public privpc::Monitor {
 public:
  using Callback = Rcpp::Nullable<Rcpp::Function>;

  explicit RMonitor(const Callback& report, const Callback& ahead = R_NilValue)
      : report_(report), ahead_(ahead), told_(Clock::now()) {}

  void progress(std::size_t order, std::size_t done, std::size_t total) override {
    privpc::breathe();
    if (report_.isNull()) return;
    const auto now = Clock::now();
    if (now - told_ < std::chrono::milliseconds(100)) return;
    told_ = now;
    Rcpp::Function report(report_.get());
    report(static_cast<int>(order), static_cast<double>(done), static_cast<double>(total));
  }

  void begin_order(std::size_t order, double at_most) override {
    if (ahead_.isNull()) return;
    Rcpp::Function ahead(ahead_.get());
    ahead(static_cast<int>(order), at_most);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Callback report_, ahead_;
  Clock::time_point told_;
};

}  // namespace privpc_r
