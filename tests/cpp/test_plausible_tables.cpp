// Tables that may be the true ones, drawn from noisy measurements.
#include <catch.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "privpc/base/simulation_draws.hpp"
#include "privpc/marginals/plausible_tables.hpp"

using namespace privpc;

namespace {

Schema schema_of(const std::vector<std::uint32_t>& levels, std::uint64_t rows) {
  std::vector<Variable> variables;
  for (std::size_t v = 0; v < levels.size(); ++v)
    variables.push_back({"v" + std::to_string(v), levels[v], false, false});
  return Schema(variables, rows);
}

SimulationDraws stream(std::uint64_t number) {
  return SimulationDraws(simulation_stream(11, number));
}

// x, z, y with 2, 3, 2 levels: x and y depend on z alone. Cells with the last fastest.
std::vector<double> fork_cells() {
  const double of_z[3] = {0.5, 0.3, 0.2};
  const double x_yes[3] = {0.1, 0.5, 0.8}, y_yes[3] = {0.7, 0.6, 0.2};
  std::vector<double> cells;
  for (int x = 0; x < 2; ++x) {
    for (int z = 0; z < 3; ++z) {
      for (int y = 0; y < 2; ++y)
        cells.push_back(of_z[z] * (x == 1 ? x_yes[z] : 1 - x_yes[z]) *
                        (y == 1 ? y_yes[z] : 1 - y_yes[z]));
    }
  }
  return cells;
}

const std::vector<std::uint32_t> fork_levels{2, 3, 2};

// The table of some of the variables of another one; the last one fastest in both.
std::vector<double> marginal(const std::vector<double>& cells,
                             const std::vector<std::uint32_t>& levels, const VariableSet& set) {
  std::size_t size = 1;
  for (auto v : set)
    size *= levels[v];
  std::vector<double> out(size, 0);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    std::vector<std::size_t> at(levels.size());
    std::size_t rest = cell;
    for (std::size_t v = levels.size(); v-- > 0;) {
      at[v] = rest % levels[v];
      rest /= levels[v];
    }
    std::size_t place = 0;
    for (auto v : set)
      place = place * levels[v] + at[v];
    out[place] += cells[cell];
  }
  return out;
}

void measure(Measurements& store, const std::vector<double>& cells, const VariableSet& set,
             double variance) {
  std::vector<std::uint32_t> levels, all;
  for (std::size_t v = 0; v < store.schema().size(); ++v)
    all.push_back(store.schema().levels(v));
  for (auto v : set)
    levels.push_back(all[v]);
  store.add(set, {contrasts_of_table(marginal(cells, all, set), levels), variance});
}

Measurements measured_fork(double variance, std::uint64_t rows) {
  Measurements store(schema_of(fork_levels, rows));
  for (const VariableSet& set : {VariableSet{0}, VariableSet{1}, VariableSet{2}, VariableSet{0, 1},
                                 VariableSet{0, 2}, VariableSet{1, 2}})
    measure(store, fork_cells(), set, variance);
  return store;
}

}  // namespace

TEST_CASE("simulated numbers have the moments of their distributions") {
  SimulationDraws random = stream(0);
  const int times = 200000;
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < times; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  // Five standard errors.
  CHECK(std::fabs(sum / times) < 5 / std::sqrt(times));
  CHECK(std::fabs(squares / times - 1) < 5 * std::sqrt(2.0 / times));
  CHECK(std::fabs(fourth / times - 3) < 5 * std::sqrt(96.0 / times));
  for (double df : {1.0, 5.0, 400.0}) {
    double total = 0, total_squares = 0;
    for (int i = 0; i < 50000; ++i) {
      const double x = random.chi_square(df) - df;
      total += x;
      total_squares += x * x;
    }
    CHECK(std::fabs(total / 50000) < 5 * std::sqrt(2 * df / 50000));
    CHECK(total_squares / 50000 == Approx(2 * df).epsilon(0.15));
  }
  const std::vector<double> weights{0, 3, 0, 1, 0};
  int found[5] = {};
  for (int i = 0; i < 40000; ++i)
    ++found[random.index([&](std::size_t k) { return weights[k]; }, 5, 4)];
  CHECK(found[0] + found[2] + found[4] == 0);
  CHECK(std::fabs(found[1] / 40000.0 - 0.75) < 5 * std::sqrt(0.1875 / 40000));
}

TEST_CASE("in whitened coordinates a fork is a product, and effects are phi squared") {
  const Measurements store = measured_fork(1e-12, 1000);
  const WhitenedPairs frame(store);
  const auto& pairs = frame.pairs();
  REQUIRE(pairs.size() == 3);
  const Matrix &xz = pairs[0].value, &xy = pairs[1].value, &zy = pairs[2].value;
  CHECK((xy - xz * zy).norm() < 1e-9);
  const std::vector<double> t = marginal(fork_cells(), fork_levels, {0, 2});
  const double margins = (t[0] + t[1]) * (t[2] + t[3]) * (t[0] + t[2]) * (t[1] + t[3]);
  const double off = t[0] * t[3] - t[1] * t[2];
  CHECK(xy.squaredNorm() == Approx(off * off / margins).epsilon(1e-6));
  // And back.
  const NoisyVariable &x = frame.variable(0), &z = frame.variable(1);
  const Eigen::Map<const Matrix> across(store.find({0, 1})->values.data(), 2, 1);
  const Matrix exact = across.transpose() - x.mean * z.mean.transpose();
  CHECK((frame.covariance(0, 1, xz) - exact).norm() < 1e-9);
}

