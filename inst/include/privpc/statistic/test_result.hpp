// What a conditional independence test says about x and y given a set.
#pragma once

#include <cmath>

#include "privpc/base/distributions.hpp"

namespace privpc {

enum class TestKind { g2, chisq, tau, rho, cmh };

// What G2 and chi-square count: the declared levels, which are public, or those that occur in a
// stratum, which are a secret of the records (bnlearn's "mi-adf" and "x2-adf"; no private test may
// use them).
enum class DegreesOfFreedom { declared, occurring };

// Whether one record can move the statistic by a bounded amount only (sensitivity.hpp). The others
// are asked block by block (block_tests.hpp).
inline bool has_bounded_sensitivity(TestKind kind) {
  return kind == TestKind::tau || kind == TestKind::rho;
}

struct TestResult {
  double statistic = 0;            // G2, X2, M2, or the stratified sums T and R
  double estimate = std::nan("");  // T / n and R / n, on the scale of tau and rho
  double df = std::nan("");        // chi-square type tests
  double z = std::nan("");         // normal type tests
  double p_value = 1;
};

// The result of a sum over strata with mean 0 and this variance under independence.
inline TestResult normal_test(double sum, double variance, double rows) {
  TestResult result;
  result.statistic = sum;
  result.estimate = rows > 0 ? sum / rows : 0;
  result.z = variance > 0 ? sum / std::sqrt(variance) : 0;
  result.p_value = normal_two_sided(result.z);
  return result;
}

}  // namespace privpc
