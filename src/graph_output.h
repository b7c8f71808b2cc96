// What the learners' adapters share on the way out of the core: progress, knowledge, orientation
// and the form in which R takes a graph.
#pragma once

#include <Rcpp.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "graph_input.h"
#include "privpc/graph/orient.hpp"
#include "privpc/search/skeleton.hpp"

namespace privpc_r {

// Lets the user interrupt, and tells an R function how far the search is.
class RMonitor : public privpc::Monitor {
 public:
  explicit RMonitor(const Rcpp::Nullable<Rcpp::Function>& report)
      : report_(report), last_(std::chrono::steady_clock::now()) {}

  void progress(std::size_t order, std::size_t done, std::size_t total) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    Rcpp::checkUserInterrupt();
    if (report_.isNotNull()) {
      Rcpp::Function report(report_.get());
      report(static_cast<int>(order), static_cast<double>(done), static_cast<double>(total));
    }
  }

 private:
  Rcpp::Nullable<Rcpp::Function> report_;
  std::chrono::steady_clock::time_point last_;
};

// Zero-based set -> one-based R indices.
inline Rcpp::IntegerVector as_indices(const privpc::VariableSet& set) {
  Rcpp::IntegerVector out(static_cast<R_xlen_t>(set.size()));
  for (std::size_t i = 0; i < set.size(); ++i)
    out[static_cast<R_xlen_t>(i)] = set[i] + 1;
  return out;
}

// Orientation and the form in which R takes the result, for any skeleton. A learner that knows more
// about the colliders than the separating sets tell hands that over.
inline Rcpp::List orient_and_wrap(const privpc::Skeleton& skeleton,
                                  const privpc::Knowledge& knowledge,
                                  const std::vector<privpc::Separation>* colliders = nullptr) {
  const int p = static_cast<int>(skeleton.neighbours.size());
  privpc::Pdag undirected(p);
  Rcpp::IntegerMatrix links(p, p), amat(p, p);
  for (int x = 0; x < p; ++x) {
    for (auto y : skeleton.neighbours[static_cast<std::size_t>(x)]) {
      links(x, y) = 1;
      if (x < y) undirected.add_undirected(x, y);
    }
  }
  std::vector<privpc::Separation> separations;
  for (const auto& item : skeleton.separations) {
    // Below 0: only empty cells speak for it (exact_judge.hpp), which says nothing of directions.
    if (item.strength < 0) continue;
    separations.push_back({static_cast<int>(item.x), static_cast<int>(item.y),
                           std::vector<int>(item.given.begin(), item.given.end()), item.strength});
  }
  // R shows them by pair, not in the order in which they were found.
  std::vector<const privpc::FoundSeparation*> by_pair;
  for (const auto& item : skeleton.separations)
    by_pair.push_back(&item);
  std::sort(by_pair.begin(), by_pair.end(), [](const auto* a, const auto* b) {
    return std::make_pair(a->x, a->y) < std::make_pair(b->x, b->y);
  });
  const std::size_t found = by_pair.size();
  Rcpp::IntegerVector sep_x(found), sep_y(found);
  Rcpp::List sep_given(found);
  Rcpp::NumericVector sep_strength(found);
  for (std::size_t s = 0; s < found; ++s) {
    const privpc::FoundSeparation& item = *by_pair[s];
    const R_xlen_t at = static_cast<R_xlen_t>(s);
    sep_x[at] = static_cast<int>(item.x) + 1;
    sep_y[at] = static_cast<int>(item.y) + 1;
    sep_given[at] = as_indices(item.given);
    sep_strength[at] = item.strength;
  }
  std::vector<int> rank(static_cast<std::size_t>(p));
  for (int x = 0; x < p; ++x)
    rank[static_cast<std::size_t>(x)] = x;  // nodes come sorted by name
  const privpc::Pdag cpdag =
      privpc::orient(undirected, colliders == nullptr ? separations : *colliders, knowledge, rank);
  for (int x = 0; x < p; ++x) {
    for (int y : cpdag.neighbours(x)) {
      if (!cpdag.is_directed(y, x)) amat(x, y) = 1;
    }
  }
  Rcpp::NumericVector tests(skeleton.tests.begin(), skeleton.tests.end());
  return Rcpp::List::create(Rcpp::_["amat"] = amat, Rcpp::_["skeleton"] = links,
                            Rcpp::_["x"] = sep_x, Rcpp::_["y"] = sep_y,
                            Rcpp::_["given"] = sep_given, Rcpp::_["strength"] = sep_strength,
                            Rcpp::_["tests"] = tests, Rcpp::_["cut_short"] = skeleton.cut_short);
}

}  // namespace privpc_r
