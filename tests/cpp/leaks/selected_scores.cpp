// Has the selection of pairs tell the score of a candidate.
// expected: is private within this context|calling a private constructor
#include "privpc/privacy/pair_selection.hpp"

double leak(const privpc::Sensitive<std::vector<double>>& scores) {
#ifdef LEAK
  const privpc::MechanismKey key{};
  return scores.open(key)[0];
#else
  return privpc::PairSelection(privpc::Rho(1), 1, scores.sensitivity()).spread();
#endif
}
