// All pairs of variables in one pass over blocks of rows that stay in the processor's cache.
// Only cells in which both variables are away from their modal level are counted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/base/kernels.hpp"
#include "privpc/base/monitor.hpp"
#include "privpc/base/parallel.hpp"
#include "privpc/base/words.hpp"
#include "privpc/counts/columns.hpp"
#include "privpc/counts/table.hpp"

namespace privpc {

class PairCounts {
 public:
  // Bytes that counting all pairs would take.
  static std::size_t bytes_needed(const std::vector<Column>& columns) {
    std::size_t cells = 0, before = 0;
    for (const Column& c : columns) {
      cells += before * c.active.size();
      before += c.active.size();
    }
    return cells * sizeof(Count);
  }

  void count(const std::vector<Column>& columns, std::uint64_t rows, const Kernels& kernels,
             unsigned threads) {
    const std::size_t p = columns.size();
    const std::size_t words = padded_words(rows);
    first_.assign(p + 1, 0);
    for (std::size_t i = 0; i < p; ++i)
      first_[i + 1] = first_[i] + columns[i].active.size();
    row_.assign(p + 1, 0);
    for (std::size_t i = 0; i < p; ++i) {
      row_[i + 1] = row_[i] + columns[i].active.size() * (first_[p] - first_[i + 1]);
    }
    counts_.assign(row_[p], 0);
    if (counts_.empty()) return;
    // A block of every bitmap together should fit half a megabyte of second-level cache.
    const std::size_t block = std::clamp<std::size_t>(
        (std::size_t{1} << 18) / sizeof(Word) / std::max<std::size_t>(first_[p], 1) / 32 * 32, 64,
        4096);
    const double work = static_cast<double>(counts_.size()) * static_cast<double>(words);
    // Each task owns the counts of some rows of the pair matrix: no sharing, same sums.
    const std::size_t tasks = work > 4e7 && threads > 1 ? std::min<std::size_t>(p, 8 * threads) : 1;
    parallel_for(tasks, tasks == 1 ? 1 : threads, [&](std::size_t task) {
      for (std::size_t w = 0; w < words; w += block) {
        const std::size_t length = std::min(block, words - w);
        for (std::size_t i = task; i < p; i += tasks) {
          count_row(columns, kernels, i, w, length);
          breathe();
        }
      }
    });
  }

  bool ready() const { return !row_.empty(); }

  // The counted cells of pair i < j: active levels of i by active levels of j, the latter fastest.
  const Count* cells(std::size_t i, std::size_t j) const { return counts_.data() + offset(i, j); }

  std::size_t bytes() const { return counts_.size() * sizeof(Count); }

 private:
  std::size_t offset(std::size_t i, std::size_t j) const {
    return row_[i] + (first_[i + 1] - first_[i]) * (first_[j] - first_[i + 1]);
  }

  void count_row(const std::vector<Column>& columns, const Kernels& kernels, std::size_t i,
                 std::size_t w, std::size_t length) {
    for (std::size_t j = i + 1; j < columns.size(); ++j) {
      Count* cell = counts_.data() + offset(i, j);
      for (std::size_t a = 0; a < columns[i].active.size(); ++a) {
        const Word* bits = columns[i].bitmap(a) + w;
        for (std::size_t b = 0; b < columns[j].active.size(); ++b) {
          *cell++ +=
              static_cast<Count>(kernels.and_popcount(bits, columns[j].bitmap(b) + w, length));
        }
      }
    }
  }

  std::vector<std::size_t> first_;  // running number of active levels
  std::vector<std::size_t> row_;    // where the pairs (i, .) start
  std::vector<Count> counts_;
};

}  // namespace privpc
