// Which unshielded triples x - z - y are colliders, by what the measurements say about them.
//
// Let S be the set that separated x and y, without z. If z is a collider (x -> z <- y), x and y
// are independent given S and dependent given S and z; otherwise it is the other way round. Both
// covariances are measured with known precision, so the two hypotheses are compared by their
// log likelihood ratio, half the difference of the two chi-square statistics. It does not matter
// whether a test "has power": where the noise hides the difference the ratio is near 0, and the
// triple counts little against others.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "privpc/graph/separation.hpp"
#include "privpc/search/noisy_skeleton.hpp"

namespace privpc {

// The log likelihood ratio that z is a collider between the two; nothing where it cannot be
// computed.
inline std::optional<double> collider_ratio(NoisySkeleton& search, const Separation& found,
                                            std::size_t z) {
  VariableSet without;
  for (auto v : found.given) {
    if (v != z) without.append(v);
  }
  const VariableSet with = without.with(z);
  if (!search.tests().possible(found.x, found.y, with)) return std::nullopt;
  const NodePair pair{found.x, found.y};
  return (search.test(pair, with).distance - search.test(pair, without).distance) / 2;
}

// The log likelihood ratio is the collider's support.
inline std::vector<Collider> collider_evidence(NoisySkeleton& search, const Skeleton& skeleton,
                                               double least = 0.5) {
  std::vector<Collider> colliders;
  for (const Separation& found : skeleton.separations) {
    std::vector<std::size_t> common;
    for (auto z : skeleton.neighbours[found.x]) {
      if (search.linked(z, found.y)) common.push_back(z);
    }
    for (std::size_t z : common) {
      double support;
      if (const std::optional<double> ratio = collider_ratio(search, found, z)) {
        support = *ratio;
      } else if (!found.given.contains(z) && search.is_measured(found.x, found.y)) {
        support = least + 1e-6;  // only the separating set speaks
      } else {
        continue;
      }
      if (!(support > least)) continue;
      colliders.push_back(
          {static_cast<int>(found.x), static_cast<int>(z), static_cast<int>(found.y), support});
    }
  }
  return colliders;
}

}  // namespace privpc
