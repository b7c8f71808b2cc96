// Gaussian differential privacy: runs all of whose noise is Gaussian (Dong, Roth and Su 2022,
// "Gaussian Differential Privacy"). For such runs the conversion from the noise to (epsilon, delta)
// is exact, and allows more rho for the same promise than zero-concentrated privacy: 1.15 times at
// (1, 1e-6).
//
// THEOREM 1 (adaptive steps; Smith and Thakurta 2022, "Fully Adaptive Composition for Gaussian
// Differential Privacy", prove it more generally). Step i adds independent normal noise of variance
// v_c to numbers x_c that one record moves by d_c, with sum of d_c^2 / v_c <= 2 rho_i. What is
// measured and rho_i may depend on earlier outcomes, but rho_1 + rho_2 + ... <= rho on every path.
// Then all outcomes together are a randomised function of one draw of N(theta mu, 1), mu =
// sqrt(2 rho), that needs no record to be computed but a fixed pair of neighbours, theta being 0
// for the one and 1 for the other.
// Proof. Let X_t = W_t + theta t, 0 <= t <= mu^2, W a Brownian motion. Fix two neighbours and let
// m_i^2 = sum of d_c^2 / v_c <= 2 rho_i, for the batch that step i measures, d being the difference
// of the neighbours there; it is known after step i - 1. In units of its noise the outcome of step
// i is, apart from what both neighbours share, a normal vector whose mean is 0 or a vector of
// length m_i: its component along that vector is N(theta m_i, 1), the others are N(0, 1) for both.
// Given the past, (X_(T + m_i^2) - X_T) / m_i with T = m_1^2 + .. + m_(i-1)^2 is N(theta m_i, 1)
// and independent of the path before T. So the outcomes are a function of X on [0, mu^2] and of
// fresh normal numbers: T is known when it is needed, and never exceeds 2 (rho_1 + ..) <= mu^2. And
// given its end X_(mu^2), which is N(theta mu^2, mu^2), the path is a Brownian bridge for either
// theta: it can be drawn from its end, and the end divided by mu is N(theta mu, 1). QED No
// condition is left on how shares are chosen, only on their sum: that is what the ledger enforces
// (ledger.hpp). The shares of marginal_pc() are fixed in advance anyway.
//
// THEOREM 2. What is a randomised function of one draw of N(0, 1) or N(mu, 1) is
// (epsilon, delta(epsilon))-DP with
//   delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
// Proof. The largest P(S) - e^epsilon Q(S) over all S is that of the set where the density of P is
// more than e^epsilon times that of Q: for P = N(mu, 1), Q = N(0, 1) the half line beyond
// epsilon/mu + mu/2, whose two probabilities these are; the other way round by symmetry. A function
// of the draw has no larger one. QED
//
// THEOREM 3 (discrete noise). The samplers draw from the discrete Gaussian N_Z, not from N. Let
//   eta(t) = 2 sum over m >= 1 of exp(-2 pi^2 t m^2).
// For whole x and s2 > t > 0 let R be this: draw y from N(x, s2 - t), then a whole number z with
// weights exp(-(z - y)^2 / (2t)). For every whole z,
//   (1 - eta(t)) / (1 + eta(t)) <= P[x + N_Z(0, s2) = z] / P[R = z] <= 1 + eta(t).
// Proof. By Poisson's formula the weights add up to sqrt(2 pi t) (1 + 2 sum of exp(-2 pi^2 t m^2)
// cos(2 pi m y)), which lies within sqrt(2 pi t) (1 +- eta(t)). Therefore P[R = z] lies between
// J / (1 + eta(t)) and J / (1 - eta(t)), where J is the integral of the density of N(x, s2 - t) at
// y times that of N(y, t) at z: the density of N(x, s2) at z. And the same formula for the sum of
// exp(-(z - x)^2 / (2 s2)) over whole z, at a whole x, says that P[x + N_Z(0, s2) = z] is J divided
// by 1 + eta(s2), where 0 <= eta(s2) <= eta(t). QED
//
// So a run that adds N_Z(0, s2) to whole numbers is, outcome by outcome, within a factor of e^kappa
// of one that adds N(0, s2 - t) and rounds at random: kappa = M log((1 + eta) / (1 - eta)) if it
// releases at most M numbers, since what it measures next is the same function of the outcomes in
// both. If the latter is (epsilon, delta)-DP, then for every S and neighbours A, B
//   P_A(S) <= e^kappa (e^epsilon e^kappa P_B(S) + delta):
// the former is (epsilon + 2 kappa, e^kappa delta)-DP. With t = 4 eta is below 1.1e-34, and with
// M = 2^50, which ScaledGaussianMechanism enforces, kappa is below 10^-18. The variance s2 - 4 is
// what has to pay for rho_i in theorem 1: the noise is widened by 4 (scaled_gaussian.hpp).
//
// Selection (exponential mechanism, sparse vector) is not Gaussian: a ledger that counts this way
// refuses such steps. And a rho that is enforced this way is still a bound in the sense of zCDP,
// because the noise is no less; but its epsilon by that conversion is larger than what is promised
// here.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "privpc/privacy/accounting.hpp"

