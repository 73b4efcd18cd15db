#include "bench/command/on_cores.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/command/show.h"
#include "bench/limits/bandwidth.h"
#include "bench/measure/child_contest.h"
#include "bench/report/json.h"
#include "bench/report/scaling.h"
#include "bench/report/text.h"
#include "bench/workloads/workloads.h"
#include "runtime/core/error.h"
#include "runtime/device/device.h"
#include "runtime/host/cores.h"

namespace bench {
namespace {

// Smaller than usual: every number of cores has its own copy of the arrays.
std::vector<workload> workloads_on_cores(const choices& chosen) {
  return all_workloads(chosen.quick ? quick_elements : 3 * large_elements / 10);
}

}  // namespace

int serve(const choices& chosen) {
  gs::select_device(gs::device_kind::engine);
  limits::use_threads(gs::core_count());
  for (const workload& w : workloads_on_cores(chosen))
    if (w.name == chosen.serve) return serve_rounds(w, stdin, stdout), 0;
  throw gs::error("--serve", fmt::format("there is no workload '{}'", chosen.serve), "use --list");
}

int measure_on_cores(const choices& chosen, run_record record) {
  const auto began = std::chrono::steady_clock::now();
  const auto workloads = select(workloads_on_cores(chosen), chosen.filter);
  const stopping_rule rounds = chosen.rule();
  budget time(chosen.seconds);
  record.quick = chosen.quick;
  record.rounds = rounds.most;
  print(chosen, heading_text(record));
  const bool timed = rounds.least < rounds.most;
  if (timed) print(chosen, budget_text(chosen.seconds));
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  record.scalings = run_on_cores(
      workloads, core_counts(gs::core_count()),
      [&](const workload& w) {
        std::vector<std::string> command{program, "--serve", w.name};
        if (chosen.quick) command.push_back("--quick");
        return command;
      },
      {.rounds = rounds,
       .time = timed ? &time : nullptr,
       .begin = [](const workload& w) { say(w.name + " on one core and more"); }},
      [&](const scaling& s) { print(chosen, scaling_text(s)); });
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  print(chosen, fmt::format("\nmeasured for {:.0f} s\n", record.seconds));
  if (chosen.json) fmt::print("{}\n", to_json(record).dump(2));
  return is_wrong(record) ? 1 : 0;
}

}  // namespace bench