TEST_CASE("fitted tables have the margins they are fitted to") {
  Vector of_x(2), of_y(3);
  of_x << 0.3, 0.7;
  of_y << 0.2, 0.5, 0.3;
  Matrix table(2, 3);
  table << -0.05, 0.25, 0.1, 0.25, 0.25, 0.2;
  const Matrix fitted = fit_to_margins(table, of_x, of_y, 200);
  CHECK(fitted.minCoeff() >= 0);
  CHECK((fitted.rowwise().sum() - of_x).norm() < 1e-6);
  CHECK((fitted.colwise().sum().transpose() - of_y).norm() < 1e-6);
  // Of a fork, the pairs give the whole table: there is no interaction beyond them.
  const std::vector<double> cells = fork_cells();
  const auto pair = [&](const VariableSet& set, Index rows, Index columns) {
    const std::vector<double> t = marginal(cells, fork_levels, set);
    return Matrix(Eigen::Map<const Matrix>(t.data(), columns, rows).transpose());
  };
  const Matrix xz = pair({0, 1}, 2, 3), xy = pair({0, 2}, 2, 2), zy = pair({1, 2}, 3, 2);
  const std::vector<double> found =
      fit_to_pairs(fork_levels, {{0, 1, &xz}, {0, 2, &xy}, {1, 2, &zy}}, 500, 1e-12);
  for (std::size_t i = 0; i < cells.size(); ++i)
    CHECK(found[i] == Approx(cells[i]).margin(1e-7));
}

TEST_CASE("without noise the drawn tables are the measured ones") {
  const Measurements store = measured_fork(1e-14, 2000000000);
  const PlausibleTables truths(store);
  SimulationDraws random = stream(1);
  DrawnTables drawn = truths.draw(DrawnFrom::these_people, random);
  for (const auto& [set, measured] : store.entries()) {
    const std::vector<double> found = drawn.contrasts(set);
    REQUIRE(found.size() == measured.values.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == Approx(measured.values[i]).margin(1e-5));
  }
  // A triple that was not measured follows from its pairs.
  const std::vector<double> exact = contrasts_of_table(fork_cells(), fork_levels);
  const std::vector<double> triple = drawn.contrasts({0, 1, 2});
  for (std::size_t i = 0; i < exact.size(); ++i)
    CHECK(triple[i] == Approx(exact[i]).margin(2e-4));
}

TEST_CASE("a measured triple is drawn around its measurement, another around its pairs") {
  Measurements store = measured_fork(1e-10, 1000000);
  std::vector<double> shifted = contrasts_of_table(fork_cells(), fork_levels);
  for (double& value : shifted)
    value += 0.05;  // far beyond noise and sampling
  store.add({0, 1, 2}, {shifted, 1e-8});
  const PlausibleTables truths(store);
  SimulationDraws random = stream(2);
  DrawnTables drawn = truths.draw(DrawnFrom::these_people, random);
  const std::vector<double> found = drawn.contrasts({0, 1, 2});
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i] == Approx(shifted[i]).margin(2e-3));
  CHECK(drawn.contrasts({0, 1, 2}) == found);  // the same tables when they are asked for again
}

TEST_CASE("one record gives tables of numbers, also of other people") {
  const Measurements store = measured_fork(1e-2, 1);
  const PlausibleTables truths(store);
  for (const DrawnFrom whom : {DrawnFrom::these_people, DrawnFrom::other_people}) {
    SimulationDraws random = stream(3);
    DrawnTables drawn = truths.draw(whom, random);
    for (const VariableSet& set : {VariableSet{0}, VariableSet{0, 2}, VariableSet{0, 1, 2}}) {
      for (double value : drawn.contrasts(set))
        CHECK(std::isfinite(value));
    }
  }
}

