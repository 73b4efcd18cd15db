// Lesson 29: what the 32 lanes of a warp can say to each other, what it costs when they part, and what they may not
// assume.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

constexpr unsigned block_size = 128;

// --- what lanes say to each other ------------------------------------------------------------------------------------

struct answers {
  unsigned own, from_right, sum, voted, place, alike;
};
// Each lane has a number from 0 to 3, and asks the others in five ways.
GS_FN void ask(gs::thread t, gs::view<const unsigned> x, gs::view<answers> out) {
  answers a{};
  a.own = x[t.lane()];
  a.from_right = t.shuffle_down(a.own, 1);
  a.sum = a.own;
  for (unsigned bits = 1; bits < gs::warp_size; bits *= 2) a.sum += t.shuffle_xor(a.sum, bits);
  a.voted = t.ballot(a.own >= 2);
  a.place = static_cast<unsigned>(gs::popcount(a.voted & t.lanes_below()));
  a.alike = t.match_any(a.own);
  out[t.lane()] = a;
}

std::string lanes_text(unsigned mask) {
  std::string text;
  for (unsigned lane = 0; lane < 8; ++lane) text += (mask >> lane & 1) != 0 ? '1' : '.';
  return text;
}

void five_questions(std::uint64_t seed, workbook::report& report) {
  report.heading("Five questions");
  const auto x = gs::integers<unsigned>({gs::warp_size}, 0u, 3u, seed);
  const gs::device_array<answers> out(gs::warp_size);
  gs::launch<ask>({.grid = 1, .block = gs::warp_size}, x, out);
  const auto values = x.copy_to_host();
  const auto got = out.copy_to_host();
  auto& table = report.table("The first eight lanes of 32", {"lane", "its number", "shuffle_down 1", "sum of all",
                                                             "ballot >= 2", "place", "match_any"});
  std::size_t wrong = 0;
  unsigned before = 0;
  for (unsigned k = 0; k < gs::warp_size; ++k) {
    const answers& a = got[k];
    unsigned voted = 0, alike = 0;
    for (unsigned j = 0; j < gs::warp_size; ++j) {
      voted |= (values[j] >= 2 ? 1u : 0u) << j;
      alike |= (values[j] == values[k] ? 1u : 0u) << j;
    }
    const unsigned right = k + 1 < gs::warp_size ? values[k + 1] : values[k];
    wrong += a.own != values[k] || a.from_right != right || a.voted != voted || a.alike != alike || a.place != before ||
             a.sum != std::accumulate(values.begin(), values.end(), 0u);
    before += values[k] >= 2;
    if (k < 8) table.row(k, a.own, a.from_right, a.sum, lanes_text(a.voted), a.place, lanes_text(a.alike));
  }
  report.check_equal("lanes whose answers a plain loop doesn't confirm", wrong, 0);
}

// --- divergence ------------------------------------------------------------------------------------------------------

// Rows of different length, one after the other in `values`; row r begins at begins[order[r]].
GS_FN void row_per_thread(gs::thread t, gs::view<const unsigned> order, gs::view<const unsigned> begins,
                          gs::view<const unsigned> values, gs::view<unsigned> sums) {
  for (auto r : t.grid_stride(order.size())) {
    const unsigned row = order[r], end = begins[row + 1];
    unsigned sum = 0;
    for (unsigned i = begins[row]; i < end; ++i) sum += values[i];
    sums[row] = sum;
  }
}
GS_FN void row_per_warp(gs::thread t, gs::view<const unsigned> begins, gs::view<const unsigned> values,
                        gs::view<unsigned> sums) {
  for (std::size_t row = t.grid() / gs::warp_size; row < sums.size(); row += t.gridsize() / gs::warp_size) {
    const unsigned end = begins[row + 1];
    unsigned sum = 0;
    for (unsigned i = begins[row] + t.lane(); i < end; i += gs::warp_size) sum += values[i];
    for (unsigned below = gs::warp_size / 2; below > 0; below /= 2) sum += t.shuffle_down(sum, below);
    if (t.lane() == 0) sums[row] = sum;
  }
}

// Most rows are short, a few have up to 96 numbers.
std::vector<unsigned> lengths_of_rows(std::size_t rows, std::uint64_t seed) {
  const std::vector<float> drawn = gs::uniform<float>({rows}, seed).copy_to_host();
  std::vector<unsigned> lengths(rows);
  for (std::size_t r = 0; r < rows; ++r)
    lengths[r] = 1 + static_cast<unsigned>(95.99f * drawn[r] * drawn[r] * drawn[r] * drawn[r]);
  return lengths;
}

