// The text of a ledger: what was written is read back, and whatever was done to it afterwards is
// refused, or counts at least as much.
#include <catch.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "ledger_samples.h"
#include "privpc/privacy/ledger_text.hpp"

using namespace privpc_test;
using privpc::BadLedger;
using privpc::LedgerBook;
using privpc::LedgerUnits;
using privpc::parse_ledger;
using Problem = BadLedger::Problem;

namespace {

// What is wrong with it; nothing if it can be read.
std::optional<Problem> problem_of(const std::string& text) {
  try {
    parse_ledger(text);
    return std::nullopt;
  } catch (const BadLedger& error) {
    return error.problem();
  }
}

bool is_damaged(const std::string& text) {
  return problem_of(text) == Problem::damaged;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  return lines;
}

// A torn text as the next writer leaves it.
std::string closed(const std::string& text) {
  const LedgerBook book = parse_ledger(text);
  return text + privpc::ledger_text::rest_of_torn_line(book.torn, book.hashes.back());
}

}  // namespace

TEST_CASE("what is written to a ledger is read back", "[ledger_file]") {
  privpc::LedgerPromise promise;
  promise.data = "a | b\n\\x41 \x7f é ";
  promise.epsilon = 0.1;
  promise.delta = 1e-6;
  promise.reserve = 1.0 / 3;
  promise.neighbours = "add-remove";
  promise.pure = false;
  promise.cap = 0.0017892345678912345;
  std::string text = privpc::ledger_text::promise_line(promise, "id");
  std::vector<privpc::StoredDebit> debits(4);
  debits[0] = {0, 0, 0, 0, "", ""};
  debits[1] = {~LedgerUnits{0}, 1, 1e-300, std::nan(""), "gaussian", "a | b"};
  debits[2] = {1, ~LedgerUnits{0}, 0.1, 0.3, " two  blanks ", std::string("\0\r\n|\\x7c", 9)};
  debits[3] = {12345, 0, 5, 6, "long", std::string(1000, '|')};
  for (std::size_t i = 0; i < debits.size(); ++i) {
    const std::string before = parse_ledger(text).hashes.back();
    text += privpc::ledger_text::debit_line(i + 1, debits[i], false, before);
    CHECK(text.size() % 256 == 0);
  }
  const LedgerBook book = parse_ledger(text);
  CHECK(book.promise.data == promise.data);
  CHECK(book.promise.epsilon == promise.epsilon);
  CHECK(book.promise.delta == promise.delta);
  CHECK(book.promise.reserve == promise.reserve);
  CHECK(book.promise.neighbours == promise.neighbours);
  CHECK_FALSE(book.promise.pure);
  CHECK(book.promise.cap == promise.cap);
  CHECK(book.id == "id");
  CHECK(book.torn.empty());
  REQUIRE(book.debits.size() == debits.size());
  REQUIRE(book.hashes.size() == debits.size() + 1);
  for (std::size_t i = 0; i < debits.size(); ++i) {
    CHECK((book.debits[i].units == debits[i].units));
    CHECK((book.debits[i].delta_units == debits[i].delta_units));
    CHECK(book.debits[i].amount == debits[i].amount);
    CHECK((book.debits[i].epsilon == debits[i].epsilon ||
           (std::isnan(book.debits[i].epsilon) && std::isnan(debits[i].epsilon))));
    CHECK(book.debits[i].mechanism == debits[i].mechanism);
    CHECK(book.debits[i].target == debits[i].target);
  }
  // One line each, whatever the names hold.
  CHECK(std::count(text.begin(), text.end(), '\n') == 5);
}

TEST_CASE("a line can be read by people", "[ledger_file]") {
  const std::string text = sample_text({"age"});
  CHECK_THAT(text, Catch::StartsWith("privpc ledger 1 | data cohort 2024 | epsilon 1 | delta 0 | "
                                     "reserve 0 | neighbours replace-one | counted in epsilon | "
                                     "cap 1 | id 0123456789abcdef0123456789abcdef | done |"));
  CHECK_THAT(text, Catch::Contains("\n1 | units 1000000000000000 | delta units 0 | check "));
  CHECK_THAT(text,
             Catch::Contains(" | costs epsilon 0.0625 | epsilon 0.0625 | laplace | age | done |"));
}

TEST_CASE("a changed byte is refused wherever it stands", "[ledger_file]") {
  const std::string text = sample_text({"age", "sex", "smoking"});
  const LedgerUnits spent = units_in(parse_ledger(text));
  std::size_t torn = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const int flip : {1, 0x20, 0x80}) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      const auto problem = problem_of(changed);
      if (problem) continue;
      // The end of the last line is the only byte without which the text can be read: the line is
      // a torn one then, and counts.
      CHECK(i + 1 == text.size());
      CHECK((units_in(parse_ledger(changed)) == spent));
      ++torn;
    }
  }
  CHECK(torn == 3);
}

