// Partial ancestral graphs: each rule alone on the smallest graph that it speaks about, and FCI
// against what is true of random DAGs with hidden nodes by definition.
#include <catch.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "graph_oracles.h"
#include "privpc/graph/fci.hpp"
#include "privpc/graph/true_pag.hpp"

using namespace privpc_test;
using privpc::Mark;
using privpc::Pag;

namespace {

Mark mark_of(char symbol) {
  switch (symbol) {
    case 'o':
      return Mark::circle;
    case '<':
    case '>':
      return Mark::arrow;
    default:
      return Mark::tail;
  }
}

// Edges as "0 o-> 1, 1 <-> 2, 2 --- 3": a mark, a line, a mark.
Pag graph_of(int nodes, const std::string& edges) {
  Pag graph(nodes);
  std::istringstream in(edges);
  int a, b;
  std::string link;
  while (in >> a >> link >> b) {
    graph.connect(a, b, mark_of(link.front()), mark_of(link.back()));
    in.ignore(1, ',');
  }
  return graph;
}

// What is known of triples: "b is, or is not, in the set that separated a and c".
class Known {
 public:
  Known& chain(int a, int b, int c) { return set(a, b, c, true); }
  Known& collider(int a, int b, int c) { return set(a, b, c, false); }
  std::optional<bool> operator()(int b, int a, int c) const {
    const auto found = known_.find({b, std::min(a, c), std::max(a, c)});
    if (found == known_.end()) return std::nullopt;
    return found->second;
  }

 private:
  Known& set(int a, int b, int c, bool in) {
    known_[{b, std::min(a, c), std::max(a, c)}] = in;
    return *this;
  }
  std::map<std::tuple<int, int, int>, bool> known_;
};

void check_rules(int nodes, const std::string& before, const Known& known, const std::string& after,
                 bool selection = false) {
  INFO(before << " must become " << after);
  Pag graph = graph_of(nodes, before);
  privpc::PagRules(graph, known).apply(selection);
  CHECK(graph.to_matrix() == graph_of(nodes, after).to_matrix());
}

void check_silent(int nodes, const std::string& edges, const Known& known, bool selection = false) {
  check_rules(nodes, edges, known, edges, selection);
}

}  // namespace

TEST_CASE("a graph with marks keeps them and its matrix", "[pag]") {
  Pag graph(3);
  graph.connect(0, 1, Mark::tail, Mark::arrow);
  graph.connect(2, 1);
  CHECK(graph.is_arc(0, 1));
  CHECK_FALSE(graph.is_arc(1, 0));
  CHECK(graph.is_into(1, 0));
  CHECK_FALSE(graph.is_into(0, 1));
  CHECK(graph.neighbours(1) == std::vector<int>({0, 2}));
  // Column by column: the mark at the column's node.
  CHECK(graph.to_matrix() == std::vector<int>({0, 3, 0, 2, 0, 1, 0, 1, 0}));
  CHECK(Pag::from_matrix(graph.to_matrix().data(), 3) == graph);
  graph.disconnect(1, 0);
  CHECK_FALSE(graph.is_adjacent(0, 1));
  CHECK_THROWS_AS(graph.set_mark(0, 1, Mark::arrow), std::invalid_argument);
  CHECK_THROWS_AS(graph.connect(1, 1), std::invalid_argument);
  CHECK_THROWS_AS(graph.connect(0, 3), std::invalid_argument);
  const std::vector<int> half{0, 0, 1, 0}, loop{1, 0, 0, 0}, four{0, 4, 4, 0};
  CHECK_THROWS_AS(Pag::from_matrix(half.data(), 2), std::invalid_argument);
  CHECK_THROWS_AS(Pag::from_matrix(loop.data(), 2), std::invalid_argument);
  CHECK_THROWS_AS(Pag::from_matrix(four.data(), 2), std::invalid_argument);
}

TEST_CASE("R1: an arrow that meets no arrow goes on", "[pag]") {
  const Known chain = Known().chain(0, 1, 2);
  check_rules(3, "0 o-> 1, 1 o-o 2", chain, "0 o-> 1, 1 --> 2");
  check_rules(3, "0 <-> 1, 1 o-> 2", chain, "0 <-> 1, 1 --> 2");
  check_silent(3, "0 o-> 1, 1 o-o 2", Known());
  check_silent(3, "0 o-> 1, 1 <-o 2", Known().collider(0, 1, 2));
  check_silent(3, "0 o-> 1, 1 o-o 2, 0 o-o 2", chain);
  check_silent(3, "0 o-o 1, 1 o-o 2", chain);
}

