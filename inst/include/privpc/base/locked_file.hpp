// A file that several processes read and append to, one at a time.
//
// LOCKS. flock() on POSIX: of the open file, not of the process, so that two objects in one process
// wait for each other as well, and a lock ends when the process does, however it ends. On Windows
// LockFileEx(), of a byte far behind the end, because there a locked byte cannot be read. Waiting
// is limited: a process that was stopped while it held the lock must not stop all others without a
// word. And who waits can be interrupted: nothing was written yet.
//
// FLUSHES. append() returns after the bytes were handed to the disk: fsync(), on macOS with
// F_FULLFSYNC (fsync() alone leaves them in the cache of the drive), on Windows FlushFileBuffers()
// by way of _commit(). A file is created under another name, flushed and only then given its own,
// which fails if somebody was faster; so nobody ever sees a part of its first lines. The folder is
// flushed whenever a file is opened to append: before that, a crash of the machine could forget the
// name of a new file, and with it all that was written.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "privpc/base/entropy.hpp"
#include "privpc/base/errors.hpp"
#include "privpc/base/monitor.hpp"

#if defined(_WIN32)
#include <io.h>

#include <filesystem>

// Declared here because <windows.h> would bring its macros (min, max) into every file.
extern "C" {
__declspec(dllimport) int __stdcall LockFileEx(void* file, unsigned long flags,
                                               unsigned long reserved, unsigned long low,
                                               unsigned long high, void* where);
}
#else
#include <sys/file.h>
#include <unistd.h>
#endif

namespace privpc {

class FileError : public NamedError {
 public:
  enum class Problem {
    missing,   // there is no such file
    foreign,   // a folder, a device
    busy,      // somebody else kept the lock for too long
    no_locks,  // the file system has no locks that work
    exists,    // when it was to be created
    failed     // what the operating system said
  };

  FileError(Problem problem, const char* doing, int code = 0)
      : NamedError(words(doing, code)),
        problem_(problem),
        doing_(doing),
        reason_(code ? std::strerror(code) : "") {}

  const char* name() const noexcept override { return "file_error"; }
  Texts texts() const override {
    return {{"problem", label(problem_)}, {"doing", doing_}, {"reason", reason_}};
  }
  Problem problem() const { return problem_; }

 private:
  static const char* label(Problem problem) {
    switch (problem) {
      case Problem::missing:
        return "missing";
      case Problem::foreign:
        return "foreign";
      case Problem::busy:
        return "busy";
      case Problem::no_locks:
        return "no_locks";
      case Problem::exists:
        return "exists";
      case Problem::failed:
        return "failed";
    }
    return "";
  }
  static std::string words(const char* doing, int code) {
    return std::string("the file cannot be ") + doing + (code ? ": " : "") +
           (code ? std::strerror(code) : "");
  }

  Problem problem_;
  std::string doing_, reason_;
};

// The calls whose failures matter most; tests put others in their place.
struct FileCalls {
  long (*write)(int file, const void* bytes, std::size_t size) = &FileCalls::system_write;
  int (*flush)(int file) = &FileCalls::system_flush;
  // Does not wait: 0 if it is ours, 1 if somebody else has it, -1 on an error.
  int (*lock)(int file, bool alone) = &FileCalls::system_lock;

  static long system_write(int file, const void* bytes, std::size_t size) {
#if defined(_WIN32)
    return ::_write(file, bytes, static_cast<unsigned>(size));
#else
    return static_cast<long>(::write(file, bytes, size));
#endif
  }

  static int system_flush(int file) {
#if defined(_WIN32)
    return ::_commit(file);
#else
#if defined(__APPLE__)
    if (::fcntl(file, F_FULLFSYNC) == 0) return 0;  // not on every file system
#endif
    return ::fsync(file);
#endif
  }

  static int system_lock(int file, bool alone) {
#if defined(_WIN32)
    struct Where {  // OVERLAPPED
      void *internal = nullptr, *high = nullptr;
      unsigned long offset = 0, offset_high = 0x40000000;
      void* event = nullptr;
    } where;
    constexpr unsigned long at_once = 1, exclusive = 2;
    void* handle = reinterpret_cast<void*>(::_get_osfhandle(file));
    return LockFileEx(handle, alone ? at_once | exclusive : at_once, 0, 1, 0, &where) ? 0 : 1;
#else
    int done;
    do {
      done = ::flock(file, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB);
    } while (done != 0 && errno == EINTR);
    return done == 0 ? 0 : errno == EWOULDBLOCK ? 1 : -1;
#endif
  }
};

class LockedFile {
 public:
  enum class Access { read, append };
  using Patience = std::chrono::milliseconds;

