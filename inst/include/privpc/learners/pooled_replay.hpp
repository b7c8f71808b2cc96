// A pooled fit replayed: every site measures the drawn tables again, with its own rows, budget and
// plan; what they have measured is pooled as it was in the fit (marginals/pooled_tables.hpp). The
// sites are taken as alike: all of them measure the same drawn tables.
#pragma once

#include <utility>
#include <vector>

#include "privpc/learners/replay.hpp"
#include "privpc/marginals/pooled_tables.hpp"

namespace privpc {

struct ReplaySite {
  Schema schema;
  ReplayPlan plan;  // its `learn` is not used
};

// `sites` must live as long as the result.
inline MeasureDrawn measure_at_sites(const std::vector<ReplaySite>& sites,
                                     SiteWeighting weighting) {
  return [&sites, weighting](DrawnTables& truth, SimulationDraws& random) {
    std::vector<Measurements> stores;
    for (const ReplaySite& site : sites)
      stores.push_back(measure_drawn(site.schema, truth, site.plan, random));
    SiteTables tables;
    for (const Measurements& store : stores)
      tables.push_back(&store);
    return TablePooling(std::move(tables), weighting).tables();
  };
}

}  // namespace privpc
