// A value computed from records, with how far one record can move it. It can be carried around,
// but only a mechanism can look inside: Door has no public constructor, and its friends are the
// mechanisms of this folder, and what makes new Sensitive values of old ones. So a statistic that
// was sealed here cannot be read by accident. The tables that statistics are computed from are not
// sealed: that they go nowhere else is a rule of the folders, not of the compiler.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace privpc {

class Door {
 private:
  Door() {}  // not defaulted: an aggregate could be made by anyone with {}
  friend class LaplaceMechanism;
  friend class GaussianMechanism;
  friend class ScaledGaussianMechanism;
  friend class ExponentialMechanism;
  friend class SparseVector;
  friend class SieveAndExamine;
  friend class SmoothMedian;
  friend class CandidateScores;  // from secret to secret
};

inline double checked_positive(double x, const char* what) {
  if (!(x > 0) || std::isinf(x)) {
    throw std::invalid_argument(std::string(what) + " must be a positive, finite number");
  }
  return x;
}

template <class T>
class Sensitive {
 public:
  Sensitive(T value, double sensitivity) : value_(std::move(value)), sensitivity_(sensitivity) {
    checked_positive(sensitivity, "the sensitivity");
  }
  double sensitivity() const { return sensitivity_; }  // a public fact
  const T& open(const Door&) const { return value_; }

 private:
  T value_;
  double sensitivity_;
};

}  // namespace privpc
