// Generalised Cochran-Mantel-Haenszel statistic (Landis, Heyman, Koch 1978).
//
// In stratum k with margins r_i, c_j and total N, the counts n_ij have, under independence and
// given the margins, mean r_i c_j / N and covariance
//   cov(n_ij, n_st) = [r_i (d_is N - r_s)] [c_j (d_jt N - c_t)] / (N^2 (N - 1)).
// The deviations are contracted with row and column scores (A_x, A_y), summed over strata, and
// referred to chi-square: M2 = g' V^-1 g. An ordered variable of three or more levels contributes
// one score, 1..levels; any other the indicators of all levels but the last. So two nominal
// variables give general association, one ordered the mean-score test, two the correlation test.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "privpc/base/distributions.hpp"
#include "privpc/schema/schema.hpp"
#include "privpc/statistic/stratum.hpp"
#include "privpc/statistic/test_result.hpp"

namespace privpc {

// A nominal pair has (levels - 1)(levels - 1) contrasts whose covariance has to be inverted.
inline constexpr std::size_t kMaxCmhContrasts = 2000;

class CmhSum {
 public:
  CmhSum(const Variable& x, const Variable& y)
      : x_(scores(x)), y_(scores(y)), x_levels_(x.levels), y_levels_(y.levels) {
    const std::size_t m = x_.size() * y_.size();
    if (m > kMaxCmhContrasts) throw too_many(m);
    deviation_.assign(m, 0);
    covariance_.assign(m * m, 0);
  }

  void add(const DenseStratum& s) {
    const Totals totals(s);
    add(totals.row, totals.column, totals.total, [&](const auto& visit) {
      for (std::uint32_t i = 0; i < s.rows; ++i) {
        for (std::uint32_t j = 0; j < s.columns; ++j) {
          if (s(i, j) > 0) visit(i, j, as_real(s(i, j)));
        }
      }
    });
  }

  // Only the cells that occur: for variables of so many levels that a table would be too large.
  void add(const Cell* cells, std::size_t size) {
    std::vector<double> row(x_levels_, 0), column(y_levels_, 0);
    double total = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double count = as_real(cells[i].count);
      row[cells[i].x] += count;
      column[cells[i].y] += count;
      total += count;
    }
    add(row, column, total, [&](const auto& visit) {
      for (std::size_t i = 0; i < size; ++i)
        visit(cells[i].x, cells[i].y, as_real(cells[i].count));
    });
  }

  // df is the rank of V: levels or strata without records take contrasts away.
  TestResult result() const {
    TestResult r;
    std::size_t rank = 0;
    r.statistic = quadratic_form(rank);
    r.df = static_cast<double>(rank);
    r.p_value = chi_square_upper(r.statistic, r.df);
    return r;
  }

 private:
  using Scores = std::vector<std::vector<double>>;

  static std::invalid_argument too_many(std::size_t contrasts) {
    return std::invalid_argument("a CMH test of nominal variables has " +
                                 std::to_string(contrasts) +
                                 " contrasts here; at most 2000 are possible");
  }

  // Scores times totals.
  static std::vector<double> totals(const Scores& scores, const std::vector<double>& margin) {
    std::vector<double> out(scores.size(), 0);
    for (std::size_t p = 0; p < scores.size(); ++p) {
      for (std::size_t i = 0; i < margin.size(); ++i)
        out[p] += scores[p][i] * margin[i];
    }
    return out;
  }

