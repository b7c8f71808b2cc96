// What a pair may be explained by: nothing, one variable between the two, or two of them. Each
// explanation is a centre e around which the pair deviates by an effect of some scale
// (effect_scales.hpp); what the noisy table says about it is a posterior over (centre, scale).
//
//   nothing    e = 0
//   one z      e = C_xz C_zy
//   z and w    e = C_xZ (C_ZZ + ridge I)^-1 C_Zy
//
// A pair of which z is a part must be stronger than the one it explains, and be seen above the
// noise. The centre is itself uncertain; its variance is that of the delta rule,
//   var_xZ B^2 + A^2 var_Zy  with  B = (C_ZZ + ridge)^-1 C_Zy,  A = C_xZ (C_ZZ + ridge)^-1,
// elementwise squares. How often pairs are explained by nothing, one or two, and with which scale
// beyond, is estimated from all pairs together.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "privpc/marginals/effect_scales.hpp"
#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/whitened_pairs.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

struct CentreOptions {
  std::size_t most_single = 8;  // variables that are tried one by one
  std::size_t most_in_two = 5;  // of these, in twos
  double least_strength = 0.7;  // of the pair's own, that both of its parts must have
  double ridge = 0.02;          // two variables may nearly determine each other
  double pseudo_pairs = 20;     // by which the starting weights count
  int rounds = 60;              // of EM
};

inline constexpr std::size_t kCentreKinds = 3;  // nothing, one, two

// C_xZ (C_ZZ + ridge I)^-1 C_Zy and its two halves; and what Z leaves of the variance of the
// contrasts of x and of y. If Z explains the pair, sampling moves it away from its centre by the
// product of the two over n.
struct CentreParts {
  Matrix left, right, centre;
  Vector rest_of_x, rest_of_y;

  CentreParts(const WhitenedPairs& tables, const Matrix& all, std::size_t x, std::size_t y,
              const VariableSet& given, double ridge) {
    if (given.size() == 1) {
      left = tables.block(all, x, given[0]);
      right = tables.block(all, given[0], y);
      centre = product(left, right);
      rest_of_x = rest(left.rowwise().squaredNorm());
      rest_of_y = rest(right.colwise().squaredNorm());
      return;
    }
    const Index a = tables.variable(given[0]).contrasts, b = tables.variable(given[1]).contrasts;
    Matrix inner(a + b, a + b), to_x(tables.variable(x).contrasts, a + b),
        to_y(tables.variable(y).contrasts, a + b);
    to_x << tables.block(all, x, given[0]), tables.block(all, x, given[1]);
    to_y << tables.block(all, y, given[0]), tables.block(all, y, given[1]);
    inner << tables.block(all, given[0], given[0]), tables.block(all, given[0], given[1]),
        tables.block(all, given[1], given[0]), tables.block(all, given[1], given[1]);
    inner.diagonal().array() += ridge;
    const CholeskyFactor factor(inner);
    left = factor.solve_rows(to_x);
    right = factor.solve_rows(to_y).transpose();
    centre = outer_product(left, to_y);
    rest_of_x = rest(left.cwiseProduct(to_x).rowwise().sum());
    rest_of_y = rest(right.transpose().cwiseProduct(to_y).rowwise().sum());
  }

  Matrix sampling(double rows) const { return outer_product(rest_of_x, rest_of_y) / rows; }

 private:
  static Vector rest(const Vector& explained) { return (1 - explained.array()).max(0.01); }
};

// What may explain one pair, and how probable it is together with each scale.
struct PairMixture {
  std::vector<VariableSet> given;  // one for each centre, the first is empty
  Matrix posterior;                // centres x scales; its elements add up to 1

  std::size_t kind(std::size_t centre) const { return given[centre].size(); }
};

class PairCentres {
 public:
  PairCentres(const WhitenedPairs& tables, const MarginalEffects& effects,
              const CentreOptions& options = {})
      : tables_(tables), effects_(effects), options_(options) {
    for (const WhitenedPair& pair : tables.pairs())
      mixtures_.push_back(likelihoods(pair));
    estimate_weights();
  }

  const PairMixture& operator[](std::size_t pair) const { return mixtures_[pair]; }
  const CentreOptions& options() const { return options_; }

 private:
  using Weights = std::array<Vector, kCentreKinds>;  // of the scales, for each kind of centre

