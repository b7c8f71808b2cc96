// Reads the scores of candidates.
// expected: no match for|does not provide a subscript
#include "privpc/privacy/candidate_scores.hpp"

double leak(const privpc::CandidateScores& scores) {
  const auto sealed = scores.which_is_best();
#ifdef LEAK
  return sealed[0];
#else
  return sealed.sensitivity();
#endif
}