TEST_CASE("R2: what comes after an effect is no cause", "[pag]") {
  check_rules(3, "0 --> 1, 1 o-> 2, 0 o-o 2", Known(), "0 --> 1, 1 o-> 2, 0 o-> 2");
  check_rules(3, "0 o-> 1, 1 --> 2, 0 o-o 2", Known(), "0 o-> 1, 1 --> 2, 0 o-> 2");
  check_silent(3, "0 o-> 1, 1 o-> 2, 0 o-o 2", Known());
  check_silent(3, "0 --> 1, 1 o-o 2, 0 o-o 2", Known());
}

TEST_CASE("R3: a second way into a collider", "[pag]") {
  const std::string before = "0 o-> 1, 2 o-> 1, 0 o-o 3, 3 o-o 2, 3 o-o 1";
  const Known known = Known().collider(0, 1, 2).chain(0, 3, 2);
  check_rules(4, before, known, "0 o-> 1, 2 o-> 1, 0 o-o 3, 3 o-o 2, 3 o-> 1");
  check_silent(4, before, Known().collider(0, 1, 2));
  check_silent(4, before + ", 0 o-o 2", known);
}

TEST_CASE("R4: a discriminating path tells what its last node but one is", "[pag]") {
  const std::string before = "0 o-> 1, 2 o-> 1, 1 --> 3, 2 o-> 3";
  const Known ends = Known().collider(0, 1, 2).chain(0, 1, 3);
  check_rules(4, before, Known(ends).chain(0, 2, 3), "0 o-> 1, 2 o-> 1, 1 --> 3, 2 --> 3");
  check_rules(4, before, Known(ends).collider(0, 2, 3), "0 o-> 1, 2 <-> 1, 1 --> 3, 2 <-> 3");
  check_silent(4, before, ends);
  // 1 is not a collider.
  check_silent(4, "0 o-- 1, 2 o-> 1, 1 --> 3, 2 o-> 3", Known(ends).collider(0, 2, 3));

  const std::string longer = "0 o-> 1, 1 <-> 4, 2 o-> 4, 1 --> 3, 4 --> 3, 2 o-> 3";
  const Known between = Known().chain(0, 2, 3);
  check_rules(5, longer, between, "0 o-> 1, 1 <-> 4, 2 o-> 4, 1 --> 3, 4 --> 3, 2 --> 3");
  // 4 is no collider on this one, nor is 1 on the next.
  check_silent(5, "0 o-> 1, 1 <-- 4, 2 o-> 4, 1 --> 3, 4 --> 3, 2 o-> 3", between);
  check_silent(5, "0 o-> 1, 1 --> 4, 2 o-> 4, 1 --> 3, 4 --> 3, 2 o-> 3", between);
}

TEST_CASE("R5 to R7: with selection, edges without arrowheads", "[pag]") {
  const std::string ring = "0 o-o 1, 1 o-o 2, 2 o-o 3, 3 o-o 0";
  const Known chains = Known().chain(0, 1, 2).chain(1, 2, 3).chain(2, 3, 0).chain(3, 0, 1);
  check_rules(4, ring, chains, "0 --- 1, 1 --- 2, 2 --- 3, 3 --- 0", true);
  check_silent(4, ring, chains);
  check_silent(4, ring, Known().chain(0, 1, 2), true);
  check_silent(4, ring + ", 0 o-o 2", chains, true);

  check_rules(3, "0 --- 1, 1 o-o 2", Known(), "0 --- 1, 1 --o 2", true);
  check_silent(3, "0 --- 1, 1 o-o 2", Known());
  check_silent(3, "0 o-o 1, 1 o-o 2", Known(), true);

  check_rules(3, "0 --o 1, 1 o-o 2", Known().chain(0, 1, 2), "0 --o 1, 1 --o 2", true);
  check_silent(3, "0 --o 1, 1 o-o 2", Known(), true);
  check_silent(3, "0 --o 1, 1 o-o 2, 0 o-o 2", Known().chain(0, 1, 2), true);
}

