// What measured triples say about a graph, beyond their pairs.
//
// If the graph separates u and v by m alone, the table of the three is known from its pairs: the
// whitened third moment must be
//   E[u_a v_b m_c] = sum over the levels l of m of p_l E[u_a | l] E[v_b | l] m_c(l).
// It was measured with known noise, so the statement has a likelihood. It is compared with what
// such a moment is where the graph says nothing: about what u, v and m have if one of the three
// follows the two others additively, or anywhere around it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/graph/ancestral_bits.hpp"
#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/whitened_pairs.hpp"

namespace privpc {

class TripleTerms {
 public:
  TripleTerms(const Measurements& store, const WhitenedPairs& pairs, double weight)
      : store_(store), pairs_(pairs), weight_(weight) {
    for (const auto& [set, measured] : store.entries()) {
      if (set.size() != 3) continue;
      const std::array<std::size_t, 3> v{set[0], set[1], set[2]};
      const bool complete = pairs.is_measured(v[0], v[1]) && pairs.is_measured(v[0], v[2]) &&
                            pairs.is_measured(v[1], v[2]);
      if (complete && measured.values.size() <= kMostContrasts) terms_.push_back(term(v, measured));
    }
  }

  bool empty() const { return terms_.empty(); }

  double evaluate(const AncestralBits::Lists& parents, const AncestralBits::Lists& children) const {
    if (terms_.empty()) return 0;
    AncestralBits graph(parents, children);
    double sum = 0;
    for (const Term& term : terms_) {
      double best = 0;
      bool any = false;
      for (std::size_t m = 0; m < 3; ++m) {
        const auto [u, v] = others(m);
        const std::size_t x = term.members[u], y = term.members[v], z = term.members[m];
        if (graph.has_arc(x, y) || graph.has_arc(y, x)) continue;
        if (graph.has_arc(x, z) && graph.has_arc(y, z)) continue;
        if (any && term.gain[m] <= best) continue;
        if (!graph.is_separated(x, y, z)) continue;
        best = term.gain[m];
        any = true;
      }
      sum += best;
    }
    return weight_ * sum;
  }

 private:
  struct Term {
    std::array<std::size_t, 3> members;
    std::array<double, 3> gain;  // log likelihood ratio of "this one separates the others"
  };
  static constexpr std::size_t kMostContrasts = 512;
  static constexpr double kModelError = 1e-5;
  static constexpr double kInteraction = 0.1;  // squared size of all third moments together

  static std::array<std::size_t, 2> others(std::size_t m) {
    return {m == 0 ? std::size_t{1} : 0, m == 2 ? std::size_t{1} : 2};
  }

  using Three = std::array<Index, 3>;
  struct Moments {
    Three widths;
    std::vector<double> values;
    Index at(Index a, Index b, Index c) const { return (a * widths[1] + b) * widths[2] + c; }
    template <class Visit>
    void for_each(const Visit& visit) const {
      for (Index a = 0; a < widths[0]; ++a) {
        for (Index b = 0; b < widths[1]; ++b) {
          for (Index c = 0; c < widths[2]; ++c)
            visit(Three{a, b, c}, static_cast<std::size_t>(at(a, b, c)));
        }
      }
    }
  };

  // The whitened contrasts as functions of the levels: levels x contrasts.
  static Matrix by_level(const NoisyVariable& x) {
    Matrix out = product(x.q.rowwise() - x.mean.transpose(), x.basis);
    for (Index a = 0; a < out.cols(); ++a)
      out.col(a) /= std::sqrt(x.spread[a]);
    return out;
  }
  static Vector shares(const NoisyVariable& x) { return x.probability / x.probability.sum(); }

  // E[q_x q_y'] as measured.
  Matrix raw_pair(std::size_t x, std::size_t y) const {
    const bool in_order = x < y;
    const Measured& pair = *store_.find(VariableSet{x, y});
    const Index rows = pairs_.width(in_order ? x : y), cols = pairs_.width(in_order ? y : x);
    const Matrix stored = Eigen::Map<const Matrix>(pair.values.data(), cols, rows).transpose();
    return in_order ? stored : Matrix(stored.transpose());
  }

