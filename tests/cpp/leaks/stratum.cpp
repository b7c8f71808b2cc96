// Looks at the cells of a stratum while visiting it.
#include "privpc/counts/memory_tables.hpp"

std::size_t leak(privpc::TableSource& source) {
  std::size_t records = 0;
  source.visit_strata(0, 1, {}, [&](const privpc::Sealed<privpc::SparseStratum>& stratum) {
#ifdef LEAK
    records += stratum.cells[0].count;
#else
    (void)stratum;
#endif
  });
  return records;
}
