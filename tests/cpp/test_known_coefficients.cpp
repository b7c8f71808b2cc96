// Tables as coefficients of an orthonormal basis: against tables that are known exactly.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "privpc/learners/marginal_pc.hpp"
#include "privpc/marginals/known_coefficients.hpp"
#include "privpc/marginals/reconstruct.hpp"

using namespace privpc;

namespace {

const std::vector<std::uint32_t> all_levels{2, 3, 4};

// A table of shares of three variables, the last one fastest; no two cells alike.
std::vector<double> some_shares() {
  std::vector<double> shares(24);
  for (std::size_t i = 0; i < shares.size(); ++i)
    shares[i] = 1 + std::fmod(7.3 * static_cast<double>(i * i), 5.1);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares)
    share /= sum;
  return shares;
}

// The table of the variables in this order, the first of them fastest.
std::vector<double> marginal(const std::vector<std::size_t>& variables) {
  const std::vector<double> shares = some_shares();
  std::size_t cells = 1;
  for (std::size_t v : variables)
    cells *= all_levels[v];
  std::vector<double> out(cells, 0);
  for (std::size_t cell = 0; cell < 24; ++cell) {
    const std::size_t level[] = {cell / 12, cell / 4 % 3, cell % 4};
    std::size_t at = 0;
    for (std::size_t i = variables.size(); i-- > 0;)
      at = at * all_levels[variables[i]] + level[variables[i]];
    out[at] += shares[cell];
  }
  return out;
}

// Contrasts by their definition: what is before level j, less j times what is in it.
Measured contrasts_by_hand(const VariableSet& set, double variance) {
  std::vector<std::size_t> fastest_first(set.begin(), set.end());
  std::reverse(fastest_first.begin(), fastest_first.end());
  std::vector<double> cells = marginal(fastest_first);
  // One axis after the other, the slowest first.
  std::size_t inner = cells.size();
  std::size_t outer = 1;
  for (auto v : set) {
    const std::size_t k = all_levels[v];
    inner /= k;
    std::vector<double> next;
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t j = 1; j < k; ++j) {
        for (std::size_t i = 0; i < inner; ++i) {
          double sum = 0;
          for (std::size_t level = 0; level < j; ++level)
            sum += cells[(o * k + level) * inner + i];
          sum -= static_cast<double>(j) * cells[(o * k + j) * inner + i];
          next.push_back(sum / std::sqrt(static_cast<double>(j * (j + 1))));
        }
      }
    }
    cells = next;
    outer *= k - 1;
  }
  return {cells, variance};
}

Measurements store_of(const std::vector<VariableSet>& sets) {
  std::vector<Variable> variables;
  for (std::uint32_t k : all_levels)
    variables.push_back({"", k, false, false});
  Measurements store(Schema(variables, 1000));
  double variance = 1e-6;
  for (const VariableSet& set : sets)
    store.add(set, contrasts_by_hand(set, variance *= 2));
  return store;
}

const std::vector<VariableSet> every_set{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}};

std::vector<double> shares_of(const KnownCoefficients& known) {
  const std::size_t cells = known.basis.size() / known.values.size();
  std::vector<double> out(cells, 0);
  for (std::size_t c = 0; c < known.values.size(); ++c) {
    for (std::size_t i = 0; i < cells; ++i)
      out[i] += known.values[c] * known.basis[c * cells + i];
  }
  return out;
}

}  // namespace

TEST_CASE("coefficients and basis give the table back, in any order of its variables") {
  const Measurements store = store_of(every_set);
  for (const std::vector<std::size_t>& asked : std::vector<std::vector<std::size_t>>{
           {0}, {2}, {0, 1}, {1, 0}, {2, 0}, {0, 1, 2}, {2, 0, 1}, {1, 2, 0}}) {
    const KnownCoefficients known = known_coefficients(store, asked);
    const std::vector<double> exact = marginal(asked), found = shares_of(known);
    REQUIRE(found.size() == exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i)
      CHECK(found[i] == Approx(exact[i]).margin(1e-14));
    CHECK(known.missing.empty());
    CHECK(known.values.size() == exact.size());
  }
}

