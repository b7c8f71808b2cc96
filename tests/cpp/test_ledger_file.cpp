// A ledger in a file: resumed, shared, flushed before it returns, and refused where it cannot be
// trusted. The processes that are killed are in test_ledger_kills.cpp.
//
// What needs a child with the memory of this process, or another user, is left out on Windows,
// which has no fork().
#include <catch.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "ledger_samples.h"

#if !defined(_WIN32)
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

using namespace privpc_test;
using privpc::BadLedger;
using privpc::Cost;
using privpc::Epsilon;
using privpc::FileCalls;
using privpc::FileError;
using privpc::Ledger;
using privpc::LedgerFile;
using privpc::LockedFile;
using privpc::Overdraft;
using Patience = LockedFile::Patience;

namespace {

// A folder that is gone at the end of a test.
class Folder {
 public:
  Folder() {
    unsigned char random[8];
    privpc::fill_from_entropy(random, sizeof random);
    std::string name = "privpc-ledger-";
    for (const unsigned char byte : random)
      name += static_cast<char>('a' + byte % 26);
    const auto path = std::filesystem::temp_directory_path() / name;
    REQUIRE(std::filesystem::create_directory(path));
    path_ = path.u8string();
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      names.push_back(entry.path().filename().u8string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::string path_;
};

std::shared_ptr<LedgerFile> opened(const std::string& path, FileCalls calls = {}) {
  return std::make_shared<LedgerFile>(path, Patience(5000), calls);
}

// A ledger on the file, with the cap that it states.
std::unique_ptr<Ledger> ledger_on(const std::string& path, FileCalls calls = {}) {
  const auto file = opened(path, calls);
  return std::make_unique<Ledger>(Epsilon(file->promise().cap), file->promise().reserve, file);
}

void pay(Ledger& ledger, double amount, const std::string& target = "age") {
  ledger.debit("laplace", target, Cost::pure(Epsilon(amount)));
}

std::optional<FileError::Problem> file_problem(const std::function<void()>& run) {
  try {
    run();
  } catch (const FileError& error) {
    return error.problem();
  }
  return std::nullopt;
}

std::optional<BadLedger::Problem> ledger_problem(const std::function<void()>& run) {
  try {
    run();
  } catch (const BadLedger& error) {
    return error.problem();
  }
  return std::nullopt;
}

#if !defined(_WIN32)
// Runs in a child, which ends with 0 if `run` returns true. For what would change this process:
// another user, a limit on the size of files.
bool in_child(const std::function<bool()>& run) {
  const pid_t child = ::fork();
  if (child == 0) {
    bool good = false;
    try {
      good = run();
    } catch (...) {
    }
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Each in a process of its own, all at once; what they returned (0 to 254; -1 after an error).
std::vector<int> side_by_side(std::size_t count, const std::function<int()>& run) {
  std::vector<pid_t> children;
  for (std::size_t i = 0; i < count; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      int answer = 255;
      try {
        answer = run();
      } catch (...) {
      }
      ::_exit(answer);
    }
    children.push_back(child);
  }
  std::vector<int> answers;
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    const bool good = WIFEXITED(status) && WEXITSTATUS(status) < 255;
    answers.push_back(good ? WEXITSTATUS(status) : -1);
  }
  return answers;
}
#else
// Threads in the place of processes.
std::vector<int> side_by_side(std::size_t count, const std::function<int()>& run) {
  std::vector<int> answers(count, -1);
  std::vector<std::thread> threads;
  for (int& answer : answers) {
    threads.emplace_back([&run, &answer] {
      try {
        answer = run();
      } catch (const std::exception& error) {
        std::fprintf(stderr, "beside: %s\n", error.what());
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  return answers;
}
#endif

// What the calls of a ledger file did, in their order: w and f.
std::string calls_made;
int flushes_that_fail = 0, bytes_that_fit = -1;

long noted_write(int file, const void* bytes, std::size_t size) {
  calls_made += 'w';
  if (bytes_that_fit == 0) {
    errno = ENOSPC;
    return -1;
  }
  if (bytes_that_fit > 0 && static_cast<std::size_t>(bytes_that_fit) < size) {
    size = static_cast<std::size_t>(bytes_that_fit);
    bytes_that_fit = 0;
  }
  return FileCalls::system_write(file, bytes, size);
}

int noted_flush(int file) {
  calls_made += 'f';
  if (flushes_that_fail == 0) return FileCalls::system_flush(file);
  --flushes_that_fail;
  errno = EIO;
  return -1;
}

FileCalls noted_calls() {
  calls_made.clear();
  flushes_that_fail = 0;
  bytes_that_fit = -1;
  return {&noted_write, &noted_flush, &FileCalls::system_lock};
}

}  // namespace

TEST_CASE("a ledger in a file goes on where it ended", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  {
    const auto ledger = ledger_on(path);
    CHECK(ledger->size() == 0);
    pay(*ledger, 0.25);
    pay(*ledger, 0.5, "sex");
  }
  const auto ledger = ledger_on(path);
  REQUIRE(ledger->size() == 2);
  CHECK(ledger->spent().value() == 0.75);
  CHECK(ledger->entries()[1].target == "sex");
  CHECK(ledger->entries()[1].cumulative == 0.75);
  CHECK_THROWS_AS(pay(*ledger, 0.26), Overdraft);
  CHECK(ledger->debit("laplace", "", Cost::pure(Epsilon(0.25))) == 3);
  CHECK_THROWS_AS(pay(*ledger, 1e-9), Overdraft);
  // What was refused left nothing in the file.
  CHECK(book_in(path).debits.size() == 3);
  CHECK(bytes_of(path).size() == 4 * 256);
}

TEST_CASE("sums in a file are exact", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  Ledger memory(Epsilon(1.0));
  for (const double amount : {0.1, 1e-300, 0.2, 1.0 / 3}) {
    pay(memory, amount);
    pay(*ledger_on(path), amount);
  }
  const auto ledger = ledger_on(path);
  CHECK(ledger->left().value() == memory.left().value());
  for (std::size_t i = 0; i < memory.size(); ++i) {
    CHECK(ledger->entries()[i].cumulative == memory.entries()[i].cumulative);
    CHECK(ledger->entries()[i].amount == memory.entries()[i].amount);
  }
}

TEST_CASE("a file with a slack counts deltas", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  privpc::LedgerPromise promise = sample_promise();
  promise.reserve = 1e-6;
  LedgerFile::create(path, promise);
  ledger_on(path)->debit("median", "", Cost::approximate(Epsilon(0.1), 6e-7));
  CHECK_THROWS_AS(ledger_on(path)->debit("median", "", Cost::approximate(Epsilon(0.1), 6e-7)),
                  Overdraft);
  CHECK(ledger_on(path)->entries()[0].delta >= 6e-7);
}

TEST_CASE("a debit is flushed before it returns, and before it is counted", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  const FileCalls calls = noted_calls();
  LedgerFile::create(path, sample_promise(), calls);
  CHECK(calls_made == "wf");
  const auto ledger = ledger_on(path, calls);
  calls_made.clear();
  pay(*ledger, 0.25);
  CHECK(calls_made == "wf");
  // A flush that fails: the step is refused, and takes nothing.
  flushes_that_fail = 1;
  CHECK(file_problem([&] { pay(*ledger, 0.25); }) == FileError::Problem::failed);
  CHECK(ledger->size() == 1);
  CHECK(book_in(path).debits.size() == 1);
  pay(*ledger, 0.75);
  CHECK(ledger->left().value() == 0);
}

TEST_CASE("a full disk refuses the step and leaves the ledger sound", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  const FileCalls calls = noted_calls();
  LedgerFile::create(path, sample_promise(), calls);
  const auto ledger = ledger_on(path, calls);
  pay(*ledger, 0.25);
  for (const int fits : {0, 1, 50, 100, 200, 255}) {
    bytes_that_fit = fits;
    CHECK(file_problem([&] { pay(*ledger, 0.25); }) == FileError::Problem::failed);
    CHECK(book_in(path).debits.size() == 1);
    CHECK(ledger->spent().value() == 0.25);
  }
  bytes_that_fit = 0;
  CHECK(file_problem([&] { LedgerFile::create(folder / "b.ledger", sample_promise(), calls); }) ==
        FileError::Problem::failed);
  CHECK(bytes_of(folder / "b.ledger").empty());
  bytes_that_fit = -1;
  pay(*ledger, 0.75);
}

#if !defined(_WIN32)
TEST_CASE("a limit of the system on the size of files is a full disk", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  CHECK(in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{600, 600};  // the promise, one debit, and a part of the next
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    const auto ledger = ledger_on(path);
    pay(*ledger, 0.25);
    return file_problem([&] { pay(*ledger, 0.25); }) == FileError::Problem::failed &&
           ledger->size() == 1;
  }));
  CHECK(book_in(path).debits.size() == 1);
  CHECK(bytes_of(path).size() == 512);
}
#endif

#if !defined(_WIN32)
TEST_CASE("a torn line counts, and the next debit ends it", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  pay(*ledger_on(path), 0.25);
  // Another process was stopped in the middle of its line.
  CHECK(in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    pay(*ledger_on(path), 0.5);
    return ::truncate(path.c_str(), 512 + 130) == 0;
  }));
  const auto ledger = ledger_on(path);
  CHECK(ledger->spent().value() == 0.75);
  CHECK(ledger->entries()[1].mechanism == "torn entry");
  CHECK_THROWS_AS(pay(*ledger, 0.3), Overdraft);
  CHECK(bytes_of(path).size() == 512 + 130);
  pay(*ledger, 0.25);
  CHECK(bytes_of(path).size() == 4 * 256);
  CHECK(ledger->left().value() == 0);
  CHECK(ledger_on(path)->size() == 3);
  CHECK(book_in(path).torn.empty());
}
#endif

TEST_CASE("nothing is spent from a file whose last line cannot be read", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  write_bytes(path, sample_text({"age", "sex"}).substr(0, 512 + 20));
  CHECK(ledger_problem([&] { ledger_on(path); }) == BadLedger::Problem::torn);
  write_bytes(path, sample_text({"age", "sex"}).substr(0, 512) + std::string(256, '\0'));
  CHECK(ledger_problem([&] { ledger_on(path); }) == BadLedger::Problem::torn);
  CHECK(bytes_of(path).size() == 768);
}

TEST_CASE("several objects on one file see each other", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  const auto one = ledger_on(path), two = ledger_on(path);
  pay(*one, 0.5);
  CHECK(two->size() == 0);
  two->refresh();
  CHECK(two->size() == 1);
  pay(*two, 0.25);
  CHECK_THROWS_AS(pay(*one, 0.3), Overdraft);
  CHECK(one->size() == 2);
  pay(*one, 0.25);
  CHECK_THROWS_AS(pay(*two, 0.25), Overdraft);
}

TEST_CASE("threads and processes together take no more than there is", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  // 1/64 each: 64 fit, 3 processes of 2 threads try 20 times each.
  const auto spend = [&path](int& paid) {
    const auto ledger = ledger_on(path);
    for (int i = 0; i < 20; ++i) {
      try {
        pay(*ledger, 1.0 / 64);
        ++paid;
      } catch (const Overdraft&) {
      }
    }
  };
  int paid = 0;
  for (const int answer : side_by_side(3, [&spend] {
         int first = 0, second = 0;
         std::thread other([&] { spend(first); });
         spend(second);
         other.join();
         return first + second;
       })) {
    REQUIRE(answer >= 0);
    paid += answer;
  }
  CHECK(paid == 64);
  const auto ledger = ledger_on(path);
  CHECK(ledger->size() == 64);
  CHECK(ledger->left().value() == 0);
}

TEST_CASE("an older copy is refused by everyone who saw a later state", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  const auto ledger = ledger_on(path);
  pay(*ledger, 0.25);
  const std::string older = bytes_of(path);
  pay(*ledger, 0.25);
  const std::string later = bytes_of(path);
  const auto rolled_back = [&](const std::function<void()>& run) {
    return ledger_problem(run) == BadLedger::Problem::rolled_back;
  };
  const auto refused_by_all = [&] {
    return rolled_back([&] { pay(*ledger, 0.25); }) && rolled_back([&] { ledger->refresh(); }) &&
           rolled_back([&] { ledger_on(path); }) && rolled_back([&] { LedgerFile::to_read(path); });
  };
  write_bytes(path, older);
  CHECK(refused_by_all());
  CHECK(bytes_of(path) == older);
  // Another debit in the place of the second one, by somebody who did not see it.
  {
    const privpc::LedgerBook book = privpc::parse_ledger(older);
    const privpc::StoredDebit small{1, 0, 1e-19, 1e-19, "laplace", ""};
    write_bytes(path, older + privpc::ledger_text::debit_line(2, small, true, book.hashes.back()));
    CHECK(refused_by_all());
  }
  // By way of another file that gets the name.
  write_bytes(folder / "copy", older);
  std::filesystem::rename(folder / "copy", path);
  CHECK(refused_by_all());
  // Another ledger altogether: those who opened the first one refuse it.
  REQUIRE(std::remove(path.c_str()) == 0);
  LedgerFile::create(path, sample_promise());
  CHECK(rolled_back([&] { pay(*ledger, 0.25); }));
  CHECK(rolled_back([&] { ledger->refresh(); }));
  REQUIRE(std::remove(path.c_str()) == 0);
  CHECK(file_problem([&] { pay(*ledger, 0.25); }) == FileError::Problem::missing);
  // The file as it was is taken again.
  write_bytes(path, later);
  pay(*ledger, 0.5);
  CHECK(ledger->size() == 3);
}

#if !defined(_WIN32)
TEST_CASE("a cut-off torn line is noticed by those who counted it", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  CHECK(in_child([&] {
    pay(*ledger_on(path), 0.5);
    return ::truncate(path.c_str(), 256 + 130) == 0;
  }));
  const auto ledger = ledger_on(path);
  CHECK(ledger->spent().value() == 0.5);
  REQUIRE(::truncate(path.c_str(), 256) == 0);
  CHECK(ledger_problem([&] { pay(*ledger, 0.25); }) == BadLedger::Problem::rolled_back);
}
#endif

TEST_CASE("a damaged file is refused by debits of open ledgers too", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  const auto ledger = ledger_on(path);
  pay(*ledger, 0.25, "age");
  std::string bytes = bytes_of(path);
  bytes.replace(bytes.find("age"), 3, "sex");
  write_bytes(path, bytes);
  CHECK(ledger_problem([&] { pay(*ledger, 0.25); }) == BadLedger::Problem::damaged);
  CHECK(ledger->size() == 1);
  CHECK(bytes_of(path) == bytes);
}

TEST_CASE("debits beyond the cap are no ledger", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  write_bytes(path, sample_text({"a", "b", "c"}, 0.4));
  CHECK(ledger_problem([&] { ledger_on(path); }) == BadLedger::Problem::overspent);
}

TEST_CASE("what is no file of one's own is refused", "[ledger_file]") {
  const Folder folder;
  const auto refused = [](const std::string& path) {
    return file_problem([&] { LedgerFile file(path); });
  };
  CHECK(refused(folder / "nothing") == FileError::Problem::missing);
  CHECK(refused(folder / "no/folder") == FileError::Problem::missing);
  CHECK(refused(folder / ".") == FileError::Problem::foreign);
#if defined(_WIN32)
  CHECK(refused("NUL"));  // a device: missing or foreign, as the C library has it
#else
  CHECK(refused("/dev/full") == FileError::Problem::foreign);
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(refused(folder / "pipe") == FileError::Problem::foreign);
  std::filesystem::remove(folder / "pipe");
#endif
  CHECK(file_problem([&] { LedgerFile::create(folder / "no/folder", sample_promise()); }) ==
        FileError::Problem::failed);
  LedgerFile::create(folder / "a.ledger", sample_promise());
  CHECK(file_problem([&] { LedgerFile::create(folder / "a.ledger", sample_promise()); }) ==
        FileError::Problem::exists);
  write_bytes(folder / "empty", "");
  CHECK(ledger_problem([&] { LedgerFile file(folder / "empty"); }) == BadLedger::Problem::foreign);
  // Nothing but what was asked for is left in the folder.
  CHECK(folder.files() == (std::vector<std::string>{"a.ledger", "empty"}));
}

#if !defined(_WIN32)
TEST_CASE("a file that may only be read can be read and not spent from", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  pay(*ledger_on(path), 0.25);
  REQUIRE(::chmod(path.c_str(), 0444) == 0);
  REQUIRE(::chmod((folder / ".").c_str(), 0755) == 0);
  CHECK(in_child([&] {
    // The administrator may write everything.
    if (::geteuid() == 0 && ::setuid(65534) != 0) return false;
    return file_problem([&] { ledger_on(path); }) == FileError::Problem::failed &&
           Ledger(Epsilon(1.0), 0, LedgerFile::to_read(path)).spent().value() == 0.25 &&
           file_problem([&] { LedgerFile::create(folder / "b", sample_promise()); }) ==
               FileError::Problem::failed;
  }));
}
#endif

TEST_CASE("a lock that somebody keeps is an error after a while", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  const auto file = std::make_shared<LedgerFile>(path, Patience(50));
  Ledger ledger(Epsilon(1.0), 0, file);
  const auto busy = [&](const std::function<void()>& run) {
    return file_problem(run) == FileError::Problem::busy;
  };
  {
    const LockedFile other(path, LockedFile::Access::append, Patience(50));
    CHECK(busy([&] { pay(ledger, 0.25); }));
    CHECK(busy([&] { ledger.refresh(); }));
  }
  {
    const LockedFile reader(path, LockedFile::Access::read, Patience(50));
    CHECK(busy([&] { pay(ledger, 0.25); }));
    ledger.refresh();
  }
  CHECK(ledger.size() == 0);
  pay(ledger, 0.25);
  CHECK(LockedFile::locks_work(path, Patience(50)));
}

TEST_CASE("who waits for a lock can be interrupted, and leaves nothing behind", "[ledger_file]") {
  struct Interrupted {};
  class AtTheThirdLook : public privpc::Monitor {
   public:
    void progress(std::size_t, std::size_t, std::size_t) override {}
    void breathe() override {
      if (++looks_ == 3) throw Interrupted();
    }

   private:
    int looks_ = 0;
  };
  const auto interrupted = [](const std::function<void()>& run) {
    AtTheThirdLook monitor;
    const privpc::Listening listening(monitor);
    try {
      run();
    } catch (const Interrupted&) {
      return true;
    }
    return false;
  };
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  Ledger ledger(Epsilon(1.0), 0, std::make_shared<LedgerFile>(path, Patience(600000)));
#if !defined(_WIN32)
  const auto lowest_free = [] {
    const int file = ::dup(0);
    ::close(file);
    return file;
  };
#endif
  {
    const LockedFile other(path, LockedFile::Access::append, Patience(50));
#if !defined(_WIN32)
    const int free_before = lowest_free();
#endif
    CHECK(interrupted([&] { pay(ledger, 0.25); }));
    CHECK(interrupted([&] { ledger.refresh(); }));
    CHECK(interrupted([&] { LedgerFile(path, Patience(600000)); }));
#if !defined(_WIN32)
    CHECK(lowest_free() == free_before);
#endif
  }
  CHECK(ledger.size() == 0);
  pay(ledger, 0.25);
  CHECK(ledger.size() == 1);
}

TEST_CASE("a disk on which locks keep nobody out is refused", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  FileCalls calls;
  calls.lock = [](int, bool) { return 0; };  // as some network folders do
  CHECK(file_problem([&] { opened(path, calls); }) == FileError::Problem::no_locks);
  calls.lock = [](int, bool) {
    errno = ENOLCK;
    return -1;
  };
  CHECK(file_problem([&] { opened(path, calls); }) == FileError::Problem::no_locks);
}

TEST_CASE("two who create the same file get one", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  int created = 0;
  for (const int answer : side_by_side(4, [&path] {
         const auto problem = file_problem([&] { LedgerFile::create(path, sample_promise()); });
         if (problem && *problem != FileError::Problem::exists) return 2;
         pay(*ledger_on(path), 0.25);
         return problem ? 0 : 1;
       })) {
    REQUIRE(answer >= 0);
    REQUIRE(answer < 2);
    created += answer;
  }
  CHECK(created == 1);
  CHECK(ledger_on(path)->left().value() == 0);
}

TEST_CASE("the hash of an entry is that of its line", "[ledger_file]") {
  const Folder folder;
  const std::string path = folder / "a.ledger";
  LedgerFile::create(path, sample_promise());
  const auto file = opened(path);
  Ledger ledger(Epsilon(1.0), 0, file);
  pay(ledger, 0.25);
  const std::string first = file->receipt(1);
  CHECK(first.size() == 64);
  pay(ledger, 0.25);
  const std::string bytes = bytes_of(path);
  CHECK(file->receipt(1) == first);
  CHECK(first == bytes.substr(511 - 64, 64));
  CHECK(file->receipt(2) == bytes.substr(767 - 64, 64));
  CHECK(file->receipt(3).empty());
}
