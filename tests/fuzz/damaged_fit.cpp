// Everything that is computed again from what a fit says that it has measured. The core takes no
// more than it can compute with, and then says only what makes sense: shares that add up to one,
// p-values, graphs of a class of DAGs.
#include <cmath>
#include <utility>
#include <vector>

#include "fit_samples.h"
#include "fuzz_target.h"
#include "privpc/graph/cpdag.hpp"
#include "privpc/graph/directed_paths.hpp"
#include "privpc/learners/marginal_replay.hpp"
#include "privpc/learners/table_learning.hpp"
#include "privpc/marginals/noisy_test.hpp"
#include "privpc/marginals/reconstruct.hpp"
#include "privpc/search/noisy_fci.hpp"

using namespace privpc;
using privpc_fuzz::Input;

namespace {

VariableSet any_set(Input& input, const Schema& schema) {
  VariableSet out;
  const std::size_t bits = input.byte();
  for (std::size_t v = 0; v < schema.size(); ++v) {
    if ((bits >> v & 1U) != 0 && schema.levels(v) > 0) out.insert(v);
  }
  return out;
}

void check_table(const Measurements& store, const VariableSet& set) {
  const NoisyTable table = reconstruct(store, set);
  double sum = 0, size = 1;
  for (double share : table.shares) {
    FUZZ_CHECK(std::isfinite(share));
    sum += share;
    size += std::fabs(share);
  }
  FUZZ_CHECK(static_cast<double>(table.shares.size()) == cell_count(store.schema(), set));
  FUZZ_CHECK(std::fabs(sum - 1) <= 1e-9 * size);
  FUZZ_CHECK(table.standard_error >= 0 && std::isfinite(table.standard_error));
  for (const VariableSet& part : table.unmeasured)
    FUZZ_CHECK(store.find(part) == nullptr);
}

void check_test(Input& input, const Measurements& store) {
  const std::size_t x = input.below(store.schema().size()), y = input.below(store.schema().size());
  VariableSet given;
  for (auto v : any_set(input, store.schema())) {
    if (v != x && v != y) given.insert(v);
  }
  NoisyTests tests(store);
  if (x == y || !tests.possible(x, y, given)) return;
  if (contrast_count(levels_of(store.schema(), VariableSet{x, y})) == 0) return;
  const NoisyReading reading = tests.conditional(x, y, given, 0.1);
  FUZZ_CHECK(reading.p_value >= 0 && reading.p_value <= 1);
  FUZZ_CHECK(reading.statistic >= 0 && std::isfinite(reading.statistic));
  FUZZ_CHECK(std::isfinite(reading.evidence) && std::isfinite(reading.effect));
}

void check_graph(const Pdag& graph, const Schema& schema) {
  FUZZ_CHECK(graph.size() == static_cast<int>(schema.size()) && is_acyclic(graph));
  const auto again = pdag_to_cpdag(graph);
  FUZZ_CHECK(again.has_value() && *again == graph);
}

void check_replay(Input& input, const Measurements& store, const Knowledge& knowledge,
                  const TableSearch& search) {
  MarginalSettings fit;
  fit.rho = Rho(input.usual());
  fit.search = search;
  ReplaySettings settings;
  settings.draws = 1;
  settings.seed = input.byte();
  settings.whom = input.coin() ? DrawnFrom::other_people : DrawnFrom::these_people;
  const PlausibleTables truths(store);
  const ReplayPlan plan = marginal_replay(store.schema(), fit, knowledge);
  std::vector<Pdag> graphs;
  const bool refused =
      privpc_fuzz::refused([&] { graphs = replay(store.schema(), truths, plan, settings); });
  if (refused) return;  // a budget for which no noise can be drawn
  for (const Pdag& graph : graphs)
    check_graph(graph, store.schema());
}

}  // namespace

FUZZ_TARGET(damaged_fit) {
  const Schema schema = privpc_fuzz::any_schema(input, 5);
  const std::size_t todo = input.byte();
  const Measurements store =
      privpc_fuzz::any_measurements(input, schema, privpc_fuzz::any_damage(input));
  const Knowledge knowledge(static_cast<int>(schema.size()));
  TableSearch search;
  search.kind = (todo & 1U) != 0 ? SearchKind::score : SearchKind::tests;
  check_table(store, any_set(input, schema));
  check_test(input, store);
  if ((todo & 6U) == 2) check_graph(learn_from_tables(store, search, knowledge).graph, schema);
  if ((todo & 6U) == 4) {
    const Pag pag = NoisyFci(store, knowledge, NoisyRules{}).learn().graph;
    FUZZ_CHECK(pag.size() == static_cast<int>(schema.size()));
  }
  if ((todo & 30U) == 6) check_replay(input, store, knowledge, search);
}
