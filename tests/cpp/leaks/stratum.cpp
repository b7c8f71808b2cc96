// Looks at the cells of a stratum that was handed over sealed.
// expected: has no member named|no member named
#include "privpc/counts/memory_tables.hpp"

privpc::Count leak(const privpc::Sealed<privpc::SparseStratum>& stratum) {
#ifdef LEAK
  return stratum.cells[0].count;
#else
  (void)stratum;
  return 0;
#endif
}
