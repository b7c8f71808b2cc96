// A batch: the sets of variables whose contrasts are measured together, each with a weight (its
// noise has the variance s2 / weight), and how far one record can move the whole of it.
//
// SENSITIVITY. A record with the values a adds the vector kron over A of q_i(a_i) to R_A, where
// q_i(a) is row a of Q_i. From Q_i Q_i' = I - J/k_i: |q_i(a)|^2 = c_i = 1 - 1/k_i, and
// q_i(a) . q_i(b) = -1/k_i = c_i - 1 for a != b. So if a record a is replaced by b, and h_i = 1
// where they differ and 0 where they agree,
//   |change of R_A|^2 = 2 (prod over A of c_i - prod over A of (c_i - h_i)),
// and with the weights the whole batch moves by
//   F(h) = 2 sum over A of w_A (prod c_i - prod (c_i - h_i)).
// It depends on the pattern h alone, and every pattern occurs (a variable with one level has no
// contrasts and is left out). So the squared sensitivity is exactly the maximum of F over the
// patterns (for added and removed records see the end). Any upper bound of it is safe; three are
// used, and the smallest one counts:
//
//  1. Weight 1 for (some) pairs and w for (some) singles. Each term of F is a squared length, so
//     leaving sets out cannot raise F: take all pairs and all singles. Then, with S the sum of the
//     c_i and H the number of ones in h,
//       F(h) / 2 = sum over h_i = 1 of (w + S - c_i) - H (H - 1) / 2,
//     because a pair adds c_i h_j + c_j h_i - h_i h_j. For each H the best choice are the H
//     largest w + S - c_i: the maximum over all patterns is found exactly by sorting.
//  2. Any batch: eliminate one variable after the other, replacing the terms that contain it by
//     the maximum of their sum over its h, a function of the other variables (bucket elimination;
//     Dechter & Rish 2003, "Mini-buckets"). Where the terms of a variable involve too many others
//     they are split into groups and each group is maximised by itself. The maximum of a sum is
//     at most the sum of the maxima: the result is never below the true maximum, and exact where
//     nothing had to be split.
//  3. Pairs and singles with any weights: F / 2 is the quadratic function
//       sum of w_i h_i + sum of w_ij (c_j h_i + c_i h_j - h_i h_j),
//     which quadratic_bound.hpp bounds from above. It is within a few per cent of the truth for any
//     number of pairs; for half of them bound 1 is too large by three quarters, and bound 2 has to
//     split nearly everything.
//
// ADDED AND REMOVED RECORDS. Where neighbours differ by a record that one of them has in addition,
// R_A changes by what that record adds, whatever it is: |change of R_A|^2 = prod over A of c_i. So
// the squared sensitivity is exactly sum over A of w_A prod c_i, at most half of the above for
// large batches. The empty set, whose contrast is the number of records, adds its weight.
//
// PERSONS WITH SEVERAL RECORDS. Let phi(a) be what a record a adds to the batch, all sets together,
// each times the root of its weight, and let a person with the kept records a_1 ... a_m add their
// mean, (phi(a_1) + ... + phi(a_m)) / m (schema/person_weights.hpp).
// Theorem. The bounds above hold for replacing a person with all their records, whatever the
// numbers of records before and after, and for adding or removing a person.
// Proof. A person with the records a_1 ... a_m is replaced by one with b_1 ... b_l, and nobody
// else's records, weights or choice of records change (counts/kept_records.hpp). The batch moves by
//   mean of phi(b_j) - mean of phi(a_i) = mean over all i and j of (phi(b_j) - phi(a_i)),
// and a norm is convex: the length of a mean is at most the mean of the lengths, hence at most the
// largest |phi(b_j) - phi(a_i)|, which is how far replacing one record by another moves the batch.
// Likewise |mean of phi(a_i)| is at most the largest |phi(a_i)|. QED
// Both are reached by persons with one record. Group privacy would have to pay for m replaced
// records: m times the distance, and m^2 times the rho.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/schema/schema.hpp"
#include "privpc/schema/variable_set.hpp"
#include "privpc/statistic/quadratic_bound.hpp"

