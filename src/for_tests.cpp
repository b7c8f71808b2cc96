// What only the tests, the audits and the benchmarks call: looks into the rooms of the core, and
// many runs of a mechanism in a row. Nothing of it is exported to users, and no function for users
// comes through here.
#include <Rcpp.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "data_input.h"
#include "graph_input.h"
#include "measurements_io.h"
#include "price_input.h"
#include "privpc/base/monitor.hpp"
#include "privpc/graph/cpdag.hpp"
#include "privpc/graph/orient.hpp"
#include "privpc/learners/select_pairs.hpp"
#include "privpc/privacy/exponential.hpp"
#include "privpc/privacy/laplace_gaussian.hpp"
#include "privpc/privacy/samplers.hpp"
#include "privpc/privacy/sieve_and_examine.hpp"
#include "privpc/privacy/smooth_median.hpp"
#include "privpc/privacy/sparse_vector.hpp"
#include "random_input.h"

namespace privpc {

// Looks into what a source of tables gave. Only here and in the unit tests of the core.
class PeekForTests {
 public:
  template <class T>
  static T into(const Sealed<T>& sealed) {
    const NotPrivateKey not_private;
    return sealed.open(not_private);
  }
};

}  // namespace privpc

using namespace privpc;

namespace {

using Stream = Rcpp::XPtr<RandomBits>;

using Sampler = std::int64_t (*)(privpc::Dyadic, privpc::RandomBits&);

// As R's numbers: whole and exact up to 2^53.
Rcpp::NumericVector draw(int n, double scale, const Rcpp::Nullable<Rcpp::NumericVector>& seed,
                         Sampler sampler) {
  const privpc::Dyadic dyadic = privpc::dyadic_at_least(scale);
  privpc::RandomBits bits = privpc_r::open_bits(seed);
  Rcpp::NumericVector out(Rcpp::no_init(n));
  for (int i = 0; i < n; ++i) {
    if (i % 65536 == 65535) privpc::breathe();
    out[i] = static_cast<double>(sampler(dyadic, bits));
  }
  return out;
}

// One string per run: "T" above, "F" below, as far as the run went.
std::string answers_of_run(const std::vector<double>& values, SparseVector& run, double threshold,
                           Ledger& ledger, RandomBits& bits, double sensitivity) {
  std::string answers;
  run.start(threshold, ledger, bits, "");
  for (std::size_t i = 0; i < values.size() && run.running(); ++i) {
    answers += run.above(Sensitive<double>(values[i], sensitivity), bits) ? 'T' : 'F';
  }
  return answers;
}

}  // namespace

// ---- counting -----------------------------------------------------------------------------------

// A contingency table as the core counts it, for the tests: dimensions in the order of `set`.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_table(const Rcpp::List& data, const Rcpp::IntegerVector& set, bool portable,
                              double memory_cap) {
  const privpc_r::DataInput input = privpc_r::read_data(data);
  privpc::MemoryOptions options;
  options.portable = portable;
  options.memory_cap = static_cast<std::size_t>(memory_cap);
  privpc::MemoryTables tables(input.schema, input.columns, options);
  privpc::VariableSet variables;
  for (int z : set)
    variables.insert(static_cast<std::size_t>(z - 1));
  if (!privpc::has_dense_table(tables.schema(), variables))
    Rcpp::stop("too many cells for a table");
  const auto table = privpc::PeekForTests::into(tables.table(variables));
  return Rcpp::IntegerVector(table->counts.begin(), table->counts.end());
}

// [[Rcpp::export(rng = false)]]
std::string cpp_kernel_name() {
  return privpc::best_kernels().name;
}

// Encodes the data and counts all pairs, for the benchmarks; returns the bytes of the tables.
// [[Rcpp::export(rng = false)]]
double cpp_count_pairs(const Rcpp::List& data, int threads, bool portable) {
  const privpc_r::DataInput input = privpc_r::read_data(data);
  privpc::MemoryOptions options;
  options.portable = portable;
  options.threads = static_cast<unsigned>(threads);
  privpc::MemoryTables tables(input.schema, input.columns, options);
  tables.announce({nullptr, true, options.threads});
  return static_cast<double>(tables.memory());
}

