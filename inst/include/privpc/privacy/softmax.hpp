// Exact draws from a softmax: one of N candidates, i with probability proportional to
// exp(-gap_i/scale), gap_i how many steps it is behind the best. Integers and coins only.
//
// The plain way is a uniform candidate and a coin of exp(-gap_i/scale) until one is accepted
// (exponential.hpp). Where one candidate is far ahead that takes N rounds, and a selection that
// draws hundreds of times from thousands would notice.
//
// Theorem. Write gap_i/scale = w_i + r_i with w_i whole and 0 <= r_i < 1, let w be the least of the
// w_i, and d_i = min(w_i - w, f). Propose i with probability proportional to 2^-d_i, accept it
// with probability (2/e)^d_i exp(-(w_i - w - d_i)) exp(-r_i), and start again if it was refused.
// The accepted candidate has the distribution above.
// Proof. A round proposes and accepts i with probability
//   2^-d_i (2/e)^d_i exp(-(w_i - w - d_i)) exp(-r_i) / Z = exp(w) exp(-gap_i/scale) / Z,
// Z = sum of 2^-d_j, and rounds are independent. QED
// Proposing is drawing a uniform whole number below sum of 2^(f - d_j), f = 40; all coins are exact
// (samplers.hpp). A round accepts with probability sum exp(w - w_i - r_i) / sum 2^-d_i. Candidates
// that are far behind cost next to nothing; at the worst, where N of them share the distance d with
// N exp(-d) = 1, it takes about N^(1 - log 2) rounds: 11 for 3,000 candidates.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "privpc/privacy/samplers.hpp"

namespace privpc {

struct Fraction {
  std::uint64_t numerator, denominator;
};

// gap / (m 2^e) with gap <= 2^62. The grid makes the scale at least 2^16 steps; for e < 0 the gap
// is multiplied instead, as long as that fits.
inline Fraction gap_over_scale(std::uint64_t gap, const Dyadic& scale) {
  if (scale.exponent >= 0) return {gap, scale.mantissa << scale.exponent};
  const int shift = -scale.exponent;
  // Beyond 2^55 steps the chance is below exp(-2^31) and is taken as that of 2^55.
  constexpr std::uint64_t most = std::uint64_t{1} << 55;
  if (shift > 8) throw std::invalid_argument("the noise scale is too small");
  return {std::min(gap, most) << shift, scale.mantissa};
}

class ExactSoftmax {
 public:
  // Candidates 0, 1, ...; the more steps the better. The distribution is the same for every
  // `farthest` distance of proposals (f above).
  ExactSoftmax(const std::vector<std::int64_t>& steps, const Dyadic& scale,
               std::uint64_t farthest = kFarthest)
      : farthest_(farthest), denominator_(gap_over_scale(0, scale).denominator) {
    if (steps.size() > kMostCandidates || farthest > kFarthest) {
      throw std::invalid_argument("at most 8388608 candidates can be chosen from");
    }
    if (steps.empty()) return;
    const std::int64_t best = *std::max_element(steps.begin(), steps.end());
    candidates_.reserve(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      // Unsigned, for the distance may be anything up to 2^62.
      const auto gap = static_cast<std::uint64_t>(best) - static_cast<std::uint64_t>(steps[i]);
      const std::uint64_t numerator = gap_over_scale(gap, scale).numerator;
      candidates_.push_back({i, numerator / denominator_, numerator % denominator_});
    }
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.whole < b.whole; });
  }

  std::size_t size() const { return candidates_.size(); }

  // Takes the others out. Softmax of those that are left.
  template <class Stays>
  void keep_if(Stays&& stays) {
    candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(),
                                     [&](const Candidate& c) { return !stays(c.index); }),
                      candidates_.end());
  }

  std::size_t draw(RandomBits& bits) const {
    if (candidates_.empty()) throw std::invalid_argument("there is no candidate to choose from");
    const Groups groups = group();
    while (true) {
      const Proposal proposal = propose(groups, bits);
      const Candidate& candidate = candidates_[proposal.at];
      const std::uint64_t beyond = candidate.whole - candidates_[0].whole - proposal.distance;
      if (accepts(proposal.distance, beyond, candidate.part, bits)) return candidate.index;
    }
  }

 private:
  // Weights of 2^23 candidates at distance 0 add up to 2^63.
  static constexpr std::size_t kMostCandidates = std::size_t{1} << 23;
  static constexpr std::uint64_t kFarthest = 40;

  struct Candidate {
    std::size_t index;
    std::uint64_t whole, part;  // (gap - part/denominator_)/scale, and the rest
  };

  // How many candidates are at each distance, which follow each other: they are sorted.
  struct Groups {
    std::array<std::uint64_t, kFarthest + 1> sizes{};
    std::uint64_t weight = 0;
  };

  struct Proposal {
    std::size_t at;
    std::uint64_t distance;
  };

  Groups group() const {
    Groups groups;
    for (const Candidate& candidate : candidates_)
      ++groups.sizes[std::min(candidate.whole - candidates_[0].whole, farthest_)];
    for (std::uint64_t d = 0; d <= farthest_; ++d)
      groups.weight += groups.sizes[d] << (farthest_ - d);
    return groups;
  }

  Proposal propose(const Groups& groups, RandomBits& bits) const {
    std::uint64_t draw = bits.below(groups.weight);
    std::size_t before = 0;
    for (std::uint64_t d = 0; d < farthest_; ++d) {
      const std::uint64_t weight = groups.sizes[d] << (farthest_ - d);
      if (draw < weight) return {before + static_cast<std::size_t>(draw >> (farthest_ - d)), d};
      draw -= weight;
      before += static_cast<std::size_t>(groups.sizes[d]);
    }
    return {before + static_cast<std::size_t>(draw), farthest_};
  }

  bool accepts(std::uint64_t distance, std::uint64_t beyond, std::uint64_t part,
               RandomBits& bits) const {
    for (std::uint64_t i = 0; i < distance; ++i) {
      if (!bernoulli_two_over_e(bits)) return false;
    }
    for (std::uint64_t i = 0; i < beyond; ++i) {
      if (!bernoulli_exp_minus_one(bits)) return false;
    }
    return part == 0 || bernoulli_exp_minus_fraction(part, denominator_, bits);
  }

  std::uint64_t farthest_, denominator_;
  std::vector<Candidate> candidates_;
};

}  // namespace privpc
