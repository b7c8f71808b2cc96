// From the external pointer inside a "privpc_budget" to the ledger it holds.
//
//   privpc::Ledger& ledger = privpc_r::ledger_of(pointer);
//
// where `pointer` is what check_budget() of R/budget.R returned.
#pragma once

#include <Rcpp.h>

#ifndef _WIN32
#include <unistd.h>
#endif

#include <algorithm>
#include <string>

#include "privpc/privacy/ledger.hpp"

namespace privpc_r {

// The tag of the external pointer: c(kind, process, neighbours). The kind tells it from the
// pointers of other packages. The process is the one in which the ledger was made: a forked child
// gets a copy of the ledger's memory, and what it spends there would never be seen here. The
// neighbours are those that the promise is about: steps that are private for others are no part of
// it. A ledger in a file belongs to no process: whoever spends from it reads the file first.
inline const char* ledger_kind() {
  return "privpc_ledger";
}

inline const char* any_process() {
  return "any";
}

inline std::string process_id() {
#ifdef _WIN32
  return "";  // no fork()
#else
  return std::to_string(static_cast<long>(getpid()));
#endif
}

// "ok", or what is wrong: "foreign" (not a ledger), "lost" (read from a file), "forked".
inline std::string ledger_status(SEXP pointer) {
  if (TYPEOF(pointer) != EXTPTRSXP) return "foreign";
  SEXP tag = R_ExternalPtrTag(pointer);
  if (TYPEOF(tag) != STRSXP || Rf_xlength(tag) != 3) return "foreign";
  if (CHAR(STRING_ELT(tag, 0)) != std::string(ledger_kind())) return "foreign";
  if (R_ExternalPtrAddr(pointer) == nullptr) return "lost";
  if (CHAR(STRING_ELT(tag, 1)) == std::string(any_process())) return "ok";
  if (CHAR(STRING_ELT(tag, 1)) != process_id()) return "forked";
  return "ok";
}

// R/budget.R has checked before and has the better words; this is the last line of defence.
inline privpc::Ledger& ledger_of(SEXP pointer) {
  const std::string status = ledger_status(pointer);
  if (status == "lost") {
    Rcpp::stop("This privacy budget was read from a file: what it has spent is unknown.");
  }
  if (status == "forked") {
    Rcpp::stop("This privacy budget belongs to another process.");
  }
  if (status != "ok") Rcpp::stop("This is not a privacy budget made by privacy_budget().");
  return *static_cast<privpc::Ledger*>(R_ExternalPtrAddr(pointer));
}

// For a ledger of one release alone: a release is not refused for being too small to be counted, so
// its price is at least one unit, and so is its delta, if it has one.
inline privpc::Price countable(const privpc::Price& price) {
  return price.of(std::max(price.value(), privpc::Ledger::smallest()));
}
inline double countable_delta(double delta) {
  return delta > 0 ? std::max(delta, privpc::Ledger::smallest_delta()) : 0;
}

}  // namespace privpc_r
