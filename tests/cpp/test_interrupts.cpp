// Long work can be stopped: on the thread that was called, in its helpers, and in the loops that
// know no monitor.
#include <catch.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/parallel.hpp"
#include "privpc/base/simulation_rng.hpp"
#include "privpc/base/unhurried_sort.hpp"
#include "privpc/counts/columns.hpp"
#include "privpc/counts/memory_blocks.hpp"
#include "privpc/graph/cpdag.hpp"
#include "privpc/graph/true_pag.hpp"
#include "privpc/network/bif.hpp"
#include "privpc/privacy/exponential.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/smooth_median.hpp"
#include "privpc/statistic/kendall.hpp"
#include "privpc/statistic/spearman.hpp"

using namespace privpc;

namespace {

struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

// Throws when it is asked for the nth time, and says how often it was.
class ThrowsAt : public Monitor {
 public:
  explicit ThrowsAt(std::size_t nth) : nth_(nth) {}
  void progress(std::size_t, std::size_t, std::size_t) override {}
  void breathe() override {
    if (++asked == nth_) throw Interrupted();
  }
  std::size_t asked = 0;

 private:
  std::size_t nth_;
};

constexpr std::size_t kNever = ~std::size_t{0};

// How often this asks whether to go on, and that it stops at each of some of these times.
template <class Work>
std::size_t stops(const Work& work) {
  ThrowsAt counting(kNever);
  {
    const Listening listening(counting);
    work();
  }
  for (std::size_t nth : {std::size_t{1}, counting.asked / 2 + 1, counting.asked}) {
    ThrowsAt monitor(nth);
    const Listening listening(monitor);
    CHECK_THROWS_AS(work(), Interrupted);
    CHECK(monitor.asked == nth);
  }
  return counting.asked;
}

}  // namespace

TEST_CASE("long work asks the monitor of its thread, and only while there is one") {
  breathe();
  ThrowsAt outer(1), inner(1);
  {
    const Listening listening(outer);
    {
      const Listening nested(inner);
      CHECK_THROWS_AS(breathe(), Interrupted);
      CHECK(outer.asked == 0);
    }
    CHECK_THROWS_AS(breathe(), Interrupted);
  }
  breathe();
  CHECK(outer.asked == 1);
  CHECK(inner.asked == 1);
}

TEST_CASE("an interrupt ends tasks that would never end, on all threads") {
  for (unsigned threads : {1u, 2u, 8u}) {
    ThrowsAt monitor(1000);
    const Listening listening(monitor);
    CHECK_THROWS_AS(parallel_for(100, threads,
                                 [](std::size_t) {
                                   while (true)
                                     breathe();
                                 }),
                    Interrupted);
  }
}

TEST_CASE("an interrupt reaches a loop inside a task of a loop") {
  ThrowsAt monitor(1000);
  const Listening listening(monitor);
  std::atomic<int> begun{0};
  CHECK_THROWS_AS(parallel_for(4, 4,
                               [&](std::size_t) {
                                 ++begun;
                                 parallel_for(4, 2, [](std::size_t) {
                                   while (true)
                                     breathe();
                                 });
                               }),
                  Interrupted);
  CHECK(begun > 0);
}

TEST_CASE("a task that fails stops the others, and its own error is told") {
  CHECK_THROWS_WITH(parallel_for(8, 4,
                                 [](std::size_t task) {
                                   if (task == 5) throw std::runtime_error("task 5");
                                   const auto begin = std::chrono::steady_clock::now();
                                   // Ends by itself, should it not be stopped.
                                   while (std::chrono::steady_clock::now() - begin <
                                          std::chrono::seconds(task < 4 ? 1 : 0))
                                     breathe();
                                 }),
                    "task 5");
}

TEST_CASE("an unhurried sort sorts as any other, and can be stopped") {
  Xoshiro256 random = simulation_stream(1, 0);
  for (std::size_t size : {0u, 1u, 65536u, 65537u, 300000u, 1000000u}) {
    std::vector<std::uint64_t> values(size);
    for (auto& value : values)
      value = random.next() % 1000;
    std::vector<std::uint64_t> expected = values, sorted = values;
    std::sort(expected.begin(), expected.end());
    unhurried_sort(sorted.begin(), sorted.end());
    CHECK(sorted == expected);
  }
  std::vector<std::uint64_t> values(500000);
  for (auto& value : values)
    value = random.next();
  CHECK(stops([&] {
          std::vector<std::uint64_t> copy = values;
          unhurried_sort(copy.begin(), copy.end());
        }) > 20);
}

