// The smooth sensitivity of a median against its definition, which looks at every window.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/simulation_rng.hpp"
#include "privpc/privacy/smooth_sensitivity.hpp"

using namespace privpc;

namespace {

using Values = std::vector<std::int64_t>;

constexpr std::int64_t kTop = std::int64_t{1} << 30;

// The maximum over k of exp(-k decay) times the widest spread of k + 2 values around the median.
double by_definition(const Values& sorted, double decay) {
  const auto m = static_cast<std::int64_t>(sorted.size());
  const std::int64_t centre = (m - 1) / 2;
  const auto at = [&](std::int64_t i) {
    if (i < 0) return std::int64_t{0};
    return i >= m ? kTop : sorted[static_cast<std::size_t>(i)];
  };
  double largest = 1;
  for (std::int64_t k = 0; k <= m; ++k) {
    std::int64_t spread = 0;
    for (std::int64_t t = 0; t <= k + 1; ++t)
      spread = std::max(spread, at(centre + t) - at(centre + t - k - 1));
    largest =
        std::max(largest, std::exp(-static_cast<double>(k) * decay) * static_cast<double>(spread));
  }
  return largest;
}

// Of several kinds: anywhere, close together, on few places, growing by factors, all alike.
Values drawn(Xoshiro256& random, std::size_t m, int kind) {
  const auto below = [&](std::uint64_t bound) {
    return static_cast<std::int64_t>(random.next() % bound);
  };
  Values values;
  for (std::size_t i = 0; i < m; ++i) {
    switch (kind) {
      case 0:
        values.push_back(below(kTop + 1));
        break;
      case 1:
        values.push_back(kTop / 2 + below(100));
        break;
      case 2:
        values.push_back(below(4) * (kTop / 3));
        break;
      case 3:
        values.push_back(kTop >> below(31));
        break;
      case 4:
        values.push_back(i % 2 == 0 ? kTop >> below(31) : kTop - (kTop >> below(31)));
        break;
      default:
        values.push_back(kTop / 3);
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

double largest(const Values& sorted, double decay) {
  return SmoothSensitivity(sorted, kTop, decay).largest();
}

class Counting : public Monitor {
 public:
  void progress(std::size_t, std::size_t, std::size_t) override {}
  void breathe() override { ++asked; }
  std::size_t asked = 0;
};

}  // namespace

TEST_CASE("the smooth sensitivity is that of its definition") {
  Xoshiro256 random = simulation_stream(31, 0);
  for (double decay : {-1e-3, -1e-9, 0.0, 1e-17, 1e-9, 2.5e-6, 1e-3, 0.03, 0.3, 0.6931471805599453,
                       2.0, 10.0, 25.0, 800.0}) {
    for (std::size_t m : {1u, 2u, 3u, 4u, 5u, 8u, 21u, 64u, 200u}) {
      for (int kind = 0; kind < 6; ++kind) {
        for (int again = 0; again < 3; ++again) {
          const Values values = drawn(random, m, kind);
          const double expected = by_definition(values, decay);
          INFO("decay " << decay << ", values " << m << ", kind " << kind);
          REQUIRE(largest(values, decay) == Approx(expected).epsilon(1e-12));
        }
      }
    }
  }
}

TEST_CASE("of windows that are as good as each other to the last digits the best is found") {
  // Right ends that grow by the factor by which the weights fall: each is as good as the others.
  for (int steps : {1, 2, 7}) {
    const double decay = std::log(2.0) / steps;
    for (int nudged = -1; nudged < 25 * steps; ++nudged) {
      const std::size_t half = static_cast<std::size_t>(25 * steps);
      Values values(2 * half + 1, 0);
      for (std::size_t i = 0; i < half; ++i) {
        const auto place = static_cast<std::int64_t>(
            std::llround(16 * std::exp(decay * (1.0 + static_cast<double>(i)))));
        values[half + 1 + i] = place + (static_cast<int>(i) == nudged ? 1 : 0);
      }
      std::sort(values.begin(), values.end());
      REQUIRE(largest(values, decay) == Approx(by_definition(values, decay)).epsilon(1e-12));
    }
  }
}

TEST_CASE("the smooth sensitivity of many values takes far less than their square") {
  Xoshiro256 random = simulation_stream(32, 0);
  for (int kind : {0, 3, 5}) {
    const Values values = drawn(random, 300000, kind);
    for (double decay : {1e-9, 2.5e-6, 1e-4}) {
      Counting monitor;
      const Listening listening(monitor);
      CHECK(largest(values, decay) >= 1);
      // Asked once in 65,536 values; all windows would be 20 times as many as that squared.
      CHECK(monitor.asked < 1000);
      CHECK(monitor.asked > 3);
    }
  }
}
