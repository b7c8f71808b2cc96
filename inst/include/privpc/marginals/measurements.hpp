// What has been measured: noisy contrasts with the variance of their noise. Public; everything a
// learner says after the measuring is computed from here.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "privpc/schema/schema.hpp"
#include "privpc/schema/variable_set.hpp"

namespace privpc {

// Orthonormal contrasts of one set, as shares of the records (divided by n), the last variable of
// the sorted set running fastest.
struct Measured {
  std::vector<double> values;
  double variance = 0;  // of the noise on each of them
};

class Measurements {
 public:
  explicit Measurements(Schema schema) : schema_(std::move(schema)) {}

  const Schema& schema() const { return schema_; }
  double rows() const { return static_cast<double>(schema_.rows()); }

  const Measured* find(const VariableSet& set) const {
    const auto it = index_.find(set);
    return it == index_.end() ? nullptr : &entries_[it->second].second;
  }

  // In the order in which the sets were first measured.
  const std::vector<std::pair<VariableSet, Measured>>& entries() const { return entries_; }

  // A second measurement of a set is averaged with the first one, weighted by 1 / variance: the
  // estimate with the smallest variance.
  void add(const VariableSet& set, Measured measured) {
    const auto [it, is_new] = index_.emplace(set, entries_.size());
    if (is_new) {
      entries_.emplace_back(set, std::move(measured));
      return;
    }
    Measured& known = entries_[it->second].second;
    if (known.values.size() != measured.values.size()) {
      throw std::invalid_argument("two measurements of a set must have the same contrasts");
    }
    const double share = known.variance / (known.variance + measured.variance);
    for (std::size_t i = 0; i < known.values.size(); ++i)
      known.values[i] += share * (measured.values[i] - known.values[i]);
    // Not as the rest of the first one's, which is nothing where that one is far larger.
    known.variance = share * measured.variance;
  }

 private:
  Schema schema_;
  std::vector<std::pair<VariableSet, Measured>> entries_;
  std::unordered_map<VariableSet, std::size_t, VariableSet::Hash> index_;
};

}  // namespace privpc
