// Adapter of the private learners of the paper (R/priv_pc.R, svt_pc.R, em_pc.R, sg_pc.R). What
// leaves it was made by mechanisms or is public.
#include <Rcpp.h>

#include "graph_output.h"
#include "ledger_output.h"
#include "private_run.h"
#include "random_input.h"

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_private_pc(const Rcpp::List& data, const Rcpp::List& plan,
                          const Rcpp::IntegerMatrix& required, const Rcpp::IntegerMatrix& forbidden,
                          const Rcpp::Nullable<Rcpp::NumericVector>& seed,
                          const Rcpp::Nullable<Rcpp::Function>& report) {
  privpc_r::PrivateRun learner(data, plan);
  const privpc::Knowledge knowledge(static_cast<int>(learner.schema().size()),
                                    privpc_r::read_arcs(required), privpc_r::read_arcs(forbidden));
  privpc::Ledger ledger(learner.cap());
  privpc::RandomBits bits = privpc_r::open_bits(seed);
  privpc_r::RMonitor monitor(report);
  const privpc::Skeleton skeleton = learner.run(knowledge, ledger, bits, &monitor);
  Rcpp::List out = privpc_r::orient_and_wrap(skeleton, knowledge);
  out["ledger"] = privpc_r::wrap_entries(ledger.entries());
  return out;
}

// `times` independent runs, each as text: all that a fit tells (edges, separating sets, tests and
// the number of steps). For audits.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector cpp_runs_private_pc(const Rcpp::List& data, const Rcpp::List& plan,
                                          const Rcpp::IntegerMatrix& required,
                                          const Rcpp::IntegerMatrix& forbidden, int times) {
  privpc_r::PrivateRun learner(data, plan);
  const privpc::Knowledge knowledge(static_cast<int>(learner.schema().size()),
                                    privpc_r::read_arcs(required), privpc_r::read_arcs(forbidden));
  privpc::RandomBits bits = privpc::RandomBits::from_entropy();
  Rcpp::CharacterVector out(times);
  for (int i = 0; i < times; ++i) {
    if (i % 1000 == 0) Rcpp::checkUserInterrupt();
    privpc::Ledger ledger(learner.cap());
    const privpc::Skeleton found = learner.run(knowledge, ledger, bits, nullptr);
    std::string text;
    for (const auto& separation : found.separations) {
      text += std::to_string(separation.x) + "-" + std::to_string(separation.y) + "|";
      for (auto z : separation.given)
        text += std::to_string(z) + ",";
      text += ";";
    }
    for (auto tests : found.tests)
      text += " " + std::to_string(tests);
    out[i] = text + " " + std::to_string(ledger.size());
  }
  return out;
}
