// What to measure next, given what was measured so far. marginal_pc() asks until there is nothing
// more to be measured; another search is another chooser.
//
// A chooser sees noisy results only. What it asks for may depend on them, the prices too: the
// ledger allows steps that are chosen from earlier outcomes (privacy/ledger.hpp).
#pragma once

#include <optional>
#include <string>

#include "privpc/marginals/measurements.hpp"
#include "privpc/privacy/amounts.hpp"
#include "privpc/statistic/batch.hpp"

namespace privpc {

struct NextBatch {
  Batch batch;
  Rho rho;
  std::string target;  // as the ledger calls it
};

class BatchChooser {
 public:
  virtual ~BatchChooser() = default;
  // Nothing once all has been measured. An empty batch is not measured and not paid for.
  virtual std::optional<NextBatch> next(const Measurements& so_far) = 0;
};

}  // namespace privpc
