// The simulator: its random numbers, its integer weights, and that rows depend on the seed only.

#include <catch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "privpc/network/sampler.hpp"

namespace {

using Columns = std::vector<std::vector<int>>;

Columns draw(const privpc::BayesNet& net, std::size_t rows, std::uint64_t seed,
             std::size_t threads = 1) {
  Columns columns(net.nodes.size(), std::vector<int>(rows));
  std::vector<int*> pointers;
  for (std::vector<int>& column : columns)
    pointers.push_back(column.data());
  privpc::NetworkSampler(net).fill(pointers, 0, rows, seed, threads);
  return columns;
}

// x -> y, listed child first so that the order of sampling is not the order of the columns.
privpc::BayesNet two_nodes() {
  privpc::BayesNet net;
  net.nodes.push_back({"y", {"0", "1", "2"}, {1}, {0.5, 0.25, 0.25, 0.0, 0.0, 1.0}});
  net.nodes.push_back({"x", {"0", "1"}, {}, {0.75, 0.25}});
  return net;
}

}  // namespace

TEST_CASE("SplitMix64 and xoshiro256++ give their published sequences", "[sampler]") {
  privpc::SplitMix64 source(1234567);
  for (const std::uint64_t expected :
       {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)}) {
    CHECK(source.next() == expected);
  }
  privpc::SplitMix64 skipped(1234567);
  skipped.skip(3);
  CHECK(skipped.next() == UINT64_C(4593380528125082431));

  privpc::Xoshiro256 random({1, 2, 3, 4});
  for (const std::uint64_t expected :
       {UINT64_C(41943041), UINT64_C(58720359), UINT64_C(3588806011781223),
        UINT64_C(3591011842654386), UINT64_C(9228616714210784205), UINT64_C(9973669472204895162),
        UINT64_C(14011001112246962877), UINT64_C(12406186145184390807),
        UINT64_C(15849039046786891736), UINT64_C(10450023813501588000)}) {
    CHECK(random.next() == expected);
  }
}

TEST_CASE("streams of a seed differ from each other and from those of other seeds", "[sampler]") {
  std::vector<std::uint64_t> first_draws;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (std::uint64_t stream = 0; stream < 50; ++stream) {
      first_draws.push_back(privpc::simulation_stream(seed, stream).next());
    }
  }
  std::sort(first_draws.begin(), first_draws.end());
  CHECK(std::adjacent_find(first_draws.begin(), first_draws.end()) == first_draws.end());
}

TEST_CASE("weights sum to 2^63 and keep zeros", "[sampler]") {
  const std::uint64_t total = UINT64_C(1) << 63;
  const std::vector<std::vector<double>> distributions = {{1.0},
                                                          {0.0, 1.0},
                                                          {0.5, 0.5},
                                                          {0.1, 0.2, 0.7},
                                                          {1.0 / 3, 2.0 / 3, 0.0},
                                                          {0.33, 0.33, 0.33},
                                                          {0.0, 1e-300, 1.0},
                                                          {0.01, 0.07, 0.21, 0.71},
                                                          std::vector<double>(1000, 0.001)};
  for (const std::vector<double>& p : distributions) {
    const std::vector<std::uint64_t> weights = privpc::integer_weights(p.data(), p.size());
    CHECK(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}) == total);
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (p[i] == 0.0) CHECK(weights[i] == 0);
      const double share = static_cast<double>(weights[i]) / static_cast<double>(total);
      // Double precision: about 2^-53 for each number, plus what was left over.
      CHECK(std::fabs(share - p[i] / sum) <= static_cast<double>(p.size()) * std::ldexp(1.0, -51));
    }
  }
}

