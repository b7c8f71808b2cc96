// The ledger: a filter that every private step has to pass. A step is debited BEFORE its noise is
// drawn, and what would pass the cap is refused and leaves no trace. The guarantee to report is the
// cap, not what was spent.
//
// THEOREMS. Steps A_1, A_2, ... on one data set; A_i may be any mechanism, chosen with its price
// after seeing the outputs of A_1 .. A_(i-1).
//  Ledger of rho with slack s (Whitehouse, Ramdas, Rogers, Wu 2023, "Fully-Adaptive Composition in
//  Differential Privacy", the filter for approximate zCDP): let A_i be d_i-approximate r_i-zCDP
//  given the earlier outputs, where r_i and d_i are functions of those outputs. If one stops before
//  the first step with r_1 + .. + r_i > cap or d_1 + .. + d_i > s, then everything together is
//  s-approximate cap-zCDP. (With s = 0 this is the Renyi filter of Feldman, Zrnic 2021.) It
//  is (epsilon, delta + s)-DP for every (epsilon, delta) that the cap implies (Bun, Steinke 2016,
//  Lemma 8.8), which is how R/budget.R splits a budget's delta.
//  Ledger of epsilon with slack s (Rogers, Roth, Ullman, Vadhan 2016, "Privacy Odometers and
//  Filters", basic composition): the same with (e_i, d_i)-DP steps and sums of e_i; everything
//  together is (cap, s)-DP.
//  Ledger of Gaussian steps: theorems 1 to 3 of gaussian_dp.hpp, with r_i as functions of earlier
//  outputs. Only steps that are debited as Cost::gaussian() are let in.
// CONDITIONS, and where they are met.
//  1. Price and delta of a step depend on public facts and earlier outputs only. Plans and judges
//     compute them from the ledger and from answers that were paid for; what a mechanism costs
//     (cost.hpp) is fixed in its constructor, which sees no data.
//  2. Given the past, the step is what its Cost says, for every pair of neighbours: the theorem at
//     the head of each mechanism.
//  3. The comparison comes before the step and covers it: debit() adds first and refuses what does
//     not fit; a refused step has drawn nothing. Whether it was refused depends on the past alone.
//     A step that was refused may be followed by a smaller one: that is another choice of A_i.
//  4. Sums are never rounded down (CappedSum), and the cap and the slack are fixed when the ledger
//     is made.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "privpc/base/errors.hpp"
#include "privpc/base/number_text.hpp"
#include "privpc/privacy/cost.hpp"
#include "privpc/privacy/ledger_store.hpp"

namespace privpc {

// A step asked for more than is left. Nothing was debited.
class Overdraft : public NamedError {
 public:
  Overdraft(const char* unit, double asked, double left, double cap)
      : NamedError(describe(unit, asked, left, cap)),
        unit_(unit),
        asked_(asked),
        left_(left),
        cap_(cap) {}

  const char* name() const noexcept override { return "overdraft"; }
  Texts texts() const override { return {{"unit", unit_}}; }
  Numbers numbers() const override { return {{"asked", asked_}, {"left", left_}, {"cap", cap_}}; }

  double asked() const { return asked_; }
  double left() const { return left_; }

 private:
  static std::string describe(const std::string& unit, double asked, double left, double cap) {
    return "overdraft: the step asks for " + unit + " = " + shortest_text(asked) + ", but only " +
           shortest_text(left) + " of " + shortest_text(cap) + " is left";
  }

  std::string unit_;
  double asked_, left_, cap_;
};

// A sum that is compared with a cap. Amounts are whole multiples of 2^-bits, so that adding them up
// is exact. A debit is rounded up to the next multiple and the cap down: however many steps there
// are and however small they are, the sum is never below the true one. Adding doubles would fail
// here: a large sum swallows small debits.
class CappedSum {
 public:
  using Units = LedgerUnits;

  // For a cap of at most 2^(126 - bits), so that sums are far from the end of 128 bits.
  CappedSum(double cap, int bits) : bits_(bits), cap_(cap), cap_units_(to_units(cap, false)) {}

  // Rounded up; for anything above the cap some number that does not fit. The cap itself is the one
  // exception: it may be spent in one step although it was rounded down, because that fits only
  // while nothing else has been spent, and leaves nothing.
  Units price(double amount) const {
    if (amount > cap_) return ~Units{0};
    if (amount == cap_ && cap_units_ > 0) return cap_units_;
    return to_units(amount, true);
  }
  bool fits(Units units) const { return units <= cap_units_ - spent_units_; }
  void add(Units units) { spent_units_ += units; }

  double cap() const { return cap_; }
  double spent() const { return value(spent_units_); }
  double spent_after(Units units) const { return value(spent_units_ + units); }
  double left() const { return to_double(cap_units_ - spent_units_, false); }
  double value(Units units) const {
    return units > 0 && units == cap_units_ ? cap_ : to_double(units, true);
  }

 private:
  static constexpr int double_bits = std::numeric_limits<double>::digits;

  Units to_units(double value, bool round_up) const {
    if (value == 0) return 0;
    int exponent;
    // value = whole * 2^(exponent - 53), exactly, with whole below 2^53.
    const double fraction = std::frexp(value, &exponent);
    const auto whole = static_cast<std::uint64_t>(std::ldexp(fraction, double_bits));
    const int shift = exponent - double_bits + bits_;
    if (shift >= 0) return static_cast<Units>(whole) << shift;
    if (shift <= -double_bits) return round_up ? 1 : 0;  // less than one unit
    const std::uint64_t kept = whole >> -shift;
    const bool inexact = (kept << -shift) != whole;
    return static_cast<Units>(kept) + (round_up && inexact ? 1 : 0);
  }

