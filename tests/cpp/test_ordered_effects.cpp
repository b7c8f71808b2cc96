// Ordered variables: their polynomials, what is expected of their effects, and the second reading
// that tests on noisy marginals have of them.
#include <catch.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "privpc/marginals/noisy_test.hpp"

using namespace privpc;

namespace {

constexpr double kRows = 20000;

// Exact contrasts of a table of shares (the second variable in the columns), with known noise.
Measurements store_of(const Matrix& table, bool first_ordered, bool second_ordered,
                      double variance) {
  const auto k = static_cast<std::uint32_t>(table.rows());
  const auto l = static_cast<std::uint32_t>(table.cols());
  Measurements store{Schema({{"a", k, first_ordered, false}, {"b", l, second_ordered, false}},
                            static_cast<std::uint64_t>(kRows))};
  const auto add = [&](const VariableSet& set, const Matrix& values) {
    store.add(set, {{values.data(), values.data() + values.size()}, variance});
  };
  const Matrix q = contrast_matrix(k), r = contrast_matrix(l);
  add(VariableSet{0}, cross_product(q, table.rowwise().sum()));
  add(VariableSet{1}, cross_product(r, table.colwise().sum().transpose()));
  // The second variable runs fastest.
  add(VariableSet{0, 1}, cross_product(r, outer_product(table.transpose(), q.transpose())));
  return store;
}

// Shares of 5 x 4 levels: independent but for `slope` times the product of the centred numbers, or
// of a function of them that goes up and down.
Matrix dependent_table(double slope, bool smooth) {
  const Vector p = Vector::LinSpaced(5, 0.3, 0.1), s = Vector::LinSpaced(4, 0.1, 0.4);
  Vector f(5), g(4);
  f << -2, -1, 0, 1, 2;
  g << -1.5, -0.5, 0.5, 1.5;
  if (!smooth) {
    f << 1, -2, 0, 2, -1;
    g << 1.5, -1.5, 1.5, -1.5;
  }
  const Vector u = p / p.sum(), v = s / s.sum();
  f.array() -= u.dot(f);
  g.array() -= v.dot(g);
  return outer_product(u, v) + slope * outer_product(u.cwiseProduct(f), v.cwiseProduct(g));
}

Matrix reversed(const Matrix& table) {
  return table.colwise().reverse();
}

// With much noise, which is where an order tells most.
NoisyReading reading(const Matrix& table, bool first_ordered, bool second_ordered) {
  const Measurements store = store_of(table, first_ordered, second_ordered, 3e-4);
  return NoisyTests(store).marginal(0, 1, 0.1);
}

// Values of the polynomials at the levels, as columns, and the shares of the levels.
struct Polynomials {
  explicit Polynomials(const Vector& shares) {
    const Matrix table = outer_product(shares, Vector::Constant(2, 0.5));
    const Measurements store = store_of(table, true, false, 1e-9);
    const NoisyVariable x = noisy_variable(store, 0, NoisyRegressionOptions{});
    axes = polynomial_axes(x.q, x.basis, x.spread);
    const Matrix whiten = weigh_columns(x.basis, x.spread.cwiseSqrt().cwiseInverse());
    values = outer_product(product(x.q.rowwise() - x.mean.transpose(), whiten), axes);
  }
  Matrix axes, values;
};

}  // namespace

TEST_CASE("the polynomials are orthonormal under the shares of the levels, by falling degree") {
  for (Index levels : {3, 4, 7, 12, 30}) {
    Vector shares = Vector::LinSpaced(levels, 1, 2);
    shares[1] = 0.4;
    shares /= shares.sum();
    const Polynomials found(shares);
    const Matrix gram =
        cross_product(found.values, weigh_columns(found.values.transpose(), shares).transpose());
    CHECK((gram - Matrix::Identity(levels - 1, levels - 1)).cwiseAbs().maxCoeff() < 1e-9);
    CHECK(found.values.transpose().operator*(shares).cwiseAbs().maxCoeff() < 1e-9);
    // The first is the number of the level, the second has a constant second difference.
    const Matrix& f = found.values;
    for (Index i = 2; i < levels; ++i) {
      CHECK(f(i, 0) - f(i - 1, 0) == Approx(f(1, 0) - f(0, 0)));
      if (i < 3) continue;
      CHECK(f(i, 1) - 2 * f(i - 1, 1) + f(i - 2, 1) == Approx(f(2, 1) - 2 * f(1, 1) + f(0, 1)));
    }
  }
}

TEST_CASE("polynomials are a rotation also where levels hardly occur") {
  Vector shares(6);
  shares << 0.6, 0.3, 0.0999, 1e-4, 0, 0;
  const Matrix axes = Polynomials(shares).axes;
  CHECK((outer_product(axes, axes) - Matrix::Identity(5, 5)).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("smooth effects have a total of 1, half as much with every degree") {
  const Vector shares = falling_shares(4);
  CHECK(shares.sum() == Approx(1));
  for (Index i = 1; i < 4; ++i)
    CHECK(shares[i] == Approx(shares[i - 1] / 2));
  const Measurements store = store_of(dependent_table(0.1, true), true, true, 1e-5);
  const NoisyVariable x = noisy_variable(store, 0, NoisyRegressionOptions{});
  const Matrix expected = smooth_effects(x.q, x.basis, x.spread);
  const Vector root = x.spread.cwiseSqrt().cwiseInverse();
  const Vector found = eigenvalues(expected.cwiseProduct(outer_product(root, root)));
  for (Index i = 0; i < 4; ++i)
    CHECK(found[3 - i] == Approx(shares[i]));
  CHECK(any_effects(x.spread).cwiseQuotient(Matrix(x.spread.asDiagonal())).diagonal().sum() ==
        Approx(1));
}

TEST_CASE("the prior of a pair is the product of those of its variables") {
  Matrix a(2, 2), b(3, 3);
  a << 2, 1, 1, 3;
  b << 5, 1, 0, 1, 4, 2, 0, 2, 6;
  const Matrix both = effects_of_pair(a, b);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 6; ++j)
      CHECK(both(i, j) == a(i / 3, j / 3) * b(i % 3, j % 3));
  }
}

