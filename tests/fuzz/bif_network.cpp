// A network, written in one of the many ways that BIF allows, is the network that is read; and
// with a piece of text lost, doubled or put in, it is refused or still a network.
#include <algorithm>
#include <string>
#include <vector>

#include "bif_samples.h"
#include "fuzz_target.h"

using privpc::BayesNet;
using privpc_fuzz::Input;

namespace {

BayesNet any_net(Input& input) {
  BayesNet net;
  net.name = "n";
  const std::size_t size = 1 + input.below(5);
  for (std::size_t n = 0; n < size; ++n) {
    privpc::NetworkNode node;
    node.name = "v" + std::to_string(n);
    const std::size_t levels = 1 + input.below(4);
    for (std::size_t level = 0; level < levels; ++level)
      node.levels.push_back("l" + std::to_string(level));
    net.nodes.push_back(node);
  }
  // Parents come before their children in an order that is not that of the nodes.
  std::vector<std::size_t> order(size);
  for (std::size_t n = 0; n < size; ++n) {
    order[n] = n;
    std::swap(order[n], order[input.below(n + 1)]);
  }
  for (std::size_t at = 0; at < size; ++at) {
    auto& node = net.nodes[order[at]];
    for (std::size_t before = 0; before < at && node.parents.size() < 3; ++before) {
      if (input.coin()) node.parents.push_back(order[before]);
    }
    const std::size_t levels = node.levels.size();
    for (std::size_t column = 0; column < net.configurations(order[at]); ++column) {
      double sum = 0;
      std::vector<double> weights;
      for (std::size_t level = 0; level < levels; ++level) {
        weights.push_back(static_cast<double>(input.byte()) + (level == 0 ? 1 : 0));
        sum += weights.back();
      }
      for (double weight : weights)
        node.probabilities.push_back(weight / sum);
    }
  }
  return net;
}

// Blanks, ends of lines, comments; at times a comma, which separates only.
std::string gap(Input& input) {
  switch (input.below(12)) {
    case 0:
      return "\n";
    case 1:
      return "\r\n\t";
    case 2:
      return " // } ; ) \"\n";
    case 3:
      return " /* variable x {\n } **/ ";
    case 4:
      return " , ";
    default:
      return " ";
  }
}

std::string property(Input& input) {
  return input.below(4) == 0 ? "property see http://x.org/a\"b { } ( ;" : "";
}

std::string name_of(Input& input, const std::string& name) {
  return input.coin() ? name : '"' + name + '"';
}

std::string variable_block(Input& input, const privpc::NetworkNode& node) {
  std::string text = "variable" + gap(input) + name_of(input, node.name) + gap(input) + "{" +
                     property(input) + "type" + gap(input) + "discrete[" +
                     std::to_string(node.levels.size()) + "]" + gap(input) + "{";
  for (const std::string& level : node.levels)
    text += gap(input) + name_of(input, level);
  return text + "};" + property(input) + "}" + gap(input);
}

std::string numbers(Input& input, const std::vector<double>& values) {
  std::string text;
  for (double value : values)
    text += gap(input) + privpc_fuzz::shown(value);
  return text + ";";
}

std::vector<double> column_of(const privpc::NetworkNode& node, std::size_t column) {
  std::vector<double> out;
  for (std::size_t level = 0; level < node.levels.size(); ++level)
    out.push_back(node.probabilities[column * node.levels.size() + level]);
  return out;
}

// Which configuration of the parents is the i-th if the LAST one runs fastest.
std::size_t last_fastest(const BayesNet& net, const privpc::NetworkNode& node, std::size_t i) {
  std::vector<std::size_t> levels;
  for (auto parent = node.parents.rbegin(); parent != node.parents.rend(); ++parent) {
    levels.push_back(i % net.nodes[*parent].levels.size());
    i /= net.nodes[*parent].levels.size();
  }
  std::size_t column = 0, stride = 1;
  for (std::size_t k = 0; k < node.parents.size(); ++k) {
    column += levels[node.parents.size() - 1 - k] * stride;
    stride *= net.nodes[node.parents[k]].levels.size();
  }
  return column;
}

std::string probability_block(Input& input, const BayesNet& net, std::size_t n) {
  const auto& node = net.nodes[n];
  const std::size_t columns = net.configurations(n);
  std::string text = "probability" + gap(input) + "(" + gap(input) + name_of(input, node.name);
  if (!node.parents.empty()) text += gap(input) + (input.coin() ? "|" : "");
  for (std::size_t parent : node.parents)
    text += gap(input) + name_of(input, net.nodes[parent].name);
  text += ")" + gap(input) + "{" + property(input);
  if (input.coin()) {  // all at once: the child slowest
    std::vector<double> values;
    for (std::size_t level = 0; level < node.levels.size(); ++level) {
      for (std::size_t i = 0; i < columns; ++i)
        values.push_back(column_of(node, last_fastest(net, node, i))[level]);
    }
    return text + "table" + numbers(input, values) + "}" + gap(input);
  }
  // Rows in any order; those like the first may be left to `default`.
  const bool with_default = input.coin();
  std::vector<std::string> rows;
  if (with_default) rows.push_back("default" + numbers(input, column_of(node, 0)));
  for (std::size_t column = 0; column < columns; ++column) {
    if (with_default && column_of(node, column) == column_of(node, 0)) continue;
    std::string row = "(";
    std::size_t rest = column;
    for (std::size_t parent : node.parents) {
      const auto& levels = net.nodes[parent].levels;
      row += gap(input) + name_of(input, levels[rest % levels.size()]);
      rest /= levels.size();
    }
    rows.push_back(row + ")" + numbers(input, column_of(node, column)));
    std::swap(rows.back(), rows[input.below(rows.size())]);
  }
  for (const std::string& row : rows)
    text += row + gap(input);
  return text + "}" + gap(input);
}

std::string any_text(Input& input, const BayesNet& net) {
  std::string text = (input.coin() ? "\xEF\xBB\xBF" : "") + gap(input) + "network n {" +
                     property(input) + "}" + gap(input);
  // Blocks of probabilities may come before the variables.
  std::string later;
  for (std::size_t n = 0; n < net.nodes.size(); ++n) {
    text += variable_block(input, net.nodes[n]);
    (input.coin() ? text : later) += probability_block(input, net, n);
  }
  return text + later;
}

}  // namespace

FUZZ_TARGET(bif_network) {
  const BayesNet net = any_net(input);
  std::string text = any_text(input, net);
  const BayesNet read = privpc::parse_bif(text);
  privpc_fuzz::check_same_net(net, read);
  if (input.empty()) return;
  for (std::size_t steps = 1 + input.below(3); steps > 0 && !text.empty(); --steps) {
    const std::size_t at = input.below(text.size()), size = 1 + input.below(12);
    switch (input.below(4)) {
      case 0:
        text.erase(at, size);
        break;
      case 1:
        text.insert(at, text.substr(input.below(text.size()), size));
        break;
      case 2:
        text.insert(at, input.text(6));
        break;
      default:
        text[at] = static_cast<char>(input.byte());
    }
  }
  try {
    privpc_fuzz::check_net(privpc::parse_bif(text));
  } catch (const privpc::BifError& error) {
    FUZZ_CHECK(error.line() >= 1);
  }
}
