#include "bench/world/world_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/report/json.h"
#include "bench/report/text.h"
#include "runtime/core/error.h"

namespace bench {
namespace {

using json = nlohmann::ordered_json;

// "64 KiB"
std::string bytes_text(std::size_t bytes) {
  if (bytes == 0) return "";
  for (const auto& [unit, name] : {std::pair{std::size_t{1} << 20, "MiB"}, std::pair{std::size_t{1} << 10, "KiB"}})
    if (bytes % unit == 0) return fmt::format("{} {}", bytes / unit, name);
  return fmt::format("{} B", bytes);
}

// "+36.1 ns"
std::string more_text(double seconds) { return (seconds < 0 ? "-" : "+") + time_text(std::abs(seconds)); }

std::string comparison_text(const comparison& c) {
  if (c.is_ratio) return ratio_text(c.value) + " x";
  return fmt::format("{} [{}, {}]", more_text(c.value.median), more_text(c.value.low), more_text(c.value.high));
}
std::string wanted_text(const comparison& c) {
  return c.is_ratio ? fmt::format("{} x", wanted_ratio) : more_text(wanted_difference);
}

std::string with_spread(const summary& s) {
  const double percent = 100 * s.spread();
  return fmt::format("{:>8} ±{:>4} %", time_text(s.median), percent < 1000 ? fmt::format("{:.0f}", percent) : "999+");
}

constexpr const char* columns = "  {:<29}{:>8}  {:>16}  {:>16}  {:>6}  {:<32}{:<9}{:<16}{:>16}";
std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

json describe_times(const summary& s) {
  return {{"median", s.median},
          {"lower_quartile", s.lower_quartile},
          {"upper_quartile", s.upper_quartile},
          {"best", s.best}};
}

json describe_duel(const duel_result& r, const world_record& record) {
  const comparison c = compare(r);
  json row = {{"verb", r.verb},
              {"bytes", r.bytes},
              {"calls_per_sample", r.calls},
              {"ours", describe_times(summarize(r.ours))},
              {"mpi", describe_times(summarize(r.bare))}};
  if (const mpi4py_time* const python = record.mpi4py.of(r)) row["mpi4py"] = describe_times(python->seconds);
  row[c.is_ratio ? "ratio" : "difference"] = {{"median", c.value.median}, {"low", c.value.low}, {"high", c.value.high}};
  if (r.is_judged && !record.run.quick) {
    row["wanted"] = c.is_ratio ? wanted_ratio : wanted_difference;
    row["verdict"] = to_string(c.reached);
  }
  row["samples"] = {{"ours", r.ours}, {"mpi", r.bare}};
  return row;
}

}  // namespace

const mpi4py_time* mpi4py_times::of(const duel_result& r) const {
  const auto found =
      std::ranges::find_if(times, [&](const mpi4py_time& t) { return t.verb == r.verb && t.bytes == r.bytes; });
  return found == times.end() ? nullptr : &*found;
}

mpi4py_times read_mpi4py_times(const std::string& file) {
  try {
    std::ifstream in(file);
    const json document = json::parse(in);
    mpi4py_times result;
    if (document.contains("lacking")) {
      result.lacking = document.at("lacking");
      return result;
    }
    result.version = document.at("version");
    for (const json& row : document.at("rows"))
      result.times.push_back(
          {row.at("verb"), row.at("bytes"), summarize(row.at("samples").get<std::vector<double>>())});
    return result;
  } catch (const json::exception&) {
    throw gs::error("reading mpi4py's times from '" + file + "'", "they are no document of with_mpi4py.py",
                    "run with_mpi4py.py, and see what it says");
  }
}

std::string heading_text(const world_record& record) {
  std::string text = fmt::format("{} ranks over {}, each with {} of {} cores of {}, {}\n", record.ranks, record.mpi,
                                 record.cores, record.run.machine.cores, record.run.machine.processor, record.run.date);
  if (record.run.quick) text += "a quick run: shows that everything runs, and measures nothing\n";
  return text + "\n" +
         trimmed(fmt::format(columns, "", "bytes", "gs::world()", "bare MPI", "GB/s", "than bare MPI", "wanted",
                             "verdict", record.mpi4py.times.empty() ? "" : "mpi4py"));
}

std::string line_text(const duel_result& r, const world_record& record) {
  const comparison c = compare(r);
  const summary ours = summarize(r.ours);
  const bool is_judged = r.is_judged && !record.run.quick;
  const mpi4py_time* const python = record.mpi4py.of(r);
  return trimmed(fmt::format(
      columns, r.verb, bytes_text(r.bytes), with_spread(ours), with_spread(summarize(r.bare)),
      r.bytes < large_message ? "" : fmt::format("{:.2f}", static_cast<double>(r.bytes) / ours.median / 1e9),
      comparison_text(c), is_judged ? wanted_text(c) : "", is_judged ? to_string(c.reached) : "",
      python ? with_spread(python->seconds) : ""));
}

std::string ending_text(const world_record& record) {
  std::string text;
  if (!record.mpi4py.lacking.empty()) text += "mpi4py is left out: " + record.mpi4py.lacking + "\n";
  if (record.disturbed >= 0.05)
    text += fmt::format("NOTE: other programs had {:.0f} % of the cores\n", 100 * record.disturbed);
  return text.empty() ? text : "\n" + text;
}

json to_json(const world_record& record) {
  const run_record& run = record.run;
  json document = {{"schema", "gridstride-bench-world/1"},
                   {"command", run.command},
                   {"date", run.date},
                   {"commit", run.commit},
                   {"compiler", run.compiler},
                   {"flags", run.flags},
                   {"build", run.build},
                   {"flavour", run.flavour},
                   {"quick", run.quick},
                   {"mpi", record.mpi},
                   {"ranks", record.ranks},
                   {"cores_of_a_rank", record.cores},
                   {"rounds", record.rules.rounds},
                   {"seconds", run.seconds},
                   {"disturbed", record.disturbed},
                   {"machine", to_json(run.machine)}};
  if (!record.mpi4py.version.empty()) document["mpi4py"] = record.mpi4py.version;
  if (!record.mpi4py.lacking.empty()) document["absent_peers"] = {"mpi4py is left out: " + record.mpi4py.lacking};
  document["rows"] = json::array();
  for (const duel_result& r : record.results) document["rows"].push_back(describe_duel(r, record));
  return document;
}

}  // namespace bench
