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
//
// In a ledger of zero-concentrated privacy the examine step may use discrete Gaussian noise
// instead, of cost rho_examine = D^2/(2 sigma^2) (Split::concentrated): its tails are far lighter
// at the same price. The run then costs rho_of_pure(e_sieve) + rho_examine; it has no pure
// guarantee.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "privpc/base/row_mask.hpp"
#include "privpc/privacy/sparse_vector.hpp"

namespace privpc {

class SieveAndExamine {
 public:
  struct Sample {
    std::uint64_t size;
    std::uint64_t rows;
  };

  // How a run's price is divided. Parts are rounded down, so that they add up to at most the whole.
  struct Split {
    Price whole;
    Epsilon sieve;
    Price examine;  // an epsilon of Laplace noise, or a rho of Gaussian

    static Split pure(Epsilon epsilon, double sieve_share = 0.5) {
      check(epsilon, sieve_share);
      const Epsilon sieve = epsilon * sieve_share * (1 - 1e-15);
      return {epsilon, sieve, Epsilon((epsilon.value() - sieve.value()) * (1 - 1e-15))};
    }
    static Split concentrated(Rho rho, double sieve_share = 0.5) {
      check(rho, sieve_share);
      const Rho sieve = rho * sieve_share * (1 - 1e-15);
      return {rho, epsilon_per_round(sieve, 1), Rho((rho.value() - sieve.value()) * (1 - 1e-15))};
    }
    static Split of(const Price& price, double sieve_share) {
      return price.is_pure() ? pure(price.epsilon(), sieve_share)
                             : concentrated(price.rho(), sieve_share);
    }

   private:
    template <class Unit>
    static void check(Amount<Unit> whole, double share) {
      checked_positive(whole);
      if (!(share > 0 && share < 1)) {
        throw std::invalid_argument("the share of the sieve must be between 0 and 1");
      }
    }
  };

  SieveAndExamine(const Split& split, double sensitivity, const Sample& sample)
      : split_(split),
        sensitivity_(checked_positive(sensitivity, "the sensitivity")),
        sample_(checked(sample)),
        sieve_epsilon_(epsilon_before_sampling(split.sieve, static_cast<double>(sample.size),
                                               static_cast<double>(sample.rows))),
        sieve_(sieve_epsilon_, sensitivity, 1, false, 0.5),
        examine_grid_(Grid::for_noise(sensitivity, sensitivity / examine_root())),
        examine_scale_(noise_scale(examine_grid_.steps_l1(sensitivity, 1), examine_root())) {}

  // Debits the run, draws the rows of the sub-sample and the threshold's noise.
  RowMask start(double threshold, double tweak, Ledger& ledger, RandomBits& bits,
                const std::string& target) {
    ledger.debit("sieve and examine", target, Cost(split_.whole));
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

  // The query the sieve stopped at, on all rows; once per run. `threshold` may be another than the
  // sieve's: it is public.
  bool examine(const Sensitive<double>& on_all_rows, double threshold, RandomBits& bits) {
    if (!may_examine_) {
      throw std::logic_error("examine comes once, after the sieve has stopped at a query");
    }
    if (on_all_rows.sensitivity() > sensitivity_) {
      throw std::invalid_argument("the query is more sensitive than the run was built for");
    }
    may_examine_ = false;
    const MechanismKey key;
    const std::int64_t noise = split_.examine.is_pure() ? discrete_laplace(examine_scale_, bits)
                                                        : discrete_gaussian(examine_scale_, bits);
    const std::int64_t noisy = examine_grid_.snap(on_all_rows.open(key)) + noise;
    return noisy >= examine_grid_.snap(threshold);
  }
  bool examine(const Sensitive<double>& on_all_rows, RandomBits& bits) {
    return examine(on_all_rows, threshold_, bits);
  }

  Epsilon sieve_epsilon() const { return sieve_epsilon_; }  // before amplification
  double examine_noise() const { return to_double(examine_scale_) * examine_grid_.step(); }
  const SparseVector& sieve_noise() const { return sieve_; }

 private:
  // Laplace scale D/epsilon; Gaussian parameter D/sqrt(2 rho).
  double examine_root() const {
    const Price& price = split_.examine;
    return price.is_pure() ? price.epsilon().value() : root_rounded_down(2 * price.rho().value());
  }

  static Sample checked(const Sample& sample) {
    if (sample.size == 0 || sample.size > sample.rows) {
      throw std::invalid_argument("the sub-sample must have at least one row and at most all");
    }
    return sample;
  }

  Split split_;
  double sensitivity_;
  Sample sample_;
  Epsilon sieve_epsilon_;
  SparseVector sieve_;
  Grid examine_grid_;
  Dyadic examine_scale_;
  double threshold_ = 0;
  bool may_examine_ = false;  // after the sieve has stopped at a query, once
};

}  // namespace privpc
