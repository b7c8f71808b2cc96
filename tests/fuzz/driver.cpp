// What libFuzzer calls. Linked with one target; whatever it throws is a finding.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  privpc_fuzz::Input input(data, size);
  try {
    privpc_fuzz::all_targets().front().run(input);
  } catch (const privpc_fuzz::Broken& broken) {
    std::fprintf(stderr, "A check does not hold: %s\n", broken.what.c_str());
    std::abort();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "An error that is not the library's own: %s\n", error.what());
    std::abort();
  }
  return 0;
}
