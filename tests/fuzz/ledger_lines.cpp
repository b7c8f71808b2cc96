// The text of a ledger file. What was written is read back; what was changed afterwards, by whoever
// cannot compute hashes, is refused or says the same amounts; and lines that somebody sealed anew
// are read only if they are spelt as the library spells them, and never above the cap.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "fuzz_target.h"
#include "memory_store.h"
#include "privpc/privacy/ledger.hpp"
#include "privpc/privacy/ledger_text.hpp"

using namespace privpc;
using privpc_fuzz::Input;

namespace {

LedgerPromise any_promise(Input& input) {
  LedgerPromise promise;
  promise.data = input.text(40);
  promise.epsilon = input.usual();
  promise.delta = input.coin() ? 0 : 1e-6;
  promise.reserve = input.coin() ? 0 : 1e-9;
  promise.neighbours = input.text(8);
  promise.pure = input.coin();
  promise.cap = input.usual();
  return promise;
}

LedgerUnits any_units(Input& input) {
  const LedgerUnits high = input.coin() ? input.word() : 0;
  return high << 64 | (input.coin() ? input.word() : input.byte());
}

StoredDebit any_debit(Input& input) {
  StoredDebit debit;
  debit.units = any_units(input);
  debit.delta_units = any_units(input);
  debit.amount = input.real();
  debit.epsilon = input.real();
  debit.mechanism = input.text(12);
  debit.target = input.text(input.coin() ? 12 : 255);
  return debit;
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

bool same_amounts(const StoredDebit& a, const StoredDebit& b) {
  return a.units == b.units && a.delta_units == b.delta_units;
}

std::string hash_at_end(const std::string& text) {
  return text.substr(text.size() - 1 - ledger_text::hash_size, ledger_text::hash_size);
}

// Nothing if it is refused.
std::unique_ptr<LedgerBook> read(const std::string& text) {
  try {
    return std::make_unique<LedgerBook>(parse_ledger(text));
  } catch (const BadLedger&) {
    return nullptr;
  }
}

// In two parts, as a process does that has read the first one before.
void check_read_on(const std::string& text, const LedgerBook& whole, std::size_t lines) {
  if (whole.hashes.empty()) return;
  std::size_t first = 0;
  for (std::size_t line = 0; line <= lines % whole.hashes.size(); ++line)
    first = text.find('\n', first) + 1;
  LedgerBook book = parse_ledger(text.substr(0, first));
  read_on(std::string_view(text).substr(first), book);
  FUZZ_CHECK(book.hashes == whole.hashes && book.torn == whole.torn);
  FUZZ_CHECK(book.debits.size() == whole.debits.size());
  for (std::size_t i = 0; i < book.debits.size(); ++i)
    FUZZ_CHECK(same_amounts(book.debits[i], whole.debits[i]));
}

// A writer that ends what an earlier one left, as LedgerFile does.
void append(std::string& text, std::vector<StoredDebit>& written, const StoredDebit& debit) {
  const LedgerBook book = parse_ledger(text);
  if (!book.torn.empty()) text += ledger_text::rest_of_torn_line(book.torn, book.hashes.back());
  text += ledger_text::debit_line(written.size() + 1, debit, book.promise.pure, hash_at_end(text));
  written.push_back(debit);
}

// Writers that are stopped in the middle, and others that go on.
void write_and_stop(Input& input) {
  const LedgerPromise promise = any_promise(input);
  std::string text = ledger_text::promise_line(promise, "id");
  std::vector<StoredDebit> written;
  for (int step = 0; step < 12 && !input.empty(); ++step) {
    if (input.coin() || written.empty()) {
      append(text, written, any_debit(input));
    } else {
      // The last line is cut somewhere.
      const std::size_t start = text.rfind('\n', text.size() - 2) + 1;
      const std::string before = text;
      text.resize(start + input.below(text.size() - start));
      const auto book = read(text);
      if (text.size() == start) {
        written.pop_back();
      } else if (!book) {
        text = before;
        continue;
      }
    }
    const auto book = read(text);
    FUZZ_CHECK(book != nullptr && book->debits.size() == written.size());
    for (std::size_t i = 0; i < written.size(); ++i)
      FUZZ_CHECK(same_amounts(book->debits[i], written[i]));
    FUZZ_CHECK(book->promise.data == promise.data && book->promise.cap == promise.cap);
    FUZZ_CHECK(book->promise.neighbours == promise.neighbours && book->id == "id");
    const StoredDebit& last = book->debits.empty() ? StoredDebit() : book->debits.back();
    if (!written.empty() && text.back() == '\n' && last.mechanism != "torn entry") {
      FUZZ_CHECK(last.mechanism == written.back().mechanism);
      FUZZ_CHECK(last.target == written.back().target);
      FUZZ_CHECK(same(last.amount, written.back().amount));
      FUZZ_CHECK(same(last.epsilon, written.back().epsilon));
    }
    check_read_on(text, *book, input.byte());
  }
}

// Somebody without the hash function at hand: bytes and whole lines change places.
void damage(Input& input) {
  std::string text = ledger_text::promise_line(any_promise(input), "id");
  std::vector<StoredDebit> written;
  for (std::size_t steps = 1 + input.below(4); steps > 0; --steps)
    append(text, written, any_debit(input));
  std::string changed = text;
  for (std::size_t steps = 1 + input.below(4); steps > 0 && !changed.empty(); --steps) {
    const std::size_t at = input.below(changed.size()), other = input.below(changed.size());
    const std::size_t block = ledger_text::block;
    switch (input.below(6)) {
      case 0:
        changed[at] = static_cast<char>(changed[at] ^ static_cast<char>(1U << input.below(8)));
        break;
      case 1:
        changed.insert(at, input.text(20));
        break;
      case 2:
        changed.erase(at, 1 + input.below(300));
        break;
      case 3:
        changed.resize(at);
        break;
      case 4:
        changed += input.text(40);
        break;
      default: {
        const std::string piece = changed.substr(at / block * block, block);
        changed.insert(other / block * block, piece);
      }
    }
  }
  const auto book = read(changed);
  if (!book) return;
  FUZZ_CHECK(book->debits.size() <= written.size());
  for (std::size_t i = 0; i < book->debits.size(); ++i)
    FUZZ_CHECK(same_amounts(book->debits[i], written[i]));
}

// Text in the place of a field now and then.
std::string changed_line(Input& input, const std::string& line) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t bar; (bar = line.find('|', at)) != std::string::npos; at = bar + 1) {
    const std::string field = line.substr(at, bar + 1 - at);
    const std::size_t kind = input.below(16);
    if (kind == 1) continue;
    if (kind == 2) out += field;
    out += kind == 3 ? input.text(30) + "|" : field;
    if (kind == 4) out.insert(out.size() - 1, input.text(4));
  }
  return out;
}

