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

// Makes the inputs of a row and warms it up, or says in the row why not.
std::optional<contest> prepared(row& into, const run_options& options) {
  if (const std::size_t free = gs::free_memory(); into.what.memory > free) {
    into.skipped = fmt::format("needs {:.1f} GB of memory, {:.1f} GB are free",
                               static_cast<double>(into.what.memory) / 1e9, static_cast<double>(free) / 1e9);
    return {};
  }
  try {
    contest c = into.what.prepare();
    for (const auto& peer : options.peers)
      if (options.time && options.time->left() <= 0)  // else the run would take as long as they please
        into.left_out.push_back(peer->name() + ": " + used_up);
      else
        c.invite(peer);
    c.warm_up();
    return c;
  } catch (const disagreement& found) {
    into.wrong = found.what();
  } catch (const gs::machine_error& lack) {
    into.skipped = lack.what();
  }
  return {};
}

// All rows side by side, `allowed` seconds from now on.
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

// What the library is told: the time of the first entrant of the last row, by which it makes a table of its own.
void tell(benchmark::State& state, const row& r) {
  if (r.entrants.empty())
    state.SkipWithError((r.skipped + r.wrong).c_str());
  else
    state.SetIterationTime(median(r.entrants.front().seconds));
}

// A benchmark of the library for each group of rows; its one iteration is all the rounds.
std::vector<std::vector<row>> run_groups(const std::vector<family>& groups, const run_options& options,
                                         bool may_leave_out) {
  std::vector<std::vector<row>> all;
  for (const family& one : groups) {
    std::vector<row>& rows = all.emplace_back();
    for (const workload& w : one) {
      rows.push_back({.what = w, .entrants = {}, .skipped = {}, .wrong = {}});
      if (!options.judged) rows.back().what.want_nothing();
    }
  }
  benchmark::ClearRegisteredBenchmarks();
  for (std::size_t g = 0; g < all.size(); ++g)
    benchmark::RegisterBenchmark(all[g].back().what.name.c_str(),
                                 [&, g](benchmark::State& state) {
                                   std::vector<row>& rows = all[g];
                                   if (options.begin) options.begin(rows.back().what);
                                   for (auto iteration : state) {
                                     static_cast<void>(iteration);
                                     const double allowed =
                                         options.time ? options.time->share(all.size() - g + options.others_after)
                                                      : std::numeric_limits<double>::infinity();
                                     if (may_leave_out && allowed <= 0)
                                       for (row& r : rows) r.skipped = used_up;
                                     else
                                       measure(rows, options, allowed);
                                     tell(state, rows.back());
                                   }
                                   if (options.end) options.end(rows.back());
                                 })
        ->Iterations(1)
        ->UseManualTime();
  silent_reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, "all");
  return all;
}

}  // namespace

std::vector<workload> select(std::vector<workload> all, const std::string& filter) {
  std::regex pattern;
  try {
    pattern.assign(filter);
  } catch (const std::regex_error& problem) {
    throw gs::error("the filter", fmt::format("'{}' is no regular expression ({})", filter, problem.what()),
                    "use a part of a workload's name");
  }
  std::string names;
  for (const workload& w : all) names += (names.empty() ? "" : ", ") + w.name;
  std::erase_if(all, [&](const workload& w) { return !std::regex_search(w.name, pattern); });
  if (all.empty()) throw gs::error("the filter", fmt::format("'{}' finds no workload", filter), "use one of " + names);
  return all;
}

std::vector<family> select(std::vector<family> all, const std::vector<workload>& chosen) {
  std::erase_if(all, [&](const family& one) {
    return std::ranges::find(chosen, one.back().name, &workload::name) == chosen.end();
  });
  return all;
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