TEST_CASE("a ledger that was cut counts what can be read of it, or is refused", "[ledger_file]") {
  const std::string text = sample_text({"age", "sex", "smoking"});
  const std::vector<std::string> lines = lines_of(text);
  REQUIRE(lines.size() == 4);
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string cut = text.substr(0, size);
    const std::size_t whole = static_cast<std::size_t>(std::count(cut.begin(), cut.end(), '\n'));
    const std::size_t rest = size - whole * 256;
    // The promise was never written in part.
    if (whole == 0) {
      const auto problem = problem_of(cut);
      REQUIRE(problem.has_value());
      const Problem expected = size < 14   ? Problem::foreign
                               : size < 17 ? Problem::version
                                           : Problem::damaged;
      CHECK(*problem == expected);
      continue;
    }
    if (rest == 0) {  // an older state: nothing in it says that there was more
      CHECK(parse_ledger(cut).debits.size() == whole - 1);
      continue;
    }
    const std::size_t head = lines[whole].find("check ") + 6 + 16 + 2;
    if (rest < head) {
      CHECK(problem_of(cut) == Problem::torn);
      continue;
    }
    const LedgerBook book = parse_ledger(cut);
    CHECK(book.debits.size() == whole);
    CHECK((units_in(book) == units_in(parse_ledger(text.substr(0, (whole + 1) * 256)))));
    CHECK(book.torn.size() == rest);
    CHECK(book.debits.back().mechanism == "torn entry");
  }
}

TEST_CASE("the end of a torn line may be torn as often as it likes", "[ledger_file]") {
  // A long line, so that there are many places to be stopped at.
  const std::string text = sample_text({"age", std::string(400, 'x')});
  const LedgerUnits spent = units_in(parse_ledger(text));
  for (std::size_t size = 512 + 100; size < text.size(); size += 7) {
    const std::string torn = text.substr(0, size);
    const std::string whole = closed(torn);
    CHECK(whole.size() % 256 == 0);
    CHECK((units_in(parse_ledger(whole)) == spent));
    CHECK(parse_ledger(whole).torn.empty());
    CHECK(parse_ledger(whole).hashes.size() == 3);
    for (std::size_t stop = size; stop < whole.size(); stop += 5) {
      const std::string again = whole.substr(0, stop);
      CHECK((units_in(parse_ledger(again)) == spent));
      CHECK((units_in(parse_ledger(closed(again))) == spent));
    }
  }
  // What was torn is as little to be changed as the rest.
  const std::string whole = closed(text.substr(0, 700));
  for (std::size_t i = 0; i + 1 < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    CHECK(problem_of(changed).has_value());
  }
}

TEST_CASE("a torn line that was filled with something else has to have its amounts",
          "[ledger_file]") {
  const std::string text = sample_text({"age", "sex"});
  const std::string older = text.substr(0, 512);
  CHECK(problem_of(older + std::string(256, '\0')) == Problem::torn);
  CHECK(problem_of(older + "2") == Problem::torn);
  CHECK(problem_of(older + " ") == Problem::torn);
  // Amounts that were written for another place, or by another hand.
  const std::string line = text.substr(512, 200);
  CHECK_FALSE(problem_of(older + line).has_value());
  CHECK(problem_of(text + line) == Problem::torn);
  std::string smaller = line;
  smaller.replace(smaller.find("units 1000"), 10, "units 0000");
  CHECK(problem_of(older + smaller) == Problem::torn);
  // Zeros where the text should be, as some file systems leave them behind the amounts.
  const std::string amounts = line.substr(0, line.find("check ") + 24);
  CHECK((units_in(parse_ledger(older + amounts + std::string(90, '\0'))) ==
         units_in(parse_ledger(text))));
}

TEST_CASE("lines cannot be left out, exchanged, repeated or taken elsewhere", "[ledger_file]") {
  const std::vector<std::string> lines = lines_of(sample_text({"age", "sex", "smoking"}));
  const std::vector<std::string> larger = lines_of(sample_text({"age", "sex", "smoking"}, 0.25));
  CHECK_FALSE(problem_of(lines[0] + lines[1] + lines[2] + lines[3]).has_value());
  CHECK(is_damaged(lines[0] + lines[2] + lines[3]));
  CHECK(is_damaged(lines[0] + lines[1] + lines[3]));
  CHECK(is_damaged(lines[0] + lines[2] + lines[1] + lines[3]));
  CHECK(is_damaged(lines[0] + lines[1] + lines[1] + lines[2]));
  CHECK(is_damaged(larger[0] + larger[1] + lines[2]));
  CHECK(is_damaged(lines[0] + lines[1] + "\n" + lines[2]));
  CHECK(is_damaged(lines[0] + "\n"));
  CHECK(problem_of(lines[1]) == Problem::foreign);
  CHECK(problem_of("") == Problem::foreign);
  CHECK(problem_of("a, b\n1, 2\n") == Problem::foreign);
  CHECK(problem_of("privpc ledger 2 | something\n") == Problem::version);
}

