// From records to noisy contrasts: the one step in which marginal_pc touches the data.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "privpc/counts/table.hpp"
#include "privpc/marginals/contrasts.hpp"
#include "privpc/marginals/measurements.hpp"
#include "privpc/privacy/scaled_gaussian.hpp"
#include "privpc/statistic/batch.hpp"
#include "privpc/statistic/interaction_contrasts.hpp"

namespace privpc {

// The noise variance s2 of weight 1, in counts, that `rho` buys for the batch.
inline double batch_noise(const Schema& schema, const Batch& batch, Rho rho) {
  return batch_l2_squared(schema, batch) / (2 * rho.value());
}

inline Announcement announcement_of(const Schema& schema, const Batch& batch, unsigned threads) {
  const auto pairs = std::count_if(batch.begin(), batch.end(),
                                   [](const BatchItem& item) { return item.set.size() == 2; });
  const double p = static_cast<double>(schema.size());
  return {[&batch](const Announcement::Visit& visit) {
            for (const BatchItem& item : batch)
              visit(item.set);
          },
          static_cast<double>(pairs) > p * (p - 1) / 4, threads};
}

// The number of records as a public number, where it is a secret: one table more, with a cell and
// no variables. At least 1, so that shares can be formed.
inline std::uint64_t measure_records(TableSource& source, Rho rho, Ledger& ledger,
                                     RandomBits& bits) {
  const Batch count{{VariableSet{}, 1}};
  const Schema secret = source.schema().for_added_and_removed(0);
  source.announce(announcement_of(secret, count, 1));
  const auto records = BatchContrasts::of(source, count, secret);
  const ScaledGaussianMechanism mechanism(rho, records.sensitivity(), {1}, ledger.accounting());
  const std::int64_t noisy = mechanism.release(records, ledger, bits, "number of records")[0];
  const double rows = std::round(static_cast<double>(noisy) / as_real(source.unit()));
  return static_cast<std::uint64_t>(std::clamp(rows, 1.0, static_cast<double>(kMaxRows)));
}

// Measures a batch for `rho`; the schema of `store` says what a neighbour is. The contrast c of the
// set A is a whole number t_c; divided by its length l_c it is orthonormal, and divided by l_c /
// sqrt(w_A), its unit, the whole batch has the sensitivity of batch_l2_squared(). See
// scaled_gaussian.hpp for the noise.
inline void measure_batch(TableSource& source, const Batch& batch, Rho rho, Ledger& ledger,
                          RandomBits& bits, const std::string& target, Measurements& store,
                          unsigned threads = 1) {
  if (batch.empty()) return;
  source.announce(announcement_of(store.schema(), batch, threads));
  std::vector<double> units;
  std::vector<std::vector<double>> lengths;
  for (const BatchItem& item : batch) {
    lengths.push_back(contrast_lengths(levels_of(store.schema(), item.set)));
    for (double length : lengths.back())
      units.push_back(length / std::sqrt(item.weight));
  }
  const auto contrasts = BatchContrasts::of(source, batch, store.schema());
  const ScaledGaussianMechanism mechanism(rho, contrasts.sensitivity(), units, ledger.accounting());
  const std::vector<std::int64_t> noisy = mechanism.release(contrasts, ledger, bits, target);
  // From whole numbers to shares; a unit is a part of a person, where they have several records.
  const double rows = as_real(source.unit()) * store.rows();
  std::size_t at = 0;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    Measured measured;
    const double sigma = mechanism.sigma(at) / lengths[b][0] / rows;
    measured.variance = sigma * sigma;
    for (double length : lengths[b])
      measured.values.push_back(static_cast<double>(noisy[at++]) / length / rows);
    store.add(batch[b].set, std::move(measured));
  }
}

}  // namespace privpc
