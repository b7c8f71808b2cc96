// Two writers on one ledger file, each killed (kill -9) at random instants. A writer tells, by a
// pipe, each step that it has released, after its debit has returned. After every kill the file has
// to be a ledger, whose debits cover all that was told, and never pass the cap.
//
// PRIVPC_KILLS says how many kills (20 if it is not set; `make test-kills` asks for more).
//
// Not on Windows, which has neither fork() nor signals.
#if !defined(_WIN32)
#include <catch.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "ledger_samples.h"

using namespace privpc_test;
using privpc::Cost;
using privpc::Epsilon;
using privpc::Ledger;
using privpc::LedgerFile;
using privpc::Overdraft;

namespace {

constexpr std::size_t steps_in_all = 512;
constexpr double step = 1.0 / steps_in_all;  // a whole number of units: sums of it are exact

// A disk that takes its time between two sectors, so that kills find lines half written.
long slow_write(int file, const void* bytes, std::size_t size) {
  const long wrote = privpc::FileCalls::system_write(file, bytes, size < 512 ? size : 512);
  std::this_thread::sleep_for(std::chrono::microseconds(300));
  return wrote;
}

// Spends until nothing is left. A long name now and then, so that lines cross pages of the disk.
[[noreturn]] void spend(const std::string& path, int told, bool slowly) {
  try {
    privpc::FileCalls calls;
    if (slowly) calls.write = &slow_write;
    const auto file = std::make_shared<LedgerFile>(path, LedgerFile::default_patience, calls);
    Ledger ledger(Epsilon(file->promise().cap), 0, file);
    for (std::size_t i = 0;; ++i) {
      const std::string target(i % 5 == 0 ? 9000 : 10, 'x');
      ledger.debit("laplace", target, Cost::pure(Epsilon(step)));
      if (::write(told, "r", 1) != 1) ::_exit(2);
    }
  } catch (const Overdraft&) {
    ::_exit(0);
  } catch (...) {
    ::_exit(3);
  }
}

struct Writer {
  pid_t process = -1;
  int told = -1;
};

Writer started(const std::string& path, bool slowly) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t process = ::fork();
  if (process == 0) {
    ::close(ends[0]);
    spend(path, ends[1], slowly);
  }
  ::close(ends[1]);
  return {process, ends[0]};
}

// Everything that the writer said; it has ended.
std::size_t count_told(const Writer& writer) {
  std::size_t count = 0;
  char bytes[4096];
  for (long got; (got = static_cast<long>(::read(writer.told, bytes, sizeof bytes))) > 0;)
    count += static_cast<std::size_t>(got);
  return count;
}

int kills_asked_for() {
  const char* asked = std::getenv("PRIVPC_KILLS");
  return asked == nullptr ? 20 : std::atoi(asked);
}

}  // namespace

TEST_CASE("no kill loses a debit or grants one twice", "[ledger_file]") {
  char folder[] = "/tmp/privpc-kills-XXXXXX";
  REQUIRE(::mkdtemp(folder) != nullptr);
  const std::string path = std::string(folder) + "/a.ledger";
  std::random_device device;
  const unsigned seed = device();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const int kills = kills_asked_for();
  std::size_t debits = 0, released = 0, torn = 0, unreleased = 0, emptied = 0, all = 0;

  Writer writers[2];
  bool fresh = true;
  for (int kill = 0; kill < kills; ++kill) {
    if (fresh) {
      LedgerFile::create(path, sample_promise());
      debits = released = 0;
      for (std::size_t i = 0; i < 2; ++i)
        writers[i] = started(path, i == 0);
      fresh = false;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 150000));
    Writer& victim = writers[random() % 2];
    ::kill(victim.process, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(victim.process, &status, 0) == victim.process);
    // Killed, or ended because nothing was left.
    REQUIRE((WIFSIGNALED(status) || WEXITSTATUS(status) == 0));
    released += count_told(victim);
    ::close(victim.told);
    // The other one is still at work. What it has told so far was debited before we look.
    Writer& other = writers[&victim == &writers[0] ? 1 : 0];
    std::size_t told_by_other = 0;
    pollfd ready{other.told, POLLIN, 0};
    while (::poll(&ready, 1, 0) == 1 && (ready.revents & POLLIN)) {
      char bytes[4096];
      const long got = static_cast<long>(::read(other.told, bytes, sizeof bytes));
      if (got <= 0) break;
      told_by_other += static_cast<std::size_t>(got);
    }
    released += told_by_other;
    const privpc::LedgerBook book = book_in(path);
    CHECK(book.debits.size() >= released);
    CHECK(book.debits.size() >= debits);
    CHECK((units_in(book) <= privpc::LedgerUnits{1} << 64));
    debits = book.debits.size();
    torn += book.torn.empty() ? 0 : 1;
    const bool empty = debits == steps_in_all;
    if (!empty && kill + 1 < kills) {
      victim = started(path, kill % 2 == 0);
      continue;
    }
    // The end of this ledger: the other writer is stopped, too, and all is counted.
    ::kill(other.process, SIGKILL);
    REQUIRE(::waitpid(other.process, &status, 0) == other.process);
    released += count_told(other);
    ::close(other.told);
    const privpc::LedgerBook last = book_in(path);
    CHECK(last.debits.size() >= released);
    CHECK(last.debits.size() <= steps_in_all);
    // At most one debit for each writer that was killed was not released.
    CHECK(last.debits.size() - released <= static_cast<std::size_t>(kill) + 2);
    unreleased += last.debits.size() - released;
    all += last.debits.size();
    emptied += empty ? 1 : 0;
    // It can be spent to the end.
    if (!empty) {
      const auto file = std::make_shared<LedgerFile>(path);
      Ledger ledger(Epsilon(1.0), 0, file);
      ledger.debit("laplace", "rest", Cost::pure(ledger.left().epsilon()));
      CHECK(ledger.left().value() == 0);
    }
    REQUIRE(std::remove(path.c_str()) == 0);
    fresh = true;
  }
  (void)!std::system(("rm -rf " + std::string(folder)).c_str());
  if (std::getenv("PRIVPC_KILLS") != nullptr) {
    WARN(kills << " kills, " << all << " debits: " << unreleased << " were not released, " << torn
               << " times a line was torn, " << emptied << " ledgers were spent to the end");
  }
}
#endif
