// Adapter of R/marginal_pc.R.
#include "privpc/learners/marginal_pc.hpp"

#include <Rcpp.h>

#include "data_input.h"
#include "fit_output.h"
#include "graph_input.h"
#include "measurements_io.h"
#include "noisy_rules.h"
#include "price_input.h"
#include "privpc/base/monitor.hpp"
#include "r_monitor.h"
#include "random_input.h"

namespace {

// Named numbers that differ from the defaults; for calibration (bench/calibrate.R, bench/plans.R).
void change_plan(const Rcpp::List& changes, privpc::MarginalSettings& settings) {
  const auto change = [&](const char* name, double& value) {
    if (changes.containsElementNamed(name)) value = Rcpp::as<double>(changes[name]);
  };
  privpc::StageSettings& stages = settings.stages;
  change("pairs_share", stages.pairs_share);
  change("again_share", stages.again_share);
  change("single_weight", stages.single_weight);
  change("again_single_weight", stages.again_single_weight);
  change("again_per_node", stages.again_per_node);
  change("near_p_value", stages.near_p_value);
  change("explained_share", stages.triples.explained_share);
  change("triple_noise", stages.triples.noise);
  // Of a search by score: all pairs, rounds, triples.
  if (changes.containsElementNamed("guided_shares")) {
    const auto shares = Rcpp::as<std::vector<double>>(changes["guided_shares"]);
    settings.guide.shares =
        privpc::GuidedShares{shares.front(), {shares.begin() + 1, shares.end() - 1}, shares.back()};
  }
}

}  // namespace

// Variables must be sorted by name; `nodes` are their names in the order of the columns. `rho` is
// the whole budget, which `gaussian` steps alone may spend; `selects`: pairs are selected before
// they are measured, as cpp_selects_pairs() has decided; `add_remove`: neighbours have a record
// more or less, and the number of rows is a secret; `parameter_share` is the part of it for the
// tables of the families (0: none).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_marginal_pc(const Rcpp::List& data, const Rcpp::CharacterVector& nodes, double rho,
                           bool gaussian, bool selects, bool add_remove, double parameter_share,
                           const Rcpp::List& rules, const Rcpp::List& stages,
                           const Rcpp::IntegerMatrix& required,
                           const Rcpp::IntegerMatrix& forbidden, int threads, bool portable,
                           double memory_cap, const Rcpp::Nullable<Rcpp::NumericVector>& seed,
                           const Rcpp::Nullable<Rcpp::Function>& report) {
  const auto knowledge =
      privpc_r::read_knowledge(static_cast<int>(nodes.size()), required, forbidden);
  privpc::MarginalSettings settings;
  settings.rho = privpc::Rho(rho);
  settings.parameter_share = parameter_share;
  if (add_remove) settings.neighbours = privpc::Neighbours::add_remove;
  settings.search = privpc_r::read_search(rules);
  change_plan(stages, settings);
  settings.selects = selects;
  settings.threads = static_cast<unsigned>(threads);
  const auto tables =
      privpc_r::open_tables(data, privpc_r::memory_options(threads, portable, memory_cap));
  privpc::Ledger ledger(privpc_r::read_rho(rho, gaussian));
  privpc::RandomBits bits = privpc_r::open_bits(seed);
  privpc_r::RMonitor monitor(report);
  return privpc_r::wrap_fit(
      privpc::marginal_pc(*tables, settings, knowledge, ledger, bits, &monitor),
      privpc_r::variable_names(data), nodes);
}

// Whether a fit that may spend `rho`, and on more than Gaussian steps, had better select pairs
// before it measures them.
// [[Rcpp::export(rng = false)]]
bool cpp_selects_pairs(const Rcpp::IntegerVector& levels, double rows, double rho,
                       const Rcpp::List& rules, const Rcpp::IntegerMatrix& required,
                       const Rcpp::IntegerMatrix& forbidden) {
  const auto knowledge =
      privpc_r::read_knowledge(static_cast<int>(levels.size()), required, forbidden);
  return privpc::selects_pairs(privpc_r::measured_schema(levels, rows), knowledge,
                               privpc_r::read_rules(rules), privpc::Rho(rho));
}

// `times` independent runs without knowledge, for audits. A row has all that was measured, one
// column for each set of variables (bit i of its number: variable i), all of them binary; those of
// the families follow, and the number of records if it was measured. Every value is in counts and
// divided by the variance of its noise, 0 for what was not measured: the logarithm of the
// likelihood ratio of two data sets is linear in them, whatever was chosen to be measured and how
// often. What else a fit tells is a function of them.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_runs_marginal_pc(const Rcpp::List& data, double rho, bool gaussian,
                                         bool selects, bool add_remove, double parameter_share,
                                         const Rcpp::List& rules, int times) {
  const auto tables = privpc_r::open_tables(data, privpc::MemoryOptions());
  const privpc::Knowledge knowledge(static_cast<int>(tables->schema().size()));
  privpc::RandomBits bits = privpc::RandomBits::from_entropy();
  privpc::MarginalSettings settings;
  settings.rho = privpc::Rho(rho);
  settings.parameter_share = parameter_share;
  if (add_remove) settings.neighbours = privpc::Neighbours::add_remove;
  settings.search = privpc_r::read_search(rules);
  settings.selects = selects;
  const int sets = (1 << tables->schema().size()) - 1;
  const int columns = parameter_share > 0 ? 2 * sets : sets;
  Rcpp::NumericMatrix out(times, columns + (add_remove ? 1 : 0));
  for (int i = 0; i < times; ++i) {
    if (i % 1000 == 0) privpc::breathe();
    const auto keep = [&](const privpc::Measurements& store, int first) {
      for (const auto& [set, measured] : store.entries()) {
        int number = 0;
        for (auto v : set)
          number |= 1 << v;
        out(i, first + number - 1) = measured.values[0] / (measured.variance * store.rows());
      }
    };
    privpc::Ledger ledger(privpc_r::read_rho(rho, gaussian));
    const privpc::Fit fit = privpc::marginal_pc(*tables, settings, knowledge, ledger, bits);
    keep(*fit.tables, 0);
    if (parameter_share > 0) keep(*fit.families, sets);
    // Its noise is the same in all runs.
    if (add_remove) out(i, columns) = fit.tables->rows();
  }
  return out;
}
