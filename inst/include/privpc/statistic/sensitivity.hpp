// How far one record can move a statistic (replace-one neighbours, n public). Each value has its
// proof here; the tests enumerate small data sets exhaustively against it.
//
// Notation inside one stratum of n records: s_ij = sgn(x_i - x_j), t_ij = sgn(y_i - y_j),
// s_i = sum_j s_ij, t_i = sum_j t_ij.
//
// KENDALL, T = sum_k n_k tau_k, n tau_a = (1/(n-1)) sum over ordered pairs (i,j) of s_ij t_ij.
//  One stratum, a record replaced: it is in 2(n-1) ordered pairs, each product moves by at most
//  2, so n tau moves by at most 2(n-1) * 2 / (n-1) = 4. Both binary: seen from another record the
//  product is in {0,+1} or in {0,-1} whatever the replaced record is, so it moves by at most 1: 2.
//  A record removed: n tau = U/(n-1), U = sum of the products, and U = U' + u with |u| <= 2(n-1)
//  the removed record's part. n tau - (n-1) tau' = u/(n-1) - U'/((n-1)(n-2)), and
//  |U'| <= (n-1)(n-2): at most 2 + 1 = 3. Both binary: say the removed record was in the cell
//  opposite to the one with count a among the other n-1 records, whose cells are a, b, c, d. Then
//  u = 2a, U' = 2(ad - bc), and the difference is 2a/(n-1) - 2(ad - bc)/((n-1)(n-2)). If ad >= bc
//  it is at most 2, and at least 0 (a >= 1 leaves d <= n-2). If ad < bc it is positive and, as
//  bc <= (n-1-a)^2/4, at most 2a/(n-1) + (n-1-a)^2/(2(n-1)(n-2)), convex in a and at most 2 at
//  both ends a = 0 and a = n-1 (n >= 3). For n = 2 it is |2 tau| <= 2. So 2.
//  x binary, y anything: let f(v) = sum over the n0 records with x = 0 of sgn(v - y_i), |f| <= n0,
//  and remove a record with x = 1. Then u = 2 f(y_a), U' = 2 sum of f(y_j) over the n-1-n0 other
//  records with x = 1, and the difference is at most 2 n0 (1 + (n-1-n0)/(n-2))/(n-1)
//  = 2 n0 (2n-3-n0)/((n-1)(n-2)), which rises in n0 up to n-2 and is 2 at n-2 and at n-1. So 2.
//  A replacement across strata is a removal in one and an addition in another: 6; 4 if at least
//  one of the two variables is binary (inside one stratum then still 4, or 2 if both are).
//
// SPEARMAN, R = sum_k n_k rho_k, n rho = 3/(n^2-1) * A, A = sum_i s_i t_i (12 times the centred
//  mid-rank product is 3 s_i t_i). With ties A is the mean of the A's over all ways to break the
//  ties of x and of y independently (s_ij is 0 exactly when it is +1 or -1 with equal chance, and
//  s and t are broken independently), for the full and for the reduced data alike, so bounds for
//  data without ties hold with ties.
//  Let a be the record in question, m = n-1, and primes denote sums without a. Then
//    A = A' + B,  B = s_a t_a + sum_{i != a} (s_ia t'_i + s'_i t_ia + s_ia t_ia).
//  With k records below a in x, s_a = 2k - m, and sum s_ia t'_i is twice the sum of the t' of the
//  m-k records above a. The t' are -(m-1), -(m-3), .., m-1, so |sum s_ia t'_i| <= 2k(m-k)
//  = (m^2 - s_a^2)/2; likewise for y. Hence |B| <= |s_a t_a| + m^2 - (s_a^2 + t_a^2)/2 + m
//  <= m^2 + m = n(n-1).
//  One stratum, a replaced: A' stays, B moves by at most 2n(n-1): n rho by at most 6n/(n+1).
//  A record removed: put W_i = m s_ia - s'_i. For no ties W runs through m odd numbers two apart,
//  so W minus its mean is a permutation of the s', and as the t' sum to 0,
//  |sum W_i t'_i| <= sum t'_i^2 = n(n-1)(n-2)/3. Since sum s_ia t'_i = (sum W_i t'_i + A')/m,
//    B = s_a t_a + sum s_ia t_ia + (P + Q + 2A')/m,  |P|, |Q| <= n(n-1)(n-2)/3,
//  and n rho - (n-1) rho' = 3 (A'+B)/(n^2-1) - 3 A'/(n(n-2)), in which A' has the factor
//  -3/((n-1)^2 n (n-2)) and |A'| <= n(n-1)(n-2)/3. In all at most
//  3n/(n+1) + 2n(n-2)/(n^2-1) + 1/(n-1) = (5n-1)/(n+1) < 5 (n >= 3; for n = 2 it is at most 2).
//  Both binary: A = n (ad - bc), n rho = 3n (ad - bc)/(n^2-1). Replacing one record moves ad - bc
//  by at most n-1: 3n/(n+1). Removing one from cell a moves n rho by
//  3/(n(n-2)) * [ d(n-1) - q (ad - bc) ], q = (n^2-n+1)/(n^2-1) < 1 for n > 2. If ad >= bc and
//  d <= n-2 it is at most 3(n-1)/n; if d = n-1 then a = 1, b = c = 0 and it is 3n/(n+1). If
//  ad < bc, then bc - ad <= (n-1-d)^2/4 - d, the bracket is convex in d and at both ends of the
//  range where that is positive at most n(n-2). From below: ad - bc <= n^2/4. So at most 3.
//  x binary, y anything: A = n V with V = sum of f(y_j) over x = 1 (the t sum to 0), n rho
//  = 3nV/(n^2-1). Removing a record with x = 1 moves it by 3 [n f/(n^2-1) - V' q'], where
//  q' = (n^2-n+1)/(n(n-2)(n^2-1)), at most 3 n0 [n/(n^2-1) + (n-1-n0) q'], a concave function
//  of n0 with its top between n-2 and n-1; at n-1 it is 3n/(n+1), at n-2
//  3(n^2-n-1+1/n)/(n^2-1), both below 3.
//  Across strata: 10; 6 if at least one variable is binary (inside one stratum 6n/(n+1)).
//
// G2 and CHI-SQUARE have no useful bound (one record can move them by more than any constant as
// n grows), and CMH divides by a variance that one record can bring near zero: infinite here.
#pragma once

#include <cmath>
#include <limits>

#include "privpc/schema/schema.hpp"
#include "privpc/schema/variable_set.hpp"
#include "privpc/statistic/test_result.hpp"

namespace privpc {

// An upper bound on the change of the statistic (T, R, ...) of x and y given a set when one record
// is replaced; +infinity where there is none.
inline double sensitivity(const Schema& schema, TestKind kind, std::size_t x, std::size_t y,
                          const VariableSet& given) {
  const auto is_binary = [&](std::size_t v) { return !schema[v].numeric && schema.levels(v) <= 2; };
  const bool both = is_binary(x) && is_binary(y);
  const bool one = is_binary(x) || is_binary(y);
  double strata = 1;
  for (auto z : given)
    strata *= schema.levels(z);
  const double n = static_cast<double>(schema.rows());
  if (kind == TestKind::tau) {
    if (strata == 1) return both ? 2 : 4;
    return one ? 4 : 6;
  }
  if (kind == TestKind::rho) {
    if (strata == 1) return (both ? 3 : 6) * n / (n + 1);
    return one ? 6 : 10;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace privpc
