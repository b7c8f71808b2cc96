// What a fit may say that it has measured, honest or damaged.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fuzz_target.h"
#include "privpc/marginals/contrasts.hpp"
#include "privpc/marginals/returned_measurements.hpp"
#include "privpc/marginals/table_basis.hpp"
#include "privpc/schema/schema.hpp"
#include "privpc/schema/table_shape.hpp"

namespace privpc_fuzz {

using privpc::Measurements;
using privpc::Schema;
using privpc::VariableSet;

inline Schema any_schema(Input& input, std::size_t most_variables) {
  std::vector<privpc::Variable> variables;
  for (std::size_t size = 1 + input.below(most_variables), v = 0; v < size; ++v) {
    const std::size_t kind = input.below(24);
    privpc::Variable variable{"v" + std::to_string(v), 2, input.coin(), false};
    if (kind < 12) variable.levels = static_cast<std::uint32_t>(1 + kind % 4);
    if (kind == 23) variable = {variable.name, 0, false, true};
    variables.push_back(variable);
  }
  const std::uint64_t rows = input.below(4) == 0 ? 1 + input.below(2147483647) : 1000;
  return Schema(std::move(variables), rows);
}

// One set as a fit holds it: positions from 0, values and the variance of their noise.
struct Entry {
  std::vector<std::size_t> members;
  privpc::Measured measured;
};

// `damage`: of 256, how often a part is not what it should be.
inline Entry any_entry(Input& input, const Schema& schema, std::size_t damage) {
  const auto damaged = [&] { return damage > 0 && input.below(256) < damage; };
  Entry out;
  const std::size_t bits = input.byte();
  for (std::size_t v = 0; v < schema.size(); ++v) {
    if ((bits >> v & 1U) != 0 && out.members.size() < 3) out.members.push_back(v);
  }
  if (damaged()) out.members.push_back(input.coin() ? input.below(70000) : input.below(4));
  std::size_t count = 1;
  for (std::size_t v : out.members)
    count *= v < schema.size() && schema.levels(v) > 0 ? schema.levels(v) - 1 : 1;
  if (damaged()) count = input.below(12);
  out.measured.variance = damaged() ? input.real() : input.usual() * 1e-4;
  const bool small = input.coin();
  for (std::size_t i = 0; i < count; ++i) {
    double value = (input.byte() - 128) / (small ? 2560.0 : 256.0);
    if (damaged()) value = input.real();
    out.measured.values.push_back(value);
  }
  return out;
}

// False if the core refused it.
inline bool take(Measurements& store, const Entry& entry) {
  const std::size_t before = store.entries().size();
  const bool refused_it =
      refused([&] { privpc::add_returned(store, entry.members, entry.measured); });
  if (refused_it) FUZZ_CHECK(store.entries().size() == before);
  return !refused_it;
}

inline Measurements any_measurements(Input& input, const Schema& schema, std::size_t damage) {
  Measurements store(schema);
  // Margins of everything, mostly.
  const bool singles = input.below(8) != 7;
  for (std::size_t v = 0; singles && v < schema.size(); ++v) {
    if (schema.levels(v) < 2) continue;
    Entry entry;
    entry.members = {v};
    entry.measured.variance = 1e-6;
    for (std::uint32_t j = 1; j < schema.levels(v); ++j)
      entry.measured.values.push_back((input.byte() - 128) / 512.0);
    FUZZ_CHECK(take(store, entry));
  }
  for (std::size_t sets = input.below(16); sets > 0 && !input.empty(); --sets)
    take(store, any_entry(input, schema, damage));
  for (const auto& [set, measured] : store.entries()) {
    FUZZ_CHECK(measured.values.size() == privpc::contrast_count(privpc::levels_of(schema, set)));
    FUZZ_CHECK(measured.variance > 0 && std::isfinite(measured.variance));
  }
  return store;
}

inline std::size_t any_damage(Input& input) {
  return input.coin() ? 0 : input.below(40);
}

}  // namespace privpc_fuzz
