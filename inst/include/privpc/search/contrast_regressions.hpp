// The ridge regressions of all contrasts of a variable on the same columns, each with weights of
// its own: what ridge_regression.hpp does one by one, side by side (regression_lanes.hpp). Worth it
// from four contrasts on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "privpc/marginals/linear_algebra.hpp"
#include "privpc/search/regression_lanes.hpp"

namespace privpc {

class ContrastRegressions {
 public:
  using Solvers = lanes::Workers<lanes::Problem>;
  ContrastRegressions() = default;
  ContrastRegressions(Index most_rows, Index most_columns,
                      const Solvers& solvers = lanes::best_solvers())
      : solvers_(&solvers), stride_(most_rows) {
    const Index side = most_columns + 2, lanes = most_lanes();
    const auto room = [](std::vector<double>& numbers, Index size) {
      numbers.assign(static_cast<std::size_t>(size), 0);
    };
    room(columns_, stride_ * side);
    room(ridge_, side);
    for (std::vector<double>* by_row : {&weights_, &targets_, &weighed_})
      room(*by_row, most_rows * lanes);
    for (std::vector<double>* by_column : {&inverse_, &beta_})
      room(*by_column, side * lanes);
    room(factor_, side * (side + 1) / 2 * lanes);
    room(left_, lanes);
    room(explained_, lanes);
  }

  // No more lanes than this at a time.
  Index most_lanes() const { return solvers_->most * lanes::kFour; }
  // So many of `count` targets go together.
  Index lanes_for(Index count) const { return lanes::lanes_for(count, solvers_->most); }

  // What is in the columns and in the ridge stays until it is changed.
  void resize(Index rows, Index columns) {
    rows_ = rows;
    size_ = columns;
  }
  double* column(Index j) { return &columns_[static_cast<std::size_t>(j * stride_)]; }
  double* ridge() { return ridge_.data(); }

  // Looks where the columns are not zero. `ends`: of the blocks of rows.
  void find_runs(const std::vector<Index>& ends) {
    blocks_ = static_cast<Index>(ends.size());
    runs_.clear();
    // One more: columns are taken in twos.
    for (Index j = 0; j <= size_; ++j) {
      Index first = 0;
      for (Index end : ends) {
        Index from = first, to = j < size_ ? end : first;
        while (from < to && column(j)[from] == 0)
          ++from;
        while (from < to && column(j)[to - 1] == 0)
          --to;
        runs_.push_back({from, to});
        first = end;
      }
    }
  }

  // A row of the weights and of the targets: one number for every lane.
  void set_lanes(Index lanes) { lanes_ = lanes; }
  double* weights(Index row) { return &weights_[static_cast<std::size_t>(row * lanes_)]; }
  double* targets(Index row) { return &targets_[static_cast<std::size_t>(row * lanes_)]; }

  // `among`: covariances of the columns.
  void solve(const Matrix& among) {
    lanes::Problem problem{};
    problem.rows = rows_;
    problem.columns = size_;
    problem.blocks = blocks_;
    problem.stride = stride_;
    problem.design = columns_.data();
    problem.runs = runs_.data();
    problem.weights = weights_.data();
    problem.targets = targets_.data();
    problem.ridge = ridge_.data();
    problem.among = among.data();
    problem.among_stride = among.rows();
    problem.weighed = weighed_.data();
    problem.factor = factor_.data();
    problem.inverse = inverse_.data();
    problem.beta = beta_.data();
    problem.left = left_.data();
    problem.explained = explained_.data();
    (*solvers_)(problem, lanes_);
  }

  // After solve().
  double beta(Index column, Index lane) const { return number(beta_, column, lane); }
  double left(Index lane) const { return number(left_, 0, lane); }
  // beta' S beta, S the covariances of the columns.
  double explained(Index lane) const { return number(explained_, 0, lane); }
  double log_determinant(Index lane) const { return -2 * sum_of_logs(inverse_, size_, lane); }
  double log_weights(Index lane) const { return sum_of_logs(weights_, rows_, lane); }

 private:
  double number(const std::vector<double>& from, Index row, Index lane) const {
    return from[static_cast<std::size_t>(row * lanes_ + lane)];
  }

  // As in ridge_regression.hpp.
  double sum_of_logs(const std::vector<double>& values, Index size, Index lane) const {
    constexpr Index kFactors = 12;
    double sum = 0;
    for (Index first = 0; first < size; first += kFactors) {
      double product = 1;
      for (Index i = first; i < std::min(size, first + kFactors); ++i)
        product *= number(values, i, lane);
      sum += std::log(product);
    }
    return sum;
  }

  const Solvers* solvers_ = nullptr;
  Index stride_ = 0, rows_ = 0, size_ = 0, blocks_ = 0, lanes_ = 0;
  std::vector<double> columns_, ridge_;
  std::vector<lanes::Run> runs_;
  // Rows of lanes
  std::vector<double> weights_, targets_, weighed_, factor_, inverse_, beta_, left_, explained_;
};

}  // namespace privpc
