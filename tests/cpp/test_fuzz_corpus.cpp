// The targets of `make fuzz` (tests/fuzz) on the inputs that are kept of them: those that reached
// new code, and those that once found something. PRIVPC_FUZZ_CORPUS names the folder if the tests
// do not run where the sources are.
#include <catch.h>
#include <dirent.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../fuzz/fuzz_target.h"

namespace {

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> out;
  DIR* open = ::opendir(folder.c_str());
  if (open == nullptr) return out;
  while (const dirent* entry = ::readdir(open)) {
    if (entry->d_name[0] != '.') out.push_back(folder + "/" + entry->d_name);
  }
  ::closedir(open);
  std::sort(out.begin(), out.end());
  return out;
}

// What a target found wrong with an input; nothing if all was well.
std::string run(const privpc_fuzz::Target& target, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  privpc_fuzz::Input input(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  try {
    target.run(input);
    return "";
  } catch (const privpc_fuzz::Broken& broken) {
    return broken.what;
  }
}

void check_target(const std::string& name) {
  const char* place = std::getenv("PRIVPC_FUZZ_CORPUS");
  const std::string corpus = place == nullptr ? "tests/fuzz/corpus" : place;
  const auto& targets = privpc_fuzz::all_targets();
  const auto target = std::find_if(targets.begin(), targets.end(),
                                   [&](const auto& each) { return each.name == name; });
  REQUIRE(target != targets.end());
  const std::vector<std::string> files = files_in(corpus + "/" + name);
  REQUIRE(files.size() >= 10);
  for (const std::string& path : files) {
    INFO(path);
    CHECK(run(*target, path) == "");
  }
}

}  // namespace

TEST_CASE("every fuzz target is tested", "[fuzz]") {
  CHECK(privpc_fuzz::all_targets().size() == 13);
}

TEST_CASE("fuzz: debits", "[fuzz]") {
  check_target("ledger_debits");
}
TEST_CASE("fuzz: the text of ledger files", "[fuzz]") {
  check_target("ledger_lines");
}
TEST_CASE("fuzz: any text as BIF", "[fuzz]") {
  check_target("bif_text");
}
TEST_CASE("fuzz: networks written as BIF in many ways", "[fuzz]") {
  check_target("bif_network");
}
TEST_CASE("fuzz: tables of records", "[fuzz]") {
  check_target("tables");
}
TEST_CASE("fuzz: tables that somebody else counts", "[fuzz]") {
  check_target("fetched");
}
TEST_CASE("fuzz: tables of persons", "[fuzz]") {
  check_target("persons");
}
TEST_CASE("fuzz: mechanisms and samplers", "[fuzz]") {
  check_target("mechanisms");
}
TEST_CASE("fuzz: conversions of privacy losses", "[fuzz]") {
  check_target("accounting");
}
TEST_CASE("fuzz: directions of CPDAGs", "[fuzz]") {
  check_target("cpdag");
}
TEST_CASE("fuzz: marks of PAGs", "[fuzz]") {
  check_target("pag");
}
TEST_CASE("fuzz: pooled sites, some of them damaged", "[fuzz]") {
  check_target("pooled_sites");
}
TEST_CASE("fuzz: what is computed from a fit, damaged or not", "[fuzz]") {
  check_target("damaged_fit");
}