namespace privpc {

struct BatchItem {
  VariableSet set;
  double weight = 1;
};

using Batch = std::vector<BatchItem>;

namespace detail {

// A function of the h of a few variables; bit i of the index is the h of vars[i].
struct PatternTerm {
  std::vector<std::size_t> vars;  // sorted
  std::vector<double> values;
};

inline PatternTerm pattern_term(const Schema& schema, const BatchItem& item) {
  PatternTerm term;
  term.vars.assign(item.set.begin(), item.set.end());
  for (std::size_t pattern = 0; pattern < std::size_t{1} << term.vars.size(); ++pattern) {
    double all = 1, shared = 1;
    for (std::size_t i = 0; i < term.vars.size(); ++i) {
      const double c = 1 - 1.0 / schema.levels(term.vars[i]);
      all *= c;
      shared *= (pattern >> i & 1) != 0 ? c - 1 : c;
    }
    term.values.push_back(2 * item.weight * (all - shared));
  }
  return term;
}

inline std::vector<std::size_t> united(const std::vector<std::size_t>& a,
                                       const std::vector<std::size_t>& b) {
  std::vector<std::size_t> out;
  out.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

// The sum of the terms, maximised over the h of `out`.
inline PatternTerm maximised(const std::vector<const PatternTerm*>& terms,
                             const std::vector<std::size_t>& scope, std::size_t out) {
  std::vector<double> sum(std::size_t{1} << scope.size(), 0);
  for (const PatternTerm* term : terms) {
    std::vector<std::size_t> place;
    for (std::size_t v : term->vars) {
      place.push_back(static_cast<std::size_t>(std::lower_bound(scope.begin(), scope.end(), v) -
                                               scope.begin()));
    }
    for (std::size_t pattern = 0; pattern < sum.size(); ++pattern) {
      std::size_t index = 0;
      for (std::size_t i = 0; i < place.size(); ++i)
        index |= (pattern >> place[i] & 1) << i;
      sum[pattern] += term->values[index];
    }
  }
  const auto at =
      static_cast<std::size_t>(std::lower_bound(scope.begin(), scope.end(), out) - scope.begin());
  PatternTerm rest;
  rest.vars = scope;
  rest.vars.erase(rest.vars.begin() + static_cast<std::ptrdiff_t>(at));
  for (std::size_t pattern = 0; pattern < std::size_t{1} << rest.vars.size(); ++pattern) {
    const std::size_t low = pattern & ((std::size_t{1} << at) - 1);
    const std::size_t without = low | (pattern >> at) << (at + 1);
    rest.values.push_back(std::max(sum[without], sum[without | std::size_t{1} << at]));
  }
  return rest;
}

}  // namespace detail

// Bound 2; `widest` is the largest number of variables handled together.
inline double worst_pattern_by_elimination(const Schema& schema, const Batch& batch,
                                           std::size_t widest = 12) {
  using detail::PatternTerm;
  std::vector<PatternTerm> terms;
  for (const BatchItem& item : batch)
    terms.push_back(detail::pattern_term(schema, item));
  double total = 0;
  while (true) {
    // The variable whose terms involve the fewest others goes first: few groups are split then.
    breathe();
    std::vector<std::vector<std::size_t>> scope(schema.size());
    for (const PatternTerm& term : terms) {
      for (std::size_t v : term.vars)
        scope[v] = detail::united(scope[v], term.vars);
    }
    std::size_t next = schema.size();
    for (std::size_t v = 0; v < scope.size(); ++v) {
      if (scope[v].empty()) continue;
      if (next == schema.size() || scope[v].size() < scope[next].size()) next = v;
    }
    if (next == schema.size()) break;

    std::vector<PatternTerm> bucket, rest;
    for (PatternTerm& term : terms) {
      const bool inside = std::binary_search(term.vars.begin(), term.vars.end(), next);
      (inside ? bucket : rest).push_back(std::move(term));
    }
    std::stable_sort(bucket.begin(), bucket.end(), [](const PatternTerm& a, const PatternTerm& b) {
      return a.vars.size() > b.vars.size();
    });
    struct Group {
      std::vector<std::size_t> scope;
      std::vector<const PatternTerm*> terms;
    };
    std::vector<Group> groups;
    for (const PatternTerm& term : bucket) {
      auto home = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
        return detail::united(group.scope, term.vars).size() <= std::max(widest, term.vars.size());
      });
      if (home == groups.end()) home = groups.insert(groups.end(), Group{});
      home->scope = detail::united(home->scope, term.vars);
      home->terms.push_back(&term);
    }
    for (const Group& group : groups) {
      PatternTerm left = detail::maximised(group.terms, group.scope, next);
      if (left.vars.empty()) {
        total += left.values[0];
      } else {
        rest.push_back(std::move(left));
      }
    }
    terms = std::move(rest);
  }
  return total;
}

