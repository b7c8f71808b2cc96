// Variables with many levels have faster ways of their own: lanes, sums of functions of one
// variable each, scores that are kept. Each against the plain way.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "privpc/marginals/noisy_test.hpp"
#include "privpc/search/contrast_regressions.hpp"
#include "privpc/search/graph_score.hpp"
#include "privpc/search/ridge_regression.hpp"
#include "simulated.h"

using namespace privpc;
using namespace privpc_test;

namespace {

Matrix random_numbers(Index rows, Index columns, Xoshiro256& random) {
  Matrix out(rows, columns);
  for (Index i = 0; i < out.size(); ++i)
    out.data()[i] = 2 * next_uniform(random) - 1;
  return out;
}

double largest(const Matrix& difference) {
  return difference.size() == 0 ? 0 : difference.cwiseAbs().maxCoeff();
}

Measurements random_measurements(const std::vector<std::uint32_t>& levels, bool triples,
                                 std::uint64_t seed) {
  std::vector<Variable> variables;
  for (std::size_t v = 0; v < levels.size(); ++v)
    variables.push_back({"v" + std::to_string(v), levels[v], false, false});
  Measurements store{Schema(variables, 20000)};
  Xoshiro256 random = simulation_stream(seed, 0);
  VariableSet all;
  for (std::size_t v = 0; v < levels.size(); ++v)
    all.insert(v);
  for (std::uint32_t mask = 1; mask < 1u << levels.size(); ++mask) {
    const VariableSet set = subset(all, mask);
    if (set.size() > (triples ? 3u : 2u)) continue;
    Measured measured;
    measured.variance = 1e-6 * (1 + mask);
    measured.values.resize(contrast_count(levels_of(store.schema(), set)));
    for (double& x : measured.values)
      x = 0.1 * (2 * next_uniform(random) - 1) / static_cast<double>(set.size());
    store.add(set, measured);
  }
  return store;
}

}  // namespace

TEST_CASE("products in lanes are those of plain loops, and the same bits with AVX2") {
  Xoshiro256 random = simulation_stream(1, 0);
  for (Index rows : {1, 7, 18, 20, 21, 41}) {
    for (Index inner : {1, 2, 30}) {
      for (Index columns : {1, 2, 17}) {
        INFO(rows << " x " << inner << " x " << columns);
        const Matrix a = random_numbers(rows, inner, random);
        const Matrix b = random_numbers(inner, columns, random);
        Matrix expected = Matrix::Zero(rows, columns);
        for (Index i = 0; i < rows; ++i) {
          for (Index j = 0; j < columns; ++j) {
            for (Index k = 0; k < inner; ++k)
              expected(i, j) += a(i, k) * b(k, j);
          }
        }
        Matrix best(rows, columns), portable(rows, columns);
        lanes::multiply(detail::view(a), detail::view(b), best.data());
        lanes::multiply(detail::view(a), detail::view(b), portable.data(),
                        lanes::portable_products());
        REQUIRE(best == portable);
        REQUIRE(largest(best - expected) < 1e-13);
      }
    }
  }
  // Blocks of larger matrices, turned and not: large enough to go this way.
  const Matrix wide = random_numbers(60, 60, random);
  const auto a = wide.block(3, 5, 19, 40), b = wide.block(10, 11, 19, 40);
  REQUIRE(largest(outer_product(a, b) - Matrix(a * b.transpose())) < 1e-12);
  REQUIRE(largest(cross_product(a, b) - Matrix(a.transpose() * b)) < 1e-12);
  REQUIRE(largest(product(a, b.transpose()) - Matrix(a * b.transpose())) < 1e-12);
}