// Somebody with the hash function: all that is left are the library's own rules.
void forge(Input& input) {
  using namespace ledger_text;
  const LedgerPromise promise = any_promise(input);
  std::string text = sealed_line(changed_line(input, promise_line(promise, "id")), "");
  for (std::size_t entry = 1; entry < 6 && !input.empty(); ++entry) {
    const std::string before = hash_at_end(text);
    StoredDebit debit = any_debit(input);
    if (input.coin()) debit.units = input.byte();
    if (input.coin()) debit.delta_units = 0;
    const std::string honest = debit_line(entry, debit, promise.pure, before);
    text += input.coin() ? honest : sealed_line(changed_line(input, honest), before);
  }
  const auto book = read(text);
  if (!book) return;
  // One spelling only.
  std::string again = promise_line(book->promise, book->id);
  for (std::size_t i = 0; i < book->debits.size(); ++i) {
    const std::string line =
        text.substr(again.size(), text.find('\n', again.size()) + 1 - again.size());
    const bool torn = book->debits[i].mechanism == "torn entry";
    again +=
        torn ? line : debit_line(i + 1, book->debits[i], book->promise.pure, hash_at_end(again));
  }
  FUZZ_CHECK(again == text);
  const auto store = std::make_shared<privpc_fuzz::MemoryStore>();
  store->debits = book->debits;
  const Accounting accounting = book->promise.pure ? Accounting::pure : Accounting::zcdp;
  privpc_fuzz::refused([&] {
    const Ledger ledger(Price::in(accounting, book->promise.cap), book->promise.reserve, store);
    FUZZ_CHECK(ledger.size() == book->debits.size());
    FUZZ_CHECK(ledger.spent().value() <= book->promise.cap && ledger.left().value() >= 0);
  });
}

}  // namespace

FUZZ_TARGET(ledger_lines) {
  switch (input.below(4)) {
    case 0:
      return write_and_stop(input);
    case 1:
      return damage(input);
    case 2:
      return forge(input);
    default: {
      // No hash of a text that nobody made can be right.
      const auto book = read((input.coin() ? "privpc ledger 1 |" : "") + input.rest());
      FUZZ_CHECK(book == nullptr);
    }
  }
}
