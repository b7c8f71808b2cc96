// How well the measured covariances of one variable with those before it agree with its parents.
//
// Let S be the covariance of all whitened contrasts (marginals/whitened_pairs.hpp) before y that
// the graph implies, Q those among them whose pair with y was measured, P those of the parents of
// y. If y depends on the variables before it through its parents only, and on these linearly, then
// for every contrast a of y with coefficients beta
//   C_Qa = S_QP beta + error,   error ~ N(0, W),   W = diag(omega / n + noise + model error),
// where omega is what the parents leave of the variance of a: sampling moves a covariance by
// omega / n, the privacy noise by what is known of it. With beta ~ N(0, diag(g)) the likelihood of
// the measured C_Qa is a Gaussian integral. For H = S_QP, K = H' W^-1 H + diag(1/g),
// u = H' W^-1 C_Qa:
//   log N = -1/2 [C_Qa' W^-1 C_Qa - u' K^-1 u + sum log W + log |K| + sum log g]
// (but for a constant that is the same for all graphs), and beta = K^-1 u. Every measured pair is
// counted once, with the later of its two variables: a missing edge is evidence as well as a
// present one. In turn beta gives the covariances of y with all before it, S_yQ = beta' S_PQ.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/marginals/whitened_pairs.hpp"

namespace privpc {

struct ScoreRules {
  double effect = 0.1;  // prior variance of a coefficient, times the larger number of contrasts
  double model_error = 1e-3;  // times the effect: what a linear graph cannot get right
  double least_left = 0.02;   // of the variance of a contrast, whatever its parents are
  std::size_t most_parents = 5;
  // Parents may act together, which pairs do not tell: extra variance, times the effect, of what
  // they imply for others.
  double interaction = 0;
};

using Parents = std::vector<std::size_t>;  // sorted

class NodeScore {
 public:
  NodeScore(const WhitenedPairs& pairs, const ScoreRules& rules) : pairs_(pairs), rules_(rules) {
    const std::size_t nodes = pairs.size();
    alone_ = Matrix::Zero(static_cast<Index>(nodes), static_cast<Index>(nodes));
    for (std::size_t y = 0; y < nodes; ++y) {
      for (std::size_t q = 0; q < nodes; ++q) {
        if (q != y && pairs.is_measured(y, q)) {
          alone_(static_cast<Index>(y), static_cast<Index>(q)) = without_parents(y, q);
        }
      }
    }
    reserve();
  }

  // `before`: 1 for the variables before y, else 0. `implied` is S. The coefficients are kept for
  // write_covariances().
  double evaluate(std::size_t y, const Parents& parents, const std::vector<char>& before,
                  const Matrix& implied) {
    collect_rows(y, before);
    if (parents.empty()) {
      columns_ = 0;
      double score = 0;
      for (std::size_t q : measured_before_)
        score += alone_(static_cast<Index>(y), static_cast<Index>(q));
      return score;
    }
    collect_parents(y, parents, implied);
    find_extra(parents);
    double score = 0;
    for (Index a = 0; a < pairs_.width(y); ++a)
      score += contrast(pairs_.start(y) + a, a, implied);
    return score;
  }

  // S_yQ = beta' S_PQ for all before y, of the variable that was evaluated last.
  void write_covariances(std::size_t y, const std::vector<char>& before, Matrix& implied) {
    const Index width = pairs_.width(y);
    shrink(width, implied);
    for (Index a = 0; a < width; ++a) {
      written_.setZero();
      for (Index j = 0; j < columns_; ++j)
        written_ += beta_(j, a) * implied.col(index_[static_cast<std::size_t>(j)]);
      const Index at = pairs_.start(y) + a;
      for (std::size_t q = 0; q < pairs_.size(); ++q) {
        if (before[q] == 0) continue;
        for (Index b = pairs_.start(q); b < pairs_.start(q) + pairs_.width(q); ++b)
          implied(b, at) = implied(at, b) = written_[b];
      }
    }
  }

 private:
  // Of the variances: what sampling adds is then known well enough.
  static constexpr double kNegligibleChange = 0.01;

  double without_parents(std::size_t y, std::size_t q) const {
    const auto c = pairs_.covariance(y, q).array();
    const auto w = pairs_.noise(y, q).array() + 1 / pairs_.rows() + error();
    return -0.5 * (c.square() / w + w.log()).sum();
  }

