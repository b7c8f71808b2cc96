// What a mixture of people shows of a set of variables beyond what smaller sets of them tell.
//
// With z_v the contrasts of variable v of one record, the contrasts of a set A are
// R_A = E (x)_{v in A} z_v, and its central moments C_A = E (x)_{v in A} (z_v - m_v), m_v = R_v:
// C of a single variable is 0, of a pair its covariance. Multiplied out,
//   R_A = C_A + told_A,   told_A = sum over T of (x)_{v in T} m_v (x) C_{A without T},
// T running over the subsets of A but the empty one. told_A follows from sets smaller than A.
//
// How told_A moves with what it is made of, at first order (it is linear in every one of them):
//   with R_B of two or more variables,   +- (x)_{v in A without B} m_v;
//   with m_v,   C_{A without v} + (-1)^|A| (x)_{u in A without v} m_u,   1 if A is v alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/marginals/measurements.hpp"

namespace privpc {

class MixtureMoments {
 public:
  // Of the mixture that `known` is of. Central moments that do not follow from it are those of
  // `otherwise`, or 0. Both must live as long as this.
  explicit MixtureMoments(const Measurements& known, const MixtureMoments* otherwise = nullptr)
      : known_(known), otherwise_(otherwise) {}

  // The contrasts as if the variables were independent.
  std::vector<double> margins(const VariableSet& set) const {
    std::vector<double> out{1};
    for (auto v : set) {
      const Measured* own = known_.find(VariableSet{v});
      std::vector<double> next;
      for (double before : out) {
        for (std::uint32_t j = 0; j + 1 < known_.schema().levels(v); ++j)
          next.push_back(own == nullptr ? 0 : before * own->values.at(j));
      }
      out = std::move(next);
    }
    return out;
  }

  std::vector<double> central(const VariableSet& set) const {
    if (set.empty()) return {1};
    if (set.size() > 1) {
      if (const Measured* found = known_.find(set)) {
        std::vector<double> out = found->values;
        const std::vector<double> less = told(set);
        for (std::size_t at = 0; at < out.size(); ++at)
          out[at] -= less[at];
        return out;
      }
      if (otherwise_ != nullptr) return otherwise_->central(set);
    }
    return std::vector<double>(count(set), 0.0);
  }

  std::vector<double> told(const VariableSet& set) const {
    std::vector<double> out(count(set), 0.0);
    for (std::size_t chosen = 1; chosen < std::size_t{1} << set.size(); ++chosen) {
      const VariableSet rest = part(set, ~chosen);
      if (rest.size() == 1) continue;
      add_product(set, chosen, margins(part(set, chosen)), central(rest), out);
    }
    return out;
  }

  // The derivative of told(set) by the contrasts of `by`, a subset of it, up to its sign.
  std::vector<double> slope(const VariableSet& set, const VariableSet& by) const {
    VariableSet rest;
    for (auto v : set) {
      if (!by.contains(v)) rest.append(v);
    }
    std::vector<double> out = margins(rest);
    if (by.size() > 1 || rest.empty()) return out;
    const std::vector<double> around = central(rest);
    const double sign = set.size() % 2 == 0 ? 1 : -1;
    for (std::size_t at = 0; at < out.size(); ++at)
      out[at] = around[at] + sign * out[at];
    return out;
  }

  // Those members whose bit is set.
  static VariableSet part(const VariableSet& set, std::size_t chosen) {
    VariableSet out;
    for (std::size_t place = 0; place < set.size(); ++place) {
      if (chosen >> place & 1U) out.append(set[place]);
    }
    return out;
  }

 private:
  std::size_t count(const VariableSet& set) const {
    std::size_t out = 1;
    for (auto v : set)
      out *= known_.schema().levels(v) - 1;
    return out;
  }

  // The product of contrasts of the chosen members and of the others, in the order of the set: the
  // last variable runs fastest.
  void add_product(const VariableSet& set, std::size_t chosen, const std::vector<double>& one,
                   const std::vector<double>& other, std::vector<double>& out) const {
    for (std::size_t at = 0; at < out.size(); ++at) {
      std::size_t left = at, in_one = 0, in_other = 0, step_one = 1, step_other = 1;
      for (std::size_t place = set.size(); place-- > 0;) {
        const std::size_t own = known_.schema().levels(set[place]) - 1;
        const bool mine = chosen >> place & 1U;
        (mine ? in_one : in_other) += left % own * (mine ? step_one : step_other);
        (mine ? step_one : step_other) *= own;
        left /= own;
      }
      out[at] += one[in_one] * other[in_other];
    }
  }

  const Measurements& known_;
  const MixtureMoments* otherwise_;
};

}  // namespace privpc
