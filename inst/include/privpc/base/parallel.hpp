// A dynamic parallel loop: tasks are handed out one by one, the calling thread works too, and
// the first exception stops the loop and is thrown again in the caller.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "privpc/base/monitor.hpp"

namespace privpc {

// What a task may ask while it works.
class LoopState {
 public:
  // False once some task has failed or the user has interrupted: a long task should give up.
  bool keep_going() const { return !stop_.load(std::memory_order_relaxed); }
  std::size_t done() const { return done_.load(std::memory_order_relaxed); }

 private:
  template <class Task, class OnCaller>
  friend void parallel_for(std::size_t, unsigned, const Task&, const OnCaller&,
                           std::chrono::microseconds);
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> done_{0};
  std::atomic<bool> stop_{false};
};

namespace detail {

// Thrown in a helper whose loop has stopped: the reason is known already.
struct LoopStopped {};

// Long work on a helper thread stops with its loop (base/monitor.hpp).
class StopsWithLoop : public Monitor {
 public:
  explicit StopsWithLoop(const LoopState& state) : state_(state) {}
  void progress(std::size_t, std::size_t, std::size_t) override {}
  void breathe() override {
    if (!state_.keep_going()) throw LoopStopped();
  }

 private:
  const LoopState& state_;
};

}  // namespace detail

// Calls task(i, state, on_calling_thread) for i = 0 .. tasks - 1. `on_caller(done)` runs on the
// calling thread between its tasks and while it waits for the others, and may throw (a user's
// interrupt); so may the monitor of the calling thread, which is asked as often. Helper threads
// start only once the caller has worked for `patience`: small work is done before a thread would
// have been born. If the system refuses a thread, fewer do the work.
template <class Task, class OnCaller>
void parallel_for(std::size_t tasks, unsigned threads, const Task& task, const OnCaller& on_caller,
                  std::chrono::microseconds patience) {
  LoopState state;
  std::atomic<unsigned> busy_helpers{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto guarded = [&](const auto& run) {
    try {
      run();
    } catch (...) {
      std::lock_guard<std::mutex> lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      state.stop_ = true;
    }
  };
  const auto work = [&](bool caller, const auto& between) {
    while (state.keep_going()) {
      const std::size_t i = state.next_++;
      if (i >= tasks) break;
      task(i, static_cast<const LoopState&>(state), caller);
      ++state.done_;
      between();
    }
  };
  std::vector<std::thread> helpers;
  const auto grow = [&] {
    for (unsigned t = 1; t < threads && state.next_ < tasks; ++t) {
      ++busy_helpers;
      try {
        helpers.emplace_back([&] {
          guarded([&] {
            detail::StopsWithLoop stops(state);
            const Listening listening(stops);
            work(false, [] {});
          });
          --busy_helpers;
        });
      } catch (const std::system_error&) {
        --busy_helpers;
        return;
      }
    }
  };
  const auto start = std::chrono::steady_clock::now();
  bool may_grow = threads > 1;
  guarded([&] {
    work(true, [&] {
      if (may_grow && std::chrono::steady_clock::now() - start >= patience) {
        may_grow = false;
        grow();
      }
      on_caller(state.done());
      breathe();
    });
    while (busy_helpers > 0 && state.keep_going()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      on_caller(state.done());
      breathe();
    }
  });
  for (std::thread& helper : helpers)
    helper.join();
  if (failure) std::rethrow_exception(failure);
}

template <class Task>
void parallel_for(std::size_t tasks, unsigned threads, const Task& task) {
  parallel_for(
      tasks, threads, [&](std::size_t i, const LoopState&, bool) { task(i); }, [](std::size_t) {},
      std::chrono::microseconds(0));
}

}  // namespace privpc
