// The learner of noisy marginals: measures batches of tables until its chooser has enough, and does
// everything else with these alone.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/graph/extension.hpp"
#include "privpc/learners/family_tables.hpp"
#include "privpc/learners/fit.hpp"
#include "privpc/learners/guided_chooser.hpp"
#include "privpc/learners/measure_batch.hpp"
#include "privpc/learners/staged_chooser.hpp"
#include "privpc/learners/table_learning.hpp"

namespace privpc {

struct MarginalSettings {
  Rho rho{0};                  // the whole budget
  double parameter_share = 0;  // of it, for the tables of the families
  TableSearch search;
  StageSettings stages;  // for a search by tests,
  GuideSettings guide;   // and by score
  unsigned threads = 1;
};

inline Measurements measure_all(TableSource& source, BatchChooser& chooser, Ledger& ledger,
                                RandomBits& bits, unsigned threads) {
  Measurements store(source.schema());
  while (const std::optional<NextBatch> step = chooser.next(store))
    measure_batch(source, step->batch, step->rho, ledger, bits, step->target, store, threads);
  return store;
}

// `schema`, `knowledge` and `monitor` must outlive it.
inline std::unique_ptr<BatchChooser> chooser_for(const MarginalSettings& settings,
                                                 const Schema& schema, const Knowledge& knowledge,
                                                 Monitor* monitor) {
  const Rho rho = settings.rho * (1 - settings.parameter_share);
  if (settings.search.kind == SearchKind::score) {
    return std::make_unique<GuidedChooser>(schema, knowledge, settings.search, rho, monitor,
                                           settings.guide);
  }
  return std::make_unique<StagedChooser>(schema, knowledge, settings.search.rules, rho, monitor,
                                         settings.stages);
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
  const std::unique_ptr<BatchChooser> chooser =
      chooser_for(settings, source.schema(), knowledge, monitor);
  Measurements tables = measure_all(source, *chooser, ledger, bits, settings.threads);
  Fit fit = learn_from_tables(tables, settings.search, knowledge, monitor);
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
