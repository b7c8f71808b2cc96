// A ledger's debits in a file (ledger_text.hpp) that outlives the process and is shared by several.
//
// THEOREM. Let every release come after the return of the debit that pays for it. Then at every
// instant, whatever processes run, are killed, or lose their machine, (a) the debits in the file
// are at least those of all releases so far, and (b) their sum is at most the cap. PROOF. A debit
// is one turn: the lock of the file, all its lines read, the sum compared with the cap, a line
// appended, the flush, and only then the lock given up (Ledger::debit()). Turns to write do not
// overlap. (b) A line is appended only where the sum that includes all lines before it is within
// the cap, and only by the one who has the turn. (a) The debit returns after the flush has
// confirmed its line. From then on nothing takes it away: lines are only appended, except that a
// writer whose write or flush failed cuts off, in the same turn, what it has just appended itself;
// for that line its debit throws, and nothing is released. A writer that is killed before its flush
// returned leaves no line, a whole one, or a torn one, and has released nothing; whole and torn
// lines count as spent (ledger_text.hpp), which only helps (a), and they were compared with the cap
// before they were begun, so that (b) holds. If a flush is confirmed and the machine loses the
// line all the same, the disk did not keep its word, and nobody can see it: see below.
//
// ROLLED BACK. An older copy of a ledger is a ledger, and so is one without its last lines. What
// this process has seen of a ledger, by whatever object, it remembers: a file that does not begin
// with that, hash for hash, is refused. A process that starts afterwards cannot know.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "privpc/base/locked_file.hpp"
#include "privpc/base/random_name.hpp"
#include "privpc/privacy/ledger_store.hpp"
#include "privpc/privacy/ledger_text.hpp"

namespace privpc {

// The longest that this process has seen of each ledger.
class LedgerMemory {
 public:
  // Refuses what is not a continuation, and remembers what is.
  static void compare(const LedgerBook& book) {
    static std::mutex mutex;
    static std::map<std::string, Seen> all;
    const std::lock_guard<std::mutex> lock(mutex);
    Seen& seen = all[book.id];
    const bool continues = book.hashes.size() >= seen.lines && book.debits.size() >= seen.debits &&
                           (seen.lines == 0 || book.hashes[seen.lines - 1] == seen.hash);
    if (!continues) throw BadLedger(BadLedger::Problem::rolled_back, seen.debits);
    seen = {book.hashes.size(), book.debits.size(), book.hashes.back()};
  }

 private:
  struct Seen {
    std::size_t lines = 0, debits = 0;
    std::string hash;
  };
};

class LedgerFile : public LedgerStore {
 public:
  using Patience = LockedFile::Patience;
  static constexpr Patience default_patience = std::chrono::seconds(60);

  // A new file; throws if there is one.
  static void create(const std::string& path, const LedgerPromise& promise, FileCalls calls = {}) {
    LockedFile::create(path, ledger_text::promise_line(promise, random_name()), calls);
  }

  // One that is there, to be continued or only to be read.
  explicit LedgerFile(std::string path, Patience patience = default_patience, FileCalls calls = {},
                      LockedFile::Access access = LockedFile::Access::append)
      : path_(std::move(path)), patience_(patience), calls_(calls) {
    if (access == LockedFile::Access::append) {
      if (!LockedFile::locks_work(path_, patience_, calls_)) {
        throw FileError(FileError::Problem::no_locks, "locked");
      }
      LockedFile::flush_folder(path_);
    }
    const OpenTurn turn(*this, access);
    promise_ = turn.book().promise;
    id_ = turn.book().id;
  }

  static std::shared_ptr<LedgerFile> to_read(const std::string& path) {
    return std::make_shared<LedgerFile>(path, default_patience, FileCalls(),
                                        LockedFile::Access::read);
  }

  const LedgerPromise& promise() const { return promise_; }
  // Drawn at random when the file was made, and kept in it.
  const std::string& id() const { return id_; }

  // The hash of its line: who kept it can later tell whether this ledger still has that line, and
  // with it all lines before.
  std::string receipt(std::size_t entry) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return entry < book_.hashes.size() ? book_.hashes[entry] : "";
  }

  std::unique_ptr<Turn> turn_to_write() override {
    return std::make_unique<OpenTurn>(*this, LockedFile::Access::append);
  }
  std::unique_ptr<Turn> turn_to_read() override {
    return std::make_unique<OpenTurn>(*this, LockedFile::Access::read);
  }

 private:
  class OpenTurn : public Turn {
   public:
    OpenTurn(LedgerFile& owner, LockedFile::Access access)
        : owner_(owner), file_(owner.path_, access, owner.patience_, owner.calls_) {
      text_ = file_.read();
      book_ = owner_.parsed(text_);
      // Another ledger that was put in the place of this one.
      if (!owner_.id_.empty() && book_.id != owner_.id_) {
        throw BadLedger(BadLedger::Problem::rolled_back, 0);
      }
      LedgerMemory::compare(book_);
      owner_.remember(book_, text_);
    }

    const LedgerBook& book() const { return book_; }
    const std::vector<StoredDebit>& debits() const override { return book_.debits; }

    void append(const StoredDebit& debit) override {
      LedgerBook book = book_;
      std::string text;
      if (!book.torn.empty()) {
        text = ledger_text::rest_of_torn_line(book.torn, book.hashes.back());
        book.hashes.push_back(hash_in(text));
        book.torn.clear();
      }
      const std::size_t entry = book.debits.size() + 1;
      text += ledger_text::debit_line(entry, debit, book.promise.pure, book.hashes.back());
      book.hashes.push_back(hash_in(text));
      book.debits.push_back(debit);
      file_.append(text);
      book_ = std::move(book);
      text_ += text;
      LedgerMemory::compare(book_);
      owner_.remember(book_, text_);
    }

   private:
    // Of the line that ends the text.
    static std::string hash_in(const std::string& text) {
      return text.substr(text.size() - 1 - ledger_text::hash_size, ledger_text::hash_size);
    }

    LedgerFile& owner_;
    LockedFile file_;
    std::string text_;
    LedgerBook book_;
  };

  // Every byte is compared with what was read before; only what is new is parsed.
  LedgerBook parsed(const std::string& text) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (known_.empty() || text.compare(0, known_.size(), known_) != 0) return parse_ledger(text);
    LedgerBook book = book_;
    read_on(std::string_view(text).substr(known_.size()), book);
    return book;
  }

  // Whole lines only: a torn one will look different.
  void remember(const LedgerBook& book, const std::string& text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    known_ = text.substr(0, text.size() - book.torn.size());
    book_ = book;
    book_.torn.clear();
    book_.debits.resize(book_.hashes.size() - 1);
  }

  const std::string path_;
  const Patience patience_;
  const FileCalls calls_;
  LedgerPromise promise_;
  std::string id_;
  std::string known_;  // what book_ was read from
  LedgerBook book_;
  mutable std::mutex mutex_;
};

}  // namespace privpc
