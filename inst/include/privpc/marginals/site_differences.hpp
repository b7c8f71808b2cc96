// Whether sites differ by more than noise and sampling: Cochran's Q for the contrasts of a set.
//
// Of a variable the contrasts m are compared, of a pair what it shows beyond the margins of its own
// site, D = R - m_x m_y'. If all sites draw from one population, D of site i has the covariance
//   V_i = Cov((q_x - m_x) (x) (q_y - m_y)) / n_i
//         + v_xy I + v_x I (x) m_y m_y' + v_y m_x m_x' (x) I + v_x v_y I,
// where (x) is the Kronecker product, v the noise variances of the site, and means and sampling
// covariance are those of the pooled table. With W_i = V_i^-1 and the mean
// D = (sum W_i)^-1 sum W_i D_i,
//   Q = sum (D_i - D)' W_i (D_i - D)
// is then chi-square with (sites - 1) (contrasts) degrees of freedom (Cochran 1954, for vectors).
// The pooled table is moved into the simplex, and every cell gets half a record: a cell that is
// empty by luck would otherwise have no sampling variance.
#pragma once

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include "privpc/base/distributions.hpp"
#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/marginals/noisy_variable.hpp"
#include "privpc/marginals/pooled_tables.hpp"
#include "privpc/marginals/reconstruct.hpp"

namespace privpc {

// More contrasts than this are not compared: the covariance matrices would be too large.
inline constexpr Index kMostComparedContrasts = 400;

struct SiteDifference {
  VariableSet set;
  std::size_t sites = 0;       // that measured it
  std::size_t most_apart = 0;  // the one with the largest part of Q
  double statistic = std::numeric_limits<double>::quiet_NaN();
  double df = 0;
  double p_value = std::numeric_limits<double>::quiet_NaN();
};

class SiteDifferences {
 public:
  SiteDifferences(SiteTables sites, const Measurements& pooled)
      : sites_(std::move(sites)), pooled_(pooled) {}

  // Of every variable and every pair that at least two sites measured.
  std::vector<SiteDifference> all() const {
    std::vector<SiteDifference> out;
    for (const VariableSet& set : detail::all_sets(sites_)) {
      if (set.size() > 2) continue;
      const SiteDifference found = compare(set);
      if (found.sites > 1) out.push_back(found);
    }
    return out;
  }

 private:
  struct Reading {
    std::size_t site;
    Vector value;
    Matrix precision;
  };

  SiteDifference compare(const VariableSet& set) const {
    SiteDifference out;
    out.set = set;
    const auto contrasts = static_cast<Index>(contrast_count(levels_of(pooled_.schema(), set)));
    for (const Measurements* site : sites_)
      out.sites += can_say(*site, set) ? 1 : 0;
    out.df = static_cast<double>(contrasts) * (static_cast<double>(out.sites) - 1);
    if (out.sites < 2 || contrasts == 0 || contrasts > kMostComparedContrasts) return out;
    check_margins(set);
    const Centred centred(pooled_, set);
    std::vector<Reading> readings;
    Matrix all = Matrix::Zero(contrasts, contrasts);
    Vector weighted = Vector::Zero(contrasts);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      if (!can_say(*sites_[i], set)) continue;
      const Matrix v = covariance(*sites_[i], set, centred);
      const Matrix precision = CholeskyFactor(v).solve_rows(Matrix::Identity(contrasts, contrasts));
      readings.push_back({i, value(*sites_[i], set), precision});
      all += precision;
      weighted += product(precision, readings.back().value);
    }
    const Vector mean = CholeskyFactor(all).solve_rows(weighted.transpose()).transpose();
    out.statistic = 0;
    double largest = -1;
    for (const Reading& reading : readings) {
      const Vector apart = reading.value - mean;
      const double part = apart.dot(Vector(product(reading.precision, apart)));
      out.statistic += part;
      if (part > largest) {
        largest = part;
        out.most_apart = reading.site;
      }
    }
    out.p_value = chi_square_upper(out.statistic, out.df);
    return out;
  }

