// Conditional independence tests on noisy marginals, which know how much noise there is.
//
// Write q_x for the orthonormal contrasts of x (contrasts.hpp) and f for features of the
// conditioning variables z: the constant, the contrasts of each, and the interactions of those
// subsets W of z for which both (x, W) and (y, W) were measured. All moments that a regression of
// q_x and q_y on f needs are measured contrasts: C_x = E[q_x f'], and M = E[f f'] from the table
// of z. With B_x = M^-1 C_x' the pooled covariance of what is left of x and y is
//   D = E[q_x q_y'] - C_x B_y - B_x' C_y' + B_x' M B_y,
// a generalised Cochran-Mantel-Haenszel numerator that never needs the table of x, y and z
// together. Errors of B_x and B_y enter D only as their product, so the noise of D is, to first
// order and with B held fixed, that of the four measured parts:
//   N = v_xy I + I (x) B_y' diag(v_xW) B_y + B_x' diag(v_yW) B_x (x) I + (noise of the z table),
// where (x) is the Kronecker product. Sampling adds E_z[cov(q_x | z) (x) cov(q_y | z)] / n.
//
// B is estimated with a ridge in proportion to the noise of the moments, and the predicted
// distributions of x and y given z are moved into the simplex.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "privpc/marginals/kept_regressions.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/noisy_covariance.hpp"
#include "privpc/marginals/noisy_reading.hpp"
#include "privpc/marginals/small_matrix.hpp"
#include "privpc/marginals/weighted_chi_square.hpp"
#include "privpc/schema/table_shape.hpp"

namespace privpc {

// No more variables than this in a conditioning set, and no more cells in its table.
inline constexpr std::size_t kMaxNoisyOrder = 3;
inline constexpr std::size_t kMaxConditioningCells = 2048;
// Beyond this many contrasts of a pair their covariance is taken as diagonal in the basis of the
// principal contrasts of both variables.
inline constexpr std::size_t kMaxDenseContrasts = 100;

class NoisyTests {
 public:
  explicit NoisyTests(const Measurements& store) : store_(store), regressions_(store) {}

  // Whether everything the test needs was measured and is small enough.
  bool possible(std::size_t x, std::size_t y, const VariableSet& given) const {
    if (given.size() > kMaxNoisyOrder) return false;
    if (store_.find(VariableSet{x, y}) == nullptr) return false;
    if (cell_count(store_.schema(), given) > static_cast<double>(kMaxConditioningCells)) {
      return false;
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (store_.find(VariableSet{x, given[i]}) == nullptr) return false;
      if (store_.find(VariableSet{y, given[i]}) == nullptr) return false;
      for (std::size_t j = 0; j < i; ++j) {
        if (store_.find(VariableSet{given[j], given[i]}) == nullptr) return false;
      }
    }
    return true;
  }

  // Whether all interactions of the conditions that the test needs were measured. If not it allows
  // for those that were only, and what is left may be due to the others.
  bool complete(std::size_t x, std::size_t y, const VariableSet& given) const {
    for (std::uint32_t mask = 1; mask < 1u << given.size(); ++mask) {
      const VariableSet w = subset(given, mask);
      if (w.size() < 2 || contrast_count(levels_of(store_.schema(), w)) == 0) continue;
      if (store_.find(w.with(x)) == nullptr || store_.find(w.with(y)) == nullptr) return false;
    }
    return true;
  }

  // Without conditions. The statistic is the Bayes factor's own quadratic form, which looks where
  // the margins leave room for an effect; its p-value is that of a weighted sum of chi-squares.
  NoisyReading marginal(std::size_t x, std::size_t y, double prior) const {
    if (x > y) std::swap(x, y);
    const NoisyVariable& a = regressions_.variable(x);
    const NoisyVariable& b = regressions_.variable(y);
    const Measured& pair = *store_.find(VariableSet{x, y});
    Matrix d = to_matrix(pair, a.contrasts);
    for (std::size_t i = 0; i < d.rows(); ++i) {
      for (std::size_t j = 0; j < d.columns(); ++j)
        d(i, j) -= a.mean[i] * b.mean[j];
    }
    d = product(cross_product(a.basis, d), b.basis);
    NoisyReading out;
    const double m = static_cast<double>(d.rows() * d.columns());
    std::vector<double> weights, variances;
    double log_ratio = 0;
    for (std::size_t i = 0; i < d.rows(); ++i) {
      for (std::size_t j = 0; j < d.columns(); ++j) {
        const double spread = a.spread[i] * b.spread[j];
        const double variance = spread / store_.rows() + pair.variance +
                                a.variance * b.squared_mean(j) + b.variance * a.squared_mean(i);
        const double signal = prior / m * spread;
        const double square = d(i, j) * d(i, j);
        variances.push_back(variance);
        weights.push_back(signal / (signal + variance));
        out.statistic += weights.back() * square / variance;
        out.distance += square / variance;
        log_ratio += std::log1p(signal / variance);
        out.effect += (square - variance) / spread;
        out.effect_noise += variance / spread;
      }
    }
    out.df = m;
    out.p_value = marginal_p_value(out.statistic, weights, variances, a, b, pair.variance);
    out.evidence = (out.statistic - log_ratio) / 2;
    return out;
  }

