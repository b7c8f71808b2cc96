// The text of a ledger file: what is written, and what is made of what is read. No files here, only
// strings, so that every damage can be tried out.
//
// One line for the promise and one for each debit, in the order in which they were made:
//
//   privpc ledger 1 | data cohort 2024 | epsilon 1 | delta 1e-06 | .. | id 5f.. | done |      HASH
//   1 | units 28f5c | delta units 0 | check 0c.. | costs rho 0.01 | epsilon - | laplace | age |
//       done |                                                                                HASH
//   2 | units 51eb8 | delta units 0 | check 9b.. | costs rho 0.02 | epsi | torn |             HASH
//
// Units are those that the ledger adds up (2^-64; of delta 2^-126), in hexadecimal digits; `costs`
// says the same for people. There are no times: the time between two debits is about that of a
// computation on the records. Bytes that would break a line or a field are written as \xHH. Every
// text has one spelling only: a line that is read is written anew and compared.
//
// CHAIN. HASH of a line is the SHA-256 of the HASH of the line before and of the line's own text.
// So whoever changes, inserts, exchanges or leaves out a line, but for lines at the end, breaks the
// line after it, unless all hashes from there on are computed anew. The `id` is random: no two
// ledgers share a HASH. What the chain cannot show: an older copy of the whole file, of which the
// file without its last lines is one. Whoever has seen a later state notices (ledger_file.hpp).
//
// TORN LINES. A line that does not end is what a writer left that was stopped in the middle. It had
// not drawn noise, for its flush had not returned (ledger_file.hpp); but a line that was whole once
// may have been cut afterwards, and these look alike. So a torn line counts as spent, in full:
//  1. Amounts come first, with a `check` of their own that is chained as the HASH is. A torn line
//     that has them is a debit. Cutting a line off behind its `check` takes nothing back.
//  2. A torn line without readable amounts may have been any debit: nothing can be spent any more
//     from such a file. A killed writer does not leave one: every line is filled up to a multiple
//     of 256 bytes, so that the first 256 bytes of a line, in which the amounts stand, lie within
//     one page and one sector, and a write stops between those: it leaves nothing of them, or all.
//     (After a power failure, some file systems show zeros where nothing was written yet.)
//  3. The next writer ends a torn line by " | torn |" and its HASH, which covers what was there. If
//     it is stopped as well, the line is torn as before, with the same amounts: the text before
//     " | torn |" is not looked at. So every line that has an end has a right HASH, always.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "privpc/base/number_text.hpp"
#include "privpc/base/sha256.hpp"
#include "privpc/privacy/ledger_store.hpp"

namespace privpc {

struct LedgerPromise {
  std::string data;  // the name of the data set
  double epsilon = 0, delta = 0, reserve = 0;
  std::string neighbours;
  bool pure = true;
  double cap = 0;  // in epsilon if pure, else in rho
};

struct LedgerBook {
  LedgerPromise promise;
  std::string id;
  std::vector<StoredDebit> debits;
  // One for each whole line: that of the promise, then those of debits. A torn line at the end is
  // the last of the debits and has none.
  std::vector<std::string> hashes;
  std::string torn;  // the text of that line
};

namespace ledger_text {

constexpr std::size_t block = 256;
constexpr std::size_t hash_size = 64;
constexpr const char* kind = "privpc ledger ";
constexpr const char* version = "1";

inline std::string hex(LedgerUnits units) {
  std::string text;
  do {
    text.insert(text.begin(), "0123456789abcdef"[static_cast<unsigned>(units & 15U)]);
    units >>= 4;
  } while (units != 0);
  return text;
}

inline std::optional<LedgerUnits> read_hex(std::string_view text) {
  if (text.empty() || text.size() > 32) return std::nullopt;
  LedgerUnits units = 0;
  for (const char digit : text) {
    const std::size_t value = std::string_view("0123456789abcdef").find(digit);
    if (value == std::string_view::npos) return std::nullopt;
    units = units << 4 | value;
  }
  return units;
}

inline bool is_plain(unsigned char byte) {
  return byte >= 0x20 && byte != 0x7f && byte != '|' && byte != '\\';
}

inline std::string escaped(std::string_view text) {
  std::string out;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (is_plain(byte)) {
      out += each;
    } else {
      out += "\\x";
      out += "0123456789abcdef"[byte >> 4];
      out += "0123456789abcdef"[byte & 15U];
    }
  }
  return out;
}

// What is spelt in another way comes out changed, and is noticed when the line is written anew.
inline std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x'
                          ? read_hex(text.substr(i + 2, 2))
                          : std::nullopt;
    if (code) i += 3;
    out += code ? static_cast<char>(static_cast<unsigned char>(*code)) : text[i];
  }
  return out;
}

