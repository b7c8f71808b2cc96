// From the strata that a source gives to a sum over them, sealed as they were.
#pragma once

#include <cstddef>
#include <utility>

#include "privpc/base/sealed.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/statistic/stratum.hpp"

namespace privpc {

class StrataSum {
 public:
  // Feeds every stratum to `sum`: from the dense table where there is one, else from the rows. Who
  // brings the sum sees the strata, and so must have the key. Sums are for records: their bounds
  // say how far one record moves them, and hold for no weights.
  template <class Sum>
  static Sealed<Sum> of(TableSource& source, std::size_t x, std::size_t y, const VariableSet& given,
                        Sum sum, const StatisticKey& key) {
    if (source.unit() != 1) throw NeedsRows("a test that counts records");
    const VariableSet all = given.with(x).with(y);
    const Schema& schema = source.schema();
    const bool fine = schema[x].numeric || schema[y].numeric;
    if (!fine && has_dense_table(schema, all)) {
      const SealedTable table = source.table(all);
      for_each_stratum(*table.open(key), x, y, [&](const DenseStratum& s) { sum.add(s); });
    } else {
      source.visit_strata(
          x, y, given,
          [&](const Sealed<SparseStratum>& stratum) {
            const SparseStratum& s = stratum.open(key);
            sum.add(s.cells, s.size);
          },
          key);
    }
    return Sealed<Sum>(std::move(sum));
  }
};

}  // namespace privpc
