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
#include <cstdint>
#include <vector>

#include "privpc/marginals/whitened_pairs.hpp"
#include "privpc/search/contrast_regressions.hpp"
#include "privpc/search/kept_scores.hpp"
#include "privpc/search/ridge_regression.hpp"

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
  // From `least_together` contrasts of a variable on they are handled together, which is faster.
  NodeScore(const WhitenedPairs& pairs, const ScoreRules& rules, Index least_together = 4)
      : pairs_(pairs), rules_(rules), least_together_(least_together) {
    const std::size_t nodes = pairs.size();
    alone_ = Matrix::Zero(static_cast<Index>(nodes), static_cast<Index>(nodes));
    measured_with_.resize(nodes);
    for (std::size_t y = 0; y < nodes; ++y) {
      for (std::size_t q = 0; q < nodes; ++q) {
        if (q == y || !pairs.is_measured(y, q)) continue;
        measured_with_[y].push_back(q);
        alone_(static_cast<Index>(q), static_cast<Index>(y)) = without_parents(y, q);
      }
    }
    reserve();
  }

  // `before`: 1 for the variables before y, else 0. `implied` is S. The coefficients are kept for
  // write_covariances().
  double evaluate(std::size_t y, const Parents& parents, const std::vector<char>& before,
                  const Matrix& implied) {
    if (parents.empty()) {
      columns_ = 0;
      double score = 0;
      for (std::size_t q : measured_with_[y]) {
        if (before[q] != 0) score += alone_(static_cast<Index>(q), static_cast<Index>(y));
      }
      return score;
    }
    collect_rows(y, before);
    collect_parents(y, parents, implied);
    work_ += static_cast<double>(rows_) * static_cast<double>(columns_ * columns_);
    find_extra(parents);
    if (together_) return kept_or_new(y, parents);
    double score = 0;
    for (Index a = 0; a < pairs_.width(y); ++a)
      score += contrast(pairs_.start(y) + a, a);
    return score;
  }

  // Multiplications so far, of those that are most where there are many contrasts.
  double work() const { return work_; }

  const std::vector<std::size_t>& measured_with(std::size_t y) const { return measured_with_[y]; }

  // S_yQ = beta' S_PQ for all before y, of the variable that was evaluated last. Part by part, so
  // that what is read for one contrast of y is still at hand for the next.
  void write_covariances(std::size_t y, const std::vector<char>& before, Matrix& implied) {
    shrink(pairs_.width(y));
    for (std::size_t q = 0; q < pairs_.size();) {
      const Index first = pairs_.start(q);
      Index end = first;
      for (; q < pairs_.size() && before[q] != 0; ++q)
        end = pairs_.start(q) + pairs_.width(q);
      if (end == first) ++q;
      for (Index part = first; part < end; part += kPart)
        write_part(y, part, std::min(kPart, end - part), implied);
    }
  }

  // The coefficients of the variable whose covariances were written last.
  void copy_coefficients(std::size_t y, Matrix& to) const {
    to = beta_.topLeftCorner(columns_, pairs_.width(y));
  }

  // S_yv of any variable v that comes before y.
  void write_covariance(std::size_t y, std::size_t v, const Parents& parents,
                        const Matrix& coefficients, Matrix& implied) const {
    for (Index b = pairs_.start(v); b < pairs_.start(v) + pairs_.width(v); ++b) {
      const double* with = implied.col(b).data();
      for (Index a = 0; a < pairs_.width(y); ++a) {
        double sum = 0;
        Index j = 0;
        for (std::size_t x : parents) {
          const Index start = pairs_.start(x);
          for (Index i = 0; i < pairs_.width(x); ++i)
            sum += coefficients(j++, a) * with[start + i];
        }
        const Index at = pairs_.start(y) + a;
        implied(at, b) = implied(b, at) = sum;
      }
    }
  }

 private:
  // Of the variances: what sampling adds is then known well enough.
  static constexpr double kNegligibleChange = 0.01;

  static constexpr Index kPart = 512;  // rows
  static constexpr double kNothing = 1e-6;

  void write_part(std::size_t y, Index first, Index count, Matrix& implied) {
    work_ += static_cast<double>(count) * static_cast<double>(columns_ * pairs_.width(y));
    for (Index a = 0; a < pairs_.width(y); ++a) {
      auto part = written_.head(count);
      const auto from = [&](Index j) {
        return implied.col(index_[static_cast<std::size_t>(j)]).segment(first, count);
      };
      part.setZero();
      Index j = 0;
      for (; j + 4 <= columns_; j += 4) {
        part = part + beta_(j, a) * from(j) + beta_(j + 1, a) * from(j + 1) +
               beta_(j + 2, a) * from(j + 2) + beta_(j + 3, a) * from(j + 3);
      }
      for (; j < columns_; ++j)
        part += beta_(j, a) * from(j);
      const Index at = pairs_.start(y) + a;
      double* column = implied.col(at).data() + first;
      for (Index i = 0; i < count; ++i) {
        const double value = std::fabs(written_[i]) < kNothing ? 0 : written_[i];
        if (column[i] == value) continue;
        column[i] = value;
        implied(at, first + i) = value;
      }
    }
  }

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
    regression_ = RidgeRegression(all, most);
    if (widest >= least_together_) regressions_ = ContrastRegressions(all, most);
    beta_.resize(most, widest);
    among_parents_.resize(most, most);
    row_.resize(static_cast<std::size_t>(all));
    for (Vector* vector : {&extra_, &variance_, &written_})
      vector->resize(all);
  }

  void collect_rows(std::size_t y, const std::vector<char>& before) {
    rows_ = 0;
    block_ends_.clear();
    for (std::size_t q : measured_with_[y]) {
      if (before[q] == 0) continue;
      const Index end = pairs_.start(q) + pairs_.width(q);
      for (Index b = pairs_.start(q); b < end; ++b)
        row_[static_cast<std::size_t>(rows_++)] = b;
      block_ends_.push_back(rows_);
    }
  }

  double* column(Index j) { return together_ ? regressions_.column(j) : regression_.column(j); }

  void collect_parents(std::size_t y, const Parents& parents, const Matrix& implied) {
    index_.clear();
    log_prior_ = 0;
    together_ = pairs_.width(y) >= least_together_;
    double* precision = together_ ? regressions_.ridge() : regression_.ridge();
    for (std::size_t x : parents) {
      const double g =
          rules_.effect / static_cast<double>(std::max(pairs_.width(x), pairs_.width(y)));
      log_prior_ += static_cast<double>(pairs_.width(x)) * std::log(g);
      for (Index a = 0; a < pairs_.width(x); ++a) {
        index_.push_back(pairs_.start(x) + a);
        *precision++ = 1 / g;
      }
    }
    columns_ = static_cast<Index>(index_.size());
    together_ ? regressions_.resize(rows_, columns_) : regression_.resize(rows_, columns_);
    for (Index j = 0; j < columns_; ++j) {
      const double* from = implied.col(index_[static_cast<std::size_t>(j)]).data();
      double* to = column(j);
      for (Index i = 0; i < rows_; ++i)
        to[i] = from[row_[static_cast<std::size_t>(i)]];
      for (Index i = 0; i < columns_; ++i)
        among_parents_(i, j) = from[index_[static_cast<std::size_t>(i)]];
    }
    if (together_) regressions_.find_runs(block_ends_);
  }

  // For a variable that is no parent: products of how it goes with two of the parents.
  void find_extra(const Parents& parents) {
    has_extra_ = rules_.interaction > 0 && parents.size() > 1;
    if (!has_extra_) return;
    const double size = rules_.interaction * rules_.effect / 2;
    for (Index i = 0; i < rows_; ++i) {
      double sum = 0, squares = 0;
      bool own = false;
      Index j = 0;
      for (std::size_t x : parents) {
        const Index at = row_[static_cast<std::size_t>(i)] - pairs_.start(x);
        own = own || (at >= 0 && at < pairs_.width(x));
        double with = 0;
        for (const Index end = j + pairs_.width(x); j < end; ++j)
          with += column(j)[i] * column(j)[i];
        sum += with;
        squares += with * with;
      }
      // The sum over pairs of parents.
      extra_[i] = own ? 0 : size * (sum * sum - squares);
    }
  }

  // The score of one contrast of y; its coefficients go to column `a`.
  double contrast(Index at, Index a) {
    const double* c = pairs_.covariance().col(at).data();
    const double* noise = pairs_.noise().col(at).data();
    double* target = regression_.target();
    double least = HUGE_VAL;
    for (Index i = 0; i < rows_; ++i) {
      const Index row = row_[static_cast<std::size_t>(i)];
      target[i] = c[row];
      variance_[i] = noise[row] + error() + (has_extra_ ? extra_[i] : 0);
      least = std::min(least, variance_[i]);
    }
    const double sampling = 1 / pairs_.rows();
    weigh_and_solve(a, sampling);
    const double explains = explained(a);
    // Once more with what is left of the variance, unless the noise is much larger than that.
    if (explains * sampling > kNegligibleChange * (least + sampling)) {
      weigh_and_solve(a, (1 - explains) * sampling);
      explained(a);
    }
    return -0.5 * (regression_.left() - sum_of_logs(regression_.weights(), rows_) +
                   regression_.log_determinant() + log_prior_);
  }

  void weigh_and_solve(Index a, double sampling) {
    double* weights = regression_.weights();
    for (Index i = 0; i < rows_; ++i)
      weights[i] = 1 / (variance_[i] + sampling);
    regression_.solve(beta_.col(a).data());
  }

  double kept_or_new(std::size_t y, const Parents& parents) {
    // All that the score and the coefficients follow from, beside what stays the same.
    Fingerprint print;
    print.add(y);
    for (std::size_t x : parents)
      print.add(x);
    for (Index i = 0; i < rows_; ++i)
      print.add(static_cast<std::uint64_t>(row_[static_cast<std::size_t>(i)]));
    for (Index j = 0; j < columns_; ++j) {
      print.add(column(j), rows_);
      print.add(among_parents_.col(j).data(), j);
    }
    auto beta = beta_.topLeftCorner(columns_, pairs_.width(y));
    if (const KeptScore* known = kept_.find(print)) {
      beta = known->beta;
      return known->score;
    }
    const double score = contrasts_together(y);
    kept_.keep(print, score, beta);
    return score;
  }

  // The scores of all contrasts of y, as contrast() has them.
  double contrasts_together(std::size_t y) {
    const Index width = pairs_.width(y);
    const double sampling = 1 / pairs_.rows();
    std::vector<Index> todo;
    for (Index a = 0; a < width; ++a)
      todo.push_back(a);
    contrasts_.assign(static_cast<std::size_t>(width), {sampling, HUGE_VAL, 0, 0});
    solve_together(y, todo);
    todo.clear();
    for (Index a = 0; a < width; ++a) {
      Contrast& own = contrasts_[static_cast<std::size_t>(a)];
      if (own.explains * sampling <= kNegligibleChange * (own.least + sampling)) continue;
      own.sampling = (1 - own.explains) * sampling;
      todo.push_back(a);
    }
    if (!todo.empty()) solve_together(y, todo);
    double score = 0;
    for (const Contrast& own : contrasts_)
      score += own.score;
    return score;
  }

  void solve_together(std::size_t y, const std::vector<Index>& todo) {
    const auto count = static_cast<Index>(todo.size());
    const Index lanes = regressions_.lanes_for(count);
    regressions_.set_lanes(lanes);
    for (Index first = 0; first < count; first += lanes) {
      const Index used = std::min(lanes, count - first);
      const Index* which = &todo[static_cast<std::size_t>(first)];
      fill_lanes(pairs_.start(y), which, used, lanes);
      regressions_.solve(among_parents_);
      for (Index lane = 0; lane < used; ++lane)
        read_lane(lane, which[lane]);
    }
  }

  void fill_lanes(Index start, const Index* which, Index used, Index lanes) {
    for (Index i = 0; i < rows_; ++i) {
      const Index row = row_[static_cast<std::size_t>(i)];
      // Both are symmetric.
      const double* c = pairs_.covariance().col(row).data() + start;
      const double* noise = pairs_.noise().col(row).data() + start;
      const double more = error() + (has_extra_ ? extra_[i] : 0);
      double *weights = regressions_.weights(i), *targets = regressions_.targets(i);
      for (Index lane = 0; lane < used; ++lane) {
        Contrast& own = contrasts_[static_cast<std::size_t>(which[lane])];
        const double variance = noise[which[lane]] + more;
        own.least = std::min(own.least, variance);
        weights[lane] = 1 / (variance + own.sampling);
        targets[lane] = c[which[lane]];
      }
      for (Index lane = used; lane < lanes; ++lane)
        weights[lane] = targets[lane] = 0;
    }
  }

  void read_lane(Index lane, Index a) {
    Contrast& own = contrasts_[static_cast<std::size_t>(a)];
    own.explains = regressions_.explained(lane);
    const double most = 1 - rules_.least_left;
    const double shrunk = own.explains > most ? std::sqrt(most / own.explains) : 1;
    own.explains = std::min(own.explains, most);
    for (Index j = 0; j < columns_; ++j)
      beta_(j, a) = shrunk * regressions_.beta(j, lane);
    own.score = -0.5 * (regressions_.left(lane) - regressions_.log_weights(lane) +
                        regressions_.log_determinant(lane) + log_prior_);
  }

  double form(Index a, Index b) const {
    double sum = 0;
    for (Index i = 0; i < columns_; ++i) {
      double inner = 0;
      for (Index j = 0; j < columns_; ++j)
        inner += among_parents_(j, i) * beta_(j, b);
      sum += inner * beta_(i, a);
    }
    return sum;
  }

  // Of the variance of the contrast; coefficients that explain nearly all of it are too large.
  double explained(Index a) {
    const double share = form(a, a), most = 1 - rules_.least_left;
    if (share <= most) return share;
    beta_.col(a).head(columns_) *= std::sqrt(most / share);
    return most;
  }

  // All contrasts of y together, so that S stays positive definite.
  void shrink(Index width) {
    if (width < 2 || columns_ == 0) return;
    const double most = 1 - rules_.least_left;
    double trace = 0;
    for (Index a = 0; a < width; ++a)
      trace += form(a, a);
    if (trace <= most) return;
    const auto beta = beta_.topLeftCorner(columns_, width);
    const Matrix variance =
        cross_product(beta, product(among_parents_.topLeftCorner(columns_, columns_), beta));
    const double largest = eigenvalues(variance)[width - 1];
    if (largest > most) {
      beta_.topLeftCorner(columns_, width) *= std::sqrt(most / largest);
    }
  }

  const WhitenedPairs& pairs_;
  ScoreRules rules_;
  Index least_together_;
  Matrix alone_;  // of every pair: its score if it has nothing to do with each other
  std::vector<std::vector<std::size_t>> measured_with_;  // by variable
  // Of the variable that is being scored
  std::vector<Index> index_, row_, block_ends_;
  double log_prior_ = 0, work_ = 0;
  Index columns_ = 0, rows_ = 0;
  bool has_extra_ = false;
  Vector extra_, variance_, written_;
  bool together_ = false;
  RidgeRegression regression_;
  ContrastRegressions regressions_;
  struct Contrast {
    double sampling, least, explains, score;  // least: of the variances without sampling
  };
  std::vector<Contrast> contrasts_;
  KeptScores kept_;
  Matrix beta_, among_parents_;
};

}  // namespace privpc
