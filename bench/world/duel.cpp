#include "bench/world/duel.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>

#include "runtime/core/error.h"

namespace bench {
namespace {

// After a call that isn't timed, all ranks begin together; the slowest one's time counts, on all of them.
double seconds_of(const std::function<void()>& f, std::size_t calls, const gs::communicator& world) {
  using clock = std::chrono::steady_clock;
  f();
  world.barrier();
  const auto began = clock::now();
  for (std::size_t k = 0; k < calls; ++k) f();
  const double seconds = std::chrono::duration<double>(clock::now() - began).count();
  return world.allreduce(seconds, gs::fold::maximum) / static_cast<double>(calls);
}

// How many calls fill a sample, where nothing interrupts them: the quickest of three tries counts.
std::size_t calls_for(const duel& d, double seconds, const gs::communicator& world) {
  for (std::size_t calls = 1;; calls *= 2) {
    double quickest = seconds_of(d.bare, calls, world);
    for (int k = 0; k < 2; ++k) quickest = std::min(quickest, seconds_of(d.bare, calls, world));
    if (quickest * static_cast<double>(calls) >= seconds) return calls;
  }
}

std::vector<float> result_of(const duel& d, bool of_ours) {
  d.begin_anew();
  (of_ours ? d.ours : d.bare)();
  return (of_ours ? d.our_result : d.bare_result)();
}

void check_equal(const duel& d, const gs::communicator& world) {
  const std::vector<float> ours = result_of(d, true), bare = result_of(d, false);
  const bool are_equal = ours.size() == bare.size() &&
                         (ours.empty() || std::memcmp(ours.data(), bare.data(), sizeof(float) * ours.size()) == 0);
  const int differing = world.allreduce(are_equal ? 0 : 1);
  if (differing > 0)
    throw gs::error(fmt::format("{} of {} bytes", d.verb, d.bytes),
                    fmt::format("ours and MPI's results differ on {} of {} ranks", differing, world.size()),
                    "don't trust its time");
}

}  // namespace

duel_result fight(const duel& d, const duel_rules& rules, const gs::communicator& world) {
  check_equal(d, world);
  duel_result result{d.verb, d.bytes, d.is_judged, 1, {}, {}};
  result.calls = calls_for(d, rules.seconds_of_a_sample, world);
  std::mt19937 dice(1);  // the same order on all ranks
  for (std::size_t round = 0; round < rules.rounds; ++round) {
    const bool ours_first = dice() % 2 == 0;
    for (const bool is_ours : {ours_first, !ours_first}) {
      const double seconds = seconds_of(is_ours ? d.ours : d.bare, result.calls, world) / d.messages;
      (is_ours ? result.ours : result.bare).push_back(seconds);
    }
  }
  return result;
}

comparison compare(const duel_result& r) {
  if (r.bytes >= large_message || !r.is_judged) {
    const estimate ratio = paired_ratio(r.ours, r.bare);
    return {true, ratio, judge(ratio, wanted_ratio)};
  }
  std::vector<double> more;
  for (std::size_t k = 0; k < r.ours.size(); ++k) more.push_back(r.ours[k] - r.bare[k]);
  const estimate difference = estimate_median(more);
  return {false, difference, judge(difference, wanted_difference)};
}

}  // namespace bench
