// One run of a private learner of the paper, from the settings that R hands over. Used by the
// learners and by the audits, which repeat it.
#pragma once

#include <Rcpp.h>

#include <memory>
#include <string>

#include "data_input.h"
#include "privpc/learners/private_search.hpp"
#include "privpc/statistic/vote_margins.hpp"

namespace privpc_r {

// An amount as R hands it over: a rho, or NA and then an epsilon.
inline privpc::Price read_price(double epsilon, double rho) {
  return ISNA(rho) ? privpc::Price(privpc::Epsilon(epsilon)) : privpc::Price(privpc::Rho(rho));
}

// Settings come as a list: learner, test, critical, published, epsilon, rho (what the run may cost
// on the rows it sees; NA: epsilon), subsample, rounds (0: automatic), tweak (NA: automatic),
// max_order, blocks (for g2 and chisq), threads, portable, memory_cap.
class PrivateRun {
 public:
  PrivateRun(const Rcpp::List& data, const Rcpp::List& plan)
      : input_(read_data(data)),
        cap_(read_price(Rcpp::as<double>(plan["epsilon"]), Rcpp::as<double>(plan["rho"]))) {
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

    // Such a run is on one sub-sample as a whole.
    on_sample_ =
        settings_.learner == privpc::PrivateLearner::gaussian && settings_.sample < schema().rows();

    if (!by_blocks()) {
      const privpc::MemoryOptions memory =
          memory_options(Rcpp::as<int>(plan["threads"]), Rcpp::as<bool>(plan["portable"]),
                         Rcpp::as<double>(plan["memory_cap"]));
      tables_ = std::make_unique<privpc::MemoryTables>(input_.schema, input_.columns, memory);
      tables_->prepare_pairs(memory.threads);
    }
  }

  const privpc::Schema& schema() const { return input_.schema; }
  const privpc::Price& cap() const { return cap_; }

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
  privpc::Price cap_;
  privpc::PrivateSettings settings_;
  privpc::MarginRule rule_;
  std::size_t blocks_ = 0;
  bool on_sample_ = false;
  std::unique_ptr<privpc::MemoryTables> tables_;
};

}  // namespace privpc_r
