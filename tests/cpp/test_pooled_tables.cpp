// Noisy tables of several sites as one.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "privpc/base/simulation_draws.hpp"
#include "privpc/marginals/pooled_tables.hpp"
#include "privpc/marginals/site_differences.hpp"

using namespace privpc;

namespace {

Schema schema_of(const std::vector<std::uint32_t>& levels, std::uint64_t rows) {
  std::vector<Variable> variables;
  for (std::uint32_t k : levels)
    variables.push_back({"", k, false, false});
  return Schema(std::move(variables), rows);
}

// The true contrasts of a joint distribution of two variables, second running fastest.
Measurements exact(const Schema& schema, const Matrix& table, double noise) {
  Measurements out(schema);
  const Matrix x = contrast_matrix(schema.levels(0)), y = contrast_matrix(schema.levels(1));
  const auto list = [](const Matrix& m) {
    return std::vector<double>(m.data(), m.data() + m.size());
  };
  out.add({0}, {list(x.transpose() * table.rowwise().sum()), noise});
  out.add({1}, {list(y.transpose() * table.colwise().sum().transpose()), noise});
  out.add({0, 1}, {list((x.transpose() * table * y).transpose()), noise});
  return out;
}

void add_noise(Measurements& store, double variance, SimulationDraws& random) {
  Measurements noisy(store.schema());
  for (const auto& [set, measured] : store.entries()) {
    Measured one = measured;
    for (double& value : one.values)
      value += std::sqrt(variance) * random.normal();
    one.variance = variance;
    noisy.add(set, one);
  }
  store = noisy;
}

Matrix dependent() {
  Matrix p(2, 3);
  p << 0.3, 0.1, 0.1, 0.05, 0.15, 0.3;
  return p;
}

}  // namespace

TEST_CASE("weights by records are shares of the rows, those by precision fall with the noise") {
  const Matrix p = dependent();
  const Measurements a = exact(schema_of({2, 3}, 1000), p, 1e-4);
  const Measurements b = exact(schema_of({2, 3}, 3000), p, 1e-6);
  const std::vector<double> records = site_weights({&a, &b}, SiteWeighting::records);
  CHECK(records[0] == Approx(0.25));
  CHECK(effective_rows({&a, &b}, records) == Approx(4000));
  const std::vector<double> precise = site_weights({&a, &b}, SiteWeighting::precision);
  const double one = 1 / (1.0 / 1000 + 6e-4), two = 1 / (1.0 / 3000 + 6e-6);
  CHECK(precise[0] == Approx(one / (one + two)));
  CHECK(precise[0] + precise[1] == Approx(1));
  CHECK(effective_rows({&a, &b}, precise) < 4000);
  // No other weights give a smaller variance of the pair, sampling (1 / cells) and noise.
  const auto variance = [&](double w) {
    return w * w * (1.0 / 6000 + 1e-4) + (1 - w) * (1 - w) * (1.0 / 18000 + 1e-6);
  };
  for (double off : {-0.05, -0.01, 0.01, 0.05})
    CHECK(variance(precise[0]) < variance(precise[0] + off));
}

TEST_CASE("pooled tables are weighted sums, whatever the order of the sites") {
  SimulationDraws random(simulation_stream(3, 0));
  Measurements a = exact(schema_of({2, 3}, 1000), dependent(), 1e-4);
  Measurements b = exact(schema_of({2, 3}, 3000), dependent(), 1e-4);
  Measurements c = exact(schema_of({2, 3}, 777), dependent(), 1e-4);
  add_noise(a, 1e-4, random);
  add_noise(b, 3e-5, random);
  add_noise(c, 2e-4, random);
  const TablePooling forth({&a, &b, &c}, SiteWeighting::precision);
  const TablePooling back({&c, &b, &a}, SiteWeighting::precision);
  CHECK(forth.rows() == back.rows());
  const std::vector<double>& w = forth.weights();
  for (const auto& [set, pooled] : forth.tables().entries()) {
    const Measured* other = back.tables().find(set);
    REQUIRE(other != nullptr);
    CHECK(other->values == pooled.values);
    CHECK(other->variance == pooled.variance);
    CHECK(pooled.variance == Approx(w[0] * w[0] * 1e-4 + w[1] * w[1] * 3e-5 + w[2] * w[2] * 2e-4));
    for (std::size_t i = 0; i < pooled.values.size(); ++i) {
      CHECK(pooled.values[i] ==
            Approx(w[0] * a.find(set)->values[i] + w[1] * b.find(set)->values[i] +
                   w[2] * c.find(set)->values[i]));
    }
  }
}

