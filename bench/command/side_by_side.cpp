#include "bench/command/side_by_side.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/command/show.h"
#include "bench/limits/bandwidth.h"
#include "bench/limits/machine_limits.h"
#include "bench/measure/peer_programs.h"
#include "bench/report/baseline.h"
#include "bench/report/json.h"
#include "bench/report/peer_table.h"
#include "bench/report/text.h"
#include "bench/workloads/workloads.h"
#include "runtime/device/device.h"
#include "runtime/host/cores.h"

namespace bench {

int measure_side_by_side(const choices& chosen, run_record record) {
  const std::size_t elements = chosen.elements();
  const auto workloads = select(all_workloads(elements), chosen.filter);
  if (chosen.list) {
    for (const workload& w : workloads) fmt::print("{:<24}{}\n", w.name, w.text);
    return 0;
  }
  std::optional<baseline> then;
  if (!chosen.against.empty()) then = read_baseline(chosen.against);
  std::vector<family> families;
  if (!chosen.one_size) families = select(all_families(elements), workloads);
  const stopping_rule rounds = chosen.rule();
  const auto began = std::chrono::steady_clock::now();
  budget time(chosen.seconds);
  record.quick = chosen.quick;
  record.rounds = rounds.most;
  const auto print = [&](const std::string& text) { bench::print(chosen, text); };

  gs::select_device(gs::device_kind::engine);  // the peers and the limits use this machine's cores and memory
  limits::use_threads(gs::core_count());
  peer_programs peers;
  if (chosen.peers) {
    say("nothing yet: the peers are starting");
    peers = start(all_peer_programs());
    for (const auto& peer : peers.present) record.peers.push_back(peer->version());
    record.absent_peers = peers.absent;
    if (chosen.markdown && peers.present.empty())
      throw gs::machine_error("compare ours with outside peers", "there are none",
                              fmt::format("install some of them. {}", fmt::join(peers.absent, ". ")));
  }
  print(heading_text(record));
  const bool timed = rounds.least < rounds.most;
  if (timed) print(budget_text(chosen.seconds));
  const std::size_t array_bytes =
      chosen.quick ? quick_elements * sizeof(float) : limit_array_bytes(record.machine, large_elements * sizeof(float));
  constexpr double share_of_a_limit = 0.01;  // there are seven or so
  record.limits =
      measure_limits(record.machine,
                     {.array_bytes = array_bytes, .rounds = rounds, .seconds = share_of_a_limit * chosen.seconds}, say);
  print(limits_text(record.limits));

  run_options options{.rounds = rounds,
                      .time = timed ? &time : nullptr,
                      .others_after = families.size(),
                      .judged = !chosen.quick,  // times of a quick run mean nothing
                      .begin = [](const workload& w) { say(w.name); },
                      .end = [&](const row& r) { print(row_text(r)); }};
  options.peers = peers.present;
  record.rows = run(workloads, options);
  print(peer_table_text(record.rows));
  if (!families.empty()) {
    options.others_after = 0;
    options.begin = [](const workload& w) { say(w.name + " at several sizes"); };
    options.end = {};
    record.growths = growths_of(run_families(families, options), record.rows);
    print("\nHow the cost grows with the size, all sizes but the largest measured side by side\n");
    for (const growth& g : record.growths) print(growth_text(g));
  }
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  print(summary_text(record.rows));
  print(fmt::format("measured for {:.0f} s\n", record.seconds));
  auto document = to_json(record);
  bool slower = false;
  if (then) {
    const auto c = compare(record, std::move(*then));
    print(comparison_text(c));
    document["against"] = to_json(c);
    slower = c.slower();
  }
  if (chosen.json) fmt::print("{}\n", document.dump(2));
  if (chosen.markdown) {
    const std::string table = peer_table_markdown(record);
    if (table.empty())
      throw gs::error("--markdown", "no outside peer took part in the workloads of the filter",
                      "choose others, such as '^reduce$'");
    fmt::print("{}", table);
  }
  return slower || is_wrong(record) ? 1 : 0;
}

}  // namespace bench