  double error() const { return rules_.model_error * rules_.effect; }

  void reserve() {
    std::vector<Index> widths;
    for (std::size_t v = 0; v < pairs_.size(); ++v)
      widths.push_back(pairs_.width(v));
    std::sort(widths.rbegin(), widths.rend());
    Index most = 0;
    for (std::size_t i = 0; i < std::min(widths.size(), rules_.most_parents + 1); ++i)
      most += widths[i];
    const Index all = pairs_.contrasts(), widest = widths.empty() ? 0 : widths[0];
    design_.resize(all, most);
    inner_.resize(most, most);
    beta_.resize(most, widest);
    gain_.resize(most);
    row_.resize(static_cast<std::size_t>(all));
    for (Vector* vector : {&extra_, &target_, &variance_, &inverse_, &weighed_, &written_})
      vector->resize(all);
  }

  void collect_rows(std::size_t y, const std::vector<char>& before) {
    rows_ = 0;
    measured_before_.clear();
    for (std::size_t q = 0; q < pairs_.size(); ++q) {
      if (before[q] == 0 || !pairs_.is_measured(y, q)) continue;
      measured_before_.push_back(q);
      for (Index b = 0; b < pairs_.width(q); ++b)
        row_[static_cast<std::size_t>(rows_++)] = pairs_.start(q) + b;
    }
  }

  void collect_parents(std::size_t y, const Parents& parents, const Matrix& implied) {
    index_.clear();
    precision_.clear();
    log_prior_ = 0;
    for (std::size_t x : parents) {
      const double g =
          rules_.effect / static_cast<double>(std::max(pairs_.width(x), pairs_.width(y)));
      log_prior_ += static_cast<double>(pairs_.width(x)) * std::log(g);
      for (Index a = 0; a < pairs_.width(x); ++a) {
        index_.push_back(pairs_.start(x) + a);
        precision_.push_back(1 / g);
      }
    }
    columns_ = static_cast<Index>(index_.size());
    for (Index j = 0; j < columns_; ++j) {
      const double* from = implied.col(index_[static_cast<std::size_t>(j)]).data();
      double* to = design_.col(j).data();
      for (Index i = 0; i < rows_; ++i)
        to[i] = from[row_[static_cast<std::size_t>(i)]];
    }
  }

  // For a variable that is no parent: products of how it goes with two of the parents.
  void find_extra(const Parents& parents) {
    has_extra_ = rules_.interaction > 0 && parents.size() > 1;
    if (!has_extra_) return;
    for (Index i = 0; i < rows_; ++i) {
      double sum = 0, squares = 0;
      bool own = false;
      Index j = 0;
      for (std::size_t x : parents) {
        const Index at = row_[static_cast<std::size_t>(i)] - pairs_.start(x);
        own = own || (at >= 0 && at < pairs_.width(x));
        double with = 0;
        for (const Index end = j + pairs_.width(x); j < end; ++j)
          with += design_(i, j) * design_(i, j);
        sum += with;
        squares += with * with;
      }
      // The sum over pairs of parents.
      extra_[i] = own ? 0 : rules_.interaction * rules_.effect * (sum * sum - squares) / 2;
    }
  }

  // The score of one contrast of y; its coefficients go to column `a`.
  double contrast(Index at, Index a, const Matrix& implied) {
    const double* c = pairs_.covariance().col(at).data();
    const double* noise = pairs_.noise().col(at).data();
    for (Index i = 0; i < rows_; ++i) {
      const Index row = row_[static_cast<std::size_t>(i)];
      target_[i] = c[row];
      variance_[i] = noise[row] + error() + (has_extra_ ? extra_[i] : 0);
    }
    double log_inner = 0, fitted = weigh_and_solve(a, 1, log_inner);
    const double left = 1 - explained(a, implied);
    // Once more with what is left of the variance, unless the noise is much larger than that.
    if ((1 - left) / pairs_.rows() * inverse_.head(rows_).maxCoeff() > kNegligibleChange) {
      fitted = weigh_and_solve(a, left, log_inner);
      explained(a, implied);
    }
    const double squares =
        (target_.head(rows_).array().square() * inverse_.head(rows_).array()).sum();
    return -0.5 * (squares - log_of_product() - fitted + log_inner + log_prior_);
  }

