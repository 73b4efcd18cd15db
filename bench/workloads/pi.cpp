// pi: darts thrown at the unit square, those within the circle counted. Two random numbers a dart, no memory traffic.

#include <cmath>
#include <cstring>
#include <numbers>

#include "bench/measure/agreement.h"
#include "bench/peers/circle.h"
#include "bench/workloads/gpu_entrants.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

constexpr unsigned streams = 1 << 14, lanes = 32;

GS_FN bool is_inside(gs::random_state& state) {
  const float x = gs::uniform_float32(state), y = gs::uniform_float32(state);
  return x * x + y * y <= 1;
}

// With many streams a thread, the lanes of a vector register work too: five times as fast on the engine as one stream a
// thread, which is what a GPU wants.
template <unsigned Lanes>
GS_FN void many_streams(gs::thread t, gs::view<const gs::random_state> states, std::uint32_t darts,
                        gs::view<std::uint64_t> inside) {
  gs::random_lanes<Lanes> random(states, t.grid() * Lanes);
  std::uint32_t count[Lanes] = {};
  for (std::uint32_t k = 0; k < darts; ++k)
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      gs::random_state state = random.get(lane);
      count[lane] += is_inside(state);
      random.set(lane, state);
    }
  for (unsigned lane = 0; lane < Lanes; ++lane) inside[t.grid() * Lanes + lane] = count[lane];
}

struct board {
  array_everywhere<gs::random_state> states{streams};
  array_everywhere<std::uint64_t> inside{streams};
  std::vector<peers::stream_words> words;
  std::uint64_t total = 0;  // what the last entrant counted

  board() {
    gs::fill_random_states(states.host.span(), 1);
    states.set_all();
    for (const gs::random_state& s : states.host.read()) words.push_back({s.s0, s.s1});
  }
  void run_ours(gs::device_kind device, std::uint32_t darts) {
    if (device == gs::device_kind::engine)
      gs::launch<many_streams<lanes>>({.grid = 64, .block = streams / lanes / 64}, states.on(device), darts,
                                      inside.on(device));
    else
      gs::launch<many_streams<1>>({.grid = streams / 128, .block = 128}, states.on(device), darts, inside.on(device));
    total = 0;
    for (const std::uint64_t count : inside.on(device).copy_to_host()) total += count;
  }
};

contest prepare_pi(std::uint32_t darts) {
  const auto b = std::make_shared<board>();
  contest c;
  for (const gs::device_kind device : devices())
    c.add(gs::to_string(device), role::ours, hardware_of(device),
          on(device, repeated([b, device, darts] { b->run_ours(device, darts); })));
  c.add("OpenMP, 8 lanes", role::peer, repeated([b, darts] { b->total = peers::darts_in_circle<1>(b->words, darts); }));
  c.add("OpenMP, 2 x 8 lanes", role::peer,
        repeated([b, darts] { b->total = peers::darts_in_circle<2>(b->words, darts); }));
  c.add("OpenMP, 4 x 8 lanes", role::peer,
        repeated([b, darts] { b->total = peers::darts_in_circle<4>(b->words, darts); }));
  add_gpu_peer(c, "CUDA, a thread per stream", [b, darts] {
    // Both are the two words of the state.
    const auto* words = reinterpret_cast<const peers::stream_words*>(b->states.on(gs::device_kind::cuda).data());
    return peers::gpu::darts_in_circle(words, streams, darts, &b->total);
  });

  // A compiler may round x * x + y * y once or twice, and a dart on the very edge falls one way or the other.
  const auto expected = static_cast<double>(peers::darts_in_circle<1>(b->words, darts));
  for (const entrant& e : c.entrants()) {
    b->total = 0;
    e.run(1);
    if (std::abs(static_cast<double>(b->total) - expected) > 1 + 1e-6 * expected)
      throw disagreement(e.name + " counted " + std::to_string(b->total) +
                         " darts within the circle and OpenMP, 8 lanes, " + std::to_string(expected));
  }

  // The same darts; and as many from a peer's own generator, whose count is binomial: six standard deviations.
  const auto within = [expected](double most) {
    return [=](const std::string& who, std::span<const std::byte> result) {
      std::uint64_t count = 0;
      std::memcpy(&count, result.data(), sizeof count);
      if (std::abs(static_cast<double>(count) - expected) > most)
        throw disagreement(who + " counted " + std::to_string(count) + " darts within the circle, and " +
                           std::to_string(expected) + " were expected, give or take " + std::to_string(most));
    };
  };
  const double thrown = static_cast<double>(darts) * streams, inside = std::numbers::pi / 4;
  c.ask_outside({.task = "pi",
                 .inputs = {{"streams", std::span(&b->words[0].s0, 2 * streams), {streams, 2}}},
                 .scalars = {{"darts", darts}},
                 .output = array_of<std::uint64_t>({1}),
                 .check = within(1 + 1e-6 * expected)});
  c.ask_outside({.task = "pi_with_own_generator",
                 .scalars = {{"draws", thrown}},
                 .output = array_of<std::uint64_t>({1}),
                 .check = within(6 * std::sqrt(2 * thrown * inside * (1 - inside)))});
  return c;
}

}  // namespace

workload pi(std::size_t elements) {
  const auto darts = static_cast<std::uint32_t>((elements + streams - 1) / streams);
  return {.name = "pi",
          .text = "darts in the unit circle; two float32 uniforms each, xoroshiro128p",
          .elements = std::size_t{darts} * streams,
          .dtype = "float32",
          .memory = 3 * streams * sizeof(gs::random_state),
          .wanted = demand{demand::of_peer, 2, "2 x peer"},
          .wanted_of_gpu = demand{demand::of_peer, 2, "2 x peer"},
          .prepare = [darts] { return prepare_pi(darts); }};
}

}  // namespace bench