  // Centred, rotated and scaled.
  Moments whitened(const std::array<std::size_t, 3>& v, const Measured& measured) const {
    Moments out{{pairs_.width(v[0]), pairs_.width(v[1]), pairs_.width(v[2])}, measured.values};
    const Matrix ab = raw_pair(v[0], v[1]), ac = raw_pair(v[0], v[2]), bc = raw_pair(v[1], v[2]);
    const Vector &a = pairs_.variable(v[0]).mean, &b = pairs_.variable(v[1]).mean,
                 &c = pairs_.variable(v[2]).mean;
    out.for_each([&](const Three& i, std::size_t at) {
      out.values[at] += 2 * a[i[0]] * b[i[1]] * c[i[2]] - a[i[0]] * bc(i[1], i[2]) -
                        b[i[1]] * ac(i[0], i[2]) - c[i[2]] * ab(i[0], i[1]);
    });
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const NoisyVariable& x = pairs_.variable(v[axis]);
      const std::vector<double> before = out.values;
      out.for_each([&](const Three& i, std::size_t at) {
        double sum = 0;
        for (Index k = 0; k < x.contrasts; ++k) {
          Three j = i;
          j[axis] = k;
          sum += x.basis(k, i[axis]) * before[static_cast<std::size_t>(out.at(j[0], j[1], j[2]))];
        }
        out.values[at] = sum / std::sqrt(x.spread[i[axis]]);
      });
    }
    return out;
  }

  // Noise of the measurement and of the pairs that were used to centre it.
  double noise(const std::array<std::size_t, 3>& v, double variance, const Three& i) const {
    double sum = variance, spread = 1;
    for (std::size_t m = 0; m < 3; ++m) {
      const NoisyVariable& x = pairs_.variable(v[m]);
      const auto [u, w] = others(m);
      const double mean = x.rotated_mean[i[m]];
      sum += mean * mean * store_.find(VariableSet{v[u], v[w]})->variance;
      spread *= x.spread[i[m]];
    }
    return sum / spread;
  }

  // Variances of the whitened contrasts of x at every level of m, given their means there.
  static Matrix variances_at(const NoisyVariable& x, const Matrix& values, const Matrix& means) {
    const Vector share = shares(x);
    Matrix out(means.rows(), means.cols());
    for (Index a = 0; a < means.cols(); ++a) {
      // E[x_a^2 x_e]: how the square of the contrast follows the others.
      const Vector skew =
          cross_product(values, share.cwiseProduct(values.col(a)).cwiseProduct(values.col(a)));
      for (Index l = 0; l < means.rows(); ++l) {
        const double square = 1 + means.row(l).dot(skew);
        out(l, a) = std::max(0.02, square - means(l, a) * means(l, a));
      }
    }
    return out;
  }

  Term term(const std::array<std::size_t, 3>& v, const Measured& measured) const {
    const Moments moments = whitened(v, measured);
    std::array<std::vector<double>, 3> variance;
    std::array<double, 3> separated;
    for (std::size_t m = 0; m < 3; ++m)
      separated[m] = log_likelihood_separated(v, measured.variance, moments, m, variance[m]);
    double free = 0;
    std::array<double, 3> additive;
    for (std::size_t l = 0; l < 3; ++l)
      additive[l] = log_likelihood_additive(v, moments, l, variance);
    const double most = *std::max_element(additive.begin(), additive.end());
    for (double x : additive)
      free += std::exp(x - most) / 3;
    free = most + std::log(free);
    Term out{v, {}};
    for (std::size_t m = 0; m < 3; ++m)
      out.gain[m] = separated[m] - free;
    return out;
  }

