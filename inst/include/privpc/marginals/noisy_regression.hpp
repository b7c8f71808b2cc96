// Regressions on conditioning variables, from noisy moments: what noisy_test.hpp needs to take the
// conditions out of x and y. Regressions are kept, since many tests share them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/small_matrix.hpp"
#include "privpc/marginals/table_basis.hpp"
#include "privpc/schema/table_shape.hpp"

namespace privpc {

struct NoisyRegressionOptions {
  double ridge = 50;           // times the noise variance of the moment
  double least_spread = 1e-3;  // smallest eigenvalue of a covariance of contrasts
};

inline void add_scaled(Matrix& to, const Matrix& from, double factor) {
  for (std::size_t i = 0; i < to.values().size(); ++i)
    to.values()[i] += factor * from.values()[i];
}

// The contrasts part of the basis: levels x (levels - 1).
inline Matrix contrast_matrix(std::uint32_t k) {
  const std::vector<double> u = orthonormal_basis(k);
  Matrix q(k, k - 1);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 1; j < k; ++j)
      q(i, j - 1) = u[i * k + j];
  }
  return q;
}

// The nearest point with non-negative coordinates that add up to 1.
inline void project_onto_simplex(std::vector<double>& p) {
  std::vector<double> sorted = p;
  std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return a > b; });
  double sum = 0, shift = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - 1) / static_cast<double>(i + 1);
    if (sorted[i] > candidate) shift = candidate;
  }
  for (double& x : p)
    x = std::max(0.0, x - shift);
}

// q' (diag p - p p') q
inline Matrix covariance(const Matrix& q, const std::vector<double>& p) {
  Matrix out = cross_product(q, q, p.data());
  std::vector<double> mean(q.columns(), 0);
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t j = 0; j < q.columns(); ++j)
      mean[j] += p[i] * q(i, j);
  }
  for (std::size_t i = 0; i < q.columns(); ++i) {
    for (std::size_t j = 0; j < q.columns(); ++j)
      out(i, j) -= mean[i] * mean[j];
  }
  return out;
}

class NoisyRegressions {
 public:
  struct Single {
    std::size_t contrasts = 0;
    double spread_in_all = 1;
    double variance = 0;
    std::vector<double> mean;  // contrasts of the distribution moved into the simplex
    std::vector<double> probability;
    std::vector<double> spread;        // eigenvalues of the covariance of the contrasts
    Matrix basis;                      // their eigenvectors
    std::vector<double> rotated_mean;  // basis' mean
    Matrix q;                          // levels x contrasts

    // Squares and products of the mean, as large as they may well be: where the noise of the mean
    // is large, a mean near 0 can be an accident. (1 - 1/k is the largest possible square.)
    double squared_mean(std::size_t j) const {
      return std::min(most(), rotated_mean[j] * rotated_mean[j] + 2 * variance);
    }
    double mean_product(std::size_t j, std::size_t t) const {
      double length = 0;
      for (double x : mean)
        length += x * x;
      const double likely = std::min(most(), length + 2 * variance);
      return rotated_mean[j] * rotated_mean[t] * (length > 0 ? likely / length : 0);
    }

   private:
    double most() const { return 1 - 1 / (static_cast<double>(contrasts) + 1); }
  };

  struct Conditions {
    std::size_t cells = 1;
    std::vector<double> share;        // of the records in each cell, as measured
    std::vector<double> clipped;      // the same, positive and adding up to 1
    std::vector<double> noise_scale;  // standard deviation of each coefficient in the full basis
    std::vector<std::uint32_t> levels;
    Matrix features;        // cells x features
    Matrix second_moments;  // M, as measured
    Matrix inverse;         // (M of the clipped table + ridge)^-1
    Matrix projector;       // from functions of the cells to coefficients of features
    std::vector<VariableSet> subsets;
    std::vector<std::size_t> widths;
  };

  struct Regression {
    std::vector<double> spread;
    Matrix basis;
    Matrix moments;                 // C, rotated: contrasts x features
    std::vector<double> variances;  // of the noise of each column of C
    Matrix slopes;                  // B, rotated: features x contrasts
    Matrix fitted;                  // features * slopes: cells x contrasts
    Matrix predicted;               // distribution of x: cells x levels
    Matrix rotated;                 // levels x contrasts
    Matrix spread_in_cell;          // variances of the rotated contrasts: cells x contrasts
    std::vector<Matrix> covariance_in_cell;  // with their covariances; made only where asked for
    double share_left = 1;                   // of the spread of x, after the regression
  };

