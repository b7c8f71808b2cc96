// Ledgers and mechanisms from plain numbers, for tests that go through many of them, and what an
// entry of a ledger says as a plain number. What an amount is made of stands here only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/privacy/exponential.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/pair_selection.hpp"
#include "privpc/privacy/scaled_gaussian.hpp"
#include "privpc/privacy/sieve_and_examine.hpp"
#include "privpc/privacy/smooth_median.hpp"
#include "privpc/privacy/sparse_vector.hpp"

namespace privpc_test {

using namespace privpc;

// Nothing is copied: what is returned is made in its final place.
inline Ledger ledger_of(Accounting accounting, double cap, double slack = 0) {
  return Ledger(Price::in(accounting, cap), slack);
}

inline double amount_of(const Ledger::Entry& entry) {
  return entry.amount;
}
inline double cap_of(const Ledger& ledger) {
  return ledger.cap().value();
}
inline double spent_of(const Ledger& ledger) {
  return ledger.spent().value();
}
inline double left_of(const Ledger& ledger) {
  return ledger.left().value();
}

inline LaplaceMechanism laplace(double epsilon, const Shape& shape) {
  return LaplaceMechanism(Epsilon(epsilon), shape);
}
inline GaussianMechanism gaussian(double rho, const Shape& shape) {
  return GaussianMechanism(Rho(rho), shape);
}
inline ScaledGaussianMechanism scaled_gaussian(double rho, double sensitivity,
                                               const std::vector<double>& units) {
  return ScaledGaussianMechanism(Rho(rho), sensitivity, units);
}
inline ExponentialMechanism choice(double epsilon, Selection selection) {
  return ExponentialMechanism(Epsilon(epsilon), 1, false, selection);
}
inline PairSelection pair_selection(double rho, std::size_t choices) {
  return PairSelection(Rho(rho), choices, 1);
}
inline SparseVector sparse_vector(double epsilon, std::size_t cutoff) {
  return SparseVector(Epsilon(epsilon), 1, cutoff, false);
}
inline SmoothMedian smooth_median(double epsilon, double delta, AdmissibleNoise noise) {
  return SmoothMedian(Epsilon(epsilon), delta, 0, 1, noise);
}
// For an epsilon, or for a rho.
inline SieveAndExamine sieve_and_examine(Accounting accounting, double price, double share,
                                         const SieveAndExamine::Sample& sample) {
  return SieveAndExamine(SieveAndExamine::Split::of(Price::in(accounting, price), share), 1,
                         sample);
}

}  // namespace privpc_test
