#include "bench/measure/contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <thread>

#include "bench/machine/machine.h"
#include "bench/machine/processor_time.h"
#include "bench/measure/agreement.h"
#include "bench/measure/statistics.h"
#include "runtime/host/machine.h"

namespace bench {
namespace {

double seconds_of(const entrant& e, std::size_t calls) {
  if (e.timed) return e.timed(calls);
  const auto start = std::chrono::steady_clock::now();
  e.run(calls);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<std::size_t> in_order(std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::size_t bytes_of(const array_kind& array) {
  std::size_t bytes = array.item_bytes;
  for (const std::size_t extent : array.shape) bytes *= extent;
  return bytes;
}

// The memory that a peer needs: for all arrays, once in the shared file and once for itself.
double memory_for(const assignment& task) {
  std::size_t bytes = bytes_of(task.output);
  for (const named_array& input : task.inputs) bytes += input.data.size();
  return 2 * static_cast<double>(bytes);
}

}  // namespace

std::string_view to_string(role r) {
  switch (r) {
    case role::ours:
      return "ours";
    case role::peer:
      return "peer";
    case role::limit:
      return "limit";
  }
  return "?";
}

std::string_view to_string(hardware h) {
  switch (h) {
    case hardware::all_cores:
      return "all cores";
    case hardware::one_core:
      return "one core";
    case hardware::gpu:
      return "gpu";
  }
  return "?";
}

void contest::add(std::string name, role r, work run, std::size_t calls) {
  add(std::move(name), r, hardware::all_cores, std::move(run), calls);
}

void contest::add(std::string name, role r, hardware with, work run, std::size_t calls) {
  entrants_.push_back(
      {.name = std::move(name), .role = r, .hardware = with, .run = std::move(run), .calls = calls, .seconds = {}});
}

void contest::ask_outside(assignment task) { assignments_.push_back(std::move(task)); }

void contest::invite(const std::shared_ptr<outside_peer>& peer) {
  try {
    for (const assignment& task : assignments_) {
      if (const double needed = memory_for(task), free = static_cast<double>(gs::detail::free_memory()); needed > free)
        return leave_out(peer->name(),
                         fmt::format("needs {:.1f} GB of memory, {:.1f} GB are free", needed / 1e9, free / 1e9));
      const auto [number, ways] = peer->prepare(task);
      for (std::size_t way = 0; way < ways.size(); ++way) {
        const large_buffer<std::byte> result = peer->result(number, way, bytes_of(task.output));
        try {
          if (task.check) task.check(ways[way], result.read());
        } catch (const disagreement& found) {
          left_out_.push_back(found.what());
          continue;
        }
        add(ways[way], role::peer, {});
        entrants_.back().hardware = entrants_.front().hardware;
        entrants_.back().program = peer->name();
        entrants_.back().timed = [peer, number = number, way](std::size_t calls) {
          return peer->run(number, way, calls);
        };
      }
      if (ways.empty()) continue;
      peers_.push_back(peer);
      return;
    }
  } catch (const peer_failure& failure) {
    leave_out(peer->name(), failure.what());
  }
}

void contest::leave_out(const std::string& program, const std::string& why) {
  left_out_.push_back(program + ": " + why);
  std::erase_if(entrants_, [&](const entrant& e) { return e.program == program; });
}

std::vector<pid_t> contest::processes() const {
  std::vector<pid_t> ids;
  for (const auto& peer : peers_)
    if (const pid_t process = peer->process()) ids.push_back(process);
  return ids;
}

void contest::each_in_order(const std::vector<std::size_t>& order, const std::function<void(entrant&)>& f) {
  std::map<std::string, std::string> failed;  // a program, and the reason
  for (const std::size_t i : order) {
    entrant& e = entrants_[i];
    if (failed.contains(e.program)) continue;
    settle(processes());
    try {
      f(e);
    } catch (const peer_failure& failure) {
      failed.emplace(e.program, failure.what());
    }
  }
  for (const auto& [program, why] : failed) leave_out(program, why);
}

void contest::warm_up() {
  each_in_order(in_order(entrants_.size()), [](entrant& e) {
    const bool automatic = e.calls == 0;
    if (automatic) e.calls = 1;
    double taken = seconds_of(e, e.calls);
    // The first calls pay for one-time costs; doubling outgrows them. The limit ends it even if the clock stands still.
    while (automatic && taken < sample_seconds && e.calls < most_calls) taken = seconds_of(e, e.calls *= 2);
  });
}

void contest::round() {
  std::vector<std::size_t> order = in_order(entrants_.size());
  std::ranges::shuffle(order, shuffle_);
  each_in_order(order, [](entrant& e) {
    seconds_of(e, 1);
    e.seconds.push_back(seconds_of(e, e.calls) / static_cast<double>(e.calls));
  });
}

const entrant* fastest(const std::vector<entrant>& entrants, role r, hardware with) {
  const entrant* best = nullptr;
  for (const entrant& e : entrants)
    if (e.role == r && e.hardware == with && (!best || median(e.seconds) < median(best->seconds))) best = &e;
  return best;
}

void settle(std::span<const pid_t> others) {
  // A look is longer than a tick of the system's clock, mostly 4 ms: only at ticks the system accounts for threads that
  // run without a break, such as OpenMP's, which spin for some milliseconds before they sleep.
  constexpr auto look = std::chrono::milliseconds(9);
  constexpr double idle_share = 0.05;  // more than this thread itself needs to look
  for (int looks = 0; looks < 20; ++looks) {
    const double before = processor_seconds(others);
    std::this_thread::sleep_for(look);
    if (processor_seconds(others) - before < idle_share * std::chrono::duration<double>(look).count()) return;
  }
}

}  // namespace bench
