// Pivoting: for sets of three and more variables only the rows where one skewed member, the
// pivot, is away from its modal level have to be looked at. A view holds the other columns'
// bitmaps compacted to those rows, grouped by the pivot's level, so that the pivot itself needs
// no AND any more. Views are shared by all threads.
//
// Making a view costs more than counting a few tables without it. Among many variables every view
// is used so often that it is made when first asked for. Among few that is not known beforehand: a
// view is made as soon as what was spent for want of it reaches its price, which is never more than
// twice the best that could have been done (the ski-rental argument of Karlin, Manasse, Rudolph and
// Sleator 1988).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "privpc/base/kernels.hpp"
#include "privpc/base/words.hpp"
#include "privpc/counts/columns.hpp"

namespace privpc {

class PivotViews {
 public:
  struct Segment {  // the rows at one level of the pivot
    std::uint32_t level;
    std::size_t offset;
    std::size_t words;
  };
  struct Layout {
    std::vector<Segment> segments;
    std::size_t words = 0;
  };

  PivotViews(const std::vector<Column>& columns, std::uint64_t rows, const Kernels& kernels,
             std::size_t memory_cap)
      : columns_(columns),
        words_(padded_words(rows)),
        kernels_(kernels),
        memory_cap_(memory_cap),
        making_word_(columns.size() > kFewVariables ? 0 : kMakingWord),
        layouts_(columns.size()),
        pivots_(columns.size()) {
    for (std::size_t p = 0; p < columns.size(); ++p) {
      Layout& layout = layouts_[p];
      layout.segments.reserve(columns[p].active.size());
      for (std::uint32_t level : columns[p].active) {
        const std::size_t words =
            padded_words(static_cast<std::uint64_t>(columns[p].counts[level]));
        layout.segments.push_back({level, layout.words, words});
        layout.words += words;
      }
    }
  }
  PivotViews(const PivotViews&) = delete;
  PivotViews& operator=(const PivotViews&) = delete;
  ~PivotViews() {
    for (auto& pivot : pivots_)
      delete pivot.load();
  }

  const Layout& layout(std::size_t pivot) const { return layouts_[pivot]; }

  // The bitmaps of `variable` in the view of `pivot`, layout(pivot).words apart, in the order of
  // the variable's active levels. Null while the view has not paid, with the words that it would
  // save this time, and when the memory set aside for views is used up.
  const Word* bits(std::size_t pivot, std::size_t variable, std::uint64_t saved_words) {
    Pivot& view =
        make_once(pivots_[pivot], [&] { return std::make_unique<Pivot>(columns_.size()); });
    std::atomic<Words*>& slot = view.columns[variable];
    Words* made = slot.load(std::memory_order_acquire);
    if (made != nullptr) return made->data();
    const std::size_t levels = columns_[variable].active.size();
    const std::size_t segments = layouts_[pivot].segments.size();
    const std::uint64_t price = making_word_ * words_ * levels * segments;
    if (view.spent[variable].fetch_add(saved_words) + saved_words < price) return nullptr;
    const std::size_t bytes = (layouts_[pivot].words * levels + 1) * sizeof(Word);
    const bool has_room = used_.fetch_add(bytes) + bytes <= memory_cap_;
    bool is_first = false;
    if (has_room)
      made = &make_once(
          slot, [&] { return compact(pivot, variable, view); }, &is_first);
    if (!is_first) used_.fetch_sub(bytes);  // no room, or another thread's is there already
    return made == nullptr ? nullptr : made->data();
  }

  std::size_t memory() const { return used_.load(); }

 private:
  // Price of looking at a word while a view is made, in words looked at while counting. Measured
  // with 100,000 to 4 million rows: 4 is best with 5 to 8 variables, 0 with 11 to 37.
  static constexpr std::uint64_t kMakingWord = 4;
  static constexpr std::size_t kFewVariables = 10;

  // Per segment the row numbers, if they are so few that picking them beats a pass over all words.
  using SparseRows = std::vector<std::vector<std::uint32_t>>;

  struct Pivot {
    explicit Pivot(std::size_t size) : columns(size), spent(size) {}
    ~Pivot() {
      delete sparse_rows.load();
      for (auto& column : columns)
        delete column.load();
    }
    std::atomic<SparseRows*> sparse_rows{nullptr};
    std::vector<std::atomic<Words*>> columns;
    std::vector<std::atomic<std::uint64_t>> spent;  // words looked at for want of the view
  };

  // Two threads may make the same thing at once; the first stays, both are equal.
  template <class T, class Make>
  static T& make_once(std::atomic<T*>& slot, const Make& make, bool* is_first = nullptr) {
    T* made = slot.load(std::memory_order_acquire);
    if (made == nullptr) {
      std::unique_ptr<T> fresh = make();
      if (slot.compare_exchange_strong(made, fresh.get(), std::memory_order_acq_rel)) {
        made = fresh.release();
        if (is_first != nullptr) *is_first = true;
      }
    }
    return *made;
  }

  std::unique_ptr<SparseRows> find_sparse_rows(std::size_t pivot) const {
    const Column& column = columns_[pivot];
    auto rows = std::make_unique<SparseRows>(column.active.size());
    for (std::size_t s = 0; s < column.active.size(); ++s) {
      const auto count = static_cast<std::size_t>(column.counts[column.active[s]]);
      if (count > words_ * 3 / 2) continue;
      (*rows)[s].reserve(count);
      for (std::size_t w = 0; w < words_; ++w) {
        for (Word m = column.bitmap(s)[w]; m != 0; m &= m - 1) {
          (*rows)[s].push_back(static_cast<std::uint32_t>(w * kWordBits + portable::lowest_bit(m)));
        }
      }
    }
    return rows;
  }

  std::unique_ptr<Words> compact(std::size_t pivot, std::size_t variable, Pivot& view) const {
    const SparseRows& sparse_rows =
        make_once(view.sparse_rows, [&] { return find_sparse_rows(pivot); });
    const Column& mask = columns_[pivot];
    const Column& source = columns_[variable];
    const Layout& layout = layouts_[pivot];
    auto out = std::make_unique<Words>(Words::zeros(layout.words * source.active.size() + 1));
    for (std::size_t a = 0; a < source.active.size(); ++a) {
      const Word* from = source.bitmap(a);
      for (std::size_t s = 0; s < layout.segments.size(); ++s) {
        Word* to = out->data() + a * layout.words + layout.segments[s].offset;
        if (!sparse_rows[s].empty()) {
          pick(from, sparse_rows[s], to);
        } else {
          // A segment that fills its last word exactly makes the kernel write a zero word after
          // it: that is the next segment's first, written later.
          kernels_.compress(mask.bitmap(s), words_, &from, &to, 1);
        }
      }
    }
    return out;
  }

  static void pick(const Word* from, const std::vector<std::uint32_t>& rows, Word* to) {
    const std::size_t n = rows.size();
    for (std::size_t i = 0; i < n; i += kWordBits) {
      const std::size_t end = i + kWordBits < n ? i + kWordBits : n;
      Word bits = 0;
      for (std::size_t j = end; j-- > i;) {
        bits = bits << 1 | (from[rows[j] / kWordBits] >> (rows[j] % kWordBits) & 1);
      }
      to[i / kWordBits] = bits;
    }
  }

  const std::vector<Column>& columns_;
  std::size_t words_;
  const Kernels& kernels_;
  std::size_t memory_cap_;
  std::uint64_t making_word_;
  std::vector<Layout> layouts_;
  std::vector<std::atomic<Pivot*>> pivots_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace privpc
