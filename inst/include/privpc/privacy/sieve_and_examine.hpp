// Sieve-and-examine (Wang, Pang & Song 2020, Algorithm 1): a cheap sieve on a sub-sample finds a
// query that seems to be above the threshold, a careful look at all rows confirms it.
//
// One run with budget epsilon, half for each part (or another split):
//  sieve: sparse vector with cutoff 1, threshold T - tweak, on a fresh sub-sample of m of n rows
//    drawn without replacement, with e' = log(1 + (n/m)(exp(e_sieve) - 1)). Sampling brings e'
//    down to e_sieve (Balle, Barthe & Gaboardi 2018, replace-one). The sub-sample is
//    used for one run only and is itself never told.
//  examine: one value on all rows, discrete Laplace noise of scale D/e_examine, compared with T.
// The sieve tells the index k it stopped at (or that it did not), the examine step a yes or no
// about k: e_sieve-DP and e_examine-DP, together epsilon-DP by basic composition.
//
// Both halves are debited together, before the sub-sample is drawn: a run that was started is
// paid for, whatever it finds. (The paper's Priv-PC prints the noise of the examine step with a
// factor sqrt(n/m) although it sees all rows, and refreshes the sieve without it; here each step
// has the scale that belongs to the rows it sees.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "privpc/counts/row_mask.hpp"
#include "privpc/privacy/sparse_vector.hpp"

namespace privpc {

class SieveAndExamine {
 public:
  struct Sample {
    std::uint64_t size;
    std::uint64_t rows;
  };

  SieveAndExamine(double epsilon, double sensitivity, const Sample& sample,
                  double sieve_share = 0.5)
      : SieveAndExamine(parts(epsilon, sieve_share), sensitivity, sample) {}

  // Debits the run, draws the rows of the sub-sample and the threshold's noise.
  RowMask start(double threshold, double tweak, Ledger& ledger, RandomBits& bits,
                const std::string& target) {
    debit_pure_step(ledger, "sieve and examine", target, epsilon_);
    threshold_ = threshold;
    may_examine_ = false;
    RowMask mask =
        RowMask::sample(sample_.rows, sample_.size, [&](std::uint64_t k) { return bits.below(k); });
    sieve_.start_charged(threshold - tweak, bits);
    return mask;
  }

  bool sieving() const { return sieve_.running(); }

  // The next query's value on the sub-sample; true ends the sieve and asks for examine().
  bool sieve(const Sensitive<double>& on_sample, RandomBits& bits) {
    may_examine_ = sieve_.above(on_sample, bits);
    return may_examine_;
  }

  // The query the sieve stopped at, on all rows; once per run.
  bool examine(const Sensitive<double>& on_all_rows, RandomBits& bits) {
    if (!may_examine_) {
      throw std::logic_error("examine comes once, after the sieve has stopped at a query");
    }
    if (on_all_rows.sensitivity() > sensitivity_) {
      throw std::invalid_argument("the query is more sensitive than the run was built for");
    }
    may_examine_ = false;
    const Door door;
    const std::int64_t noisy =
        examine_grid_.snap(on_all_rows.open(door)) + discrete_laplace(examine_scale_, bits);
    return noisy >= examine_grid_.snap(threshold_);
  }

  double sieve_epsilon() const { return sieve_epsilon_; }  // before amplification
  double examine_noise() const { return to_double(examine_scale_) * examine_grid_.step(); }
  const SparseVector& sieve_noise() const { return sieve_; }

 private:
  struct Parts {
    double total, sieve, examine;
  };
  static Parts parts(double epsilon, double share) {
    checked_positive(epsilon, "epsilon");
    if (!(share > 0 && share < 1)) {
      throw std::invalid_argument("the share of the sieve must be between 0 and 1");
    }
    const double sieve = epsilon * share * (1 - 1e-15);
    return {epsilon, sieve, (epsilon - sieve) * (1 - 1e-15)};
  }

  SieveAndExamine(const Parts& budget, double sensitivity, const Sample& sample)
      : epsilon_(budget.total),
        sensitivity_(checked_positive(sensitivity, "the sensitivity")),
        sample_(checked(sample)),
        sieve_epsilon_(epsilon_before_sampling(budget.sieve, static_cast<double>(sample.size),
                                               static_cast<double>(sample.rows))),
        sieve_(sieve_epsilon_, sensitivity, 1, false, 0.5),
        examine_grid_(Grid::for_noise(sensitivity, sensitivity / budget.examine)),
        examine_scale_(noise_scale(examine_grid_.steps_l1(sensitivity, 1), budget.examine)) {}

  static Sample checked(const Sample& sample) {
    if (sample.size == 0 || sample.size > sample.rows) {
      throw std::invalid_argument("the sub-sample must have at least one row and at most all");
    }
    return sample;
  }

  double epsilon_;
  double sensitivity_;
  Sample sample_;
  double sieve_epsilon_;
  SparseVector sieve_;
  Grid examine_grid_;
  Dyadic examine_scale_;
  double threshold_ = 0;
  bool may_examine_ = false;  // after the sieve has stopped at a query, once
};

}  // namespace privpc