namespace privpc {

// t and M of theorem 3.
inline constexpr double kGaussianWidening = 4;
inline constexpr double kMostGaussianNumbers = 1125899906842624;  // 2^50

namespace accounting_detail {

inline constexpr double kappa = 1e-18;

// delta(epsilon) of theorem 2, rounded up. The arguments of Phi err by at most 5 u z, z the larger
// of them, which changes Phi by at most that times z + 1, relatively (Mills' ratio); with the
// errors of exp and erfc (accounting.hpp) it is less than (64 + 16 (z + 1)^2) u of both terms.
inline double gaussian_profile(double mu, double epsilon) {
  const double far = epsilon / mu + mu / 2, near = epsilon / mu - mu / 2;
  const double root = std::sqrt(0.5);
  const double first = std::erfc(near * root) / 2;
  constexpr double tiny = 1e-290;
  if (first < tiny) return tiny;  // delta is at most the first term
  // Without the second term where e^epsilon would overflow: delta is less than that.
  const double second = epsilon < 700 ? std::exp(epsilon) * std::erfc(far * root) / 2 : 0;
  const double error = outward::slack * (1 + 0.25 * (far + 1) * (far + 1));
  return std::fmin(1.0, outward::up(first - second + error * (first + second), first));
}

// Whether mu-GDP, with discrete noise, keeps (epsilon, delta).
inline bool gaussian_keeps(double mu, double epsilon, double delta) {
  const double inner = std::fmax(0.0, outward::down(epsilon - 2 * kappa, epsilon));
  return gaussian_profile(mu, inner) <= outward::down(delta);
}

}  // namespace accounting_detail

// The largest rho such that Gaussian steps that cost it together keep (epsilon, delta), rounded
// down. The mu that is found is verified, so that the search need not be exact.
inline Rho gaussian_rho_from_dp(Epsilon promise, double delta) {
  using namespace accounting_detail;
  const double epsilon = finite(promise);
  require_delta(delta);
  double low = -80, high = 40;
  for (int step = 0; step < 70; ++step) {
    const double middle = (low + high) / 2;
    (gaussian_keeps(std::exp(middle), epsilon, delta) ? low : high) = middle;
  }
  const double mu = std::exp(low);
  return Rho(gaussian_keeps(mu, epsilon, delta) ? outward::down(mu * mu / 2) : 0.0);
}

// The smallest epsilon that Gaussian steps of this rho together keep at this delta, rounded up. Not
// more than by zCDP, which holds for them as well.
inline Epsilon gaussian_dp_from_rho(Rho cost, double delta) {
  using namespace accounting_detail;
  double low = 0, high = dp_from_rho(cost, delta).value();
  const double mu = outward::up(std::sqrt(2 * cost.value()));
  if (cost.value() == 0 || gaussian_keeps(mu, 0, delta)) return Epsilon(0);
  for (int step = 0; step < 60 && low < high; ++step) {
    const double middle = (low + high) / 2;
    (gaussian_keeps(mu, middle, delta) ? high : low) = middle;
  }
  return Epsilon(high);
}

}  // namespace privpc
