// The records, column by column, in the form the counters like.
//
// A discrete column of few levels becomes one bitmap per level; the most frequent level needs
// none, because its counts follow by subtraction (Moebius). Columns of many levels keep their
// codes; numeric columns become dense ranks (ties share a rank) plus bins if breaks are declared.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "privpc/base/errors.hpp"
#include "privpc/base/kernels.hpp"
#include "privpc/base/row_mask.hpp"
#include "privpc/base/unhurried_sort.hpp"
#include "privpc/base/words.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/schema/schema.hpp"

namespace privpc {

// A value outside the declared levels: NA, or a code beyond them.
class InvalidCode : public NamedError {
 public:
  InvalidCode(std::size_t index, const std::string& column)
      : NamedError("column '" + column + "' has missing or undeclared values"), variable(index) {}
  const char* name() const noexcept override { return "invalid_code"; }

  std::size_t variable;
};

// What the caller hands over: codes (1..levels) and, for numeric columns, the values. The arrays
// must outlive the columns built from them.
struct ColumnInput {
  const std::int32_t* codes = nullptr;  // null for a numeric column without breaks
  const double* values = nullptr;       // numeric columns only; no NaN
};

struct Column {
  std::uint32_t levels = 0;
  std::uint32_t modal = 0;            // level without a bitmap (0-based)
  std::vector<Count> counts;          // records per level
  std::vector<std::uint32_t> active;  // levels with a bitmap: not modal, not empty
  Words bitmaps;                      // one per active level, `spacing` words apart
  std::size_t spacing = 0;
  const std::int32_t* codes = nullptr;  // 1-based
  std::vector<std::int32_t> own_codes;  // behind `codes` where they are a sub-sample
  std::vector<std::uint32_t> ranks;     // numeric: dense ranks from 0
  bool has_bitmaps = false;

  const Word* bitmap(std::size_t a) const { return bitmaps.data() + a * spacing; }

  // Records not at the modal level: what a table with this column as pivot has to look at.
  std::uint64_t minority(std::uint64_t rows) const {
    return rows - static_cast<std::uint64_t>(counts[modal]);
  }
};

namespace detail {

// Chooses the modal level and which others get a bitmap, from the counts.
inline void settle_levels(Column& column, std::size_t words) {
  column.modal = static_cast<std::uint32_t>(
      std::max_element(column.counts.begin(), column.counts.end()) - column.counts.begin());
  for (std::uint32_t l = 0; l < column.levels; ++l) {
    if (l != column.modal && column.counts[l] > 0) column.active.push_back(l);
  }
  column.spacing = words;
  column.bitmaps = Words(words * column.active.size());
  column.has_bitmaps = true;
}

inline std::vector<std::uint32_t> dense_ranks(const double* values, std::size_t n) {
  // With its value beside each row: looking values up while sorting would be slow for millions.
  struct Place {
    double value;
    std::uint32_t row;
  };
  std::vector<Place> order(n);
  for (std::size_t i = 0; i < n; ++i)
    order[i] = {values[i], static_cast<std::uint32_t>(i)};
  unhurried_sort(order.begin(), order.end(),
                 [](const Place& a, const Place& b) { return a.value < b.value; });
  std::vector<std::uint32_t> ranks(n);
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0 && order[i].value != order[i - 1].value) ++rank;
    ranks[order[i].row] = rank;
  }
  return ranks;
}

}  // namespace detail

// Encodes one column. Throws InvalidCode when a code is not a declared level. `scratch` may be
// handed from column to column: large pieces of memory are slow to come by.
inline Column encode_column(const ColumnInput& input, const Variable& variable, std::size_t index,
                            std::size_t n, const Kernels& kernels, Words& scratch) {
  Column column;
  column.levels = variable.levels;
  column.codes = input.codes;
  if (variable.numeric) column.ranks = detail::dense_ranks(input.values, n);
  if (input.codes == nullptr) return column;
  column.counts.assign(column.levels, 0);
  std::uint64_t seen = 0;
  if (column.levels <= kMaxBitmapLevels) {
    // All levels first, then those that stay: the modal one is known only afterwards.
    const std::size_t words = padded_words(n);
    if (scratch.size() < words * column.levels) scratch = Words(words * column.levels);
    std::array<Word*, kMaxBitmapLevels> targets;
    for (std::uint32_t l = 0; l < column.levels; ++l)
      targets[l] = scratch.data() + l * words;
    kernels.pack_levels(input.codes, n, column.levels, targets.data());
    for (std::uint32_t l = 0; l < column.levels; ++l) {
      column.counts[l] = static_cast<Count>(kernels.popcount(targets[l], words));
      seen += static_cast<std::uint64_t>(column.counts[l]);
    }
    detail::settle_levels(column, words);
    for (std::size_t a = 0; a < column.active.size(); ++a) {
      std::memcpy(column.bitmaps.data() + a * words, targets[column.active[a]],
                  words * sizeof(Word));
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t level = static_cast<std::uint32_t>(input.codes[i]) - 1u;
      if (level >= column.levels) continue;
      ++column.counts[level];
      ++seen;
    }
    column.modal = static_cast<std::uint32_t>(
        std::max_element(column.counts.begin(), column.counts.end()) - column.counts.begin());
  }
  // Every valid code was counted once, so a shortfall is exactly the number of invalid ones.
  if (seen != n) throw InvalidCode(index, variable.name);
  return column;
}

// The same column seen on the rows of a mask only. Compacting costs one pass and makes every
// later count cost m instead of n rows.
inline Column subsample_column(const Column& full, const RowMask& mask, const Kernels& kernels) {
  Column column;
  column.levels = full.levels;
  if (full.codes != nullptr) {
    column.own_codes.reserve(mask.selected() + 1);  // never null, also without rows
    mask.for_each([&](std::size_t row) { column.own_codes.push_back(full.codes[row]); });
    column.codes = column.own_codes.data();
  }
  if (!full.ranks.empty()) {  // ranks may have gaps now; only their order is used
    column.ranks.reserve(mask.selected());
    mask.for_each([&](std::size_t row) { column.ranks.push_back(full.ranks[row]); });
  }
  if (full.codes == nullptr) return column;
  column.counts.assign(column.levels, 0);
  if (!full.has_bitmaps) {
    for (std::int32_t code : column.own_codes)
      ++column.counts[static_cast<std::size_t>(code - 1)];
    column.modal = static_cast<std::uint32_t>(
        std::max_element(column.counts.begin(), column.counts.end()) - column.counts.begin());
    return column;
  }
  // The modal level of the full data stays the one without bitmap: any level can play that part.
  const std::size_t words = padded_words(mask.selected());
  column.spacing = words;
  column.active = full.active;
  column.bitmaps = Words::zeros(words * full.active.size() + 1);
  std::uint64_t minority = 0;
  for (std::size_t a = 0; a < full.active.size(); ++a) {
    const Word* source = full.bitmap(a);
    Word* target = column.bitmaps.data() + a * words;
    kernels.compress(mask.words().data(), mask.words().size(), &source, &target, 1);
    const std::uint64_t count = kernels.popcount(target, words);
    column.counts[full.active[a]] = static_cast<Count>(count);
    minority += count;
  }
  column.modal = full.modal;
  column.counts[full.modal] = static_cast<Count>(mask.selected() - minority);
  column.has_bitmaps = true;
  return column;
}

}  // namespace privpc
