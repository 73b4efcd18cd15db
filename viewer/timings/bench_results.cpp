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
  if (const auto entrants = from.find("entrants"); entrants != from.end())
    for (const json& part : *entrants) w.entrants.push_back(entrant_of(part));
  return w;
}

// The largest size stands among the workloads, and isn't repeated.
bench_growth growth_in(const json& from, const std::multimap<std::string, const bench_workload*>& workloads) {
  bench_growth g{.name = from.at("name")};
  for (const json& part : from.at("sizes")) g.sizes.push_back(workload_of(part));
  const auto [first, last] = workloads.equal_range(g.name);
  for (auto w = first; w != last; ++w)
    if (w->second->elements > 0) g.sizes.push_back(*w->second);
  std::ranges::sort(g.sizes, {}, &bench_workload::elements);
  for (const json& part : from.at("exponents"))
    g.exponents.push_back({.name = part.at("name"),
                           .exponent = part.at("exponent"),
                           .low = number_in(part, "low"),
                           .high = number_in(part, "high"),
                           .deviation = number_in(part, "deviation").value_or(1)});
  for (const json& part : from.at("crossovers"))
    g.crossovers.push_back({.winner = part.at("winner"),
                            .other = part.at(part.contains("other") ? "other" : "one_core"),
                            .not_at = number_in(part, "not_at"),
                            .about = number_in(part, "about"),
                            .for_sure_at = number_in(part, "for_sure_at")});
  return g;
}

bench_scaling scaling_in(const json& from) {
  bench_scaling s{.name = from.at("name"), .text = text_in(from, "text")};
  s.elements = number_in(from, "elements").value_or(0);
  s.skipped = text_in(from, "skipped");
  if (s.skipped.empty()) s.skipped = text_in(from, "wrong");
  for (const json& entrant_json : from.at("entrants")) {
    auto& e = s.entrants.emplace_back(
        bench_scaling::entrant{.name = entrant_json.at("name"), .role = text_in(entrant_json, "role")});
    for (const json& k : entrant_json.at("on"))
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
const T* called(const std::vector<T>& parts, const std::string& name) {
  const auto found = std::ranges::find(parts, name, &T::name);
  return found == parts.end() ? nullptr : &*found;
}

}  // namespace

const bench_workload* bench_run::find(const std::string& workload) const { return called(workloads, workload); }
const bench_growth* bench_run::growth_of(const std::string& workload) const { return called(growths, workload); }
const bench_scaling* bench_run::scaling_of(const std::string& workload) const { return called(scalings, workload); }

std::vector<std::string> bench_run::names() const {
  std::vector<std::string> names;
  std::set<std::string> known;
  const auto add = [&](const auto& parts) {
    for (const auto& part : parts)
      if (known.insert(part.name).second) names.push_back(part.name);
  };
  add(workloads);
  add(growths);
  add(scalings);
  return names;
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
      if (const auto caches = machine->find("caches"); caches != machine->end())
        for (const json& c : *caches)
          run.caches.push_back({.level = c.at("level"), .bytes = c.at("bytes"), .cores = c.at("cores")});
    }
    for (const json& l : document.at("limits"))
      run.limits.push_back(
          {.name = l.at("name"), .unit = text_in(l, "unit"), .value = number_in(l, "value").value_or(0)});
    for (const json& w : document.at("workloads")) run.workloads.push_back(workload_of(w));
    std::multimap<std::string, const bench_workload*> by_name;
    for (const bench_workload& w : run.workloads) by_name.emplace(w.name, &w);
    if (const auto list = document.find("growth"); list != document.end())
      for (const json& g : *list) {
        run.growths.push_back(growth_in(g, by_name));
        by_name.erase(run.growths.back().name);  // a name has one growth; another of it gets no workload once more
      }
    if (const auto list = document.find("scaling"); list != document.end())
      for (const json& s : *list) run.scalings.push_back(scaling_in(s));
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
  bench_files files;
  for (const auto& folder : folders) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      if (entry.path().extension() != ".json") continue;
      try {
        files.runs.push_back(read_bench_run(text_of(entry.path()), entry.path()));
      } catch (const gs::error& e) {
        files.unreadable.emplace_back(e.what());
      }
    }
  }
  std::ranges::sort(files.runs, {}, &bench_run::date);
  std::ranges::sort(files.unreadable);
  return files;
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
