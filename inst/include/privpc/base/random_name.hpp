// A name that nothing else has: 32 hexadecimal digits from the entropy of the operating system.
#pragma once

#include <string>

#include "privpc/base/entropy.hpp"

namespace privpc {

inline std::string random_name() {
  unsigned char random[16];
  fill_from_entropy(random, sizeof random);
  std::string name;
  for (const unsigned char byte : random)
    name += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15U]};
  return name;
}

}  // namespace privpc
