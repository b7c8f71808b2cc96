// Which records of a person are kept, where only so many of each person count.
//
// THE RULE is fixed per person: it looks at this person's records alone, so that replacing a person
// changes nothing about the others' records. (Numbering all persons, or drawing one random choice
// for all records in turn, would let one person change which records of others count.) It is the
// same in R and in a data base, where records have no order:
//
//  - by time, where a column says which record comes first: the earliest ones, a missing time last;
//    of records at the same time the one with the lower level in the first variable (by name) in
//    which they differ.
//  - else by a hash: the records in the order of the MD5 of the text "id|level|level|...|copy",
//    with the levels' numbers in the order of the variables' names. Records that agree in all
//    levels are copies 1, 2, ... of each other, so that a level that a person has often is kept as
//    often as it should be. In this order chance alone decides, but it is always the same chance.
//
// Records that this does not tell apart agree in all that is counted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "privpc/base/md5.hpp"
#include "privpc/base/monitor.hpp"
#include "privpc/base/number_text.hpp"
#include "privpc/counts/columns.hpp"
#include "privpc/schema/person_weights.hpp"

namespace privpc {

// Whose records they are. The arrays must outlive what is made of them.
struct PersonInput {
  const std::int32_t* person = nullptr;  // of each record, from 1
  std::vector<std::string> ids;  // of each person, as text; only the rule by hash reads them
  const double* time = nullptr;  // of each record, null for the rule by hash
};

class KeptRecords {
 public:
  // `kept()[r]` is the number of records that are kept of the person whose record r is, and 0 if
  // record r is not among them.
  KeptRecords(const PersonInput& input, const std::vector<ColumnInput>& columns,
              std::size_t records, unsigned most)
      : input_(input), columns_(columns), kept_(records, 0) {
    person_unit(most);  // refuses an impossible number
    const std::vector<std::size_t> first = sort_by_person();
    std::vector<std::uint32_t> own;
    for (std::size_t p = 0; p + 1 < first.size(); ++p) {
      if (p % 256 == 0) breathe();
      const std::size_t count = first[p + 1] - first[p];
      if (count == 0) throw std::invalid_argument("every person must have a record");
      own.assign(by_person_.begin() + static_cast<std::ptrdiff_t>(first[p]),
                 by_person_.begin() + static_cast<std::ptrdiff_t>(first[p + 1]));
      if (count > most) {
        put_in_order(own, p);
        own.resize(most);
      }
      for (std::uint32_t r : own)
        kept_[r] = static_cast<std::uint8_t>(own.size());
    }
  }

  const std::vector<std::uint8_t>& kept() const { return kept_; }
  std::vector<std::uint8_t> take() { return std::move(kept_); }

 private:
  // The records of one person after those of the other; returns where each person's begin.
  std::vector<std::size_t> sort_by_person() {
    std::vector<std::size_t> first(input_.ids.size() + 1, 0);
    for (std::size_t r = 0; r < kept_.size(); ++r) {
      const auto p = static_cast<std::size_t>(input_.person[r]);
      if (input_.person[r] < 1 || p >= first.size()) {
        throw std::invalid_argument("a record belongs to a person that there is not");
      }
      ++first[p];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::size_t> next(first.begin(), first.end());
    by_person_.resize(kept_.size());
    for (std::size_t r = 0; r < kept_.size(); ++r) {
      const auto p = static_cast<std::size_t>(input_.person[r]) - 1;
      by_person_[next[p]++] = static_cast<std::uint32_t>(r);
    }
    return first;
  }

  void put_in_order(std::vector<std::uint32_t>& own, std::size_t person) const {
    const auto by_levels = [&](std::uint32_t a, std::uint32_t b) { return compare(a, b) < 0; };
    if (input_.time != nullptr) {
      std::sort(own.begin(), own.end(), [&](std::uint32_t a, std::uint32_t b) {
        const int times = compare_times(input_.time[a], input_.time[b]);
        return times != 0 ? times < 0 : by_levels(a, b);
      });
      return;
    }
    std::sort(own.begin(), own.end(), by_levels);
    std::vector<std::pair<std::string, std::uint32_t>> hashed;
    std::size_t copy = 1;
    for (std::size_t i = 0; i < own.size(); ++i) {
      copy = i > 0 && compare(own[i - 1], own[i]) == 0 ? copy + 1 : 1;
      hashed.emplace_back(Md5::hex(text_of(input_.ids[person], own[i], copy)), own[i]);
    }
    std::sort(hashed.begin(), hashed.end());
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] = hashed[i].second;
  }

  static int compare_times(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) - std::isnan(b);
    return (a > b) - (a < b);
  }

  int compare(std::uint32_t a, std::uint32_t b) const {
    for (const ColumnInput& column : columns_) {
      if (column.values != nullptr) {
        const double x = column.values[a], y = column.values[b];
        if (x != y) return x < y ? -1 : 1;
      } else if (column.codes[a] != column.codes[b]) {
        return column.codes[a] < column.codes[b] ? -1 : 1;
      }
    }
    return 0;
  }

  std::string text_of(const std::string& id, std::uint32_t record, std::size_t copy) const {
    std::string text = id;
    for (const ColumnInput& column : columns_) {
      text += '|';
      if (column.values != nullptr) {
        // Adding 0 takes the sign off a zero: equal values have one text.
        text += digits_text(column.values[record] + 0.0, 17);
      } else {
        text += std::to_string(column.codes[record]);
      }
    }
    return text + '|' + std::to_string(copy);
  }

  const PersonInput& input_;
  const std::vector<ColumnInput>& columns_;
  std::vector<std::uint8_t> kept_;
  std::vector<std::uint32_t> by_person_;
};

}  // namespace privpc