  // Of "m separates the two others".
  double log_likelihood_separated(const std::array<std::size_t, 3>& v, double variance_of_triple,
                                  const Moments& moments, std::size_t m,
                                  std::vector<double>& variance) const {
    const std::array<std::size_t, 2> rest = others(m);
    const std::size_t u = rest[0], w = rest[1];
    const NoisyVariable& middle = pairs_.variable(v[m]);
    const Matrix values = by_level(middle);
    const Vector share = shares(middle);
    const Matrix mean_u = product(values, pairs_.shrunken(v[m], v[u]));
    const Matrix mean_w = product(values, pairs_.shrunken(v[m], v[w]));
    const NoisyVariable &x = pairs_.variable(v[u]), &y = pairs_.variable(v[w]);
    const Matrix spread_u = variances_at(x, by_level(x), mean_u);
    const Matrix spread_w = variances_at(y, by_level(y), mean_w);
    variance.resize(moments.values.size());
    double out = 0;
    const auto noise_u = pairs_.noise(v[u], v[m]), noise_w = pairs_.noise(v[w], v[m]);
    moments.for_each([&](const Three& i, std::size_t at) {
      const Vector at_level = share.cwiseProduct(values.col(i[m]));
      const Vector with_u = at_level.cwiseProduct(mean_u.col(i[u]));
      const Vector with_w = at_level.cwiseProduct(mean_w.col(i[w]));
      const double expected = with_u.dot(mean_w.col(i[w]));
      const double sampling = at_level.cwiseProduct(values.col(i[m]))
                                  .dot(spread_u.col(i[u]).cwiseProduct(spread_w.col(i[w])));
      // The means come from noisy pairs.
      double pairs = 0;
      for (Index e = 0; e < middle.contrasts; ++e) {
        const double by_u = values.col(e).dot(with_w), by_w = values.col(e).dot(with_u);
        pairs += by_u * by_u * noise_u(i[u], e) + by_w * by_w * noise_w(i[w], e);
      }
      variance[at] =
          sampling / pairs_.rows() + noise(v, variance_of_triple, i) + pairs + kModelError;
      const double off = moments.values[at] - expected;
      out -= 0.5 * (off * off / variance[at] + std::log(variance[at]));
    });
    return out;
  }

  // Of "the member l follows the two others additively", or nearly so.
  double log_likelihood_additive(const std::array<std::size_t, 3>& v, const Moments& moments,
                                 std::size_t l,
                                 const std::array<std::vector<double>, 3>& variance) const {
    const std::array<std::size_t, 2> rest = others(l);
    const std::size_t x = rest[0], z = rest[1];
    const Index nx = moments.widths[x], nz = moments.widths[z];
    const Matrix xz = pairs_.shrunken(v[x], v[z]);
    Matrix inner = Matrix::Identity(nx + nz, nx + nz) * (1 + 1e-3);
    inner.topRightCorner(nx, nz) = xz;
    inner.bottomLeftCorner(nz, nx) = xz.transpose();
    Matrix with(moments.widths[l], nx + nz);
    with.leftCols(nx) = pairs_.shrunken(v[l], v[x]);
    with.rightCols(nz) = pairs_.shrunken(v[l], v[z]);
    const Matrix slopes = CholeskyFactor(inner).solve_rows(with);
    // E[x_a x_e z_c] and E[z_c z_e x_a], from the pair alone: x given z is known.
    const Matrix values_x = by_level(pairs_.variable(v[x])),
                 values_z = by_level(pairs_.variable(v[z]));
    const Vector share_x = shares(pairs_.variable(v[x])), share_z = shares(pairs_.variable(v[z]));
    const Matrix z_at_x = product(values_x, xz), x_at_z = product(values_z, xz.transpose());
    const double size = kInteraction / static_cast<double>(moments.values.size());
    double exactly = 0, nearly = 0;
    moments.for_each([&](const Three& i, std::size_t at) {
      const Vector of_x = share_x.cwiseProduct(values_x.col(i[x])).cwiseProduct(z_at_x.col(i[z]));
      const Vector of_z = share_z.cwiseProduct(values_z.col(i[z])).cwiseProduct(x_at_z.col(i[x]));
      double expected = 0;
      for (Index e = 0; e < nx; ++e)
        expected += slopes(i[l], e) * of_x.dot(values_x.col(e));
      for (Index e = 0; e < nz; ++e)
        expected += slopes(i[l], nx + e) * of_z.dot(values_z.col(e));
      const double w = (variance[0][at] + variance[1][at] + variance[2][at]) / 3;
      const double off = moments.values[at] - expected;
      exactly -= 0.5 * (off * off / w + std::log(w));
      nearly -= 0.5 * (off * off / (w + size) + std::log(w + size));
    });
    const double most = std::max(exactly, nearly);
    return most + std::log((std::exp(exactly - most) + std::exp(nearly - most)) / 2);
  }

  const Measurements& store_;
  const WhitenedPairs& pairs_;
  double weight_;
  std::vector<Term> terms_;
};

}  // namespace privpc
