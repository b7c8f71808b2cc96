// From measurements to a graph: by tests, or by a score of whole graphs. A function of the
// measurements, the rules and the knowledge alone.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "privpc/graph/cpdag.hpp"
#include "privpc/learners/fit.hpp"
#include "privpc/search/noisy_colliders.hpp"
#include "privpc/search/noisy_skeleton.hpp"
#include "privpc/search/score_search.hpp"

namespace privpc {

enum class SearchKind { tests, score };

struct TableSearch {
  NoisyRules rules;
  SearchKind kind = SearchKind::tests;
};

// Everything that tests and score say about the same measurements.
class TableReading {
 public:
  TableReading(const Measurements& tables, const TableSearch& search, const Knowledge& knowledge,
               SearchEffort effort = SearchEffort::thorough, Monitor* monitor = nullptr)
      : knowledge_(knowledge), tests_(tables, knowledge, search.rules, monitor) {
    tests_.examine_all_orders();
    Skeleton skeleton = tests_.result();
    std::vector<Collider> colliders = collider_evidence(tests_, skeleton);
    by_tests_ = directed_fit(std::move(skeleton), std::move(colliders), knowledge);
    if (search.kind == SearchKind::tests) return;
    ScoreSettings settings = score_settings(tables.rows());
    settings.effort = effort;
    pairs_.emplace(tables);
    std::optional<TripleTerms> triples;
    if (settings.triple_weight > 0) triples.emplace(tables, *pairs_, settings.triple_weight);
    scored_ = search_by_score(*pairs_, tests_, by_tests_.graph, knowledge, search.rules, settings,
                              triples && !triples->empty() ? &*triples : nullptr, monitor);
  }

  const NoisySkeleton& tests() const { return tests_; }
  const WhitenedPairs& pairs() const { return *pairs_; }
  const ScoredGraph& scored() const { return scored_; }

  // The separations are those that tests found of pairs without an edge.
  Fit fit() const {
    Fit out = by_tests_;
    if (!pairs_) return out;
    out.graph = dag_to_cpdag(graph_of(scored_.parents), knowledge_);
    out.cut_short = scored_.cut_short;
    const auto adjacent = [&](const Separation& found) {
      return out.graph.is_adjacent(static_cast<int>(found.x), static_cast<int>(found.y));
    };
    out.separations.erase(std::remove_if(out.separations.begin(), out.separations.end(), adjacent),
                          out.separations.end());
    return out;
  }

 private:
  const Knowledge& knowledge_;
  NoisySkeleton tests_;
  Fit by_tests_;
  std::optional<WhitenedPairs> pairs_;  // none: by tests
  ScoredGraph scored_;
};

inline Fit learn_from_tables(const Measurements& tables, const TableSearch& search,
                             const Knowledge& knowledge, Monitor* monitor = nullptr,
                             SearchEffort effort = SearchEffort::thorough) {
  return TableReading(tables, search, knowledge, effort, monitor).fit();
}

}  // namespace privpc
