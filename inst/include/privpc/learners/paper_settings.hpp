// What the four learners of the paper share: their settings, and the margins they decide by.
// Defaults are functions of public facts only: the number of nodes and of pairs to be decided.
//
// They were chosen on simulated data of the seven bundled networks (5 to 37 variables) and of eight
// random ones (12 to 70); what they mean is in the files of the judges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "privpc/base/monitor.hpp"
#include "privpc/base/random_bits.hpp"
#include "privpc/counts/table.hpp"
#include "privpc/graph/knowledge.hpp"
#include "privpc/learners/fit.hpp"
#include "privpc/privacy/ledger.hpp"
#include "privpc/search/skeleton.hpp"
#include "privpc/statistic/margin_source.hpp"
#include "privpc/statistic/vote_margins.hpp"

namespace privpc {

struct PaperSettings {
  MarginRule rule;
  std::size_t blocks = 0;       // for tests by votes
  std::uint64_t sample = 0;     // rows of a sub-sample; 0 or all rows: none
  std::size_t rounds = 0;       // 0: from the plan
  std::optional<double> tweak;  // of the sieve, in noise scales
  SearchOptions search;

  PaperSettings() {
    search.max_order = 2;
    search.rule = SeparatorRule::first;
    search.most_tests = kMostTests;
  }

  static constexpr double kMostTests = 3e5;

  std::uint64_t sample_of(std::uint64_t rows) const { return sample == 0 ? rows : sample; }
};

// A learner's search once it is settled how the data are asked. Tests hand it margins of their own.
using MarginSearch = Skeleton (*)(const Schema&, MarginSource&, const PaperSettings&,
                                  const Knowledge&, Ledger&, RandomBits&, Monitor*);

// Margins by order of the values, or by votes of blocks, which are drawn here.
inline std::unique_ptr<MarginSource> margins_of(TableSource& source, const PaperSettings& settings,
                                                RandomBits& bits) {
  if (has_bounded_sensitivity(settings.rule.kind))
    return std::make_unique<OrderMargins>(source, settings.rule);
  return std::make_unique<VoteMargins>(source.blocks(settings.blocks, bits), settings.rule.kind,
                                       settings.rule.critical);
}

// The number of pairs that tests decide.
inline std::size_t open_pairs(std::size_t nodes, const Knowledge& knowledge) {
  return StartingGraph(nodes, knowledge).open.size();
}

inline Fit learn_by_margins(MarginSearch search, TableSource& source, MarginSource& margins,
                            const PaperSettings& settings, const Knowledge& knowledge,
                            Ledger& ledger, RandomBits& bits, Monitor* monitor) {
  Fit fit = directed_fit(
      search(source.schema(), margins, settings, knowledge, ledger, bits, monitor), knowledge);
  fit.ledger = ledger.entries();
  fit.repeatable = bits.reproducible();
  return fit;
}

}  // namespace privpc