TEST_CASE("a number that was edited is refused although it was sealed anew", "[ledger_file]") {
  // One spelling only: what is written in another way was not written by a ledger.
  const std::string text = sample_text({"age"});
  const std::string before = parse_ledger(text).hashes[0];
  const std::string line = text.substr(256);
  const auto sealed = [&](const std::string& from, const std::string& to) {
    std::string body = line.substr(0, line.rfind('|') + 1);
    const std::size_t at = body.find(from);
    REQUIRE(at != std::string::npos);
    body.replace(at, from.size(), to);
    return text.substr(0, 256) + privpc::ledger_text::sealed_line(body, before);
  };
  CHECK_FALSE(problem_of(sealed("age", "age")).has_value());
  CHECK_FALSE(problem_of(sealed("age", "weight")).has_value());
  CHECK(is_damaged(sealed("units 1000000000000000", "units 1")));
  CHECK(is_damaged(sealed("units 1000000000000000", "units 01000000000000000")));
  CHECK(is_damaged(sealed("units 1000000000000000", "units -1000000000000000")));
  CHECK(is_damaged(sealed("costs epsilon 0.0625", "costs epsilon 0.06250")));
  CHECK(is_damaged(sealed("costs epsilon 0.0625", "costs rho 0.0625")));
  CHECK(is_damaged(sealed("1 | units", "2 | units")));
  CHECK(is_damaged(sealed("age", "\\x41")));
  CHECK(is_damaged(sealed("age", "a | b")));
  CHECK(is_damaged(sealed("done", "open")));
  for (const char* cap : {"cap -1", "cap inf", "cap nan", "cap 1 ", "cap", "cap 1x"}) {
    std::string body = text.substr(0, 256);
    body = body.substr(0, body.rfind('|') + 1);
    body.replace(body.find("cap 1"), 5, cap);
    CHECK(is_damaged(privpc::ledger_text::sealed_line(body, "")));
  }
}

TEST_CASE("no text takes the parser by surprise", "[ledger_file]") {
  std::mt19937 random(1);
  const std::string text = sample_text({"age", "a | b", std::string(300, 'y')});
  const LedgerUnits spent = units_in(parse_ledger(text));
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string changed = text;
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      const std::size_t at = below(changed.size());
      const std::string piece = text.substr(below(text.size()), below(40));
      switch (below(4)) {
        case 0:
          changed[at] = static_cast<char>(below(256));
          break;
        case 1:
          changed.erase(at, below(300));
          break;
        case 2:
          changed.insert(at, piece);
          break;
        default:
          changed.resize(at + 1);
          break;
      }
      if (changed.empty()) changed = " ";
    }
    if (problem_of(changed)) continue;
    ++read;
    // Only the end can be missing.
    const LedgerBook book = parse_ledger(changed);
    CHECK((units_in(book) <= spent));
    for (std::size_t line = 0; line < book.hashes.size(); ++line)
      CHECK(book.hashes[line] == parse_ledger(text).hashes[line]);
  }
  CHECK(read > 100);
}

TEST_CASE("a ledger is written and read with a point in any locale", "[ledger_file]") {
  const std::string with_point = sample_text({"age"});
  REQUIRE(with_point.find("0.0625") != std::string::npos);
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  bool comma = false;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"})
    comma = comma || std::setlocale(LC_NUMERIC, name) != nullptr;
  if (!comma) {
    WARN("no locale with a decimal comma: not tried");
    return;
  }
  const std::string in_locale = sample_text({"age"});
  const auto problem = problem_of(with_point);
  const double half = privpc::read_number_text("0.5");
  const bool refused = std::isnan(privpc::read_number_text("0,5"));
  const std::string third = privpc::shortest_text(1.0 / 3.0);
  const std::string kept = privpc::digits_text(1.0 / 3.0, 17);
  std::setlocale(LC_NUMERIC, before.c_str());
  CHECK(in_locale == with_point);
  CHECK_FALSE(problem.has_value());
  CHECK(half == 0.5);
  CHECK(refused);
  CHECK(third == "0.3333333333333333");
  CHECK(kept == "0.33333333333333331");
}

TEST_CASE("what a printed number has beside digits, letters and signs is its point",
          "[ledger_file]") {
  CHECK(privpc::with_point("-1,5e-07") == "-1.5e-07");
  CHECK(privpc::with_point("0\xd9\xabx") == "0.x");
  CHECK(privpc::with_point("inf") == "inf");
  CHECK(privpc::with_point("120") == "120");
  for (const char* text : {"", "x", "1x", "1,5", "1.5 "})
    CHECK(std::isnan(privpc::read_number_text(text)));
  CHECK(privpc::read_number_text("-2.5e-310") == -2.5e-310);
}
