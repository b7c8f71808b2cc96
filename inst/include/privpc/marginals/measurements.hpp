// What has been measured: noisy contrasts with the variance of their noise. Public; everything a
// learner says after the measuring is computed from here.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "privpc/counts/table.hpp"
#include "privpc/marginals/batch.hpp"
#include "privpc/marginals/contrasts.hpp"
#include "privpc/privacy/scaled_gaussian.hpp"

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
    known.variance *= 1 - share;
  }

 private:
  Schema schema_;
  std::vector<std::pair<VariableSet, Measured>> entries_;
  std::unordered_map<VariableSet, std::size_t, VariableSet::Hash> index_;
};

inline std::vector<std::uint32_t> levels_of(const Schema& schema, const VariableSet& set) {
  std::vector<std::uint32_t> levels;
  for (auto v : set)
    levels.push_back(schema.levels(v));
  return levels;
}

// The noise variance s2 of weight 1, in counts, that `rho` buys for the batch.
inline double batch_noise(const Schema& schema, const Batch& batch, Rho rho) {
  return batch_l2_squared(schema, batch) / (2 * rho.value());
}

// Measures a batch for `rho`. The contrast c of the set A is a whole number t_c; divided by its
// length l_c it is orthonormal, and divided by l_c / sqrt(w_A), its unit, the whole batch has the
// sensitivity of batch_l2_squared(). See scaled_gaussian.hpp for the noise.
inline void measure_batch(TableSource& source, const Batch& batch, Rho rho, Ledger& ledger,
                          RandomBits& bits, const std::string& target, Measurements& store) {
  if (batch.empty()) return;
  const Schema& schema = source.schema();
  const double sensitivity = std::sqrt(batch_l2_squared(schema, batch)) * (1 + 1e-12);
  std::vector<std::int64_t> exact;
  std::vector<double> units;
  std::vector<std::vector<double>> lengths;
  for (const BatchItem& item : batch) {
    const std::vector<std::int64_t> contrasts = interaction_contrasts(*source.table(item.set));
    exact.insert(exact.end(), contrasts.begin(), contrasts.end());
    lengths.push_back(contrast_lengths(levels_of(schema, item.set)));
    for (double length : lengths.back())
      units.push_back(length / std::sqrt(item.weight));
  }
  const ScaledGaussianMechanism mechanism(rho, sensitivity, units);
  const std::vector<std::int64_t> noisy = mechanism.release(
      Sensitive<std::vector<std::int64_t>>(std::move(exact), sensitivity), ledger, bits, target);
  std::size_t at = 0;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    Measured measured;
    const double sigma = mechanism.sigma(at) / lengths[b][0] / store.rows();
    measured.variance = sigma * sigma;
    for (double length : lengths[b])
      measured.values.push_back(static_cast<double>(noisy[at++]) / length / store.rows());
    store.add(batch[b].set, std::move(measured));
  }
}

}  // namespace privpc
