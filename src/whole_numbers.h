// Whole numbers as drivers of data bases hand them to R: integer, numeric, integer64 of the package
// bit64 (a 64-bit integer in the place of each double) or text.
#pragma once

#include <Rcpp.h>

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

namespace privpc_r {

class WholeNumbers {
 public:
  explicit WholeNumbers(SEXP column)
      : column_(column), is_integer64_(Rf_inherits(column, "integer64")) {
    const bool known =
        TYPEOF(column) == INTSXP || TYPEOF(column) == REALSXP || TYPEOF(column) == STRSXP;
    // A column of nothing but NULL comes as logical.
    if (!known && TYPEOF(column) != LGLSXP) Rcpp::stop("a count came as something else");
  }

  R_xlen_t size() const { return Rf_xlength(column_); }

  // Nothing where the value is missing or not a whole number.
  std::optional<std::int64_t> operator[](R_xlen_t i) const {
    switch (TYPEOF(column_)) {
      case INTSXP:
        if (INTEGER(column_)[i] == NA_INTEGER) return std::nullopt;
        return INTEGER(column_)[i];
      case REALSXP:
        return is_integer64_ ? from_bits(REAL(column_)[i]) : from_real(REAL(column_)[i]);
      case STRSXP:
        return from_text(STRING_ELT(column_, i));
      default:
        return std::nullopt;
    }
  }

 private:
  static std::optional<std::int64_t> from_bits(double value) {
    std::int64_t out;
    static_assert(sizeof out == sizeof value, "integer64 is kept in doubles");
    std::memcpy(&out, &value, sizeof out);
    if (out == std::numeric_limits<std::int64_t>::min()) return std::nullopt;  // NA
    return out;
  }

  static std::optional<std::int64_t> from_real(double value) {
    if (!(std::fabs(value) <= 9007199254740992.0) || value != std::floor(value))
      return std::nullopt;
    return static_cast<std::int64_t>(value);
  }

  static std::optional<std::int64_t> from_text(SEXP text) {
    if (text == NA_STRING) return std::nullopt;
    const char* begin = CHAR(text);
    char* end = nullptr;
    errno = 0;
    const long long value = std::strtoll(begin, &end, 10);
    if (errno != 0 || end == begin || *end != '\0') return std::nullopt;
    return value;
  }

  SEXP column_;
  bool is_integer64_;
};

}  // namespace privpc_r
