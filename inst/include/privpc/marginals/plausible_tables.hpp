// Tables that may be the true ones, given their noisy measurements.
//
// To take the noisy tables themselves for the truth would be wrong twice: they vary more than the
// true ones, and the noise breaks every conditional independence. So truths are drawn from a
// posterior in which a pair may be explained by others (pair_centres.hpp):
//  1. Pairs are visited in a random order, those that others explain well after those.
//  2. For each a centre and a scale are drawn, among the centres whose own pairs have been drawn,
//  and
//     the centre e is computed from these. A conditional independence thus holds in the drawn
//     tables, not in the noisy ones.
//  3. The pair itself, given its noisy value c with noise variance t: its variance around e is V,
//     so with s = V / (V + t) it is e + s (c - e) + sqrt(s t) times a standard normal number.
//
// WHOSE TABLES. There are two questions, and 1/n, the variance of sampling n people, enters them at
// different places:
//  - The records at hand (what would other noise have given?). Their table differs from that of the
//    population by sampling: V = 1/n + g/m, noise t.
//  - Another sample of people (what would other people and other noise have given?). First the
//    population: V = g/m, and what was measured of it has the variance t + 1/n. Then n new people
//    are drawn from it (new_sample.hpp). To draw people from a table of the records at hand instead
//    would count their sampling twice: an independent pair has the variance 1/n there already.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "privpc/base/simulation_draws.hpp"
#include "privpc/marginals/drawn_tables.hpp"
#include "privpc/marginals/effect_scales.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/new_sample.hpp"
#include "privpc/marginals/pair_centres.hpp"
#include "privpc/marginals/triple_effects.hpp"
#include "privpc/marginals/whitened_pairs.hpp"

namespace privpc {

enum class DrawnFrom { these_people, other_people };

class PlausibleTables {
 public:
  // Holds references into `store`.
  explicit PlausibleTables(const Measurements& store)
      : schema_(store.schema()),
        frame_(store),
        effects_(frame_),
        centres_(frame_, effects_),
        triples_(store, frame_, effects_.mean) {}
  PlausibleTables(const PlausibleTables&) = delete;
  PlausibleTables& operator=(const PlausibleTables&) = delete;

  // May be called from several threads. What is drawn refers to `random`, and draws from it.
  DrawnTables draw(DrawnFrom whom, SimulationDraws& random) const {
    Matrix all = draw_covariances(whom, random);
    if (whom == DrawnFrom::other_people) all = new_sample(frame_, all, random);
    DrawnTables out(schema_, frame_, all);
    const bool these = whom == DrawnFrom::these_people;
    // Larger tables are drawn when they are asked for, with the same generator.
    out.set_interactions(
        [this, these, &random](const VariableSet& set, std::vector<double> from_pairs) {
          return triples_.draw(set, std::move(from_pairs), these, random);
        });
    return out;
  }

  // C of all variables, as in WhitenedPairs: of these people, or of the population.
  Matrix draw_covariances(DrawnFrom whom, SimulationDraws& random) const {
    const Matrix strength = draw_strengths(whom, random);
    const auto strength_of = [&](std::size_t a, std::size_t b) {
      return strength(static_cast<Index>(a), static_cast<Index>(b));
    };
    std::vector<std::size_t> order(frame_.pairs().size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const WhitenedPair &one = frame_.pairs()[a], &other = frame_.pairs()[b];
      return strength_of(one.x, one.y) > strength_of(other.x, other.y);
    });
    Matrix all = Matrix::Identity(frame_.contrasts(), frame_.contrasts());
    for (std::size_t k : order) {
      const WhitenedPair& pair = frame_.pairs()[k];
      const PairMixture& mixture = centres_[k];
      const double own = strength_of(pair.x, pair.y);
      std::vector<bool> allowed(mixture.given.size(), true);
      for (std::size_t c = 0; c < allowed.size(); ++c) {
        for (auto z : mixture.given[c])
          allowed[c] = allowed[c] && strength_of(pair.x, z) > own && strength_of(pair.y, z) > own;
      }
      const auto [centre, scale] = draw_explanation(k, allowed, random);
      Matrix expected = Matrix::Zero(pair.value.rows(), pair.value.cols());
      Matrix sampling = Matrix::Constant(expected.rows(), expected.cols(), 1 / frame_.rows());
      if (centre > 0) {
        const CentreParts parts(frame_, all, pair.x, pair.y, mixture.given[centre],
                                centres_.options().ridge);
        expected = parts.centre;
        sampling = parts.sampling(frame_.rows());
      }
      const Matrix drawn =
          as_correlations(draw_pair(pair, expected, sampling, scale, whom, random));
      frame_.block(all, pair.x, pair.y) = drawn;
      frame_.block(all, pair.y, pair.x) = drawn.transpose();
    }
    return all;
  }

