// The learner of noisy marginals: measures batches of tables until its chooser has enough, and does
// everything else with these alone.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "privpc/graph/extension.hpp"
#include "privpc/learners/family_tables.hpp"
#include "privpc/learners/fit.hpp"
#include "privpc/learners/measure_batch.hpp"
#include "privpc/learners/staged_chooser.hpp"
#include "privpc/search/noisy_colliders.hpp"
#include "privpc/search/noisy_skeleton.hpp"

namespace privpc {

struct MarginalSettings {
  Rho rho{0};                  // the whole budget
  double parameter_share = 0;  // of it, for the tables of the families
  NoisyRules rules;
  StageSettings stages;
  unsigned threads = 1;
};

// The graph is a function of the measurements, the rules and the knowledge alone.
inline Fit learn_from_tables(const Measurements& tables, const NoisyRules& rules,
                             const Knowledge& knowledge, Monitor* monitor = nullptr) {
  NoisySkeleton search(tables, knowledge, rules, monitor);
  search.examine_all_orders();
  Skeleton skeleton = search.result();
  std::vector<Collider> colliders = collider_evidence(search, skeleton);
  return directed_fit(std::move(skeleton), std::move(colliders), knowledge);
}

inline Measurements measure_all(TableSource& source, BatchChooser& chooser, Ledger& ledger,
                                RandomBits& bits, unsigned threads) {
  Measurements store(source.schema());
  while (const std::optional<NextBatch> step = chooser.next(store))
    measure_batch(source, step->batch, step->rho, ledger, bits, step->target, store, threads);
  return store;
}

// A directed graph of the class that a CPDAG stands for; ties go by number, that is by name.
inline Pdag directed_member(const Pdag& graph) {
  std::vector<int> rank(static_cast<std::size_t>(graph.size()));
  std::iota(rank.begin(), rank.end(), 0);
  return extend_to_dag(graph, rank).dag;
}

inline Fit marginal_pc(TableSource& source, const MarginalSettings& settings,
                       const Knowledge& knowledge, Ledger& ledger, RandomBits& bits,
                       Monitor* monitor = nullptr) {
  StagedChooser chooser(source.schema(), knowledge, settings.rules,
                        settings.rho * (1 - settings.parameter_share), monitor, settings.stages);
  Measurements tables = measure_all(source, chooser, ledger, bits, settings.threads);
  Fit fit = learn_from_tables(tables, settings.rules, knowledge, monitor);
  fit.tables = std::move(tables);
  fit.families.emplace(source.schema());
  if (settings.parameter_share > 0) {
    measure_batch(source, family_batch(source.schema(), directed_member(fit.graph)),
                  settings.rho * settings.parameter_share * (1 - 1e-9), ledger, bits, "families",
                  *fit.families);
  }
  fit.ledger = ledger.entries();
  fit.repeatable = bits.reproducible();
  return fit;
}

}  // namespace privpc