// ---- graphs -------------------------------------------------------------------------------------

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_dag_to_cpdag(const Rcpp::IntegerMatrix& amat,
                                     const Rcpp::IntegerMatrix& required,
                                     const Rcpp::IntegerMatrix& forbidden) {
  const privpc::Knowledge knowledge = privpc_r::read_knowledge(amat.nrow(), required, forbidden);
  return privpc_r::as_matrix(privpc::dag_to_cpdag(privpc_r::read_graph(amat), knowledge), amat);
}

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_orient(const Rcpp::IntegerMatrix& skeleton, const Rcpp::IntegerVector& x,
                               const Rcpp::IntegerVector& y, const Rcpp::List& given,
                               const Rcpp::NumericVector& support,
                               const Rcpp::IntegerMatrix& required,
                               const Rcpp::IntegerMatrix& forbidden,
                               const Rcpp::IntegerVector& rank) {
  std::vector<privpc::Separation> separations;
  for (R_xlen_t i = 0; i < x.size(); ++i) {
    separations.push_back({static_cast<std::size_t>(x[i] - 1), static_cast<std::size_t>(y[i] - 1),
                           privpc_r::read_set(given[i]), support[i]});
  }
  const privpc::Knowledge knowledge =
      privpc_r::read_knowledge(skeleton.nrow(), required, forbidden);
  const privpc::Pdag graph = privpc_r::read_graph(skeleton);
  return privpc_r::as_matrix(privpc::orient(graph, privpc::colliders_of(graph, separations),
                                            knowledge, privpc_r::from_zero(rank)),
                             skeleton);
}

