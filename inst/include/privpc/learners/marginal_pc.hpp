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
#include "privpc/learners/select_pairs.hpp"
#include "privpc/learners/selecting_chooser.hpp"
#include "privpc/learners/staged_chooser.hpp"
#include "privpc/learners/table_learning.hpp"

namespace privpc {

struct MarginalSettings {
  Rho rho{0};                  // the whole budget
  double parameter_share = 0;  // of it, for the tables of the families
  Neighbours neighbours = Neighbours::replace_one;
  TableSearch search;
  bool selects = false;  // pairs before it measures them: decided by selects_pairs() and priced so
  StageSettings stages;  // for a search by tests,
  GuideSettings guide;   // and by score
  unsigned threads = 1;
};

// `schema`: the variables of the source, and what is public.
inline Measurements measure_all(TableSource& source, const Schema& schema, BatchChooser& chooser,
                                Ledger& ledger, RandomBits& bits, unsigned threads) {
  Measurements store(schema);
  while (true) {
    while (const std::optional<NextSelection> wish = chooser.next_selection(store))
      chooser.selected(select_as_wished(source, *wish, ledger, bits, threads));
    const std::optional<NextBatch> step = chooser.next(store);
    if (!step) return store;
    measure_batch(source, step->batch, step->rho, ledger, bits, step->target, store, threads);
  }
}

inline Measurements measure_all(TableSource& source, BatchChooser& chooser, Ledger& ledger,
                                RandomBits& bits, unsigned threads) {
  return measure_all(source, source.schema(), chooser, ledger, bits, threads);
}

// Of the budget, for the number of records where that is a secret: as exact as a pair in a batch of
// all pairs and singles that has half of the budget. An error of it moves the covariance of a pair
// by the product of the pair's means times as much; with_uncertain_records() allows for that.
// It depends on the levels alone.
inline double share_for_records(const Schema& schema) {
  return 0.5 / (1 + added_l2_of_all_pairs(schema, 1));
}

// What is left for tables once the records are counted.
inline Rho rho_for_tables(const MarginalSettings& settings, const Schema& schema) {
  if (settings.neighbours == Neighbours::replace_one) return settings.rho;
  const Rho for_records = settings.rho * share_for_records(schema);
  return Rho((settings.rho.value() - for_records.value()) * kRoomForRounding);
}

// `schema`, `knowledge` and `monitor` must outlive it. `effort`: of a search by score.
inline std::unique_ptr<BatchChooser> chooser_for(const MarginalSettings& settings,
                                                 const Schema& schema, const Knowledge& knowledge,
                                                 Monitor* monitor,
                                                 SearchEffort effort = SearchEffort::once) {
  const Rho rho = rho_for_tables(settings, schema) * (1 - settings.parameter_share);
  const Guide guide{schema, knowledge, settings.search, monitor, effort};
  if (settings.selects) {
    if (settings.search.kind != SearchKind::score ||
        settings.neighbours != Neighbours::replace_one) {
      throw std::invalid_argument("pairs are selected for a search by score, replace-one only");
    }
    return std::make_unique<SelectingChooser>(guide, rho);
  }
  if (settings.search.kind == SearchKind::score) {
    return std::make_unique<GuidedChooser>(guide, rho, settings.guide);
  }
  return std::make_unique<StagedChooser>(schema, knowledge, settings.search.rules, rho, monitor,
                                         settings.stages);
}

// Of the number of records, where `schema` has the noisy one; not less, whatever the accounting.
inline double relative_records_variance(const MarginalSettings& settings, const Schema& schema) {
  const Rho rho = settings.rho * share_for_records(schema);
  const double rows = static_cast<double>(schema.rows());
  return (1 / (2 * rho.value()) + kGaussianWidening) / (rows * rows);
}

// Shares are counts over a noisy number of records n (1 + e), so that the covariance P - m_x m_y'
// of two independent variables is off by e m_x m_y', in the same direction for all pairs: not
// little where some levels are rare and the means m are large. Tests know the variance of P, and
// take v_x |m_y|^2 + v_y |m_x|^2 for that of the means; with var(e)/2 |m|^2 more in each v this has
// var(e) |m_x|^2 |m_y|^2 more, which is what e adds (for more than two levels, at least that). It
// is added once, after the measuring: measuring again does not make e smaller.
inline Measurements with_uncertain_records(const Measurements& exact, double relative_variance) {
  Measurements out(exact.schema());
  for (auto [set, measured] : exact.entries()) {
    if (set.size() == 1) {
      double squares = 0;
      for (double mean : measured.values)
        squares += mean * mean;
      measured.variance += relative_variance / 2 * squares;
    }
    out.add(set, std::move(measured));
  }
  return out;
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
  const Rho rho = rho_for_tables(settings, schema);
  if (settings.neighbours == Neighbours::add_remove) {
    const Rho for_records = settings.rho * share_for_records(schema);
    schema = schema.for_added_and_removed(measure_records(source, for_records, ledger, bits));
  }
  const std::unique_ptr<BatchChooser> chooser = chooser_for(settings, schema, knowledge, monitor);
  Measurements tables = measure_all(source, schema, *chooser, ledger, bits, settings.threads);
  if (settings.neighbours == Neighbours::add_remove) {
    tables = with_uncertain_records(tables, relative_records_variance(settings, schema));
  }
  Fit fit = learn_from_tables(tables, settings.search, knowledge, monitor);
  fit.tables = std::move(tables);
  fit.families.emplace(schema);
  if (settings.parameter_share > 0) {
    measure_batch(source, family_batch(schema, directed_member(fit.graph)),
                  rho * settings.parameter_share * kRoomForRounding, ledger, bits, "families",
                  *fit.families);
  }
  fit.ledger = ledger.entries();
  fit.repeatable = bits.reproducible();
  return fit;
}

}  // namespace privpc
