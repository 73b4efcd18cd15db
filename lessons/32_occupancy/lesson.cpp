// Lesson 32: occupancy. How many warps a multiprocessor keeps in flight, what they are good for, and when fewer are
// better.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "runtime/instruments/device_model/device_model.h"
#include "runtime/instruments/device_model/occupancy.h"
#include "runtime/instruments/device_model/time_bound.h"
#include "workbook/lesson.h"
#include "workbook/number_text.h"

// --- what limits it --------------------------------------------------------------------------------------------------

std::string limits_text(const gs::occupancy& o) {
  std::string text;
  for (const gs::occupancy_limit limit : o.limited_by)
    text += (text.empty() ? "" : ", ") + std::string(to_string(limit));
  return text;
}

void four_limits(const gs::device_model& model, workbook::report& report) {
  report.heading("Four things run out");
  struct launch {
    unsigned block;
    std::size_t shared_bytes;
    unsigned registers;
  };
  auto& table = report.table(
      "What a multiprocessor of the " + std::string(model.card) + " holds",
      {"threads a block", {"shared", "B"}, "registers a thread", "blocks", "warps", {"occupancy", "%"}, "limit"});
  for (const launch& l :
       {launch{256, 0, 32}, {32, 0, 32}, {256, 0, 40}, {256, 0, 128}, {768, 0, 32}, {256, 48 << 10, 32}}) {
    const gs::occupancy o = gs::occupancy_of(model, {l.block, 1, 1}, l.shared_bytes, l.registers);
    table.row(l.block, l.shared_bytes, l.registers, o.active_blocks, o.active_warps, 100 * o.share, limits_text(o));
  }
  const gs::occupancy wide = gs::occupancy_of(gs::model_of("9.0"), {128, 1, 1}, 0, 64);
  report.check_equal("9.0: warps of blocks of 128 threads with 64 registers, of 65,536", wide.active_warps, 32);
}

// Occupancy against registers: a block comes as a whole, or not at all.
void staircases(const gs::device_model& model, workbook::report& report) {
  std::vector<workbook::series> lines;
  unsigned most_of_1024 = 0;
  for (const unsigned threads : {128u, 512u, 768u, 1024u}) {
    std::vector<double> registers, percent;
    for (unsigned r = 16; r <= model.registers_per_thread; ++r) {
      const gs::occupancy o = gs::occupancy_of(model, {threads, 1, 1}, 0, r);
      registers.push_back(r);
      percent.push_back(100 * o.share);
      if (threads == 1024 && o.active_blocks > 0) most_of_1024 = r;
    }
    lines.push_back({.name = std::to_string(threads) + " threads a block", .x = registers, .y = percent});
  }
  report.plot(workbook::xy_plot{.title = "Occupancy falls in steps",
                                .x = {.label = "registers a thread"},
                                .y = {.label = "occupancy", .unit = "%", .min = 0},
                                .series = std::move(lines)});
  report.check_equal("the most registers that a thread of 1,024 can have", most_of_1024,
                     model.registers_per_block / 1024);
}

// --- what warps in flight are good for -------------------------------------------------------------------------------

constexpr unsigned lanes = 1;  // of one warp, each with chains of its own

// Each chain of a thread follows `next` from an index of its own: it can't ask for the next index before it has the
// last.
template <unsigned chains>
GS_FN void follow(gs::thread t, std::size_t steps, gs::view<const std::uint32_t> next, gs::view<std::uint32_t> index) {
  gs::local_array<std::uint32_t, chains> at;
  for (unsigned c = 0; c < chains; ++c) at[c] = index[chains * t.grid() + c];
  for (std::size_t k = 0; k < steps; ++k)
    for (unsigned c = 0; c < chains; ++c) at[c] = next[at[c]];
  for (unsigned c = 0; c < chains; ++c) index[chains * t.grid() + c] = at[c];
}

// A permutation that is a single cycle, so that no chain is short (S. Sattolo, "An algorithm to generate a random
// cyclic permutation", 1986).
std::vector<std::uint32_t> random_cycle(std::size_t size, std::uint64_t seed) {
  std::vector<std::uint32_t> next(size);
  std::iota(next.begin(), next.end(), 0u);
  std::mt19937_64 random(seed);
  for (std::size_t i = size - 1; i > 0; --i) std::swap(next[i], next[random() % i]);
  return next;
}

