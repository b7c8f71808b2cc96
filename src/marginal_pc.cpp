#include <Rcpp.h>

#include <string>
#include <vector>

#include "data_input.h"
#include "graph_output.h"
#include "ledger_output.h"
#include "privpc/graph/extension.hpp"
#include "privpc/learners/family_tables.hpp"
#include "privpc/learners/measuring_plan.hpp"
#include "privpc/marginals/reconstruct.hpp"
#include "privpc/search/noisy_colliders.hpp"
#include "random_input.h"

using privpc::Measurements;

namespace {

privpc::VariableSet read_set(const Rcpp::IntegerVector& indices) {
  privpc::VariableSet set;
  for (int i : indices)
    set.insert(static_cast<std::size_t>(i - 1));
  return set;
}

// Sets, their contrasts and the variance of the noise: the columns of fit$measurements$tables.
Rcpp::List wrap_measurements(const Measurements& store) {
  const auto count = static_cast<R_xlen_t>(store.entries().size());
  Rcpp::List sets(count), values(count);
  Rcpp::NumericVector variance(count);
  R_xlen_t at = 0;
  for (const auto& [set, measured] : store.entries()) {
    sets[at] = privpc_r::as_indices(set);
    values[at] = Rcpp::NumericVector(measured.values.begin(), measured.values.end());
    variance[at] = measured.variance;
    ++at;
  }
  return Rcpp::List::create(Rcpp::_["sets"] = sets, Rcpp::_["values"] = values,
                            Rcpp::_["variance"] = variance);
}

privpc::Schema read_schema(const Rcpp::IntegerVector& levels, double rows) {
  std::vector<privpc::Variable> variables;
  for (int k : levels)
    variables.push_back({"", static_cast<std::uint32_t>(k), false, false});
  return privpc::Schema(std::move(variables), static_cast<std::uint64_t>(rows));
}

void read_tables(const Rcpp::List& tables, Measurements& store) {
  const Rcpp::List sets = tables["sets"], values = tables["values"];
  const Rcpp::NumericVector variance = tables["variance"];
  for (R_xlen_t i = 0; i < sets.size(); ++i) {
    const privpc::VariableSet set = read_set(sets[i]);
    const Rcpp::NumericVector numbers = values[i];
    privpc::Measured measured{std::vector<double>(numbers.begin(), numbers.end()), variance[i]};
    if (measured.values.size() != privpc::contrast_count(levels_of(store.schema(), set))) {
      Rcpp::stop("the measurements of the fit are damaged");
    }
    store.add(set, std::move(measured));
  }
}

privpc::NoisyRules read_rules(const Rcpp::List& rules) {
  privpc::NoisyRules out;
  out.alpha = Rcpp::as<double>(rules["alpha"]);
  out.prior = Rcpp::as<double>(rules["prior"]);
  out.least_effect = Rcpp::as<double>(rules["least_effect"]);
  out.max_order = static_cast<std::size_t>(Rcpp::as<int>(rules["max_order"]));
  return out;
}

// Named numbers that differ from the defaults; for calibration (bench/calibrate.R).
privpc::MeasuringPlan read_plan(const Rcpp::List& changes) {
  privpc::MeasuringPlan plan;
  const auto change = [&](const char* name, double& value) {
    if (changes.containsElementNamed(name)) value = Rcpp::as<double>(changes[name]);
  };
  change("pairs_share", plan.pairs_share);
  change("again_share", plan.again_share);
  change("single_weight", plan.single_weight);
  change("again_single_weight", plan.again_single_weight);
  change("again_per_node", plan.again_per_node);
  change("near_p_value", plan.near_p_value);
  change("explained_share", plan.explained_share);
  change("triple_noise", plan.triple_noise);
  return plan;
}

// The graph is a function of the measurements, the rules and the knowledge alone: this is all that
// marginal_pc() does after measuring, and all that relearn() does.
Rcpp::List learn(const Measurements& store, const privpc::Knowledge& knowledge,
                 const privpc::NoisyRules& rules, privpc::Monitor* monitor) {
  privpc::NoisySkeleton search(store, knowledge, rules, monitor);
  search.examine_all_orders();
  const privpc::Skeleton skeleton = search.result();
  const std::vector<privpc::Separation> colliders = privpc::collider_evidence(search, skeleton);
  return privpc_r::orient_and_wrap(skeleton, knowledge, &colliders);
}

// A directed graph of the class that the matrix (row = from) stands for.
privpc::Pdag directed_member(const Rcpp::IntegerMatrix& amat) {
  const int p = amat.nrow();
  privpc::Pdag graph(p);
  std::vector<int> rank(static_cast<std::size_t>(p));
  for (int x = 0; x < p; ++x) {
    rank[static_cast<std::size_t>(x)] = x;
    for (int y = 0; y < p; ++y) {
      if (amat(x, y) == 1 && amat(y, x) == 0) graph.add_directed(x, y);
      if (x < y && amat(x, y) == 1 && amat(y, x) == 1) graph.add_undirected(x, y);
    }
  }
  return privpc::extend_to_dag(graph, rank).dag;
}

}  // namespace