  // Of sites can_say() asks; the pooled tables are read for every set.
  void check_margins(const VariableSet& set) const {
    for (auto v : set) {
      if (pooled_.find(VariableSet{v}) == nullptr)
        throw std::invalid_argument("a variable of a pair has no table of its own");
    }
  }

  // The pooled table of one or two variables: means of the contrasts, and their covariance around
  // these means.
  struct Centred {
    Centred(const Measurements& pooled, const VariableSet& set) {
      const std::vector<double> shares = reconstruct(pooled, set).shares;
      const auto cells = static_cast<Index>(shares.size());
      const double half = 0.5 / pooled.rows();
      Vector p = nearest_in_simplex(Eigen::Map<const Vector>(shares.data(), cells));
      p = (p.array() + half) / (1 + half * static_cast<double>(cells));
      const Matrix x = contrast_matrix(pooled.schema().levels(set[0]));
      if (set.size() == 1) {
        means.push_back(cross_product(x, p));
        const Matrix around = x.rowwise() - means[0].transpose();
        const Matrix across = around.transpose();
        covariance = weighted_product(across, p, across);
        return;
      }
      const Matrix y = contrast_matrix(pooled.schema().levels(set[1]));
      const Eigen::Map<const Matrix> table(p.data(), y.rows(), x.rows());
      means.push_back(cross_product(x, table.colwise().sum().transpose()));
      means.push_back(cross_product(y, table.rowwise().sum()));
      Matrix across(x.cols() * y.cols(), cells);
      for (Index a = 0; a < x.rows(); ++a) {
        const Vector from_x = x.row(a).transpose() - means[0];
        for (Index b = 0; b < y.rows(); ++b) {
          const Vector from_y = y.row(b).transpose() - means[1];
          for (Index i = 0; i < x.cols(); ++i)
            across.block(i * y.cols(), a * y.rows() + b, y.cols(), 1) = from_x[i] * from_y;
        }
      }
      const Vector mean = product(across, p);
      covariance = weighted_product(across, p, across) - outer_product(mean, mean);
    }

    std::vector<Vector> means;
    Matrix covariance;
  };

  // What a pair shows beyond its margins takes both of them; a damaged fit may lack one.
  static bool can_say(const Measurements& site, const VariableSet& set) {
    for (auto v : set) {
      if (site.find(VariableSet{v}) == nullptr) return false;
    }
    return site.find(set) != nullptr;
  }

  static Vector contrasts_of(const Measured& measured) {
    return Eigen::Map<const Vector>(measured.values.data(),
                                    static_cast<Index>(measured.values.size()));
  }

  static Vector value(const Measurements& site, const VariableSet& set) {
    Vector out = contrasts_of(*site.find(set));
    if (set.size() == 1) return out;
    const Vector x = contrasts_of(*site.find(VariableSet{set[0]}));
    const Vector y = contrasts_of(*site.find(VariableSet{set[1]}));
    for (Index i = 0; i < x.size(); ++i)
      out.segment(i * y.size(), y.size()) -= x[i] * y;
    return out;
  }

  static Matrix covariance(const Measurements& site, const VariableSet& set,
                           const Centred& centred) {
    Matrix v = centred.covariance / site.rows();
    v.diagonal().array() += site.find(set)->variance;
    if (set.size() == 1) return v;
    const Vector &x = centred.means[0], &y = centred.means[1];
    const double of_x = site.find(VariableSet{set[0]})->variance;
    const double of_y = site.find(VariableSet{set[1]})->variance;
    v.diagonal().array() += of_x * of_y;
    const Matrix by_x = of_x * outer_product(y, y);
    const Index ny = y.size();
    for (Index i = 0; i < x.size(); ++i) {
      v.block(i * ny, i * ny, ny, ny) += by_x;
      for (Index s = 0; s < x.size(); ++s)
        v.block(i * ny, s * ny, ny, ny).diagonal().array() += of_y * x[i] * x[s];
    }
    return v;
  }

  SiteTables sites_;
  const Measurements& pooled_;
};

}  // namespace privpc
