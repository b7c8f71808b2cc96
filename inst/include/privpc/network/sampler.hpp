// Draws rows from a Bayesian network: parents before children, one column after the other
// (ancestral, or forward, sampling).
//
// Rows are made in blocks, each with its own stream of random numbers, so the result depends on
// the seed and on nothing else: not on the number of threads, and not on the number of rows (the
// first rows of a longer simulation are those of a shorter one).
//
// Balanced rows are not independent: among the rows with the same levels of the parents, each level
// occurs as often as its probability says, but for less than one row. Which rows have it is random.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "privpc/base/simulation_rng.hpp"
#include "privpc/network/bayes_net.hpp"

namespace privpc {

inline constexpr std::size_t simulation_block_rows = 1024;

// A distribution as whole numbers that sum to 2^63, so that comparing a 63-bit random number with
// their partial sums hits each level with exactly weight / 2^63. A probability of zero has weight
// zero: the level never occurs. What rounding leaves goes to the likeliest level, where it is
// relatively smallest (below 2^-50 for tables that sum to one in double precision). Only
// multiplication by a power of two, truncation and integer sums: the same on every machine.
inline std::vector<std::uint64_t> integer_weights(const double* probabilities, std::size_t count) {
  constexpr std::uint64_t total = std::uint64_t{1} << 63;
  constexpr double scale = 9223372036854775808.0;  // 2^63
  double sum = 0.0;
  for (std::size_t level = 0; level < count; ++level) {
    sum += probabilities[level];
  }
  std::vector<std::uint64_t> weights(count);
  std::uint64_t given = 0;
  std::size_t likeliest = 0;
  for (std::size_t level = 0; level < count; ++level) {
    const double share = std::min(probabilities[level] / sum, 1.0);
    weights[level] = static_cast<std::uint64_t>(share * scale);
    given += weights[level];
    if (weights[level] > weights[likeliest]) likeliest = level;
  }
  weights[likeliest] += total - given;  // unsigned: right also when too much was given
  return weights;
}

class NetworkSampler {
 public:
  // Throws std::invalid_argument when the network is not valid.
  explicit NetworkSampler(const BayesNet& net) {
    net.validate();
    for (const std::size_t node : net.topological_order()) {
      steps_.push_back(make_step(net, node));
    }
  }

  // Fills rows first_row, ..., last_row - 1 of the columns (one per node of the network, in its
  // order) with level codes that start at 1. first_row must be a multiple of
  // simulation_block_rows, so that a long simulation can be made in slices.
  void fill(const std::vector<int*>& columns, std::size_t first_row, std::size_t last_row,
            std::uint64_t seed, std::size_t threads) const {
    const std::size_t first_block = first_row / simulation_block_rows;
    const std::size_t last_block =
        last_row / simulation_block_rows + (last_row % simulation_block_rows != 0);
    std::atomic<std::size_t> next_block{first_block};
    const auto work = [&] {
      std::uint32_t configuration[simulation_block_rows];
      for (std::size_t block = next_block++; block < last_block; block = next_block++) {
        const std::size_t start = block * simulation_block_rows;
        fill_block(columns, start, std::min(simulation_block_rows, last_row - start),
                   simulation_stream(seed, block), configuration);
      }
    };
    std::vector<std::thread> helpers;
    const std::size_t blocks = last_block > first_block ? last_block - first_block : 0;
    while (helpers.size() + 1 < std::min(threads, blocks)) {
      try {
        helpers.reserve(std::min(threads, blocks));
        helpers.emplace_back(work);
      } catch (const std::system_error&) {
        break;  // no more threads to be had: the others do the work
      }
    }
    work();
    for (std::thread& helper : helpers) {
      helper.join();
    }
  }

