// How large effects are, by empirical Bayes: every pair deviates from what is expected of it by an
// effect whose squares have the mean g in all, where g is one of a few scales, among them 0. How
// often each scale occurs is estimated from all pairs together (EM for the weights of a mixture
// with known parts; the starting weights count like a few further pairs).
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/whitened_pairs.hpp"

namespace privpc {

// 0 and four steps per power of ten, from trifles to a variable that determines another one of
// several levels. As squared correlations, summed over the contrasts of a pair.
inline const std::vector<double>& effect_scales() {
  static const std::vector<double> scales = [] {
    std::vector<double> out{0};
    for (int step = -16; step <= 1; ++step)
      out.push_back(std::pow(10, step / 4.0));
    return out;
  }();
  return scales;
}

// Log densities, for all scales, of deviations of which each has the variance `variance` beside the
// effect's share: g over the number of contrasts.
inline Vector scale_log_likelihoods(const Matrix& deviation, const Matrix& variance) {
  const std::vector<double>& scales = effect_scales();
  const auto squares = deviation.array().square();
  const double contrasts = static_cast<double>(deviation.size());
  Vector out(static_cast<Index>(scales.size()));
  for (Index g = 0; g < out.size(); ++g) {
    const Eigen::ArrayXXd total =
        variance.array() + scales[static_cast<std::size_t>(g)] / contrasts;
    out[g] = -0.5 * (squares / total + total.log()).sum();
  }
  return out;
}

// Of each row of log likelihoods, the likelihoods divided by the largest.
inline Matrix relative_likelihoods(const Matrix& log_likelihoods) {
  return (log_likelihoods.colwise() - log_likelihoods.rowwise().maxCoeff()).array().exp();
}

// The weights of the columns, from rows of likelihoods. `pseudo_rows` rows of equal weights are
// added, so that few pairs do not say too much.
inline Vector mixture_weights(const Matrix& likelihoods, double pseudo_rows, int rounds) {
  const double columns = static_cast<double>(likelihoods.cols());
  const Vector first = Vector::Constant(likelihoods.cols(), 1 / columns);
  Vector weights = first;
  for (int round = 0; round < rounds; ++round) {
    const Vector share_of_one = Vector(product(likelihoods, weights)).cwiseInverse();
    const Vector shares = cross_product(likelihoods, share_of_one);
    weights = (weights.cwiseProduct(shares) + pseudo_rows * first) /
              (static_cast<double>(likelihoods.rows()) + pseudo_rows);
  }
  return weights;
}

// Every pair by itself, as if nothing were known about the others but how large effects are.
struct MarginalEffects {
  Matrix scale;     // pairs x scales: posterior probabilities
  Matrix mean;      // of C, all variables; identity within a variable
  Matrix variance;  // of each element
  Matrix strength;  // variables x variables: squares of the mean, summed over contrasts

  explicit MarginalEffects(const WhitenedPairs& tables) {
    const auto pairs = static_cast<Index>(tables.pairs().size());
    const auto scales = static_cast<Index>(effect_scales().size());
    const double sampling = 1 / tables.rows();
    std::vector<Index> measured;
    Matrix likelihoods(pairs, scales);
    for (Index k = 0; k < pairs; ++k) {
      const WhitenedPair& pair = tables.pairs()[static_cast<std::size_t>(k)];
      if (!pair.measured) continue;
      const Matrix variance_here = pair.noise.array() + sampling;
      likelihoods.row(static_cast<Index>(measured.size())) =
          scale_log_likelihoods(pair.value, variance_here);
      measured.push_back(k);
    }
    const auto count = static_cast<Index>(measured.size());
    // A pair of which nothing is known is expected to show nothing by itself.
    scale = Matrix::Zero(pairs, scales);
    scale.col(0).setOnes();
    mean = Matrix::Identity(tables.contrasts(), tables.contrasts());
    variance = Matrix::Zero(tables.contrasts(), tables.contrasts());
    strength = Matrix::Zero(static_cast<Index>(tables.size()), static_cast<Index>(tables.size()));
    if (count == 0) return;
    likelihoods = relative_likelihoods(likelihoods.topRows(count));
    const Vector weights = mixture_weights(likelihoods, 5, 200);
    for (Index i = 0; i < count; ++i) {
      Vector posterior = likelihoods.row(i).transpose().cwiseProduct(weights);
      posterior /= posterior.sum();
      scale.row(measured[static_cast<std::size_t>(i)]) = posterior;
      set_moments(tables, static_cast<std::size_t>(measured[static_cast<std::size_t>(i)]),
                  posterior);
    }
  }

 private:
  void set_moments(const WhitenedPairs& tables, std::size_t k, const Vector& posterior) {
    const WhitenedPair& pair = tables.pairs()[k];
    const double contrasts = static_cast<double>(pair.value.size());
    Matrix first = Matrix::Zero(pair.value.rows(), pair.value.cols()), second = first;
    for (Index g = 0; g < posterior.size(); ++g) {
      if (posterior[g] < 1e-3) continue;
      const double spread =
          effect_scales()[static_cast<std::size_t>(g)] / contrasts + 1 / tables.rows();
      const Eigen::ArrayXXd keep = spread / (spread + pair.noise.array());
      const Eigen::ArrayXXd centre = keep * pair.value.array();
      first.array() += posterior[g] * centre;
      second.array() += posterior[g] * (keep * pair.noise.array() + centre.square());
    }
    const Matrix spread = (second - first.cwiseAbs2()).cwiseMax(0);
    tables.block(mean, pair.x, pair.y) = first;
    tables.block(mean, pair.y, pair.x) = first.transpose();
    tables.block(variance, pair.x, pair.y) = spread;
    tables.block(variance, pair.y, pair.x) = spread.transpose();
    const auto x = static_cast<Index>(pair.x), y = static_cast<Index>(pair.y);
    strength(x, y) = strength(y, x) = first.squaredNorm();
  }
};

}  // namespace privpc
