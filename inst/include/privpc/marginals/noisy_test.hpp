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
//
// Where x or y is ordered, its effects are likely smooth: such a pair has a second reading
// (trend_reading.hpp), and the more telling one counts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/marginals/kept_regressions.hpp"
#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/noisy_covariance.hpp"
#include "privpc/marginals/noisy_reading.hpp"
#include "privpc/marginals/ordered_effects.hpp"
#include "privpc/marginals/trend_reading.hpp"
#include "privpc/marginals/weighted_chi_square.hpp"
#include "privpc/schema/table_shape.hpp"

namespace privpc {

// No more variables than this in a conditioning set, and no more cells in its table.
inline constexpr std::size_t kMaxNoisyOrder = 3;
inline constexpr std::size_t kMaxConditioningCells = 2048;

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
    const Matrix centred = as_matrix(pair, b.contrasts) - outer_product(b.mean, a.mean);
    const Matrix d = product(cross_product(b.basis, centred), a.basis);
    NoisyReading out;
    const double m = static_cast<double>(d.size());
    std::vector<double> weights, variances;
    double log_ratio = 0;
    for (Index i = 0; i < a.contrasts; ++i) {
      for (Index j = 0; j < b.contrasts; ++j) {
        const double spread = a.spread[i] * b.spread[j];
        const double variance = spread / store_.rows() + pair.variance +
                                a.variance * b.squared_mean(j) + b.variance * a.squared_mean(i);
        const double signal = prior / m * spread;
        const double square = d(j, i) * d(j, i);
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
    if (has_trend(x, y, d.size())) read_trend(out, x, y, prior, d, variances);
    return out;
  }

  NoisyReading conditional(std::size_t x, std::size_t y, const VariableSet& given, double prior) {
    return *conditional_if(x, y, given, prior, [](const NoisyEffect&) { return true; });
  }

  // Nothing where the effect alone, which is found first and much faster, is `wanted` no further.
  template <class Wanted>
  std::optional<NoisyReading> conditional_if(std::size_t x, std::size_t y, const VariableSet& given,
                                             double prior, const Wanted& wanted) {
    if (x > y) std::swap(x, y);
    if (given.empty()) {
      const NoisyReading reading = marginal(x, y, prior);
      return wanted(reading) ? std::optional<NoisyReading>(reading) : std::nullopt;
    }
    regressions_.limit_memory();
    const std::uint32_t subsets = regressions_.usable_subsets(x, y, given);
    const NoisyConditions& z = regressions_.conditions(given, subsets);
    const NoisyRegression& a = regressions_.regression(x, given, subsets, z);
    const NoisyRegression& b = regressions_.regression(y, given, subsets, z);
    const Measured& pair = *store_.find(VariableSet{x, y});
    const LeftCovariance left(a, b, z, pair.variance, store_.rows(), workspace_);
    const Matrix d = left.left_of(as_matrix(pair, b.spread.size()));
    const Matrix variances = left.variances();
    const Matrix spread = outer_product(b.spread, a.spread);
    NoisyEffect effect = read_effect(d, variances, spread);
    effect.share_left = std::min(a.share_left, b.share_left);
    if (!wanted(effect)) return std::nullopt;
    const Matrix signal = prior / static_cast<double>(d.size()) * spread;
    // A single number has no covariances.
    if (d.size() == 1 || pair.values.size() > kMaxDenseContrasts) {
      return read_variances(effect, d, variances, signal);
    }
    regressions_.need_covariances(x, given, subsets);
    regressions_.need_covariances(y, given, subsets);
    const Matrix v = left.full();
    NoisyReading out = read_covariance(effect, d, v, signal);
    if (has_trend(x, y, d.size())) {
      const Matrix smooth =
          effects_of_pair(effects(x, a.basis, a.spread), effects(y, b.basis, b.spread));
      out.evidence = mixed_evidence(out.evidence, trend_evidence(d, v, prior * smooth));
    }
    return out;
  }

 private:
  // Between two levels there is but one way.
  bool is_ordered(std::size_t v) const {
    return store_.schema()[v].ordered && store_.schema().levels(v) > 2;
  }
  bool has_trend(std::size_t x, std::size_t y, Index contrasts) const {
    return (is_ordered(x) || is_ordered(y)) && contrasts <= Index{kMaxDenseContrasts};
  }
  // What is expected on principal contrasts of v, or of what conditions leave of it.
  Matrix effects(std::size_t v, const Matrix& basis, const Vector& spread) const {
    return is_ordered(v) ? smooth_effects(regressions_.variable(v).q, basis, spread)
                         : any_effects(spread);
  }

  // Evidence and p-value of both readings together; the first has been read.
  void read_trend(NoisyReading& out, std::size_t x, std::size_t y, double prior, const Matrix& d,
                  const std::vector<double>& variances) const {
    const NoisyVariable &a = regressions_.variable(x), &b = regressions_.variable(y);
    const Matrix smooth =
        effects_of_pair(effects(x, a.basis, a.spread), effects(y, b.basis, b.spread));
    const TrendReading trend(d, variances, prior * smooth);
    out.evidence = mixed_evidence(out.evidence, trend.evidence());
    double p_value = trend.p_value();
    if (p_value <= kNearDependent) {
      p_value = trend.p_value(most_shared(a, b, store_.find(VariableSet{x, y})->variance));
      if (p_value >= kClearlyDependent) {
        Matrix v = Eigen::Map<const Vector>(variances.data(), d.size()).asDiagonal();
        for_shared_noise(a, b, [&](Index at, Index other, double variance, double product) {
          v(at, other) = variance * product;
        });
        p_value = trend.p_value(v);
      }
    }
    out.p_value = smaller_of_two(out.p_value, p_value);
  }

  // The noise of the means is shared by many contrasts: those of the contrasts (i, j) and (i, t)
  // have the covariance v_x r_j r_t, r the mean of y, and likewise for x. So the statistic is a sum
  // of chi-squares whose weights are the eigenvalues of the covariance of its terms. These are
  // computed where they matter: not for a pair that is nowhere near to being dependent, nor for one
  // that is dependent even if all of the shared noise is counted for every contrast.
  static constexpr double kNearDependent = 0.1, kClearlyDependent = 1e-7;
  static double marginal_p_value(double statistic, const std::vector<double>& weights,
                                 const std::vector<double>& variances, const NoisyVariable& a,
                                 const NoisyVariable& b, double pair_variance) {
    const double plain = weighted_chi_square_upper(statistic, weights);
    const Index m = a.contrasts * b.contrasts;
    if (m == 1 || plain > kNearDependent) return plain;
    const double most = most_shared(a, b, pair_variance);
    const double cautious = weighted_chi_square_upper(statistic / most, weights);
    if (cautious < kClearlyDependent || weights.size() > kMaxDenseContrasts) return cautious;
    Vector scale(m);
    for (Index at = 0; at < m; ++at) {
      const auto i = static_cast<std::size_t>(at);
      scale[at] = std::sqrt(weights[i] / variances[i]);
    }
    Matrix terms = Eigen::Map<const Vector>(weights.data(), m).asDiagonal();
    for_shared_noise(a, b, [&](Index at, Index other, double variance, double product) {
      terms(at, other) = scale[at] * scale[other] * variance * product;
    });
    const Vector exact = eigenvalues(terms).cwiseMax(0);
    return weighted_chi_square_upper(statistic, {exact.data(), exact.data() + exact.size()});
  }

  // Of the variance of an element of D without shared noise, if all of that is counted for it.
  static double most_shared(const NoisyVariable& a, const NoisyVariable& b, double pair_variance) {
    const double shared = a.variance * b.mean.squaredNorm() + b.variance * a.mean.squaredNorm();
    return 1 + shared / pair_variance;
  }

  // Visits the elements of D below the diagonal of their covariance that have noise in common:
  // its variance and the product of means that it comes with.
  template <class Visit>
  static void for_shared_noise(const NoisyVariable& a, const NoisyVariable& b, const Visit& visit) {
    const Index ny = b.contrasts;
    for (Index i = 0; i < a.contrasts; ++i) {
      for (Index j = 0; j < ny; ++j) {
        for (Index t = 0; t < j; ++t)
          visit(i * ny + j, i * ny + t, a.variance, b.mean_product(j, t));
        for (Index s = 0; s < i; ++s)
          visit(i * ny + j, s * ny + j, b.variance, a.mean_product(i, s));
      }
    }
  }

  // What was measured of a pair, contrasts of the second x contrasts of the first.
  static Eigen::Map<const Matrix> as_matrix(const Measured& measured, Index rows) {
    const auto size = static_cast<Index>(measured.values.size());
    return {measured.values.data(), rows, size / rows};
  }

  const Measurements& store_;
  KeptRegressions regressions_;
  std::vector<double> workspace_;
};

}  // namespace privpc
