// The covariance of what conditions leave of two variables, and what is read off it: against the
// equations of noisy_test.hpp, written out as loops.
#include <catch.h>

#include <Eigen/LU>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "privpc/marginals/noisy_test.hpp"

using namespace privpc;

namespace {

// Contrasts of a random table of 3, 4, 2 and 3 levels, with a little noise: all singles and pairs,
// and the triples of the last two variables with each of the others.
Measurements random_store(std::uint64_t seed) {
  const std::vector<std::uint32_t> levels{3, 4, 2, 3};
  std::vector<Variable> variables;
  for (std::size_t v = 0; v < levels.size(); ++v)
    variables.push_back({"v" + std::to_string(v), levels[v], false, false});
  Measurements store{Schema(variables, 5000)};
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  for (std::uint32_t mask = 1; mask < 16; ++mask) {
    const VariableSet set = subset(VariableSet{0, 1, 2, 3}, mask);
    const bool triple = mask == 0b1101 || mask == 0b1110;
    if (set.size() > 2 && !triple) continue;
    Measured measured;
    measured.variance = 1e-4 * (1 + mask);
    measured.values.resize(contrast_count(levels_of(store.schema(), set)));
    for (double& x : measured.values)
      x = 0.08 * normal(random);
    store.add(set, measured);
  }
  return store;
}

struct Parts {
  explicit Parts(const Measurements& store, bool interactions) : kept(store) {
    const std::uint32_t subsets = interactions ? 0b1111 : 0b0111;
    z = &kept.conditions(given, subsets);
    x = &kept.regression(0, given, subsets, *z);
    y = &kept.regression(1, given, subsets, *z);
    kept.need_covariances(0, given, subsets);
    kept.need_covariances(1, given, subsets);
  }
  KeptRegressions kept;
  VariableSet given{2, 3};
  const NoisyConditions* z;
  const NoisyRegression* x;
  const NoisyRegression* y;
};

}  // namespace

TEST_CASE("inside a cell the contrasts of x have the covariance of the predicted distribution") {
  const Measurements store = random_store(1);
  const Parts parts(store, true);
  const NoisyRegression& r = *parts.y;
  for (Index cell = 0; cell < parts.z->cells; ++cell) {
    CHECK(r.predicted.col(cell).sum() == Approx(1));
    CHECK(r.predicted.col(cell).minCoeff() > 0);
    Index packed = 0;
    for (Index i = 0; i < 3; ++i) {
      for (Index s = 0; s <= i; ++s, ++packed) {
        double both = 0, first = 0, second = 0;
        for (Index level = 0; level < 4; ++level) {
          const double p = r.predicted(level, cell);
          both += p * r.rotated(level, i) * r.rotated(level, s);
          first += p * r.rotated(level, i);
          second += p * r.rotated(level, s);
        }
        CHECK(r.covariance_in_cell(packed, cell) == Approx(both - first * second).margin(1e-14));
        if (s == i) {
          CHECK(r.spread_in_cell(i, cell) == Approx(both - first * second).margin(1e-14));
        }
      }
    }
  }
}

TEST_CASE("V is the noise of the four measured parts, and sampling") {
  for (bool interactions : {true, false}) {
    const Measurements store = random_store(2);
    const Parts parts(store, interactions);
    const NoisyConditions& z = *parts.z;
    const NoisyRegression &x = *parts.x, &y = *parts.y;
    std::vector<double> workspace;
    const double pair_variance = 0.003, rows = 5000;
    const LeftCovariance left(x, y, z, pair_variance, rows, workspace);
    const Index nx = 2, ny = 3;
    // The basis of z, a function in every row: 2 x 3 levels.
    const std::vector<double> first = orthonormal_basis(2), second = orthonormal_basis(3);
    const auto packed = [](Index i, Index s) {
      return std::max(i, s) * (std::max(i, s) + 1) / 2 + std::min(i, s);
    };
    const Matrix full = left.full(), variances = left.variances();
    for (Index i = 0; i < nx; ++i) {
      for (Index j = 0; j < ny; ++j) {
        for (Index s = 0; s < nx; ++s) {
          for (Index t = 0; t < ny; ++t) {
            double v = i == s && j == t ? pair_variance : 0;
            for (Index f = 0; f < z.features(); ++f) {
              if (i == s) v += y.slopes(j, f) * x.variances[f] * y.slopes(t, f);
              if (j == t) v += x.slopes(i, f) * y.variances[f] * x.slopes(s, f);
            }
            for (std::size_t place = 0; place < 6; ++place) {
              double one = 0, other = 0;
              for (std::size_t cell = 0; cell < 6; ++cell) {
                const double value =
                    first[cell / 3 * 2 + place / 3] * second[cell % 3 * 3 + place % 3];
                const Index at = static_cast<Index>(cell);
                one += value * x.fitted(i, at) * y.fitted(j, at);
                other += value * x.fitted(s, at) * y.fitted(t, at);
              }
              v += z.noise_variance[static_cast<Index>(place)] * one * other;
            }
            for (Index cell = 0; cell < 6; ++cell) {
              v += z.clipped[cell] / rows * x.covariance_in_cell(packed(i, s), cell) *
                   y.covariance_in_cell(packed(j, t), cell);
            }
            const Index row = i * ny + j, column = s * ny + t;
            if (row >= column) CHECK(full(row, column) == Approx(v).scale(0).epsilon(1e-10));
            if (row == column) CHECK(variances(j, i) == Approx(v).scale(0).epsilon(1e-10));
          }
        }
      }
    }
  }
}