TEST_CASE("rows follow the network", "[sampler]") {
  const std::size_t rows = 200000;
  const Columns columns = draw(two_nodes(), rows, 42);
  double count[2][3] = {};
  const auto within = [](int most) { return [=](int x) { return x >= 1 && x <= most; }; };
  REQUIRE(std::all_of(columns[0].begin(), columns[0].end(), within(3)));
  REQUIRE(std::all_of(columns[1].begin(), columns[1].end(), within(2)));
  for (std::size_t row = 0; row < rows; ++row) {
    ++count[columns[1][row] - 1][columns[0][row] - 1];
  }
  CHECK(count[1][0] == 0);
  CHECK(count[1][1] == 0);
  const double n = static_cast<double>(rows);
  // Six standard deviations: a false alarm has a chance of about 2e-9 each.
  const auto check_share = [&](double found, double p) {
    CHECK(std::fabs(found / n - p) < 6 * std::sqrt(p * (1 - p) / n));
  };
  check_share(count[1][2], 0.25);
  check_share(count[0][0], 0.375);
  check_share(count[0][1], 0.1875);
  check_share(count[0][2], 0.1875);
}

TEST_CASE("many levels are found by bisection", "[sampler]") {
  privpc::BayesNet net;
  std::vector<double> p(1000, 0.0);
  p[0] = p[500] = 0.25;
  p[999] = 0.5;
  net.nodes.push_back({"x", std::vector<std::string>(1000), {}, p});
  const std::vector<int> drawn = draw(net, 100000, 1)[0];
  const auto count = [&](int level) {
    return static_cast<double>(std::count(drawn.begin(), drawn.end(), level));
  };
  CHECK(count(1) + count(501) + count(1000) == 1e5);
  // Again six standard deviations.
  CHECK(std::fabs(count(1) / 1e5 - 0.25) < 0.0083);
  CHECK(std::fabs(count(1000) / 1e5 - 0.5) < 0.0095);
}

TEST_CASE("rows depend on the seed, not on threads, slices or their number", "[sampler]") {
  const privpc::BayesNet net = two_nodes();
  const std::size_t rows = 5 * privpc::simulation_block_rows + 77;
  const Columns one = draw(net, rows, 7);
  CHECK(draw(net, rows, 7, 2) == one);
  CHECK(draw(net, rows, 7, 64) == one);
  CHECK(draw(net, rows, 8) != one);

  const Columns fewer = draw(net, 2 * privpc::simulation_block_rows + 5, 7);
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(std::equal(fewer[i].begin(), fewer[i].end(), one[i].begin()));
  }

  Columns sliced(net.nodes.size(), std::vector<int>(rows));
  const std::vector<int*> pointers = {sliced[0].data(), sliced[1].data()};
  const privpc::NetworkSampler sampler(net);
  const std::size_t cut = 3 * privpc::simulation_block_rows;
  sampler.fill(pointers, cut, rows, 7, 1);
  sampler.fill(pointers, 0, cut, 7, 2);
  CHECK(sliced == one);
}

TEST_CASE("an invalid network is refused", "[sampler]") {
  const auto refused = [](void (*damage)(privpc::BayesNet&)) {
    privpc::BayesNet net = two_nodes();
    damage(net);
    CHECK_THROWS_AS(privpc::NetworkSampler{net}, std::invalid_argument);
  };
  refused([](privpc::BayesNet& net) { net.nodes[1].parents = {0}; });
  refused([](privpc::BayesNet& net) { net.nodes[0].parents = {5}; });
  refused([](privpc::BayesNet& net) { net.nodes[0].parents = {}; });
  refused([](privpc::BayesNet& net) { net.nodes[1].levels.clear(); });
  refused([](privpc::BayesNet& net) { net.nodes[1].probabilities = {0.5}; });
  refused([](privpc::BayesNet& net) { net.nodes[1].probabilities = {1.5, -0.5}; });
  refused([](privpc::BayesNet& net) { net.nodes[1].probabilities = {NAN, 1.0}; });
  refused([](privpc::BayesNet& net) { net.nodes[1].probabilities = {INFINITY, 0.0}; });
  refused([](privpc::BayesNet& net) { net.nodes[1].probabilities = {0.5, 0.4}; });
}
