// Opens a margin outside a mechanism.
// expected: is private within this context|calling a private constructor
#include "privpc/statistic/margin_source.hpp"

double leak(privpc::MarginSource& margins) {
  const privpc::Sensitive<double> margin = margins.margin(0, 1, {});
#ifdef LEAK
  return margin.open(privpc::MechanismKey());
#else
  return margin.sensitivity();
#endif
}
