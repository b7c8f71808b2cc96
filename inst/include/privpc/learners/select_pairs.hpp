// Which pairs are worth measuring, found privately and before they are measured. The noise of all
// pairs grows like the number of variables, that of a selection like its root.
//
// Pairs that are not candidates (knowledge decided them, they were measured already) are never
// looked at. All of this is public: candidates, model, price, and what comes back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "privpc/counts/table.hpp"
#include "privpc/graph/neighbourhoods.hpp"
#include "privpc/learners/batch_chooser.hpp"
#include "privpc/learners/measure_batch.hpp"
#include "privpc/marginals/noisy_variable.hpp"
#include "privpc/marginals/reconstruct.hpp"
#include "privpc/privacy/pair_selection.hpp"
#include "privpc/statistic/pair_scores.hpp"

namespace privpc {

// No pair is dependent: the products of the noisy distributions of the variables.
inline PairModel independence_model(const Measurements& store) {
  std::vector<std::vector<double>> shares(store.schema().size());
  for (std::size_t v = 0; v < shares.size(); ++v) {
    if (store.schema().levels(v) == 0) continue;  // a number without bins has no table
    const std::vector<double> raw = reconstruct(store, VariableSet{v}).shares;
    const Vector moved =
        nearest_in_simplex(Eigen::Map<const Vector>(raw.data(), static_cast<Index>(raw.size())));
    shares[v].assign(moved.data(), moved.data() + moved.size());
  }
  return [shares = std::move(shares)](std::size_t x, std::size_t y) {
    std::vector<double> table;
    for (double p : shares[x]) {
      for (double q : shares[y])
        table.push_back(p * q);
    }
    return table;
  };
}

namespace detail {

// Groups of variables that chosen pairs have joined.
class Components {
 public:
  explicit Components(std::size_t nodes) : parent_(nodes) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  bool apart(const NodePair& pair) { return root(pair.x) != root(pair.y); }
  void join(const NodePair& pair) { parent_[root(pair.x)] = root(pair.y); }

 private:
  std::size_t root(std::size_t v) {
    while (parent_[v] != v)
      v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  std::vector<std::size_t> parent_;
};

// How many choices among these pairs join groups until none is left that does.
inline std::size_t joins(const std::vector<NodePair>& pairs, Components groups) {
  std::size_t choices = 0;
  for (const NodePair& pair : pairs) {
    if (!groups.apart(pair)) continue;
    groups.join(pair);
    ++choices;
  }
  return choices;
}

inline void check_pairs(const std::vector<NodePair>& pairs, const Schema& schema) {
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (const NodePair& pair : pairs) {
    if (pair.x == pair.y || std::max(pair.x, pair.y) >= schema.size()) {
      throw std::invalid_argument("a candidate must be a pair of two variables");
    }
    if (!seen.insert(std::minmax(pair.x, pair.y)).second) {
      throw std::invalid_argument("a pair must not be a candidate twice");
    }
  }
}

inline std::vector<NodePair> select_pairs(TableSource& source,
                                          const std::vector<NodePair>& candidates,
                                          const PairModel& model, std::size_t choices, Rho rho,
                                          Ledger& ledger, RandomBits& bits,
                                          const std::string& target, unsigned threads,
                                          const PairSelection::AfterChoice& after) {
  // What would be chosen whatever the records say costs nothing.
  if (choices >= candidates.size()) return candidates;
  if (choices == 0) return {};
  Batch batch;
  std::vector<VariableSet> sets;
  for (const NodePair& pair : candidates) {
    sets.push_back(VariableSet{pair.x, pair.y});
    batch.push_back({sets.back(), 1});
  }
  source.announce(announcement_of(source.schema(), batch, threads));
  const auto scores = PairScores::of(source, sets, model);
  const PairSelection selection(rho, choices, scores.sensitivity());
  std::vector<NodePair> chosen;
  for (std::size_t i : selection.choose(scores, ledger, bits, target, after))
    chosen.push_back(candidates[i]);
  return chosen;
}

}  // namespace detail

// The `count` candidates that are farthest from the model, in the order in which they were chosen,
// for `rho`; all of them, for nothing, if there are no more than that.
inline std::vector<NodePair> select_top(TableSource& source,
                                        const std::vector<NodePair>& candidates,
                                        const PairModel& model, std::size_t count, Rho rho,
                                        Ledger& ledger, RandomBits& bits, const std::string& target,
                                        unsigned threads = 1) {
  detail::check_pairs(candidates, source.schema());
  return detail::select_pairs(source, candidates, model, count, rho, ledger, bits, target, threads,
                              nullptr);
}

// A spanning tree of large scores (Kruskal's rule): each choice is among the candidates that join
// two groups of variables which no chosen pair connects yet. A forest where candidates do not
// connect all variables: how many choices there are follows from the candidates alone, and `rho` is
// divided by that number. `joined`: pairs that connect variables from the start, such as required
// ones.
inline std::vector<NodePair> select_tree(TableSource& source,
                                         const std::vector<NodePair>& candidates,
                                         const PairModel& model, Rho rho, Ledger& ledger,
                                         RandomBits& bits, const std::string& target,
                                         unsigned threads = 1,
                                         const std::vector<NodePair>& joined = {}) {
  detail::check_pairs(candidates, source.schema());
  detail::check_pairs(joined, source.schema());
  detail::Components groups(source.schema().size());
  for (const NodePair& pair : joined)
    groups.join(pair);
  std::vector<NodePair> open;
  for (const NodePair& pair : candidates) {
    if (groups.apart(pair)) open.push_back(pair);
  }
  const std::size_t choices = detail::joins(open, groups);
  return detail::select_pairs(source, open, model, choices, rho, ledger, bits, target, threads,
                              [&](std::size_t chosen) {
                                groups.join(open[chosen]);
                                return [&](std::size_t i) { return groups.apart(open[i]); };
                              });
}

// As a chooser wishes it.
inline std::vector<NodePair> select_as_wished(TableSource& source, const NextSelection& wish,
                                              Ledger& ledger, RandomBits& bits, unsigned threads) {
  if (wish.most == 0) {
    return select_tree(source, wish.candidates, wish.model, wish.rho, ledger, bits, wish.target,
                       threads, wish.joined);
  }
  return select_top(source, wish.candidates, wish.model, wish.most, wish.rho, ledger, bits,
                    wish.target, threads);
}

}  // namespace privpc
