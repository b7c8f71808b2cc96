// Graphs of any kind, with any colliders and any knowledge: what comes out of orient() is the graph
// of a class of DAGs, with the edges that went in, whatever the tests said, and does not depend on
// the order of nodes or colliders. Small ones are compared with all DAGs there are.
#include "privpc/graph/cpdag.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "fuzz_target.h"
#include "privpc/graph/extension.hpp"
#include "privpc/graph/meek.hpp"
#include "privpc/graph/orient.hpp"

using namespace privpc;
using privpc_fuzz::Input;

namespace {

Pdag any_pdag(Input& input, int n) {
  Pdag out(n);
  const std::size_t density = 1 + input.below(3);
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      const std::size_t kind = input.below(4 * density);
      if (kind == 0) out.add_undirected(a, b);
      if (kind == 1) out.add_directed(a, b);
      if (kind == 2) out.add_directed(b, a);
    }
  }
  return out;
}

Pdag permuted(const Pdag& graph, const std::vector<int>& place) {
  const auto at = [&](int node) { return place[static_cast<std::size_t>(node)]; };
  Pdag out(graph.size());
  for (const Arc& arc : graph.directed_arcs())
    out.add_directed(at(arc.from), at(arc.to));
  for (const Arc& edge : graph.undirected_edges())
    out.add_undirected(at(edge.from), at(edge.to));
  return out;
}

std::vector<int> any_order(Input& input, int n) {
  std::vector<int> out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), 0);
  for (std::size_t i = out.size(); i > 1; --i)
    std::swap(out[i - 1], out[input.below(i)]);
  return out;
}

std::set<std::tuple<int, int, int>> open_colliders(const Pdag& graph) {
  std::set<std::tuple<int, int, int>> out;
  for (int b = 0; b < graph.size(); ++b) {
    for (int a : graph.parents(b)) {
      for (int c : graph.parents(b)) {
        if (a < c && !graph.is_adjacent(a, c)) out.insert({a, b, c});
      }
    }
  }
  return out;
}

// A graph is that of a class of DAGs if it comes back from any of them.
void check_cpdag(const Pdag& graph) {
  const std::optional<Pdag> again = pdag_to_cpdag(graph);
  FUZZ_CHECK(again.has_value() && *again == graph);
}

void check_rules(const Pdag& graph) {
  Pdag closed = graph;
  close_under_meek_rules(closed);
  FUZZ_CHECK(closed.skeleton() == graph.skeleton());
  for (const Arc& arc : graph.directed_arcs())
    FUZZ_CHECK(closed.is_directed(arc.from, arc.to));
  if (is_acyclic(graph)) FUZZ_CHECK(is_acyclic(closed));
  // Rules add no colliders but those that were there.
  for (const auto& [a, b, c] : open_colliders(closed))
    FUZZ_CHECK(graph.is_directed(a, b) && graph.is_directed(c, b));
}

// Every direction of every edge.
std::vector<Pdag> extensions(const Pdag& graph) {
  const std::vector<Arc> open = graph.undirected_edges();
  std::vector<Pdag> out;
  for (std::size_t code = 0; code < (std::size_t{1} << open.size()); ++code) {
    Pdag dag = graph;
    for (std::size_t e = 0; e < open.size(); ++e) {
      if ((code >> e & 1U) != 0) {
        dag.orient(open[e].from, open[e].to);
      } else {
        dag.orient(open[e].to, open[e].from);
      }
    }
    if (is_acyclic(dag) && open_colliders(dag) == open_colliders(graph)) out.push_back(dag);
  }
  return out;
}

