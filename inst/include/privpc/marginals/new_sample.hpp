// Other people from the same population: how far the correlations of a sample of n are from those
// of the population.
//
// They are drawn as if contrasts were normal: the sample covariance is a Wishart matrix around the
// population's. Pairs that share a variable then have the errors in common that a real sample gives
// them, and what z explains in the population z explains in the sample, up to a variance of
// (1 - r_xz^2)(1 - r_zy^2) / n. An independent pair varies by 1/n. Margins are kept as they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/base/simulation_draws.hpp"
#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/whitened_pairs.hpp"

namespace privpc {

namespace detail {

// L with L L' = a; a matrix without rows if a is not positive definite.
inline Matrix lower_root(const Matrix& a) {
  const Eigen::LLT<Matrix> factor(a);
  if (factor.info() != Eigen::Success) return Matrix();
  return factor.matrixL();
}

// Bartlett's decomposition of a Wishart matrix with the covariance root root', over n - 1. One
// record has no covariance: it counts as two.
inline Matrix sample_covariance(const Matrix& root, double rows, SimulationDraws& random) {
  Matrix factor = Matrix::Zero(root.rows(), root.rows());
  for (Index j = 0; j < factor.rows(); ++j) {
    const double df = std::max(1.0, rows - 1 - static_cast<double>(j));
    factor(j, j) = std::sqrt(random.chi_square(df));
    for (Index i = j + 1; i < factor.rows(); ++i)
      factor(i, j) = random.normal();
  }
  const Matrix scaled = product(root, factor) / std::sqrt(std::max(1.0, rows - 1));
  return outer_product(scaled, scaled);
}

}  // namespace detail

// `population`: C of all variables, as in WhitenedPairs, and so is what comes out: whitened by the
// sample's own covariances within each variable.
inline Matrix new_sample(const WhitenedPairs& frame, const Matrix& population,
                         SimulationDraws& random) {
  // Pairs that were drawn one by one may exclude each other. Mixed with independence enough, they
  // are a covariance; the error of sampling is then taken from there.
  Matrix proper = population, root = detail::lower_root(population);
  for (double mixed = 0.01; root.rows() < proper.rows(); mixed = std::min(1.0, 2 * mixed)) {
    proper = (1 - mixed) * population;
    proper.diagonal().array() += mixed;
    root = detail::lower_root(proper);
  }
  const Matrix sample = detail::sample_covariance(root, frame.rows(), random);
  std::vector<Matrix> whiten(frame.size());
  for (std::size_t v = 0; v < frame.size(); ++v) {
    if (frame.variable(v).contrasts == 0) continue;
    const PrincipalAxes own(frame.block(sample, v, v));
    const Vector inverse = own.values.cwiseMax(1e-12).cwiseSqrt().cwiseInverse();
    whiten[v] = weighted_product(own.vectors, inverse, own.vectors);
  }
  Matrix out = population;
  for (const WhitenedPair& pair : frame.pairs()) {
    const Matrix now =
        product(product(whiten[pair.x], frame.block(sample, pair.x, pair.y)), whiten[pair.y]);
    const Matrix drawn =
        frame.block(population, pair.x, pair.y) + now - frame.block(proper, pair.x, pair.y);
    frame.block(out, pair.x, pair.y) = drawn;
    frame.block(out, pair.y, pair.x) = drawn.transpose();
  }
  return out;
}

}  // namespace privpc
