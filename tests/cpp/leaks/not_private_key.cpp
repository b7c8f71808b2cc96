// Calls itself not private without being one of those who may.
// expected: is private within this context|calling a private constructor
#include "privpc/base/sealed.hpp"

namespace privpc {
class MarginalPc {
 public:
  static double leak(const Sealed<double>& sum) {
#ifdef LEAK
    const NotPrivateKey key;
    return sum.open(key);
#else
    (void)sum;
    return 0;
#endif
  }
};
}  // namespace privpc