TEST_CASE("the columns of the basis are orthonormal") {
  const KnownCoefficients known = known_coefficients(store_of(every_set), {1, 2, 0});
  for (std::size_t a = 0; a < 24; ++a) {
    for (std::size_t b = 0; b < 24; ++b) {
      double product = 0;
      for (std::size_t i = 0; i < 24; ++i)
        product += known.basis[a * 24 + i] * known.basis[b * 24 + i];
      CHECK(product == Approx(a == b ? 1 : 0).margin(1e-14));
    }
  }
}

TEST_CASE("the noise of a cell is that of the reconstruction") {
  const Measurements store = store_of(every_set);
  for (const std::vector<std::size_t>& asked :
       std::vector<std::vector<std::size_t>>{{1}, {2, 0}, {1, 2, 0}}) {
    const KnownCoefficients known = known_coefficients(store, asked);
    const std::size_t cells = known.basis.size() / known.values.size();
    VariableSet set;
    for (std::size_t v : asked)
      set.insert(v);
    const double se = reconstruct(store, set).standard_error;
    for (std::size_t i = 0; i < cells; ++i) {
      double variance = 0;
      for (std::size_t c = 0; c < known.values.size(); ++c)
        variance += known.basis[c * cells + i] * known.basis[c * cells + i] * known.variances[c];
      CHECK(std::sqrt(variance) == Approx(se).epsilon(1e-12));
    }
  }
}

TEST_CASE("what was not measured is told, and what was belongs to its set") {
  const KnownCoefficients known = known_coefficients(store_of({{0}, {1}, {2}, {0, 2}}), {2, 1, 0});
  CHECK((known.sets == std::vector<std::uint32_t>{1, 2, 4, 5}));
  CHECK((known.missing == std::vector<std::uint32_t>{3, 6, 7}));
  // The constant, then 3, 2, 1 and 3 contrasts.
  CHECK((known.belongs == std::vector<std::size_t>{0, 1, 1, 1, 2, 2, 3, 4, 4, 4}));
  CHECK_THROWS(known_coefficients(store_of({{0}}), {0, 0}));
}

TEST_CASE("the contrasts of a table are those that would be measured") {
  for (const VariableSet& set : every_set) {
    std::vector<std::size_t> fastest_first(set.begin(), set.end());
    std::reverse(fastest_first.begin(), fastest_first.end());
    std::vector<std::uint32_t> levels;
    for (auto v : set)
      levels.push_back(all_levels[v]);
    const std::vector<double> found = contrasts_of_table(marginal(fastest_first), levels);
    const std::vector<double> exact = contrasts_by_hand(set, 1).values;
    REQUIRE(found.size() == exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i)
      CHECK(found[i] == Approx(exact[i]).margin(1e-14));
  }
}

TEST_CASE("a graph from measurements is the skeleton with its colliders") {
  // Of three binary variables the outer two are independent, and the middle one is their parity
  // half of the time and leans to each of them: a collider.
  std::vector<Variable> variables(3, Variable{"", 2, false, false});
  Measurements store(Schema(variables, 100000));
  std::vector<double> cells(8);
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b) {
      const double yes = a + b == 2 ? 0.9 : a + b == 1 ? 0.5 : 0.1;
      cells[a * 4 + 0 * 2 + b] = 0.25 * (1 - yes);
      cells[a * 4 + 1 * 2 + b] = 0.25 * yes;
    }
  }
  const auto add = [&](const VariableSet& set) {
    std::vector<double> sums(std::size_t{1} << set.size(), 0);
    for (std::size_t cell = 0; cell < 8; ++cell) {
      std::size_t at = 0;
      for (auto v : set)
        at = at * 2 + (cell >> (2 - v) & 1);
      sums[at] += cells[cell];
    }
    store.add(set, {contrasts_of_table(sums, std::vector<std::uint32_t>(set.size(), 2)), 1e-8});
  };
  for (const VariableSet& set : every_set)
    add(set);
  const Fit learnt = learn_from_tables(store, TableSearch(), Knowledge(3));
  CHECK(learnt.graph.is_directed(0, 1));
  CHECK(learnt.graph.is_directed(2, 1));
  CHECK(learnt.graph.neighbours(0).size() == 1);
  REQUIRE(learnt.separations.size() == 1);
  CHECK(learnt.separations[0].given.empty());
}
