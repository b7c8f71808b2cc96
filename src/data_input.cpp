// Adapters of R/data_input.R and R/source.R: what has to be known about the columns of a data frame
// before they are counted. R's own functions ask for methods of every column, which for a small
// data set takes longer than learning its graph.
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

namespace {

bool same_text(SEXP a, SEXP b) {
  return a == b || std::strcmp(Rf_translateCharUTF8(a), Rf_translateCharUTF8(b)) == 0;
}

}  // namespace

// What data_source() makes of a data frame of plain factors, in one pass; NULL for every other and
// for one that is not in order, which R then looks at step by step.
// [[Rcpp::export(rng = false)]]
SEXP cpp_plain_factors(SEXP data, int max_variables, int max_levels) {
  if (TYPEOF(data) != VECSXP || !Rf_inherits(data, "data.frame")) return R_NilValue;
  const R_xlen_t count = Rf_xlength(data);
  const Rcpp::RObject names_given = Rf_getAttrib(data, R_NamesSymbol);
  if (count < 2 || count > max_variables || TYPEOF(names_given) != STRSXP) return R_NilValue;
  const Rcpp::CharacterVector names(names_given);
  const Rcpp::IntegerVector order = cpp_byte_order(names);
  const R_xlen_t rows = Rf_xlength(Rcpp::Shield<SEXP>(Rf_getAttrib(data, R_RowNamesSymbol)));
  if (rows == 0) return R_NilValue;
  Rcpp::CharacterVector sorted(Rcpp::no_init(count));
  Rcpp::IntegerVector levels(Rcpp::no_init(count));
  Rcpp::LogicalVector ordered(count), numeric(count);
  Rcpp::List codes(count), values(count), all_labels(count);
  for (R_xlen_t i = 0; i < count; ++i) {
    const R_xlen_t at = order[i] - 1;
    const SEXP name = STRING_ELT(names, at);
    if (name == NA_STRING || LENGTH(name) == 0) return R_NilValue;
    if (i > 0 && same_text(name, STRING_ELT(sorted, i - 1))) return R_NilValue;
    const SEXP column = VECTOR_ELT(data, at);
    const SEXP labels = Rf_getAttrib(column, R_LevelsSymbol);
    const R_xlen_t length = Rf_xlength(labels);
    if (TYPEOF(column) != INTSXP || Rf_xlength(column) != rows || !Rf_inherits(column, "factor") ||
        !Rf_isNull(Rf_getAttrib(column, R_DimSymbol)) || TYPEOF(labels) != STRSXP || length == 0 ||
        length > max_levels) {
      return R_NilValue;
    }
    for (R_xlen_t l = 0; l < length; ++l) {
      if (STRING_ELT(labels, l) == NA_STRING) return R_NilValue;
    }
    SET_STRING_ELT(sorted, i, name);
    levels[i] = static_cast<int>(length);
    ordered[i] = Rf_inherits(column, "ordered");
    codes[i] = column;
    all_labels[i] = labels;
  }
  codes.attr("names") = sorted;
  all_labels.attr("names") = sorted;
  const Rcpp::List schema =
      Rcpp::List::create(Rcpp::_["names"] = sorted, Rcpp::_["levels"] = levels,
                         Rcpp::_["ordered"] = ordered, Rcpp::_["numeric"] = numeric,
                         Rcpp::_["n"] = static_cast<int>(rows), Rcpp::_["labels"] = all_labels);
  return Rcpp::List::create(Rcpp::_["schema"] = schema, Rcpp::_["codes"] = codes,
                            Rcpp::_["values"] = values);
}
