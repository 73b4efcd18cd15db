#include "bench/measure/run.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <regex>
#include <utility>

#include "bench/machine/disturbance.h"
#include "bench/machine/machine.h"
#include "bench/measure/agreement.h"
#include "bench/measure/statistics.h"
#include "runtime/core/error.h"
#include "runtime/host/machine.h"

namespace bench {
namespace {

// The library's own reporters print one entrant a line; our rows are handed on as they are finished.
class silent_reporter final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

constexpr const char* used_up = "the time of the run was used up; --seconds gives it more";

// Makes the inputs of a row and warms it up, or notes in the row why not.
std::optional<contest> prepared(row& result, const run_options& options) {
  if (const std::size_t free = gs::detail::free_memory(); result.workload.memory > free) {
    result.skipped = fmt::format("needs {:.1f} GB of memory, {:.1f} GB are free",
                                 static_cast<double>(result.workload.memory) / 1e9, static_cast<double>(free) / 1e9);
    return {};
  }
  try {
    contest c = result.workload.prepare();
    for (const auto& peer : options.peers)
      if (options.time && options.time->left() <= 0)  // otherwise the peers would decide how long the run takes
        result.left_out.push_back(peer->name() + ": " + used_up);
      else
        c.invite(peer);
    c.warm_up();
    return c;
  } catch (const disagreement& found) {
    result.wrong = found.what();
  } catch (const gs::machine_error& lack) {
    result.skipped = lack.what();
  }
  return {};
}

// Measures all rows side by side, for `allowed` seconds.
void measure(std::vector<row>& rows, const run_options& options, double allowed) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::vector<std::pair<row*, contest>> running;
  for (row& r : rows)
    if (auto c = prepared(r, options)) running.emplace_back(&r, std::move(*c));
  std::vector<disturbance> others;
  for (const auto& [r, c] : running) others.emplace_back(c.processes());
  std::vector<bool> ended(running.size());
  for (std::size_t round = 1; std::ranges::count(ended, false) > 0; ++round)
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (ended[i]) continue;
      contest& c = running[i].second;
      c.round();
      if (!options.rounds.ends(round, uncertainty(c.entrants()), seconds(), allowed)) continue;
      ended[i] = true;
      row& r = *running[i].first;
      r.disturbed = others[i].share();
      r.entrants = c.entrants();
      r.left_out.insert(r.left_out.end(), c.left_out().begin(), c.left_out().end());
      for (entrant& e : r.entrants) e.run = nullptr, e.timed = nullptr;  // they hold the arrays
    }
  for (const auto& peer : options.peers) peer->rest();
}

// Reports the time of the first entrant of the last row to the library, which makes a table of its own.
void report_time(benchmark::State& state, const row& r) {
  if (r.entrants.empty())
    state.SkipWithError((r.skipped + r.wrong).c_str());
  else
    state.SetIterationTime(median(r.entrants.front().seconds));
}

// A benchmark of the library for each group of rows; its one iteration is all the rounds.
std::vector<std::vector<row>> run_groups(const std::vector<family>& groups, const run_options& options,
                                         bool may_leave_out) {
  std::vector<std::vector<row>> results;
  for (const family& group : groups) {
    std::vector<row>& rows = results.emplace_back();
    for (const workload& w : group) {
      rows.push_back({.workload = w, .entrants = {}, .skipped = {}, .wrong = {}});
      if (!options.judged) rows.back().workload.want_nothing();
    }
  }
  benchmark::ClearRegisteredBenchmarks();
  for (std::size_t g = 0; g < results.size(); ++g)
    benchmark::RegisterBenchmark(results[g].back().workload.name.c_str(),
                                 [&, g](benchmark::State& state) {
                                   std::vector<row>& rows = results[g];
                                   if (options.begin) options.begin(rows.back().workload);
                                   for (auto iteration : state) {
                                     static_cast<void>(iteration);
                                     const double allowed =
                                         options.time ? options.time->share(results.size() - g + options.others_after)
                                                      : std::numeric_limits<double>::infinity();
                                     if (may_leave_out && allowed <= 0)
                                       for (row& r : rows) r.skipped = used_up;
                                     else
                                       measure(rows, options, allowed);
                                     report_time(state, rows.back());
                                   }
                                   if (options.end) options.end(rows.back());
                                 })
        ->Iterations(1)
        ->UseManualTime();
  silent_reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, "all");
  return results;
}

}  // namespace

std::vector<workload> select(std::vector<workload> workloads, const std::string& filter) {
  std::regex pattern;
  try {
    pattern.assign(filter);
  } catch (const std::regex_error& problem) {
    throw gs::error("the filter", fmt::format("'{}' isn't a regular expression ({})", filter, problem.what()),
                    "use a part of a workload's name");
  }
  std::string names;
  for (const workload& w : workloads) names += (names.empty() ? "" : ", ") + w.name;
  std::erase_if(workloads, [&](const workload& w) { return !std::regex_search(w.name, pattern); });
  if (workloads.empty())
    throw gs::error("the filter", fmt::format("'{}' finds no workload", filter), "use one of " + names);
  return workloads;
}

std::vector<family> select(std::vector<family> families, const std::vector<workload>& chosen) {
  std::erase_if(families, [&](const family& f) {
    return std::ranges::find(chosen, f.back().name, &workload::name) == chosen.end();
  });
  return families;
}

std::vector<row> run(const std::vector<workload>& workloads, const run_options& options) {
  std::vector<family> groups;
  for (const workload& w : workloads) groups.push_back({w});
  std::vector<row> rows;
  for (auto& group : run_groups(groups, options, false)) rows.push_back(std::move(group.front()));
  return rows;
}

std::vector<std::vector<row>> run_families(const std::vector<family>& families, const run_options& options) {
  return run_groups(families, options, true);
}

}  // namespace bench
