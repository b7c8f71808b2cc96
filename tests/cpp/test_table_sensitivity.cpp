// Table sensitivities against every pair of cells there is.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "privpc/statistic/table_sensitivity.hpp"

using namespace privpc;

namespace {

// The residual table of a table of counts: in every dimension the mean is taken out.
std::vector<double> residual(std::vector<double> table, const std::vector<std::uint32_t>& levels) {
  std::size_t stride = 1;
  for (std::uint32_t k : levels) {
    for (std::size_t start = 0; start < table.size(); ++start) {
      if (start / stride % k != 0) continue;
      double mean = 0;
      for (std::uint32_t l = 0; l < k; ++l)
        mean += table[start + l * stride] / k;
      for (std::uint32_t l = 0; l < k; ++l)
        table[start + l * stride] -= mean;
    }
    stride *= k;
  }
  return table;
}

}  // namespace

TEST_CASE("no replacement moves a table or its residual by more than stated, and some by that") {
  const std::vector<std::vector<std::uint32_t>> shapes{
      {2},       {5},       {2, 2},       {2, 3}, {4, 4},   {2, 2, 2},
      {2, 3, 4}, {3, 3, 3}, {2, 2, 2, 2}, {1, 3}, {2, 5, 2}};
  for (const auto& levels : shapes) {
    std::size_t cells = 1;
    for (std::uint32_t k : levels)
      cells *= k;
    double worst = 0, worst_l1 = 0, worst_l2 = 0;
    for (std::size_t a = 0; a < cells; ++a) {
      for (std::size_t b = 0; b < cells; ++b) {
        // The tables are linear in the records: the difference of neighbours is that of two cells.
        std::vector<double> difference(cells, 0.0);
        difference[a] += 1;
        difference[b] -= 1;
        double l1 = 0, l2 = 0, moved = 0;
        for (double x : difference) {
          l1 += std::fabs(x);
          l2 += x * x;
        }
        for (double x : residual(difference, levels))
          moved += x * x;
        worst = std::max(worst, moved);
        worst_l1 = std::max(worst_l1, l1);
        worst_l2 = std::max(worst_l2, std::sqrt(l2));
      }
    }
    REQUIRE(worst == Approx(residual_l2_squared(levels)).margin(1e-12));
    if (cells > 1) {
      REQUIRE(worst_l1 == kCountsL1Sensitivity);
      REQUIRE(worst_l2 == Approx(counts_l2_sensitivity()));
    }
  }
  REQUIRE_THROWS(residual_l2_squared({}));
}
