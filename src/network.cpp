// Adapters of R/read_bif.R and R/simulate.R.

#include <Rcpp.h>

#include <cstdint>
#include <string>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/network/bif.hpp"
#include "privpc/network/sampler.hpp"

namespace {

Rcpp::String utf8(const std::string& text) {
  return Rcpp::String(text, CE_UTF8);
}

Rcpp::CharacterVector utf8(const std::vector<std::string>& texts) {
  Rcpp::CharacterVector result(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    result[static_cast<R_xlen_t>(i)] = utf8(texts[i]);
  }
  return result;
}

}  // namespace

// Bad text is an ordinary outcome: list(line, message), from which R makes the error, because R
// knows the file's name and the caller.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_parse_bif(Rcpp::RawVector bytes) {
  const std::string_view text(reinterpret_cast<const char*>(RAW(bytes)),
                              static_cast<std::size_t>(bytes.size()));
  privpc::BayesNet net;
  try {
    net = privpc::parse_bif(text);
  } catch (const privpc::BifError& error) {
    return Rcpp::List::create(Rcpp::Named("line") = static_cast<double>(error.line()),
                              Rcpp::Named("message") = utf8(error.what()));
  }
  const std::size_t count = net.nodes.size();
  Rcpp::CharacterVector nodes(count);
  Rcpp::List levels(count), parents(count), probabilities(count);
  for (std::size_t i = 0; i < count; ++i) {
    privpc::breathe();
    const privpc::NetworkNode& node = net.nodes[i];
    const auto at = static_cast<R_xlen_t>(i);
    nodes[at] = utf8(node.name);
    levels[at] = utf8(node.levels);
    Rcpp::IntegerVector positions(node.parents.size());
    for (std::size_t k = 0; k < node.parents.size(); ++k) {
      positions[static_cast<R_xlen_t>(k)] = static_cast<int>(node.parents[k]) + 1;
    }
    parents[at] = positions;
    probabilities[at] = Rcpp::wrap(node.probabilities);
  }
  return Rcpp::List::create(Rcpp::Named("name") = utf8(net.name), Rcpp::Named("nodes") = nodes,
                            Rcpp::Named("levels") = levels, Rcpp::Named("parents") = parents,
                            Rcpp::Named("probabilities") = probabilities);
}

// One integer vector of level codes per node. `parents` counts nodes from 1; `seed` is a whole
// number of at most 2^53 in size.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_simulate_network(Rcpp::CharacterVector nodes, Rcpp::IntegerVector level_counts,
                                Rcpp::List parents, Rcpp::List probabilities, double rows,
                                double seed, int threads, bool balanced) {
  privpc::BayesNet net;
  for (R_xlen_t i = 0; i < nodes.size(); ++i) {
    privpc::NetworkNode node;
    node.name = Rcpp::as<std::string>(nodes[i]);
    node.levels.resize(static_cast<std::size_t>(level_counts[i]));
    for (const int parent : Rcpp::as<Rcpp::IntegerVector>(parents[i])) {
      node.parents.push_back(static_cast<std::size_t>(parent - 1));
    }
    node.probabilities = Rcpp::as<std::vector<double>>(probabilities[i]);
    net.nodes.push_back(std::move(node));
  }
  const privpc::NetworkSampler sampler(net);

  const auto row_count = static_cast<std::size_t>(rows);
  Rcpp::List result(nodes.size());
  std::vector<int*> columns;
  for (R_xlen_t i = 0; i < nodes.size(); ++i) {
    Rcpp::IntegerVector column(Rcpp::no_init(static_cast<R_xlen_t>(row_count)));
    columns.push_back(INTEGER(column));
    result[i] = column;
  }
  const auto seed_bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(seed));
  if (balanced) {
    sampler.fill_balanced(columns, row_count, seed_bits, [] { privpc::breathe(); });
    return result;
  }
  // In slices of a fraction of a second, so that Ctrl-C works in a long simulation.
  constexpr std::size_t cells = std::size_t{1} << 24;
  const std::size_t blocks = cells / columns.size() / privpc::simulation_block_rows;
  const std::size_t slice = std::max<std::size_t>(blocks, 2) * privpc::simulation_block_rows;
  for (std::size_t first = 0; first < row_count; first += slice) {
    privpc::breathe();
    sampler.fill(columns, first, std::min(first + slice, row_count), seed_bits,
                 static_cast<std::size_t>(threads));
  }
  return result;
}
