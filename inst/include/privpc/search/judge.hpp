// The one question the search asks. Each learner answers it in its own way; the search does not
// know how.
#pragma once

#include <cstddef>
#include <vector>

#include "privpc/graph/neighbourhoods.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

struct Verdict {
  bool independent = false;
  double support = 0;           // larger is better; comparable between the tests of one search
  bool by_empty_cells = false;  // see Separation
};

// Of two that say "independent".
inline bool is_better(const Verdict& a, const Verdict& b) {
  return a.by_empty_cells == b.by_empty_cells ? a.support > b.support : !a.by_empty_cells;
}

// What an order may ask: about these pairs, given the sets of `order` neighbours of either.
struct OrderAhead {
  std::size_t order;
  double at_most;  // so many questions
  const std::vector<NodePair>& pairs;
  const Neighbourhoods& neighbours;
};

class Judge {
 public:
  virtual ~Judge() = default;
  // Called before the first question of an order, on the calling thread. What is ahead stays where
  // it is until the next order begins.
  virtual void begin_order(const OrderAhead& ahead) { (void)ahead; }
  // True once no further question will be answered by "independent" (a budget that is spent): the
  // search then ends.
  virtual bool finished() const { return false; }
  // May be called from several threads at once unless the search was given one thread.
  virtual Verdict judge(std::size_t x, std::size_t y, const VariableSet& given) = 0;
};

}  // namespace privpc
