// The score of whole graphs on noisy pairs: the numbers, and that small changes are worked out as
// everything anew would be.
#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "privpc/graph/dsep.hpp"
#include "privpc/search/score_search.hpp"
#include "simulated.h"

using namespace privpc;
using namespace privpc_test;

namespace {

Matrix even_prior(std::size_t nodes) {
  return Matrix::Constant(static_cast<Index>(nodes), static_cast<Index>(nodes), -0.7);
}

// log N(c; 0, W + H G H'), without the constant, as a dense matrix gives it.
double dense_log_density(const Vector& c, const Matrix& h, const Vector& w, const Vector& g) {
  Matrix v = h * g.asDiagonal() * h.transpose();
  v.diagonal() += w;
  const Eigen::LLT<Matrix> factor(v);
  const Matrix lower = factor.matrixL();
  return -0.5 * (c.dot(factor.solve(c)) + 2 * lower.diagonal().array().log().sum());
}

}  // namespace

TEST_CASE("whitened pairs are correlations") {
  Simulated data(random_tables({{}, {0}, {0, 1}}, {2, 2, 2}, 1, 3), 5000, 1);
  const WhitenedPairs pairs(data.measure(1e9, 2));
  for (std::size_t x = 0; x < 3; ++x) {
    for (std::size_t y = 0; y < 3; ++y) {
      if (x == y) continue;
      double n = 5000, sx = 0, sy = 0, sxy = 0;
      for (std::size_t i = 0; i < 5000; ++i) {
        sx += data.codes[x][i];
        sy += data.codes[y][i];
        sxy += data.codes[x][i] * data.codes[y][i];
      }
      const auto variance = [&](double sum) { return (sum / n - 1) * (2 - sum / n); };
      const double r = (sxy / n - sx * sy / n / n) / std::sqrt(variance(sx) * variance(sy));
      REQUIRE(std::fabs(pairs.covariance(x, y)(0, 0)) == Approx(std::fabs(r)).epsilon(1e-5));
      REQUIRE(pairs.noise(x, y)(0, 0) < 1e-6);
    }
  }
}

TEST_CASE("the noise of whitened pairs has the stated variance, or a little less") {
  // Where levels are rare the noise of the margins matters, and is rather stated too large.
  for (double contrast : {0.0, 0.8}) {
    INFO(contrast);
    Simulated data(random_tables({{}, {}}, {2, 2}, contrast, 11), 20000, 1);
    const double c = WhitenedPairs(data.measure(1e9, 1)).covariance(0, 1)(0, 0);
    const int runs = 4000;
    double squares = 0, stated = 0;
    for (int run = 0; run < runs; ++run) {
      const WhitenedPairs noisy(data.measure(0.01, 100 + static_cast<std::uint64_t>(run)));
      const double value = noisy.covariance(0, 1)(0, 0);
      squares += value * value;
      stated += noisy.noise(0, 1)(0, 0);
    }
    const double ratio = (squares / runs - c * c) / (stated / runs);
    // The variance of 4000 normal numbers is off by more than 12 % once in 10^7 times.
    REQUIRE(ratio < 1.12);
    REQUIRE(ratio > (contrast == 0 ? 0.88 : 0.6));
  }
}

TEST_CASE("the score of a node is the density of its covariances") {
  const BayesNet net = random_tables({{}, {}, {0, 1}, {2}}, {2, 3, 3, 2}, 1, 5);
  Simulated data(net, 20000, 1);
  const Measurements store = data.measure(0.05, 7);
  const WhitenedPairs pairs(store);
  ScoreRules rules;
  rules.effect = 0.2;
  NodeScore node(pairs, rules);
  Matrix implied = Matrix::Identity(pairs.contrasts(), pairs.contrasts());
  // Give the parents a covariance of their own.
  implied(0, 1) = implied(1, 0) = 0.3;
  const std::vector<char> before{1, 1, 0, 0};
  const double score = node.evaluate(2, {0, 1}, before, implied);
  double expected = 0;
  for (Index a = 0; a < 2; ++a) {
    const Index at = pairs.start(2) + a;
    const Vector c = pairs.covariance().col(at).head(3);
    const Matrix h = implied.topLeftCorner(3, 3);
    Vector g(3);
    g << 0.1, 0.1, 0.1;  // 0.2 over the larger number of contrasts
    // What the parents leave of the variance enters through sampling: found by the same rule.
    double left = 1;
    for (int pass = 0; pass < 2; ++pass) {
      const Vector w = pairs.noise().col(at).head(3).array() + left / 20000 + 2e-4;
      expected += pass == 1 ? dense_log_density(c, h, w, g) : 0;
      const Matrix k = Matrix(h.transpose() * w.cwiseInverse().asDiagonal() * h) +
                       Matrix(g.cwiseInverse().asDiagonal());
      const Vector beta = k.llt().solve(h.transpose() * w.cwiseInverse().asDiagonal() * c);
      left = 1 - beta.dot(h * beta);
    }
  }
  REQUIRE(score == Approx(expected).epsilon(1e-3));
}

