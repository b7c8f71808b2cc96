// The program that runs the unit tests of the core. The core needs no R, and neither do its tests:
// they can be compiled, sanitised and debugged on their own.

#define CATCH_CONFIG_MAIN
#include <catch.h>

#include <cstdlib>
#include <fstream>

namespace {

// Leaves the number of test cases that passed and failed in the file named by PRIVPC_TEST_COUNTS.
// It is written only at the very end, so that a crash leaves no file and counts as a failure.
struct CountWriter : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testRunEnded(Catch::TestRunStats const& stats) override {
    const char* path = std::getenv("PRIVPC_TEST_COUNTS");
    if (path == nullptr || stats.aborting) return;
    const Catch::Counts& cases = stats.totals.testCases;
    // An expected failure ([!shouldfail]) that does fail is what the test asked for.
    std::ofstream(path) << cases.passed + cases.failedButOk << ' ' << cases.failed << " 0\n";
  }
};

CATCH_REGISTER_LISTENER(CountWriter)

}  // namespace
