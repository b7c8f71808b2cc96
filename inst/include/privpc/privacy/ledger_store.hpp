// Where a ledger keeps its debits so that they outlive it. A ledger without a store lives in memory
// and ends with its process.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "privpc/base/errors.hpp"

#ifndef __SIZEOF_INT128__
#error "privpc needs a compiler with 128-bit integers (GCC or Clang on a 64-bit machine)."
#endif

namespace privpc {

__extension__ typedef unsigned __int128 LedgerUnits;

// What is written down of a debit: its amounts as the ledger adds them up, in whole units, so that
// what is read back is the same sum, bit for bit.
struct StoredDebit {
  LedgerUnits units = 0, delta_units = 0;
  double amount = 0;   // the same for people, in the unit of the ledger
  double epsilon = 0;  // of the step, where it has one; else NaN
  std::string mechanism, target;
};

// What is wrong with what a store holds.
class BadLedger : public NamedError {
 public:
  enum class Problem {
    foreign,      // it holds no ledger
    version,      // of another version of the format
    damaged,      // an entry is not as it was written
    torn,         // the last entry does not end, and what it took cannot be read
    rolled_back,  // it once was longer, or another
    overspent     // its debits are more than its cap
  };

  // `entry` is the first that is not sound, 0 for the promise.
  BadLedger(Problem problem, std::size_t entry)
      : NamedError(words(problem)), problem_(problem), entry_(entry) {}

  const char* name() const noexcept override { return "bad_ledger"; }
  Texts texts() const override { return {{"problem", label(problem_)}}; }
  Numbers numbers() const override { return {{"entry", static_cast<double>(entry_)}}; }
  Problem problem() const { return problem_; }
  std::size_t entry() const { return entry_; }

 private:
  static const char* label(Problem problem) {
    switch (problem) {
      case Problem::foreign:
        return "foreign";
      case Problem::version:
        return "version";
      case Problem::damaged:
        return "damaged";
      case Problem::torn:
        return "torn";
      case Problem::rolled_back:
        return "rolled_back";
      case Problem::overspent:
        return "overspent";
    }
    return "";
  }
  static std::string words(Problem problem) {
    return std::string("the ledger file cannot be used: ") + label(problem);
  }

  Problem problem_;
  std::size_t entry_;
};

class LedgerStore {
 public:
  // A time in which nobody else writes.
  class Turn {
   public:
    virtual ~Turn() = default;
    // All debits, of whatever process, in their order. What a ledger has seen is never gone: the
    // first debits are those of earlier turns, or the turn is refused.
    virtual const std::vector<StoredDebit>& debits() const = 0;
    // Returns when the debit can no longer be lost. Throws otherwise, and then nothing may be
    // released for it.
    virtual void append(const StoredDebit& debit) = 0;
  };

  virtual ~LedgerStore() = default;
  virtual std::unique_ptr<Turn> turn_to_write() = 0;
  virtual std::unique_ptr<Turn> turn_to_read() = 0;
  // What proves later that this store had this entry, counted from 1, and all before it.
  virtual std::string receipt(std::size_t entry) const = 0;
};

}  // namespace privpc
