// Dense matrix arithmetic behind the tests on noisy marginals.
#include <catch.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "privpc/marginals/small_matrix.hpp"
#include "privpc/marginals/table_basis.hpp"

using namespace privpc;

namespace {

Matrix random_matrix(std::size_t rows, std::size_t columns, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Matrix out(rows, columns);
  for (double& x : out.values())
    x = normal(random);
  return out;
}

double largest_difference(const Matrix& a, const Matrix& b) {
  REQUIRE(a.values().size() == b.values().size());
  double largest = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i)
    largest = std::max(largest, std::fabs(a.values()[i] - b.values()[i]));
  return largest;
}

}  // namespace

TEST_CASE("vector arithmetic gives the bits of the plain loops for every length") {
  std::mt19937_64 random(1);
  for (std::size_t size = 0; size < 40; ++size) {
    const Matrix from = random_matrix(1, size, random), start = random_matrix(1, size, random);
    Matrix chosen = start, plain = start;
    add_scaled(chosen.values().data(), from.values().data(), 0.1, size);
    add_scaled_portable(plain.values().data(), from.values().data(), 0.1, size);
    REQUIRE(chosen.values() == plain.values());

    Matrix x = from, y = start, plain_x = from, plain_y = start;
    rotate(x.values().data(), y.values().data(), 0.6, 0.8, size);
    rotate_portable(plain_x.values().data(), plain_y.values().data(), 0.6, 0.8, size);
    REQUIRE(x.values() == plain_x.values());
    REQUIRE(y.values() == plain_y.values());
  }
}

TEST_CASE("eigenvalues and eigenvectors rebuild the matrix") {
  std::mt19937_64 random(2);
  for (std::size_t n : {1u, 2u, 3u, 7u, 8u, 20u, 60u}) {
    const Matrix root = random_matrix(n, n, random);
    const Matrix a = cross_product(root, root);
    const Eigen eigen = symmetric_eigen(a);
    Matrix scaled = eigen.vectors;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        scaled(i, j) *= eigen.values[j];
    }
    const double size = static_cast<double>(n);
    CHECK(largest_difference(product(scaled, transpose(eigen.vectors)), a) < 1e-11 * size);
    Matrix identity(n, n);
    for (std::size_t i = 0; i < n; ++i)
      identity(i, i) = 1;
    CHECK(largest_difference(cross_product(eigen.vectors, eigen.vectors), identity) < 1e-12 * size);
    CHECK(symmetric_eigen(a, false).values == eigen.values);
  }
}

TEST_CASE("a Cholesky factor solves all columns at once") {
  std::mt19937_64 random(3);
  for (std::size_t n : {1u, 2u, 9u, 30u}) {
    const Matrix root = random_matrix(n, n, random);
    Matrix a = cross_product(root, root);
    for (std::size_t i = 0; i < n; ++i)
      a(i, i) += 1;
    const Matrix b = random_matrix(n, 5, random);
    CHECK(largest_difference(product(a, Cholesky(a).solve(b)), b) < 1e-10);
  }
}

TEST_CASE("a change of basis is that of every axis, and back again") {
  std::mt19937_64 random(4);
  const std::vector<std::uint32_t> levels{3, 2, 4};
  for (std::size_t width : {1u, 5u, 300u}) {  // 300: more than one block
    const Matrix start = random_matrix(24, width, random);
    std::vector<double> values = start.values();
    change_basis(values, levels, width, true);
    // The coefficient of the constant of all axes is the sum over all cells, divided by sqrt(24).
    for (std::size_t w = 0; w < width; ++w) {
      double sum = 0;
      for (std::size_t cell = 0; cell < 24; ++cell)
        sum += start(cell, w);
      CHECK(values[w] == Approx(sum / std::sqrt(24.0)).margin(1e-12));
    }
    change_basis(values, levels, width, false);
    for (std::size_t i = 0; i < values.size(); ++i)
      REQUIRE(values[i] == Approx(start.values()[i]).margin(1e-12));
  }
}
