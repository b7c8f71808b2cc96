// Prints the p-value of a block.
// expected: begin|range
#include <iostream>

#include "privpc/statistic/block_tests.hpp"

void leak(const privpc::BlockTests& tests) {
  const auto results = tests.results(privpc::TestKind::g2, 0, 1, {});
#ifdef LEAK
  for (const privpc::TestResult& result : results)
    std::cout << result.p_value;
#else
  (void)results;
#endif
}
