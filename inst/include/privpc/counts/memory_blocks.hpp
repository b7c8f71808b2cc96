// Blocks of records held in memory: the "sub-sample" half of sub-sample-and-aggregate.
//
// PARTITION. A uniformly random permutation of the row numbers, drawn before any value is looked
// at, is cut into B pieces whose lengths differ by at most one. Row numbers and n are public, so
// the partition is independent of the data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/base/unhurried_sort.hpp"
#include "privpc/counts/columns.hpp"
#include "privpc/counts/row_cells.hpp"
#include "privpc/counts/table.hpp"

namespace privpc {

class MemoryBlocks : public BlockSource {
 public:
  // The records are copied, block by block, so that counting a block reads neighbouring memory.
  MemoryBlocks(const Schema& schema, const std::vector<Column>& records, std::size_t blocks,
               RandomBits& bits)
      : schema_(schema), rows_(static_cast<std::size_t>(schema.rows())), blocks_(blocks) {
    if (blocks == 0 || blocks > rows_) {
      throw std::invalid_argument("there must be at least one block and at most one per row");
    }
    const std::vector<std::uint32_t> order = random_order(rows_, bits);
    columns_.reserve(records.size());
    for (const Column& column : records) {
      breathe();
      columns_.push_back(in_order(column, order));
    }
  }

  const Schema& schema() const override { return schema_; }
  std::size_t blocks() const override { return blocks_; }

  std::size_t block_begin(std::size_t block) const {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(block) * rows_ / blocks_);
  }

  void visit(std::size_t x, std::size_t y, const VariableSet& given, BlockVisitor& visitor,
             const StatisticKey&) const override {
    // A table much larger than a block is mostly empty: sort the rows instead. Public facts decide.
    const double cells = cell_count(schema_, given.with(x).with(y));
    const bool fine = schema_[x].numeric || schema_[y].numeric;
    const double rows_per_block = static_cast<double>(rows_) / static_cast<double>(blocks_);
    if (!fine && cells <= 8 * rows_per_block + 1024) {
      visit_tables(x, y, given, visitor);
    } else {
      visit_rows(x, y, given, visitor);
    }
  }

  // Fisher and Yates (1938) in Durstenfeld's form.
  static std::vector<std::uint32_t> random_order(std::size_t rows, RandomBits& bits) {
    std::vector<std::uint32_t> order(rows);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = rows; i > 1; --i) {
      if (i % 65536 == 0) breathe();
      std::swap(order[i - 1], order[static_cast<std::size_t>(bits.below(i))]);
    }
    return order;
  }

 private:
  static Column in_order(const Column& from, const std::vector<std::uint32_t>& order) {
    Column column;
    column.levels = from.levels;
    if (!from.ranks.empty()) {
      column.ranks.reserve(order.size());
      for (std::uint32_t row : order)
        column.ranks.push_back(from.ranks[row]);
    }
    if (from.codes == nullptr) return column;
    column.own_codes.reserve(order.size());
    for (std::uint32_t row : order)
      column.own_codes.push_back(from.codes[row]);
    column.codes = column.own_codes.data();
    return column;
  }

  void visit_tables(std::size_t x, std::size_t y, const VariableSet& given,
                    BlockVisitor& visitor) const {
    std::vector<std::size_t> members(given.begin(), given.end());
    members.push_back(x);
    members.push_back(y);
    const std::uint32_t stratum_cells = columns_[x].levels * columns_[y].levels;
    std::vector<Count> cells(static_cast<std::size_t>(cell_count(schema_, given.with(x).with(y))));
    for (std::size_t b = 0; b < blocks_; ++b) {
      breathe();
      std::fill(cells.begin(), cells.end(), Count{0});
      count_rows(members, block_begin(b), block_begin(b + 1), cells);
      for (std::size_t at = 0; at < cells.size(); at += stratum_cells)
        visitor.stratum(
            Sealed<DenseStratum>({columns_[x].levels, columns_[y].levels, cells.data() + at}));
      visitor.end_of_block();
    }
  }

  // The strata of `given` in order, each with its x-by-y table: the last member runs fastest.
  void count_rows(const std::vector<std::size_t>& members, std::size_t begin, std::size_t end,
                  std::vector<Count>& cells) const {
    constexpr std::size_t kChunk = 1024;
    std::uint32_t index[kChunk];
    for (; begin < end; begin += kChunk) {
      const std::size_t length = std::min(kChunk, end - begin);
      std::fill(index, index + length, 0u);
      for (std::size_t v : members) {
        const std::int32_t* codes = columns_[v].codes + begin;
        const std::uint32_t levels = columns_[v].levels;
        for (std::size_t r = 0; r < length; ++r)
          index[r] = index[r] * levels + static_cast<std::uint32_t>(codes[r]) - 1u;
      }
      for (std::size_t r = 0; r < length; ++r)
        ++cells[index[r]];
    }
  }

  void visit_rows(std::size_t x, std::size_t y, const VariableSet& given,
                  BlockVisitor& visitor) const {
    const Strata strata = strata_of(columns_, rows_, given);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> keys;  // stratum; x high, y low
    std::vector<Cell> cells;
    const auto hand_over = [&] {
      visitor.stratum(Sealed<SparseStratum>({cells.data(), cells.size()}));
      cells.clear();
    };
    for (std::size_t b = 0; b < blocks_; ++b) {
      breathe();
      keys.clear();
      for (std::size_t r = block_begin(b); r < block_begin(b + 1); ++r) {
        keys.emplace_back(strata.of_row[r], static_cast<std::uint64_t>(fine_value(columns_[x], r))
                                                    << 32 |
                                                fine_value(columns_[y], r));
      }
      unhurried_sort(keys.begin(), keys.end());
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i > 0 && keys[i].first != keys[i - 1].first) hand_over();
        if (!cells.empty() && keys[i].second == keys[i - 1].second) {
          ++cells.back().count;
        } else {
          cells.push_back({static_cast<std::uint32_t>(keys[i].second >> 32),
                           static_cast<std::uint32_t>(keys[i].second), 1});
        }
      }
      hand_over();
      visitor.end_of_block();
    }
  }

  Schema schema_;
  std::size_t rows_;
  std::size_t blocks_;
  std::vector<Column> columns_;
};

}  // namespace privpc