// Variables must be sorted by name. `rho` is the whole budget, `parameter_share` the part of it for
// the tables of the families (0: none).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_marginal_pc(const Rcpp::List& data, double rho, double parameter_share,
                           const Rcpp::List& rules, const Rcpp::List& plan,
                           const Rcpp::IntegerMatrix& required,
                           const Rcpp::IntegerMatrix& forbidden, int threads, bool portable,
                           double memory_cap, const Rcpp::Nullable<Rcpp::NumericVector>& seed,
                           const Rcpp::Nullable<Rcpp::Function>& report) {
  const privpc_r::DataInput input = privpc_r::read_data(data);
  const privpc::Knowledge knowledge(static_cast<int>(input.schema.size()),
                                    privpc_r::read_arcs(required), privpc_r::read_arcs(forbidden));
  const privpc::MemoryOptions memory = privpc_r::memory_options(threads, portable, memory_cap);
  privpc::MemoryTables tables(input.schema, input.columns, memory);
  const privpc::Rho whole(rho);
  privpc::Ledger ledger(whole);
  privpc::RandomBits bits = privpc_r::open_bits(seed);
  privpc_r::RMonitor monitor(report);
  const privpc::NoisyRules noisy_rules = read_rules(rules);

  privpc::MarginalMeasuring measuring(tables, knowledge, noisy_rules, whole * (1 - parameter_share),
                                      ledger, bits, memory.threads, &monitor, read_plan(plan));
  const Measurements store = measuring.run();
  Rcpp::List out = learn(store, knowledge, noisy_rules, &monitor);
  Measurements families(input.schema);
  if (parameter_share > 0) {
    const privpc::Batch batch = privpc::family_batch(tables, directed_member(out["amat"]));
    privpc::measure_batch(tables, batch, whole * parameter_share * (1 - 1e-9), ledger, bits,
                          "families", families);
  }
  out["tables"] = wrap_measurements(store);
  out["families"] = wrap_measurements(families);
  out["ledger"] = privpc_r::wrap_entries(ledger.entries());
  return out;
}

