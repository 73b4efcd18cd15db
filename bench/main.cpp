// gridstride-bench: how fast is this, how fast could it be, and what would an expert's loop reach?
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/limits/bandwidth.h"
#include "bench/limits/machine_limits.h"
#include "bench/measure/child_contest.h"
#include "bench/measure/peer_programs.h"
#include "bench/measure/run.h"
#include "bench/report/baseline.h"
#include "bench/report/json.h"
#include "bench/report/peer_table.h"
#include "bench/report/run_record.h"
#include "bench/report/scaling.h"
#include "bench/report/text.h"
#include "bench/workloads/workloads.h"
#include "runtime/core/error.h"
#include "runtime/device/device.h"
#include "runtime/engine/cores.h"

namespace {

struct choices {
  std::string filter;
  bool json = false, list = false, quick = false, one_size = false, peers = false, cores = false;
  std::string serve;       // the workload that another process of this program asks for
  std::string against;     // a file
  std::size_t rounds = 0;  // 0: as many as the time allows
  double seconds = 280;    // under five minutes with what is made before and after
};

// What is being measured, on a line that the next one overwrites; only where somebody watches.
void say(const std::string& what) {
  static const bool watched = isatty(STDERR_FILENO) != 0;
  if (!watched) return;
  fmt::print(stderr, "\r\033[K{}{}", what.empty() ? "" : "measuring ", what);
  std::fflush(stderr);
}

bench::stopping_rule rounds_of(const choices& chosen) {
  if (chosen.quick)
    return bench::stopping_rule::exactly(chosen.rounds > 0 ? std::min<std::size_t>(chosen.rounds, 3) : 3);
  return chosen.rounds > 0 ? bench::stopping_rule::exactly(chosen.rounds) : bench::stopping_rule{};
}

// The growth of each workload: the sizes just measured, and what was measured before of its full size.
std::vector<bench::growth> growths_of(std::vector<std::vector<bench::row>> families,
                                      const std::vector<bench::row>& rows) {
  std::vector<bench::growth> all;
  for (std::vector<bench::row>& sizes : families) {
    for (const bench::row& full : rows)
      if (full.what.name == sizes.back().what.name && full.what.elements > sizes.back().what.elements) {
        sizes.push_back(full);
        break;
      }
    all.push_back(bench::evaluate_growth(std::move(sizes)));
  }
  return all;
}

bool is_wrong(const bench::run_record& record) {
  const auto wrong = [](const bench::row& r) { return !r.wrong.empty(); };
  return std::ranges::any_of(record.rows, wrong) || std::ranges::any_of(record.growths, [&](const bench::growth& g) {
           return std::ranges::any_of(g.sizes, wrong);
         });
}

constexpr std::size_t large = 100'000'000, quick = 1'000'000;

// Prints what people are told, unless the document is all that is wanted.
void print(const choices& chosen, const std::string& text) {
  say("");
  if (chosen.json) return;
  fmt::print("{}", text);
  std::fflush(stdout);
}

// Every number of cores has its own copy of the arrays.
std::size_t elements_on_cores(const choices& chosen) { return chosen.quick ? quick : 3 * large / 10; }

int serve(const choices& chosen) {
  gs::select_device(gs::device_kind::engine);
  bench::limits::use_threads(gs::core_count());
  for (const bench::workload& w : bench::all_workloads(elements_on_cores(chosen)))
    if (w.name == chosen.serve) return bench::serve_rounds(w, stdin, stdout), 0;
  throw gs::error("--serve", fmt::format("there is no workload '{}'", chosen.serve), "use --list");
}

int measure_on_cores(const choices& chosen, bench::run_record record) {
  const auto start = std::chrono::steady_clock::now();
  const auto workloads = bench::select(bench::all_workloads(elements_on_cores(chosen)), chosen.filter);
  const bench::stopping_rule rounds = rounds_of(chosen);
  bench::budget time(chosen.seconds);
  record.quick = chosen.quick;
  record.rounds = rounds.most;
  print(chosen, bench::heading_text(record));
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  record.scalings = bench::run_on_cores(
      workloads, bench::core_counts(gs::core_count()),
      [&](const bench::workload& w) {
        std::vector<std::string> command{program, "--serve", w.name};
        if (chosen.quick) command.push_back("--quick");
        return command;
      },
      {.rounds = rounds,
       .time = rounds.least < rounds.most ? &time : nullptr,
       .begin = [](const bench::workload& w) { say(w.name + " on one core and more"); }},
      [&](const bench::scaling& s) { print(chosen, bench::scaling_text(s)); });
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print(chosen, fmt::format("\nmeasured for {:.0f} s\n", record.seconds));
  if (chosen.json) fmt::print("{}\n", bench::to_json(record).dump(2));
  return std::ranges::any_of(record.scalings, [](const bench::scaling& s) { return !s.wrong.empty(); }) ? 1 : 0;
}

int measure(const choices& chosen, bench::run_record record) {
  const std::size_t elements = chosen.quick ? quick : large;
  const auto workloads = bench::select(bench::all_workloads(elements), chosen.filter);
  if (chosen.list) {
    for (const bench::workload& w : workloads) fmt::print("{:<24}{}\n", w.name, w.text);
    return 0;
  }
  std::optional<bench::baseline> then;
  if (!chosen.against.empty()) then = bench::read_baseline(chosen.against);
  std::vector<bench::family> families;
  if (!chosen.one_size) families = bench::select(bench::all_families(elements), workloads);
  const bench::stopping_rule rounds = rounds_of(chosen);
  const auto start = std::chrono::steady_clock::now();
  bench::budget time(chosen.seconds);
  record.quick = chosen.quick;
  record.rounds = rounds.most;
  const auto print = [&](const std::string& text) { ::print(chosen, text); };

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
  constexpr double share_of_a_limit = 0.01;  // there are seven or so
  record.limits = bench::measure_limits(
      record.machine, {.array_bytes = array_bytes, .rounds = rounds, .seconds = share_of_a_limit * chosen.seconds},
      say);
  print(bench::limits_text(record.limits));

  bench::run_options options{.rounds = rounds,
                             .time = rounds.least < rounds.most ? &time : nullptr,
                             .others_after = families.size(),
                             .begin = [](const bench::workload& w) { say(w.name); },
                             .end = [&](const bench::row& r) { print(bench::row_text(r)); }};
  options.peers = peers.present;
  record.rows = bench::run(workloads, options);
  print(bench::peer_table_text(record.rows));
  options.peers.clear();
  if (!families.empty()) {
    options.others_after = 0;
    options.begin = [](const bench::workload& w) { say(w.name + " at several sizes"); };
    options.end = {};
    record.growths = growths_of(bench::run_families(families, options), record.rows);
    print("\nHow the cost grows with the size, all sizes but the largest measured side by side\n");
    for (const bench::growth& g : record.growths) print(bench::growth_text(g));
  }
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print(bench::summary_text(record.rows));
  print(fmt::format("measured for {:.0f} s\n", record.seconds));
  auto document = bench::to_json(record);
  bool slower = false;
  if (then) {
    const auto c = bench::compare(record, std::move(*then));
    print(bench::comparison_text(c));
    document["against"] = bench::to_json(c);
    slower = c.slower();
  }
  if (chosen.json) fmt::print("{}\n", document.dump(2));
  return slower || is_wrong(record) ? 1 : 0;
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
  options.add_flag("--one-size", chosen.one_size, "leave out how the cost grows with the size");
  options.add_flag("--cores", chosen.cores, "measure on 1, 2, ... all cores, and nothing else")->excludes("--peers");
  options.add_option("--against", chosen.against, "compare with FILE, a document that --json printed")
      ->option_text("FILE")
      ->excludes("--cores");
  options.add_option("--serve", chosen.serve)->group("");  // for --cores
  auto* seconds = options.add_option("--seconds", chosen.seconds,
                                     "time for the whole run; by itself three times as long with --peers");
  seconds->check(CLI::Range(1.0, 1e5))->capture_default_str();
  options.add_option("--rounds", chosen.rounds, "measure everything exactly so often, however long it takes")
      ->check(CLI::Range(1, 10000))
      ->excludes("--seconds");
  try {
    options.parse(argument_count, arguments);
  } catch (const CLI::ParseError& problem) {
    return options.exit(problem) == 0 ? 0 : 2;
  }
  if (chosen.peers && seconds->count() == 0) chosen.seconds *= 3;  // three to four times as many entrants
  try {
    if (!chosen.serve.empty()) return serve(chosen);
    const auto how = chosen.cores && !chosen.list ? measure_on_cores : measure;
    return how(chosen, bench::begin_record(argument_count, arguments));
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