  explicit NoisyRegressions(const Measurements& store, const NoisyRegressionOptions& options = {})
      : store_(store), options_(options) {
    for (std::size_t v = 0; v < store.schema().size(); ++v)
      singles_.push_back(make_single(v));
  }

  const Single& single(std::size_t v) const { return singles_[v]; }

  // Forgets everything if it has become too much. References obtained before are then invalid.
  void limit_memory() {
    if (stored_ <= kMostStored) return;
    conditions_.clear();
    regressions_.clear();
    stored_ = 0;
  }

  // Bit s is set if the subset with the member mask s serves as a feature for both x and y.
  std::uint32_t usable_subsets(std::size_t x, std::size_t y, const VariableSet& given) const {
    std::uint32_t bits = 0;
    for (std::uint32_t mask = 0; mask < 1u << given.size(); ++mask) {
      const VariableSet w = subset(given, mask);
      const bool measured =
          w.size() < 2 || (store_.find(w.with(x)) != nullptr && store_.find(w.with(y)) != nullptr);
      if (measured) bits |= 1u << mask;
    }
    return bits;
  }

  const Conditions& conditions(const VariableSet& given, std::uint32_t subsets) {
    const Key key{0, given, subsets};
    const auto it = conditions_.find(key);
    if (it != conditions_.end()) return *it->second;
    auto out = std::make_unique<Conditions>();
    Conditions& z = *out;
    z.levels = levels_of(store_.schema(), given);
    for (std::uint32_t k : z.levels)
      z.cells *= k;

    // The table of z in the full orthonormal basis: the coefficient of the subset w is its
    // measured contrast divided by sqrt(k) for every member that w leaves out.
    z.share.assign(z.cells, 0);
    z.noise_scale.assign(z.cells, 0);
    for (std::uint32_t mask = 0; mask < 1u << given.size(); ++mask) {
      const VariableSet w = subset(given, mask);
      const Measured* measured = w.empty() ? nullptr : store_.find(w);
      if (measured == nullptr && !w.empty()) continue;
      double shrink = 1;
      for (std::size_t i = 0; i < given.size(); ++i) {
        if ((mask >> i & 1) == 0) shrink /= std::sqrt(static_cast<double>(z.levels[i]));
      }
      std::size_t next = 0;
      for_each_contrast(z.levels, mask, [&](std::size_t cell) {
        z.share[cell] = shrink * (measured == nullptr ? 1 : measured->values[next]);
        z.noise_scale[cell] = measured == nullptr ? 0 : shrink * std::sqrt(measured->variance);
        ++next;
      });
    }
    change_basis(z.share, z.levels, 1, false);
    z.clipped = z.share;
    double total = 0;
    for (double& p : z.clipped) {
      p = std::max(p, 1e-3 / static_cast<double>(z.cells));
      total += p;
    }
    for (double& p : z.clipped)
      p /= total;
    build_features(z, given, subsets);
    stored_ += z.cells * (2 * z.features.columns() + 3);
    return *conditions_.emplace(key, std::move(out)).first->second;
  }

  // `dense`: with the covariances inside the cells, of which there may be very many.
  const Regression& regression(std::size_t x, const VariableSet& given, std::uint32_t subsets,
                               const Conditions& z, bool dense) {
    std::unique_ptr<Regression>& slot = regressions_[Key{x, given, subsets}];
    if (slot == nullptr) slot = make_regression(x, z);
    if (dense && slot->covariance_in_cell.empty()) add_covariances(*slot);
    return *slot;
  }

 private:
  static constexpr std::size_t kMostStored = std::size_t{1} << 23;  // numbers: 64 MB

  struct Key {
    std::size_t variable;
    VariableSet given;
    std::uint32_t subsets;
    bool operator==(const Key& other) const {
      return variable == other.variable && given == other.given && subsets == other.subsets;
    }
    struct Hash {
      std::size_t operator()(const Key& key) const {
        return VariableSet::Hash{}(key.given) * 31 + key.variable * 0x9E3779B97F4A7C15ull +
               key.subsets;
      }
    };
  };