TEST_CASE("a pair of some sites is moved to the margins of all, so that none looks dependent") {
  // Independent in both sites, with other margins.
  Matrix p(2, 3), q(2, 3);
  const Vector px = (Vector(2) << 0.3, 0.7).finished(), qx = (Vector(2) << 0.8, 0.2).finished();
  const Vector py = (Vector(3) << 0.3, 0.6, 0.1).finished();
  const Vector qy = (Vector(3) << 0.8, 0.15, 0.05).finished();
  p = px * py.transpose();
  q = qx * qy.transpose();
  const Measurements a = exact(schema_of({2, 3}, 10000), p, 1e-10);
  const Measurements full = exact(schema_of({2, 3}, 10000), q, 1e-10);
  Measurements b(full.schema());
  b.add({0}, *full.find({0}));
  b.add({1}, *full.find({1}));
  const TablePooling pooling({&a, &b}, SiteWeighting::records);
  const Measured& pair = *pooling.tables().find({0, 1});
  const std::vector<double>& x = pooling.tables().find({0})->values;
  const std::vector<double>& y = pooling.tables().find({1})->values;
  for (std::size_t j = 0; j < 2; ++j) {
    CHECK(pair.values[j] == Approx(x[0] * y[j]).margin(1e-12));
    CHECK(std::fabs(a.find({0, 1})->values[j] - x[0] * y[j]) > 0.05);
  }
  // Half of the rows: what they vary more counts as noise, at least as much as it can be.
  CHECK(pair.variance >= (1.0 / 10000 - 1.0 / 20000) * 0.5 * (2.0 / 3));
  // A set that one site measured alone has that site's values, if margins agree.
  Measurements same(full.schema());
  same.add({0}, *a.find({0}));
  same.add({1}, *a.find({1}));
  const TablePooling alike({&a, &same}, SiteWeighting::records);
  for (std::size_t j = 0; j < 2; ++j)
    CHECK(alike.tables().find({0, 1})->values[j] == Approx(a.find({0, 1})->values[j]));
}

