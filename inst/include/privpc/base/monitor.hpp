// Who hears how far long work is, and may stop it.
#pragma once

#include <cstddef>

namespace privpc {

// Called on one thread only, the one that it was made for.
class Monitor {
 public:
  virtual ~Monitor() = default;
  // Told at every test; may throw to stop the work (a user's interrupt).
  virtual void progress(std::size_t order, std::size_t done, std::size_t total) = 0;
  // Told before the tests of an order, of which there are so many at most.
  virtual void begin_order(std::size_t, double) {}
  // Asked by long work now and then, at least a few times in a second; may throw to stop it.
  virtual void breathe() {}
};

// The monitor that hears the long work of this thread. Loops over records, cells or pairs stand far
// below those who know a monitor, and run on several threads: they find it here. While one lives,
// it is asked; the one before comes back after it.
class Listening {
 public:
  explicit Listening(Monitor& monitor) : before_(current()) { current() = &monitor; }
  ~Listening() { current() = before_; }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  static Monitor*& current() {
    thread_local Monitor* monitor = nullptr;
    return monitor;
  }

 private:
  Monitor* before_;
};

// For long work: shall it go on? Throws if not. Costs about as much as a look at the clock, so a
// loop asks once in some microseconds of work.
inline void breathe() {
  if (Monitor* monitor = Listening::current()) monitor->breathe();
}

}  // namespace privpc