  template <class ForEachCell>
  void add(const std::vector<double>& row, const std::vector<double>& column, double n,
           const ForEachCell& for_each_cell) {
    if (n < 2) return;
    const std::size_t a = x_.size(), b = y_.size();
    const std::vector<double> mean_x = totals(x_, row), mean_y = totals(y_, column);
    for_each_cell([&](std::uint32_t i, std::uint32_t j, double count) {
      for (std::size_t p = 0; p < a; ++p) {
        if (x_[p][i] == 0) continue;
        for (std::size_t q = 0; q < b; ++q)
          deviation_[p * b + q] += x_[p][i] * y_[q][j] * count;
      }
    });
    const std::vector<double> cx = score_covariance(x_, row, mean_x, n);
    const std::vector<double> cy = score_covariance(y_, column, mean_y, n);
    const double scale = 1 / (n * n * (n - 1));
    for (std::size_t p = 0; p < a; ++p) {
      for (std::size_t q = 0; q < b; ++q) {
        deviation_[p * b + q] -= mean_x[p] * mean_y[q] / n;
        for (std::size_t s = 0; s < a; ++s) {
          for (std::size_t t = 0; t < b; ++t) {
            covariance_[(p * b + q) * a * b + s * b + t] += scale * cx[p * a + s] * cy[q * b + t];
          }
        }
      }
    }
  }

  static Scores scores(const Variable& v) {
    if (v.ordered && v.levels > 2) {
      Scores one(1, std::vector<double>(v.levels));
      // 1..levels, moved to be centred: no statistic changes, and little is lost to rounding.
      for (std::uint32_t l = 0; l < v.levels; ++l)
        one[0][l] = l - (v.levels - 1.0) / 2;
      return one;
    }
    if (v.levels - 1 > kMaxCmhContrasts) throw too_many(v.levels - 1);
    Scores all(v.levels - 1, std::vector<double>(v.levels, 0.0));
    for (std::uint32_t l = 0; l + 1 < v.levels; ++l)
      all[l][l] = 1;
    return all;
  }

  // A (N diag(m) - m m') A' for margins m; `mean` is A m.
  static std::vector<double> score_covariance(const Scores& scores,
                                              const std::vector<double>& margin,
                                              const std::vector<double>& mean, double n) {
    const std::size_t a = scores.size();
    std::vector<double> out(a * a, 0);
    for (std::size_t p = 0; p < a; ++p) {
      for (std::size_t q = p; q < a; ++q) {
        double sum = 0;
        for (std::size_t i = 0; i < margin.size(); ++i) {
          sum += scores[p][i] * scores[q][i] * margin[i];
        }
        double value = n * sum - mean[p] * mean[q];
        // A constant score has no variance; what is left of it is rounding.
        if (std::fabs(value) < 1e-12 * n * std::fabs(sum)) value = 0;
        out[p * a + q] = out[q * a + p] = value;
      }
    }
    return out;
  }

  // g' V^- g by a Cholesky factorisation with diagonal pivoting, which stops at the rank.
  double quadratic_form(std::size_t& rank) const {
    const std::size_t m = deviation_.size();
    std::vector<double> v = covariance_, g = deviation_;
    std::vector<double> scale(m);
    for (std::size_t i = 0; i < m; ++i)
      scale[i] = v[i * m + i];
    std::vector<bool> done(m, false);
    double form = 0;
    rank = 0;
    for (std::size_t step = 0; step < m; ++step) {
      std::size_t best = m;
      for (std::size_t i = 0; i < m; ++i) {
        // What is left of a contrast's own variance; below 1e-9 of it, it is a combination of
        // those already used.
        if (!done[i] && v[i * m + i] > 1e-9 * scale[i] &&
            (best == m || v[i * m + i] > v[best * m + best])) {
          best = i;
        }
      }
      if (best == m) break;
      done[best] = true;
      ++rank;
      const double pivot = v[best * m + best];
      form += g[best] * g[best] / pivot;
      for (std::size_t i = 0; i < m; ++i) {
        if (done[i]) continue;
        const double factor = v[i * m + best] / pivot;
        if (factor == 0) continue;
        g[i] -= factor * g[best];
        for (std::size_t j = 0; j < m; ++j) {
          if (!done[j]) v[i * m + j] -= factor * v[best * m + j];
        }
      }
    }
    return form;
  }

  Scores x_, y_;
  std::uint32_t x_levels_, y_levels_;
  std::vector<double> deviation_;
  std::vector<double> covariance_;
};

}  // namespace privpc
