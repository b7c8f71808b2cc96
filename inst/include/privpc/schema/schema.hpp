// Public facts about a data set: names, levels, order, number of rows.
// Nothing in here depends on the records themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace privpc {

inline constexpr std::uint32_t kMaxLevels = 65535;
inline constexpr std::size_t kMaxVariables = 4096;
inline constexpr std::uint64_t kMaxRows = 2147483647;  // 2^31 - 1: counts fit an R integer

struct Variable {
  std::string name;
  std::uint32_t levels = 0;  // of a numeric variable: bins of its declared breaks, 0 if none
  bool ordered = false;      // the order of the levels carries meaning
  bool numeric = false;      // compared at full resolution, binned only to condition on it
};

// Which data sets a promise calls neighbours: those that differ by one replaced record, so that the
// number of records is public, or by one that was added or removed, so that it is a secret.
enum class Neighbours { replace_one, add_remove };

class Schema {
 public:
  Schema() = default;
  Schema(std::vector<Variable> variables, std::uint64_t rows)
      : variables_(std::move(variables)), rows_(rows) {
    if (rows_ > kMaxRows) {
      throw std::invalid_argument("at most 2147483647 rows can be counted, got " +
                                  std::to_string(rows_));
    }
    if (variables_.size() > kMaxVariables) {
      throw std::invalid_argument("at most 4096 variables can be used, got " +
                                  std::to_string(variables_.size()));
    }
    for (const Variable& v : variables_) {
      if (v.levels > kMaxLevels) {
        throw std::invalid_argument("variable '" + v.name + "' has " + std::to_string(v.levels) +
                                    " levels; at most 65535 are possible");
      }
      if (v.levels == 0 && !v.numeric) {
        throw std::invalid_argument("variable '" + v.name + "' has no levels");
      }
    }
  }

  std::size_t size() const { return variables_.size(); }
  std::uint64_t rows() const { return rows_; }
  const Variable& operator[](std::size_t i) const { return variables_[i]; }
  std::uint32_t levels(std::size_t i) const { return variables_[i].levels; }
  Neighbours neighbours() const { return neighbours_; }

  // The same variables where the number of records is a secret, of which `rows` is a noisy reading
  // or a guess. Sensitivities that are computed from the result are those for added and removed
  // records (statistic/batch.hpp).
  Schema for_added_and_removed(std::uint64_t rows) const {
    Schema out(variables_, rows);
    out.neighbours_ = Neighbours::add_remove;
    return out;
  }

 private:
  std::vector<Variable> variables_;
  std::uint64_t rows_ = 0;
  Neighbours neighbours_ = Neighbours::replace_one;
};

}  // namespace privpc
