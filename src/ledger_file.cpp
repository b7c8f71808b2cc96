// Adapters of R/ledger_file.R: ledgers in files. Errors reach R as conditions of the classes
// "privpc_core_bad_ledger" and "privpc_core_file_error" (conditions.h).
#include "privpc/privacy/ledger_file.hpp"

#include <Rcpp.h>

#include <memory>
#include <string>

#include "ledger_output.h"
#include "ledger_pointer.h"
#include "price_input.h"
#include "privpc/privacy/ledger.hpp"

using privpc::LedgerFile;
using privpc::LedgerPromise;

namespace {

Rcpp::List wrap_promise(const LedgerPromise& promise) {
  return Rcpp::List::create(
      Rcpp::Named("epsilon") = promise.epsilon, Rcpp::Named("delta") = promise.delta,
      Rcpp::Named("reserve") = promise.reserve,
      Rcpp::Named("neighbours") = Rcpp::String(promise.neighbours, CE_UTF8),
      Rcpp::Named("data") = Rcpp::String(promise.data, CE_UTF8), Rcpp::Named("cap") = promise.cap);
}

privpc::Price cap_of(const LedgerPromise& promise) {
  return privpc_r::read_amount(promise.pure, promise.cap);
}

}  // namespace

// [[Rcpp::export(rng = false)]]
void cpp_create_ledger_file(const std::string& path, const std::string& data, double epsilon,
                            double delta, double reserve, const std::string& neighbours,
                            double cap) {
  LedgerPromise promise;
  promise.data = data;
  promise.epsilon = epsilon;
  promise.delta = delta;
  promise.reserve = reserve;
  promise.neighbours = neighbours;
  promise.pure = delta == 0;
  promise.cap = cap;
  LedgerFile::create(path, promise);
}

// The pointer of a budget. The id of the file and what it promises hang on it, where R code cannot
// change them.
// [[Rcpp::export(rng = false)]]
SEXP cpp_open_ledger_file(const std::string& path) {
  const auto file = std::make_shared<LedgerFile>(path);
  const LedgerPromise& promise = file->promise();
  const Rcpp::CharacterVector tag = Rcpp::CharacterVector::create(
      privpc_r::ledger_kind(), privpc_r::any_process(), promise.neighbours);
  const Rcpp::List held = Rcpp::List::create(Rcpp::Named("id") = file->id(),
                                             Rcpp::Named("promise") = wrap_promise(promise));
  return Rcpp::XPtr<privpc::Ledger>(new privpc::Ledger(cap_of(promise), promise.reserve, file),
                                    true, tag, held);
}

// What a file promises; NULL for a ledger in memory.
// [[Rcpp::export(rng = false)]]
SEXP cpp_ledger_promise(SEXP pointer) {
  privpc_r::ledger_of(pointer);
  return Rcpp::List(R_ExternalPtrProtected(pointer))["promise"];
}

// For those who only want to read it.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_read_ledger_file(const std::string& path) {
  const auto file = LedgerFile::to_read(path);
  const LedgerPromise& promise = file->promise();
  const privpc::Ledger ledger(cap_of(promise), promise.reserve, file);
  return Rcpp::List::create(Rcpp::Named("promise") = wrap_promise(promise),
                            Rcpp::Named("entries") = privpc_r::wrap_entries(ledger.entries()));
}
