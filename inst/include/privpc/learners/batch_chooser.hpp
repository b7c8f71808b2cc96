// What to measure next, given what was measured so far. marginal_pc() asks until there is nothing
// more to be measured; another search is another chooser.
//
// A chooser sees noisy results only. What it asks for may depend on them, the prices too: the
// ledger allows steps that are chosen from earlier outcomes (privacy/ledger.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "privpc/graph/neighbourhoods.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/privacy/amounts.hpp"
#include "privpc/statistic/batch.hpp"
#include "privpc/statistic/pair_scores.hpp"

namespace privpc {

// Room for the ledger's rounding of debits, which is outward: of a share of the budget.
inline constexpr double kRoomForRounding = 1 - 1e-9;

struct NextBatch {
  Batch batch;
  Rho rho;
  std::string target;  // as the ledger calls it
};

// Of the candidates, those pairs that are farthest from what the model expects.
struct NextSelection {
  std::vector<NodePair> candidates;
  PairModel model;
  std::size_t most;              // how many; 0: as many as connect all variables, as a tree does
  std::vector<NodePair> joined;  // connected already, for a tree
  Rho rho;
  std::string target;
};

class BatchChooser {
 public:
  virtual ~BatchChooser() = default;
  // Asked first: a selection that is needed before the next batch. What was selected comes back
  // through selected().
  virtual std::optional<NextSelection> next_selection(const Measurements&) { return std::nullopt; }
  virtual void selected(const std::vector<NodePair>&) {}
  // Nothing once all has been measured. An empty batch is not measured and not paid for.
  virtual std::optional<NextBatch> next(const Measurements& so_far) = 0;
};

}  // namespace privpc
