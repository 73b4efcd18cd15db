#include "bench/measure/run.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <regex>

#include "bench/machine/disturbance.h"
#include "bench/machine/machine.h"
#include "bench/measure/agreement.h"
#include "runtime/core/error.h"

namespace bench {
namespace {

// The library's own reporters print one entrant a line; ours hands rows on as they are finished.
class row_reporter final : public benchmark::BenchmarkReporter {
 public:
  row_reporter(const std::vector<row>& rows, const std::function<void(const row&)>& end) : rows_(rows), end_(end) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& finished : runs)
      for (const row& r : rows_)
        if (r.what.name == finished.run_name.function_name) end_(r);
  }

 private:
  const std::vector<row>& rows_;
  const std::function<void(const row&)>& end_;
};

void measure(benchmark::State& state, row& into, const std::vector<std::shared_ptr<outside_peer>>& peers) {
  if (const std::size_t free = free_memory(); into.what.memory > free) {
    into.skipped = fmt::format("needs {:.1f} GB of memory, {:.1f} GB are free",
                               static_cast<double>(into.what.memory) / 1e9, static_cast<double>(free) / 1e9);
    return state.SkipWithError(into.skipped.c_str());
  }
  try {
    contest c = into.what.prepare();
    for (const auto& peer : peers) c.invite(peer);
    c.warm_up();
    const disturbance others(c.processes());
    for (auto iteration : state) {
      static_cast<void>(iteration);
      c.round();
      state.SetIterationTime(c.entrants().front().seconds.back());
    }
    into.disturbed = others.share();
    into.entrants = c.entrants();
    into.left_out = c.left_out();
    for (entrant& e : into.entrants) e.run = nullptr, e.timed = nullptr;  // they hold the arrays
    for (const auto& peer : peers) peer->rest();
  } catch (const disagreement& found) {
    into.wrong = found.what();
    state.SkipWithError(into.wrong.c_str());
  } catch (const gs::machine_error& lack) {
    into.skipped = lack.what();
    state.SkipWithError(into.skipped.c_str());
  }
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

std::vector<row> run(const std::vector<workload>& workloads, std::size_t rounds,
                     const std::function<void(const workload&)>& begin, const std::function<void(const row&)>& end,
                     const std::vector<std::shared_ptr<outside_peer>>& peers) {
  std::vector<row> rows;
  for (const workload& w : workloads) rows.push_back({.what = w, .entrants = {}, .skipped = {}, .wrong = {}});
  benchmark::ClearRegisteredBenchmarks();
  for (row& r : rows)
    benchmark::RegisterBenchmark(r.what.name.c_str(),
                                 [&](benchmark::State& state) {
                                   begin(r.what);
                                   measure(state, r, peers);
                                 })
        ->Iterations(static_cast<benchmark::IterationCount>(rounds))
        ->UseManualTime();
  row_reporter reporter(rows, end);
  benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, "all");
  return rows;
}

}  // namespace bench