// `times` independent runs without knowledge, for audits. A row has all that was measured, one
// column for each set of variables (bit i of its number: variable i), all of them binary; those of
// the families follow. Every value is divided by the variance of its noise, 0 for what was not
// measured: the logarithm of the likelihood ratio of two data sets is linear in them, whatever the
// plan chose to measure and how often. What else a fit tells is a function of them.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_runs_marginal_pc(const Rcpp::List& data, double rho, double parameter_share,
                                         const Rcpp::List& rules, int times) {
  const privpc_r::DataInput input = privpc_r::read_data(data);
  const privpc::Knowledge knowledge(static_cast<int>(input.schema.size()));
  privpc::MemoryTables tables(input.schema, input.columns, privpc::MemoryOptions());
  privpc::RandomBits bits = privpc::RandomBits::from_entropy();
  const privpc::NoisyRules noisy_rules = read_rules(rules);
  const privpc::Rho whole(rho);
  const int sets = (1 << input.schema.size()) - 1;
  Rcpp::NumericMatrix out(times, parameter_share > 0 ? 2 * sets : sets);
  for (int i = 0; i < times; ++i) {
    if (i % 1000 == 0) Rcpp::checkUserInterrupt();
    const auto keep = [&](const Measurements& store, int first) {
      for (const auto& [set, measured] : store.entries()) {
        int number = 0;
        for (auto v : set)
          number |= 1 << v;
        out(i, first + number - 1) = measured.values[0] / measured.variance;
      }
    };
    privpc::Ledger ledger(whole);
    privpc::MarginalMeasuring measuring(tables, knowledge, noisy_rules,
                                        whole * (1 - parameter_share), ledger, bits, 1);
    const Measurements store = measuring.run();
    keep(store, 0);
    if (!(parameter_share > 0)) continue;
    const Rcpp::List found = learn(store, knowledge, noisy_rules, nullptr);
    Measurements families(input.schema);
    const privpc::Batch batch = privpc::family_batch(tables, directed_member(found["amat"]));
    privpc::measure_batch(tables, batch, whole * parameter_share * (1 - 1e-9), ledger, bits,
                          "families", families);
    keep(families, sets);
  }
  return out;
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_relearn(const Rcpp::IntegerVector& levels, double rows, const Rcpp::List& tables,
                       const Rcpp::List& rules, const Rcpp::IntegerMatrix& required,
                       const Rcpp::IntegerMatrix& forbidden) {
  Measurements store(read_schema(levels, rows));
  read_tables(tables, store);
  const privpc::Knowledge knowledge(static_cast<int>(levels.size()), privpc_r::read_arcs(required),
                                    privpc_r::read_arcs(forbidden));
  privpc_r::RMonitor monitor(R_NilValue);
  return learn(store, knowledge, read_rules(rules), &monitor);
}

// `more` holds further measurements of the same data (of the families), or nothing.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_measured(const Rcpp::IntegerVector& levels, double rows, const Rcpp::List& tables,
                        const Rcpp::List& more, const Rcpp::IntegerVector& variables) {
  Measurements store(read_schema(levels, rows));
  read_tables(tables, store);
  read_tables(more, store);
  const privpc::NoisyTable table = privpc::reconstruct(store, read_set(variables));
  Rcpp::List unmeasured;
  for (const privpc::VariableSet& set : table.unmeasured)
    unmeasured.push_back(privpc_r::as_indices(set));
  return Rcpp::List::create(
      Rcpp::_["share"] = Rcpp::NumericVector(table.shares.begin(), table.shares.end()),
      Rcpp::_["se"] = table.standard_error, Rcpp::_["unmeasured"] = unmeasured);
}

// NULL if not all was measured that the test needs.
// [[Rcpp::export(rng = false)]]
SEXP cpp_retest(const Rcpp::IntegerVector& levels, double rows, const Rcpp::List& tables, int x,
                int y, const Rcpp::IntegerVector& given, double prior) {
  Measurements store(read_schema(levels, rows));
  read_tables(tables, store);
  privpc::NoisyTests tests(store);
  const auto a = static_cast<std::size_t>(x - 1), b = static_cast<std::size_t>(y - 1);
  const privpc::VariableSet set = read_set(given);
  if (!tests.possible(a, b, set)) return R_NilValue;
  const privpc::NoisyReading reading = tests.conditional(a, b, set, prior);
  return Rcpp::List::create(
      Rcpp::_["complete"] = tests.complete(a, b, set), Rcpp::_["statistic"] = reading.statistic,
      Rcpp::_["df"] = reading.df, Rcpp::_["p.value"] = reading.p_value,
      Rcpp::_["evidence"] = reading.evidence, Rcpp::_["effect"] = reading.effect,
      Rcpp::_["effect_noise"] = reading.effect_noise);
}
