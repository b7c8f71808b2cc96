// A value computed from records, with how far one record can move it. It can be carried around, but
// only a mechanism can look inside: MechanismKey has no public constructor, and its friends are the
// mechanisms of privacy/, and what makes new Sensitive values of old ones.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace privpc {

class MechanismKey {
 private:
  MechanismKey() {}  // not defaulted: an aggregate could be made by anyone with {}
  friend class LaplaceMechanism;
  friend class GaussianMechanism;
  friend class ScaledGaussianMechanism;
  friend class ExponentialMechanism;
  friend class PairSelection;
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
  const T& open(const MechanismKey&) const { return value_; }

 private:
  T value_;
  double sensitivity_;
};

}  // namespace privpc
