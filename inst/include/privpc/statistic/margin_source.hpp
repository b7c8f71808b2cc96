// What a private learner asks of the data: how clearly are x and y independent given a set? The
// answer is a Sensitive number that one record moves by at most 1, at least 0 for "independent";
// only a mechanism can look at it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "privpc/counts/table.hpp"
#include "privpc/statistic/margin.hpp"

namespace privpc {

class MarginSource {
 public:
  virtual ~MarginSource() = default;
  virtual Sensitive<double> margin(std::size_t x, std::size_t y, const VariableSet& given) = 0;

  // Which tables the questions to come will need, as with TableSource.
  virtual void announce(const Announcement& announcement) { (void)announcement; }
  virtual bool counts_in_batches() const { return false; }

  // The scale of the noise that will be added, a public number, before the questions it applies to.
  virtual void expect_noise(double scale) { (void)scale; }

  // The same questions to a sub-sample of the rows.
  virtual std::unique_ptr<MarginSource> on_sample(const RowMask& mask) = 0;
};

// By Kendall's tau or Spearman's rho (statistic/margin.hpp). May be asked from several threads.
class OrderMargins : public MarginSource {
 public:
  OrderMargins(TableSource& source, const MarginRule& rule) : source_(source), rule_(rule) {}

  Sensitive<double> margin(std::size_t x, std::size_t y, const VariableSet& given) override {
    return OrderMargin::of(source_, rule_, x, y, given);
  }

  void announce(const Announcement& announcement) override { source_.announce(announcement); }
  bool counts_in_batches() const override { return source_.counts_in_batches(); }

  // The floor v0 of the variance costs c sqrt(v0) in the threshold and saves sensitivity, of which
  // it leaves c w/sqrt(v0), w = 70/81 (margin.hpp). With k scales of noise between the two
  // hypotheses the sum c sqrt(v0) + k scale c w/sqrt(v0) is least at v0 = w k scale. k = 9 suited
  // all networks that were tried; nothing depends on it sharply.
  void expect_noise(double scale) override { rule_.variance_floor = std::max(4.0, 8 * scale); }

  std::unique_ptr<MarginSource> on_sample(const RowMask& mask) override {
    auto rows = source_.sample(mask);
    auto margins = std::make_unique<OrderMargins>(*rows, rule_);
    margins->own_source_ = std::move(rows);
    return margins;
  }

 private:
  TableSource& source_;
  std::unique_ptr<TableSource> own_source_;  // of a sub-sample
  MarginRule rule_;
};

}  // namespace privpc