TEST_CASE("R8: a cause of a cause is a cause", "[pag]") {
  check_rules(3, "0 --> 1, 1 --> 2, 0 o-> 2", Known(), "0 --> 1, 1 --> 2, 0 --> 2");
  check_rules(3, "0 --o 1, 1 --> 2, 0 o-> 2", Known(), "0 --o 1, 1 --> 2, 0 --> 2");
  check_silent(3, "0 o-> 1, 1 --> 2, 0 o-> 2", Known());
  check_silent(3, "0 --> 1, 1 o-> 2, 0 o-> 2", Known());
}

TEST_CASE("R9: a path that may be directed all the way", "[pag]") {
  const std::string before = "0 o-> 3, 2 o-> 3, 0 o-o 1, 1 o-o 2";
  const Known known = Known().collider(0, 3, 2).chain(0, 1, 2).chain(1, 0, 3).chain(1, 2, 3);
  check_rules(4, before, known, "0 --> 3, 2 --> 3, 0 o-o 1, 1 o-o 2");
  check_silent(4, before + ", 1 o-> 3", known);
  check_silent(4, before, Known().collider(0, 3, 2).chain(0, 1, 2));
  // 1 is a cause of both: no path through it may be directed.
  check_silent(4, "0 o-> 3, 2 o-> 3, 0 o-- 1, 1 --o 2", known);
}

TEST_CASE("R10: two paths of which one must be directed", "[pag]") {
  const std::string before = "0 o-> 3, 1 --> 3, 2 --> 3, 0 o-o 1, 0 o-o 2";
  const Known known = Known().collider(1, 3, 2).chain(1, 0, 2);
  check_rules(4, before, known, "0 --> 3, 1 --> 3, 2 --> 3, 0 o-o 1, 0 o-o 2");
  check_silent(4, before, Known().collider(1, 3, 2));
  check_silent(4, before + ", 1 o-o 2", known);
  check_silent(4, "0 o-> 3, 1 o-> 3, 2 --> 3, 0 o-o 1, 0 o-o 2", known);
}

TEST_CASE("the rules turn circles into marks and change nothing else", "[pag]") {
  Generator generator(7);
  int set = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 3 + below(generator, 6);
    Pag graph(n);
    std::map<std::tuple<int, int, int>, std::optional<bool>> known;
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < a; ++b) {
        const auto mark = [&] { return static_cast<Mark>(1 + below(generator, 2)); };
        if (coin(generator, 0.5)) graph.connect(a, b, mark(), mark());
        for (int c = 0; c < n; ++c)
          if (coin(generator, 0.8)) known[{c, b, a}] = coin(generator, 0.5);
      }
    }
    const Pag before = graph;
    privpc::PagRules(graph, [&](int b, int a, int c) {
      return known[{b, std::min(a, c), std::max(a, c)}];
    }).apply(coin(generator, 0.5));
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        if (a == b) continue;
        REQUIRE(graph.is_adjacent(a, b) == before.is_adjacent(a, b));
        if (before.mark_at(b, a) != Mark::circle) {
          REQUIRE(graph.mark_at(b, a) == before.mark_at(b, a));
        }
        set += graph.mark_at(b, a) != before.mark_at(b, a);
      }
    }
  }
  CHECK(set > 100);
}

TEST_CASE("colliders leave alone what is known beforehand", "[pag]") {
  Pag graph = graph_of(3, "0 o-o 1, 1 --> 2");
  const Known collider = Known().collider(0, 1, 2);
  privpc::mark_colliders(graph, collider);
  CHECK(graph == graph_of(3, "0 o-o 1, 1 --> 2"));
  graph = graph_of(3, "0 o-o 1, 1 o-> 2");
  privpc::mark_colliders(graph, collider);
  CHECK(graph == graph_of(3, "0 o-> 1, 1 <-> 2"));
  graph = graph_of(3, "0 o-o 1, 1 o-o 2");
  privpc::mark_colliders(graph, Known());
  CHECK(graph == graph_of(3, "0 o-o 1, 1 o-o 2"));
}