  // Opens a file that is there, and waits for its lock: alone to append, with other readers to
  // read.
  LockedFile(const std::string& path, Access access, Patience patience, FileCalls calls = {})
      : calls_(calls), access_(access) {
    if (access_ == Access::append) let_others_go_first();
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
      file_.reset(open_existing(path, access));
      while (!try_lock(calls_, file_.number(), access)) {
        if (std::chrono::steady_clock::now() >= end) {
          throw FileError(FileError::Problem::busy, "locked");
        }
        breathe();
        std::this_thread::sleep_for(std::chrono::microseconds(500));
      }
      // While we waited, another file may have been given this name.
      if (is_at(path)) return;
      if (std::chrono::steady_clock::now() >= end) {
        throw FileError(FileError::Problem::busy, "locked");
      }
    }
  }
  ~LockedFile() {
    file_.close();
    if (access_ == Access::append) last_given_up() = now();
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  std::string read() const {
    std::string text;
    char piece[1 << 16];
    if (seek(0) < 0) throw FileError(FileError::Problem::failed, "read", errno);
    for (;;) {
      const long got = read_some(piece, sizeof piece);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw FileError(FileError::Problem::failed, "read", errno);
      if (got == 0) return text;
      text.append(piece, static_cast<std::size_t>(got));
    }
  }

  // Returns when all bytes are on the disk. If it throws, they may be there, or a part of them;
  // what can be taken back is taken back. Nobody else has seen them, as the lock was not given up.
  void append(const std::string& bytes) {
    const long long size = seek_end();
    if (size < 0) throw FileError(FileError::Problem::failed, "written", errno);
    const int failure = write_all(calls_, file_.number(), bytes);
    if (failure == 0) return;
    cut(size);
    throw FileError(FileError::Problem::failed, "written", failure);
  }

  // Whether a second descriptor is really kept out.
  static bool locks_work(const std::string& path, Patience patience, FileCalls calls = {}) {
    const LockedFile held(path, Access::append, patience, calls);
    const OpenFile second(open_existing(path, Access::append));
    return !try_lock(calls, second.number(), Access::append);
  }

  // A new file of these bytes, or none. Throws if there is one of this name.
  static void create(const std::string& path, const std::string& bytes, FileCalls calls = {}) {
    unsigned char random[8];
    fill_from_entropy(random, sizeof random);
    std::string other = path + ".new-";
    for (const unsigned char byte : random)
      other += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15U]};
    const int file = open_new(other);
    int failure = file < 0 ? errno : write_all(calls, file, bytes);
    if (file >= 0) close_descriptor(file);
    if (failure == 0) failure = give_name(other, path);
    if (file >= 0) remove(other);
    if (failure == EEXIST) throw FileError(FileError::Problem::exists, "created", failure);
    if (failure != 0) throw FileError(FileError::Problem::failed, "created", failure);
    flush_folder(path);
  }

  static void flush_folder(const std::string& path) {
#if defined(_WIN32)
    (void)path;  // Windows writes names through to its journal
#else
    const std::size_t slash = path.rfind('/');
    const std::string folder =
        slash == std::string::npos ? "." : path.substr(0, slash == 0 ? 1 : slash);
    const int opened = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    // A folder that may not be listed cannot be opened; some file systems have no such flush.
    if (opened < 0 && errno == EACCES) return;
    const bool failed = opened < 0 || (::fsync(opened) != 0 && errno != EINVAL);
    const int code = errno;
    if (opened >= 0) ::close(opened);
    if (failed) throw FileError(FileError::Problem::failed, "flushed", code);
#endif
  }

 private:
  // Closes the file, and with that gives up its lock, however it is left.
  class OpenFile {
   public:
    explicit OpenFile(int number = -1) : number_(number) {}
    ~OpenFile() { close(); }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    int number() const { return number_; }
    void reset(int number) {
      close();
      number_ = number;
    }
    void close() {
      if (number_ >= 0) close_descriptor(number_);
      number_ = -1;
    }

   private:
    int number_;
  };

  // 0, or what went wrong. The flush comes last: what it has not confirmed is not written.
  static int write_all(const FileCalls& calls, int file, const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
      const long wrote = calls.write(file, bytes.data() + done, bytes.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) return wrote < 0 ? errno : EIO;
      done += static_cast<std::size_t>(wrote);
    }
    return calls.flush(file) == 0 ? 0 : errno;
  }

  static bool try_lock(const FileCalls& calls, int file, Access access) {
    const int answer = calls.lock(file, access == Access::append);
    if (answer >= 0) return answer == 0;
    throw FileError(FileError::Problem::no_locks, "locked", errno);
  }

  // Those who wait look for the lock now and then. Who has just given it up and took it again at
  // once would keep them waiting for ever.
  static void let_others_go_first() {
    constexpr long long pause = 1000000;  // nanoseconds: twice the time between two looks
    if (now() - last_given_up() < pause) {
      std::this_thread::sleep_for(std::chrono::nanoseconds(pause));
    }
  }
  static long long now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  static std::atomic<long long>& last_given_up() {
    static std::atomic<long long> when{-1000000000};
    return when;
  }

