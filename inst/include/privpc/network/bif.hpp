// Reads a Bayesian network from BIF text.
//
// The grammar is that of "The Interchange Format for Bayesian Networks", version 0.15 (Cozman
// 1998), with the wider names of bif_lexer.hpp and as bnlearn writes
// it:
//
//   network NAME { property ...; }
//   variable NAME { type discrete [ COUNT ] { LEVEL, LEVEL }; property ...; }
//   probability ( CHILD | PARENT, PARENT ) {
//     table P, P;            every number at once
//     (LEVEL, LEVEL) P, P;   the child's distribution for one configuration of the parents
//     default P, P;          ... for the configurations that have no row
//   }
//
// Blocks may come in any order after the network block. Stricter than the format: no text
// outside blocks and comments, `table` not together with rows, every distribution complete.
#pragma once

#include <cmath>
#include <cstddef>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/network/bayes_net.hpp"
#include "privpc/network/bif_lexer.hpp"
#include "privpc/network/bif_syntax.hpp"

namespace privpc {

// How many probabilities are read at most, in all tables together: 2^25 (256 MiB). A few lines of
// text can ask for far more memory than any machine has.
inline constexpr std::size_t bif_most_probabilities = std::size_t{1} << 25;

// Turns the blocks of a document into a network: looks up names, fills the tables, and checks
// that nothing is missing, given twice or inconsistent.
class BifResolver {
 public:
  explicit BifResolver(const BifDocument& document) : document_(document) {}

  BayesNet resolve() {
    net_.name = document_.name;
    for (const BifVariable& variable : document_.variables) {
      net_.nodes.push_back({variable.name, variable.levels, {}, {}});
    }
    std::vector<std::size_t> defined_in(net_.nodes.size(), 0);
    for (const BifBlock& block : document_.blocks) {
      breathe();
      const std::size_t child = find_node(block.variables[0]);
      if (defined_in[child] != 0) {
        throw BifError(block.line, "a second probability block for `" + net_.nodes[child].name +
                                       "`, the first is in line " +
                                       std::to_string(defined_in[child]));
      }
      defined_in[child] = block.line;
      resolve_parents(block, child);
      resolve_probabilities(block, child);
    }
    for (std::size_t node = 0; node < net_.nodes.size(); ++node) {
      if (defined_in[node] == 0) {
        throw BifError(document_.variables[node].line,
                       "variable `" + net_.nodes[node].name + "` has no probability block");
      }
    }
    const std::vector<std::size_t> cycle = net_.find_cycle();
    if (!cycle.empty()) {
      std::string path;
      for (const std::size_t node : cycle)
        path += net_.nodes[node].name + " -> ";
      throw BifError(defined_in[cycle[0]],
                     "the network has a directed cycle: " + path + net_.nodes[cycle[0]].name);
    }
    return std::move(net_);
  }

 private:
  static std::string number(double value) {
    std::ostringstream stream;
    stream.imbue(std::locale::classic());
    stream << value;
    return stream.str();
  }

  std::size_t find_node(const BifToken& name) const {
    const auto found = document_.variable_of.find(std::string(name.text));
    if (found != document_.variable_of.end()) return found->second;
    throw BifError(name.line,
                   "unknown variable " + name.description() + ", it has no `variable` block");
  }

  void resolve_parents(const BifBlock& block, std::size_t child) {
    std::vector<std::size_t>& parents = net_.nodes[child].parents;
    for (std::size_t i = 1; i < block.variables.size(); ++i) {
      const std::size_t parent = find_node(block.variables[i]);
      for (const std::size_t earlier : parents) {
        if (earlier == parent) {
          throw BifError(block.variables[i].line,
                         "parent " + block.variables[i].description() + " is listed twice");
        }
      }
      parents.push_back(parent);
    }
  }