TEST_CASE("draws are tables of probabilities, and keep conditional independence under noise") {
  // Noise of .02 on shares: the noisy pair of x and y is off by far more than 1/n.
  Measurements store = measured_fork(4e-4, 1000000);
  Measured noisy = *store.find({0, 2});
  Measurements again(store.schema());
  for (const auto& [set, measured] : store.entries())
    again.add(set, measured);
  again.add({0, 2}, {{noisy.values[0] + 0.05}, noisy.variance});
  const PlausibleTables truths(again);
  int kept = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    SimulationDraws random = stream(100 + i);
    const Matrix all = truths.draw_covariances(DrawnFrom::these_people, random);
    const double left = all(0, 3) - (all.block(0, 1, 1, 2) * all.block(1, 3, 2, 1))(0, 0);
    kept += std::fabs(left) < 0.005;
    SimulationDraws once_more = stream(100 + i);
    DrawnTables tables = truths.draw(DrawnFrom::these_people, once_more);
    for (const auto& [set, measured] : again.entries()) {
      Measurements exact(again.schema());
      for (const auto& [other, unused] : again.entries())
        exact.add(other, {tables.contrasts(other), 1e-12});
      if (set.size() != 2) continue;
      // p p' + Q C Q' is what the contrasts say the cells are; none may be negative.
      const WhitenedPairs frame(exact);
      const Matrix cells =
          frame.shares(set[0]) * frame.shares(set[1]).transpose() +
          frame.variable(set[0]).q *
              (Eigen::Map<const Matrix>(exact.find(set)->values.data(),
                                        frame.variable(set[1]).contrasts,
                                        frame.variable(set[0]).contrasts)
                   .transpose() -
               frame.variable(set[0]).mean * frame.variable(set[1]).mean.transpose()) *
              frame.variable(set[1]).q.transpose();
      CHECK(cells.minCoeff() > -1e-6);
    }
  }
  // In the noisy tables themselves it never holds; z explains the pair in a good part of the draws.
  CHECK(kept > 40);
  CHECK(kept < 200);
}

TEST_CASE("sampling is counted once: an independent pair varies by 1/n for other people too") {
  // Ten independent variables, measured without much noise from a sample that shows just what
  // sampling does.
  const std::uint64_t rows = 1000;
  Measurements store(schema_of(std::vector<std::uint32_t>(10, 2), rows));
  SimulationDraws of_sample = stream(5);
  for (std::size_t x = 0; x < 10; ++x) {
    store.add({x}, {{0}, 1e-9});
    for (std::size_t y = 0; y < x; ++y) {
      // Contrasts of a fair coin have the variance 1/2.
      const double value = 0.5 * of_sample.normal() / std::sqrt(static_cast<double>(rows));
      store.add({y, x}, {{value}, 1e-9});
    }
  }
  const PlausibleTables truths(store);
  const auto mean_square = [&](DrawnFrom whom) {
    double sum = 0;
    for (std::uint64_t i = 0; i < 300; ++i) {
      SimulationDraws random = stream(1000 + i);
      DrawnTables drawn = truths.draw(whom, random);
      for (std::size_t x = 0; x < 10; ++x) {
        for (std::size_t y = 0; y < x; ++y)
          sum += std::pow(2 * drawn.contrasts({y, x})[0], 2);
      }
    }
    return sum / 300 / 45 * static_cast<double>(rows);
  };
  // These people's own deviations are known here; those of others are drawn.
  const double these = mean_square(DrawnFrom::these_people);
  const double others = mean_square(DrawnFrom::other_people);
  CHECK(these > 0.7);
  CHECK(these < 1.4);
  CHECK(others > 0.9);
  CHECK(others < 1.35);
}

TEST_CASE("a pair that was not measured is what others explain, give or take sampling") {
  Measurements store(schema_of(fork_levels, 100000));
  for (const VariableSet& set :
       {VariableSet{0}, VariableSet{1}, VariableSet{2}, VariableSet{0, 1}, VariableSet{1, 2}})
    measure(store, fork_cells(), set, 1e-10);
  const PlausibleTables truths(store);
  const double exact = contrasts_of_table(marginal(fork_cells(), fork_levels, {0, 2}), {2, 2})[0];
  int near = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    SimulationDraws random = stream(50 + i);
    near +=
        std::fabs(truths.draw(DrawnFrom::these_people, random).contrasts({0, 2})[0] - exact) < 0.01;
  }
  CHECK(near > 20);  // the rest: explained by nothing
}

TEST_CASE("no drawn pair has correlations above 1, however noisy and whoever explains it") {
  // Copies of one variable of three levels. Only those next to each other were measured.
  const std::size_t copies = 12;
  Measurements store(schema_of(std::vector<std::uint32_t>(copies, 3), 500));
  const std::vector<double> single = contrasts_of_table({0.5, 0.3, 0.2}, {3});
  const std::vector<double> both =
      contrasts_of_table({0.49, 0.01, 0, 0, 0.29, 0.01, 0.01, 0, 0.19}, {3, 3});
  for (std::size_t v = 0; v < copies; ++v) {
    store.add(VariableSet{v}, {single, 1e-6});
    if (v > 0) store.add(VariableSet{v - 1, v}, {both, 0.002});
    if (v > 1) store.add(VariableSet{v - 2, v}, {both, 0.002});
  }
  const PlausibleTables tables(store);
  const WhitenedPairs frame(store);
  for (std::uint64_t draw = 0; draw < 50; ++draw) {
    SimulationDraws random = stream(draw);
    const Matrix all = tables.draw_covariances(DrawnFrom::these_people, random);
    REQUIRE(all.allFinite());
    for (std::size_t x = 0; x < copies; ++x) {
      for (std::size_t y = 0; y < x; ++y) {
        const Matrix pair = frame.block(all, x, y);
        const Vector squares = eigenvalues(cross_product(pair, pair));
        CHECK(squares[squares.size() - 1] < 1 + 1e-9);
      }
    }
  }
}