  // Fills all rows with balanced ones; `next_column` is called before each column.
  template <class Monitor>
  void fill_balanced(const std::vector<int*>& columns, std::size_t rows, std::uint64_t seed,
                     const Monitor& next_column) const {
    std::vector<std::uint32_t> configuration(rows);
    std::vector<std::size_t> order(rows);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      next_column();
      const Step& step = steps_[i];
      Xoshiro256 random = simulation_stream(seed, i);
      find_configurations(step, columns, 0, rows, configuration.data());
      // Rows in random order, then sorted by the levels of the parents.
      for (std::size_t row = 0; row < rows; ++row) {
        const auto place = static_cast<std::size_t>(random.next() % (row + 1));
        order[row] = order[place];
        order[place] = row;
      }
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return configuration[a] < configuration[b];
      });
      for (std::size_t first = 0; first < rows;) {
        std::size_t last = first + 1;
        while (last < rows && configuration[order[last]] == configuration[order[first]])
          ++last;
        fill_evenly(step, configuration[order[first]], order.data() + first, last - first,
                    random.next() >> 1, columns[step.column]);
        first = last;
      }
    }
  }

 private:
  struct Step {
    std::size_t column = 0;
    std::size_t level_count = 0;
    std::vector<std::size_t> parents;
    std::vector<std::uint32_t> strides;
    // For each configuration of the parents level_count - 1 partial sums of the weights. A draw
    // takes the level whose number is the count of partial sums at or below it.
    std::vector<std::uint64_t> thresholds;
  };

  static Step make_step(const BayesNet& net, std::size_t node) {
    const NetworkNode& self = net.nodes[node];
    Step step;
    step.column = node;
    step.level_count = self.levels.size();
    step.parents = self.parents;
    std::size_t stride = 1;
    for (const std::size_t parent : self.parents) {
      step.strides.push_back(static_cast<std::uint32_t>(stride));
      stride *= net.nodes[parent].levels.size();
    }
    if (stride > std::uint32_t{0xFFFFFFFF}) {
      throw std::invalid_argument("Node `" + self.name + "` has too many parent configurations");
    }
    step.thresholds.reserve(stride * (step.level_count - 1));
    for (std::size_t i = 0; i < self.probabilities.size(); i += step.level_count) {
      const std::vector<std::uint64_t> weights =
          integer_weights(&self.probabilities[i], step.level_count);
      std::uint64_t partial_sum = 0;
      for (std::size_t level = 0; level + 1 < step.level_count; ++level) {
        partial_sum += weights[level];
        step.thresholds.push_back(partial_sum);
      }
    }
    return step;
  }

  static void find_configurations(const Step& step, const std::vector<int*>& columns,
                                  std::size_t start, std::size_t rows,
                                  std::uint32_t* configuration) {
    std::fill(configuration, configuration + rows, 0U);
    for (std::size_t k = 0; k < step.parents.size(); ++k) {
      const int* parent = columns[step.parents[k]] + start;
      const std::uint32_t stride = step.strides[k];
      for (std::size_t row = 0; row < rows; ++row) {
        configuration[row] += stride * (static_cast<std::uint32_t>(parent[row]) - 1U);
      }
    }
  }

  // Systematic sampling (Madow and Madow 1944): the rows get the levels at the places
  // (0 + u) / count, (1 + u) / count, ... of the distribution, with one u = draw / 2^63 for all.
  static void fill_evenly(const Step& step, std::uint32_t configuration, const std::size_t* rows,
                          std::size_t count, std::uint64_t draw, int* column) {
    constexpr std::uint64_t whole = std::uint64_t{1} << 63;
    const std::size_t inner = step.level_count - 1;
    const std::uint64_t* threshold = step.thresholds.data() + inner * configuration;
    const std::uint64_t width = whole / count, left = whole % count;
    for (std::size_t i = 0; i < count; ++i) {
      // Not above 2^63 - 1; rows are fewer than 2^31, so that the products fit.
      const std::uint64_t place = width * i + left * i / count + draw / count;
      column[rows[i]] =
          1 + static_cast<int>(std::upper_bound(threshold, threshold + inner, place) - threshold);
    }
  }

  void fill_block(const std::vector<int*>& columns, std::size_t start, std::size_t rows,
                  Xoshiro256 random, std::uint32_t* configuration) const {
    for (const Step& step : steps_) {
      find_configurations(step, columns, start, rows, configuration);
      int* column = columns[step.column] + start;
      const std::size_t inner = step.level_count - 1;
      if (inner <= longest_linear_search) {
        for (std::size_t row = 0; row < rows; ++row) {
          const std::uint64_t draw = random.next() >> 1;
          const std::uint64_t* threshold = step.thresholds.data() + inner * configuration[row];
          int level = 1;
          for (std::size_t i = 0; i < inner; ++i) {
            level += threshold[i] <= draw;  // no branch: which way it goes is a coin flip
          }
          column[row] = level;
        }
      } else {
        for (std::size_t row = 0; row < rows; ++row) {
          const std::uint64_t draw = random.next() >> 1;
          const std::uint64_t* threshold = step.thresholds.data() + inner * configuration[row];
          column[row] = 1 + static_cast<int>(std::upper_bound(threshold, threshold + inner, draw) -
                                             threshold);
        }
      }
      // The last block may be short. Its unused draws are made all the same, so that the next
      // column starts where it does in a full block.
      for (std::size_t row = rows; row < simulation_block_rows; ++row) {
        random.next();
      }
    }
  }

  static constexpr std::size_t longest_linear_search = 16;

  std::vector<Step> steps_;
};

}  // namespace privpc
