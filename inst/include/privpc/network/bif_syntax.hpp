// The syntax of BIF: text in, the blocks as written out. Names are not looked up here.
#pragma once

#include <cstddef>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "privpc/base/monitor.hpp"
#include "privpc/network/bayes_net.hpp"
#include "privpc/network/bif_lexer.hpp"

namespace privpc {

struct BifVariable {
  std::string name;
  std::vector<std::string> levels;
  std::size_t line = 0;
};

struct BifDistribution {
  std::vector<BifToken> configuration;
  std::vector<double> probabilities;
  std::size_t line = 0;
};

struct BifBlock {
  std::vector<BifToken> variables;  // the child first
  std::vector<BifDistribution> tables;
  std::vector<BifDistribution> rows;
  std::vector<BifDistribution> defaults;
  std::size_t line = 0;
};

// Tokens in it point into the text that was read.
struct BifDocument {
  std::string name;
  std::vector<BifVariable> variables;
  std::unordered_map<std::string, std::size_t> variable_of;  // by name
  std::vector<BifBlock> blocks;
};

inline std::string bif_count(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// Levels with a blank in them, not quoted, are written by some programs: `Very High, Low`.
// Where the plain reading does not give the expected number of items, and the one that only
// splits at commas does, the latter is meant.
inline std::vector<std::string> bif_items(const std::vector<BifToken>& words,
                                          std::size_t expected) {
  std::vector<std::string> plain;
  std::vector<std::string> grouped;
  for (const BifToken& word : words) {
    plain.emplace_back(word.text);
    if (grouped.empty() || word.after_comma) {
      grouped.emplace_back(word.text);
    } else {
      grouped.back().append(" ").append(word.text);
    }
  }
  return plain.size() != expected && grouped.size() == expected ? grouped : plain;
}

class BifReader {
 public:
  // `text` must outlive the reader and what it reads.
  explicit BifReader(std::string_view text) : lexer_(text) {}

  BifDocument read() {
    parse_network_block();
    while (lexer_.peek().kind != BifToken::Kind::end) {
      breathe();
      if (lexer_.peek().is_word("variable")) {
        parse_variable_block();
      } else if (lexer_.peek().is_word("probability")) {
        parse_probability_block();
      } else {
        throw unexpected("a `variable` or `probability` block");
      }
    }
    if (document_.variables.empty()) throw unexpected("a `variable` block");
    return std::move(document_);
  }

 private:
  BifError unexpected(const std::string& expected) const {
    const BifToken& found = lexer_.peek();
    return BifError(found.line, "expected " + expected + ", found " + found.description());
  }

  void expect_symbol(char symbol, const std::string& where) {
    if (!lexer_.peek().is_symbol(symbol)) {
      throw unexpected("`" + std::string(1, symbol) + "` " + where);
    }
    lexer_.next();
  }

  BifToken expect_name(const std::string& what) {
    if (!lexer_.peek().is_name()) throw unexpected(what);
    if (lexer_.peek().text.empty()) {
      throw BifError(lexer_.peek().line, "expected " + what + ", found an empty name");
    }
    return lexer_.next();
  }

  // Names up to `closing`, which is eaten too.
  std::vector<BifToken> read_names(char closing, const std::string& what) {
    std::vector<BifToken> names;
    while (!lexer_.peek().is_symbol(closing)) {
      names.push_back(expect_name(what + " or `" + std::string(1, closing) + "`"));
    }
    lexer_.next();
    return names;
  }

  // True when the block goes on with a statement other than a property.
  bool next_statement(const std::string& block, std::size_t start_line) {
    while (lexer_.peek().is_word("property"))
      lexer_.skip_property();
    if (lexer_.peek().kind == BifToken::Kind::end) {
      throw BifError(lexer_.peek().line, "the " + block + " block that starts in line " +
                                             std::to_string(start_line) + " is not closed by `}`");
    }
    if (!lexer_.peek().is_symbol('}')) return true;
    lexer_.next();
    return false;
  }

  void parse_network_block() {
    if (lexer_.peek().kind == BifToken::Kind::end) {
      throw BifError(lexer_.peek().line, "the file is empty, expected a `network` block");
    }
    if (!lexer_.peek().is_word("network")) throw unexpected("a `network` block");
    const std::size_t line = lexer_.next().line;
    while (lexer_.peek().is_name()) {
      if (!document_.name.empty()) document_.name += ' ';
      document_.name += lexer_.next().text;
    }
    expect_symbol('{', "after the network's name");
    if (next_statement("`network`", line)) throw unexpected("`property` or `}`");
  }

  void parse_variable_block() {
    lexer_.next();
    const BifToken name = expect_name("the variable's name");
    const std::string shown = "variable " + name.description();
    BifVariable variable;
    variable.name = std::string(name.text);
    variable.line = name.line;
    const auto place = document_.variable_of.emplace(variable.name, document_.variables.size());
    if (!place.second) {
      const std::size_t first = document_.variables[place.first->second].line;
      throw BifError(name.line,
                     shown + " is declared twice, first in line " + std::to_string(first));
    }
    expect_symbol('{', "after the name of " + shown);
    while (next_statement(shown, name.line)) {
      if (!lexer_.peek().is_word("type")) throw unexpected("`type`, `property` or `}`");
      if (!variable.levels.empty()) {
        throw BifError(lexer_.peek().line, shown + " has a second `type`");
      }
      variable.levels = parse_levels(shown);
    }
    if (variable.levels.empty()) throw BifError(name.line, shown + " has no `type`");
    document_.variables.push_back(std::move(variable));
  }

  std::vector<std::string> parse_levels(const std::string& variable) {
    lexer_.next();
    if (!lexer_.peek().is_word("discrete")) {
      throw unexpected("`discrete` (no other type can be read)");
    }
    lexer_.next();
    expect_symbol('[', "before the number of levels");
    const std::size_t line = lexer_.peek().line;
    const std::size_t count = parse_count();
    expect_symbol(']', "after the number of levels");
    expect_symbol('{', "before the levels");
    const std::vector<BifToken> words = read_names('}', "a level");
    expect_symbol(';', "after the levels");
    std::vector<std::string> levels = bif_items(words, count);
    if (levels.size() != count) {
      throw BifError(line, "expected " + bif_count(count, "level") + " for " + variable +
                               ", found " + std::to_string(levels.size()));
    }
    std::unordered_map<std::string_view, bool> seen;
    for (const std::string& level : levels) {
      if (!seen.emplace(level, true).second) {
        throw BifError(line, "level `" + level + "` of " + variable + " is listed twice");
      }
    }
    return levels;
  }

  std::size_t parse_count() {
    const BifToken& token = lexer_.peek();
    std::size_t count = 0;
    bool valid = token.kind == BifToken::Kind::word && token.text.size() <= 9;
    for (const char c : token.text) {
      valid = valid && c >= '0' && c <= '9';
      if (valid) count = 10 * count + static_cast<std::size_t>(c - '0');
    }
    if (!valid || count == 0) throw unexpected("the number of levels");
    lexer_.next();
    return count;
  }

  void parse_probability_block() {
    BifBlock block;
    block.line = lexer_.next().line;
    expect_symbol('(', "after `probability`");
    block.variables.push_back(expect_name("a variable's name"));
    // BIF 0.15 takes the first name as the child with or without the bar.
    if (lexer_.peek().is_symbol('|')) lexer_.next();
    for (const BifToken& parent : read_names(')', "a parent's name")) {
      block.variables.push_back(parent);
    }
    const std::string shown = "probability ( " + block.variables[0].description() + " )";
    expect_symbol('{', "after `)`");
    while (next_statement(shown, block.line)) {
      breathe();
      const BifToken start = lexer_.peek();
      std::vector<BifDistribution>* kind = nullptr;
      if (start.is_word("table")) kind = &block.tables;
      if (start.is_word("default")) kind = &block.defaults;
      if (start.is_symbol('(')) kind = &block.rows;
      if (kind == nullptr) throw unexpected("`table`, `default`, `(`, `property` or `}`");
      lexer_.next();
      BifDistribution distribution;
      distribution.line = start.line;
      if (kind == &block.rows) distribution.configuration = read_names(')', "a parent's level");
      while (!lexer_.peek().is_symbol(';'))
        distribution.probabilities.push_back(parse_number());
      lexer_.next();
      kind->push_back(std::move(distribution));
    }
    document_.blocks.push_back(std::move(block));
  }

  double parse_number() {
    const BifToken token = lexer_.peek();
    const std::string_view text = token.text;
    std::size_t at = 0;
    const auto digits = [&] {
      const std::size_t start = at;
      while (at < text.size() && text[at] >= '0' && text[at] <= '9')
        ++at;
      return at - start;
    };
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    std::size_t mantissa = digits();
    if (at < text.size() && text[at] == '.') {
      ++at;
      mantissa += digits();
    }
    bool valid = token.kind == BifToken::Kind::word && mantissa > 0;
    if (valid && at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
      ++at;
      if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
      valid = digits() > 0;
    }
    if (!valid || at != text.size()) throw unexpected("a probability or `;`");
    // A stream in the classic locale, because strtod() may want a decimal comma and from_chars()
    // for double is missing from some standard libraries. Underflow to zero is fine; overflow
    // gives a huge number, which the next check refuses.
    std::istringstream stream{std::string(text)};
    stream.imbue(std::locale::classic());
    double value = 0.0;
    stream >> value;
    if (value < 0.0 || value > 1.0 + distribution_tolerance) {
      throw unexpected("a probability between 0 and 1");
    }
    lexer_.next();
    return value;
  }

  BifLexer lexer_;
  BifDocument document_;
};

}  // namespace privpc
