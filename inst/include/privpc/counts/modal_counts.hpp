// Tables by subtraction.
//
// A table over the set S is counted only in the cells where every member is away from its modal
// level; each cell with a modal member follows from the table over S without that member:
//   N(.., modal, ..) = N_without(.., ..) - sum over the other levels l of N(.., l, ..)
// (Moebius inversion, one member after the other).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "privpc/base/kernels.hpp"
#include "privpc/base/monitor.hpp"
#include "privpc/base/words.hpp"
#include "privpc/counts/columns.hpp"
#include "privpc/counts/pivot_views.hpp"
#include "privpc/counts/table.hpp"

namespace privpc {

class ModalCounts {
 public:
  // The columns must outlive this. `memory_cap` is for views.
  ModalCounts(const std::vector<Column>& columns, std::uint64_t rows, const Kernels& kernels,
              std::size_t memory_cap)
      : columns_(columns),
        rows_(rows),
        kernels_(kernels),
        views_(columns, rows, kernels, memory_cap) {}

  std::size_t view_memory() const { return views_.memory(); }

  bool is_possible(const VariableSet& set) const {
    return std::all_of(set.begin(), set.end(), [&](auto v) { return columns_[v].has_bitmaps; });
  }

  // Than going through the rows.
  bool is_cheaper(const VariableSet& set) const { return is_cheaper(set, choose_pivot(set)); }

  // Fills a table of zeros. without(set) gives the table of a set with one member less.
  template <class Without>
  void count(Table& table, const Without& without) {
    count_minority(table, choose_pivot(table.variables));
    for (std::size_t i = 0; i < table.variables.size(); ++i) {
      const auto part = without(table.variables.without_position(i));
      const std::size_t inner = table.stride(i);
      fill_level(table.counts.data(), part->counts.data(), columns_[table.variables[i]],
                 part->counts.size() / inner, inner);
    }
  }

  // Cells in which a later member is modal get a value that is overwritten when that member's
  // turn comes; the cells read for it are final by then.
  static void fill_level(Count* cells, const Count* without, const Column& column,
                         std::size_t outer, std::size_t inner) {
    for (std::size_t o = 0; o < outer; ++o) {
      Count* block = cells + o * column.levels * inner;
      Count* modal = block + column.modal * inner;
      std::copy(without + o * inner, without + (o + 1) * inner, modal);
      for (std::uint32_t level : column.active) {
        const Count* other = block + level * inner;
        for (std::size_t c = 0; c < inner; ++c)
          modal[c] -= other[c];
      }
    }
  }

 private:
  // The member for which the remaining work (rows to look at times combinations) is least.
  std::size_t choose_pivot(const VariableSet& set) const {
    std::size_t best = 0;
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < set.size(); ++i) {
      const Column& c = columns_[set[i]];
      const double work = static_cast<double>(c.minority(rows_)) /
                          static_cast<double>(std::max<std::size_t>(c.active.size(), 1));
      if (work < least) {
        least = work;
        best = i;
      }
    }
    return best;
  }