// Bound 1, for all pairs of the variables with at least two levels (weight 1) and all singles of
// them (weight `single_weight`).
inline double worst_pattern_of_all_pairs(const Schema& schema, double single_weight) {
  std::vector<double> gains;
  double sum = 0;
  for (std::size_t v = 0; v < schema.size(); ++v) {
    if (schema.levels(v) < 2) continue;
    gains.push_back(1.0 / schema.levels(v));
    sum += 1 - 1.0 / schema.levels(v);
  }
  for (double& gain : gains)
    gain += single_weight + sum - 1;  // w + S - c_i
  std::sort(gains.begin(), gains.end(), std::greater<double>());
  double worst = 0, so_far = 0;
  for (std::size_t h = 0; h < gains.size(); ++h) {
    so_far += gains[h] - static_cast<double>(h);
    worst = std::max(worst, so_far);
  }
  return 2 * worst;
}

// Bound 3, for a batch of pairs and singles.
inline double worst_pattern_by_quadratic(const Schema& schema, const Batch& batch) {
  const auto c = [&](std::size_t v) { return 1 - 1.0 / schema.levels(v); };
  PatternQuadratic half(schema.size());
  for (const BatchItem& item : batch) {
    if (item.set.size() > 2) throw std::invalid_argument("only for pairs and singles");
    if (item.set.size() == 1) half.add_gain(item.set[0], item.weight);
    if (item.set.size() < 2) continue;
    half.add_gain(item.set[0], item.weight * c(item.set[1]));
    half.add_gain(item.set[1], item.weight * c(item.set[0]));
    half.add_cross(item.set[0], item.set[1], item.weight);
  }
  return 2 * half.bound();
}

// For added and removed records, rounded up.
inline double added_l2_squared(const Schema& schema, const Batch& batch) {
  double sum = 0;
  for (const BatchItem& item : batch) {
    double product = item.weight;
    for (auto v : item.set)
      product *= 1 - 1.0 / schema.levels(v);
    sum += product;
  }
  return sum * (1 + 1e-9);
}

// The same for all pairs (weight 1) and all singles (weight `single_weight`).
inline double added_l2_of_all_pairs(const Schema& schema, double single_weight) {
  double sum = 0, squares = 0;  // of the c
  for (std::size_t v = 0; v < schema.size(); ++v) {
    const double c = schema.levels(v) < 2 ? 0 : 1 - 1.0 / schema.levels(v);
    sum += c;
    squares += c * c;
  }
  return single_weight * sum + (sum * sum - squares) / 2;
}

// Squared L2 sensitivity of the batch, rounded up: its terms are sums of products of a few
// numbers, whose rounding errors are far below one part in 10^9.
inline double batch_l2_squared(const Schema& schema, const Batch& batch) {
  // Bound 1 counts every pair once; a set that is measured twice would be paid for once.
  std::set<std::vector<VariableSet::Id>> seen;
  for (const BatchItem& item : batch) {
    if (!seen.emplace(item.set.begin(), item.set.end()).second) {
      throw std::invalid_argument("a batch must not hold a set twice");
    }
  }
  if (schema.neighbours() == Neighbours::add_remove) return added_l2_squared(schema, batch);
  double largest_single = 0;
  bool pairs_and_singles = true, light_pairs = true;
  std::vector<bool> involved(schema.size(), false);
  for (const BatchItem& item : batch) {
    if (item.set.size() == 1) largest_single = std::max(largest_single, item.weight);
    if (item.set.size() == 2) light_pairs = light_pairs && item.weight <= 1;
    if (item.set.size() > 2) pairs_and_singles = false;
    for (auto v : item.set)
      involved[v] = true;
  }
  const auto p = static_cast<std::size_t>(std::count(involved.begin(), involved.end(), true));
  // With many pairs elimination would take long, and would have to split nearly everything.
  const bool dense = p > 14 && batch.size() > 4 * p;
  // Of every pair and every single at one weight bound 1 is the maximum itself.
  bool complete = pairs_and_singles && dense && batch.size() == p * (p + 1) / 2;
  for (std::size_t v = 0; v < schema.size(); ++v)
    complete = complete && involved[v] == (schema.levels(v) > 1);
  complete = complete && std::all_of(batch.begin(), batch.end(), [&](const BatchItem& item) {
               return item.weight == (item.set.size() == 1 ? largest_single : 1);
             });
  double bound = HUGE_VAL;
  if (pairs_and_singles && light_pairs) bound = worst_pattern_of_all_pairs(schema, largest_single);
  if (pairs_and_singles && !complete)
    bound = std::min(bound, worst_pattern_by_quadratic(schema, batch));
  if (!pairs_and_singles || !dense) {
    bound = std::min(bound, worst_pattern_by_elimination(schema, batch, 14));
  }
  return bound * (1 + 1e-9);
}

}  // namespace privpc
