// One run of a private learner of the paper, from the settings that R hands over. Used by the
// learners and by the audits, which repeat it.
#pragma once

#include <Rcpp.h>

#include <memory>
#include <string>

#include "data_input.h"
#include "privpc/privacy/renyi.hpp"
#include "privpc/search/private_search.hpp"
#include "privpc/statistic/vote_margins.hpp"

namespace privpc_r {

// Settings come as a list: learner, test, critical, published, epsilon, delta, subsample, rounds
// (0: automatic), tweak (NA: automatic), max_order, blocks (for g2 and chisq), threads, portable,
// memory_cap.
class PrivateRun {
 public:
  PrivateRun(const Rcpp::List& data, const Rcpp::List& plan) : input_(read_data(data)) {
    settings_.learner = read_learner(Rcpp::as<std::string>(plan["learner"]));
    settings_.sample = static_cast<std::uint64_t>(Rcpp::as<double>(plan["subsample"]));
    settings_.rounds = static_cast<std::size_t>(Rcpp::as<double>(plan["rounds"]));
    const double tweak = Rcpp::as<double>(plan["tweak"]);
    if (!std::isnan(tweak)) settings_.tweak = tweak;
    settings_.search.max_order = static_cast<std::size_t>(Rcpp::as<int>(plan["max_order"]));
    settings_.search.threads = static_cast<unsigned>(Rcpp::as<int>(plan["threads"]));

    rule_.kind = read_test(Rcpp::as<std::string>(plan["test"]));
    rule_.critical = Rcpp::as<double>(plan["critical"]);
    if (Rcpp::as<bool>(plan["published"])) rule_.constants = privpc::Constants::published;
    blocks_ = static_cast<std::size_t>(Rcpp::as<double>(plan["blocks"]));

    const double epsilon = Rcpp::as<double>(plan["epsilon"]);
    const double delta = Rcpp::as<double>(plan["delta"]);
    const double rows = static_cast<double>(schema().rows());
    const double sampled = static_cast<double>(settings_.sample);
    on_sample_ = settings_.learner == privpc::PrivateLearner::gaussian && sampled < rows;
    accounting_ = delta > 0 ? privpc::Accounting::zcdp : privpc::Accounting::pure;
    cap_ = delta > 0 ? privpc::rho_from_dp(epsilon, delta) : epsilon;
    // One sub-sample for the whole run: what costs this rho on it is (epsilon, delta)-private on
    // all rows (renyi.hpp).
    if (on_sample_) cap_ = privpc::subsampled_gaussian_rho(epsilon, delta, sampled, rows, 1);

    if (!by_blocks()) {
      const privpc::MemoryOptions memory =
          memory_options(Rcpp::as<int>(plan["threads"]), Rcpp::as<bool>(plan["portable"]),
                         Rcpp::as<double>(plan["memory_cap"]));
      tables_ = std::make_unique<privpc::MemoryTables>(input_.schema, input_.columns, memory);
      tables_->prepare_pairs(memory.threads);
    }
  }

  const privpc::Schema& schema() const { return input_.schema; }
  privpc::Accounting accounting() const { return accounting_; }
  double cap() const { return cap_; }

  privpc::Skeleton run(const privpc::Knowledge& knowledge, privpc::Ledger& ledger,
                       privpc::RandomBits& bits, privpc::Monitor* monitor) {
    const auto search = [&](privpc::MarginSource& margins) {
      return privpc::search_privately(schema(), margins, settings_, knowledge, ledger, bits,
                                      monitor);
    };
    if (by_blocks()) {
      const privpc::BlockTests tests(schema(), input_.columns, blocks_, bits);
      privpc::VoteMargins votes(tests, rule_.kind, rule_.critical);
      return search(votes);
    }
    privpc::OrderMargins all_rows(*tables_, rule_);
    if (!on_sample_) return search(all_rows);
    const auto below = [&](std::uint64_t k) { return bits.below(k); };
    const auto sample =
        all_rows.on_sample(privpc::RowMask::sample(schema().rows(), settings_.sample, below));
    return search(*sample);
  }

 private:
  static privpc::PrivateLearner read_learner(const std::string& name) {
    if (name == "priv_pc") return privpc::PrivateLearner::sieve;
    if (name == "svt_pc") return privpc::PrivateLearner::sparse_vector;
    if (name == "em_pc") return privpc::PrivateLearner::choice;
    if (name == "sg_pc") return privpc::PrivateLearner::gaussian;
    Rcpp::stop("unknown learner");
  }

  bool by_blocks() const {
    return rule_.kind == privpc::TestKind::g2 || rule_.kind == privpc::TestKind::chisq;
  }

  DataInput input_;
  privpc::PrivateSettings settings_;
  privpc::MarginRule rule_;
  std::size_t blocks_ = 0;
  bool on_sample_ = false;
  privpc::Accounting accounting_ = privpc::Accounting::zcdp;
  double cap_ = 0;
  std::unique_ptr<privpc::MemoryTables> tables_;
};

}  // namespace privpc_r
