// What every learner returns: plain, public, and complete. src/ only turns it into R's objects.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/graph/knowledge.hpp"
#include "privpc/graph/orient.hpp"
#include "privpc/graph/pdag.hpp"
#include "privpc/graph/separation.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/privacy/ledger.hpp"
#include "privpc/search/skeleton.hpp"

namespace privpc {

struct Fit {
  Pdag graph;                            // a CPDAG; its edges without marks are the skeleton
  std::vector<Separation> separations;   // that tests found, by pair; none from other searches
  std::vector<std::uint64_t> tests;      // that were asked, per order
  bool cut_short = false;                // something was left out for the work it would take
  std::vector<Ledger::Entry> ledger;     // empty without privacy
  bool repeatable = false;               // the noise came from a seed: protects nobody
  std::optional<Measurements> tables;    // what was measured, if the learner measures
  std::optional<Measurements> families;  // and for parameters
};

namespace detail {

inline Pdag without_directions(const Neighbourhoods& neighbours) {
  Pdag graph(static_cast<int>(neighbours.size()));
  for (std::size_t x = 0; x < neighbours.size(); ++x) {
    for (auto y : neighbours[x]) {
      if (x < y) graph.add_undirected(static_cast<int>(x), static_cast<int>(y));
    }
  }
  return graph;
}

}  // namespace detail

// Directions, from colliders that the learner has its own evidence for.
inline Fit directed_fit(Skeleton skeleton, std::vector<Collider> colliders,
                        const Knowledge& knowledge) {
  Fit fit;
  // Nodes come sorted by name, so that their numbers are ranks that the order of columns leaves
  // alone.
  std::vector<int> rank(skeleton.neighbours.size());
  std::iota(rank.begin(), rank.end(), 0);
  fit.graph = orient(detail::without_directions(skeleton.neighbours), std::move(colliders),
                     knowledge, rank);
  // Told by pair, not in the order in which they were found.
  fit.separations = std::move(skeleton.separations);
  std::sort(fit.separations.begin(), fit.separations.end(),
            [](const Separation& a, const Separation& b) {
              return std::make_pair(a.x, a.y) < std::make_pair(b.x, b.y);
            });
  fit.tests = std::move(skeleton.tests);
  fit.cut_short = skeleton.cut_short;
  return fit;
}

// Directions, from what the separating sets leave out.
inline Fit directed_fit(Skeleton skeleton, const Knowledge& knowledge) {
  std::vector<Collider> colliders =
      colliders_of(detail::without_directions(skeleton.neighbours), skeleton.separations);
  return directed_fit(std::move(skeleton), std::move(colliders), knowledge);
}

}  // namespace privpc
