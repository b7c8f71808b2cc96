// Adapters of R/persons.R.
#include <Rcpp.h>

#include <string>
#include <vector>

#include "data_input.h"
#include "privpc/counts/kept_records.hpp"

// For each record the number of its person's records that are kept, 0 if it is not among them.
// `codes` and `values` as in a source of R/source.R, sorted by name; `person` from 1, `ids` their
// names in UTF-8; `time`: see kept_records.hpp.
// [[Rcpp::export(rng = false)]]
Rcpp::RawVector cpp_kept_records(const Rcpp::List& codes, const Rcpp::List& values,
                                 const Rcpp::IntegerVector& person,
                                 const Rcpp::CharacterVector& ids,
                                 const Rcpp::Nullable<Rcpp::NumericVector>& time, int most) {
  privpc::PersonInput input;
  input.person = INTEGER(person);
  for (R_xlen_t i = 0; i < ids.size(); ++i)
    input.ids.emplace_back(CHAR(STRING_ELT(ids, i)));
  Rcpp::NumericVector times;
  if (time.isNotNull()) {
    times = time.get();
    input.time = REAL(times);
  }
  // The core reads arrays: what is too short would be read beyond its end.
  for (const Rcpp::List& parts : {codes, values}) {
    for (R_xlen_t v = 0; v < parts.size(); ++v) {
      if (!Rf_isNull(parts[v]) && Rf_xlength(parts[v]) != person.size()) {
        Rcpp::stop("columns must have as many values as there are records");
      }
    }
  }
  if (input.time != nullptr && times.size() != person.size()) {
    Rcpp::stop("every record must have a time, or none");
  }
  const auto columns = privpc_r::read_columns(codes, values);
  const privpc::KeptRecords kept(input, columns, static_cast<std::size_t>(person.size()),
                                 static_cast<unsigned>(most));
  return Rcpp::RawVector(kept.kept().begin(), kept.kept().end());
}

// What everybody weighs where at most so many records of each are kept.
// [[Rcpp::export(rng = false)]]
double cpp_person_unit(int most) {
  return static_cast<double>(privpc::person_unit(static_cast<unsigned>(most)));
}
