// Would a strong dependence, a correlation of one half between two evenly split variables, be seen
// more often than not? From public facts alone, for a warning before anything is spent; and for the
// choice of the accounting with less noise.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

#include "privpc/base/distributions.hpp"
#include "privpc/learners/score_plan.hpp"
#include "privpc/learners/staged_chooser.hpp"
#include "privpc/privacy/amounts.hpp"
#include "privpc/privacy/gaussian_dp.hpp"
#include "privpc/schema/schema.hpp"
#include "privpc/statistic/batch.hpp"
#include "privpc/statistic/vote_margins.hpp"

namespace privpc {

// The variance of the noise on a pair in the first stage of marginal_pc.
inline double first_stage_noise(const Schema& schema, Rho rho, const StageSettings& stages) {
  const double squared = schema.neighbours() == Neighbours::add_remove
                             ? added_l2_of_all_pairs(schema, stages.single_weight)
                             : worst_pattern_of_all_pairs(schema, stages.single_weight);
  return squared / (2 * stages.pairs_share * rho.value());
}

// For marginal_pc, whose first stage decides what is looked at further. Through sampling and the
// noise of the first stage on all pairs and single variables a pair is seen as if there were m rows
// and no noise (score_plan.hpp); the statistic of such a dependence, phi = 1/2, is about m/4 more
// than its degrees of freedom. It has to pass the false-discovery rule at its strictest, in half of
// all pairs: the smallest tables alone say nothing about the others, where levels are many. `rho`
// is what is spent on the graph.
inline bool enough_to_measure(const Schema& schema, Rho rho, double alpha,
                              const StageSettings& stages = {}) {
  std::map<std::uint32_t, double> variables;  // by their levels
  for (std::size_t v : varying_variables(schema))
    variables[schema.levels(v)] += 1;
  const double p = static_cast<double>(varying_variables(schema).size()), pairs = p * (p - 1) / 2;
  if (p < 2) return true;
  const double rows = static_cast<double>(schema.rows());
  const double noise = first_stage_noise(schema, rho, stages);
  double seen = 0;
  for (const auto& [k, of_k] : variables) {
    for (const auto& [l, of_l] : variables) {
      if (l < k) continue;
      const double df = (k - 1.0) * (l - 1.0);
      const double m = 1 / (1 / rows + noise * k * l / (rows * rows));
      if (chi_square_upper(df + m / 4, df) > alpha / pairs) continue;
      seen += k == l ? of_k * (of_k - 1) / 2 : of_k * of_l;
    }
  }
  return seen >= pairs / 2;
}

// Whether Gaussian accounting leaves marginal_pc less noise than zCDP does: it allows more rho but
// asks for wider noise, by 4 over the square of the smallest unit (scaled_gaussian.hpp), that of
// the first contrast of a single variable. It does unless there is hardly any noise. In the first
// stage, which stands for all; either way is as private as the other.
inline bool gaussian_noise_is_less(const Schema& schema, Rho gaussian, Rho zcdp,
                                   const StageSettings& stages = {}) {
  const double unit = 2 / stages.single_weight;
  return first_stage_noise(schema, gaussian, stages) + kGaussianWidening / unit <
         first_stage_noise(schema, zcdp, stages);
}

// For the learners that decide by a margin: what is left of it must exceed the noise of a round,
// because a pair is taken for independent as soon as its noisy margin is above minus one noise
// scale. At a correlation of one half Kendall's and Spearman's statistics, divided by their
// sensitivity, are n/8 from 0 (two levels) or n/12 (more); what chance explains, `critical`
// standard deviations, is taken off.
inline bool enough_for_order_margins(const Schema& schema, double critical, double noise) {
  bool two = true;
  for (std::size_t v = 0; v < schema.size(); ++v)
    two = two && schema.levels(v) == 2;
  const double rows = static_cast<double>(schema.rows());
  const double distance = rows / (two ? 8 : 12);
  const double chance = critical * std::sqrt(rows) / (two ? 4 : 6);
  return distance - chance > noise;
}

// For tests by votes the best there can be is that every block votes against independence.
inline bool enough_for_votes(double blocks, double critical, double noise) {
  return VoteMargins::least_votes(blocks, critical) > noise;
}

}  // namespace privpc