inline std::string number(double value) {
  return std::isnan(value) ? "-" : shortest_text(value);
}

// The whole line: text, filling, hash, end. `before` is the hash of the line before.
inline std::string sealed_line(std::string text, const std::string& before) {
  const std::size_t tail = hash_size + 1;
  text.resize((text.size() + tail + block - 1) / block * block - tail, ' ');
  return text + sha256(before + text) + "\n";
}

inline std::string promise_line(const LedgerPromise& promise, const std::string& id) {
  return sealed_line(std::string(kind) + version + " | data " + escaped(promise.data) +
                         " | epsilon " + number(promise.epsilon) + " | delta " +
                         number(promise.delta) + " | reserve " + number(promise.reserve) +
                         " | neighbours " + escaped(promise.neighbours) + " | counted in " +
                         (promise.pure ? "epsilon" : "rho") + " | cap " + number(promise.cap) +
                         " | id " + escaped(id) + " | done |",
                     "");
}

// The amounts of a debit, up to the bar behind their check.
inline std::string head_of(std::size_t entry, const StoredDebit& debit, const std::string& before) {
  const std::string amounts = std::to_string(entry) + " | units " + hex(debit.units) +
                              " | delta units " + hex(debit.delta_units) + " | check ";
  return amounts + sha256(before + amounts).substr(0, 16) + " |";
}

inline std::string debit_line(std::size_t entry, const StoredDebit& debit, bool pure,
                              const std::string& before) {
  return sealed_line(head_of(entry, debit, before) + " costs " + (pure ? "epsilon " : "rho ") +
                         number(debit.amount) + " | epsilon " + number(debit.epsilon) + " | " +
                         escaped(debit.mechanism) + " | " + escaped(debit.target) + " | done |",
                     before);
}

inline bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// What is to be written behind a torn line.
inline std::string rest_of_torn_line(const std::string& torn, const std::string& before) {
  return sealed_line(torn + " | torn |", before).substr(torn.size());
}

// The text between bars, without the blanks beside them. What follows the last bar is dropped.
inline std::vector<std::string_view> fields_of(std::string_view text) {
  std::vector<std::string_view> fields;
  for (std::size_t bar; (bar = text.find('|')) != std::string_view::npos;) {
    std::string_view field = text.substr(0, bar);
    if (!fields.empty() && starts_with(field, " ")) field.remove_prefix(1);
    if (!field.empty() && field.back() == ' ') field.remove_suffix(1);
    fields.push_back(field);
    text.remove_prefix(bar + 1);
  }
  return fields;
}

// What follows `label` and a blank; nothing if the field has another label, which is noticed when
// the line is written anew.
inline std::string_view value_of(std::string_view field, std::string_view label) {
  const bool labelled = starts_with(field, label) && field.size() > label.size();
  return labelled ? field.substr(label.size() + 1) : std::string_view();
}

// The amounts at the beginning of a line, if they are all there.
inline std::optional<StoredDebit> read_head(std::string_view line, std::size_t entry,
                                            const std::string& before) {
  const std::vector<std::string_view> fields = fields_of(line);
  if (fields.size() < 4) return std::nullopt;
  const auto units = read_hex(value_of(fields[1], "units"));
  const auto delta_units = read_hex(value_of(fields[2], "delta units"));
  if (!units || !delta_units) return std::nullopt;
  StoredDebit debit;
  debit.units = *units;
  debit.delta_units = *delta_units;
  debit.amount = debit.epsilon = std::numeric_limits<double>::quiet_NaN();
  debit.mechanism = "torn entry";
  debit.target = "a step that was stopped while this was written";
  if (!starts_with(line, head_of(entry, debit, before))) return std::nullopt;
  return debit;
}

