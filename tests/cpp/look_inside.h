// What a sealed value holds, for tests: a mechanism with next to no noise tells it.
#pragma once

#include "privpc/base/random_bits.hpp"
#include "privpc/base/sensitive.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/ledger.hpp"

namespace privpc_test {

// One number (or a vector of one), to within 1e-6 of the sensitivity: noise of scale 1e-8 exceeds
// that in one of exp(100) cases.
template <class Value>
Value look_inside(const privpc::Sensitive<Value>& sealed) {
  const privpc::Epsilon epsilon(1e8);
  privpc::RandomBits bits = privpc::RandomBits::from_seed(1);
  privpc::Ledger ledger(2 * epsilon);
  const privpc::LaplaceMechanism mechanism(epsilon, privpc::Shape{sealed.sensitivity()});
  return mechanism.release(sealed, ledger, bits, "test");
}

}  // namespace privpc_test