  void resolve_probabilities(const BifBlock& block, std::size_t child) {
    NetworkNode& node = net_.nodes[child];
    const std::size_t configurations = net_.configurations(child);
    if (configurations > (bif_most_probabilities - probabilities_) / node.levels.size()) {
      throw BifError(block.line, "with the table of `" + node.name +
                                     "` there are more than 33554432 " +
                                     "probabilities, which is more than can be read");
    }
    probabilities_ += configurations * node.levels.size();
    if (block.tables.size() > 1) throw BifError(block.tables[1].line, "a second `table`");
    if (block.defaults.size() > 1) throw BifError(block.defaults[1].line, "a second `default`");
    const bool has_rows = !block.rows.empty() || !block.defaults.empty();
    if (!block.tables.empty() && has_rows) {
      throw BifError(block.tables[0].line, "`table` cannot stand together with other rows");
    }
    if (block.tables.empty() && !has_rows) {
      throw BifError(block.line, "no probabilities for `" + node.name + "`");
    }
    node.probabilities.assign(node.levels.size() * configurations, 0.0);
    if (!block.tables.empty()) {
      resolve_table(block.tables[0], child, configurations);
    } else {
      resolve_rows(block, child, configurations);
    }
  }

  // The numbers of a `table` count through the variables in the order of the block's heading, the
  // last one fastest (BIF 0.15): first all configurations for the child's first level, then for
  // its second. bnlearn does not read a `table` with parents.
  void resolve_table(const BifDistribution& table, std::size_t child, std::size_t configurations) {
    NetworkNode& node = net_.nodes[child];
    const std::size_t level_count = node.levels.size();
    check_length(table, node, level_count * configurations);
    std::size_t written = 0;
    for (std::size_t level = 0; level < level_count; ++level) {
      for (std::size_t i = 0; i < configurations; ++i) {
        const std::size_t column = first_parent_fastest(child, i);
        node.probabilities[column * level_count + level] = table.probabilities[written++];
      }
    }
    for (std::size_t i = 0; i < configurations; ++i) {
      if (sums_to_one(&node.probabilities[i * level_count], level_count)) {
        normalise(child, i, table.line);
        continue;
      }
      bool other_order = configurations > 1;
      for (std::size_t j = 0; j < configurations && other_order; ++j) {
        other_order = sums_to_one(&table.probabilities[j * level_count], level_count);
      }
      throw not_a_distribution(
          child, i, table.line,
          other_order ? "; in a `table` the parents must vary faster than the child" : "");
    }
  }

  void resolve_rows(const BifBlock& block, std::size_t child, std::size_t configurations) {
    NetworkNode& node = net_.nodes[child];
    const std::size_t level_count = node.levels.size();
    std::vector<std::size_t> given_in(configurations, 0);
    for (const BifDistribution& row : block.rows) {
      breathe();
      const std::size_t column = find_configuration(row, child);
      if (given_in[column] != 0) {
        throw BifError(row.line, "a second row for the configuration " +
                                     configuration_label(child, column) +
                                     ", the first is in line " + std::to_string(given_in[column]));
      }
      given_in[column] = row.line;
      fill(row, child, column);
    }
    for (std::size_t column = 0; column < configurations; ++column) {
      if (given_in[column] != 0) continue;
      if (block.defaults.empty()) {
        throw BifError(block.line, "no row of `" + node.name + "` for the configuration " +
                                       configuration_label(child, column) + ", and no `default`");
      }
      fill(block.defaults[0], child, column);
    }
    if (!block.defaults.empty()) check_length(block.defaults[0], node, level_count);
  }

  void fill(const BifDistribution& row, std::size_t child, std::size_t column) {
    NetworkNode& node = net_.nodes[child];
    const std::size_t level_count = node.levels.size();
    check_length(row, node, level_count);
    for (std::size_t level = 0; level < level_count; ++level) {
      node.probabilities[column * level_count + level] = row.probabilities[level];
    }
    normalise(child, column, row.line);
  }

