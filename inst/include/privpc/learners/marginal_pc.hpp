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
  Neighbours neighbours = Neighbours::replace_one;
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

// `schema`: the variables of the source, and what is public.
inline Measurements measure_all(TableSource& source, const Schema& schema, BatchChooser& chooser,
                                Ledger& ledger, RandomBits& bits, unsigned threads) {
  Measurements store(schema);
  while (const std::optional<NextBatch> step = chooser.next(store))
    measure_batch(source, step->batch, step->rho, ledger, bits, step->target, store, threads);
  return store;
}

inline Measurements measure_all(TableSource& source, BatchChooser& chooser, Ledger& ledger,
                                RandomBits& bits, unsigned threads) {
  return measure_all(source, source.schema(), chooser, ledger, bits, threads);
}

// Of the budget, for the number of records where that is a secret: as exact as a pair in a batch of
// all pairs and singles that has half of the budget. An error of it moves the covariance of a pair
// by the product of the pair's means times as much, which is far less than the noise of the pair.
inline double share_for_records(const Schema& schema) {
  return 0.5 / (1 + added_l2_of_all_pairs(schema, 1));
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
  // What follows looks at `schema` only: where the number of records is a secret, that of the
  // source must not show in what is measured, and how.
  Schema schema = source.schema();
  Rho rho = settings.rho;
  if (settings.neighbours == Neighbours::add_remove) {
    const Rho for_records = rho * share_for_records(schema);
    schema = schema.for_added_and_removed(measure_records(source, for_records, ledger, bits));
    rho = Rho((rho.value() - for_records.value()) * (1 - 1e-9));
  }
  StagedChooser chooser(schema, knowledge, settings.rules, rho * (1 - settings.parameter_share),
                        monitor, settings.stages);
  Measurements tables = measure_all(source, schema, chooser, ledger, bits, settings.threads);
  Fit fit = learn_from_tables(tables, settings.rules, knowledge, monitor);
  fit.tables = std::move(tables);
  fit.families.emplace(schema);
  if (settings.parameter_share > 0) {
    measure_batch(source, family_batch(schema, directed_member(fit.graph)),
                  rho * settings.parameter_share * (1 - 1e-9), ledger, bits, "families",
                  *fit.families);
  }
  fit.ledger = ledger.entries();
  fit.repeatable = bits.reproducible();
  return fit;
}

}  // namespace privpc
