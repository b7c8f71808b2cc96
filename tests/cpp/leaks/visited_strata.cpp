// Counts the strata that occur, by visiting them.
// expected: is private within this context|calling a private constructor
#include <cstddef>

#include "privpc/counts/memory_tables.hpp"

std::size_t leak(privpc::TableSource& source) {
  std::size_t strata = 0;
  const auto visit = [&](const privpc::Sealed<privpc::SparseStratum>&) { ++strata; };
#ifdef LEAK
  source.visit_strata(0, 1, {}, visit, privpc::StatisticKey());
#else
  (void)source;
  (void)visit;
#endif
  return strata;
}
