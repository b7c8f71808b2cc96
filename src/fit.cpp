// Adapters of R/fit.R and R/recorded.R: the parts of a fit that are made anew with every call of a
// learner. In R they would take longer than learning a small graph.
#include <Rcpp.h>

#include <string>

namespace {

// The level of a factor of one element, as text; `...` if it is none.
SEXP level_of(SEXP x) {
  const SEXP levels = Rf_getAttrib(x, R_LevelsSymbol);
  if (TYPEOF(x) != INTSXP || TYPEOF(levels) != STRSXP || Rf_xlength(x) != 1) return R_DotsSymbol;
  const int code = INTEGER(x)[0];
  if (code < 1 || code > Rf_length(levels)) return R_DotsSymbol;
  return Rf_ScalarString(STRING_ELT(levels, code - 1));
}

// A copy without attributes of a vector of at most one element.
SEXP bare_value(SEXP x) {
  if (Rf_inherits(x, "factor")) return level_of(x);
  if (Rf_xlength(x) == 0) return Rf_allocVector(TYPEOF(x), 0);
  switch (TYPEOF(x)) {
    case LGLSXP:
      return Rf_ScalarLogical(LOGICAL(x)[0]);
    case INTSXP:
      return Rf_ScalarInteger(INTEGER(x)[0]);
    case REALSXP:
      return Rf_ScalarReal(REAL(x)[0]);
    case CPLXSXP:
      return Rf_ScalarComplex(COMPLEX(x)[0]);
    case STRSXP:
      return Rf_ScalarString(STRING_ELT(x, 0));
    case RAWSXP:
      return Rf_ScalarRaw(RAW(x)[0]);
    default:
      return R_DotsSymbol;
  }
}

// A call without anything that rides on it: names, single values and calls of such stay, without
// attributes; `...` takes the place of the rest. No C++ objects here, as R may jump out.
SEXP bare_part(SEXP x) {
  R_CheckStack();
  if (TYPEOF(x) == SYMSXP || TYPEOF(x) == NILSXP) return x;
  if (Rf_isVectorAtomic(x) && Rf_xlength(x) <= 1) return bare_value(x);
  if (TYPEOF(x) != LANGSXP || CAR(x) == Rf_install("function")) return R_DotsSymbol;
  SEXP function = PROTECT(bare_part(CAR(x)));
  SEXP out = PROTECT(Rf_lcons(function, R_NilValue));
  SEXP last = out;
  for (SEXP arg = CDR(x); arg != R_NilValue; arg = CDR(arg)) {
    SEXP part = PROTECT(bare_part(CAR(arg)));
    SETCDR(last, Rf_cons(part, R_NilValue));
    UNPROTECT(1);
    last = CDR(last);
    SET_TAG(last, TAG(arg));
  }
  UNPROTECT(2);
  return out;
}

// More than anybody writes by hand.
constexpr int kMostValues = 50;

int count_values(SEXP x) {
  if (TYPEOF(x) != LANGSXP) return TYPEOF(x) != SYMSXP && TYPEOF(x) != NILSXP;
  int values = 0;
  for (SEXP part = x; part != R_NilValue && values <= kMostValues; part = CDR(part))
    values += count_values(CAR(part));
  return values;
}

}  // namespace

// Of the argument `data` only a name is kept, and of an argument with as many values as a small
// data set (spliced into the call) nothing. `learner` stands for a function that was written out.
// [[Rcpp::export(rng = false)]]
SEXP cpp_recorded_call(SEXP call, const std::string& learner) {
  const Rcpp::Shield<SEXP> out(bare_part(call));
  for (SEXP given = CDR(call), kept = CDR(out); kept != R_NilValue;
       given = CDR(given), kept = CDR(kept)) {
    const bool is_data = TAG(given) == Rf_install("data") && TYPEOF(CAR(given)) != SYMSXP;
    if (is_data || count_values(CAR(kept)) > kMostValues) SETCAR(kept, R_DotsSymbol);
  }
  if (TYPEOF(CAR(call)) != SYMSXP && TYPEOF(CAR(call)) != LANGSXP)
    SETCAR(out, Rf_install(learner.c_str()));
  return out;
}
