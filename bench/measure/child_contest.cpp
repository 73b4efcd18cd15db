#include "bench/measure/child_contest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "bench/machine/machine.h"
#include "bench/measure/agreement.h"
#include "bench/measure/statistics.h"
#include "runtime/core/error.h"
#include "runtime/host/machine.h"

namespace bench {
namespace {

using message = nlohmann::json;

void send(std::FILE* out, const message& m) {
  fmt::print(out, "{}\n", m.dump());
  std::fflush(out);
}

// `command` on the first `cores` of the cores that this process may use.
std::vector<std::string> on_cores(std::size_t cores, const std::vector<std::string>& command) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::vector<std::size_t> first;
  for (std::size_t core = 0; core < CPU_SETSIZE && first.size() < cores; ++core)
    if (CPU_ISSET(core, &allowed)) first.push_back(core);
  std::vector<std::string> words{"env", fmt::format("GRIDSTRIDE_THREADS={}", cores), "taskset", "--cpu-list",
                                 fmt::format("{}", fmt::join(first, ","))};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

gs::machine_error no_answer(std::size_t cores, const std::string& found) {
  return {fmt::format("a measurement on {} core{}", cores, cores == 1 ? "" : "s"), found,
          "run this workload alone to see what it says"};
}

// Half the width of the widest interval of a speed-up of ours, over its median.
double uncertainty_of(const std::vector<std::vector<entrant>>& on) {
  double widest = 0;
  for (std::size_t e = 0; e < on.front().size(); ++e)
    for (std::size_t k = 1; k < on.size() && on.front()[e].role == role::ours; ++k) {
      const estimate speedup = paired_ratio(on.front()[e].seconds, on[k][e].seconds);
      widest = std::max(widest, (speedup.high - speedup.low) / 2 / speedup.median);
    }
  return widest;
}

void measure_scaling(scaling& s, const std::vector<std::string>& command, const stopping_rule& rule, double allowed) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  if (const std::size_t needed = s.workload.memory * s.cores.size(), free = gs::detail::free_memory(); needed > free) {
    s.skipped = fmt::format("needs {:.1f} GB of memory, a copy for each number of cores; {:.1f} GB are free",
                            static_cast<double>(needed) / 1e9, static_cast<double>(free) / 1e9);
    return;
  }
  std::vector<std::unique_ptr<child_contest>> children;
  for (const std::size_t cores : s.cores) children.push_back(std::make_unique<child_contest>(command, cores));
  std::vector<std::size_t> order(children.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 shuffle{1};
  std::size_t round = 0;
  do {
    std::ranges::shuffle(order, shuffle);
    for (const std::size_t i : order) children[i]->round();
    s.on.clear();
    for (const auto& child : children) {
      s.on.push_back(child->entrants());
      std::erase_if(s.on.back(), [](const entrant& e) { return e.hardware != hardware::all_cores; });
    }
    if (s.on.front().empty()) return;
  } while (!rule.ends(++round, uncertainty_of(s.on), seconds(), allowed));
}

}  // namespace

void serve_rounds(const workload& w, std::FILE* in, std::FILE* out) {
  contest c;
  try {
    c = w.prepare();
    c.warm_up();
  } catch (const disagreement& found) {
    return send(out, {{"wrong", found.what()}});
  } catch (const gs::machine_error& lack) {
    return send(out, {{"skipped", lack.what()}});
  }
  message entrants = message::array();
  for (const entrant& e : c.entrants())
    entrants.push_back({{"name", e.name}, {"role", e.role}, {"hardware", e.hardware}, {"calls", e.calls}});
  settle();
  send(out, {{"entrants", entrants}});
  for (char line[16]; std::fgets(line, sizeof line, in) && std::strcmp(line, "round\n") == 0;) {
    c.round();
    settle();  // otherwise its waiting threads would disturb the next process
    message seconds = message::array();
    for (const entrant& e : c.entrants()) seconds.push_back(e.seconds.back());
    send(out, {{"seconds", seconds}});
  }
}

template <class Speak>
std::string child_contest::answer(Speak speak) {
  try {
    return speak(std::chrono::milliseconds(std::llround(patience_ * 1e3)));
  } catch (const peer_silence&) {
    throw no_answer(cores_, fmt::format("the process has been silent for {:.3g} s", patience_));
  } catch (const peer_failure&) {
    throw no_answer(cores_, "the process has ended");
  }
}

child_contest::child_contest(const std::vector<std::string>& command, std::size_t cores, double patience)
    : cores_(cores), patience_(patience), child_(on_cores(cores, command)) {
  try {
    const message hello = message::parse(answer([&](auto patience) { return child_.listen(patience); }));
    if (hello.contains("wrong")) throw disagreement(hello["wrong"]);
    if (hello.contains("skipped")) throw no_answer(cores, hello["skipped"]);
    for (const message& e : hello.at("entrants"))
      entrants_.push_back({.name = e.at("name"),
                           .role = e.at("role"),
                           .hardware = e.at("hardware"),
                           .run = {},
                           .calls = e.at("calls"),
                           .seconds = {}});
  } catch (const message::exception&) {
    throw no_answer(cores, "the process says something that isn't its protocol");
  }
}

void child_contest::round() {
  try {
    const message seconds =
        message::parse(answer([&](auto patience) { return child_.ask("round", patience); })).at("seconds");
    if (seconds.size() != entrants_.size()) throw no_answer(cores_, "the process has other entrants than before");
    for (std::size_t i = 0; i < entrants_.size(); ++i) entrants_[i].seconds.push_back(seconds[i]);
  } catch (const message::exception&) {
    throw no_answer(cores_, "the process says something that isn't its protocol");
  }
}

std::vector<std::size_t> core_counts(std::size_t cores) {
  std::vector<std::size_t> counts;
  for (std::size_t k = 1; k < cores; k = cores <= 8 ? k + 1 : 2 * k) counts.push_back(k);
  counts.push_back(cores);
  return counts;
}

std::vector<scaling> run_on_cores(const std::vector<workload>& workloads, const std::vector<std::size_t>& cores,
                                  const std::function<std::vector<std::string>(const workload&)>& command,
                                  const run_options& options, const std::function<void(const scaling&)>& end) {
  std::vector<scaling> scalings;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    scaling& s = scalings.emplace_back(scaling{.workload = workloads[i], .cores = cores, .on = {}});
    if (options.begin) options.begin(s.workload);
    try {
      measure_scaling(
          s, command(s.workload), options.rounds,
          options.time ? options.time->share(workloads.size() - i) : std::numeric_limits<double>::infinity());
    } catch (const disagreement& found) {
      s.on.clear();
      s.wrong = found.what();
    } catch (const gs::machine_error& lack) {
      s.on.clear();
      s.skipped = lack.what();
    }
    end(s);
  }
  return scalings;
}

}  // namespace bench
