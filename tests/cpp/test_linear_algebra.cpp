// Dense linear algebra and changes of basis behind the tests on noisy marginals, against plain
// loops.
#include <catch.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/noisy_conditions.hpp"
#include "privpc/marginals/table_basis.hpp"

using namespace privpc;

namespace {

Matrix random_matrix(Index rows, Index columns, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Matrix out(rows, columns);
  for (Index j = 0; j < columns; ++j) {
    for (Index i = 0; i < rows; ++i)
      out(i, j) = normal(random);
  }
  return out;
}

double largest_difference(const Matrix& a, const Matrix& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.cols() == b.cols());
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff();
}

// a b, by the definition.
Matrix plain_product(const Matrix& a, const Matrix& b) {
  Matrix out = Matrix::Zero(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < b.cols(); ++j) {
      for (Index k = 0; k < a.cols(); ++k)
        out(i, j) += a(i, k) * b(k, j);
    }
  }
  return out;
}

Matrix transposed(const Matrix& a) {
  Matrix out(a.cols(), a.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j)
      out(j, i) = a(i, j);
  }
  return out;
}

Matrix diagonal(const Vector& values) {
  Matrix out = Matrix::Zero(values.size(), values.size());
  for (Index i = 0; i < values.size(); ++i)
    out(i, i) = values[i];
  return out;
}

Matrix positive_definite(Index n, std::mt19937_64& random) {
  const Matrix root = random_matrix(n, n, random);
  return plain_product(transposed(root), root) + Matrix::Identity(n, n);
}

}  // namespace

TEST_CASE("products are those of the plain loops") {
  std::mt19937_64 random(1);
  for (Index n : {1, 2, 5, 9, 40}) {
    const Matrix a = random_matrix(3, n, random), b = random_matrix(n, 4, random);
    const Matrix c = random_matrix(7, n, random);
    const Vector weight = random_matrix(n, 1, random);
    CHECK(largest_difference(product(a, b), plain_product(a, b)) < 1e-12);
    CHECK(largest_difference(outer_product(a, c), plain_product(a, transposed(c))) < 1e-12);
    CHECK(largest_difference(cross_product(transposed(a), b), plain_product(a, b)) < 1e-12);
    const Matrix weighted = plain_product(a, diagonal(weight));
    CHECK(largest_difference(weigh_columns(a, weight), weighted) < 1e-15);
    CHECK(largest_difference(weighted_product(a, weight, c),
                             plain_product(weighted, transposed(c))) < 1e-12);
  }
}

TEST_CASE("eigenvalues and eigenvectors rebuild the matrix") {
  std::mt19937_64 random(2);
  for (Index n : {1, 2, 3, 7, 8, 20, 60}) {
    const Matrix a = positive_definite(n, random);
    const PrincipalAxes axes(a);
    const Matrix scaled = plain_product(axes.vectors, diagonal(axes.values));
    const double size = static_cast<double>(n);
    CHECK(largest_difference(plain_product(scaled, transposed(axes.vectors)), a) < 1e-11 * size);
    CHECK(largest_difference(plain_product(transposed(axes.vectors), axes.vectors),
                             Matrix::Identity(n, n)) < 1e-12 * size);
    CHECK(largest_difference(eigenvalues(a), axes.values) < 1e-11 * size);
  }
}

TEST_CASE("a Cholesky factor solves, and knows the determinant") {
  std::mt19937_64 random(3);
  for (Index n : {1, 2, 9, 30, 150}) {
    const Matrix a = positive_definite(n, random);
    Matrix lower = a;  // what is above the diagonal must not be read
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < j; ++i)
        lower(i, j) = 1e9;
    }
    const CholeskyFactor factor(lower);
    const Matrix b = random_matrix(5, n, random);
    const Matrix solved = factor.solve_rows(b);
    CHECK(largest_difference(plain_product(solved, a), b) < 1e-10);
    const Vector right = transposed(b.topRows(1));
    const double form = plain_product(solved.topRows(1), right)(0, 0);
    CHECK(factor.quadratic_form(right) == Approx(form).scale(0).epsilon(1e-9));
    CHECK(factor.log_determinant() ==
          Approx(PrincipalAxes(a).values.array().log().sum()).scale(0).epsilon(1e-9));
  }
}

TEST_CASE("a pivot that rounding made too small is lifted, and only that one") {
  // The second variable is the first one twice; the third has nothing to do with them.
  Matrix a(3, 3);
  a << 1, 2, 0,  //
      2, 4, 0,   //
      0, 0, 9;
  for (double error : {0.0, -1e-14, 1e-14}) {
    a(1, 1) = 4 + error;
    const CholeskyFactor factor(a);
    // Pivots 1, 1e-12 * 4 and 9.
    CHECK(factor.log_determinant() == Approx(std::log(36e-12)).scale(0).epsilon(1e-6));
    CHECK(factor.quadratic_form(Vector::Unit(3, 2)) == Approx(1.0 / 9));
    CHECK(factor.quadratic_form(Vector::Unit(3, 1)) == Approx(1 / 4e-12).scale(0).epsilon(1e-6));
  }
  // Where nothing is lifted both ways of factoring agree: a pivot just above the limit.
  a(1, 1) = 4 + 8e-12;
  CHECK(CholeskyFactor(a).log_determinant() == Approx(std::log(72e-12)).scale(0).epsilon(1e-3));
}

