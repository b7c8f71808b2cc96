// Brings a sum of its own that keeps the strata it is fed with.
// expected: is private within this context|calling a private constructor
#include <vector>

#include "privpc/statistic/strata_sum.hpp"

struct Spy {
  std::vector<privpc::Count>* seen;
  void add(const privpc::DenseStratum& s) { seen->push_back(s(0, 0)); }
  void add(const privpc::Cell* cells, std::size_t) { seen->push_back(cells[0].count); }
};

std::vector<privpc::Count> leak(privpc::TableSource& source) {
  std::vector<privpc::Count> seen;
#ifdef LEAK
  privpc::StrataSum::of(source, 0, 1, {}, Spy{&seen}, privpc::StatisticKey());
#else
  (void)source;
#endif
  return seen;
}
