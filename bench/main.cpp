// gridstride-bench: how fast is this, how fast could it be, and what would an expert's loop reach?
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "bench/limits/bandwidth.h"
#include "bench/limits/machine_limits.h"
#include "bench/measure/peer_programs.h"
#include "bench/measure/run.h"
#include "bench/report/json.h"
#include "bench/report/peer_table.h"
#include "bench/report/run_record.h"
#include "bench/report/text.h"
#include "bench/workloads/workloads.h"
#include "runtime/core/error.h"
#include "runtime/device/device.h"
#include "runtime/engine/cores.h"

namespace {

struct choices {
  std::string filter;
  bool json = false, list = false, quick = false, peers = false;
  std::size_t rounds = 51;
};

// What is being measured, on a line that the next one overwrites; only where somebody watches.
void say(const std::string& what) {
  static const bool watched = isatty(STDERR_FILENO) != 0;
  if (!watched) return;
  fmt::print(stderr, "\r\033[K{}{}", what.empty() ? "" : "measuring ", what);
  std::fflush(stderr);
}

int measure(const choices& chosen, bench::run_record record) {
  constexpr std::size_t large = 100'000'000, quick = 1'000'000;
  const std::size_t elements = chosen.quick ? quick : large;
  const auto workloads = bench::select(bench::all_workloads(elements), chosen.filter);
  if (chosen.list) {
    for (const bench::workload& w : workloads) fmt::print("{:<18}{}\n", w.name, w.text);
    return 0;
  }
  record.quick = chosen.quick;
  record.rounds = chosen.quick ? std::min<std::size_t>(chosen.rounds, 3) : chosen.rounds;
  const auto print = [&](const std::string& text) {
    say("");
    if (chosen.json) return;
    fmt::print("{}", text);
    std::fflush(stdout);
  };

  gs::select_device(gs::device_kind::engine);  // the peers and the limits are this machine's cores and memory
  bench::limits::use_threads(gs::core_count());
  bench::peer_programs peers;
  if (chosen.peers) {
    say("nothing yet: the peers are starting");
    peers = bench::start(bench::all_peer_programs());
    for (const auto& peer : peers.present) record.peers.push_back(peer->version());
    record.absent_peers = peers.absent;
  }
  print(bench::heading_text(record));
  const std::size_t array_bytes =
      chosen.quick ? quick * sizeof(float) : bench::limit_array_bytes(record.machine, large * sizeof(float));
  record.limits = bench::measure_limits(record.machine, {.array_bytes = array_bytes, .rounds = record.rounds}, say);
  print(bench::limits_text(record.limits));
  record.rows = bench::run(
      workloads, record.rounds, [](const bench::workload& w) { say(w.name); },
      [&](const bench::row& r) { print(bench::row_text(r)); }, peers.present);
  print(bench::peer_table_text(record.rows));
  print(bench::summary_text(record.rows));
  if (chosen.json) fmt::print("{}\n", bench::to_json(record).dump(2));
  return std::ranges::any_of(record.rows, [](const bench::row& r) { return !r.wrong.empty(); }) ? 1 : 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
  choices chosen;
  CLI::App options("Measures Gridstride's workloads against hand-written loops and against the limits of this machine.",
                   "gridstride-bench");
  options.add_option("FILTER", chosen.filter, "a regular expression: only workloads in whose names it is found");
  options.add_flag("--json", chosen.json, "print one JSON document and nothing else");
  options.add_flag("--list", chosen.list, "print the workloads' names and end");
  options.add_flag("--peers", chosen.peers, "beside Numba, NumPy, SciPy and PoCL, as far as they are installed");
  options.add_flag("--quick", chosen.quick, "small sizes and three rounds: shows that all runs, measures nothing");
  options.add_option("--rounds", chosen.rounds, "how often everything is measured")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  try {
    options.parse(argument_count, arguments);
  } catch (const CLI::ParseError& problem) {
    return options.exit(problem) == 0 ? 0 : 2;
  }
  try {
    return measure(chosen, bench::begin_record(argument_count, arguments));
  } catch (const gs::machine_error& lack) {
    fmt::print(stderr, "gridstride-bench: {}\n", lack.what());
    return 3;
  } catch (const gs::error& problem) {
    fmt::print(stderr, "gridstride-bench: {}\n", problem.what());
    return 2;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "gridstride-bench: {}\n", problem.what());
    return 1;
  }
}
