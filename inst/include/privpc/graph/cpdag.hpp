#pragma once

#include <optional>
#include <stdexcept>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/graph/directed_paths.hpp"
#include "privpc/graph/extension.hpp"
#include "privpc/graph/knowledge.hpp"
#include "privpc/graph/meek.hpp"
#include "privpc/graph/pdag.hpp"

namespace privpc {

// The arcs of `graph` that meet another arc in an unshielded collider a -> b <- c, the
// other edges undirected.
inline Pdag pattern_of(const Pdag& graph) {
  Pdag pattern = graph.skeleton();
  for (int b = 0; b < graph.size(); ++b) {
    breathe();
    const std::vector<int> parents = graph.parents(b);
    for (std::size_t i = 0; i < parents.size(); ++i)
      for (std::size_t j = i + 1; j < parents.size(); ++j)
        if (!graph.is_adjacent(parents[i], parents[j])) {
          pattern.orient(parents[i], b);
          pattern.orient(parents[j], b);
        }
  }
  return pattern;
}

// The graph of the Markov equivalence class of a DAG: an edge is directed exactly if all
// members of the class that obey the knowledge agree on it. Without knowledge this is the
// CPDAG (Andersson, Madigan & Perlman 1997), with knowledge the maximally oriented graph of
// Meek (1995). The DAG must itself obey the knowledge.
inline Pdag dag_to_cpdag(const Pdag& dag, const Knowledge& knowledge) {
  if (!is_acyclic(dag) || !dag.undirected_edges().empty()) {
    throw std::invalid_argument("the graph is not a directed acyclic graph");
  }
  if (knowledge.size() != dag.size()) {
    throw std::invalid_argument("knowledge and graph have different numbers of nodes");
  }
  Pdag result = pattern_of(dag);
  if (!knowledge.empty()) {
    for (const Arc& arc : dag.directed_arcs()) {
      if (knowledge.arc_is_forced(arc.to, arc.from)) {
        throw std::invalid_argument("the graph contradicts the required or forbidden arcs");
      }
      if (knowledge.arc_is_forced(arc.from, arc.to)) result.orient(arc.from, arc.to);
    }
  }
  close_under_meek_rules(result);
  return result;
}

inline Pdag dag_to_cpdag(const Pdag& dag) {
  return dag_to_cpdag(dag, Knowledge(dag.size()));
}

// The CPDAG of the class that a partially directed graph describes, through a consistent
// extension; nothing if the graph has none (a directed cycle, or undirected edges that
// cannot be directed without a new unshielded collider).
inline std::optional<Pdag> pdag_to_cpdag(const Pdag& graph) {
  const std::optional<Pdag> dag = consistent_extension(graph);
  if (!dag) return std::nullopt;
  return dag_to_cpdag(*dag);
}

}  // namespace privpc
