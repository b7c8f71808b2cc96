// One ordinary test. NOT private.
#pragma once

#include <cstddef>

#include "privpc/base/sealed.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/statistic/independence_test.hpp"

namespace privpc {

class NotPrivateTest {
 public:
  static TestResult of(TableSource& source, TestKind kind, std::size_t x, std::size_t y,
                       const VariableSet& given,
                       DegreesOfFreedom counted = DegreesOfFreedom::declared) {
    const NotPrivateKey not_private;
    return IndependenceTest::of(source, kind, x, y, given, counted).open(not_private);
  }
};

}  // namespace privpc
