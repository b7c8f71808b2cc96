// The same test on many disjoint blocks of the records: the "aggregate" half of
// sub-sample-and-aggregate (Nissim, Raskhodnikova & Smith 2007). It makes G2, chi-square and CMH,
// which no bound holds for on all rows, fit for private release.
//
// SENSITIVITY. Fix the partition (counts/memory_blocks.hpp). Replacing the record in row r changes
// the table of the one block that holds r, and a block's result is a function of that block's table
// alone (including its rounding: no sum runs over blocks). So of the B results at most one changes,
// arbitrarily. Hence
//  - the number of blocks whose p-value is above (or not above) a fixed level is a sum of B
//    indicators of which at most one changes, and moves by at most 1;
//  - the list of results has Hamming distance at most 1 to the neighbour's, which is what
//    SmoothMedian asks for.
// A release that is private for every fixed partition is private for a random one, since the
// partition has the same distribution for both neighbours. QED
//
// A block where nothing can be tested (no stratum with two values of both variables) has
// statistic 0 and p-value 1, always.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "privpc/base/sealed.hpp"
#include "privpc/base/sensitive.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/statistic/block_association.hpp"
#include "privpc/statistic/cmh.hpp"
#include "privpc/statistic/kendall.hpp"
#include "privpc/statistic/spearman.hpp"
#include "privpc/statistic/test_result.hpp"

namespace privpc {

class BlockTests {
 public:
  explicit BlockTests(std::unique_ptr<BlockSource> source) : source_(std::move(source)) {
    const std::size_t rows = static_cast<std::size_t>(source_->schema().rows());
    const std::size_t largest = (rows + blocks() - 1) / blocks();
    n_log_n_.resize(largest + 1);
    for (std::size_t n = 0; n <= largest; ++n)
      n_log_n_[n] = n_log_n(static_cast<double>(n));
  }

  std::size_t blocks() const { return source_->blocks(); }
  const Schema& schema() const { return source_->schema(); }

  // One result per block.
  Sealed<std::vector<TestResult>> results(TestKind kind, std::size_t x, std::size_t y,
                                          const VariableSet& given) const {
    if (x > y) std::swap(x, y);
    switch (kind) {
      case TestKind::tau:
        return each_block(x, y, given, [] { return KendallSum(); });
      case TestKind::rho:
        return each_block(x, y, given, [] { return SpearmanSum(); });
      case TestKind::cmh:
        return each_block(x, y, given, [&] { return CmhSum(schema()[x], schema()[y]); });
      case TestKind::chisq:
        return each_block(x, y, given, [&] { return BlockAssociation(true, n_log_n_); });
      case TestKind::g2:
        return each_block(x, y, given, [&] { return BlockAssociation(false, n_log_n_); });
    }
    throw std::invalid_argument("this test is not known block by block");
  }

  // -2 log(p-value) of every block, which under independence is nearly chi-square with 2 degrees of
  // freedom whatever the test and the block's own degrees of freedom. For SmoothMedian: one of the
  // values changes when a record does.
  Sensitive<std::vector<double>> evidence(TestKind kind, std::size_t x, std::size_t y,
                                          const VariableSet& given) const {
    const StatisticKey key;
    std::vector<double> values;
    values.reserve(blocks());
    const auto sealed = results(kind, x, y, given);
    for (const TestResult& r : sealed.open(key))
      values.push_back(-2 * std::log(r.p_value));
    return {std::move(values), 1.0};
  }

  // How many blocks have a p-value of at most `level`; moves by at most 1.
  Sensitive<std::vector<double>> count_below(double level, TestKind kind, std::size_t x,
                                             std::size_t y, const VariableSet& given) const {
    return {std::vector<double>(1, static_cast<double>(blocks()) - above(level, kind, x, y, given)),
            1.0};
  }

  // How many blocks have a p-value above `level`, minus a public number; moves by at most 1.
  Sensitive<double> count_above(double level, double minus, TestKind kind, std::size_t x,
                                std::size_t y, const VariableSet& given) const {
    return {above(level, kind, x, y, given) - minus, 1.0};
  }

 private:
  double above(double level, TestKind kind, std::size_t x, std::size_t y,
               const VariableSet& given) const {
    const StatisticKey key;
    const auto sealed = results(kind, x, y, given);
    const std::vector<TestResult>& all = sealed.open(key);
    return static_cast<double>(std::count_if(
        all.begin(), all.end(), [level](const TestResult& r) { return r.p_value > level; }));
  }

  // Sums up the strata of a block, and then the next.
  template <class MakeSum>
  class Collector : public BlockVisitor {
   public:
    Collector(const MakeSum& make_sum, const StatisticKey& key)
        : make_sum_(make_sum), key_(key), sum_(make_sum()) {}
    void stratum(const Sealed<DenseStratum>& stratum) override { sum_.add(stratum.open(key_)); }
    void stratum(const Sealed<SparseStratum>& stratum) override {
      const SparseStratum& s = stratum.open(key_);
      sum_.add(s.cells, s.size);
    }
    void end_of_block() override {
      results_.push_back(sum_.result());
      sum_ = make_sum_();
    }
    std::vector<TestResult> take() { return std::move(results_); }

   private:
    const MakeSum& make_sum_;
    const StatisticKey& key_;
    std::decay_t<decltype(std::declval<MakeSum>()())> sum_;
    std::vector<TestResult> results_;
  };

  template <class MakeSum>
  Sealed<std::vector<TestResult>> each_block(std::size_t x, std::size_t y, const VariableSet& given,
                                             const MakeSum& make_sum) const {
    const StatisticKey key;
    Collector<MakeSum> collector(make_sum, key);
    source_->visit(x, y, given, collector, key);
    return Sealed<std::vector<TestResult>>(collector.take());
  }

  std::unique_ptr<BlockSource> source_;
  std::vector<double> n_log_n_;
};

}  // namespace privpc
