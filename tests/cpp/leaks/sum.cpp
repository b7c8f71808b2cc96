// Hands the sum of n log n on as a number.
// expected: cannot convert|no viable conversion
#include "privpc/counts/memory_tables.hpp"

double leak(privpc::TableSource& source) {
  const auto sum = source.sum_n_log_n({0, 1});
#ifdef LEAK
  return sum;
#else
  (void)sum;
  return 0;
#endif
}