// What the loop over a row's numbers costs: a warp goes on as long as one of its lanes does.
struct loop_cost {
  std::uint64_t requests = 0, accesses = 0;
  double lanes() const { return static_cast<double>(accesses) / static_cast<double>(requests); }
};
loop_cost cost_by_thread(const std::vector<unsigned>& lengths) {
  loop_cost cost;
  for (std::size_t r = 0; r < lengths.size(); r += gs::warp_size) {
    const auto begin = lengths.begin() + static_cast<std::ptrdiff_t>(r);
    const auto end = lengths.begin() + static_cast<std::ptrdiff_t>(std::min(lengths.size(), r + gs::warp_size));
    cost.requests += *std::max_element(begin, end);
    cost.accesses += std::accumulate(begin, end, std::uint64_t{0});
  }
  return cost;
}
loop_cost cost_by_warp(const std::vector<unsigned>& lengths) {
  loop_cost cost;
  for (const unsigned n : lengths) cost.requests += (n + gs::warp_size - 1) / gs::warp_size, cost.accesses += n;
  return cost;
}

void draw_lanes(const std::vector<unsigned>& lengths, workbook::report& report) {
  if (lengths.size() < gs::warp_size) return;
  constexpr std::size_t longest = 96;
  std::vector<double> values(longest * gs::warp_size);
  const std::size_t first = lengths.size() / gs::warp_size / 2 * gs::warp_size;  // of a warp in the middle
  std::size_t steps = 0;
  for (std::size_t lane = 0; lane < gs::warp_size; ++lane)
    for (std::size_t step = 0; step < std::min<std::size_t>(longest, lengths[first + lane]); ++step)
      values[step * gs::warp_size + lane] = 1, steps = std::max(steps, step + 1);
  values.resize(steps * gs::warp_size);
  report.plot(workbook::heat_map{.title = "A warp with rows as they come",
                                 .x = {.label = "lane"},
                                 .y = {.label = "step"},
                                 .value = {.label = "at work", .min = 0, .max = 1},
                                 .rows = steps,
                                 .columns = gs::warp_size,
                                 .values = std::move(values)});
}

void ragged_rows(std::size_t rows, std::uint64_t seed, workbook::report& report) {
  report.heading("Ragged rows");
  const std::vector<unsigned> lengths = lengths_of_rows(rows, seed);
  std::vector<unsigned> begins(rows + 1), as_they_come(rows);
  std::inclusive_scan(lengths.begin(), lengths.end(), begins.begin() + 1);
  std::iota(as_they_come.begin(), as_they_come.end(), 0u);
  std::vector<unsigned> by_length = as_they_come;
  std::ranges::stable_sort(by_length, {}, [&](unsigned row) { return lengths[row]; });
  std::vector<unsigned> sorted_lengths(rows);
  std::ranges::transform(by_length, sorted_lengths.begin(), [&](unsigned row) { return lengths[row]; });

  const auto values = gs::integers<unsigned>({begins.back()}, 0u, 100u, seed + 1);
  const std::vector<unsigned> x = values.copy_to_host();
  std::vector<unsigned> expected(rows);
  for (std::size_t r = 0; r < rows; ++r)
    expected[r] = std::accumulate(x.begin() + begins[r], x.begin() + begins[r + 1], 0u);

  const auto begins_there = gs::to_device(begins);
  gs::device_array<unsigned> sums(rows);
  auto& table = report.table("The loop over a row's numbers", {"way", {"requests", "of warps"}, {"lanes", "at work"}});
  const auto row = [&](const std::string& name, const loop_cost& cost, const auto& launch) {
    sums.copy_from_host(std::vector<unsigned>(rows, std::numeric_limits<unsigned>::max()));
    launch();
    table.row(name, cost.requests, cost.lanes());
    report.check(name + ": the sums of all rows", sums.copy_to_host() == expected);
    const auto call = [&] {
      launch();
      gs::synchronize();
    };
    report.timing(name, gs::timeit(call, {.runs = 3, .min_run_seconds = 0.03, .max_seconds = 0.6}));
  };
  const auto by_thread = [&](const std::vector<unsigned>& order) {
    return [&, there = gs::to_device(order)] {
      gs::launch<row_per_thread>({.grid = (rows + block_size - 1) / block_size, .block = block_size}, there,
                                 begins_there, values, sums);
    };
  };
  row("a row per thread", cost_by_thread(lengths), by_thread(as_they_come));
  row("sorted by length", cost_by_thread(sorted_lengths), by_thread(by_length));
  row("a row per warp", cost_by_warp(lengths),
      [&] { gs::launch<row_per_warp>({.grid = 64, .block = block_size}, begins_there, values, sums); });
  draw_lanes(lengths, report);
}

