// Adapters of R/pool_fits.R and R/heterogeneity.R: noisy tables of several sites. All of it is
// public and costs nothing.
#include <Rcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "graph_input.h"
#include "measurements_io.h"
#include "noisy_rules.h"
#include "privpc/learners/marginal_replay.hpp"
#include "privpc/learners/pooled_replay.hpp"
#include "privpc/marginals/pooled_tables.hpp"
#include "privpc/marginals/site_differences.hpp"
#include "r_monitor.h"
#include "replayed_graphs.h"

namespace {

// `sites`: a list of `n`, `tables` and, if `part` says so, `families`.
class SiteStores {
 public:
  SiteStores(const Rcpp::IntegerVector& levels, const Rcpp::List& sites, const char* part) {
    if (sites.size() == 0) Rcpp::stop("there must be a site");
    for (R_xlen_t i = 0; i < sites.size(); ++i) {
      const Rcpp::List site = sites[i];
      const SEXP held = site[part];
      stores_.push_back(privpc_r::read_measurements(levels, Rcpp::as<double>(site["n"]),
                                                    Rcpp::Nullable<Rcpp::List>(held)));
    }
  }

  privpc::SiteTables tables() const {
    privpc::SiteTables out;
    for (const privpc::Measurements& store : stores_)
      out.push_back(&store);
    return out;
  }

 private:
  std::vector<privpc::Measurements> stores_;
};

privpc::SiteWeighting read_weighting(const std::string& weights) {
  return weights == "records" ? privpc::SiteWeighting::records : privpc::SiteWeighting::precision;
}

}  // namespace

// Whether the core can read what a site has measured; an error if not.
// [[Rcpp::export(rng = false)]]
void cpp_check_site(const Rcpp::IntegerVector& levels, const Rcpp::List& site) {
  const Rcpp::List sites = Rcpp::List::create(site);
  SiteStores(levels, sites, "tables");
  SiteStores(levels, sites, "families");
}

// The pooled tables and families, with the weights of the sites and the effective number of rows.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_pool(const Rcpp::IntegerVector& levels, const Rcpp::List& sites,
                    const std::string& weights) {
  const SiteStores tables(levels, sites, "tables"), families(levels, sites, "families");
  const privpc::TablePooling pooling(tables.tables(), read_weighting(weights));
  return Rcpp::List::create(
      Rcpp::_["n"] = static_cast<double>(pooling.tables().schema().rows()),
      Rcpp::_["weight"] = Rcpp::NumericVector(pooling.weights().begin(), pooling.weights().end()),
      Rcpp::_["tables"] = privpc_r::wrap_measurements(pooling.tables()),
      Rcpp::_["families"] = privpc_r::wrap_measurements(pooling.more(families.tables())));
}

// One element for every variable (`y` is NA) and pair that at least two sites measured. `rows` and
// `pooled`: what they are together.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_site_differences(const Rcpp::IntegerVector& levels, const Rcpp::List& sites,
                                double rows, const Rcpp::List& pooled) {
  const SiteStores tables(levels, sites, "tables");
  const privpc::Measurements together = privpc_r::read_measurements(levels, rows, pooled);
  const std::vector<privpc::SiteDifference> all =
      privpc::SiteDifferences(tables.tables(), together).all();
  const auto count = static_cast<R_xlen_t>(all.size());
  Rcpp::IntegerVector x(count), y(count), sites_of(count), apart(count);
  Rcpp::NumericVector statistic(count), df(count), p_value(count);
  for (R_xlen_t i = 0; i < count; ++i) {
    const privpc::SiteDifference& found = all[static_cast<std::size_t>(i)];
    const bool compared = found.statistic == found.statistic;
    x[i] = found.set[0] + 1;
    y[i] = found.set.size() == 1 ? NA_INTEGER : found.set[1] + 1;
    sites_of[i] = static_cast<int>(found.sites);
    apart[i] = compared ? static_cast<int>(found.most_apart) + 1 : NA_INTEGER;
    statistic[i] = compared ? found.statistic : NA_REAL;
    df[i] = found.df;
    p_value[i] = compared ? found.p_value : NA_REAL;
  }
  return Rcpp::List::create(Rcpp::_["x"] = x, Rcpp::_["y"] = y, Rcpp::_["sites"] = sites_of,
                            Rcpp::_["most_apart"] = apart, Rcpp::_["statistic"] = statistic,
                            Rcpp::_["df"] = df, Rcpp::_["p.value"] = p_value);
}

// As cpp_replay(), of a pooled fit. A site also has `rho`, `selects`, `add_remove`,
// `parameter_share`, `rules`, `required` and `forbidden`: how it chose what to measure.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_replay_pooled(const Rcpp::IntegerVector& levels, const Rcpp::LogicalVector& ordered,
                             double rows, const Rcpp::List& tables,
                             const Rcpp::Nullable<Rcpp::List>& families, const Rcpp::List& sites,
                             const std::string& weights, const Rcpp::List& rules,
                             const Rcpp::IntegerMatrix& required,
                             const Rcpp::IntegerMatrix& forbidden, double draws, bool other_people,
                             double seed, int threads,
                             const Rcpp::Nullable<Rcpp::Function>& report) {
  const int size = static_cast<int>(levels.size());
  const auto knowledge = privpc_r::read_knowledge(size, required, forbidden);
  const privpc::TableSearch search = privpc_r::read_search(rules);
  privpc::Measurements store = privpc_r::read_measurements(levels, rows, tables, ordered);
  privpc_r::read_tables(families, store);
  // Plans refer to schema and knowledge of their site, which therefore must not move.
  std::vector<privpc::Knowledge> known;
  std::vector<privpc::ReplaySite> places(static_cast<std::size_t>(sites.size()));
  known.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Rcpp::List site = sites[static_cast<R_xlen_t>(i)];
    known.push_back(privpc_r::read_knowledge(size, Rcpp::as<Rcpp::IntegerMatrix>(site["required"]),
                                             Rcpp::as<Rcpp::IntegerMatrix>(site["forbidden"])));
    places[i].schema = privpc_r::measured_schema(levels, Rcpp::as<double>(site["n"]), ordered);
    privpc::MarginalSettings fit;
    fit.rho = privpc::Rho(Rcpp::as<double>(site["rho"]));
    fit.parameter_share = Rcpp::as<double>(site["parameter_share"]);
    fit.selects = Rcpp::as<bool>(site["selects"]);
    fit.search = privpc_r::read_search(Rcpp::as<Rcpp::List>(site["rules"]));
    if (Rcpp::as<bool>(site["add_remove"])) {
      fit.neighbours = privpc::Neighbours::add_remove;
      places[i].schema = places[i].schema.for_added_and_removed(places[i].schema.rows());
    }
    places[i].plan = privpc::marginal_replay(places[i].schema, fit, known[i]);
  }
  privpc::ReplaySettings settings;
  settings.draws = static_cast<std::size_t>(draws);
  settings.whom = other_people ? privpc::DrawnFrom::other_people : privpc::DrawnFrom::these_people;
  settings.seed = static_cast<std::uint64_t>(seed);
  settings.threads = static_cast<unsigned>(threads);
  privpc_r::RMonitor monitor(report);
  const privpc::PlausibleTables truths(store);
  const auto learn = [&](const privpc::Measurements& drawn) {
    return privpc::learn_from_tables(drawn, search, knowledge, nullptr,
                                     privpc::SearchEffort::quick);
  };
  return privpc_r::wrap_replayed(
      privpc::replay(truths, privpc::measure_at_sites(places, read_weighting(weights)), learn,
                     settings, &monitor),
      size);
}
