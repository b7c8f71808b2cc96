// Adapter of the private learners of the paper (R/priv_pc.R, svt_pc.R, em_pc.R, sg_pc.R). What
// leaves it was made by mechanisms or is public.
#include <Rcpp.h>

#include "fit_output.h"
#include "graph_input.h"
#include "paper_input.h"
#include "privpc/base/monitor.hpp"
#include "r_monitor.h"
#include "random_input.h"

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_private_pc(const Rcpp::List& data, const Rcpp::CharacterVector& nodes,
                          const Rcpp::List& settings, const Rcpp::IntegerMatrix& required,
                          const Rcpp::IntegerMatrix& forbidden,
                          const Rcpp::Nullable<Rcpp::NumericVector>& seed,
                          const Rcpp::Nullable<Rcpp::Function>& report) {
  const privpc_r::PaperInput run(settings);
  const auto knowledge =
      privpc_r::read_knowledge(static_cast<int>(nodes.size()), required, forbidden);
  const auto tables = privpc_r::open_tables(data, run.memory);
  privpc::Ledger ledger(run.cap(tables->schema().rows()));
  privpc::RandomBits bits = privpc_r::open_bits(seed);
  privpc_r::RMonitor monitor(report);
  return privpc_r::wrap_fit(
      run.learner.learn(*tables, run.settings, knowledge, ledger, bits, &monitor),
      privpc_r::variable_names(data), nodes);
}

// `times` independent runs, each as text: all that a fit tells (edges, separating sets, tests and
// the number of steps). For audits.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector cpp_runs_private_pc(const Rcpp::List& data, const Rcpp::List& settings,
                                          const Rcpp::IntegerMatrix& required,
                                          const Rcpp::IntegerMatrix& forbidden, int times) {
  const privpc_r::PaperInput run(settings);
  const auto tables = privpc_r::open_tables(data, run.memory);
  const auto knowledge =
      privpc_r::read_knowledge(static_cast<int>(tables->schema().size()), required, forbidden);
  privpc::RandomBits bits = privpc::RandomBits::from_entropy();
  const privpc::Price cap = run.cap(tables->schema().rows());
  Rcpp::CharacterVector out(times);
  for (int i = 0; i < times; ++i) {
    if (i % 1000 == 0) privpc::breathe();
    privpc::Ledger ledger(cap);
    const privpc::Fit fit =
        run.learner.learn(*tables, run.settings, knowledge, ledger, bits, nullptr);
    std::string text;
    for (const auto& separation : fit.separations) {
      text += std::to_string(separation.x) + "-" + std::to_string(separation.y) + "|";
      for (auto z : separation.given)
        text += std::to_string(z) + ",";
      text += ";";
    }
    for (auto tests : fit.tests)
      text += " " + std::to_string(tests);
    out[i] = text + " " + std::to_string(fit.ledger.size());
  }
  return out;
}
