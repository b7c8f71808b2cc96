// Regressions on conditioning variables, kept because many tests share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "privpc/marginals/measurements.hpp"
#include "privpc/marginals/noisy_conditions.hpp"
#include "privpc/marginals/noisy_regression.hpp"
#include "privpc/marginals/noisy_variable.hpp"

namespace privpc {

class KeptRegressions {
 public:
  explicit KeptRegressions(const Measurements& store, const NoisyRegressionOptions& options = {})
      : store_(store), options_(options) {
    for (std::size_t v = 0; v < store.schema().size(); ++v)
      variables_.push_back(noisy_variable(store, v, options));
  }

  const NoisyVariable& variable(std::size_t v) const { return variables_[v]; }

  // Forgets everything if it has become too much. References obtained before are then invalid.
  void limit_memory() {
    if (stored_ <= kMostStored) return;
    conditions_.clear();
    regressions_.clear();
    stored_ = 0;
  }

  // Bit s is set if the subset with the member mask s serves as a feature for both x and y.
  std::uint32_t usable_subsets(std::size_t x, std::size_t y, const VariableSet& given) const {
    std::uint32_t bits = 0;
    for (std::uint32_t mask = 0; mask < 1u << given.size(); ++mask) {
      const VariableSet w = subset(given, mask);
      const bool measured =
          w.size() < 2 || (store_.find(w.with(x)) != nullptr && store_.find(w.with(y)) != nullptr);
      if (measured) bits |= 1u << mask;
    }
    return bits;
  }

  const NoisyConditions& conditions(const VariableSet& given, std::uint32_t subsets) {
    std::unique_ptr<NoisyConditions>& slot = conditions_[Key{0, given, subsets}];
    if (slot == nullptr) {
      slot = std::make_unique<NoisyConditions>(noisy_conditions(store_, given, subsets, options_));
      count(4 * slot->cells + 2 * slot->features() * (slot->features() + 1));
    }
    return *slot;
  }

  const NoisyRegression& regression(std::size_t x, const VariableSet& given, std::uint32_t subsets,
                                    const NoisyConditions& z) {
    std::unique_ptr<NoisyRegression>& slot = regressions_[Key{x, given, subsets}];
    if (slot == nullptr) {
      const NoisyVariable& own = variables_[x];
      slot = std::make_unique<NoisyRegression>(noisy_regression(store_, x, own, z, options_));
      count(z.cells * (4 * own.contrasts + 1) + 2 * own.contrasts * z.features());
    }
    return *slot;
  }

  // Adds the covariances inside the cells to a regression that is there: they may be very many.
  void need_covariances(std::size_t x, const VariableSet& given, std::uint32_t subsets) {
    NoisyRegression& r = *regressions_.at(Key{x, given, subsets});
    if (r.covariance_in_cell.size() > 0) return;
    add_covariances(r);
    count(r.covariance_in_cell.size());
  }

 private:
  static constexpr std::size_t kMostStored = std::size_t{1} << 23;  // numbers: 64 MB

  struct Key {
    std::size_t variable;
    VariableSet given;
    std::uint32_t subsets;
    bool operator==(const Key& other) const {
      return variable == other.variable && given == other.given && subsets == other.subsets;
    }
    struct Hash {
      std::size_t operator()(const Key& key) const {
        return VariableSet::Hash{}(key.given) * 31 + key.variable * 0x9E3779B97F4A7C15ull +
               key.subsets;
      }
    };
  };

  void count(Index numbers) { stored_ += static_cast<std::size_t>(numbers); }

  const Measurements& store_;
  NoisyRegressionOptions options_;
  std::vector<NoisyVariable> variables_;
  std::unordered_map<Key, std::unique_ptr<NoisyConditions>, Key::Hash> conditions_;
  std::unordered_map<Key, std::unique_ptr<NoisyRegression>, Key::Hash> regressions_;
  std::size_t stored_ = 0;
};

}  // namespace privpc