TEST_CASE("D is what the regressions leave, and a reading is read off D and V") {
  const Measurements store = random_store(3);
  const Parts parts(store, true);
  const NoisyConditions& z = *parts.z;
  const NoisyRegression &x = *parts.x, &y = *parts.y;
  std::vector<double> workspace;
  const Measured& pair = *store.find(VariableSet{0, 1});
  const LeftCovariance left(x, y, z, pair.variance, store.rows(), workspace);
  const Eigen::Map<const Matrix> measured(pair.values.data(), 3, 2);
  const Matrix d = left.left_of(measured);
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 3; ++j) {
      double expected = 0;
      for (Index s = 0; s < 2; ++s) {
        for (Index t = 0; t < 3; ++t)
          expected +=
              x.basis(s, i) * y.basis(t, j) * pair.values[static_cast<std::size_t>(s * 3 + t)];
      }
      for (Index f = 0; f < z.features(); ++f)
        expected -= x.moments(i, f) * y.slopes(j, f) + y.moments(j, f) * x.slopes(i, f);
      for (Index cell = 0; cell < z.cells; ++cell)
        expected += z.share[cell] * x.fitted(i, cell) * y.fitted(j, cell);
      CHECK(d(j, i) == Approx(expected).margin(1e-14));
    }
  }

  // The Bayes factor by the definition, with the inverse and the determinant of the whole matrix.
  const double prior = 0.1;
  Matrix v = left.full();
  v = v.selfadjointView<Eigen::Lower>();
  Matrix wide = v;
  Vector flat(6);
  double effect = 0, noise = 0;
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 3; ++j) {
      const Index at = i * 3 + j;
      const double spread = x.spread[i] * y.spread[j];
      flat[at] = d(j, i);
      wide(at, at) += prior / 6 * spread;
      effect += (d(j, i) * d(j, i) - v(at, at)) / spread;
      noise += v(at, at) / spread;
    }
  }
  const double distance = flat.dot(v.inverse() * flat);
  const double evidence = (distance - flat.dot(wide.inverse() * flat) -
                           std::log(wide.determinant() / v.determinant())) /
                          2;
  NoisyTests tests(store);
  for (bool swapped : {false, true}) {
    const NoisyReading reading = tests.conditional(swapped, !swapped, VariableSet{2, 3}, prior);
    CHECK(reading.df == 6);
    CHECK(reading.distance == Approx(distance).scale(0).epsilon(1e-9));
    CHECK(reading.statistic == reading.distance);
    CHECK(reading.evidence == Approx(evidence).scale(0).epsilon(1e-9));
    CHECK(reading.effect == Approx(effect).scale(0).epsilon(1e-9));
    CHECK(reading.effect_noise == Approx(noise).scale(0).epsilon(1e-9));
    CHECK(reading.share_left == std::min(x.share_left, y.share_left));
  }
}

TEST_CASE("a reading is finished only where its effect is wanted") {
  const Measurements store = random_store(4);
  NoisyTests tests(store);
  for (const VariableSet& given : {VariableSet{}, VariableSet{2}, VariableSet{2, 3}}) {
    const NoisyReading whole = tests.conditional(0, 1, given, 0.1);
    const auto asked = [&](bool wanted) {
      return tests.conditional_if(0, 1, given, 0.1, [&](const NoisyEffect& found) {
        CHECK(found.effect == whole.effect);
        CHECK(found.effect_noise == whole.effect_noise);
        CHECK(found.share_left == whole.share_left);
        return wanted;
      });
    };
    CHECK_FALSE(asked(false).has_value());
    REQUIRE(asked(true).has_value());
    CHECK(asked(true)->evidence == whole.evidence);
  }
}

TEST_CASE("elements that are taken for independent give the reading of a diagonal matrix") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0.5, 2);
  Matrix d(3, 4), variances(3, 4), signal(3, 4);
  for (Index i = 0; i < d.size(); ++i) {
    d.data()[i] = uniform(random) - 1.2;
    variances.data()[i] = uniform(random);
    signal.data()[i] = uniform(random);
  }
  const NoisyEffect effect = read_effect(d, variances, signal);
  Matrix v = Matrix::Zero(12, 12);
  for (Index i = 0; i < 12; ++i)
    v(i, i) = variances.data()[i];
  const NoisyReading quick = read_variances(effect, d, variances, signal);
  const NoisyReading whole = read_covariance(effect, d, v, signal);
  CHECK(quick.effect == effect.effect);
  CHECK(quick.df == 12);
  CHECK(quick.distance == Approx(whole.distance).scale(0).epsilon(1e-12));
  CHECK(quick.evidence == Approx(whole.evidence).scale(0).epsilon(1e-12));
  CHECK(quick.p_value == Approx(whole.p_value).scale(0).epsilon(1e-12));
}
