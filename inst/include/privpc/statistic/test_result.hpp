// What a conditional independence test says about x and y given a set.
#pragma once

#include <cmath>

namespace privpc {

enum class TestKind { g2, chisq, tau, rho, cmh };

struct TestResult {
  double statistic = 0;            // G2, X2, M2, or the stratified sums T and R
  double estimate = std::nan("");  // T / n and R / n, on the scale of tau and rho
  double df = std::nan("");        // chi-square type tests
  double z = std::nan("");         // normal type tests
  double p_value = 1;
};

}  // namespace privpc