 private:
  // Of whitened contrasts no combinations can have a correlation above 1. A draw may; and what is
  // expected of later pairs, which divides by what two explaining variables leave of each other,
  // would grow from pair to pair without bounds.
  static Matrix as_correlations(Matrix drawn) {
    if (drawn.squaredNorm() <= 1) return drawn;
    const Vector squares = eigenvalues(cross_product(drawn, drawn));
    const double largest = squares[squares.size() - 1];
    if (largest > 1) drawn /= std::sqrt(largest);
    return drawn;
  }

  // One value for every contrast of a pair, around what is expected of it; `sampling` is the
  // variance of each that sampling gives.
  Matrix draw_pair(const WhitenedPair& pair, const Matrix& expected, const Matrix& sampling,
                   std::size_t scale, DrawnFrom whom, SimulationDraws& random) const {
    const bool these = whom == DrawnFrom::these_people;
    const double effect = effect_scales()[scale] / static_cast<double>(pair.value.size());
    Matrix out = expected;
    if (!these && effect == 0) return out;
    for (Index i = 0; i < out.size(); ++i) {
      const double e = expected.data()[i];
      const double spread = effect + (these ? sampling.data()[i] : 0);
      if (!pair.measured) {
        out.data()[i] = e + std::sqrt(spread) * random.normal();
        continue;
      }
      const double noise = pair.noise.data()[i] + (these ? 0 : sampling.data()[i]);
      const double keep = spread / (spread + noise);
      out.data()[i] =
          e + keep * (pair.value.data()[i] - e) + std::sqrt(keep * noise) * random.normal();
    }
    return out;
  }

  Matrix draw_strengths(DrawnFrom whom, SimulationDraws& random) const {
    const auto nodes = static_cast<Index>(frame_.size());
    Matrix out = Matrix::Zero(nodes, nodes);
    for (std::size_t k = 0; k < frame_.pairs().size(); ++k) {
      const WhitenedPair& pair = frame_.pairs()[k];
      const auto row = effects_.scale.row(static_cast<Index>(k));
      const std::size_t scale = random.index(
          [&](std::size_t g) { return row[static_cast<Index>(g)]; }, effect_scales().size(), 1);
      const Matrix nothing = Matrix::Zero(pair.value.rows(), pair.value.cols());
      const Matrix sampling =
          Matrix::Constant(pair.value.rows(), pair.value.cols(), 1 / frame_.rows());
      const auto x = static_cast<Index>(pair.x), y = static_cast<Index>(pair.y);
      out(x, y) = out(y, x) = draw_pair(pair, nothing, sampling, scale, whom, random).squaredNorm();
    }
    return out;
  }

  // A centre and a scale. Where no centre that is allowed has any weight, nothing explains the
  // pair, and its scale is what the pair says by itself.
  std::pair<std::size_t, std::size_t> draw_explanation(std::size_t k,
                                                       const std::vector<bool>& allowed,
                                                       SimulationDraws& random) const {
    const Matrix& posterior = centres_[k].posterior;
    const auto scales = static_cast<std::size_t>(posterior.cols());
    double total = 0;
    for (std::size_t c = 0; c < allowed.size(); ++c) {
      if (allowed[c]) total += posterior.row(static_cast<Index>(c)).sum();
    }
    if (!(total > 0)) {
      const auto row = effects_.scale.row(static_cast<Index>(k));
      return {0,
              random.index([&](std::size_t g) { return row[static_cast<Index>(g)]; }, scales, 1)};
    }
    const std::size_t drawn = random.index(
        [&](std::size_t i) {
          const std::size_t c = i / scales, g = i % scales;
          return allowed[c] ? posterior(static_cast<Index>(c), static_cast<Index>(g)) : 0.0;
        },
        allowed.size() * scales, total);
    return {drawn / scales, drawn % scales};
  }

  const Schema& schema_;
  WhitenedPairs frame_;
  MarginalEffects effects_;
  PairCentres centres_;
  TripleEffects triples_;
};

}  // namespace privpc
