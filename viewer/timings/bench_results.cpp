#include "viewer/timings/bench_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/core/error.h"
#include "runtime/core/text_file.h"
#include "workbook/json/read_json.h"

namespace viewer {
namespace {

using json = workbook::read_json_value;

// The second adds growth and scaling, among others.
constexpr const char* schemas[] = {"gridstride-bench/1", "gridstride-bench/2"};

std::string text_in(const json& from, const char* name) {
  const auto found = from.find(name);
  return found != from.end() && found->is_string() ? found->get<std::string>() : "";
}
std::optional<double> number_in(const json& from, const char* name) {
  const auto found = from.find(name);
  if (found == from.end() || !found->is_number()) return {};
  return found->get<double>();
}

time_spread spread_of(const json& from) {
  return {from.at("median").get<double>(), from.at("lower_quartile").get<double>(),
          from.at("upper_quartile").get<double>(), from.at("best").get<double>()};
}

bench_entrant entrant_of(const json& from) {
  bench_entrant e{.name = from.at("name"), .role = text_in(from, "role"), .hardware = text_in(from, "hardware")};
  if (from.contains("seconds")) e.seconds = spread_of(from["seconds"]);
  e.gigabytes_per_second = number_in(from, "gigabytes_per_second");
  e.gigaflops = number_in(from, "gigaflops");
  if (const auto share = from.find("share_of_limit"); share != from.end() && share->is_object())
    e.share_of_limit = number_in(*share, "median");
  if (const auto ratio = from.find("ratio_to_peer"); ratio != from.end() && ratio->is_object()) {
    e.ratio = number_in(*ratio, "median");
    e.ratio_low = number_in(*ratio, "low");
    e.ratio_high = number_in(*ratio, "high");
  }
  e.wanted = text_in(from, "wanted");
  e.verdict = text_in(from, "verdict");
  return e;
}

bench_workload workload_of(const json& from) {
  bench_workload w{.name = from.at("name"), .text = text_in(from, "text")};
  w.elements = number_in(from, "elements").value_or(0);
  w.bytes = number_in(from, "bytes").value_or(0);
  w.operations = number_in(from, "operations").value_or(0);
  w.disturbed = number_in(from, "disturbed").value_or(0);
  w.skipped = text_in(from, "skipped");
  if (w.skipped.empty()) w.skipped = text_in(from, "wrong");
  if (const auto all = from.find("entrants"); all != from.end())
    for (const json& one : *all) w.entrants.push_back(entrant_of(one));
  return w;
}

// The largest size stands among the workloads, and isn't repeated.
bench_growth growth_in(const json& from, const std::multimap<std::string, const bench_workload*>& workloads) {
  bench_growth g{.name = from.at("name")};
  for (const json& one : from.at("sizes")) g.sizes.push_back(workload_of(one));
  const auto [first, last] = workloads.equal_range(g.name);
  for (auto w = first; w != last; ++w)
    if (w->second->elements > 0) g.sizes.push_back(*w->second);
  std::ranges::sort(g.sizes, {}, &bench_workload::elements);
  for (const json& one : from.at("exponents"))
    g.exponents.push_back({.name = one.at("name"),
                           .exponent = one.at("exponent"),
                           .low = number_in(one, "low"),
                           .high = number_in(one, "high"),
                           .deviation = number_in(one, "deviation").value_or(1)});
  for (const json& one : from.at("crossovers"))
    g.crossovers.push_back({.winner = one.at("winner"),
                            .other = one.at(one.contains("other") ? "other" : "one_core"),
                            .not_at = number_in(one, "not_at"),
                            .about = number_in(one, "about"),
                            .for_sure_at = number_in(one, "for_sure_at")});
  return g;
}

bench_scaling scaling_in(const json& from) {
  bench_scaling s{.name = from.at("name"), .text = text_in(from, "text")};
  s.elements = number_in(from, "elements").value_or(0);
  s.skipped = text_in(from, "skipped");
  if (s.skipped.empty()) s.skipped = text_in(from, "wrong");
  for (const json& one : from.at("entrants")) {
    auto& e = s.entrants.emplace_back(bench_scaling::entrant{.name = one.at("name"), .role = text_in(one, "role")});
    for (const json& k : one.at("on"))
      e.on.push_back({.cores = k.at("cores"),
                      .seconds = spread_of(k.at("seconds")),
                      .speedup = k.at("speedup").at("median"),
                      .low = number_in(k.at("speedup"), "low"),
                      .high = number_in(k.at("speedup"), "high"),
                      .efficiency = k.at("efficiency")});
  }
  return s;
}

template <class T>
const T* called(const std::vector<T>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &T::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const bench_workload* bench_run::find(const std::string& workload) const { return called(workloads, workload); }
const bench_growth* bench_run::growth_of(const std::string& workload) const { return called(growths, workload); }
const bench_scaling* bench_run::scaling_of(const std::string& workload) const { return called(scalings, workload); }

std::vector<std::string> bench_run::names() const {
  std::vector<std::string> all;
  std::set<std::string> known;
  const auto add = [&](const auto& parts) {
    for (const auto& one : parts)
      if (known.insert(one.name).second) all.push_back(one.name);
  };
  add(workloads);
  add(growths);
  add(scalings);
  return all;
}

bench_run read_bench_run(const std::string& text, const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& found) {
    throw gs::error(fmt::format("reading {}", file.string()), found, "write it again by ./gridstride bench --json");
  };
  const json document = workbook::read_json(text, fmt::format("reading {}", file.string()),
                                            "write it again by ./gridstride bench --json");
  if (const std::string schema = text_in(document, "schema"); std::ranges::find(schemas, schema) == std::end(schemas))
    refuse(fmt::format("its schema is '{}', not one of '{}'", schema, fmt::join(schemas, "' and '")));
  try {
    bench_run run{.file = file,
                  .date = document.at("date"),
                  .commit = text_in(document, "commit"),
                  .command = text_in(document, "command")};
    if (const auto machine = document.find("machine"); machine != document.end()) {
      run.processor = text_in(*machine, "processor");
      const auto cores = machine->find("cores");
      if (cores != machine->end() && cores->is_number()) run.cores = *cores;
    }
    for (const json& l : document.at("limits"))
      run.limits.push_back(
          {.name = l.at("name"), .unit = text_in(l, "unit"), .value = number_in(l, "value").value_or(0)});
    for (const json& w : document.at("workloads")) run.workloads.push_back(workload_of(w));
    std::multimap<std::string, const bench_workload*> by_name;
    for (const bench_workload& w : run.workloads) by_name.emplace(w.name, &w);
    if (const auto all = document.find("growth"); all != document.end())
      for (const json& g : *all) {
        run.growths.push_back(growth_in(g, by_name));
        by_name.erase(run.growths.back().name);  // a name has one growth; another of it gets no workload once more
      }
    if (const auto all = document.find("scaling"); all != document.end())
      for (const json& s : *all) run.scalings.push_back(scaling_in(s));
    return run;
  } catch (const json::exception& e) {
    refuse(fmt::format("a part is missing or of another kind ({})", e.what()));
  }
  return {};
}

namespace {

std::string text_of(const std::filesystem::path& file) {
  return gs::detail::read_text_file(file, fmt::format("reading {}", file.string()), workbook::json_limits().bytes);
}

}  // namespace

bench_files read_bench_files(const std::vector<std::filesystem::path>& folders) {
  bench_files all;
  for (const auto& folder : folders) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      if (entry.path().extension() != ".json") continue;
      try {
        all.runs.push_back(read_bench_run(text_of(entry.path()), entry.path()));
      } catch (const gs::error& e) {
        all.unreadable.emplace_back(e.what());
      }
    }
  }
  std::ranges::sort(all.runs, {}, &bench_run::date);
  std::ranges::sort(all.unreadable);
  return all;
}

comparison compare(const time_spread& earlier, const time_spread& later) {
  comparison c;
  if (earlier.median > 0) c.change = later.median / earlier.median - 1;
  c.real = later.lower_quartile > earlier.upper_quartile || later.upper_quartile < earlier.lower_quartile;
  return c;
}

std::string comparison_text(const comparison& c) {
  const double percent = 100 * std::abs(c.change);
  if (percent < 0.5) return "the same";
  // 30 % less time and 30 % more speed aren't the same: both are said of time.
  return fmt::format("{:.0f} % {} time{}", percent, c.change > 0 ? "more" : "less", c.real ? "" : ", within the noise");
}

}  // namespace viewer