  std::unique_ptr<Regression> make_regression(std::size_t x, const Conditions& z) {
    auto out = std::make_unique<Regression>();
    Regression& r = *out;
    const Single& own = singles_[x];
    const std::size_t a = own.contrasts, features = z.features.columns();
    r.moments = Matrix(a, features);
    std::size_t first = 0;
    for (std::size_t s = 0; s < z.subsets.size(); ++s) {
      const VariableSet with = z.subsets[s].with(x);
      const Measured& measured = *store_.find(with);
      // x may stand anywhere among the members; bring its axis to the front.
      std::size_t inner = 1;
      for (std::size_t i = with.position(x) + 1; i < with.size(); ++i)
        inner *= store_.schema().levels(with[i]) - 1;
      const std::size_t outer = z.widths[s] / inner;
      for (std::size_t o = 0; o < outer; ++o) {
        for (std::size_t j = 0; j < a; ++j) {
          for (std::size_t i = 0; i < inner; ++i)
            r.moments(j, first + o * inner + i) = measured.values[(o * a + j) * inner + i];
        }
      }
      r.variances.insert(r.variances.end(), z.widths[s], measured.variance);
      first += z.widths[s];
    }

    // Predict the distribution of x in every cell of z, move it into the simplex, and take the
    // slopes that come nearest to it.
    const Matrix raw = product(z.features, product(z.inverse, transpose(r.moments)));
    const std::size_t k = a + 1;
    r.predicted = Matrix(z.cells, k);
    for (std::size_t cell = 0; cell < z.cells; ++cell) {
      double total = 0;
      for (std::size_t level = 0; level < k; ++level) {
        double p = 1.0 / static_cast<double>(k);
        for (std::size_t j = 0; j < a; ++j)
          p += own.q(level, j) * raw(cell, j);
        r.predicted(cell, level) = std::max(p, 0.0) + 1e-6;
        total += r.predicted(cell, level);
      }
      for (std::size_t level = 0; level < k; ++level)
        r.predicted(cell, level) /= total;
    }
    r.slopes = product(z.projector, product(r.predicted, own.q));

    // What is left of x: E[q q'] - C B - B' C' + B' M B.
    Matrix left = cross_product(own.q, own.q, own.probability.data());
    const Matrix explained = product(r.moments, r.slopes);
    add_scaled(left, explained, -1);
    add_scaled(left, transpose(explained), -1);
    add_scaled(left, cross_product(r.slopes, product(z.second_moments, r.slopes)), 1);
    for (std::size_t i = 0; i < a; ++i) {
      for (std::size_t j = 0; j < i; ++j)
        left(i, j) = left(j, i) = (left(i, j) + left(j, i)) / 2;
    }
    double left_in_all = 0;
    for (std::size_t i = 0; i < a; ++i)
      left_in_all += left(i, i);
    r.share_left = left_in_all / own.spread_in_all;
    Eigen eigen = symmetric_eigen(left);
    for (double& value : eigen.values)
      value = std::max(value, options_.least_spread);
    r.spread = eigen.values;
    r.basis = eigen.vectors;
    r.moments = cross_product(r.basis, r.moments);
    r.slopes = product(r.slopes, r.basis);
    r.fitted = product(z.features, r.slopes);
    r.rotated = product(own.q, r.basis);
    r.spread_in_cell = Matrix(z.cells, a);
    std::vector<double> mean(a);
    for (std::size_t cell = 0; cell < z.cells; ++cell) {
      std::fill(mean.begin(), mean.end(), 0.0);
      double* square = r.spread_in_cell.row(cell);
      for (std::size_t level = 0; level < k; ++level) {
        for (std::size_t j = 0; j < a; ++j) {
          const double part = r.predicted(cell, level) * r.rotated(level, j);
          mean[j] += part;
          square[j] += part * r.rotated(level, j);
        }
      }
      for (std::size_t j = 0; j < a; ++j)
        square[j] -= mean[j] * mean[j];
    }
    stored_ += z.cells * (3 * a + 1) + 2 * a * features;
    return out;
  }

