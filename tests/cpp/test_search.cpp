// The search fed with d-separation facts, with knowledge, with threads, and interrupted.
#include <catch.h>

#include <atomic>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

#include "privpc/graph/cpdag.hpp"
#include "privpc/graph/dsep.hpp"
#include "privpc/graph/orient.hpp"
#include "privpc/search/skeleton.hpp"

using namespace privpc;

namespace {

Pdag random_dag(int nodes, double density, std::mt19937& random) {
  std::vector<int> order(static_cast<std::size_t>(nodes));
  for (int i = 0; i < nodes; ++i)
    order[static_cast<std::size_t>(i)] = i;
  std::shuffle(order.begin(), order.end(), random);
  Pdag dag(nodes);
  for (int i = 0; i < nodes; ++i) {
    for (int j = i + 1; j < nodes; ++j) {
      if (std::uniform_real_distribution<>()(random) < density) {
        dag.add_directed(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
      }
    }
  }
  return dag;
}

// Answers from the true graph, and remembers what it was asked.
class OracleJudge : public Judge {
 public:
  explicit OracleJudge(const Pdag& dag) : dag_(dag) {}
  Verdict judge(std::size_t x, std::size_t y, const VariableSet& given) override {
    ++asked;
    std::vector<int> set(given.begin(), given.end());
    const bool apart = is_d_separated(dag_, static_cast<int>(x), static_cast<int>(y), set);
    return {apart, 1.0};
  }
  std::atomic<int> asked{0};

 private:
  const Pdag& dag_;
};

Skeleton run(const Pdag& dag, const Knowledge& knowledge, SearchOptions options = {}) {
  OracleJudge judge(dag);
  return search_skeleton(static_cast<std::size_t>(dag.size()), judge, knowledge, options);
}

}  // namespace

TEST_CASE("d-separation facts give back the skeleton and the CPDAG") {
  std::mt19937 random(1);
  for (int repeat = 0; repeat < 150; ++repeat) {
    const int nodes = 2 + static_cast<int>(random() % 9);
    const Pdag dag = random_dag(nodes, 0.35, random);
    const Knowledge none(nodes);
    for (SeparatorRule rule : {SeparatorRule::first, SeparatorRule::strongest}) {
      SearchOptions options;
      options.rule = rule;
      const Skeleton skeleton = run(dag, none, options);
      Pdag undirected(nodes);
      for (int x = 0; x < nodes; ++x) {
        for (auto y : skeleton.neighbours[static_cast<std::size_t>(x)]) {
          REQUIRE(dag.is_adjacent(x, y));
          if (x < y) undirected.add_undirected(x, y);
        }
        REQUIRE(skeleton.neighbours[static_cast<std::size_t>(x)].size() ==
                dag.neighbours(x).size());
      }
      std::vector<int> rank(static_cast<std::size_t>(nodes));
      for (int i = 0; i < nodes; ++i)
        rank[static_cast<std::size_t>(i)] = i;
      const Pdag found =
          orient(undirected, colliders_of(undirected, skeleton.separations), none, rank);
      const Pdag truth = dag_to_cpdag(dag, none);
      for (int x = 0; x < nodes; ++x) {
        for (int y = 0; y < nodes; ++y) {
          if (x != y) REQUIRE(found.is_directed(x, y) == truth.is_directed(x, y));
        }
      }
    }
  }
}

TEST_CASE("every separating set stands, and the strongest one is kept") {
  // Strengths that depend on the set: the search must return the maximum over the order.
  class Scored : public Judge {
   public:
    Verdict judge(std::size_t x, std::size_t y, const VariableSet& given) override {
      const bool pair = x == 0 && y == 1;
      if (!pair || given.size() != 1) return {false, 0};
      return {given[0] != 2, 0.1 * given[0]};
    }
  } judge;
  SearchOptions options;
  const Skeleton strongest = search_skeleton(6, judge, Knowledge(6), options);
  REQUIRE(strongest.separations.size() == 1);
  REQUIRE(strongest.separations[0].given == VariableSet{5});
  options.rule = SeparatorRule::first;
  const Skeleton first = search_skeleton(6, judge, Knowledge(6), options);
  REQUIRE(first.separations[0].given == VariableSet{3});
}

TEST_CASE("pairs decided by knowledge are never tested") {
  class Refuses : public Judge {
   public:
    Verdict judge(std::size_t x, std::size_t y, const VariableSet&) override {
      asked.insert({x, y});
      return {true, 1};
    }
    std::set<std::pair<std::size_t, std::size_t>> asked;
  } judge;
  const Knowledge knowledge(4, {{0, 1}}, {{2, 3}, {3, 2}, {1, 2}});
  const Skeleton skeleton = search_skeleton(4, judge, knowledge, {});
  REQUIRE(judge.asked.count({0, 1}) == 0);  // required
  REQUIRE(judge.asked.count({2, 3}) == 0);  // forbidden both ways
  REQUIRE(judge.asked.count({1, 2}) == 1);  // one way left open
  REQUIRE(skeleton.neighbours[0] == std::vector<VariableSet::Id>{1});
  REQUIRE(skeleton.neighbours[2].empty());
}

TEST_CASE("max_order stops the search and one thread or four say the same") {
  std::mt19937 random(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Pdag dag = random_dag(12, 0.3, random);
    for (std::size_t order : {0u, 1u, 2u, 30u}) {
      SearchOptions one, four;
      one.max_order = four.max_order = order;
      four.threads = 4;
      const Skeleton a = run(dag, Knowledge(12), one);
      const Skeleton b = run(dag, Knowledge(12), four);
      REQUIRE(a.tests.size() <= order + 1);
      REQUIRE(a.tests == b.tests);
      REQUIRE(a.neighbours == b.neighbours);
      REQUIRE(a.separations.size() == b.separations.size());
      for (std::size_t i = 0; i < a.separations.size(); ++i) {
        REQUIRE(a.separations[i].given == b.separations[i].given);
      }
    }
  }
}

TEST_CASE("an interrupt is heard inside the tests of a single edge") {
  class Endless : public Judge {
   public:
    Verdict judge(std::size_t, std::size_t, const VariableSet&) override {
      ++asked;
      return {false, 0};
    }
    int asked = 0;
  } judge;
  class StopsSoon : public Monitor {
   public:
    void progress(std::size_t order, std::size_t, std::size_t) override {
      if (order >= 8) throw std::runtime_error("interrupted");
    }
  } monitor;
  // One open pair among 26 nodes: 2 * C(24, 8) tests at order 8.
  std::vector<Arc> required;
  for (int x = 0; x < 26; ++x) {
    for (int y = 0; y < 26; ++y) {
      if (x != y && !(x + y == 1)) required.push_back({x, y});
    }
  }
  SearchOptions options;
  options.max_order = 8;
  REQUIRE_THROWS_AS(search_skeleton(26, judge, Knowledge(26, required, {}), options, &monitor),
                    std::runtime_error);
  REQUIRE(judge.asked < 1000000);  // not the 735471 of order 8 on top of the lower orders
}

TEST_CASE("an exception from the monitor or from a judge ends the search, threads and all") {
  class Stops : public Monitor {
   public:
    void progress(std::size_t, std::size_t done, std::size_t) override {
      if (done >= 3) throw std::runtime_error("interrupted");
    }
  } monitor;
  class Slow : public Judge {
   public:
    Verdict judge(std::size_t, std::size_t, const VariableSet&) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return {false, 0};
    }
  } slow;
  SearchOptions options;
  options.threads = 3;
  REQUIRE_THROWS_AS(search_skeleton(20, slow, Knowledge(20), options, &monitor),
                    std::runtime_error);
  class Fails : public Slow {
   public:
    Verdict judge(std::size_t x, std::size_t y, const VariableSet& given) override {
      Slow::judge(x, y, given);
      if (x == 7) throw std::logic_error("broken");
      return {false, 0};
    }
  } fails;
  REQUIRE_THROWS_AS(search_skeleton(20, fails, Knowledge(20), options), std::logic_error);
}
