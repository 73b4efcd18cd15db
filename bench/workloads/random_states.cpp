// random_states: as many generators as threads, each 2^64 draws from the next.
#include <algorithm>

#include "bench/measure/agreement.h"
#include "bench/peers/circle.h"
#include "bench/workloads/devices.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

constexpr std::uint64_t seed = 1;

contest prepare_random_states(std::size_t count) {
  const auto ours = std::make_shared<std::vector<gs::random_state>>(count);
  const auto theirs = std::make_shared<std::vector<peers::stream_words>>(count);
  contest c;
  c.add("host array", role::ours, repeated([ours] { gs::fill_random_states(*ours, seed); }));
  for (const gs::device_kind device : devices())
    c.add(gs::to_string(device) + ", new device array", role::ours, hardware_of(device),
          on(device, repeated([count] { gs::random_states(count, seed); })));
  c.add("one jump after another", role::peer,
        repeated([theirs] { peers::jump_one_by_one(gs::random_state_at(seed, 0).s0, *theirs); }));

  for (const entrant& e : c.entrants()) e.run(1);
  const auto same = [](const gs::random_state& a, const peers::stream_words& b) {
    return a.s0 == b.s0 && a.s1 == b.s1;
  };
  bool equal = std::ranges::equal(*ours, *theirs, same);
  for (const gs::device_kind device : devices()) {
    const while_current guard(device);
    equal = equal && std::ranges::equal(gs::random_states(count, seed).copy_to_host(), *theirs, same);
  }
  if (!equal) throw disagreement("the states differ from those of one jump after another");
  const auto first = std::make_shared<std::uint64_t>(gs::random_state_at(seed, 0).s0);
  c.ask_outside({.task = "random_states",
                 .inputs = {{"first", std::span(first.get(), 1)}},
                 .output = array_of<std::uint64_t>({count, 2}),
                 .check = [theirs, first](const std::string& who, std::span<const std::byte> result) {
                   if (!std::ranges::equal(result, std::as_bytes(std::span(*theirs))))
                     throw disagreement(who + " made other states");
                 }});
  return c;
}

}  // namespace

workload random_states(std::size_t count) {
  const demand wanted{demand::in_seconds, 50e-9 * static_cast<double>(count), "50 ns each"};
  return {.name = "random_states",
          .text = "xoroshiro128p states from one seed",
          .elements = count,
          .dtype = "state",
          .memory = 4 * count * sizeof(gs::random_state),
          .wanted = wanted,
          .wanted_of_gpu = wanted,
          .prepare = [count] { return prepare_random_states(count); }};
}

}  // namespace bench
