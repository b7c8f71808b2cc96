// How marginal_pc() is replayed: the one place that says which chooser and which search that are.
#pragma once

#include <memory>

#include "privpc/graph/knowledge.hpp"
#include "privpc/learners/marginal_pc.hpp"
#include "privpc/learners/replay.hpp"

namespace privpc {

// Holds references to the schema and the knowledge. A monitor would be called from several threads:
// replay() tells how far it is.
inline ReplayPlan marginal_replay(const Schema& schema, const MarginalSettings& settings,
                                  const Knowledge& knowledge) {
  ReplayPlan plan;
  plan.chooser = [&schema, &knowledge, settings] {
    return chooser_for(settings, schema, knowledge, nullptr, SearchEffort::sketch);
  };
  plan.learn = [&knowledge, settings](const Measurements& tables) {
    return learn_from_tables(tables, settings.search, knowledge, nullptr, SearchEffort::quick);
  };
  return plan;
}

}  // namespace privpc
