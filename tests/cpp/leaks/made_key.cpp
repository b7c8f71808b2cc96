// Makes itself a key.
// expected: is private within this context|calling a private constructor
#include "privpc/base/sealed.hpp"

double leak(const privpc::Sealed<double>& sum) {
#ifdef LEAK
  const privpc::StatisticKey key{};
  return sum.open(key);
#else
  (void)sum;
  return 0;
#endif
}