TEST_CASE("a change of basis is the product of the bases of all axes, and back again") {
  std::mt19937_64 random(4);
  const std::vector<std::uint32_t> levels{3, 1, 2, 4};
  for (Index width : {1, 5, 8, 21}) {  // fewer, as many and more numbers than go side by side
    const Matrix start = random_matrix(width, 24, random);
    Matrix expected = Matrix::Zero(width, 24);
    for (Index cell = 0; cell < 24; ++cell) {
      for (Index place = 0; place < 24; ++place) {
        double factor = 1;
        std::size_t level = static_cast<std::size_t>(cell),
                    column = static_cast<std::size_t>(place);
        for (std::size_t i = levels.size(); i-- > 0;) {
          const std::uint32_t k = levels[i];
          factor *= orthonormal_basis(k)[level % k * k + column % k];
          level /= k;
          column /= k;
        }
        for (Index w = 0; w < width; ++w)
          expected(w, place) += factor * start(w, cell);
      }
    }
    Matrix values = start;
    into_basis(values.data(), levels, static_cast<std::size_t>(width));
    CHECK(largest_difference(values, expected) < 1e-13);
    out_of_basis(values.data(), levels, static_cast<std::size_t>(width));
    CHECK(largest_difference(values, start) < 1e-13);
  }
}

TEST_CASE(
    "features of conditions are products of contrasts, and their moments those of the cells") {
  // All of three variables with 2, 3 and 4 levels was measured, but their interaction; the middle
  // and the last variable together are no feature.
  std::vector<Variable> variables;
  for (std::uint32_t k : {2u, 3u, 4u})
    variables.push_back({"v" + std::to_string(k), k, false, false});
  Measurements store{Schema(variables, 1000)};
  std::mt19937_64 random(5);
  const VariableSet all{0, 1, 2};
  for (std::uint32_t mask = 1; mask < 7; ++mask) {
    const VariableSet w = subset(all, mask);
    const std::size_t size = contrast_count(levels_of(store.schema(), w));
    const Matrix values = 0.05 * random_matrix(static_cast<Index>(size), 1, random);
    store.add(w, {{values.data(), values.data() + size}, 0.001 * mask});
  }
  const NoisyRegressionOptions options;
  const std::uint32_t subsets = 0b00111111;
  const NoisyConditions z = noisy_conditions(store, all, subsets, options);
  REQUIRE(z.cells == 24);
  REQUIRE(z.features() == 1 + 1 + 2 + 2 + 3 + 3);

  Matrix features(z.features(), z.cells);  // by the definition
  Index row = 0;
  std::vector<double> ridge;
  for (std::uint32_t mask = 0; mask < 6; ++mask) {
    const std::uint32_t levels[] = {2, 3, 4};
    std::size_t width = 1;
    for (std::size_t i = 0; i < 3; ++i)
      width *= (mask >> i & 1) != 0 ? levels[i] - 1 : 1;
    for (std::size_t f = 0; f < width; ++f, ++row) {
      for (std::size_t cell = 0; cell < 24; ++cell) {
        std::size_t rest_cell = cell, rest = f;
        double value = 1;
        for (std::size_t i = 3; i-- > 0;) {
          const std::size_t k = levels[i], level = rest_cell % k;
          rest_cell /= k;
          if ((mask >> i & 1) == 0) continue;
          value *= orthonormal_basis(levels[i])[level * k + rest % (k - 1) + 1];
          rest /= k - 1;
        }
        features(row, static_cast<Index>(cell)) = value;
      }
      ridge.push_back(mask == 0 ? 0 : options.ridge * 0.001 * mask);
    }
  }
  const Matrix identity = Matrix::Identity(z.features(), z.features());
  CHECK(largest_difference(z.in_cells(identity), features) < 1e-14);
  const Matrix table = random_matrix(4, 24, random);
  CHECK(largest_difference(z.times_features(table), plain_product(table, transposed(features))) <
        1e-13);

  CHECK(z.clipped.minCoeff() > 0);
  CHECK(z.clipped.sum() == Approx(1));
  CHECK(z.share.sum() == Approx(1));
  const auto moments = [&](const Vector& share) {
    return plain_product(plain_product(features, diagonal(share)), transposed(features));
  };
  Matrix ridged = moments(z.clipped);
  for (Index f = 0; f < z.features(); ++f)
    ridged(f, f) += ridge[static_cast<std::size_t>(f)];
  CHECK(largest_difference(z.ridged.solve_rows(ridged), identity) < 1e-11);
  CHECK(largest_difference(z.lifted_share, z.clipped + Vector::Constant(24, 0.1 / 24)) < 1e-15);
  CHECK(largest_difference(z.lifted.solve_rows(moments(z.lifted_share)), identity) < 1e-11);
  // The noise of a coefficient is that of the contrast, shrunk for the variables that are left out.
  CHECK(z.noise_variance[0] == 0);
  CHECK(z.noise_variance[1] == Approx(0.004 / 6));      // the first contrast of the last variable
  CHECK(z.noise_variance[4 + 1] == Approx(0.006 / 2));  // of the last two together
  CHECK(z.noise_variance[12 + 4 + 1] == 0);             // of all three, which was not measured
}