// --- what lockstep used to hide --------------------------------------------------------------------------------------

struct sums_of_block {
  gs::tile<unsigned, block_size> of;
};

// Adds up a warp's numbers in shared memory, in lane 0. It was in every textbook, without a barrier: "the 32 lanes run
// in lockstep". They don't.
template <bool waits>
GS_FN void sum_in_shared(gs::thread t, gs::shared<sums_of_block> s, gs::view<const unsigned> x,
                         gs::view<unsigned> sums) {
  const unsigned k = t.thread_rank();
  s->of[k] = t.grid() < x.size() ? x[t.grid()] : 0;
  for (unsigned half = gs::warp_size / 2; half > 0; half /= 2) {
    if (waits) t.warp_sync();
    if (t.lane() < half) s->of[k] += s->of[k + half];
  }
  if (t.lane() == 0) sums[t.grid() / gs::warp_size] = s->of[k];
}

std::size_t wrong_warps(std::size_t n, bool waits, std::uint64_t seed) {
  const auto x = gs::integers<unsigned>({n}, 1u, 100u, seed);
  const std::size_t blocks = (n + block_size - 1) / block_size, warps = blocks * block_size / gs::warp_size;
  const gs::device_array<unsigned> sums(warps);
  if (waits)
    gs::launch<sum_in_shared<true>>({.grid = blocks, .block = block_size}, x, sums);
  else
    gs::launch<sum_in_shared<false>>({.grid = blocks, .block = block_size}, x, sums);
  const auto values = x.copy_to_host(), got = sums.copy_to_host();
  std::size_t wrong = 0;
  for (std::size_t w = 0; w < warps; ++w) {
    unsigned sum = 0;
    for (std::size_t i = w * gs::warp_size; i < std::min(n, (w + 1) * gs::warp_size); ++i) sum += values[i];
    wrong += got[w] != sum;
  }
  return wrong;
}

void lockstep(std::size_t n, std::uint64_t seed, workbook::report& report) {
  report.heading("What lockstep used to hide");
  auto& table = report.table("Sums of warps", {"between two steps", "wrong sums"});
  table.row("nothing", wrong_warps(n, false, seed));
  const std::size_t wrong = wrong_warps(n, true, seed);
  table.row("t.warp_sync()", wrong);
  report.check_equal("with warp_sync: wrong sums", wrong, 0);
}

// --- each lane at its own pace ---------------------------------------------------------------------------------------

// Lane 0 waits for what lane 31 of the same warp writes. In lockstep it would wait for ever.
GS_FN void wait_for_a_lane(gs::thread t, gs::view<unsigned> letter, gs::view<unsigned> flag, gs::view<unsigned> got) {
  if (t.lane() == 0) {
    while (gs::atomic_ref(flag[0]).load() == 0) {
    }
    t.device_fence();
    got[0] = letter[0];
  } else if (t.lane() == 31) {
    letter[0] = 29;
    t.device_fence();
    gs::atomic_ref(flag[0]).store(1u);
  }
}

void own_pace(workbook::report& report) {
  report.heading("Each lane at its own pace");
  const auto letter = gs::to_device(std::vector<unsigned>{0}), flag = gs::to_device(std::vector<unsigned>{0}),
             got = gs::to_device(std::vector<unsigned>{0});
  gs::launch<wait_for_a_lane>({.grid = 1, .block = gs::warp_size}, letter, flag, got);
  report.check_equal("lane 0 has waited, and read what lane 31 wrote", got.copy_to_host()[0], 29);
}

void run(const workbook::parameters& given, workbook::report& report) {
  five_questions(given.seed(), report);
  ragged_rows(given.size(), given.seed(), report);
  lockstep(given.size(), given.seed(), report);
  own_pace(report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 29,
          .name = "warps",
          .title = "What 32 lanes say to each other",
          .summary = "Shuffles, votes and matches; lanes that part; a race that lockstep used to hide.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "ragged rows, and numbers to sum up",
                                           .min = 1,
                                           .max = 1'000'000,
                                           .default_value = 30'000,
                                           .inspected = 5000}},
          .run = run};
}