  // Combinations of active levels of all members but the pivot.
  double combinations(const VariableSet& set, std::size_t pivot) const {
    double product = 1;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (i != pivot) product *= static_cast<double>(columns_[set[i]].active.size());
    }
    return product;
  }

  // Measured: about 0.1 ns per word and combination, 0.5 ns per row and member.
  static constexpr double kAndNanoseconds = 0.1;
  static constexpr double kCodeNanoseconds = 0.5;

  bool is_cheaper(const VariableSet& set, std::size_t pivot) const {
    const double words = static_cast<double>(views_.layout(set[pivot]).words);
    return kAndNanoseconds * words * combinations(set, pivot) <
           kCodeNanoseconds * static_cast<double>(rows_) * static_cast<double>(set.size());
  }

  // By which counting in the view of the pivot is shorter than on all rows.
  std::uint64_t words_saved(const VariableSet& set, std::size_t pivot) const {
    const PivotViews::Layout& layout = views_.layout(set[pivot]);
    const std::uint64_t all = padded_words(rows_) * layout.segments.size();
    return static_cast<std::uint64_t>(static_cast<double>(all - layout.words) *
                                      combinations(set, pivot));
  }

  // Bitmaps of one member as the recursion sees them: one per active level, `spacing` apart.
  struct Member {
    const Word* bits;
    std::size_t spacing;
    const Column* column;
    std::size_t stride;
  };

  void count_minority(Table& table, std::size_t pivot) {
    const VariableSet& set = table.variables;
    const PivotViews::Layout& layout = views_.layout(set[pivot]);
    std::array<Member, kMaxSetSize> members;
    std::size_t size = 0;
    bool viewed = set.size() > 2;
    const std::uint64_t saved = viewed ? words_saved(set, pivot) / (set.size() - 1) : 0;
    for (std::size_t i = 0; i < set.size() && set.size() > 2; ++i) {
      if (i == pivot) continue;
      const Word* bits = views_.bits(set[pivot], set[i], saved);
      viewed = viewed && bits != nullptr;
      members[size++] = {bits, layout.words, &columns_[set[i]], table.stride(i)};
    }
    if (!viewed) {
      size = 0;
      for (std::size_t i = 0; i < set.size(); ++i) {
        const Column& column = columns_[set[i]];
        members[size++] = {column.bitmaps.data(), column.spacing, &column, table.stride(i)};
      }
    }
    // Few levels first: fewer intermediate ANDs.
    std::sort(members.begin(), members.begin() + size, [](const Member& a, const Member& b) {
      return a.column->active.size() < b.column->active.size();
    });
    // One for every member between the first and the last; mostly one or two, which need no heap.
    const std::size_t buffered = size > 2 ? size - 2 : 0;
    alignas(kAlignment) std::array<Word, 2 * kBlockWords> on_stack;
    Words on_heap(buffered > 2 ? buffered * kBlockWords : 0);
    Word* buffers = buffered > 2 ? on_heap.data() : on_stack.data();
    const auto count_range = [&](std::size_t base, std::size_t offset, std::size_t words) {
      for (std::size_t w = 0; w < words; w += kBlockWords) {
        breathe();
        count_block(table.counts.data() + base, members.data(), size, nullptr, offset + w,
                    std::min(kBlockWords, words - w), buffers);
      }
    };
    if (viewed) {
      const std::size_t stride = table.stride(pivot);
      for (const auto& s : layout.segments)
        count_range(s.level * stride, s.offset, s.words);
    } else {
      count_range(0, 0, padded_words(rows_));
    }
  }

  static constexpr std::size_t kBlockWords = 1024;  // 8 KB of each bitmap at a time

  // `so_far` is the AND of the members already passed on this block, or null at the start.
  void count_block(Count* cells, const Member* member, std::size_t members_left, const Word* so_far,
                   std::size_t offset, std::size_t words, Word* buffers) const {
    const std::vector<std::uint32_t>& active = member->column->active;
    for (std::size_t a = 0; a < active.size(); ++a) {
      const Word* bits = member->bits + a * member->spacing + offset;
      Count* at = cells + active[a] * member->stride;
      if (members_left == 1) {
        *at += static_cast<Count>(so_far == nullptr ? kernels_.popcount(bits, words)
                                                    : kernels_.and_popcount(so_far, bits, words));
      } else if (so_far == nullptr) {
        count_block(at, member + 1, members_left - 1, bits, offset, words, buffers);
      } else if (kernels_.and_into(buffers, so_far, bits, words)) {
        count_block(at, member + 1, members_left - 1, buffers, offset, words,
                    buffers + kBlockWords);
      }
    }
  }

  const std::vector<Column>& columns_;
  std::uint64_t rows_;
  const Kernels& kernels_;
  PivotViews views_;
};

}  // namespace privpc
