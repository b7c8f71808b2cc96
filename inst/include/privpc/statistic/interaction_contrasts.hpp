// The interaction contrasts of a table, as whole numbers: the Helmert contrasts of
// marginals/contrasts.hpp before they are divided by their lengths, so that nothing that is
// computed from records is ever rounded.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/sealed.hpp"
#include "privpc/base/sensitive.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/statistic/batch.hpp"

namespace privpc {

namespace detail {

// Replaces the axis of `k` levels by its k - 1 contrasts; `outer` and `inner` are the sizes before
// and after it.
inline std::vector<std::int64_t> contrast_axis(const std::vector<std::int64_t>& values,
                                               std::size_t outer, std::size_t k,
                                               std::size_t inner) {
  std::vector<std::int64_t> out(outer * (k - 1) * inner);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      std::int64_t before = values[o * k * inner + i];
      for (std::size_t j = 1; j < k; ++j) {
        const std::int64_t here = values[(o * k + j) * inner + i];
        out[(o * (k - 1) + j - 1) * inner + i] = before - static_cast<std::int64_t>(j) * here;
        before += here;
      }
    }
  }
  return out;
}

}  // namespace detail

// The contrasts as whole numbers, the last variable running fastest. None is larger than the sum of
// the counts times the number of cells. For records this always fits: there are
// fewer than 2^31, and at most 2^22 cells (has_dense_table()). In units of 1/2520 it does not where
// both are at their limits, and is refused; where the number of persons is a secret, tables have at
// most 2^16 cells, and it always fits: 2^31 * 2520 * 2^16 < 2^59.
inline std::vector<std::int64_t> interaction_contrasts(const Table& table) {
  double total = 0;
  for (Count count : table.counts)
    total += as_real(count);
  if (total * static_cast<double>(table.counts.size()) >= std::ldexp(1.0, 62)) {
    throw std::invalid_argument("the table is too large for contrasts of so many records");
  }
  std::vector<std::int64_t> values(table.counts.begin(), table.counts.end());
  std::size_t outer = 1, inner = table.counts.size();
  for (std::uint32_t k : table.levels) {
    inner /= k;
    values = detail::contrast_axis(values, outer, k, inner);
    outer *= k - 1;
  }
  return values;
}

// The contrasts of all sets of a batch, one after the other, and how far one record can move them:
// by `sensitivity` in units of length / sqrt(weight) (batch.hpp). Where rows of the schema are
// persons with several records, both are in units of the source: L times what they would be for
// records. `schema` says what a neighbour is; its variables must be those of the source.
class BatchContrasts {
 public:
  static Sensitive<std::vector<std::int64_t>> of(TableSource& source, const Batch& batch,
                                                 const Schema& schema) {
    check_same_variables(source.schema(), schema);
    const StatisticKey key;
    const double unit = as_real(source.unit());
    std::vector<std::int64_t> all;
    for (const BatchItem& item : batch) {
      breathe();
      const SealedTable table = source.table(item.set);
      const std::vector<std::int64_t> contrasts = interaction_contrasts(*table.open(key));
      all.insert(all.end(), contrasts.begin(), contrasts.end());
    }
    return {std::move(all), unit * std::sqrt(batch_l2_squared(schema, batch)) * (1 + 1e-12)};
  }

 private:
  static void check_same_variables(const Schema& a, const Schema& b) {
    bool same = a.size() == b.size();
    for (std::size_t v = 0; same && v < a.size(); ++v)
      same = a.levels(v) == b.levels(v);
    if (!same) throw std::invalid_argument("the schema is not that of the source");
  }
};

}  // namespace privpc
