// Adapter of R/cond_test.R.
#include <Rcpp.h>

#include "data_input.h"
#include "measurements_io.h"
#include "privpc/learners/exact_test.hpp"
#include "privpc/statistic/sensitivity.hpp"
#include "test_input.h"

// x, y and given are one-based positions in the encoded data.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_cond_test(const Rcpp::List& data, const std::string& test, const std::string& df,
                         int x, int y, const Rcpp::IntegerVector& given, bool portable) {
  const privpc::TestKind kind = privpc_r::read_test(test);
  privpc::MemoryOptions options;
  options.portable = portable;
  const auto tables = privpc_r::open_tables(data, options);
  const privpc::VariableSet set = privpc_r::read_set(given);
  const std::size_t a = privpc_r::read_position(x), b = privpc_r::read_position(y);
  const privpc::TestResult r =
      privpc::NotPrivateTest::of(*tables, kind, a, b, set, privpc_r::read_df(df));
  return Rcpp::List::create(
      Rcpp::_["statistic"] = r.statistic, Rcpp::_["estimate"] = r.estimate, Rcpp::_["df"] = r.df,
      Rcpp::_["z"] = r.z, Rcpp::_["p.value"] = r.p_value,
      Rcpp::_["sensitivity"] = privpc::sensitivity(tables->schema(), kind, a, b, set));
}
