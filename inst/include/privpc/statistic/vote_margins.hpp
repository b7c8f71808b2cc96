// Margins for G2 and chi-square, which have no bounded sensitivity: blocks of records vote.
//
// The rows are divided at random into B blocks (statistic/block_tests.hpp). Each block whose
// p-value is above a half votes "independent". Were p-values uniform under independence, B/2 would,
// with standard deviation sqrt(B)/2. In small blocks they are a little too small: up to 5 % more
// blocks were seen to vote against (with five or more rows per cell), and that much is allowed for.
// So
//   m = votes - (0.45 B - c sqrt(B)/2)
// is at least 0 unless fewer vote for independence than chance explains. A record is in one block,
// so it moves m by at most 1. It is the question whether the median of the block p-values is above
// a half: the paper's sub-sample-and-aggregate, in a form that every mechanism can ask, and that
// needs no smooth sensitivity.
//
// What it costs: a block sees n/B rows only, so weak dependence on rare levels goes unseen.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include "privpc/statistic/block_tests.hpp"
#include "privpc/statistic/margin_source.hpp"

namespace privpc {

class VoteMargins : public MarginSource {
 public:
  VoteMargins(std::unique_ptr<BlockSource> blocks, TestKind kind, double critical)
      : tests_(std::move(blocks)),
        kind_(kind),
        expected_(least_votes(static_cast<double>(tests_.blocks()), critical)) {}

  // The fewest votes for independence that chance explains, of `blocks` blocks.
  static double least_votes(double blocks, double critical) {
    return blocks * (1 - kLevel - kExcess) - critical * std::sqrt(blocks * kLevel * (1 - kLevel));
  }

  Sensitive<double> margin(std::size_t x, std::size_t y, const VariableSet& given) override {
    return tests_.count_above(kLevel, expected_, kind_, x, y, given);
  }

  std::unique_ptr<MarginSource> on_sample(const RowMask&) override {
    throw std::invalid_argument("a test by blocks of records cannot be sub-sampled");
  }

 private:
  static constexpr double kLevel = 0.5;
  static constexpr double kExcess = 0.05;

  BlockTests tests_;
  TestKind kind_;
  double expected_;
};

}  // namespace privpc
