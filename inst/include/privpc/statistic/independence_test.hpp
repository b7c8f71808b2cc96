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

}  // namespace detail

// The p-value of a G2 or chi-square statistic if only levels that occur in a stratum count. It is
// at most the ordinary one, and far below it where most cells are empty.
inline double occurring_p_value(TableSource& source, std::size_t x, std::size_t y,
                                const VariableSet& given, double statistic) {
  OccurringDf df;
  detail::accumulate(source, x, y, given, df);
  return chi_square_upper(statistic, df.value());
}

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
      detail::accumulate(source, x, y, given, sum);
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