  double to_double(Units units, bool round_up) const {
    const int shift = std::max(0, bit_length(units) - double_bits);
    const Units kept = units >> shift;
    const bool inexact = (kept << shift) != units;
    // At most 2^53 after the addition, which a double holds exactly.
    const auto whole = static_cast<std::uint64_t>(kept) + (round_up && inexact ? 1U : 0U);
    return std::ldexp(static_cast<double>(whole), shift - bits_);
  }

  static int bit_length(Units units) {
    const auto high = static_cast<std::uint64_t>(units >> 64);
    if (high != 0) return 128 - __builtin_clzll(high);
    const auto low = static_cast<std::uint64_t>(units);
    return low == 0 ? 0 : 64 - __builtin_clzll(low);
  }

  int bits_;
  double cap_;
  Units cap_units_;
  Units spent_units_ = 0;
};

class Ledger {
 public:
  static constexpr double max_cap = 1e15;  // below 2^50

  struct Entry {
    std::string mechanism, target;
    double epsilon;     // of the step, where it has one; else NaN
    double amount;      // what was charged, in the ledger's unit
    double cumulative;  // what had been charged after this step
    double delta;       // what was taken from the slack; mostly 0
  };

  // The smallest amount that is counted; less is rounded up to it.
  static double smallest() { return std::ldexp(1.0, -64); }
  static double smallest_delta() { return std::ldexp(1.0, -126); }

  // Counts in the unit of its cap. `slack` is the delta set aside for steps that have one of their
  // own. With a store, the debits that it holds are taken over, whoever made them.
  explicit Ledger(const Price& cap, double slack = 0, std::shared_ptr<LedgerStore> store = nullptr)
      : cap_(cap),
        amounts_(checked_cap(cap.value()), 64),
        deltas_(checked_slack(slack), 126),
        store_(std::move(store)) {
    refresh();
  }

  Ledger(const Ledger&) = delete;  // a copy could be spent a second time
  Ledger& operator=(const Ledger&) = delete;

  // Call this first and draw the noise afterwards. A cost of zero is allowed and recorded: a step
  // that does not look at the data is free. Returns the number of the entry, counted from 1.
  //
  // With a store, nobody else takes anything from reading its debits to the return of append(): the
  // debit is on the disk before anybody draws noise for it.
  std::size_t debit(const std::string& mechanism, const std::string& target, const Cost& cost) {
    const double amount = cost.in(accounting()).value(), delta = cost.delta();
    const double epsilon =
        cost.epsilon() ? cost.epsilon()->value() : std::numeric_limits<double>::quiet_NaN();
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto turn = store_ ? store_->turn_to_write() : nullptr;
    if (turn) take_over(turn->debits());
    const CappedSum::Units units = amounts_.price(amount), delta_units = deltas_.price(delta);
    if (!amounts_.fits(units)) {
      throw Overdraft(unit_name(accounting()), amount, amounts_.left(), amounts_.cap());
    }
    if (!deltas_.fits(delta_units)) throw Overdraft("delta", delta, deltas_.left(), deltas_.cap());
    const StoredDebit debit{units, delta_units, amounts_.value(units), epsilon, mechanism, target};
    if (turn) turn->append(debit);
    record(debit);
    return entries_.size();
  }

  // Learns what others took. Without a store there are no others.
  void refresh() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (store_) take_over(store_->turn_to_read()->debits());
  }

  // Of an entry in a store; empty without one.
  std::string receipt(std::size_t entry) const { return store_ ? store_->receipt(entry) : ""; }

  Accounting accounting() const { return cap_.accounting(); }
  bool is_pure() const { return cap_.is_pure(); }
  const Price& cap() const { return cap_; }
  double slack() const { return deltas_.cap(); }

  // Rounded up.
  Price spent() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return cap_.of(amounts_.spent());
  }

  // Rounded down, and a whole number of units: a debit of just this amount is accepted.
  Price left() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return cap_.of(amounts_.left());
  }

  double slack_left() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return deltas_.left();
  }

  std::size_t size() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return entries_.size();
  }

  std::vector<Entry> entries() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return entries_;
  }

 private:
  // May throw for lack of memory, and then nothing has changed: the sums are written last.
  void record(const StoredDebit& debit) {
    entries_.push_back({debit.mechanism, debit.target, debit.epsilon, amounts_.value(debit.units),
                        amounts_.spent_after(debit.units), deltas_.value(debit.delta_units)});
    amounts_.add(debit.units);
    deltas_.add(debit.delta_units);
  }

  // The first ones are ours already: a store never forgets (LedgerStore::Turn).
  void take_over(const std::vector<StoredDebit>& debits) {
    for (std::size_t i = entries_.size(); i < debits.size(); ++i) {
      if (!amounts_.fits(debits[i].units) || !deltas_.fits(debits[i].delta_units)) {
        throw BadLedger(BadLedger::Problem::overspent, i + 1);
      }
      record(debits[i]);
    }
  }

  static void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
  }
  static double checked_cap(double cap) {
    require(cap >= 0 && cap <= max_cap, "the cap of a ledger must lie between 0 and 1e15");
    return cap;
  }
  static double checked_slack(double slack) {
    require(slack >= 0 && slack < 1, "the slack of a ledger must be at least 0 and below 1");
    return slack;
  }

  const Price cap_;
  CappedSum amounts_, deltas_;
  std::vector<Entry> entries_;
  const std::shared_ptr<LedgerStore> store_;
  mutable std::mutex mutex_;
};

}  // namespace privpc