  static void check_length(const BifDistribution& given, const NetworkNode& node,
                           std::size_t expected) {
    if (given.probabilities.size() == expected) return;
    throw BifError(given.line, "expected " + std::to_string(expected) +
                                   (expected == 1 ? " probability" : " probabilities") + " for `" +
                                   node.name + "`, found " +
                                   std::to_string(given.probabilities.size()));
  }

  std::size_t find_configuration(const BifDistribution& row, std::size_t child) const {
    const std::vector<std::size_t>& parents = net_.nodes[child].parents;
    const std::vector<std::string> given = bif_items(row.configuration, parents.size());
    if (given.size() != parents.size()) {
      throw BifError(row.line, "expected " + bif_count(parents.size(), "parent level") + " for `" +
                                   net_.nodes[child].name + "`, found " +
                                   std::to_string(given.size()));
    }
    std::size_t column = 0;
    std::size_t stride = 1;
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const NetworkNode& parent = net_.nodes[parents[i]];
      std::size_t level = 0;
      while (level < parent.levels.size() && parent.levels[level] != given[i])
        ++level;
      if (level == parent.levels.size()) {
        throw BifError(row.line, "parent `" + parent.name + "` has no level `" + given[i] + "`");
      }
      column += level * stride;
      stride *= parent.levels.size();
    }
    return column;
  }

  // Configuration number `i` when the last parent varies fastest, as a column number, which
  // counts with the first parent fastest.
  std::size_t first_parent_fastest(std::size_t child, std::size_t i) const {
    const std::vector<std::size_t>& parents = net_.nodes[child].parents;
    std::size_t stride = net_.configurations(child);
    std::size_t column = 0;
    for (std::size_t k = parents.size(); k-- > 0;) {
      const std::size_t level_count = net_.nodes[parents[k]].levels.size();
      stride /= level_count;
      column += (i % level_count) * stride;
      i /= level_count;
    }
    return column;
  }

  std::string configuration_label(std::size_t child, std::size_t column) const {
    std::string label;
    for (const std::size_t parent : net_.nodes[child].parents) {
      const std::vector<std::string>& levels = net_.nodes[parent].levels;
      label += (label.empty() ? "" : ", ") + levels[column % levels.size()];
      column /= levels.size();
    }
    return "(" + label + ")";
  }

  static double sum(const double* first, std::size_t count) {
    double total = 0.0;
    for (std::size_t i = 0; i < count; ++i)
      total += first[i];
    return total;
  }

  static bool sums_to_one(const double* first, std::size_t count) {
    return std::fabs(sum(first, count) - 1.0) <= distribution_tolerance;
  }

  BifError not_a_distribution(std::size_t child, std::size_t column, std::size_t line,
                              const std::string& hint) const {
    const NetworkNode& node = net_.nodes[child];
    const std::size_t level_count = node.levels.size();
    const double total = sum(&node.probabilities[column * level_count], level_count);
    const std::string given =
        node.parents.empty() ? "" : " given " + configuration_label(child, column);
    return BifError(line, "the probabilities of `" + node.name + "`" + given + " sum to " +
                              number(total) + ", not to 1" + hint);
  }

  void normalise(std::size_t child, std::size_t column, std::size_t line) {
    NetworkNode& node = net_.nodes[child];
    const std::size_t level_count = node.levels.size();
    double* first = &node.probabilities[column * level_count];
    if (!sums_to_one(first, level_count)) throw not_a_distribution(child, column, line, "");
    const double total = sum(first, level_count);
    for (std::size_t level = 0; level < level_count; ++level)
      first[level] /= total;
  }

  const BifDocument& document_;
  std::size_t probabilities_ = 0;  // in the tables so far
  BayesNet net_;
};

// Throws BifError, with the line, when `text` is not a complete BIF network.
inline BayesNet parse_bif(std::string_view text) {
  const BifDocument document = BifReader(text).read();
  return BifResolver(document).resolve();
}

}  // namespace privpc
