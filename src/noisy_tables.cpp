// Adapters of what is computed from the noisy tables of a fit: R/relearn.R, R/measured.R,
// R/retest.R. All of it is public and costs nothing.
#include <Rcpp.h>

#include "fit_output.h"
#include "graph_input.h"
#include "measurements_io.h"
#include "noisy_rules.h"
#include "privpc/learners/marginal_pc.hpp"
#include "privpc/marginals/noisy_test.hpp"
#include "privpc/marginals/reconstruct.hpp"
#include "privpc/search/noisy_fci.hpp"
#include "r_monitor.h"

// `sorted` are the variables as they were measured, `nodes` the same in the order of the columns.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_relearn(const Rcpp::CharacterVector& sorted, const Rcpp::CharacterVector& nodes,
                       const Rcpp::IntegerVector& levels, const Rcpp::LogicalVector& ordered,
                       double rows, const Rcpp::List& tables, const Rcpp::List& rules,
                       const Rcpp::IntegerMatrix& required, const Rcpp::IntegerMatrix& forbidden) {
  const auto knowledge =
      privpc_r::read_knowledge(static_cast<int>(levels.size()), required, forbidden);
  privpc_r::RMonitor monitor(R_NilValue);
  return privpc_r::wrap_fit(
      privpc::learn_from_tables(privpc_r::read_measurements(levels, rows, tables, ordered),
                                privpc_r::read_search(rules), knowledge, &monitor),
      sorted, nodes);
}

// The same with hidden common causes: marks with pcalg's codes, those of the graph in which marks
// need clear evidence (`clear`), and the triples whose middle may be a collider or not, one in each
// row. `decisive`: for calibration two numbers for the marks, or four for both; none for the
// defaults.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_relearn_hidden(const Rcpp::CharacterVector& sorted,
                              const Rcpp::CharacterVector& nodes, const Rcpp::IntegerVector& levels,
                              const Rcpp::LogicalVector& ordered, double rows,
                              const Rcpp::List& tables, const Rcpp::List& rules,
                              const Rcpp::IntegerMatrix& required,
                              const Rcpp::IntegerMatrix& forbidden,
                              const Rcpp::NumericVector& decisive) {
  const auto knowledge =
      privpc_r::read_knowledge(static_cast<int>(levels.size()), required, forbidden);
  const privpc::Measurements store = privpc_r::read_measurements(levels, rows, tables, ordered);
  privpc_r::RMonitor monitor(R_NilValue);
  privpc::DecisiveEvidence needed, clear = privpc::kClearEvidence;
  if (decisive.size() >= 2) needed = {decisive[0], decisive[1]};
  if (decisive.size() == 4) clear = {decisive[2], decisive[3]};
  const auto learn = [&](const privpc::DecisiveEvidence& evidence) {
    return privpc::NoisyFci(store, knowledge, privpc_r::read_rules(rules), evidence, &monitor)
        .learn();
  };
  const privpc::NoisyPag found = learn(needed), surer = learn(clear);
  const privpc_r::NodeNames names(sorted, nodes);
  const auto marks_of = [&](const privpc::Pag& graph) {
    return names.matrix([&](int x, int y) { return static_cast<int>(graph.mark_at(y, x)); });
  };
  Rcpp::CharacterMatrix undecided(static_cast<int>(found.undecided.size()), 3);
  for (int i = 0; i < undecided.nrow(); ++i) {
    const privpc::UndecidedTriple& triple = found.undecided[static_cast<std::size_t>(i)];
    undecided(i, 0) = sorted[triple.a];
    undecided(i, 1) = sorted[triple.middle];
    undecided(i, 2) = sorted[triple.c];
  }
  return Rcpp::List::create(
      Rcpp::_["marks"] = marks_of(found.graph), Rcpp::_["clear"] = marks_of(surer.graph),
      Rcpp::_["undecided"] = undecided,
      Rcpp::_["separations"] = privpc_r::wrap_separations(found.separations, names));
}

// `more` holds further measurements of the same data (of the families), or nothing.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_measured(const Rcpp::IntegerVector& levels, double rows, const Rcpp::List& tables,
                        const Rcpp::List& more, const Rcpp::IntegerVector& variables) {
  privpc::Measurements store = privpc_r::read_measurements(levels, rows, tables);
  privpc_r::read_tables(more, store);
  const privpc::NoisyTable table = privpc::reconstruct(store, privpc_r::read_set(variables));
  Rcpp::List unmeasured;
  for (const privpc::VariableSet& set : table.unmeasured)
    unmeasured.push_back(privpc_r::as_indices(set));
  return Rcpp::List::create(
      Rcpp::_["share"] = Rcpp::NumericVector(table.shares.begin(), table.shares.end()),
      Rcpp::_["se"] = table.standard_error, Rcpp::_["unmeasured"] = unmeasured);
}

// NULL if not all was measured that the test needs.
// [[Rcpp::export(rng = false)]]
SEXP cpp_retest(const Rcpp::IntegerVector& levels, const Rcpp::LogicalVector& ordered, double rows,
                const Rcpp::List& tables, int x, int y, const Rcpp::IntegerVector& given,
                double prior) {
  const privpc::Measurements store = privpc_r::read_measurements(levels, rows, tables, ordered);
  privpc::NoisyTests tests(store);
  const auto a = static_cast<std::size_t>(x - 1), b = static_cast<std::size_t>(y - 1);
  const privpc::VariableSet set = privpc_r::read_set(given);
  if (!tests.possible(a, b, set)) return R_NilValue;
  const privpc::NoisyReading reading = tests.conditional(a, b, set, prior);
  return Rcpp::List::create(
      Rcpp::_["complete"] = tests.complete(a, b, set), Rcpp::_["statistic"] = reading.statistic,
      Rcpp::_["df"] = reading.df, Rcpp::_["p.value"] = reading.p_value,
      Rcpp::_["evidence"] = reading.evidence, Rcpp::_["effect"] = reading.effect,
      Rcpp::_["effect_noise"] = reading.effect_noise);
}
