// Tables of several sites, some of them damaged: what they are together does not depend on the
// order of the sites, is the site's own where there is but one, and agrees with the weighted mean
// where all have measured a set.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "fit_samples.h"
#include "fuzz_target.h"
#include "privpc/marginals/pooled_tables.hpp"
#include "privpc/marginals/site_differences.hpp"

using namespace privpc;
using privpc_fuzz::Input;

namespace {

bool near(double a, double b, double size) {
  return std::fabs(a - b) <= 1e-9 * (size + std::fabs(a) + std::fabs(b));
}

void check_pooled(const SiteTables& sites, const TablePooling& pooling) {
  const std::vector<double>& weights = pooling.weights();
  double sum = 0, people = 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    FUZZ_CHECK(weights[i] > 0 && weights[i] <= 1 + 1e-9);
    sum += weights[i];
    people += sites[i]->rows();
  }
  FUZZ_CHECK(near(sum, 1, 1));
  FUZZ_CHECK(pooling.rows() > 0 && pooling.rows() <= people * (1 + 1e-9));
  for (const auto& [set, pooled] : pooling.tables().entries()) {
    FUZZ_CHECK(pooled.variance > 0 && std::isfinite(pooled.variance));
    for (double value : pooled.values)
      FUZZ_CHECK(std::isfinite(value));
    if (!detail::all_measured(sites, set)) continue;
    double variance = 0;
    for (std::size_t i = 0; i < sites.size(); ++i)
      variance += weights[i] * weights[i] * sites[i]->find(set)->variance;
    FUZZ_CHECK(near(variance, pooled.variance, 0));
    for (std::size_t at = 0; at < pooled.values.size(); ++at) {
      double value = 0, size = 0;
      for (std::size_t i = 0; i < sites.size(); ++i) {
        value += weights[i] * sites[i]->find(set)->values[at];
        size += std::fabs(weights[i] * sites[i]->find(set)->values[at]);
      }
      FUZZ_CHECK(near(value, pooled.values[at], size));
    }
  }
}

void check_same(const Measurements& a, const Measurements& b) {
  FUZZ_CHECK(a.rows() == b.rows() && a.entries().size() == b.entries().size());
  for (const auto& [set, measured] : a.entries()) {
    const Measured* other = b.find(set);
    FUZZ_CHECK(other != nullptr && other->variance == measured.variance);
    FUZZ_CHECK(other->values == measured.values);
  }
}

}  // namespace

FUZZ_TARGET(pooled_sites) {
  const Schema schema = privpc_fuzz::any_schema(input, 5);
  const std::size_t damage = privpc_fuzz::any_damage(input);
  std::vector<Measurements> stores;
  for (std::size_t sites = 1 + input.below(4); sites > 0; --sites) {
    std::vector<Variable> variables;
    for (std::size_t v = 0; v < schema.size(); ++v)
      variables.push_back(schema[v]);
    const std::uint64_t rows = 1 + (input.coin() ? input.byte() : input.below(2147483647));
    stores.push_back(
        privpc_fuzz::any_measurements(input, Schema(std::move(variables), rows), damage));
  }
  SiteTables sites;
  for (const Measurements& store : stores)
    sites.push_back(&store);
  const auto weighting = input.coin() ? SiteWeighting::precision : SiteWeighting::records;
  // Together they may be more people than can be counted.
  double people = 0;
  for (const Measurements* site : sites)
    people += site->rows();
  const auto pool = [&](const SiteTables& of) { return TablePooling(of, weighting); };
  if (privpc_fuzz::refused([&] { pool(sites); })) {
    FUZZ_CHECK(people > static_cast<double>(kMaxRows));
    return;
  }
  const TablePooling pooling = pool(sites);
  check_pooled(sites, pooling);
  if (sites.size() == 1) check_same(pooling.tables(), stores.front());
  SiteTables turned = sites;
  std::reverse(turned.begin(), turned.end());
  check_same(pooling.tables(), pool(turned).tables());
  const Measurements more = pooling.more(turned.size() == 1 ? sites : turned);
  FUZZ_CHECK(more.entries().size() == pooling.tables().entries().size());
  for (const SiteDifference& found : SiteDifferences(sites, pooling.tables()).all()) {
    FUZZ_CHECK(found.sites >= 2 && found.sites <= sites.size());
    if (std::isnan(found.statistic)) continue;
    FUZZ_CHECK(found.statistic >= 0 && found.p_value >= 0 && found.p_value <= 1);
    FUZZ_CHECK(found.most_apart < sites.size());
  }
}
