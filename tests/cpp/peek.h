// What a sealed value holds, for tests of the rooms that make it.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "privpc/base/sealed.hpp"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/learners/exact_test.hpp"
#include "privpc/statistic/strata_sum.hpp"

namespace privpc {

class PeekForTests {
 public:
  template <class T>
  static T into(const Sealed<T>& sealed) {
    const NotPrivateKey not_private;
    return sealed.open(not_private);
  }

  static void visit_strata(TableSource& source, std::size_t x, std::size_t y,
                           const VariableSet& given, const VisitStratum& visit) {
    const StatisticKey key;
    source.visit_strata(x, y, given, visit, key);
  }

  template <class Sum>
  static Sum summed(TableSource& source, std::size_t x, std::size_t y, const VariableSet& given,
                    Sum sum) {
    const StatisticKey key;
    return StrataSum::of(source, x, y, given, std::move(sum), key).open(key);
  }
};

}  // namespace privpc

namespace privpc_test {

template <class T>
T peek(const privpc::Sealed<T>& sealed) {
  return privpc::PeekForTests::into(sealed);
}

// The table itself.
inline std::shared_ptr<const privpc::Table> table_of(privpc::TableSource& source,
                                                     const privpc::VariableSet& set) {
  return peek(source.table(set));
}

// A sum over the strata of x and y given a set.
template <class Sum>
Sum summed(privpc::TableSource& source, std::size_t x, std::size_t y,
           const privpc::VariableSet& given, Sum sum) {
  return privpc::PeekForTests::summed(source, x, y, given, std::move(sum));
}

// As a learner would announce all pairs.
inline void announce_pairs(privpc::TableSource& source, unsigned threads) {
  source.announce({[](const privpc::Announcement::Visit&) {}, true, threads});
}

}  // namespace privpc_test
