// Tells a source of tables which ones the questions of an order will need, before they are asked.
#pragma once

#include <cstddef>
#include <limits>

#include "privpc/counts/table.hpp"
#include "privpc/graph/neighbourhoods.hpp"
#include "privpc/schema/table_shape.hpp"
#include "privpc/search/judge.hpp"
#include "privpc/statistic/margin_source.hpp"

namespace privpc {

// The questions about the pairs `begin` to `end` of an order: the table of both with every set that
// may separate them.
inline Announcement questions_about(const OrderAhead& ahead, std::size_t begin, std::size_t end,
                                    unsigned threads) {
  return {[&ahead, begin, end](const Announcement::Visit& visit) {
            for (std::size_t i = begin; i < end; ++i) {
              const NodePair& pair = ahead.pairs[i];
              for_each_separator(ahead.neighbours, pair, ahead.order, [&](const VariableSet& set) {
                visit(set.with(pair.x).with(pair.y));
                return true;
              });
            }
          },
          ahead.order == 0, threads};
}

// For learners that ask one question after the other, in the order of the pairs, and may stop at
// any of them: tables are announced in portions of pairs, of so many cells that little is counted
// in vain and round trips are few.
class QuestionsAhead {
 public:
  QuestionsAhead(const Schema& schema, MarginSource& margins, unsigned threads)
      : schema_(schema), margins_(margins), threads_(threads) {}

  void begin_order(const OrderAhead& ahead) {
    order_ = &ahead;
    announced_ = 0;
    if (!margins_.counts_in_batches()) announce(ahead.pairs.size());
  }

  // Before a question about this pair.
  void reach(std::size_t x, std::size_t y) {
    if (order_ == nullptr || announced_ == order_->pairs.size()) return;
    for (std::size_t i = 0; i < announced_; ++i) {
      if (order_->pairs[i].x == x && order_->pairs[i].y == y) return;
    }
    // Pairs without a set of this size are passed over by the search.
    std::size_t end = announced_;
    double cells = 0;
    bool found = false;
    while (end < order_->pairs.size() && (!found || cells < kPortion)) {
      const NodePair& pair = order_->pairs[end++];
      found = found || (pair.x == x && pair.y == y);
      for_each_separator(order_->neighbours, pair, order_->order, [&](const VariableSet& set) {
        cells += cell_count(schema_, set.with(pair.x).with(pair.y));
        return true;
      });
    }
    announce(end);
  }

 private:
  static constexpr double kPortion = 1 << 20;  // cells: a few megabytes

  void announce(std::size_t end) {
    margins_.announce(questions_about(*order_, announced_, end, threads_));
    announced_ = end;
  }

  const Schema& schema_;
  MarginSource& margins_;
  unsigned threads_;
  const OrderAhead* order_ = nullptr;
  std::size_t announced_ = 0;
};

}  // namespace privpc
