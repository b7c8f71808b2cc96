// Prints a margin.
// expected: no match for|invalid operands
#include <iostream>

#include "privpc/statistic/margin_source.hpp"

void leak(privpc::MarginSource& margins) {
  const privpc::Sensitive<double> margin = margins.margin(0, 1, {});
#ifdef LEAK
  std::cout << margin;
#else
  std::cout << margin.sensitivity();  // a public fact
#endif
}
