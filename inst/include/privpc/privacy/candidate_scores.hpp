// Scores of candidates that come in groups (the separating sets of an edge), each moved by one
// record by at most 1; and, without looking at them in the open, the scores of two questions.
//
// HOW MANY groups are good, that is have a candidate with a score of at least 0? Let u_1 >= u_2 >=
// ... be the groups' best scores in decreasing order. The answer k is worth
//   -max(0, -u_k, u_{k+1}),   u_0 = +infinity, u_{G+1} = -infinity:
// 0 if exactly k are good, else minus how far scores would have to move for k to be right.
// WHICH is best? Every candidate is worth its own score.
//
// Both have sensitivity 1: if every score moves by at most 1, so does the largest of a group; the
// k-th largest of numbers that each move by at most 1 moves by at most 1; and so does the maximum
// of such numbers and of constants. (A count of good groups itself could move by all of them.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "privpc/base/sensitive.hpp"

namespace privpc {

class CandidateScores {
 public:
  // Groups may be filled by different threads.
  explicit CandidateScores(std::size_t groups) : groups_(groups) {}

  void add(std::size_t group, const Sensitive<double>& score) {
    if (score.sensitivity() > 1) throw std::invalid_argument("a score must have sensitivity 1");
    const MechanismKey key;
    groups_[group].push_back(score.open(key));
  }

  // All candidates of a group are out of the game.
  void remove(std::size_t group) { groups_[group].clear(); }

  struct Candidate {
    std::size_t group, index;
  };

  // The candidates in the order of which_is_best(): a public fact.
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> all;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (std::size_t i = 0; i < groups_[g].size(); ++i)
        all.push_back({g, i});
    }
    return all;
  }

  Sensitive<std::vector<double>> which_is_best() const {
    std::vector<double> scores;
    for (const auto& group : groups_)
      scores.insert(scores.end(), group.begin(), group.end());
    return {std::move(scores), 1.0};
  }

  // Of 0, 1, ..., all groups. `shift` is added to every score first.
  Sensitive<std::vector<double>> how_many(double shift) const {
    std::vector<double> best;
    for (const auto& group : groups_) {
      if (!group.empty()) best.push_back(*std::max_element(group.begin(), group.end()) + shift);
    }
    return {worth_of_counts(std::move(best)), 1.0};
  }

  // The worth of 0, 1, ..., all, from the groups' best scores: arithmetic only, no secret.
  static std::vector<double> worth_of_counts(std::vector<double> best) {
    std::sort(best.begin(), best.end(), std::greater<double>());
    std::vector<double> worth(best.size() + 1);
    for (std::size_t k = 0; k <= best.size(); ++k) {
      double distance = 0;
      if (k > 0) distance = std::max(distance, -best[k - 1]);
      if (k < best.size()) distance = std::max(distance, best[k]);
      worth[k] = -distance;
    }
    return worth;
  }

 private:
  std::vector<std::vector<double>> groups_;
};

}  // namespace privpc
