// A dynamic parallel loop: tasks are handed out one by one, the calling thread works too, and
// the first exception stops the loop and is thrown again in the caller.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace privpc {

// `on_caller(done)`, if given, runs on the calling thread between its tasks and may throw (a
// user's interrupt). Helper threads start only once the caller has worked for `patience`:
// small work is done before a thread would have been born.
template <class Task, class OnCaller>
void parallel_for(std::size_t tasks, unsigned threads, const Task& task, const OnCaller& on_caller,
                  std::chrono::microseconds patience) {
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  std::atomic<bool> stop{false};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  auto fail = [&] {
    std::lock_guard<std::mutex> lock(failure_mutex);
    if (!failure) failure = std::current_exception();
    stop = true;
  };
  auto work = [&](bool caller, auto&& between) {
    try {
      while (!stop) {
        const std::size_t i = next++;
        if (i >= tasks) break;
        task(i);
        ++done;
        if (caller) between();
      }
    } catch (...) {
      fail();
    }
  };
  std::vector<std::thread> helpers;
  const auto start = std::chrono::steady_clock::now();
  bool may_grow = threads > 1;
  work(true, [&] {
    if (may_grow && std::chrono::steady_clock::now() - start >= patience) {
      may_grow = false;
      for (unsigned t = 1; t < threads && next < tasks; ++t) {
        helpers.emplace_back([&] { work(false, [] {}); });
      }
    }
    on_caller(done.load());
  });
  // The caller has run out of tasks; helpers may still be busy with theirs.
  for (std::thread& helper : helpers)
    helper.join();
  if (failure) std::rethrow_exception(failure);
}

template <class Task>
void parallel_for(std::size_t tasks, unsigned threads, const Task& task) {
  parallel_for(
      tasks, threads, task, [](std::size_t) {}, std::chrono::microseconds(0));
}

}  // namespace privpc
