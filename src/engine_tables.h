// Tables that an R function counts, by asking a data base (R/engine_source.R) or by going through
// parts of the records (R/chunk_source.R). Counts are sealed as they arrive.
#pragma once

#include <Rcpp.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "privpc/counts/fetched_tables.hpp"
#include "whole_numbers.h"

namespace privpc_r {

// The function is called as count(sets, first, stage): `sets` are vectors of positions from 1,
// `first` is the number of the first cell of each set, so that cells of all sets have different
// numbers. It returns a list of parts, each a list of two columns: numbers of cells, and how many
// records are in them, or what they weigh together in units of the source.
class EngineTables : public privpc::FetchedTables {
 public:
  EngineTables(privpc::Schema schema, Rcpp::Function count, std::size_t memory_cap,
               unsigned threads, privpc::Count unit)
      : FetchedTables(std::move(schema), memory_cap, threads, unit), count_(std::move(count)) {}

 protected:
  void count(const std::vector<privpc::VariableSet>& sets, Arrivals& arrivals) override {
    constexpr double most = 9007199254740992;  // doubles are exact up to here
    std::size_t begin = 0;
    while (begin < sets.size()) {
      std::size_t end = begin;
      double cells = 0;
      while (end < sets.size() && cells + size_of(sets[end]) <= most)
        cells += size_of(sets[end++]);
      count_part(sets, begin, end, arrivals);
      begin = end;
    }
  }

 private:
  double size_of(const privpc::VariableSet& set) const { return privpc::cell_count(schema(), set); }

  void count_part(const std::vector<privpc::VariableSet>& sets, std::size_t begin, std::size_t end,
                  Arrivals& arrivals) {
    Rcpp::List positions(end - begin);
    std::vector<double> first(1, 0.0);  // one more than sets
    for (std::size_t i = begin; i < end; ++i) {
      Rcpp::IntegerVector members;
      for (auto v : sets[i])
        members.push_back(static_cast<int>(v) + 1);
      positions[i - begin] = members;
      first.push_back(first.back() + size_of(sets[i]));
    }
    const Rcpp::NumericVector numbers(first.begin(), first.end() - 1);
    const Rcpp::List parts = count_(positions, numbers, static_cast<double>(stage()));
    for (R_xlen_t p = 0; p < parts.size(); ++p) {
      const Rcpp::List part = parts[p];
      const WholeNumbers cells(part[0]), counts(part[1]);
      for (R_xlen_t i = 0; i < cells.size(); ++i) {
        const auto cell = cells[i], records = counts[i];
        // A value without a level has no cell: it was not there when the table was opened.
        if (!cell || !records || *cell < 0) arrivals.outside();
        const auto at = std::upper_bound(first.begin(), first.end(), static_cast<double>(*cell));
        const std::size_t set = static_cast<std::size_t>(at - first.begin()) - 1;
        if (set >= end - begin) arrivals.outside();
        arrivals.add(begin + set,
                     static_cast<std::uint64_t>(*cell) - static_cast<std::uint64_t>(first[set]),
                     *records);
      }
    }
  }

  Rcpp::Function count_;
};

}  // namespace privpc_r
