// Where a graph and the noisy tables it was learnt from disagree.
//
// UNEXPLAINED PAIRS are clearly dependent (by the rule for edges of order 0, see
// noisy_skeleton.hpp), and the graph cannot carry it: no trail joins the two without a collider,
// that is they are d-separated by nothing; or all trails leave x, or all enter y, through edges
// that are together weaker than the pair is by itself. (What x tells about y by way of others, its
// neighbours tell: the sum of their effects is about the most that can pass.)
//
// NEAR-DETERMINED VARIABLES have hardly any spread left given one or two others. No test given
// those can see what such a variable does, so edges around it may be missing or be given to its
// relatives.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/graph/dsep.hpp"
#include "privpc/graph/extension.hpp"
#include "privpc/graph/knowledge.hpp"
#include "privpc/graph/pdag.hpp"
#include "privpc/marginals/kept_regressions.hpp"
#include "privpc/search/noisy_skeleton.hpp"

namespace privpc {

struct UnexplainedPair {
  std::size_t x, y;
  double effect;  // phi squared, less what noise gives
  double p_value;
  double carried;  // about the most that the graph can carry; 0 if it does not connect the two
};

inline std::vector<UnexplainedPair> unexplained_pairs(const Measurements& store,
                                                      const NoisyRules& rules,
                                                      const Knowledge& knowledge,
                                                      const Pdag& graph) {
  NoisySkeleton pairs(store, knowledge, rules);
  const Pdag dag = extend_to_dag(graph, natural_rank(graph.size())).dag;
  std::vector<double> around(pairs.size(), 0);
  for (std::size_t x = 0; x < pairs.size(); ++x) {
    for (int z : graph.neighbours(static_cast<int>(x))) {
      // An edge that was not measured may carry anything.
      const auto other = static_cast<std::size_t>(z);
      around[x] += pairs.is_measured(x, other) ? pairs.effect(x, other) : HUGE_VAL;
    }
  }
  std::vector<UnexplainedPair> out;
  for (std::size_t x = 0; x < pairs.size(); ++x) {
    for (std::size_t y = x + 1; y < pairs.size(); ++y) {
      const int a = static_cast<int>(x), b = static_cast<int>(y);
      if (!pairs.linked(x, y) || !pairs.is_open(x, y) || graph.is_adjacent(a, b)) continue;
      const double carried = is_d_separated(dag, a, b, {}) ? 0 : std::min(around[x], around[y]);
      const NoisyReading reading = pairs.tests().marginal(x, y, rules.prior);
      if (carried > 0 && reading.effect - reading.effect_noise <= carried) continue;
      out.push_back({x, y, reading.effect, reading.p_value, carried});
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const UnexplainedPair& a, const UnexplainedPair& b) {
    return a.effect > b.effect;
  });
  return out;
}

struct DeterminedVariable {
  std::size_t variable;
  VariableSet by;
  double share_left;  // of its spread
};

struct DeterminedOptions {
  double most_left = 0.05;
  double most_error = 0.05;    // standard error of what is left: beyond, noise may have made it so
  std::size_t candidates = 4;  // the strongest companions of a variable
};

// What is left is E[q q'] - 2 C B + B' M B: noise in C moves it by twice itself times the slopes.
inline double error_of_share_left(const NoisyRegression& r, double spread) {
  return 2 * std::sqrt(r.slopes.cwiseAbs2().colwise().sum().dot(r.variances.transpose())) / spread;
}

// Each variable once, with the smallest set that determines it; none that noise could have made to
// look so.
inline std::vector<DeterminedVariable> near_determined(const Measurements& store,
                                                       const DeterminedOptions& options = {}) {
  KeptRegressions regressions(store);
  const NoisyTests tests(store);
  std::vector<DeterminedVariable> out;
  for (std::size_t x = 0; x < store.schema().size(); ++x) {
    if (regressions.variable(x).contrasts == 0) continue;
    std::vector<std::pair<double, std::size_t>> near;
    for (std::size_t z = 0; z < store.schema().size(); ++z) {
      if (z == x || regressions.variable(z).contrasts == 0) continue;
      if (store.find(VariableSet{x, z}) == nullptr) continue;
      near.emplace_back(-tests.marginal(x, z, 1).effect, z);
    }
    std::sort(near.begin(), near.end());
    near.resize(std::min(near.size(), options.candidates));
    DeterminedVariable best{x, {}, options.most_left};
    const auto consider = [&](const VariableSet& given) {
      const bool known = given.size() < 2 || store.find(given) != nullptr;
      if (!known || cell_count(store.schema(), given) > kMaxConditioningCells) return;
      const std::uint32_t subsets = regressions.usable_subsets(x, x, given);
      const NoisyRegression& r =
          regressions.regression(x, given, subsets, regressions.conditions(given, subsets));
      const double error = error_of_share_left(r, regressions.variable(x).spread_in_all);
      if (error > options.most_error) return;
      if (r.share_left < best.share_left) best = {x, given, r.share_left};
    };
    for (const auto& one : near)
      consider(VariableSet{one.second});
    for (std::size_t i = 0; best.by.empty() && i < near.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        consider(VariableSet{near[i].second, near[j].second});
    }
    if (!best.by.empty()) out.push_back(best);
  }
  return out;
}

}  // namespace privpc
