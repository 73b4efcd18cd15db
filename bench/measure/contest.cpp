#include "bench/measure/contest.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <numeric>
#include <thread>

#include "bench/measure/statistics.h"

namespace bench {
namespace {

double seconds_of(const work& run, std::size_t calls) {
  const auto start = std::chrono::steady_clock::now();
  run(calls);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double process_seconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
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

void contest::warm_up() {
  for (entrant& e : entrants_) {
    settle();
    const bool automatic = e.calls == 0;
    if (automatic) e.calls = 1;
    double taken = seconds_of(e.run, e.calls);
    // The first calls pay for what is made once; doubling outgrows them.
    while (automatic && taken < sample_seconds) taken = seconds_of(e.run, e.calls *= 2);
  }
  order_.resize(entrants_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

void contest::round() {
  std::ranges::shuffle(order_, shuffle_);
  for (const std::size_t i : order_) {
    entrant& e = entrants_[i];
    settle();
    e.run(1);
    e.seconds.push_back(seconds_of(e.run, e.calls) / static_cast<double>(e.calls));
  }
}

const entrant* fastest(const std::vector<entrant>& entrants, role r, hardware with) {
  const entrant* best = nullptr;
  for (const entrant& e : entrants)
    if (e.role == r && e.hardware == with && (!best || median(e.seconds) < median(best->seconds))) best = &e;
  return best;
}

void settle() {
  // A look is longer than a tick of the system's clock, 4 ms mostly: at ticks it learns how long a thread has been
  // running that goes on without a break, such as those of OpenMP, which spin for some milliseconds before they sleep.
  constexpr auto look = std::chrono::milliseconds(9);
  constexpr double idle_share = 0.05;  // what this thread itself needs to look
  for (int looks = 0; looks < 20; ++looks) {
    const double before = process_seconds();
    std::this_thread::sleep_for(look);
    if (process_seconds() - before < idle_share * std::chrono::duration<double>(look).count()) return;
  }
}

}  // namespace bench
