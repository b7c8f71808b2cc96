// The smallest effect that marginal_pc() finds more often than not in a search by score, from
// public numbers alone, for advice before anything is spent.
//
// A pair of variables with the effect phi (the root of its squared correlation, summed over
// contrasts) is seen through sampling and noise as if there were m rows and no noise
// (score_plan.hpp): its test statistic is a chi-square with the non-centrality phi^2 m. To be an
// edge among pairs that are independent it has to
//   - look so dependent among all pairs that it is measured again: the rounds have room for 2.5
//     pairs per variable, and take none with a p-value above near_p_value;
//   - pass, with all that was measured, the false-discovery rule at its strictest: alpha over the
//     number of pairs.
// Whoever passes the one mostly passes the other, so the harder of the two counts. That pairs may
// be selected (selection_plan.hpp) is not taken into account.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "privpc/base/distributions.hpp"
#include "privpc/learners/guided_chooser.hpp"
#include "privpc/learners/score_plan.hpp"
#include "privpc/privacy/amounts.hpp"
#include "privpc/schema/schema.hpp"
#include "privpc/statistic/batch.hpp"

namespace privpc {

// The probability that a chi-square with this non-centrality is above `statistic`: a Poisson number
// of further pairs of degrees of freedom.
inline double noncentral_chi_square_upper(double statistic, double df, double noncentrality) {
  const double half = noncentrality / 2, x = statistic / 2;
  double upper = chi_square_upper(statistic, df);
  // What two degrees of freedom more add to the upper tail.
  double step = std::exp(df / 2 * std::log(x) - x - log_gamma(df / 2 + 1));
  double weight = std::exp(-half), sum = weight * upper, left = 1 - weight;
  for (double j = 1; left > 1e-12 && j < 1e5; ++j) {
    upper += step;
    step *= x / (df / 2 + j);
    weight *= half / j;
    sum += weight * upper;
    left -= weight;
  }
  return sum;
}

// The non-centrality at which a test at this level has this power.
inline double noncentrality_for(double level, double df, double power) {
  const double critical = chi_square_critical(level, df);
  double low = 0, high = 4;
  const auto enough = [&](double value) {
    return noncentral_chi_square_upper(critical, df, value) >= power;
  };
  while (!enough(high) && high < 1200)
    high *= 1.5;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

class VisibleEffects {
 public:
  static constexpr double kPower = 0.8;

  VisibleEffects(const Schema& schema, double alpha, const GuideSettings& guide = {})
      : schema_(schema) {
    const TypicalRound round = typical_round(schema);
    pairs_ = round.pairs;
    if (pairs_.empty()) return;
    const double first = schema.neighbours() == Neighbours::add_remove
                             ? added_l2_of_all_pairs(schema, guide.single_weight)
                             : worst_pattern_of_all_pairs(schema, guide.single_weight);
    // Where advice is needed, rows are few.
    const double share = guided_shares(0).all_pairs;
    first_noise_ = first / (2 * share);
    const double again = batch_noise(schema, round.batch, Rho(1 - share));
    noise_ = 1 / (1 / first_noise_ + 1 / again);
    const std::vector<std::size_t> varying = varying_variables(schema);
    const double p = static_cast<double>(varying.size());
    const double all = p * (p - 1) / 2;
    near_ = std::min(guide.questions.near_p_value, guide.questions.pairs_per_node * p / all);
    strictest_ = alpha / all;
    std::map<double, Needed> of_df;
    for (const VariableSet& pair : pairs_) {
      const double df = (schema.levels(pair[0]) - 1.0) * (schema.levels(pair[1]) - 1.0);
      if (of_df.count(df) == 0) of_df[df] = needed(df);
      needed_.push_back(of_df[df]);
    }
    std::vector<double> levels;
    for (std::size_t v : varying)
      levels.push_back(schema.levels(v));
    usual_levels_ = median_of(std::move(levels));
  }

  // Phi, of a pair like most; may be above 1, and is 0 where there is no pair.
  double least(double rows, Rho rho) const {
    if (pairs_.empty()) return 0;
    std::vector<double> least;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double cells =
          static_cast<double>(schema_.levels(pairs_[i][0])) * schema_.levels(pairs_[i][1]);
      least.push_back(least_of(needed_[i], cells, rows, rho));
    }
    return median_of(std::move(least));
  }

  // Phi, of a pair of a variable with so many levels and one that has as many as most.
  double least_with(double levels, double rows, Rho rho) const {
    if (pairs_.empty()) return 0;
    const double df = (levels - 1) * (usual_levels_ - 1);
    return least_of(needed(df), levels * usual_levels_, rows, rho);
  }

  // With which number of rows, or which rho, an effect of this size is visible. Infinite if with
  // none: without noise, sampling may still hide it.
  double rows_for(double effect, Rho rho) const {
    return smallest(1, 1e15, [&](double rows) { return least(rows, rho) <= effect; });
  }
  double rho_for(double effect, double rows) const {
    return smallest(1e-12, 1e9, [&](double rho) { return least(rows, Rho(rho)) <= effect; });
  }

 private:
  struct Needed {  // non-centralities
    double to_be_near, to_pass;
  };

  Needed needed(double df) const {
    return {noncentrality_for(near_, df, kPower), noncentrality_for(strictest_, df, kPower)};
  }

  double least_of(const Needed& needed, double cells, double rows, Rho rho) const {
    const auto with_noise = [&](double noise) {
      return 1 / (1 / rows + noise / rho.value() * cells / (rows * rows));
    };
    return std::sqrt(std::max(needed.to_be_near / with_noise(first_noise_),
                              needed.to_pass / with_noise(noise_)));
  }

  template <class Enough>
  static double smallest(double low, double high, const Enough& enough) {
    if (!enough(high)) return HUGE_VAL;
    for (int i = 0; i < 60; ++i) {
      const double middle = std::sqrt(low * high);
      (enough(middle) ? high : low) = middle;
    }
    return high;
  }

  Schema schema_;
  std::vector<VariableSet> pairs_;
  std::vector<Needed> needed_;
  // Variances in counts, for a rho of 1: of all pairs, and of all that is measured of a pair.
  double first_noise_ = 0, noise_ = 0;
  double near_ = 1, strictest_ = 1;  // p-values
  double usual_levels_ = 0;
};

}  // namespace privpc
