// Adapter of R/evaluate_learners.R: processes of their own must not outlive the one that wants
// their results.
#include <Rcpp.h>

#ifndef _WIN32
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#endif

// Ends this process, which was forked by the process `parent`, within a second of that one's end,
// however it ended and whatever this one is doing. On Windows nothing is forked.
// [[Rcpp::export(rng = false)]]
void cpp_end_with_parent(int parent) {
#ifdef _WIN32
  (void)parent;
#else
  // Not through R, which a fit may keep busy for long. There is nothing to be tidied up: a line of
  // results that was not written to its end is not read.
  std::thread([parent] {
    while (getppid() == static_cast<pid_t>(parent))
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(getpid(), SIGKILL);
  }).detach();
#endif
}
