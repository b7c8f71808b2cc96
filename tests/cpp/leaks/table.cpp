// Prints a table as it comes from its source.
// expected: is private within this context|calling a private constructor
#include <iostream>

#include "privpc/counts/memory_tables.hpp"

void leak(privpc::TableSource& source) {
  const auto table = source.table({0, 1});
#ifdef LEAK
  std::cout << table.open(privpc::StatisticKey())->counts[0];
#else
  (void)table;
#endif
}