  void add_covariances(Regression& r) {
    const std::size_t cells = r.predicted.rows(), k = r.predicted.columns();
    std::vector<double> p(k);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      std::copy_n(r.predicted.row(cell), k, p.begin());
      r.covariance_in_cell.push_back(covariance(r.rotated, p));
    }
    stored_ += cells * (k - 1) * (k - 1);
  }

  Single make_single(std::size_t v) const {
    Single out;
    const std::uint32_t k = store_.schema().levels(v);
    const Measured* measured = k < 2 ? nullptr : store_.find(VariableSet{v});
    if (measured == nullptr) return out;
    out.contrasts = k - 1;
    out.variance = measured->variance;
    out.q = contrast_matrix(k);
    std::vector<double> p(k, 1.0 / k);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j + 1 < k; ++j)
        p[i] += out.q(i, j) * measured->values[j];
    }
    project_onto_simplex(p);
    out.mean.assign(k - 1, 0);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j + 1 < k; ++j)
        out.mean[j] += p[i] * out.q(i, j);
    }
    // Levels that hardly occur still get a little spread: noise hides how rare they are.
    for (double& x : p)
      x = std::max(x, 1e-4);
    out.probability = p;
    Eigen eigen = symmetric_eigen(covariance(out.q, p));
    for (double& value : eigen.values)
      value = std::max(value, options_.least_spread);
    out.spread = eigen.values;
    out.spread_in_all = std::accumulate(out.spread.begin(), out.spread.end(), 0.0);
    out.basis = eigen.vectors;
    out.rotated_mean.assign(k - 1, 0);
    for (std::size_t i = 0; i + 1 < k; ++i) {
      for (std::size_t j = 0; j + 1 < k; ++j)
        out.rotated_mean[j] += out.mean[i] * out.basis(i, j);
    }
    return out;
  }

  void build_features(Conditions& z, const VariableSet& given, std::uint32_t subsets) const {
    std::size_t features = 0;
    std::vector<std::uint32_t> masks;
    for (std::uint32_t mask = 0; mask < 1u << given.size(); ++mask) {
      if ((subsets >> mask & 1) == 0) continue;
      masks.push_back(mask);
      z.subsets.push_back(subset(given, mask));
      z.widths.push_back(contrast_count(levels_of(store_.schema(), z.subsets.back())));
      features += z.widths.back();
    }
    z.features = Matrix(z.cells, features);
    std::vector<std::vector<double>> bases;
    for (std::uint32_t k : z.levels)
      bases.push_back(orthonormal_basis(k));
    std::size_t first = 0;
    for (std::size_t s = 0; s < masks.size(); ++s) {
      for (std::size_t cell = 0; cell < z.cells; ++cell) {
        // Split the feature's index and the cell into the members' parts, last member fastest.
        for (std::size_t f = 0; f < z.widths[s]; ++f) {
          std::size_t rest_cell = cell, rest_feature = f;
          double value = 1;
          for (std::size_t i = z.levels.size(); i-- > 0;) {
            const std::size_t k = z.levels[i], level = rest_cell % k;
            rest_cell /= k;
            if ((masks[s] >> i & 1) == 0) continue;
            const std::size_t j = rest_feature % (k - 1);
            rest_feature /= k - 1;
            value *= bases[i][level * k + j + 1];
          }
          z.features(cell, first + f) = value;
        }
      }
      first += z.widths[s];
    }
    z.second_moments = cross_product(z.features, z.features, z.share.data());
    Matrix regular = cross_product(z.features, z.features, z.clipped.data());
    first = 0;
    for (std::size_t s = 0; s < masks.size(); ++s) {
      const Measured* measured = store_.find(z.subsets[s]);
      const double ridge =
          masks[s] == 0
              ? 0
              : options_.ridge * std::max(measured == nullptr ? 0 : measured->variance, 1e-9);
      for (std::size_t f = first; f < first + z.widths[s]; ++f)
        regular(f, f) += ridge;
      first += z.widths[s];
    }
    Matrix identity(features, features);
    for (std::size_t f = 0; f < features; ++f)
      identity(f, f) = 1;
    z.inverse = Cholesky(regular).solve(identity);
    std::vector<double> lifted = z.clipped;
    for (double& p : lifted)
      p += 0.1 / static_cast<double>(z.cells);
    const Matrix gram = cross_product(z.features, z.features, lifted.data());
    Matrix weighted = transpose(z.features);
    for (std::size_t f = 0; f < features; ++f) {
      for (std::size_t cell = 0; cell < z.cells; ++cell)
        weighted(f, cell) *= lifted[cell];
    }
    z.projector = Cholesky(gram).solve(weighted);
  }

  const Measurements& store_;
  NoisyRegressionOptions options_;
  std::vector<Single> singles_;
  std::unordered_map<Key, std::unique_ptr<Conditions>, Key::Hash> conditions_;
  std::unordered_map<Key, std::unique_ptr<Regression>, Key::Hash> regressions_;
  std::size_t stored_ = 0;
};

}  // namespace privpc
