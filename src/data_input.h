// From the schema and the source of R/source.R to the core's schema and columns.
#pragma once

#include <Rcpp.h>

#include <memory>
#include <utility>
#include <vector>

#include "engine_tables.h"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/counts/person_tables.hpp"
#include "privpc/statistic/test_result.hpp"

namespace privpc_r {

// The public facts alone: a schema of R/source.R.
inline privpc::Schema read_schema(const Rcpp::List& facts) {
  const Rcpp::CharacterVector names = facts["names"];
  const Rcpp::IntegerVector levels = facts["levels"];
  const Rcpp::LogicalVector ordered = facts["ordered"];
  const Rcpp::LogicalVector numeric = facts["numeric"];
  const double rows = Rcpp::as<double>(facts["n"]);
  std::vector<privpc::Variable> variables;
  for (R_xlen_t v = 0; v < names.size(); ++v) {
    variables.push_back({Rcpp::as<std::string>(names[v]), static_cast<std::uint32_t>(levels[v]),
                         ordered[v] != 0, numeric[v] != 0});
  }
  return privpc::Schema(std::move(variables), static_cast<std::uint64_t>(rows));
}

// Holds pointers into R vectors: valid as long as the R object is.
struct DataInput {
  privpc::Schema schema;
  std::vector<privpc::ColumnInput> columns;
};

// The records as well: a source of R/source.R.
inline std::vector<privpc::ColumnInput> read_columns(const Rcpp::List& codes,
                                                     const Rcpp::List& values) {
  std::vector<privpc::ColumnInput> columns;
  for (R_xlen_t v = 0; v < codes.size(); ++v) {
    privpc::ColumnInput column;
    if (!Rf_isNull(codes[v])) column.codes = INTEGER(codes[v]);
    if (!Rf_isNull(values[v])) column.values = REAL(values[v]);
    columns.push_back(column);
  }
  return columns;
}

inline DataInput read_data(const Rcpp::List& source) {
  return {read_schema(source["schema"]), read_columns(source["codes"], source["values"])};
}

// How many records of a person are kept at most, 1 where records are counted.
inline unsigned most_records(const Rcpp::List& source) {
  return source.containsElementNamed("most") ? Rcpp::as<unsigned>(source["most"]) : 1;
}

// The names of the variables in the order in which the core numbers them.
inline Rcpp::CharacterVector variable_names(const Rcpp::List& source) {
  const Rcpp::List facts = source["schema"];
  return facts["names"];
}

// The source of tables that a source of R/source.R stands for. Records stay where they are: in R's
// vectors, or wherever the function `count` finds them.
inline std::unique_ptr<privpc::TableSource> open_tables(const Rcpp::List& source,
                                                        const privpc::MemoryOptions& options) {
  if (source.containsElementNamed("count")) {
    return std::make_unique<EngineTables>(
        read_schema(source["schema"]), Rcpp::Function(static_cast<SEXP>(source["count"])),
        options.memory_cap, options.threads, privpc::person_unit(most_records(source)));
  }
  const DataInput input = read_data(source);
  if (source.containsElementNamed("kept")) {
    const Rcpp::RawVector kept = source["kept"];
    return std::make_unique<privpc::PersonTables>(
        input.schema, input.columns, std::vector<std::uint8_t>(kept.begin(), kept.end()),
        most_records(source), options);
  }
  return std::make_unique<privpc::MemoryTables>(input.schema, input.columns, options);
}

inline privpc::MemoryOptions memory_options(int threads, bool portable, double cap) {
  privpc::MemoryOptions options;
  options.threads = static_cast<unsigned>(threads);
  options.portable = portable;
  options.memory_cap = static_cast<std::size_t>(cap);
  return options;
}

inline privpc::TestKind read_test(const std::string& test) {
  if (test == "g2") return privpc::TestKind::g2;
  if (test == "chisq") return privpc::TestKind::chisq;
  if (test == "tau") return privpc::TestKind::tau;
  if (test == "rho") return privpc::TestKind::rho;
  if (test == "cmh") return privpc::TestKind::cmh;
  Rcpp::stop("unknown test");
}

}  // namespace privpc_r