TEST_CASE("regressions side by side are those of one contrast after the other") {
  Xoshiro256 random = simulation_stream(2, 0);
  const Index most_rows = 30, most_columns = 9;
  RidgeRegression single(most_rows, most_columns);
  ContrastRegressions best(most_rows, most_columns),
      portable(most_rows, most_columns, lanes::portable_solvers());
  // Larger ones first: what they leave behind must not show.
  for (Index columns = 9; columns >= 1; --columns) {
    for (Index count : {23, 18, 5, 1}) {
      const std::vector<Index> ends =
          columns % 2 == 0 ? std::vector<Index>{9, 20, 30} : std::vector<Index>{4, 15};
      const Index rows = ends.back();
      INFO(rows << " rows, " << columns << " columns, " << count << " targets");
      Matrix h = random_numbers(rows, columns, random);
      // Zeros as covariances have them: a whole block; all but one; at either end of a block.
      h.col(0).segment(ends[0], ends[1] - ends[0]).setZero();
      for (Index i = 0; i < ends[0]; ++i) {
        for (Index j = 0; j < columns; ++j)
          h(i, j) = i == j ? 1 : 0;
      }
      h(ends[0], columns - 1) = h(ends[1] - 1, columns / 2) = 0;
      const Matrix c = random_numbers(rows, count, random);
      const Matrix w = random_numbers(rows, count, random).array().abs() + 0.1;
      const Vector r = random_numbers(columns, 1, random).array().abs() + 0.5;
      Matrix among = Matrix::Identity(most_columns, most_columns);
      among.topLeftCorner(columns, columns) += h.transpose() * h;
      for (ContrastRegressions* many : {&best, &portable}) {
        many->resize(rows, columns);
        for (Index j = 0; j < columns; ++j) {
          many->ridge()[j] = r[j];
          for (Index i = 0; i < rows; ++i)
            many->column(j)[i] = h(i, j);
        }
        many->find_runs(ends);
      }
      single.resize(rows, columns);
      for (Index j = 0; j < columns; ++j) {
        single.ridge()[j] = r[j];
        std::copy_n(h.col(j).data(), rows, single.column(j));
      }
      const auto solve = [&](ContrastRegressions& many, Matrix& beta, Matrix& numbers) {
        const Index lanes = many.lanes_for(count);
        many.set_lanes(lanes);
        for (Index first = 0; first < count; first += lanes) {
          const Index used = std::min(lanes, count - first);
          for (Index i = 0; i < rows; ++i) {
            for (Index lane = 0; lane < lanes; ++lane) {
              many.weights(i)[lane] = lane < used ? w(i, first + lane) : 0;
              many.targets(i)[lane] = lane < used ? c(i, first + lane) : 0;
            }
          }
          many.solve(among);
          for (Index lane = 0; lane < used; ++lane) {
            for (Index j = 0; j < columns; ++j)
              beta(j, first + lane) = many.beta(j, lane);
            numbers.col(first + lane) << many.left(lane), many.log_determinant(lane),
                many.log_weights(lane), many.explained(lane);
          }
        }
      };
      Matrix beta(columns, count), numbers(4, count), other_beta = beta, other_numbers = numbers;
      solve(best, beta, numbers);
      solve(portable, other_beta, other_numbers);
      REQUIRE(beta == other_beta);
      REQUIRE(numbers == other_numbers);
      for (Index a = 0; a < count; ++a) {
        std::copy_n(c.col(a).data(), rows, single.target());
        std::copy_n(w.col(a).data(), rows, single.weights());
        Vector expected(columns);
        single.solve(expected.data());
        REQUIRE((expected - beta.col(a)).norm() < 1e-10);
        REQUIRE(numbers(0, a) == Approx(single.left()).margin(1e-10));
        REQUIRE(numbers(1, a) == Approx(single.log_determinant()).margin(1e-10));
        REQUIRE(numbers(2, a) == Approx(w.col(a).array().log().sum()).margin(1e-10));
        const Matrix s = among.topLeftCorner(columns, columns);
        REQUIRE(numbers(3, a) == Approx(expected.dot(s * expected)).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("a variable of many levels has the score of its contrasts one by one") {
  const BayesNet net = random_tables({{}, {0}, {0, 1}, {2}, {1, 3}}, {6, 12, 5, 9, 2}, 1, 5);
  for (double rho : {0.01, 5.0}) {
    Simulated data(net, 50000, 1);
    const WhitenedPairs pairs(data.measure(rho, 7));
    ScoreRules rules;
    rules.interaction = 0.5;
    NodeScore together(pairs, rules), one_by_one(pairs, rules, 1000);
    Matrix implied = Matrix::Identity(pairs.contrasts(), pairs.contrasts());
    Matrix other = implied;
    std::vector<char> before(5, 0);
    const std::vector<Parents> parents{{}, {0}, {0, 1}, {2}, {1, 3}};
    // The second time scores and coefficients are those that were kept.
    for (int round = 0; round < 2; ++round) {
      implied = other = Matrix::Identity(pairs.contrasts(), pairs.contrasts());
      before.assign(5, 0);
      for (std::size_t y = 0; y < 5; ++y) {
        INFO("round " << round << ", variable " << y << ", rho " << rho);
        const double score = together.evaluate(y, parents[y], before, implied);
        REQUIRE(score == Approx(one_by_one.evaluate(y, parents[y], before, other)).epsilon(1e-9));
        together.write_covariances(y, before, implied);
        one_by_one.write_covariances(y, before, other);
        REQUIRE(largest(implied - other) < 1e-9);
        before[y] = 1;
      }
    }
    // What is kept depends on the covariances and on who is before.
    const double score = together.evaluate(3, {2}, {1, 1, 1, 0, 0}, implied);
    REQUIRE(together.evaluate(3, {2}, {1, 0, 1, 0, 0}, implied) != score);
    REQUIRE(together.evaluate(3, {1}, {1, 1, 1, 0, 0}, implied) != score);
    implied(pairs.start(2), 0) = implied(0, pairs.start(2)) += 0.01;
    REQUIRE(together.evaluate(3, {2}, {1, 1, 1, 0, 0}, implied) != score);
  }
}

TEST_CASE("additive conditions of many levels are those of the full basis") {
  for (const VariableSet& given : {VariableSet{2, 3}, VariableSet{3}, VariableSet{2, 3, 4}}) {
    INFO(given.size() << " conditions");
    const Measurements store = random_measurements({14, 11, 3, 12, 2}, false, 3);
    const NoisyRegressionOptions options;
    std::uint32_t subsets = 0;
    for (std::uint32_t mask = 0; mask < 1u << given.size(); ++mask) {
      if (subset(given, mask).size() < 2) subsets |= 1u << mask;
    }
    const NoisyConditions z = noisy_conditions(store, given, subsets, options);
    REQUIRE(z.additive);
    NoisyConditions plain = z;
    plain.additive = false;
    Xoshiro256 random = simulation_stream(4, 0);
    const Matrix coefficients = random_numbers(7, z.features(), random);
    const Matrix table = random_numbers(7, z.cells, random);
    REQUIRE(largest(z.in_cells(coefficients) - plain.in_cells(coefficients)) < 1e-12);
    REQUIRE(largest(z.times_features(table) - plain.times_features(table)) < 1e-11);
    std::vector<NoisyRegression> fast, slow;
    for (std::size_t v : {0, 1}) {
      const NoisyVariable own = noisy_variable(store, v, options);
      fast.push_back(noisy_regression(store, v, own, z, options));
      slow.push_back(noisy_regression(store, v, own, plain, options));
      REQUIRE(fast[v].share_left == Approx(slow[v].share_left).epsilon(1e-10));
      REQUIRE(largest(fast[v].predicted - slow[v].predicted) < 1e-12);
      REQUIRE((fast[v].spread - slow[v].spread).norm() < 1e-12);
      // But for the signs of the principal contrasts.
      REQUIRE(largest(fast[v].fitted.cwiseAbs() - slow[v].fitted.cwiseAbs()) < 1e-8);
    }
    std::vector<double> workspace, other_workspace;
    const LeftCovariance left(fast[0], fast[1], z, 1e-5, 20000, workspace);
    const LeftCovariance by_table(slow[0], slow[1], plain, 1e-5, 20000, other_workspace);
    REQUIRE(workspace.empty());
    REQUIRE_FALSE(other_workspace.empty());
    const Matrix expected = by_table.variances();
    REQUIRE(largest((left.variances() - expected).cwiseQuotient(expected)) < 1e-8);
    // The noise of the table of the conditions must be seen in it.
    NoisyConditions without = plain;
    without.noise_variance.setZero();
    const LeftCovariance smaller(slow[0], slow[1], without, 1e-5, 20000, other_workspace);
    REQUIRE(largest((smaller.variances() - expected).cwiseQuotient(expected)) > 1e-5);
    const Matrix pair = random_numbers(10, 13, random);
    REQUIRE(largest(left.left_of(pair).cwiseAbs() - by_table.left_of(pair).cwiseAbs()) < 1e-8);
  }
}

TEST_CASE("where all interactions are features, the nearest function is the function itself") {
  const Measurements store = random_measurements({3, 2, 10, 11}, true, 5);
  const NoisyConditions z = noisy_conditions(store, {2, 3}, 0b1111, {});
  REQUIRE(z.saturated);
  Xoshiro256 random = simulation_stream(6, 0);
  const Matrix function = random_numbers(4, z.cells, random);
  const Matrix coefficients = z.nearest(function);
  REQUIRE(largest(z.in_cells(coefficients) - function) < 1e-11);
  // As least squares finds it.
  NoisyConditions plain = z;
  plain.saturated = false;
  const Matrix features = z.in_cells(Matrix::Identity(z.features(), z.features()));
  plain.lifted =
      CholeskyFactor(Matrix(features * z.lifted_share.asDiagonal() * features.transpose()));
  REQUIRE(largest(plain.nearest(function) - coefficients) < 1e-8);
  // Without the interactions it is not.
  REQUIRE_FALSE(noisy_conditions(store, {2, 3}, 0b0111, {}).saturated);
}
