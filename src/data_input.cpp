// Adapters of R/data_input.R: what has to be known about the columns of a data frame before they
// are counted. R's own functions ask for methods of every column, which for a small data set takes
// longer than learning its graph.
#include <Rcpp.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

// Per column: kind ("factor", "numeric", or "" where R has to be asked), size, and of a factor the
// number of levels, whether they are ordered and whether NA is one of them.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_column_facts(const Rcpp::List& columns) {
  const R_xlen_t count = columns.size();
  Rcpp::CharacterVector kind(count);
  Rcpp::NumericVector size(count);
  Rcpp::IntegerVector levels(count);
  Rcpp::LogicalVector ordered(count), na_level(count);
  for (R_xlen_t i = 0; i < count; ++i) {
    const SEXP column = columns[i];
    size[i] = static_cast<double>(Rf_xlength(column));
    const bool plain = Rf_isNull(Rf_getAttrib(column, R_DimSymbol));
    if (plain && Rf_inherits(column, "factor")) {
      kind[i] = "factor";
      const SEXP labels = Rf_getAttrib(column, R_LevelsSymbol);
      const R_xlen_t length = Rf_xlength(labels);
      levels[i] = static_cast<int>(length);
      ordered[i] = Rf_inherits(column, "ordered");
      for (R_xlen_t l = 0; l < length && TYPEOF(labels) == STRSXP; ++l) {
        if (STRING_ELT(labels, l) == NA_STRING) na_level[i] = true;
      }
    } else if (plain && !Rf_isObject(column) &&
               (TYPEOF(column) == INTSXP || TYPEOF(column) == REALSXP)) {
      kind[i] = "numeric";
    }
  }
  return Rcpp::List::create(Rcpp::_["kind"] = kind, Rcpp::_["size"] = size,
                            Rcpp::_["levels"] = levels, Rcpp::_["ordered"] = ordered,
                            Rcpp::_["na_level"] = na_level);
}

// The permutation that sorts names by the bytes of their UTF-8 form, as order(method = "radix").
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_byte_order(const Rcpp::CharacterVector& names) {
  std::vector<std::string> keys;
  for (R_xlen_t i = 0; i < names.size(); ++i)
    keys.emplace_back(Rf_translateCharUTF8(STRING_ELT(names, i)));
  Rcpp::IntegerVector order(names.size());
  std::iota(order.begin(), order.end(), 1);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return std::strcmp(keys[static_cast<std::size_t>(a - 1)].c_str(),
                       keys[static_cast<std::size_t>(b - 1)].c_str()) < 0;
  });
  return order;
}