  std::vector<std::size_t> between(const WhitenedPair& pair) const {
    const auto x = static_cast<Index>(pair.x), y = static_cast<Index>(pair.y);
    const double least =
        std::max(options_.least_strength * effects_.strength(x, y), 2 / tables_.rows());
    std::vector<std::pair<double, std::size_t>> found;
    for (std::size_t z = 0; z < tables_.size(); ++z) {
      if (z == pair.x || z == pair.y) continue;
      const auto at = static_cast<Index>(z);
      const double weaker = std::min(effects_.strength(x, at), effects_.strength(y, at));
      if (weaker > least) found.emplace_back(weaker, z);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < std::min(found.size(), options_.most_single); ++i)
      out.push_back(found[i].second);
    return out;
  }

  // The posterior holds likelihoods, divided by the largest, until the weights are known.
  PairMixture likelihoods(const WhitenedPair& pair) const {
    PairMixture out;
    out.given.emplace_back();
    const std::vector<std::size_t> near = between(pair);
    for (std::size_t z : near)
      out.given.push_back(VariableSet{z});
    for (std::size_t i = 0; i < std::min(near.size(), options_.most_in_two); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        out.given.push_back(VariableSet{near[i], near[j]});
    }
    const auto centres = static_cast<Index>(out.given.size());
    const auto scales = static_cast<Index>(effect_scales().size());
    out.posterior = Matrix::Zero(centres, scales);
    if (!pair.measured) {
      out.posterior.col(0).setOnes();  // nothing beyond what others explain
      return out;
    }
    const Matrix plain = pair.noise.array() + 1 / tables_.rows();
    out.posterior.row(0) = scale_log_likelihoods(pair.value, plain);
    for (Index c = 1; c < centres; ++c) {
      const VariableSet& given = out.given[static_cast<std::size_t>(c)];
      const CentreParts parts(tables_, effects_.mean, pair.x, pair.y, given, options_.ridge);
      Matrix variance = pair.noise + parts.sampling(tables_.rows());
      Index at = 0;
      for (auto z : given) {
        const Index size = tables_.variable(z).contrasts;
        variance += product(tables_.block(effects_.variance, pair.x, z),
                            parts.right.middleRows(at, size).cwiseAbs2()) +
                    product(parts.left.middleCols(at, size).cwiseAbs2(),
                            tables_.block(effects_.variance, z, pair.y));
        at += size;
      }
      out.posterior.row(c) = scale_log_likelihoods(pair.value - parts.centre, variance);
    }
    out.posterior = (out.posterior.array() - out.posterior.maxCoeff()).exp();
    return out;
  }

  // Before anything was measured: no effect beyond the centre is as likely as several scales, and
  // being explained by others as likely as not.
  static Weights starting_weights() {
    const auto scales = static_cast<Index>(effect_scales().size());
    Weights out{Vector::Constant(scales, 1.0), Vector::Constant(scales, 0.3),
                Vector::Constant(scales, 0.3)};
    double total = 0;
    for (Vector& weights : out) {
      weights[0] = 6;
      total += weights.sum();
    }
    for (Vector& weights : out)
      weights /= total;
    return out;
  }

  // Several centres of a kind share its weight.
  Matrix weighted(const PairMixture& mixture, const Weights& weights) const {
    std::array<double, kCentreKinds> count{};
    for (const VariableSet& given : mixture.given)
      ++count[given.size()];
    Matrix out = mixture.posterior;
    for (Index c = 0; c < out.rows(); ++c) {
      const std::size_t kind = mixture.kind(static_cast<std::size_t>(c));
      out.row(c).array() *= weights[kind].transpose().array() / count[kind];
    }
    return out / out.sum();
  }

  void estimate_weights() {
    const Weights first = starting_weights();
    Weights weights = first;
    for (int round = 0; round < options_.rounds; ++round) {
      Weights counts = first;
      double total = options_.pseudo_pairs;
      for (Vector& kind : counts)
        kind *= options_.pseudo_pairs;
      for (std::size_t k = 0; k < mixtures_.size(); ++k) {
        if (!tables_.pairs()[k].measured) continue;
        const Matrix posterior = weighted(mixtures_[k], weights);
        for (Index c = 0; c < posterior.rows(); ++c)
          counts[mixtures_[k].kind(static_cast<std::size_t>(c))] += posterior.row(c).transpose();
        total += 1;
      }
      for (std::size_t kind = 0; kind < kCentreKinds; ++kind)
        weights[kind] = counts[kind] / total;
    }
    for (PairMixture& mixture : mixtures_)
      mixture.posterior = weighted(mixture, weights);
  }

  const WhitenedPairs& tables_;
  const MarginalEffects& effects_;
  CentreOptions options_;
  std::vector<PairMixture> mixtures_;
};

}  // namespace privpc
