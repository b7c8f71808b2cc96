// The BIF reader: what it accepts, what it refuses and where, and that no damaged file crashes it.

#include <catch.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "privpc/network/bif.hpp"

namespace {

const std::vector<std::string> bundled = {"earthquake", "cancer", "survey", "asia",
                                          "sachs",      "child",  "alarm"};

std::string read_bundled(const std::string& name) {
  const std::string here = __FILE__;
  const std::size_t slash = here.find_last_of("/\\");
  const std::string folder = slash == std::string::npos ? "." : here.substr(0, slash);
  for (const std::string& root : {folder + "/../..", std::string("."), std::string("../..")}) {
    std::ifstream file(root + "/inst/extdata/" + name + ".bif", std::ios::binary);
    if (file) {
      return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  FAIL("cannot find the bundled network " << name);
  return "";
}

// Two binary variables; the probability block of b is the argument.
std::string two_variables(const std::string& block_of_b) {
  return "network test {\n}\n"
         "variable a {\n  type discrete [ 2 ] { yes, no };\n}\n"
         "variable b {\n  type discrete [ 3 ] { low, mid, high };\n}\n"
         "probability ( a ) {\n  table 0.2, 0.8;\n}\n" +
         block_of_b;
}

const std::string rows_of_b =
    "probability ( b | a ) {\n  (yes) 0.1, 0.2, 0.7;\n  (no) 0.3, 0.3, 0.4;\n}\n";

struct Failure {
  std::size_t line;
  std::string message;
};

Failure failure_of(const std::string& text) {
  try {
    privpc::parse_bif(text);
  } catch (const privpc::BifError& error) {
    return {error.line(), error.what()};
  }
  return {0, "no failure"};
}

void require_failure(const std::string& text, std::size_t line, const std::string& part) {
  const Failure failure = failure_of(text);
  INFO(failure.message);
  CHECK(failure.line == line);
  CHECK(failure.message.find(part) != std::string::npos);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

void check_numbers(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i] == Approx(expected[i]));
}

}  // namespace

TEST_CASE("bundled networks have their published sizes", "[bif]") {
  const std::vector<std::size_t> nodes = {5, 5, 6, 8, 11, 20, 37};
  const std::vector<std::size_t> arcs = {4, 4, 6, 8, 17, 25, 46};
  const std::vector<std::size_t> parameters = {10, 10, 21, 18, 178, 230, 509};
  for (std::size_t i = 0; i < bundled.size(); ++i) {
    INFO(bundled[i]);
    const privpc::BayesNet net = privpc::parse_bif(read_bundled(bundled[i]));
    std::size_t arc_count = 0;
    std::size_t parameter_count = 0;
    for (std::size_t node = 0; node < net.nodes.size(); ++node) {
      arc_count += net.nodes[node].parents.size();
      parameter_count += (net.nodes[node].levels.size() - 1) * net.configurations(node);
    }
    CHECK(net.nodes.size() == nodes[i]);
    CHECK(arc_count == arcs[i]);
    CHECK(parameter_count == parameters[i]);
    CHECK_NOTHROW(net.validate());
    CHECK(net.topological_order().size() == net.nodes.size());
  }
}

TEST_CASE("rows fill the table with the child fastest", "[bif]") {
  const privpc::BayesNet net = privpc::parse_bif(two_variables(rows_of_b));
  CHECK(net.name == "test");
  CHECK(net.nodes[1].parents == std::vector<std::size_t>{0});
  check_numbers(net.nodes[1].probabilities, {0.1, 0.2, 0.7, 0.3, 0.3, 0.4});
}

TEST_CASE("a table with parents counts with the last parent fastest", "[bif]") {
  const std::string text =
      "network t { }\n"
      "variable x { type discrete [ 2 ] { t, f }; }\n"
      "variable p { type discrete [ 2 ] { p0, p1 }; }\n"
      "variable q { type discrete [ 3 ] { q0, q1, q2 }; }\n"
      "probability ( p ) { table 0.5 0.5; }\n"
      "probability ( q ) { default 0.2, 0.3, 0.5; }\n"
      "probability ( x | p, q ) {\n"
      "  table 0.01, 0.02, 0.03, 0.11, 0.12, 0.13,\n"
      "        0.99, 0.98, 0.97, 0.89, 0.88, 0.87;\n}\n";
  // In memory: x fastest, then p, then q.
  const std::vector<double> expected = {0.01, 0.99, 0.11, 0.89, 0.02, 0.98,
                                        0.12, 0.88, 0.03, 0.97, 0.13, 0.87};
  check_numbers(privpc::parse_bif(text).nodes[0].probabilities, expected);
  // Headings without bar and commas mean the same.
  check_numbers(
      privpc::parse_bif(replaced(text, "( x | p, q )", "( x p q )")).nodes[0].probabilities,
      expected);
  // The other order is recognised, and refused.
  const std::string wrong =
      two_variables("probability ( b | a ) {\n  table 0.1, 0.2, 0.7, 0.3, 0.3, 0.4;\n}\n");
  require_failure(wrong, 13, "parents must vary faster");
}

TEST_CASE("the ways in which programs write BIF", "[bif]") {
  SECTION("properties, comments, quotes, no blanks, scientific numbers") {
    const privpc::BayesNet net = privpc::parse_bif(
        "// a comment\nnetwork \"my net\"{property author = me // not a comment;\n"
        "/* more\n lines * / ** */ property url = http://example.org/x;}\n"
        "variable\"light-on\"{property position = (1, 2);type discrete[2]{\"true\" \"false\"};"
        "property x;}\n"
        "variable v{type discrete[1]{only};}//end\n"
        "probability(\"light-on\"){property p = {;table 1e-1 9.E-1;}"
        "probability(v|\"light-on\"){default +1.0;(true)1;}");
    CHECK(net.name == "my net");
    CHECK(net.nodes[0].name == "light-on");
    CHECK(net.nodes[0].levels == (std::vector<std::string>{"true", "false"}));
    check_numbers(net.nodes[0].probabilities, {0.1, 0.9});
    check_numbers(net.nodes[1].probabilities, {1, 1});
  }
  SECTION("levels with signs, and with blanks") {
    const privpc::BayesNet net = privpc::parse_bif(
        "network unknown { }\n"
        "variable a { type discrete [ 6 ] { <5, 12+, Asy/Patch, 0-3_days, >=7.5, Transp. }; }\n"
        "variable b { type discrete [ 2 ] { Very High, Low }; }\n"
        "probability ( b ) { table 0.5, 0.5; }\n"
        "probability ( a | b ) { (Very High) 1, 0, 0, 0, 0, 0; (Low) 0, 0, 0, 0, 0, 1; }\n");
    CHECK(net.nodes[0].levels[0] == "<5");
    CHECK(net.nodes[0].levels[4] == ">=7.5");
    CHECK(net.nodes[1].levels[0] == "Very High");
    CHECK(net.nodes[0].probabilities[0] == 1.0);
  }
  SECTION("line ends and byte order mark") {
    const std::string text = two_variables(rows_of_b);
    std::string windows = "\xEF\xBB\xBF";
    std::string old_mac;
    for (const char c : text) {
      windows += c == '\n' ? "\r\n" : std::string(1, c);
      old_mac += c == '\n' ? '\r' : c;
    }
    CHECK(privpc::parse_bif(windows).nodes[1].levels.back() == "high");
    CHECK(privpc::parse_bif(old_mac).nodes[1].levels.back() == "high");
    for (const std::string& variant : {text, windows, old_mac}) {
      require_failure(replaced(variant, "0.3, 0.4", "0.3, x"), 14, "found `x`");
    }
  }
  SECTION("default fills what has no row; probability blocks may come first") {
    const std::string text = two_variables(
        "probability ( b | a ) {\n  default 0.5, 0.25, 0.25;\n  (no) 0.3, 0.3, 0.4;\n}\n");
    check_numbers(privpc::parse_bif(text).nodes[1].probabilities, {0.5, 0.25, 0.25, 0.3, 0.3, 0.4});
    const std::string head = "network test {\n}\n";
    const std::string moved = head + rows_of_b + two_variables("").substr(head.size());
    CHECK(privpc::parse_bif(moved).nodes[1].parents.size() == 1);
  }
}

TEST_CASE("rounded distributions are divided by their sum", "[bif]") {
  const privpc::BayesNet net =
      privpc::parse_bif(replaced(two_variables(rows_of_b), "0.1, 0.2, 0.7", "0.33, 0.33, 0.33"));
  check_numbers({net.nodes[1].probabilities[0], net.nodes[1].probabilities[2]}, {1 / 3., 1 / 3.});
  require_failure(replaced(two_variables(rows_of_b), "0.1, 0.2, 0.7", "0.3, 0.3, 0.3"), 13,
                  "given (yes) sum to 0.9");
}

TEST_CASE("a damaged file is refused with its line", "[bif]") {
  const std::string good = two_variables(rows_of_b);
  REQUIRE(failure_of(good).line == 0);
  const auto with = [&](const std::string& from, const std::string& to) {
    return replaced(good, from, to);
  };
  require_failure("", 1, "the file is empty");
  require_failure("\n// nothing\n\n", 4, "the file is empty");
  require_failure("hello", 1, "expected a `network` block, found `hello`");
  require_failure("network x {\n}\n", 3, "expected a `variable` block");
  require_failure("network x {", 1, "`network` block that starts in line 1 is not closed");
  require_failure(with("variable b", "variable a"), 6, "declared twice, first in line 3");
  require_failure(with("[ 3 ]", "[ 4 ]"), 7, "expected 4 levels for variable `b`, found 3");
  require_failure(with("[ 3 ]", "[ 1 ]"), 7, "expected 1 level for variable `b`, found 3");
  require_failure(with("[ 3 ]", "[ three ]"), 7, "expected the number of levels");
  require_failure(with("[ 3 ]", "[ 0 ]"), 7, "expected the number of levels");
  require_failure(with("[ 3 ]", "[ 99999999999999999999 ]"), 7, "expected the number of levels");
  require_failure(with("mid", "low"), 7, "level `low` of variable `b` is listed twice");
  require_failure(with("mid", "\"\""), 7, "found an empty name");
  require_failure(with("discrete [ 3 ]", "continuous [ 3 ]"), 7, "no other type");
  require_failure(with("};\n}\nvariable b", "}\n}\nvariable b"), 5,
                  "expected `;` after the levels");
  require_failure(with("type discrete [ 2 ] { yes, no };", ""), 3, "`a` has no `type`");
  require_failure(with("( b | a )", "( b | c )"), 12, "unknown variable `c`");
  require_failure(with("( b | a )", "( c | a )"), 12, "unknown variable `c`");
  require_failure(with("( b | a )", "( b | a, a )"), 12, "listed twice");
  require_failure(with("( b | a )", "( b, a | a )"), 12, "found `|`");
  require_failure(with("( b | a )", "( b | b )"), 13, "`b` has no level `yes`");
  require_failure(with("(no) 0.3, 0.3, 0.4;", ""), 12, "for the configuration (no)");
  require_failure(with("(no)", "(yes)"), 14, "second row for the configuration (yes)");
  require_failure(with("(no)", "(maybe)"), 14, "`a` has no level `maybe`");
  require_failure(with("(no)", "(no, no)"), 14, "expected 1 parent level for `b`, found 2");
  require_failure(with("0.3, 0.3, 0.4", "0.3, 0.7"), 14, "expected 3 probabilities for `b`");
  require_failure(with("0.3, 0.3, 0.4", "-0.3, 0.9, 0.4"), 14, "between 0 and 1, found `-0.3`");
  require_failure(with("0.3, 0.3, 0.4", "nan, 0.3, 0.4"), 14, "expected a probability");
  require_failure(with("0.3, 0.3, 0.4", "1e999, 0.3, 0.4"), 14, "between 0 and 1");
  require_failure(with("table 0.2, 0.8", "table 0.2, 0.9"), 10, "of `a` sum to 1.1");
  require_failure(with("table 0.2, 0.8;", ""), 9, "no probabilities for `a`");
  require_failure(with("0.8;", "0.8; table 0.2, 0.8;"), 10, "a second `table`");
  require_failure(with("0.8;", "0.8; default 0.2, 0.8;"), 10, "cannot stand together");
  require_failure(with(rows_of_b, ""), 6, "variable `b` has no probability block");
  require_failure(good + rows_of_b, 16,
                  "second probability block for `b`, the first is in line 12");
  require_failure(good + "rest", 16, "expected a `variable` or `probability` block");
  require_failure(good + "/* never\nended", 17, "comment that starts in line 16");
  require_failure(with("yes", "\"yes"), 4, "not closed by `\"`");
  // A property runs to the next `;`, which here is that of the first variable's type.
  require_failure(with("network test {", "network test { property x\n"), 10, "variable `a`");
  require_failure("network test { property x\n}\n", 3, "starts in line 1 is not ended by `;`");
  require_failure(good.substr(0, good.size() - 2), 15,
                  "block that starts in line 12 is not closed");
  require_failure(with("yes", std::string("y\0s", 3)), 4, "control character 0x00");
  require_failure(with("yes", "y\xFFs"), 4, "UTF-8");
  require_failure(with("yes", "y\xC0\x80s"), 4, "UTF-8");
  require_failure(with("( a ) {\n  table 0.2, 0.8;", "( a | b ) {\n  default 0.2, 0.8;"), 12,
                  "directed cycle: b -> a -> b");
}

TEST_CASE("a short text cannot ask for endless memory", "[bif]") {
  std::string text = "network big { }\nvariable x { type discrete [ 2 ] { t, f }; }\n";
  std::string parents;
  for (int i = 0; i < 80; ++i) {
    const std::string name = "p" + std::to_string(i);
    text += "variable " + name + " { type discrete [ 2 ] { t, f }; }\n";
    text += "probability ( " + name + " ) { table 0.5, 0.5; }\n";
    parents += " " + name;
  }
  text += "probability ( x |" + parents + " ) { default 0.5, 0.5; }\n";
  require_failure(text, 163, "more than can be read");
}

TEST_CASE("cycles are found wherever they are", "[bif]") {
  privpc::BayesNet net;
  for (const char* name : {"a", "b", "c", "d"})
    net.nodes.push_back({name, {"t", "f"}, {}, {}});
  net.nodes[1].parents = {0};
  net.nodes[3].parents = {1};
  CHECK(net.find_cycle().empty());
  net.nodes[1].parents = {0, 2};
  net.nodes[2].parents = {1};
  const std::vector<std::size_t> cycle = net.find_cycle();
  REQUIRE(cycle.size() == 2);
  CHECK(cycle[0] + cycle[1] == 3);
  net.nodes[3].parents = {3};
  net.nodes[1].parents = {0};
  CHECK(net.find_cycle() == std::vector<std::size_t>{3});
}

// Every damaged text is either a network or a BifError. Anything else (another exception, a crash,
// a report of the sanitiser) fails the test.
TEST_CASE("damaged bundled files never crash the reader", "[bif]") {
  std::size_t accepted = 0;
  std::size_t refused = 0;
  const auto try_text = [&](const std::string& text) {
    try {
      privpc::parse_bif(text).validate();
      ++accepted;
    } catch (const privpc::BifError& error) {
      ++refused;
      if (error.line() == 0 || std::string(error.what()).empty()) FAIL("no line or message");
    }
  };
  const std::string replacements("{}()[];,|\"/* \n9-.x\0\x80\xFF", 22);
  std::size_t turn = 0;
  for (const std::string& name : bundled) {
    const std::string text = read_bundled(name);
    // About 250 places in each file; the step is odd so that places differ in their context.
    const std::size_t step = (text.size() / 250) | 1;
    for (std::size_t at = 0; at < text.size(); at += step) {
      try_text(text.substr(0, at));
      try_text(text.substr(at));
      std::string damaged = text;
      damaged.erase(at, 1 + turn % 3);
      try_text(damaged);
      damaged = text;
      damaged[at] = replacements[turn % replacements.size()];
      try_text(damaged);
      damaged = text;
      damaged.insert(at, 1, replacements[(7 * turn + 3) % replacements.size()]);
      try_text(damaged);
      // Two far parts of the file change places.
      damaged = text.substr(at) + text.substr(0, at);
      try_text(damaged);
      ++turn;
    }
  }
  CHECK(turn > 1500);
  CHECK(accepted > 100);  // for instance a digit, or a letter of the network's name, was changed
  CHECK(refused > 6000);
}