TEST_CASE("two Bayes factors are averaged, the smaller of two p-values is doubled") {
  CHECK(mixed_evidence(std::log(3.0), std::log(5.0)) == Approx(std::log(4.0)));
  CHECK(mixed_evidence(800, -800) == Approx(800 - std::log(2.0)));
  CHECK(smaller_of_two(0.01, 0.3) == Approx(0.02));
  CHECK(smaller_of_two(0.7, 0.9) == 1);
}

TEST_CASE("a trend is seen sooner where the order is known, anything else nearly as well") {
  const Matrix trend = dependent_table(0.2, true), rough = dependent_table(0.2, false);
  const NoisyReading blind = reading(trend, false, false), one = reading(trend, true, false),
                     both = reading(trend, true, true);
  CHECK(both.p_value < one.p_value);
  CHECK(one.p_value < blind.p_value);
  CHECK(both.evidence > one.evidence);
  CHECK(one.evidence > blind.evidence);
  const NoisyReading plain = reading(rough, false, false), wrong = reading(rough, true, true);
  CHECK(wrong.p_value <= 2 * plain.p_value);
  CHECK(wrong.evidence >= plain.evidence - std::log(2.0));
  CHECK(wrong.effect == plain.effect);
}

TEST_CASE("counting the levels from the other end changes nothing") {
  for (bool smooth : {true, false}) {
    const Matrix table = dependent_table(0.02, smooth);
    const NoisyReading up = reading(table, true, true), down = reading(reversed(table), true, true);
    CHECK(down.p_value == Approx(up.p_value).epsilon(1e-6));
    CHECK(down.evidence == Approx(up.evidence).epsilon(1e-6));
  }
}

TEST_CASE("an order of two levels is none") {
  const Matrix table = dependent_table(0.03, true).topLeftCorner(2, 2);
  const Matrix shares = table / table.sum();
  CHECK(reading(shares, true, true).p_value == reading(shares, false, false).p_value);
  CHECK(reading(shares, true, true).evidence == reading(shares, false, false).evidence);
}

TEST_CASE("the second reading is that of the formula, and its p-value keeps its level") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const Index m = 6;
  Matrix root(m, m), prior(m, m);
  for (Index i = 0; i < root.size(); ++i) {
    root.data()[i] = 0.1 * normal(random);
    prior.data()[i] = normal(random);
  }
  root.diagonal().array() += 1;
  const Matrix v = outer_product(root, root), signal = outer_product(prior, prior);
  std::vector<double> diagonal;
  for (Index i = 0; i < m; ++i)
    diagonal.push_back(v(i, i));
  int small = 0, very_small = 0;
  const int times = 20000;
  for (int time = 0; time < times; ++time) {
    Vector z(m);
    for (Index i = 0; i < m; ++i)
      z[i] = normal(random);
    const Matrix d = product(root, z);
    const TrendReading found(d, diagonal, signal);
    const double p = found.p_value(v);
    small += p < 0.1;
    very_small += p < 0.01;
    if (time > 5) continue;
    const Matrix independent = Vector(v.diagonal()).asDiagonal();
    CHECK(found.evidence() == Approx(trend_evidence(d, independent, signal)));
    CHECK(found.p_value(independent) == Approx(found.p_value()));
    CHECK(found.p_value(2.0) > found.p_value());
  }
  // Within four standard errors, and what the approximation of the tail is off by.
  CHECK(std::fabs(small / double{times} - 0.1) < 0.012);
  CHECK(std::fabs(very_small / double{times} - 0.01) < 0.004);
}

TEST_CASE("given others the evidence is that of either prior") {
  for (bool smooth : {true, false}) {
    double evidence[2];
    for (bool ordered : {false, true}) {
      const Matrix table = dependent_table(0.02, smooth);
      Measurements store{Schema(
          {{"a", 5, ordered, false}, {"b", 4, ordered, false}, {"z", 2, false, false}}, 20000)};
      const Measurements pair = store_of(table, ordered, ordered, 2e-5);
      for (const auto& [set, measured] : pair.entries())
        store.add(set, measured);
      // z is independent of both.
      store.add(VariableSet{2}, {{0.1}, 2e-5});
      const Measured a = *store.find(VariableSet{0}), b = *store.find(VariableSet{1});
      for (std::size_t v : {0, 1}) {
        Measured with = v == 0 ? a : b;
        for (double& x : with.values)
          x *= 0.1;
        store.add(VariableSet{v, 2}, with);
      }
      evidence[ordered] = NoisyTests(store).conditional(0, 1, VariableSet{2}, 0.1).evidence;
    }
    if (smooth) {
      CHECK(evidence[1] > evidence[0] + 0.5);
    } else {
      CHECK(evidence[1] >= evidence[0] - std::log(2.0));
    }
  }
}