namespace {

// Without `every`, one pair in three was not measured: its ends count nothing with each other,
// but the covariances that the graph implies must be right for others.
void compare_with_anew(bool every) {
  const BayesNet net = random_tables({{}, {0}, {0, 1}, {}, {2, 3}, {4}, {1, 5}, {3}},
                                     {2, 3, 2, 2, 4, 2, 3, 2}, 1, 9);
  Simulated data(net, 10000, 1);
  const Measurements all = data.measure(0.1, 3);
  Measurements store(all.schema());
  for (const auto& entry : all.entries()) {
    const VariableSet& set = entry.first;
    if (every || set.size() == 1 || (set[0] + set[1]) % 3 != 0) store.add(set, entry.second);
  }
  const WhitenedPairs pairs(store);
  ScoreRules rules;
  rules.interaction = 0.2;
  GraphScore score(pairs, rules, even_prior(8));
  GraphScore anew(pairs, rules, even_prior(8));
  Xoshiro256 random = simulation_stream(5, 0);
  int accepted = 0, impossible = 0;
  for (int step = 0; step < 400; ++step) {
    const std::size_t x = random.next() % 8, y = random.next() % 8;
    if (x == y) continue;
    MoveKind kind = MoveKind::add;
    if (score.has_edge(x, y)) kind = random.next() % 2 == 0 ? MoveKind::remove : MoveKind::reverse;
    if (score.has_edge(y, x)) continue;
    const double before = score.total();
    const auto gain = score.propose({kind, x, y});
    if (!gain) {
      ++impossible;
      continue;
    }
    std::vector<Parents> parents = score.parents();
    if (kind != MoveKind::add) parents[y].erase(std::find(parents[y].begin(), parents[y].end(), x));
    if (kind == MoveKind::add) parents[y].push_back(x);
    if (kind == MoveKind::reverse) parents[x].push_back(y);
    std::sort(parents[x].begin(), parents[x].end());
    std::sort(parents[y].begin(), parents[y].end());
    anew.set_graph(parents);
    // Covariances that move by less than 1e-4 are left as they are.
    REQUIRE(before + *gain == Approx(anew.total()).margin(0.5));
    if (random.next() % 2 == 0) {
      score.accept();
      ++accepted;
      REQUIRE(score.parents() == parents);
      const Matrix off = score.implied() - anew.implied();
      REQUIRE(off.cwiseAbs().maxCoeff() < 0.01);
      REQUIRE(score.implied() == Matrix(score.implied().transpose()));
    }
    if (step % 50 == 0) {
      score.refresh();
      anew.set_graph(score.parents());
      REQUIRE(score.total() == Approx(anew.total()).epsilon(1e-12));
    }
  }
  REQUIRE(accepted > 50);
  REQUIRE(impossible > 5);
}

}  // namespace

TEST_CASE("a changed edge is scored as the changed graph would be") {
  compare_with_anew(true);
}

TEST_CASE("a changed edge is scored right where few pairs were measured") {
  compare_with_anew(false);
}

TEST_CASE("a small ridge regression is that of dense matrices") {
  Xoshiro256 random = simulation_stream(3, 0);
  const auto number = [&] { return 2 * next_uniform(random) - 1; };
  RidgeRegression regression(15, 9);
  // Larger ones first: what they leave behind must not show.
  for (Index columns = 9; columns >= 1; --columns) {
    for (Index rows : {15, 8, 7, 2, 1}) {
      INFO(rows << " rows, " << columns << " columns");
      Matrix h(rows, columns);
      Vector c(rows), w(rows), r(columns), beta(columns);
      regression.resize(rows, columns);
      for (Index i = 0; i < rows; ++i) {
        c[i] = regression.target()[i] = number();
        w[i] = regression.weights()[i] = 0.1 + 5 * next_uniform(random);
        for (Index j = 0; j < columns; ++j)
          h(i, j) = regression.column(j)[i] = number();
      }
      for (Index j = 0; j < columns; ++j)
        r[j] = regression.ridge()[j] = 0.5 + next_uniform(random);
      regression.solve(beta.data());
      const Matrix k = Matrix(h.transpose() * w.asDiagonal() * h) + Matrix(r.asDiagonal());
      const Vector u = h.transpose() * w.cwiseProduct(c);
      const Eigen::LLT<Matrix> factor(k);
      const Matrix lower = factor.matrixL();
      REQUIRE((beta - factor.solve(u)).norm() < 1e-10);
      REQUIRE(regression.log_determinant() ==
              Approx(2 * lower.diagonal().array().log().sum()).margin(1e-10));
      REQUIRE(regression.left() ==
              Approx(c.dot(w.cwiseProduct(c)) - u.dot(factor.solve(u))).margin(1e-10));
    }
  }
}