  double weigh_and_solve(Index a, double left, double& log_inner) {
    const Index k = columns_;
    const double sampling = left / pairs_.rows();
    inverse_.head(rows_) = (variance_.head(rows_).array() + sampling).inverse();
    for (Index j = 0; j < k; ++j) {
      weighed_.head(rows_) = inverse_.head(rows_).cwiseProduct(design_.col(j).head(rows_));
      gain_[j] = weighed_.head(rows_).dot(target_.head(rows_));
      for (Index l = 0; l <= j; ++l)
        inner_(j, l) = weighed_.head(rows_).dot(design_.col(l).head(rows_));
      inner_(j, j) += precision_[static_cast<std::size_t>(j)];
    }
    return solve(k, a, log_inner);
  }

  // The sum of the logarithms of the weights: of products of a few of them, which cannot overflow
  // because a weight is at most n / least_left.
  double log_of_product() const {
    double sum = 0, product = 1;
    int factors = 0;
    for (Index i = 0; i < rows_; ++i) {
      product *= inverse_[i];
      if (++factors == 12) {
        sum += std::log(product);
        product = 1;
        factors = 0;
      }
    }
    return sum + std::log(product);
  }

  // beta = K^-1 u by Cholesky, in place; returns u' K^-1 u.
  double solve(Index k, Index a, double& log_determinant) {
    double fitted = 0;
    log_determinant = 0;
    for (Index j = 0; j < k; ++j) {
      for (Index l = 0; l <= j; ++l) {
        double sum = inner_(j, l);
        for (Index z = 0; z < l; ++z)
          sum -= inner_(j, z) * inner_(l, z);
        if (l < j) {
          inner_(j, l) = sum / inner_(l, l);
        } else {
          inner_(j, j) = std::sqrt(std::max(sum, 1e-300));
          log_determinant += 2 * std::log(inner_(j, j));
        }
      }
      double rest = gain_[j];
      for (Index z = 0; z < j; ++z)
        rest -= inner_(j, z) * gain_[z];
      gain_[j] = rest / inner_(j, j);
      fitted += gain_[j] * gain_[j];
    }
    for (Index j = k - 1; j >= 0; --j) {
      double rest = gain_[j];
      for (Index z = j + 1; z < k; ++z)
        rest -= inner_(z, j) * beta_(z, a);
      beta_(j, a) = rest / inner_(j, j);
    }
    return fitted;
  }

  double form(Index a, Index b, const Matrix& implied) const {
    const Index k = columns_;
    double sum = 0;
    for (Index i = 0; i < k; ++i) {
      const auto column = implied.col(index_[static_cast<std::size_t>(i)]);
      double inner = 0;
      for (Index j = 0; j < k; ++j)
        inner += column[index_[static_cast<std::size_t>(j)]] * beta_(j, b);
      sum += inner * beta_(i, a);
    }
    return sum;
  }

  // Of the variance of the contrast; coefficients that explain nearly all of it are too large.
  double explained(Index a, const Matrix& implied) {
    const double share = form(a, a, implied), most = 1 - rules_.least_left;
    if (share <= most) return share;
    beta_.col(a).head(columns_) *= std::sqrt(most / share);
    return most;
  }

  // All contrasts of y together, so that S stays positive definite.
  void shrink(Index width, const Matrix& implied) {
    if (width < 2 || columns_ == 0) return;
    Matrix variance(width, width);
    for (Index a = 0; a < width; ++a) {
      for (Index b = 0; b <= a; ++b)
        variance(a, b) = variance(b, a) = form(a, b, implied);
    }
    const double most = 1 - rules_.least_left;
    if (variance.trace() <= most) return;
    const double largest = eigenvalues(variance)[width - 1];
    if (largest > most) {
      beta_.topLeftCorner(columns_, width) *= std::sqrt(most / largest);
    }
  }

  const WhitenedPairs& pairs_;
  ScoreRules rules_;
  Matrix alone_;  // of every pair: its score if it has nothing to do with each other
  // Of the variable that is being scored
  std::vector<std::size_t> measured_before_;
  std::vector<Index> index_, row_;
  std::vector<double> precision_;
  double log_prior_ = 0;
  Index columns_ = 0, rows_ = 0;
  bool has_extra_ = false;
  Vector extra_, target_, variance_, inverse_, weighed_, gain_, written_;
  Matrix design_, inner_, beta_;
};

}  // namespace privpc