  NoisyReading conditional(std::size_t x, std::size_t y, const VariableSet& given, double prior) {
    if (x > y) std::swap(x, y);
    if (given.empty()) return marginal(x, y, prior);
    regressions_.limit_memory();
    const std::uint32_t subsets = regressions_.usable_subsets(x, y, given);
    const NoisyConditions& z = regressions_.conditions(given, subsets);
    const Measured& pair = *store_.find(VariableSet{x, y});
    const bool dense = pair.values.size() <= kMaxDenseContrasts;
    const NoisyRegression& a = regressions_.regression(x, given, subsets, z, dense);
    const NoisyRegression& b = regressions_.regression(y, given, subsets, z, dense);
    const std::size_t nx = a.spread.size();

    Matrix d = product(cross_product(a.basis, to_matrix(pair, nx)), b.basis);
    add_scaled(d, product(a.moments, b.slopes), -1);
    add_scaled(d, transpose(product(b.moments, a.slopes)), -1);
    add_scaled(d, cross_product(a.slopes, product(z.second_moments, b.slopes)), 1);

    Matrix v = noise_of(a, b, z, pair.variance, dense);
    add_sampling(v, a, b, z, store_.rows(), dense);
    NoisyReading out = read_covariance(d, v, a, b, prior, dense);
    out.share_left = std::min(a.share_left, b.share_left);
    return out;
  }

 private:
  // The noise of the means is shared by many contrasts: those of the contrasts (i, j) and (i, t)
  // have the covariance v_x r_j r_t, r the mean of y, and likewise for x. So the statistic is a sum
  // of chi-squares whose weights are the eigenvalues of the covariance of its terms. These are
  // computed where they matter: not for a pair that is nowhere near to being dependent, nor for one
  // that is dependent even if all of the shared noise is counted for every contrast.
  static double marginal_p_value(double statistic, const std::vector<double>& weights,
                                 const std::vector<double>& variances, const NoisyVariable& a,
                                 const NoisyVariable& b, double pair_variance) {
    const double plain = weighted_chi_square_upper(statistic, weights);
    const std::size_t nx = a.contrasts, ny = b.contrasts, m = nx * ny;
    if (m == 1 || plain > 0.1) return plain;
    const auto length = [](const std::vector<double>& mean) {
      return std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0);
    };
    const double most =
        1 + (a.variance * length(b.mean) + b.variance * length(a.mean)) / pair_variance;
    const double cautious = weighted_chi_square_upper(statistic / most, weights);
    if (cautious < 1e-7 || m > kMaxDenseContrasts) return cautious;
    Matrix terms(m, m);
    for (std::size_t i = 0; i < nx; ++i) {
      for (std::size_t j = 0; j < ny; ++j) {
        const std::size_t at = i * ny + j;
        const auto fill = [&](std::size_t other, double covariance) {
          terms(at, other) = covariance * std::sqrt(weights[at] * weights[other] /
                                                    (variances[at] * variances[other]));
        };
        for (std::size_t t = 0; t < ny; ++t)
          fill(i * ny + t, a.variance * b.mean_product(j, t));
        for (std::size_t s = 0; s < nx; ++s)
          fill(s * ny + j, b.variance * a.mean_product(i, s));
        terms(at, at) = weights[at];
      }
    }
    std::vector<double> exact = symmetric_eigen(terms, false).values;
    for (double& weight : exact)
      weight = std::max(weight, 0.0);
    return weighted_chi_square_upper(statistic, exact);
  }

  static Matrix to_matrix(const Measured& measured, std::size_t rows) {
    Matrix out(rows, measured.values.size() / rows);
    out.values() = measured.values;
    return out;
  }

  const Measurements& store_;
  KeptRegressions regressions_;
};

}  // namespace privpc
