// Who hears how far long work is.
#pragma once

#include <cstddef>

namespace privpc {

// Told on the calling thread, at every test; may throw to stop the work (a user's interrupt).
class Monitor {
 public:
  virtual ~Monitor() = default;
  virtual void progress(std::size_t order, std::size_t done, std::size_t total) = 0;
};

}  // namespace privpc