TEST_CASE("a triple of some sites follows the margins and pairs too") {
  // x and y depend on each other, in another way at each site; z has no part in it, nor is z alike.
  const Schema schema = schema_of({2, 3, 2}, 5000);
  const auto site = [&](const Matrix& table, double of_z, bool triple) {
    Measurements out = exact(schema, table, 1e-10);
    out.add({2}, {{of_z}, 1e-10});
    const auto times_z = [&](const VariableSet& set) {
      std::vector<double> values = out.find(set)->values;
      for (double& value : values)
        value *= of_z;
      return Measured{values, 1e-10};
    };
    out.add({0, 2}, times_z({0}));
    out.add({1, 2}, times_z({1}));
    if (triple) out.add({0, 1, 2}, times_z({0, 1}));
    return out;
  };
  Matrix other(2, 3);
  other << 0.5, 0.05, 0.1, 0.05, 0.25, 0.05;
  const double p = -0.3, q = 0.6;
  const Measurements a = site(dependent(), p, true), b = site(other, q, false);
  const TablePooling pooling({&a, &b}, SiteWeighting::records);
  const Measurements& all = pooling.tables();
  // What it tells beyond all smaller tables: of the pooled ones nothing, as at the site.
  const MixtureMoments moments(all), alone(a);
  for (std::size_t j = 0; j < 2; ++j) {
    CHECK(moments.central({0, 1, 2})[j] == Approx(alone.central({0, 1, 2})[j]).margin(1e-12));
    CHECK(std::fabs(moments.central({0, 1, 2})[j]) < 1e-12);
  }
  // Independent at both sites, the expected table is that of the margins.
  const auto product = [](double x, double y) {
    Matrix table(2, 3);
    table << x * y, x * (1 - y) / 2, x * (1 - y) / 2, (1 - x) * y, (1 - x) * (1 - y) / 2,
        (1 - x) * (1 - y) / 2;
    return table;
  };
  const Measurements c = site(product(0.3, 0.3), p, true), d = site(product(0.8, 0.8), q, false);
  // Nor were the pairs measured there, so that they are moved first.
  Measurements margins(schema);
  for (std::size_t v = 0; v < 3; ++v)
    margins.add({v}, *d.find({v}));
  const TablePooling few({&c, &margins}, SiteWeighting::records);
  const std::vector<double> expected = MixtureMoments(few.tables()).margins({0, 1, 2});
  for (std::size_t j = 0; j < 2; ++j) {
    CHECK(few.tables().find({0, 1, 2})->values[j] == Approx(expected[j]).margin(1e-12));
    CHECK(std::fabs(expected[j] - c.find({0, 1, 2})->values[j]) > 0.002);
  }
}

TEST_CASE("the noise of a moved table is no less than what is drawn shows") {
  // Noise alone: exact tables of two sites whose margins are far apart, measured many times.
  const Schema schema = schema_of({2, 3}, 10000);
  Matrix p(2, 3), q(2, 3);
  p << 0.1, 0.05, 0.15, 0.25, 0.15, 0.3;
  q << 0.5, 0.2, 0.1, 0.1, 0.05, 0.05;
  SimulationDraws random(simulation_stream(5, 0));
  const int runs = 4000;
  double stated = 0, sampling = 0;
  Vector sum = Vector::Zero(2), square = Vector::Zero(2);
  Vector left = Vector::Zero(2), left_square = Vector::Zero(2);
  for (int run = 0; run < runs; ++run) {
    Measurements a = exact(schema, p, 1), full = exact(schema, q, 1);
    add_noise(a, 1e-4, random);
    add_noise(full, 4e-4, random);
    Measurements b(schema);
    b.add({0}, *full.find({0}));
    b.add({1}, *full.find({1}));
    const TablePooling pooling({&a, &b}, SiteWeighting::records);
    const Measured& pair = *pooling.tables().find({0, 1});
    stated += pair.variance / runs;
    sampling = (1.0 / 10000 - 1.0 / 20000) * 0.5 * (2.0 / 3);
    const std::vector<double> beyond = MixtureMoments(pooling.tables()).central({0, 1});
    for (Index j = 0; j < 2; ++j) {
      const double value = pair.values[static_cast<std::size_t>(j)];
      sum[j] += value / runs;
      square[j] += value * value / runs;
      left[j] += beyond[static_cast<std::size_t>(j)] / runs;
      left_square[j] +=
          beyond[static_cast<std::size_t>(j)] * beyond[static_cast<std::size_t>(j)] / runs;
    }
  }
  const double noise = stated - sampling;
  for (Index j = 0; j < 2; ++j) {
    const double drawn = square[j] - sum[j] * sum[j];
    const double beyond = left_square[j] - left[j] * left[j];
    // The standard error of a variance from 4,000 runs is 2 %.
    CHECK(drawn < 1.05 * noise);
    CHECK(beyond < 1.05 * noise);
    CHECK(noise < 4 * std::max(drawn, beyond));
  }
}

