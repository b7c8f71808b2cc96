// Records of small networks, for tests of searches on noisy tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "privpc/base/simulation_rng.hpp"
#include "privpc/counts/memory_tables.hpp"
#include "privpc/graph/pdag.hpp"
#include "privpc/learners/marginal_pc.hpp"
#include "privpc/network/sampler.hpp"

namespace privpc_test {

using privpc::BayesNet;
using privpc::Pdag;

inline double next_uniform(privpc::Xoshiro256& random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

// Node v has the given parents (all before it) and a random table. `contrast`: 0 makes all
// distributions even, 1 lets them be anything.
inline BayesNet random_tables(const std::vector<std::vector<std::size_t>>& parents,
                              const std::vector<std::size_t>& levels, double contrast,
                              std::uint64_t seed) {
  privpc::Xoshiro256 random = privpc::simulation_stream(seed, 0);
  BayesNet net;
  for (std::size_t v = 0; v < parents.size(); ++v) {
    privpc::NetworkNode node;
    node.name = "v" + std::to_string(100 + v);
    for (std::size_t l = 0; l < levels[v]; ++l)
      node.levels.push_back(std::to_string(l));
    node.parents = parents[v];
    net.nodes.push_back(node);
    std::vector<double>& table = net.nodes.back().probabilities;
    for (std::size_t s = 0; s < net.configurations(v); ++s) {
      std::vector<double> weights;
      double sum = 0;
      for (std::size_t l = 0; l < levels[v]; ++l) {
        weights.push_back(1 - contrast + contrast * 4 * next_uniform(random) + 0.02);
        sum += weights.back();
      }
      for (double weight : weights)
        table.push_back(weight / sum);
    }
  }
  return net;
}

inline Pdag graph_of_net(const BayesNet& net) {
  Pdag dag(static_cast<int>(net.nodes.size()));
  for (std::size_t v = 0; v < net.nodes.size(); ++v) {
    for (std::size_t parent : net.nodes[v].parents)
      dag.add_directed(static_cast<int>(parent), static_cast<int>(v));
  }
  return dag;
}

struct Simulated {
  Simulated(const BayesNet& net, std::size_t rows, std::uint64_t seed)
      : codes(net.nodes.size(), std::vector<int>(rows)) {
    std::vector<int*> columns;
    std::vector<privpc::Variable> variables;
    std::vector<privpc::ColumnInput> inputs(codes.size());
    for (std::size_t v = 0; v < codes.size(); ++v) {
      columns.push_back(codes[v].data());
      inputs[v].codes = codes[v].data();
      variables.push_back({net.nodes[v].name,
                           static_cast<std::uint32_t>(net.nodes[v].levels.size()), false, false});
    }
    privpc::NetworkSampler(net).fill(columns, 0, rows, seed, 1);
    tables = std::make_unique<privpc::MemoryTables>(privpc::Schema(variables, rows), inputs,
                                                    privpc::MemoryOptions());
  }

  const privpc::Schema& schema() const { return tables->schema(); }

  // All singles and pairs, and the triples that are asked for.
  privpc::Measurements measure(double rho, std::uint64_t seed,
                               const std::vector<privpc::VariableSet>& more = {}) {
    const privpc::Knowledge none(static_cast<int>(codes.size()));
    privpc::Batch batch = privpc::all_pairs(schema(), none, privpc::NoisyRules(), 1);
    for (const privpc::VariableSet& set : more)
      batch.push_back({set, 1});
    privpc::Ledger ledger{privpc::Rho(rho * 1.001)};
    privpc::RandomBits bits = privpc::RandomBits::from_seed(seed);
    privpc::Measurements store(schema());
    privpc::measure_batch(*tables, batch, privpc::Rho(rho), ledger, bits, "test", store);
    return store;
  }

  std::vector<std::vector<int>> codes;
  std::unique_ptr<privpc::MemoryTables> tables;
};

}  // namespace privpc_test
