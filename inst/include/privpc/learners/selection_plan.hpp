// When marginal_pc() selects pairs privately before it measures them, from public numbers alone:
// rows, variables, levels, knowledge and budget. On random networks (bench/selection.R) selecting
// gains where there are many variables and the noise of all pairs matters; it loses where all pairs
// can be had cheaply, and where so little can be told that the selection itself is blind. With 25
// to 40 variables it finds hardly more, and of variables that depend strongly on each other, one
// after the other, it joins some that are only indirectly dependent: few pairs say otherwise.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/learners/batch_parts.hpp"
#include "privpc/learners/measure_batch.hpp"
#include "privpc/learners/score_plan.hpp"
#include "privpc/schema/table_shape.hpp"

namespace privpc {

// Of the budget, for each step of selecting_chooser.hpp; found by trial.
struct SelectionShares {
  double singles = 0.08;
  double tree = 0.12, measure_tree = 0.10;
  double others = 0.12, measure_others = 0.10;
  double first_round = 0.24;
  double others_per_node = 1;  // pairs that are selected beside the tree, per variable
  double ends_per_node = 6;    // most pairs of the last round, if ends of two-paths fill it
  double last_round() const {
    return 1 - singles - tree - measure_tree - others - measure_others - first_round;
  }
};

struct SelectionRule {
  std::size_t least_variables = 50;
  double least_noise = 0.005;    // standard deviation, as a share of the rows, of all pairs
  double most_blindness = 0.25;  // distance from independence that the tree cannot tell from none
};

inline std::vector<NodePair> selectable_pairs(const Schema& schema, const Knowledge& knowledge) {
  std::vector<NodePair> out;
  detail::for_each_varying_pair(schema, knowledge, [&](std::size_t x, std::size_t y, bool decided) {
    if (!decided && has_dense_table(schema, VariableSet{x, y})) out.push_back({x, y});
  });
  return out;
}

// `rho` is what the fit may spend where its steps are not all Gaussian.
inline bool selects_pairs(const Schema& schema, const Knowledge& knowledge, const NoisyRules& rules,
                          Rho rho, const SelectionRule& rule = {}) {
  const std::size_t varying = varying_variables(schema).size();
  if (varying < rule.least_variables) return false;
  const std::vector<NodePair> candidates = selectable_pairs(schema, knowledge);
  const SelectionShares shares;
  const double choices = static_cast<double>(varying) - 1;
  // Less than a few pairs for each choice, and there is nothing to choose.
  if (static_cast<double>(candidates.size()) < 4 * choices) return false;
  const double n = static_cast<double>(schema.rows());
  const Batch all = all_pairs(schema, knowledge, rules, 1);
  const Rho for_all = rho * guided_shares(effective_rows(schema, rho)).all_pairs;
  const double noise = std::sqrt(batch_noise(schema, all, for_all)) / n;
  // The tree's choices are exponential mechanisms of epsilon e (pair_selection.hpp) on distances
  // that a record moves by 2: a pair at a distance of log(candidates) 2 * 2 / e from independence
  // is chosen about as often as all that have none together.
  const double each = std::sqrt(8 * rho.value() * shares.tree / choices);
  const double blindness =
      std::log(static_cast<double>(candidates.size())) * 2 * kPairScoreByReplacing / each / n;
  return noise > rule.least_noise && blindness < rule.most_blindness;
}

}  // namespace privpc