TEST_CASE("a further table of one variable at some sites has the margin of all") {
  const Schema schema = schema_of({2, 3}, 10000);
  Matrix p(2, 3), q(2, 3);
  p << 0.1, 0.05, 0.15, 0.25, 0.15, 0.3;
  q << 0.5, 0.2, 0.1, 0.1, 0.05, 0.05;
  const Measurements a = exact(schema, p, 1e-10), b = exact(schema, q, 1e-10);
  Measurements again(schema), nothing(schema);
  again.add({0}, *a.find({0}));
  const TablePooling pooling({&a, &b}, SiteWeighting::records);
  const Measurements more = pooling.more({&again, &nothing});
  CHECK(more.find({0})->values[0] == Approx(pooling.tables().find({0})->values[0]));
}

TEST_CASE("tables of pairs without those of their variables are not read") {
  const Schema schema = schema_of({2, 3}, 10000);
  const Measurements a = exact(schema, dependent(), 1e-6), b = exact(schema, dependent(), 1e-6);
  Measurements bare(schema);
  bare.add({1}, *a.find({1}));
  bare.add({0, 1}, *a.find({0, 1}));
  const TablePooling pooling({&a, &b}, SiteWeighting::records);
  CHECK(SiteDifferences({&a, &b}, pooling.tables()).all().size() == 3);
  // Such a site says nothing of the pair, only of the variable that it has.
  const std::vector<SiteDifference> some = SiteDifferences({&a, &bare}, pooling.tables()).all();
  REQUIRE(some.size() == 1);
  CHECK(some[0].set == VariableSet{1});
  CHECK_THROWS_AS(SiteDifferences({&a, &b}, bare).all(), std::invalid_argument);
}

TEST_CASE("Cochran's Q has its distribution if sites are alike, and grows if they are not") {
  const Matrix p = dependent();
  const double rows = 2000;
  const auto stores = [&](std::uint64_t seed, double change) {
    SimulationDraws random(simulation_stream(11, seed));
    std::vector<Measurements> sites;
    for (int site = 0; site < 3; ++site) {
      Matrix here = p;
      if (site == 0) {
        here(0, 0) += change;
        here(0, 1) -= change;
      }
      Matrix counts = Matrix::Zero(2, 3);
      for (int row = 0; row < rows; ++row) {
        const std::size_t cell = random.index(
            [&](std::size_t c) {
              return here(static_cast<Index>(c / 3), static_cast<Index>(c % 3));
            },
            6, 1);
        counts(static_cast<Index>(cell / 3), static_cast<Index>(cell % 3)) += 1 / rows;
      }
      sites.push_back(exact(schema_of({2, 3}, static_cast<std::uint64_t>(rows)), counts, 1));
      add_noise(sites.back(), 2e-4, random);
    }
    return sites;
  };
  const auto statistic = [&](std::uint64_t seed, double change, const VariableSet& set) {
    const std::vector<Measurements> sites = stores(seed, change);
    const SiteTables tables{&sites[0], &sites[1], &sites[2]};
    const TablePooling pooling(tables, SiteWeighting::precision);
    for (const SiteDifference& found : SiteDifferences(tables, pooling.tables()).all()) {
      if (found.set == set) return found;
    }
    return SiteDifference{};
  };
  double sum = 0, low = 0, changed = 0;
  const int runs = 400;
  for (int run = 0; run < runs; ++run) {
    const SiteDifference found = statistic(static_cast<std::uint64_t>(run), 0, {0, 1});
    CHECK(found.df == 4);
    sum += found.statistic;
    low += found.p_value < 0.05 ? 1 : 0;
    changed += statistic(static_cast<std::uint64_t>(run), 0.08, {0, 1}).p_value < 0.05 ? 1 : 0;
  }
  // Mean 4 with standard error sqrt(8 / 400) = 0.14; 20 expected below 0.05, +- 4.4.
  CHECK(std::fabs(sum / runs - 4) < 0.6);
  CHECK(low < 40);
  CHECK(low > 5);
  CHECK(changed > 2.5 * low);
}