// ---- noise --------------------------------------------------------------------------------------

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_discrete_laplace(int n, double scale,
                                         Rcpp::Nullable<Rcpp::NumericVector> seed) {
  return draw(n, scale, seed, privpc::discrete_laplace);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_discrete_gaussian(int n, double sigma,
                                          Rcpp::Nullable<Rcpp::NumericVector> seed) {
  return draw(n, sigma, seed, privpc::discrete_gaussian);
}

// How often n events of probability exp(-numerator/denominator) happen.
// [[Rcpp::export(rng = false)]]
double cpp_count_exp_minus(int n, double numerator, double denominator,
                           Rcpp::Nullable<Rcpp::NumericVector> seed) {
  privpc::RandomBits bits = privpc_r::open_bits(seed);
  double yes = 0;
  for (int i = 0; i < n; ++i)
    yes += privpc::bernoulli_exp_minus(static_cast<std::uint64_t>(numerator),
                                       static_cast<std::uint64_t>(denominator), bits);
  return yes;
}

// The scale that is used for `x`: the next number of 24 bits.
// [[Rcpp::export(rng = false)]]
double cpp_noise_scale(double x) {
  return privpc::to_double(privpc::dyadic_at_least(x));
}

// A stream that lives from call to call, as in a mechanism that is called again and again.
// [[Rcpp::export(rng = false)]]
SEXP cpp_random_stream(Rcpp::Nullable<Rcpp::NumericVector> seed) {
  return Stream(new privpc::RandomBits(privpc_r::open_bits(seed)), true);
}

// The next n words of a stream as bytes, the lowest byte of each word first.
// [[Rcpp::export(rng = false)]]
Rcpp::RawVector cpp_random_bits(SEXP stream, int n) {
  Stream bits(stream);
  Rcpp::RawVector out(8 * static_cast<R_xlen_t>(n));
  for (R_xlen_t i = 0; i < n; ++i) {
    const std::uint64_t word = bits->next();
    for (int byte = 0; byte < 8; ++byte)
      out[8 * i + byte] = static_cast<Rbyte>(word >> (8 * byte));
  }
  return out;
}

// Smooth sensitivity of sorted values on the core's steps, for the tests.
// [[Rcpp::export(rng = false)]]
double cpp_smooth_sensitivity(const Rcpp::NumericVector& sorted_steps, double beta) {
  std::vector<std::int64_t> steps;
  for (double x : sorted_steps)
    steps.push_back(static_cast<std::int64_t>(x));
  return SmoothMedian::smooth_sensitivity(steps, beta);
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_rho_of_exponential(const Rcpp::NumericVector& epsilon) {
  Rcpp::NumericVector out(epsilon.size());
  for (R_xlen_t i = 0; i < epsilon.size(); ++i)
    out[i] = rho_of_exponential(Epsilon(epsilon[i])).value();
  return out;
}

// ---- many runs of one mechanism -----------------------------------------------------------------

// For the audits: the same classes that the users' functions call, without the way through R for
// every run.

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_runs_additive(const Rcpp::NumericVector& value, double sensitivity,
                                      double epsilon_or_rho, bool gaussian, bool whole, int times) {
  const std::vector<double> values(value.begin(), value.end());
  const Shape shape{sensitivity, values.size(), whole};
  const Price price = privpc_r::read_amount(!gaussian, epsilon_or_rho);
  const Sensitive<std::vector<double>> sealed(values, sensitivity);
  RandomBits bits = RandomBits::from_entropy();
  Rcpp::NumericMatrix out(times, static_cast<int>(values.size()));
  for (int i = 0; i < times; ++i) {
    Ledger ledger(price);
    const std::vector<double> noisy =
        gaussian ? GaussianMechanism(price.rho(), shape).release(sealed, ledger, bits, "")
                 : LaplaceMechanism(price.epsilon(), shape).release(sealed, ledger, bits, "");
    for (std::size_t j = 0; j < noisy.size(); ++j)
      out(i, static_cast<int>(j)) = noisy[j];
  }
  return out;
}

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_runs_exponential(const Rcpp::NumericVector& scores, double sensitivity,
                                         double epsilon, bool monotone, bool permute_and_flip,
                                         int times) {
  const ExponentialMechanism mechanism(
      Epsilon(epsilon), sensitivity, monotone,
      permute_and_flip ? Selection::permute_and_flip : Selection::exponential);
  const Sensitive<std::vector<double>> sealed(std::vector<double>(scores.begin(), scores.end()),
                                              sensitivity);
  RandomBits bits = RandomBits::from_entropy();
  Rcpp::IntegerVector out(times);
  for (int i = 0; i < times; ++i) {
    Ledger ledger{Epsilon(epsilon)};
    out[i] = static_cast<int>(mechanism.choose(sealed, ledger, bits, "")) + 1;
  }
  return out;
}

// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector cpp_runs_sparse_vector(const Rcpp::NumericVector& values, double threshold,
                                             double sensitivity, double epsilon, int cutoff,
                                             bool monotone, int times) {
  const std::vector<double> queries(values.begin(), values.end());
  RandomBits bits = RandomBits::from_entropy();
  Rcpp::CharacterVector out(times);
  for (int i = 0; i < times; ++i) {
    Ledger ledger{Epsilon(epsilon)};
    SparseVector run(Epsilon(epsilon), sensitivity, static_cast<std::size_t>(cutoff), monotone);
    out[i] = answers_of_run(queries, run, threshold, ledger, bits, sensitivity);
  }
  return out;
}

// Queries are sums of a column of `rows` over the sub-sample and over all rows. One string per
// run: the query the sieve stopped at, and what the examine step said.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector cpp_runs_sieve_and_examine(const Rcpp::NumericMatrix& rows, int subsample,
                                                 double threshold, double tweak, double sensitivity,
                                                 double epsilon, int times) {
  const std::uint64_t n = static_cast<std::uint64_t>(rows.nrow());
  RandomBits bits = RandomBits::from_entropy();
  Rcpp::CharacterVector out(times);
  for (int i = 0; i < times; ++i) {
    SieveAndExamine run(SieveAndExamine::Split::pure(Epsilon(epsilon)), sensitivity,
                        {static_cast<std::uint64_t>(subsample), n});
    Ledger ledger{Epsilon(epsilon)};
    const RowMask mask = run.start(threshold, tweak, ledger, bits, "");
    std::string answer = "none";
    for (int q = 0; q < rows.ncol(); ++q) {
      double on_sample = 0, on_all = 0;
      mask.for_each([&](std::size_t r) { on_sample += rows(static_cast<int>(r), q); });
      for (int r = 0; r < rows.nrow(); ++r)
        on_all += rows(r, q);
      if (!run.sieve(Sensitive<double>(on_sample, sensitivity), bits)) continue;
      const bool accepted = run.examine(Sensitive<double>(on_all, sensitivity), bits);
      answer = std::to_string(q + 1) + (accepted ? " accepted" : " refused");
      break;
    }
    out[i] = answer;
  }
  return out;
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_runs_smooth_median(const Rcpp::NumericVector& values, double lower,
                                           double upper, double epsilon, double delta,
                                           bool gaussian, int times) {
  const SmoothMedian mechanism(Epsilon(epsilon), delta, lower, upper,
                               gaussian ? AdmissibleNoise::gaussian : AdmissibleNoise::laplace);
  const Sensitive<std::vector<double>> sealed(std::vector<double>(values.begin(), values.end()), 1);
  RandomBits bits = RandomBits::from_entropy();
  Rcpp::NumericVector out(times);
  for (int i = 0; i < times; ++i) {
    Ledger ledger(Epsilon(epsilon), delta);
    out[i] = mechanism.release(sealed, ledger, bits, "");
  }
  return out;
}

// A selection of pairs of records, `times` times with a ledger of its own each: one row for every
// run, with the numbers of the chosen candidates in the order of choice. `pairs` has one row for
// every candidate and `shares` its expected table, that of the larger position running fastest.
// Without `count` a tree is selected. R/select_pairs.R says more.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_runs_pair_selection(const Rcpp::List& source,
                                            const Rcpp::IntegerMatrix& pairs,
                                            const Rcpp::List& shares,
                                            const Rcpp::Nullable<Rcpp::IntegerVector>& count,
                                            double rho, int times,
                                            const Rcpp::Nullable<Rcpp::NumericVector>& seed) {
  const auto tables = privpc_r::open_tables(source, MemoryOptions{});
  std::vector<NodePair> candidates;
  std::map<std::pair<std::size_t, std::size_t>, std::pair<int, std::vector<double>>> expected;
  for (int i = 0; i < pairs.nrow(); ++i) {
    const std::size_t x = privpc_r::read_position(pairs(i, 0));
    const std::size_t y = privpc_r::read_position(pairs(i, 1));
    candidates.push_back({x, y});
    expected[std::minmax(x, y)] = {i + 1, Rcpp::as<std::vector<double>>(shares[i])};
  }
  const PairModel model = [&](std::size_t x, std::size_t y) { return expected.at({x, y}).second; };
  RandomBits bits = privpc_r::open_bits(seed);
  Rcpp::IntegerMatrix out;
  for (int run = 0; run < times; ++run) {
    if (run % 1024 == 1023) privpc::breathe();
    Ledger ledger{Rho(rho)};
    const std::vector<NodePair> chosen =
        count.isNull() ? select_tree(*tables, candidates, model, Rho(rho), ledger, bits, "")
                       : select_top(*tables, candidates, model,
                                    static_cast<std::size_t>(Rcpp::IntegerVector(count.get())[0]),
                                    Rho(rho), ledger, bits, "");
    if (run == 0) out = Rcpp::IntegerMatrix(times, static_cast<int>(chosen.size()));
    for (std::size_t k = 0; k < chosen.size(); ++k)
      out(run, static_cast<int>(k)) = expected.at(std::minmax(chosen[k].x, chosen[k].y)).first;
  }
  return out;
}
