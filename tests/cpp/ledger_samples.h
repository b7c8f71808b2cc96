// Small ledgers for tests: their text, and files in a folder of their own.
#pragma once

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "privpc/privacy/ledger.hpp"
#include "privpc/privacy/ledger_file.hpp"

namespace privpc_test {

inline privpc::LedgerPromise sample_promise(double cap = 1) {
  privpc::LedgerPromise promise;
  promise.data = "cohort 2024";
  promise.epsilon = cap;
  promise.neighbours = "replace-one";
  promise.cap = cap;
  return promise;
}

// A text with the promise and these debits, of 2^-4 each where nothing else is said.
inline std::string sample_text(const std::vector<std::string>& targets, double amount = 0.0625) {
  using namespace privpc::ledger_text;
  std::string text = promise_line(sample_promise(), "0123456789abcdef0123456789abcdef");
  for (std::size_t i = 0; i < targets.size(); ++i) {
    privpc::StoredDebit debit;
    debit.units = static_cast<privpc::LedgerUnits>(std::ldexp(amount, 64));
    debit.amount = debit.epsilon = amount;
    debit.mechanism = "laplace";
    debit.target = targets[i];
    const std::string before = text.substr(text.size() - 1 - hash_size, hash_size);
    text += debit_line(i + 1, debit, true, before);
  }
  return text;
}

inline privpc::LedgerUnits units_in(const privpc::LedgerBook& book) {
  privpc::LedgerUnits sum = 0;
  for (const privpc::StoredDebit& debit : book.debits)
    sum += debit.units;
  return sum;
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// As somebody reads it who has the lock.
inline privpc::LedgerBook book_in(const std::string& path) {
  const privpc::LockedFile file(path, privpc::LockedFile::Access::read,
                                privpc::LockedFile::Patience(60000));
  return privpc::parse_ledger(file.read());
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace privpc_test
