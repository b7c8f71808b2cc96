// Prints the p-value of an ordinary test without saying that it is not private.
// expected: has no member named|no member named
#include <iostream>

#include "privpc/statistic/independence_test.hpp"

void leak(privpc::TableSource& source) {
  const auto result = privpc::IndependenceTest::of(source, privpc::TestKind::tau, 0, 1, {});
#ifdef LEAK
  std::cout << result.p_value;
#else
  (void)result;
#endif
}