// A line with its end, whose hash is right.
inline std::optional<StoredDebit> read_debit(std::string_view line, std::size_t entry, bool pure,
                                             const std::string& before) {
  std::optional<StoredDebit> debit = read_head(line, entry, before);
  if (!debit) return std::nullopt;
  const std::vector<std::string_view> fields = fields_of(line);
  if (fields.back() == "torn") return debit;
  if (fields.size() != 9) return std::nullopt;
  debit->amount = read_number_text(value_of(fields[4], pure ? "costs epsilon" : "costs rho"));
  debit->epsilon = read_number_text(value_of(fields[5], "epsilon"));
  debit->mechanism = unescaped(fields[6]);
  debit->target = unescaped(fields[7]);
  if (debit_line(entry, *debit, pure, before) != line) return std::nullopt;
  return debit;
}

inline bool read_promise(std::string_view line, LedgerBook& book) {
  const std::vector<std::string_view> fields = fields_of(line);
  if (fields.size() != 10) return false;
  LedgerPromise& promise = book.promise;
  promise.data = unescaped(value_of(fields[1], "data"));
  promise.epsilon = read_number_text(value_of(fields[2], "epsilon"));
  promise.delta = read_number_text(value_of(fields[3], "delta"));
  promise.reserve = read_number_text(value_of(fields[4], "reserve"));
  promise.neighbours = unescaped(value_of(fields[5], "neighbours"));
  promise.pure = value_of(fields[6], "counted in") == "epsilon";
  promise.cap = read_number_text(value_of(fields[7], "cap"));
  book.id = unescaped(value_of(fields[8], "id"));
  for (const double value : {promise.epsilon, promise.delta, promise.reserve, promise.cap}) {
    if (!(value >= 0 && std::isfinite(value))) return false;
  }
  return promise.reserve < 1 && promise_line(promise, book.id) == line;
}

}  // namespace ledger_text

// Adds to a book of whole lines what `text` has after them.
inline void read_on(std::string_view text, LedgerBook& book) {
  using namespace ledger_text;
  using Problem = BadLedger::Problem;
  std::string before = book.hashes.empty() ? "" : book.hashes.back();
  for (std::size_t entry = book.hashes.size(); !text.empty(); ++entry) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      const auto torn = entry > 0 ? read_head(text, entry, before) : std::nullopt;
      if (!torn) throw BadLedger(entry > 0 ? Problem::torn : Problem::damaged, entry);
      book.debits.push_back(*torn);
      book.torn = text;
      return;
    }
    const std::string_view line = text.substr(0, end + 1);
    const bool filled = line.size() % block == 0;
    const std::size_t sealed = filled ? line.size() - hash_size - 1 : 0;
    const std::string hash =
        filled ? sha256(before + std::string(line.substr(0, sealed))) : std::string();
    if (!filled || line.substr(sealed, hash_size) != hash) {
      throw BadLedger(Problem::damaged, entry);
    }
    if (entry == 0) {
      if (!read_promise(line, book)) throw BadLedger(Problem::damaged, 0);
    } else {
      const auto debit = read_debit(line, entry, book.promise.pure, before);
      if (!debit) throw BadLedger(Problem::damaged, entry);
      book.debits.push_back(*debit);
    }
    book.hashes.push_back(hash);
    before = hash;
    text.remove_prefix(line.size());
  }
}

// The whole text of a file, or a BadLedger.
inline LedgerBook parse_ledger(std::string_view text) {
  using namespace ledger_text;
  using Problem = BadLedger::Problem;
  if (!starts_with(text, kind)) throw BadLedger(Problem::foreign, 0);
  if (!starts_with(text, std::string(kind) + version + " |")) throw BadLedger(Problem::version, 0);
  LedgerBook book;
  read_on(text, book);
  return book;
}

}  // namespace privpc
