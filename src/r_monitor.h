// How the core's progress reaches an R user, and a user's interrupt the core.
#pragma once

#include <Rcpp.h>

#include <chrono>

#include "privpc/base/monitor.hpp"

namespace privpc_r {

// Lets the user interrupt, and tells an R function how far the search is.
class RMonitor : public privpc::Monitor {
 public:
  explicit RMonitor(const Rcpp::Nullable<Rcpp::Function>& report)
      : report_(report), last_(std::chrono::steady_clock::now()) {}

  void progress(std::size_t order, std::size_t done, std::size_t total) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    Rcpp::checkUserInterrupt();
    if (report_.isNotNull()) {
      Rcpp::Function report(report_.get());
      report(static_cast<int>(order), static_cast<double>(done), static_cast<double>(total));
    }
  }

 private:
  Rcpp::Nullable<Rcpp::Function> report_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace privpc_r
