// Sums of doubles without any rounding: a list of numbers that do not overlap (Shewchuk 1997,
// "Adaptive Precision Floating-Point Arithmetic", Grow-Expansion). Another way of adding up than
// the ledger's, to compare it with.
#pragma once

#include <vector>

namespace privpc_fuzz {

class ExactSum {
 public:
  void add(double x) {
    std::vector<double> next;
    for (double part : parts_) {
      const double sum = x + part;
      const double of_part = sum - x;
      const double error = (x - (sum - of_part)) + (part - of_part);
      if (error != 0) next.push_back(error);
      x = sum;
    }
    if (x != 0) next.push_back(x);
    parts_ = next;
  }
  ExactSum plus(double x) const {
    ExactSum out = *this;
    out.add(x);
    return out;
  }
  // The parts grow in size, and the last is larger than all others together.
  bool is_positive() const { return !parts_.empty() && parts_.back() > 0; }
  bool is_negative() const { return !parts_.empty() && parts_.back() < 0; }

 private:
  std::vector<double> parts_;
};

}  // namespace privpc_fuzz
