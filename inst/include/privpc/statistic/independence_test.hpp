// Any of the five tests, from whatever tables the source can give.
#pragma once

#include <cmath>
#include <cstddef>

#include "privpc/counts/table.hpp"
#include "privpc/statistic/chi_square.hpp"
#include "privpc/statistic/cmh.hpp"
#include "privpc/statistic/kendall.hpp"
#include "privpc/statistic/spearman.hpp"
#include "privpc/statistic/test_result.hpp"

namespace privpc {

namespace detail {

// Feeds every stratum to `sum`: from the dense table where there is one, else from the rows.
template <class Sum>
void accumulate(TableSource& source, std::size_t x, std::size_t y, const VariableSet& given,
                Sum& sum) {
  const VariableSet all = given.with(x).with(y);
  const bool fine = source.schema()[x].numeric || source.schema()[y].numeric;
  if (!fine && source.is_dense(all)) {
    const auto table = source.table(all);
    for_each_stratum(*table, x, y, [&](const DenseStratum& s) { sum.add(s); });
  } else {
    source.visit_strata(x, y, given,
                        [&](const Cell* cells, std::size_t size) { sum.add(cells, size); });
  }
}

// CMH needs the levels, not only the cells that occur: a sparse stratum is spread out first.
inline void accumulate_cmh(TableSource& source, std::size_t x, std::size_t y,
                           const VariableSet& given, CmhSum& sum) {
  const VariableSet all = given.with(x).with(y);
  if (source.is_dense(all)) {
    const auto table = source.table(all);
    for_each_stratum(*table, x, y, [&](const DenseStratum& s) { sum.add(s); });
    return;
  }
  const std::uint32_t rows = source.schema().levels(x), columns = source.schema().levels(y);
  std::vector<Count> dense(static_cast<std::size_t>(rows) * columns, 0);
  source.visit_strata(x, y, given, [&](const Cell* cells, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      dense[static_cast<std::size_t>(cells[i].x) * columns + cells[i].y] = cells[i].count;
    }
    sum.add(DenseStratum{rows, columns, dense.data()});
    for (std::size_t i = 0; i < size; ++i) {
      dense[static_cast<std::size_t>(cells[i].x) * columns + cells[i].y] = 0;
    }
  });
}

}  // namespace detail

inline TestResult independence_test(TableSource& source, TestKind kind, std::size_t x,
                                    std::size_t y, const VariableSet& given) {
  if (x > y) std::swap(x, y);  // the same arithmetic for (x, y) and (y, x)
  const Schema& schema = source.schema();
  TestResult result;
  switch (kind) {
    case TestKind::tau: {
      KendallSum sum;
      detail::accumulate(source, x, y, given, sum);
      return sum.result();
    }
    case TestKind::rho: {
      SpearmanSum sum;
      detail::accumulate(source, x, y, given, sum);
      return sum.result();
    }
    case TestKind::cmh: {
      CmhSum sum(schema[x], schema[y]);
      detail::accumulate_cmh(source, x, y, given, sum);
      return sum.result();
    }
    case TestKind::chisq: {
      PearsonSum sum;
      detail::accumulate(source, x, y, given, sum);
      result.statistic = sum.value();
      break;
    }
    case TestKind::g2:
      result.statistic = g2_statistic(source, x, y, given);
      break;
  }
  result.df = association_df(schema, x, y, given);
  result.p_value = chi_square_upper(result.statistic, result.df);
  return result;
}

}  // namespace privpc
