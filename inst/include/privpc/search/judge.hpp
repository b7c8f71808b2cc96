// The one question the search asks. Each learner answers it in its own way; the search does not
// know how.
#pragma once

#include <cstddef>

#include "privpc/schema/variable_set.hpp"

namespace privpc {

struct Verdict {
  bool independent = false;
  double strength = 0;  // how well the pair is separated; comparable between tests
};

class Judge {
 public:
  virtual ~Judge() = default;
  // Called before the first question of an order, on the calling thread, with a bound on the number
  // of questions to come.
  virtual void begin_order(std::size_t order, double at_most) {
    (void)order;
    (void)at_most;
  }
  // True once no further question will be answered by "independent" (a budget that is spent): the
  // search then ends.
  virtual bool finished() const { return false; }
  // May be called from several threads at once unless the search was given one thread.
  virtual Verdict judge(std::size_t x, std::size_t y, const VariableSet& given) = 0;
};

}  // namespace privpc