TEST_CASE("an estimate is what a move does to the ends of its arc") {
  Simulated data(random_tables({{}, {0}, {1}, {2}}, {2, 3, 2, 2}, 1, 4), 20000, 1);
  const Measurements store = data.measure(0.2, 3);
  const WhitenedPairs pairs(store);
  GraphScore score(pairs, ScoreRules(), even_prior(4));
  score.set_graph({{}, {0}, {1}, {}});
  // Nothing follows from these for others.
  for (const Move& move : {Move{MoveKind::add, 2, 3}, Move{MoveKind::remove, 1, 2}}) {
    const double estimate = *score.estimate(move);
    REQUIRE(estimate == Approx(*score.propose(move)).margin(1e-9));
  }
  score.set_graph({{}, {0}, {}, {}});
  REQUIRE(*score.estimate({MoveKind::reverse, 0, 1}) ==
          Approx(*score.propose({MoveKind::reverse, 0, 1})).margin(1e-9));
  // An estimate leaves nothing behind.
  const double alone = *score.propose({MoveKind::add, 1, 2});
  score.estimate({MoveKind::reverse, 0, 1});
  REQUIRE(*score.propose({MoveKind::add, 1, 2}) == Approx(alone).margin(1e-12));
  // Cycles
  score.set_graph({{}, {0}, {0, 1}, {}});
  REQUIRE_FALSE(score.estimate({MoveKind::add, 2, 0}).has_value());
  REQUIRE_FALSE(score.estimate({MoveKind::reverse, 0, 2}).has_value());
  REQUIRE(score.estimate({MoveKind::reverse, 1, 2}).has_value());
}

TEST_CASE("estimates find most of what moves do, and the same ones impossible") {
  const BayesNet net = random_tables({{}, {0}, {0, 1}, {}, {2, 3}, {4}, {1, 5}, {3}},
                                     {2, 3, 2, 2, 4, 2, 3, 2}, 1, 9);
  Simulated data(net, 10000, 1);
  const Measurements store = data.measure(0.1, 3);
  const WhitenedPairs pairs(store);
  GraphScore score(pairs, ScoreRules(), even_prior(8));
  score.set_graph({{}, {0}, {0, 1}, {}, {2, 3}, {4}, {1, 5}, {3}});
  int near = 0, all = 0;
  for (std::size_t x = 0; x < 8; ++x) {
    for (std::size_t y = 0; y < 8; ++y) {
      if (x == y || score.has_edge(y, x)) continue;
      for (MoveKind kind : {MoveKind::add, MoveKind::remove, MoveKind::reverse}) {
        if ((kind == MoveKind::add) == score.has_edge(x, y)) continue;
        const auto estimate = score.estimate({kind, x, y}), gain = score.propose({kind, x, y});
        REQUIRE(estimate.has_value() == gain.has_value());
        if (!gain) continue;
        ++all;
        near += std::fabs(*estimate - *gain) < 2 + 0.3 * std::fabs(*gain);
      }
    }
  }
  REQUIRE(all > 30);
  REQUIRE(near > 0.8 * all);
}

TEST_CASE("separation by one variable, by bits and by walking") {
  Xoshiro256 random = simulation_stream(8, 0);
  int separated = 0;
  for (int run = 0; run < 60; ++run) {
    const std::size_t nodes = run < 50 ? 9 : 70;  // more than one word of bits
    AncestralBits::Lists parents(nodes), children(nodes);
    Pdag dag(static_cast<int>(nodes));
    for (std::size_t y = 1; y < nodes; ++y) {
      for (std::size_t x = 0; x < y; ++x) {
        if (random.next() % (run < 50 ? 4 : 40) != 0) continue;
        parents[y].push_back(x);
        children[x].push_back(y);
        dag.add_directed(static_cast<int>(x), static_cast<int>(y));
      }
    }
    AncestralBits bits(parents, children);
    for (int question = 0; question < 200; ++question) {
      const std::size_t u = random.next() % nodes, v = random.next() % nodes,
                        m = random.next() % nodes;
      if (u == v || u == m || v == m) continue;
      const bool expected =
          is_d_separated(dag, static_cast<int>(u), static_cast<int>(v), {static_cast<int>(m)});
      REQUIRE(bits.is_separated(u, v, m) == expected);
      separated += expected ? 1 : 0;
    }
  }
  REQUIRE(separated > 500);
}

TEST_CASE("a triple tells the variable that separates from one that does not") {
  // v100 <- v101 -> v102.
  const BayesNet net = random_tables({{}, {0}, {0}}, {3, 3, 3}, 1, 21);
  Simulated data(net, 200000, 1);
  const Measurements store = data.measure(1, 3, {VariableSet{0, 1, 2}});
  const WhitenedPairs pairs(store);
  const TripleTerms terms(store, pairs, 1);
  REQUIRE_FALSE(terms.empty());
  const auto value = [&](const AncestralBits::Lists& parents) {
    AncestralBits::Lists children(3);
    for (std::size_t v = 0; v < 3; ++v) {
      for (std::size_t parent : parents[v])
        children[parent].push_back(v);
    }
    return terms.evaluate(parents, children);
  };
  const double right = value({{}, {0}, {0}});  // 0 separates 1 and 2
  const double wrong = value({{}, {0}, {1}});  // 1 separates 0 and 2
  const double nothing = value({{}, {0}, {0, 1}});
  REQUIRE(nothing == 0);
  REQUIRE(right > 0);
  REQUIRE(wrong < right - 10);
}