TEST_CASE("ranks and statistics of many numbers can be stopped") {
  Xoshiro256 random = simulation_stream(2, 0);
  constexpr std::size_t n = 400000;
  std::vector<double> values(n);
  for (double& value : values)
    value = static_cast<double>(random.next() % 100000) - 50000;
  // A zero has no sign, and equal values share a rank.
  values[0] = 0.0;
  values[1] = -0.0;
  const std::vector<std::uint32_t> ranks = detail::dense_ranks(values.data(), n);
  CHECK(ranks[0] == ranks[1]);
  bool in_order = true;
  for (std::size_t i = 1; i < n; ++i) {
    in_order = in_order && (values[i] < values[i - 1]) == (ranks[i] < ranks[i - 1]) &&
               (values[i] == values[i - 1]) == (ranks[i] == ranks[i - 1]);
  }
  CHECK(in_order);
  CHECK(stops([&] { detail::dense_ranks(values.data(), n); }) > 5);

  std::vector<Cell> cells(n);
  for (std::size_t i = 0; i < n; ++i) {
    cells[i].x = static_cast<std::uint32_t>(i);
    cells[i].y = ranks[i];
    cells[i].count = 1;
  }
  CHECK(stops([&] { KendallStratum stratum(cells.data(), n); }) > 5);
  CHECK(stops([&] { SpearmanStratum stratum(cells.data(), n); }) > 5);
}

TEST_CASE("mechanisms on many values can be stopped") {
  Xoshiro256 random = simulation_stream(3, 0);
  constexpr std::size_t n = 200000;
  std::vector<double> values(n);
  for (double& value : values)
    value = static_cast<double>(random.next() % 100000) / 100000;
  const auto released = [&](const auto& release) {
    return stops([&] {
      RandomBits bits = RandomBits::from_seed(1);
      Ledger ledger(Epsilon(1.0), 1e-6);
      Ledger in_rho(Rho(1.0));
      release(Sensitive<std::vector<double>>(values, 1), ledger, in_rho, bits);
    });
  };
  const Shape shape{1, n};
  CHECK(released([&](const auto& sensitive, Ledger& ledger, Ledger&, RandomBits& bits) {
          LaplaceMechanism(Epsilon(1.0), shape).release(sensitive, ledger, bits, "");
        }) > 1000);
  CHECK(released([&](const auto& sensitive, Ledger&, Ledger& in_rho, RandomBits& bits) {
          GaussianMechanism(Rho(1.0), shape).release(sensitive, in_rho, bits, "");
        }) > 1000);
  // An epsilon so small that windows of all widths count.
  CHECK(released([&](const auto& sensitive, Ledger& ledger, Ledger&, RandomBits& bits) {
          SmoothMedian(Epsilon(1e-4), 1e-6, 0, 1, AdmissibleNoise::laplace)
              .release(sensitive, ledger, bits, "");
        }) > 30);
  for (Selection selection : {Selection::exponential, Selection::permute_and_flip}) {
    CHECK(released([&](const auto& sensitive, Ledger& ledger, Ledger&, RandomBits& bits) {
            ExponentialMechanism(Epsilon(1e-3), 1, false, selection)
                .choose(sensitive, ledger, bits, "");
          }) >= 4);
  }
}

TEST_CASE("a graph with hidden causes can be stopped at every step") {
  Xoshiro256 random = simulation_stream(4, 0);
  constexpr int n = 40;
  Pdag dag(n);
  for (int to = 1; to < n; ++to) {
    for (int i = 0; i < 3; ++i) {
      const int from = static_cast<int>(random.next() % static_cast<unsigned>(to));
      if (!dag.is_adjacent(from, to)) dag.add_directed(from, to);
    }
  }
  std::vector<int> observed;
  for (int node = 8; node < n; ++node)
    observed.push_back(node);
  // At every node, every pair and in the rules.
  CHECK(stops([&] { true_pag(dag, observed); }) > 40 + 32 * 31 / 2 + 100);
  CHECK(stops([&] { pdag_to_cpdag(dag); }) >= n);
}

TEST_CASE("reading a large network can be stopped") {
  std::string text = "network large {\n}\n";
  for (int i = 0; i < 500; ++i) {
    const std::string name = "v" + std::to_string(i);
    text += "variable " + name + " { type discrete [ 2 ] { a, b }; }\n";
    text += "probability ( " + name + " ) { table 0.5, 0.5; }\n";
  }
  CHECK(stops([&] { parse_bif(text); }) > 1000);
}