namespace {

// FCI with a search: every answer is d-separation in the DAG.
Pag fci_by_search(const Pdag& dag, const std::vector<int>& observed, int& by_possible_d_sep) {
  const int n = static_cast<int>(observed.size());
  const auto separated = [&](int x, int y, const std::vector<int>& given) {
    std::vector<int> nodes;
    for (int z : given)
      nodes.push_back(observed[z]);
    return privpc::is_d_separated(dag, observed[x], observed[y], nodes);
  };
  const auto find = [&](int x, int y, const std::vector<int>& from,
                        std::size_t size) -> std::optional<std::vector<int>> {
    std::vector<char> in(from.size(), 0);
    if (size > in.size()) return std::nullopt;
    std::fill(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(size), 1);
    do {
      std::vector<int> given;
      for (std::size_t i = 0; i < from.size(); ++i)
        if (in[i]) given.push_back(from[i]);
      if (separated(x, y, given)) return given;
    } while (std::prev_permutation(in.begin(), in.end()));
    return std::nullopt;
  };
  Pag skeleton(n);
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < a; ++b)
      skeleton.connect(a, b);
  privpc::Separators separators;
  for (std::size_t size = 0; size < static_cast<std::size_t>(n); ++size) {
    const Pag frozen = skeleton;
    for (int x = 0; x < n; ++x) {
      for (int y : frozen.neighbours(x)) {
        std::vector<int> near = frozen.neighbours(x);
        near.erase(std::find(near.begin(), near.end(), y));
        const auto given = find(x, y, near, size);
        if (!given || !skeleton.is_adjacent(x, y)) continue;
        skeleton.disconnect(x, y);
        separators.set(x, y, *given);
      }
    }
  }
  return privpc::fci(
      skeleton, separators,
      [&](int x, int y, const std::vector<int>& near) -> std::optional<std::vector<int>> {
        for (std::size_t size = 0; size <= near.size(); ++size) {
          if (auto given = find(x, y, near, size)) {
            ++by_possible_d_sep;
            return given;
          }
        }
        return std::nullopt;
      },
      true);
}

}  // namespace

TEST_CASE("FCI finds what is true of a DAG with hidden nodes", "[pag]") {
  Generator generator(3);
  std::map<Mark, int> marks;
  int by_possible_d_sep = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int n = 8 + below(generator, 6);
    const Pdag dag = random_dag(generator, n, 0.2 + 0.02 * below(generator, 8));
    std::vector<int> observed = random_permutation(generator, n);
    observed.resize(static_cast<std::size_t>(n - below(generator, 6)));
    const Pag truth = privpc::true_pag(dag, observed);
    REQUIRE(fci_by_search(dag, observed, by_possible_d_sep) == truth);
    const int seen = truth.size();
    for (int a = 0; a < seen; ++a) {
      for (int b : truth.neighbours(a)) {
        const bool causes = privpc::reaches(dag, observed[b], observed[a]);
        const Mark mark = truth.mark_at(b, a);
        ++marks[mark];
        if (mark == Mark::arrow) REQUIRE_FALSE(causes);
        if (mark == Mark::tail) REQUIRE(causes);
      }
    }
  }
  // Nothing of this was an empty claim.
  CHECK(marks[Mark::arrow] > 500);
  CHECK(marks[Mark::tail] > 100);
  CHECK(marks[Mark::circle] > 500);
  CHECK(by_possible_d_sep > 0);
}

TEST_CASE("the true graph with nothing hidden says no more than the CPDAG", "[pag]") {
  Generator generator(5);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 3 + below(generator, 5);
    const Pdag dag = random_dag(generator, n, 0.4);
    const Pag pag = privpc::true_pag(dag, privpc::natural_rank(n));
    const Pdag cpdag = privpc::dag_to_cpdag(dag, Knowledge(n));
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        if (a == b) continue;
        REQUIRE(pag.is_adjacent(a, b) == cpdag.is_adjacent(a, b));
        if (pag.is_arc(a, b)) REQUIRE(cpdag.is_directed(a, b));
        if (cpdag.is_undirected(a, b)) REQUIRE(pag.has(a, Mark::circle, b, Mark::circle));
      }
    }
  }
  CHECK_THROWS_AS(privpc::true_pag(Pdag(2), {0, 2}), std::invalid_argument);
}