void check_extension(const Pdag& graph, const std::vector<int>& rank) {
  if (!is_acyclic(graph)) {
    FUZZ_CHECK(privpc_fuzz::refused([&] { extend_to_dag(graph, rank); }));
    return;
  }
  const Extension extension = extend_to_dag(graph, rank);
  FUZZ_CHECK(is_acyclic(extension.dag) && extension.dag.undirected_edges().empty());
  FUZZ_CHECK(extension.dag.skeleton() == graph.skeleton());
  for (const Arc& arc : graph.directed_arcs())
    FUZZ_CHECK(extension.dag.is_directed(arc.from, arc.to));
  const bool same = open_colliders(extension.dag) == open_colliders(graph);
  FUZZ_CHECK(extension.consistent == same);
  if (graph.undirected_edges().size() > 5) return;
  const std::vector<Pdag> all = extensions(graph);
  FUZZ_CHECK(extension.consistent == !all.empty());
  const std::optional<Pdag> cpdag = pdag_to_cpdag(graph);
  FUZZ_CHECK(cpdag.has_value() == !all.empty());
  if (!cpdag) return;
  check_cpdag(*cpdag);
  // An edge of the graph of the class has a direction if all of its DAGs agree.
  const Pdag pattern = pattern_of(all.front());
  if (pattern.undirected_edges().size() > 7) return;
  const std::vector<Pdag> members = extensions(pattern);
  for (const Arc& edge : graph.skeleton().undirected_edges()) {
    const auto forward = std::count_if(members.begin(), members.end(), [&](const Pdag& dag) {
      return dag.is_directed(edge.from, edge.to);
    });
    const bool all_agree = forward == 0 || forward == static_cast<long>(members.size());
    FUZZ_CHECK(cpdag->is_undirected(edge.from, edge.to) == !all_agree);
    if (all_agree) FUZZ_CHECK(cpdag->is_directed(edge.from, edge.to) == (forward != 0));
  }
}

std::vector<Arc> any_arcs(Input& input, int n, std::size_t most) {
  std::vector<Arc> out;
  for (std::size_t i = input.below(most + 1); i > 0; --i)
    out.push_back({input.number_below(n + 1), input.number_below(n + 1)});
  return out;
}

void check_orient(Input& input, const Pdag& graph, const std::vector<int>& rank) {
  const int n = graph.size();
  const Pdag skeleton = graph.skeleton();
  Knowledge knowledge(n);
  std::vector<Arc> required, forbidden;
  if (input.coin()) {
    required = any_arcs(input, n, 3);
    forbidden = any_arcs(input, n, 4);
    const bool refused =
        privpc_fuzz::refused([&] { knowledge = Knowledge(n, required, forbidden); });
    if (refused) return;
  }
  std::vector<Separation> separations;
  for (std::size_t i = input.below(24); i > 0; --i) {
    Separation found;
    found.x = input.below(static_cast<std::size_t>(n));
    found.y = input.below(static_cast<std::size_t>(n));
    for (int members = input.byte(), z = 0; z < n && z < 8; ++z) {
      if ((members >> z & 1) != 0) found.given.insert(static_cast<std::size_t>(z));
    }
    found.support = input.coin() ? static_cast<double>(input.below(4)) : input.real();
    separations.push_back(found);
  }
  Pdag out;
  std::vector<Collider> colliders;
  const bool refused = privpc_fuzz::refused([&] {
    colliders = colliders_of(skeleton, separations);
    out = orient(skeleton, colliders, knowledge, rank);
  });
  if (refused) return;
  FUZZ_CHECK(out.skeleton() == skeleton && is_acyclic(out));
  FUZZ_CHECK(dag_to_cpdag(extend_to_dag(out, rank).dag, knowledge) == out);
  if (knowledge.empty()) check_cpdag(out);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      if (a != b && out.is_adjacent(a, b) && knowledge.arc_is_forced(a, b))
        FUZZ_CHECK(out.is_directed(a, b));
    }
  }
  // The same by other names and in another order.
  const std::vector<int> place = any_order(input, n);
  const auto at = [&](int node) { return place[static_cast<std::size_t>(node)]; };
  const auto moved = [&](std::vector<Arc> arcs) {
    for (Arc& arc : arcs)
      arc = {at(arc.from), at(arc.to)};
    return arcs;
  };
  for (Collider& collider : colliders)
    collider = {at(collider.x), at(collider.centre), at(collider.y), collider.support};
  std::reverse(colliders.begin(), colliders.end());
  std::vector<int> other_rank(rank.size());
  for (int node = 0; node < n; ++node)
    other_rank[static_cast<std::size_t>(at(node))] = rank[static_cast<std::size_t>(node)];
  const Pdag other = orient(permuted(skeleton, place), colliders,
                            Knowledge(n, moved(required), moved(forbidden)), other_rank);
  FUZZ_CHECK(other == permuted(out, place));
}

}  // namespace

FUZZ_TARGET(cpdag) {
  const int n = 1 + input.number_below(9);
  const Pdag graph = any_pdag(input, n);
  const std::vector<int> rank = any_order(input, n);
  FUZZ_CHECK(Pdag::from_matrix(graph.to_matrix().data(), n) == graph);
  check_rules(graph);
  check_extension(graph, rank);
  check_orient(input, graph, rank);
}
