// What tables of three variables tell beyond their pairs. Where a triple was measured, the drawn
// one deviates from what its pairs give (fitted_tables.hpp) by an interaction of some scale
// (effect_scales.hpp) and by sampling; where it was not, by sampling alone.
//
// The contrasts of a triple are compared in units of the product of the mean spread of its
// variables, in which sampling has the variance 1/n if the three are independent.
#pragma once

#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "privpc/base/simulation_draws.hpp"
#include "privpc/marginals/drawn_tables.hpp"
#include "privpc/marginals/effect_scales.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/whitened_pairs.hpp"

namespace privpc {

class TripleEffects {
 public:
  // `centre`: the pairs as they are expected to be.
  TripleEffects(const Measurements& store, const WhitenedPairs& frame, const Matrix& centre)
      : frame_(frame), weights_(Vector::Zero(static_cast<Index>(effect_scales().size()))) {
    weights_[0] = 1;
    DrawnTables expected(store.schema(), frame, centre);
    std::vector<Vector> likelihoods;
    for (const auto& [set, measured] : store.entries()) {
      if (set.size() < 3) continue;
      measured_.emplace(set, &measured);
      likelihoods.push_back(likelihood(set, measured, expected.contrasts(set)));
    }
    if (likelihoods.empty()) return;
    Matrix all(static_cast<Index>(likelihoods.size()), weights_.size());
    for (std::size_t i = 0; i < likelihoods.size(); ++i)
      all.row(static_cast<Index>(i)) = likelihoods[i];
    weights_ = mixture_weights(relative_likelihoods(all), 5, 200);
  }

  // The contrasts of a larger set, around what its pairs give.
  std::vector<double> draw(const VariableSet& set, std::vector<double> from_pairs,
                           bool these_people, SimulationDraws& random) const {
    const double unit = spread(set), sampling = unit / frame_.rows();
    const auto found = measured_.find(set);
    if (found == measured_.end()) {
      for (double& value : from_pairs)
        value += std::sqrt(sampling) * random.normal();
      return from_pairs;
    }
    const Measured& measured = *found->second;
    Vector posterior = likelihood(set, measured, from_pairs);
    posterior = (posterior.array() - posterior.maxCoeff()).exp() * weights_.array();
    const std::size_t scale =
        random.index([&](std::size_t g) { return posterior[static_cast<Index>(g)]; },
                     effect_scales().size(), posterior.sum());
    const double effect = unit * effect_scales()[scale] / static_cast<double>(from_pairs.size());
    // Of other people: first the population, then their sample.
    const double varies = effect + (these_people ? sampling : 0);
    const double noise = measured.variance + (these_people ? 0 : sampling);
    const double keep = varies / (varies + noise);
    const double again = these_people ? 0 : sampling;
    for (std::size_t i = 0; i < from_pairs.size(); ++i) {
      from_pairs[i] += keep * (measured.values[i] - from_pairs[i]) +
                       std::sqrt(keep * noise + again) * random.normal();
    }
    return from_pairs;
  }

 private:
  double spread(const VariableSet& set) const {
    double out = 1;
    for (auto v : set)
      out *= frame_.variable(v).spread.mean();
    return out;
  }

  Vector likelihood(const VariableSet& set, const Measured& measured,
                    const std::vector<double>& expected) const {
    const double unit = spread(set);
    const auto size = static_cast<Index>(expected.size());
    const Matrix deviation = (Eigen::Map<const Vector>(measured.values.data(), size) -
                              Eigen::Map<const Vector>(expected.data(), size)) /
                             std::sqrt(unit);
    const Matrix variance = Matrix::Constant(size, 1, measured.variance / unit + 1 / frame_.rows());
    return scale_log_likelihoods(deviation, variance);
  }

  const WhitenedPairs& frame_;
  Vector weights_;
  std::unordered_map<VariableSet, const Measured*, VariableSet::Hash> measured_;
};

}  // namespace privpc
