// A whole fit again and again, on tables that may be the true ones: what to measure is chosen anew,
// noise of the size that the plan pays for is drawn, and the graph is learnt from the result. No
// records are touched and no budget is spent: the tables are drawn from measurements that are
// public already (marginals/plausible_tables.hpp).
//
// The noise here is plain Gaussian from the simulator's generator. It protects nobody, because
// there is nobody in it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/parallel.hpp"
#include "privpc/base/simulation_draws.hpp"
#include "privpc/graph/pdag.hpp"
#include "privpc/learners/batch_chooser.hpp"
#include "privpc/learners/fit.hpp"
#include "privpc/learners/measure_batch.hpp"
#include "privpc/learners/select_pairs.hpp"
#include "privpc/marginals/plausible_tables.hpp"

namespace privpc {

// How a fit was made, as far as a replay needs it. Both functions are called from several threads
// and must not keep anything between two calls.
struct ReplayPlan {
  std::function<std::unique_ptr<BatchChooser>()> chooser;
  std::function<Fit(const Measurements&)> learn;
  // The noise variance of weight 1, in counts, that a batch gets for its price.
  std::function<double(const Schema&, const Batch&, Rho)> noise = batch_noise;
};

struct ReplaySettings {
  std::size_t draws = 200;
  DrawnFrom whom = DrawnFrom::these_people;
  std::uint64_t seed = 0;
  unsigned threads = 1;
};

// The score of pair_scores.hpp, of a drawn table.
inline double drawn_pair_score(const Schema& schema, const DrawnTables& truth, const NodePair& pair,
                               const PairModel& model) {
  const std::size_t x = std::min(pair.x, pair.y), y = std::max(pair.x, pair.y);
  const Matrix& shares = truth.table(x, y);
  const double n = static_cast<double>(schema.rows());
  std::vector<Count> counts;
  for (Index i = 0; i < shares.rows(); ++i) {
    for (Index j = 0; j < shares.cols(); ++j)
      counts.push_back(static_cast<Count>(std::llround(n * shares(i, j))));
  }
  return ExpectedPair(model(x, y), schema.levels(x), schema.levels(y), n).score(counts);
}

// As select_tree() and select_top() would do it. To choose one after the other is to add Gumbel
// noise once and to go down from the largest sum (privacy/pair_selection.hpp): what is out by then,
// because it joins what is joined, is passed over.
inline std::vector<NodePair> select_drawn(const Schema& schema, DrawnTables& truth,
                                          const NextSelection& wish, SimulationDraws& random) {
  detail::Components groups(schema.size());
  for (const NodePair& pair : wish.joined)
    groups.join(pair);
  const bool tree = wish.most == 0;
  std::vector<NodePair> open;
  for (const NodePair& pair : wish.candidates) {
    if (!tree || groups.apart(pair)) open.push_back(pair);
  }
  const std::size_t choices = tree ? detail::joins(open, groups) : wish.most;
  if (choices >= open.size()) return open;
  const double spread = PairSelection(wish.rho, choices, kPairScoreByReplacing).spread();
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const double score = drawn_pair_score(schema, truth, open[i], wish.model);
    ranked.emplace_back(score - spread * std::log(-std::log(random.uniform())), i);
  }
  std::sort(ranked.rbegin(), ranked.rend());
  std::vector<NodePair> out;
  for (const auto& [noisy, i] : ranked) {
    if (out.size() == choices) break;
    if (tree && !groups.apart(open[i])) continue;
    groups.join(open[i]);
    out.push_back(open[i]);
  }
  return out;
}

// As measure_batch() would do it.
inline Measurements measure_drawn(const Schema& schema, DrawnTables& truth, const ReplayPlan& plan,
                                  SimulationDraws& random) {
  Measurements store(schema);
  const std::unique_ptr<BatchChooser> chooser = plan.chooser();
  while (true) {
    while (const std::optional<NextSelection> wish = chooser->next_selection(store))
      chooser->selected(select_drawn(schema, truth, *wish, random));
    const std::optional<NextBatch> step = chooser->next(store);
    if (!step) return store;
    if (step->batch.empty()) continue;
    const double in_counts = plan.noise(schema, step->batch, step->rho);
    for (const BatchItem& item : step->batch) {
      Measured measured;
      measured.variance = in_counts / item.weight / (store.rows() * store.rows());
      measured.values = truth.contrasts(item.set);
      for (double& value : measured.values)
        value += std::sqrt(measured.variance) * random.normal();
      store.add(item.set, std::move(measured));
    }
  }
}

// What is measured of drawn tables, with fresh noise.
using MeasureDrawn = std::function<Measurements(DrawnTables&, SimulationDraws&)>;

// One graph for each draw, the same for any number of threads: draw i has its own stream. `measure`
// and `learn` are called from several threads.
inline std::vector<Pdag> replay(const PlausibleTables& truths, const MeasureDrawn& measure,
                                const std::function<Fit(const Measurements&)>& learn,
                                const ReplaySettings& settings, Monitor* monitor = nullptr) {
  std::vector<Pdag> graphs(settings.draws);
  parallel_for(
      settings.draws, settings.threads,
      [&](std::size_t draw, const LoopState& state, bool) {
        if (!state.keep_going()) return;
        SimulationDraws random(simulation_stream(settings.seed, draw));
        DrawnTables truth = truths.draw(settings.whom, random);
        graphs[draw] = learn(measure(truth, random)).graph;
      },
      [&](std::size_t done) {
        if (monitor != nullptr) monitor->progress(0, done, settings.draws);
      },
      std::chrono::microseconds(2000));
  return graphs;
}

// Of a fit to the records of one place.
inline std::vector<Pdag> replay(const Schema& schema, const PlausibleTables& truths,
                                const ReplayPlan& plan, const ReplaySettings& settings,
                                Monitor* monitor = nullptr) {
  const auto measure = [&](DrawnTables& truth, SimulationDraws& random) {
    return measure_drawn(schema, truth, plan, random);
  };
  return replay(truths, measure, plan.learn, settings, monitor);
}

}  // namespace privpc