void chains_in_flight(std::size_t size, std::uint64_t seed, workbook::report& report) {
  report.heading("Waiting side by side");
  const std::vector<std::uint32_t> cycle = random_cycle(size, seed);
  const auto next = gs::to_device(cycle);
  auto& table = report.table("One thread", {"chains", "time a step", "time a step and chain", "in flight"});
  std::vector<double> counts, rates;
  double alone = 0;
  bool right = true;
  const auto measure = [&]<unsigned chains>() {
    std::vector<std::uint32_t> start(lanes * chains);
    for (std::size_t c = 0; c < start.size(); ++c) start[c] = static_cast<std::uint32_t>(size / start.size() * c);
    const std::size_t steps = 16'000 / chains + 1;
    const auto index = gs::to_device(start);
    gs::launch<follow<chains>>({.grid = 1, .block = lanes}, steps, next, index);
    const std::vector<std::uint32_t> found = index.copy_to_host();
    for (std::size_t c = 0; c < start.size(); ++c) {
      std::uint32_t expected = start[c];
      for (std::size_t k = 0; k < steps; ++k) expected = cycle[expected];
      right = right && found[c] == expected;
    }
    const double seconds = gs::timeit(
                               [&] {
                                 gs::launch<follow<chains>>({.grid = 1, .block = lanes}, steps, next, index);
                                 gs::synchronize();
                               },
                               {.runs = 5, .min_run_seconds = 0.005, .max_seconds = 0.4})
                               .best() /
                           static_cast<double>(steps);
    if (chains == 1) alone = seconds;
    counts.push_back(chains);
    rates.push_back(chains / seconds * 1e-6);
    // Little's law, with the latency of a single chain.
    table.row(chains, workbook::seconds(seconds), workbook::seconds(seconds / chains), chains / seconds * alone);
  };
  measure.operator()<1>(), measure.operator()<2>(), measure.operator()<4>(), measure.operator()<8>();
  measure.operator()<16>(), measure.operator()<32>(), measure.operator()<64>();
  report.check("each chain ends where it should", right);
  report.plot(workbook::xy_plot{
      .title = "Loads under way at once",
      .x = {.label = "chains", .log = true},
      .y = {.label = "loads", .unit = "million/s", .log = true},
      .series = {{.name = "", .x = counts, .y = rates, .style = workbook::drawn_as::line_and_points}}});
}

// Little's law: what is in flight is the rate times the time that each takes.
void warps_needed(const gs::device_model& model, long long latency, workbook::report& report) {
  report.heading("How many warps are enough?");
  const double bytes_per_cycle = model.memory_bytes_per_second / (1e6 * model.clock_mhz * model.multiprocessors);
  const double in_flight = bytes_per_cycle * static_cast<double>(latency);
  report.paragraph(std::string(model.card) + ": " + workbook::significant(bytes_per_cycle, 3) +
                   " bytes a cycle for each of its " + std::to_string(model.multiprocessors) +
                   " multiprocessors. At a latency of " + std::to_string(latency) + " cycles, " +
                   std::to_string(std::lround(in_flight)) + " bytes have to be on their way to each of them.");
  auto& table = report.table("Warps that keep the memory busy",
                             {"bytes a thread waits for", "threads", "warps", {"occupancy", "%"}});
  for (const unsigned bytes : {4u, 8u, 16u, 32u, 64u}) {
    const double threads = std::ceil(in_flight / bytes), warps = std::ceil(threads / gs::warp_size);
    table.row(bytes, threads, warps, 100 * warps / model.warps_per_sm);
  }
}

// --- when fewer are better -------------------------------------------------------------------------------------------

void results_a_thread(const gs::device_model& model, workbook::report& report) {
  report.heading("Fewer warps, and faster");
  auto& table = report.table(
      "A matrix product, r x r results a thread, blocks of 256 threads",
      {"r", "registers at least", {"occupancy at most", "%"}, "loads a multiply-add", "least time", "limit"});
  constexpr double multiply_adds = 4096.0 * 4096 * 4096;
  for (const unsigned r : {1u, 2u, 4u, 8u}) {
    const unsigned registers = r * r + 2 * r;  // the results, and a column and a row of factors
    const gs::occupancy o = gs::occupancy_of(model, {256, 1, 1}, 0, registers);
    // Each load of a warp is a wavefront at least.
    const gs::time_bound bound = gs::time_bound_of(
        model, {.wavefronts = multiply_adds / gs::warp_size * 2 / r, .float32_operations = 2 * multiply_adds});
    table.row(r, registers, 100 * o.share, 2.0 / r, workbook::seconds(bound.seconds()), to_string(bound.limited_by()));
  }
  report.paragraph("The least time is a bound on " + std::string(model.card) +
                   ", for 4,096 rows and columns whose numbers are loaded from shared memory, each by itself.");
}

void run(const workbook::parameters& given, workbook::report& report) {
  const gs::device_model& model = gs::model_of(given.choice("model"));
  four_limits(model, report);
  staircases(model, report);
  chains_in_flight(given.size(), given.seed(), report);
  warps_needed(model, given.integer("latency"), report);
  results_a_thread(model, report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 32,
          .name = "occupancy",
          .title = "How many warps are enough",
          .summary = "Registers, shared memory and block size against warps in flight, and when more is not faster.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "numbers of the cycle that the chains follow",
                                           .min = 1,
                                           .max = 100'000'000,
                                           .default_value = 8'000'000,
                                           .inspected = 4'096},
                         workbook::integer{.name = "latency",
                                           .text = "cycles from asking the GPU's memory to the answer",
                                           .min = 1,
                                           .max = 10'000,
                                           .default_value = 600},
                         workbook::choice{.name = "model",
                                          .text = "compute capability of the GPU",
                                          .choices = gs::compute_capabilities(),
                                          .default_value = "9.0"}},
          .run = run};
}