#if defined(_WIN32)
  static std::wstring wide(const std::string& path) {
    return std::filesystem::u8path(path).wstring();
  }

  static int open_existing(const std::string& path, Access access) {
    struct _stat64 about;
    if (::_wstat64(wide(path).c_str(), &about) != 0) {
      throw FileError(errno == ENOENT ? FileError::Problem::missing : FileError::Problem::failed,
                      "opened", errno);
    }
    if ((about.st_mode & _S_IFMT) != _S_IFREG) throw FileError(FileError::Problem::foreign, "used");
    const int flags = access == Access::append ? _O_RDWR | _O_APPEND : _O_RDONLY;
    // While somebody gives the file its name, nobody may open it: a moment, not a lack of rights.
    int file = -1;
    for (int tries = 0; tries < 100; ++tries) {
      file = ::_wopen(wide(path).c_str(), flags | _O_BINARY | _O_NOINHERIT);
      if (file >= 0 || errno != EACCES) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (file < 0) throw FileError(FileError::Problem::failed, "opened", errno);
    return file;
  }

  static int open_new(const std::string& path) {
    return ::_wopen(wide(path).c_str(), _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT,
                    _S_IREAD | _S_IWRITE);
  }

  // An open file keeps its name here.
  bool is_at(const std::string&) const {
    return true;
  }
  long long seek(long long to) const {
    return ::_lseeki64(file_.number(), to, 0);
  }
  long long seek_end() const {
    return ::_lseeki64(file_.number(), 0, 2);
  }
  long read_some(char* out, std::size_t size) const {
    return ::_read(file_.number(), out, static_cast<unsigned>(size));
  }
  void cut(long long size) const {
    (void)!::_chsize_s(file_.number(), size);
  }
  static void close_descriptor(int file) {
    ::_close(file);
  }
  static void remove(const std::string& path) {
    ::_wunlink(wide(path).c_str());
  }
  static int give_name(const std::string& from, const std::string& to) {
    if (::_wrename(wide(from).c_str(), wide(to).c_str()) == 0) return 0;  // never replaces a file
    return ::_waccess(wide(to).c_str(), 0) == 0 ? EEXIST : errno;
  }
#else
  static int open_existing(const std::string& path, Access access) {
    struct stat about;
    // A pipe is found out before it is opened, which would wait for its other end.
    if (::stat(path.c_str(), &about) != 0) {
      throw FileError(errno == ENOENT ? FileError::Problem::missing : FileError::Problem::failed,
                      "opened", errno);
    }
    if (!S_ISREG(about.st_mode)) throw FileError(FileError::Problem::foreign, "used");
    // With O_APPEND also a file that may only be appended to (chattr +a) can be opened.
    const int flags = access == Access::append ? O_RDWR | O_APPEND : O_RDONLY;
    int file;
    do {
      file = ::open(path.c_str(), flags | O_CLOEXEC);
    } while (file < 0 && errno == EINTR);
    if (file < 0) throw FileError(FileError::Problem::failed, "opened", errno);
    return file;
  }

  static int open_new(const std::string& path) {
    return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }

  bool is_at(const std::string& path) const {
    struct stat here, there;
    return ::fstat(file_.number(), &here) == 0 && ::stat(path.c_str(), &there) == 0 &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino;
  }
  long long seek(long long to) const {
    return ::lseek(file_.number(), to, SEEK_SET);
  }
  long long seek_end() const {
    return ::lseek(file_.number(), 0, SEEK_END);
  }
  long read_some(char* out, std::size_t size) const {
    return static_cast<long>(::read(file_.number(), out, size));
  }
  void cut(long long size) const {
    (void)!::ftruncate(file_.number(), static_cast<off_t>(size));
  }
  static void close_descriptor(int file) {
    ::close(file);
  }
  static void remove(const std::string& path) {
    ::unlink(path.c_str());
  }
  // A second name for the file; unlike rename() it never replaces what has the name already.
  static int give_name(const std::string& from, const std::string& to) {
    return ::link(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  }
#endif

  FileCalls calls_;
  Access access_;
  OpenFile file_;
};

}  // namespace privpc
