// What is computed from the tables of a fit, honest or damaged: what the core takes gives graphs of
// classes of DAGs, p-values and truths that may have been, the same every time.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "fit_samples.h"
#include "fuzz_target.h"
#include "privpc/base/simulation_draws.hpp"
#include "privpc/base/simulation_rng.hpp"
#include "privpc/graph/cpdag.hpp"
#include "privpc/graph/extension.hpp"
#include "privpc/learners/table_learning.hpp"
#include "privpc/marginals/contrasts.hpp"
#include "privpc/marginals/plausible_tables.hpp"
#include "privpc/search/noisy_skeleton.hpp"

using namespace privpc;
using privpc_fuzz::Input;

namespace {

Knowledge any_knowledge(Input& input, int n) {
  Knowledge out(n);
  for (std::size_t i = input.below(4); i > 0; --i) {
    const int from = input.number_below(n), to = input.number_below(n);
    privpc_fuzz::refused([&] { out.forbid(from, to); });
  }
  return out;
}

void check_graph(const Fit& fit, const Measurements& tables, const Knowledge& knowledge) {
  const int n = fit.graph.size();
  FUZZ_CHECK(n == static_cast<int>(tables.schema().size()) && is_acyclic(fit.graph));
  std::vector<int> rank;
  for (int v = 0; v < n; ++v)
    rank.push_back(v);
  FUZZ_CHECK(dag_to_cpdag(extend_to_dag(fit.graph, rank).dag, knowledge) == fit.graph);
  for (const Arc& arc : fit.graph.skeleton().undirected_edges())
    FUZZ_CHECK(!knowledge.pair_is_forbidden(arc.from, arc.to));
  for (const Separation& found : fit.separations) {
    FUZZ_CHECK(found.x < found.y && found.y < tables.schema().size());
    FUZZ_CHECK(!fit.graph.is_adjacent(static_cast<int>(found.x), static_cast<int>(found.y)));
    FUZZ_CHECK(!found.given.contains(found.x) && !found.given.contains(found.y));
  }
}

void check_searches(Input& input, const Measurements& tables) {
  const Knowledge knowledge = any_knowledge(input, static_cast<int>(tables.schema().size()));
  TableSearch search;
  search.rules.max_order = input.below(kMaxNoisyOrder + 1);
  if (input.coin()) search.rules.alpha = 0.5;
  for (const SearchKind kind : {SearchKind::tests, SearchKind::score}) {
    search.kind = kind;
    const Fit fit = learn_from_tables(tables, search, knowledge, nullptr, SearchEffort::quick);
    check_graph(fit, tables, knowledge);
    const Fit again = learn_from_tables(tables, search, knowledge, nullptr, SearchEffort::quick);
    FUZZ_CHECK(again.graph == fit.graph);
  }
}

void check_truths(Input& input, const Measurements& tables) {
  const PlausibleTables truths(tables);
  const auto whom = input.coin() ? DrawnFrom::these_people : DrawnFrom::other_people;
  SimulationDraws random(simulation_stream(input.byte(), 0));
  DrawnTables truth = truths.draw(whom, random);
  for (const auto& [set, measured] : tables.entries()) {
    const std::vector<double> contrasts = truth.contrasts(set);
    FUZZ_CHECK(contrasts.size() == measured.values.size());
    for (double value : contrasts)
      FUZZ_CHECK(std::isfinite(value));
  }
}

}  // namespace

FUZZ_TARGET(damaged_fit) {
  const Schema schema = privpc_fuzz::any_schema(input, 5);
  const Measurements tables =
      privpc_fuzz::any_measurements(input, schema, privpc_fuzz::any_damage(input));
  // A fit without the margins of a variable is refused before anything is computed.
  for (std::size_t v = 0; v < schema.size(); ++v) {
    if (schema.levels(v) > 1 && tables.find(VariableSet{v}) == nullptr) return;
  }
  check_searches(input, tables);
  check_truths(input, tables);
}
