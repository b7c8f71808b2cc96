// Any of the five tests, from whatever tables the source can give. Results are sealed: they are not
// private.
#pragma once

#include <cstddef>
#include <utility>

#include "privpc/base/sealed.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/statistic/chi_square.hpp"
#include "privpc/statistic/cmh.hpp"
#include "privpc/statistic/kendall.hpp"
#include "privpc/statistic/spearman.hpp"
#include "privpc/statistic/strata_sum.hpp"
#include "privpc/statistic/test_result.hpp"

namespace privpc {

class IndependenceTest {
 public:
  static Sealed<TestResult> of(TableSource& source, TestKind kind, std::size_t x, std::size_t y,
                               const VariableSet& given,
                               DegreesOfFreedom counted = DegreesOfFreedom::declared) {
    if (x > y) std::swap(x, y);  // the same arithmetic for (x, y) and (y, x)
    const StatisticKey key;
    const Schema& schema = source.schema();
    const auto summed = [&](auto sum) {
      return StrataSum::of(source, x, y, given, std::move(sum), key).open(key);
    };
    TestResult result;
    switch (kind) {
      case TestKind::tau:
        return Sealed<TestResult>(summed(KendallSum()).result());
      case TestKind::rho:
        return Sealed<TestResult>(summed(SpearmanSum()).result());
      case TestKind::cmh:
        return Sealed<TestResult>(summed(CmhSum(schema[x], schema[y])).result());
      case TestKind::chisq:
        result.statistic = summed(PearsonSum()).value();
        break;
      case TestKind::g2:
        result.statistic = G2Statistic::of(source, x, y, given).open(key);
        break;
    }
    result.df = counted == DegreesOfFreedom::declared ? association_df(schema, x, y, given)
                                                      : occurring_df(source, x, y, given).open(key);
    result.p_value = chi_square_upper(result.statistic, result.df);
    return Sealed<TestResult>(result);
  }

  // Degrees of freedom of G2 and chi-square if only levels that occur in a stratum count: at most
  // the declared ones, and far fewer where most cells are empty.
  static Sealed<double> occurring_df(TableSource& source, std::size_t x, std::size_t y,
                                     const VariableSet& given) {
    const StatisticKey key;
    return Sealed<double>(StrataSum::of(source, x, y, given, OccurringDf(), key).open(key).value());
  }
};

}  // namespace privpc
