// Lesson 31: keep what is wanted, in order, and what else follows from it: a split, and from splits a sort.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

constexpr unsigned block_size = 256;
constexpr short threshold = 15;

GS_FN bool is_pulse(short sample) { return sample >= threshold; }

// What is kept of a recording: where, and how much.
struct hit {
  unsigned at;
  int value;
};
bool operator==(const hit& a, const hit& b) { return a.at == b.at && a.value == b.value; }

using samples = gs::device_array<short>;
using hits = gs::device_array<hit>;

// --- who writes where ------------------------------------------------------------------------------------------------

// The next free place is whatever the counter says.
GS_FN void by_counter(gs::thread t, gs::view<const short> x, gs::view<unsigned> count, gs::view<hit> out) {
  for (auto i : t.grid_stride(x.size()))
    if (is_pulse(x[i])) out[gs::atomic_ref(count[0]).fetch_add(1u)] = {static_cast<unsigned>(i), x[i]};
}

// One lane asks for all lanes of its warp that have found something (lesson 29).
GS_FN void by_warps(gs::thread t, gs::view<const short> x, gs::view<unsigned> count, gs::view<hit> out) {
  for (std::size_t begin = t.grid() - t.lane(); begin < x.size(); begin += t.gridsize()) {
    const std::size_t i = begin + t.lane();
    const bool found = i < x.size() && is_pulse(x[i]);
    const std::uint32_t those = t.ballot(found);
    unsigned first = 0;
    if (t.lane() == 0 && those != 0)
      first = gs::atomic_ref(count[0]).fetch_add(static_cast<unsigned>(gs::popcount(those)));
    first = t.shuffle(first, 0);
    if (found)
      out[first + static_cast<unsigned>(gs::popcount(those & t.lanes_below()))] = {static_cast<unsigned>(i), x[i]};
  }
}

// A scan of ones and zeros: how many are kept before each element. That is its place.
GS_FN void mark(gs::thread t, gs::view<const short> x, gs::view<unsigned> kept) {
  for (auto i : t.grid_stride(x.size())) kept[i] = is_pulse(x[i]) ? 1 : 0;
}
GS_FN void move_to_places(gs::thread t, gs::view<const short> x, gs::view<const unsigned> places,
                          gs::view<unsigned> count, gs::view<hit> out) {
  for (auto i : t.grid_stride(x.size())) {
    if (is_pulse(x[i])) out[places[i]] = {static_cast<unsigned>(i), x[i]};
    if (i + 1 == x.size()) count[0] = places[i] + (is_pulse(x[i]) ? 1 : 0);
  }
}

constexpr gs::launch_options blocks{.grid = 64, .block = block_size};

hits first_of(const hits& all, const gs::device_array<unsigned>& count) {
  return all.slice(0, count.copy_to_host()[0]);
}

template <auto kernel>
hits by_atomics(const samples& x) {
  const auto count = gs::to_device(std::vector<unsigned>{0});
  const hits out(x.size());
  gs::launch<kernel>(blocks, x, count, out);
  return first_of(out, count);
}
hits by_scan(const samples& x) {
  const auto count = gs::to_device(std::vector<unsigned>{0});
  gs::device_array<unsigned> places(x.size());
  const hits out(x.size());
  gs::launch<mark>(blocks, x, places);
  gs::exclusive_sum(places, gs::out(places));
  gs::launch<move_to_places>(blocks, x, places, count, out);
  return first_of(out, count);
}

GS_FN void number_hits(gs::thread t, gs::view<const short> x, gs::view<hit> all, gs::view<bool> flags) {
  for (auto i : t.grid_stride(x.size())) {
    all[i] = {static_cast<unsigned>(i), x[i]};
    flags[i] = is_pulse(x[i]);
  }
}
hits by_library(const samples& x) {
  const hits all(x.size());
  const gs::device_array<bool> flags(x.size());
  gs::launch<number_hits>(blocks, x, all, flags);
  return gs::select_flagged(all, flags);
}

struct way {
  std::string name;
  hits (*keep)(const samples& x);
  bool in_order = true;
};
const std::vector<way>& ways() {
  static const std::vector<way> all{{"atomic counter", by_atomics<by_counter>, false},
                                    {"one lane for its warp", by_atomics<by_warps>, false},
                                    {"scan", by_scan},
                                    {"gs::select_flagged", by_library}};
  return all;
}

// Noise of sigma 3, and about every 4,000th sample begins a pulse: 40 high, and gone after ten samples.
std::vector<short> pulse_train(std::size_t n, std::uint64_t seed) {
  std::vector<float> noise = gs::normal<float>({n}, seed).copy_to_host();
  const std::vector<float> drawn = gs::uniform<float>({n}, seed + 1).copy_to_host();
  std::vector<short> x(n);
  float height = 0;
  for (std::size_t i = 0; i < n; ++i) {
    height = drawn[i] < 1.0f / 4000 ? 40 : 0.9f * height;
    x[i] = static_cast<short>(std::lround(3 * noise[i] + height));
  }
  return x;
}
std::vector<hit> kept_in_a_loop(const std::vector<short>& x) {
  std::vector<hit> kept;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (is_pulse(x[i])) kept.push_back({static_cast<unsigned>(i), x[i]});
  return kept;
}
void sort_hits(std::vector<hit>& h) { std::ranges::sort(h, {}, &hit::at); }

void keep_pulses(std::size_t n, std::uint64_t seed, workbook::report& report) {
  report.heading("Keep the pulses");
  const std::vector<short> train = pulse_train(n, seed);
  const samples x = gs::to_device(train);
  const std::vector<hit> expected = kept_in_a_loop(train);
  auto& table = report.table("Pulses of the recording", {"way", "kept", "bytes, of 100", "out of order"});
  workbook::xy_plot plot{.title = "Where each kept sample came from",
                         .x = {.label = "place among the kept"},
                         .y = {.label = "place in the recording"}};
  for (const way& w : ways()) {
    std::vector<hit> got = w.keep(x).copy_to_host();
    std::size_t falls = 0;
    for (std::size_t k = 1; k < got.size(); ++k) falls += got[k].at < got[k - 1].at;
    table.row(w.name, got.size(),
              100.0 * static_cast<double>(got.size() * sizeof(hit)) / static_cast<double>(n * sizeof(short)), falls);
    if (&w == &ways()[0] || &w == &ways()[2]) {
      std::vector<double> at;
      for (const hit& one : got) at.push_back(one.at);
      plot.series.push_back({.name = w.name, .y = at, .style = workbook::drawn_as::points});
    }
    if (w.in_order) report.check(w.name + ": the pulses, in their order", got == expected);
    sort_hits(got);
    report.check(w.name + ": all pulses and nothing else", got == expected);
    const auto call = [&] {
      (void)w.keep(x);
      gs::synchronize();
    };
    report.timing(w.name, gs::timeit(call, {.runs = 3, .min_run_seconds = 0.03, .max_seconds = 0.6}));
  }
  if (!expected.empty()) report.plot(std::move(plot));

  for (const way& w : ways()) {
    std::size_t wrong = 0;
    for (const std::size_t size : {0, 1, 31, 32, 33, 255, 257, 1009}) {
      std::vector<short> some(size);
      for (std::size_t i = 0; i < size; ++i) some[i] = static_cast<short>(i * 7919 % 31);
      std::vector<hit> got = w.keep(gs::to_device(some)).copy_to_host();
      if (!w.in_order) sort_hits(got);
      wrong += got != kept_in_a_loop(some);
    }
    report.check_equal(w.name + ": odd sizes at which it is wrong", wrong, 0);
  }
}

// --- split, and sort -------------------------------------------------------------------------------------------------

GS_FN void mark_zeros(gs::thread t, unsigned bit, gs::view<const unsigned> keys, gs::view<unsigned> zeros) {
  for (auto i : t.grid_stride(keys.size())) zeros[i] = 1 - (keys[i] >> bit & 1);
}
// `before` holds how many keys with a zero come before each; those with a one follow behind all zeros.
GS_FN void move_split(gs::thread t, unsigned bit, gs::view<const unsigned> keys, gs::view<const unsigned> before,
                      gs::view<unsigned> out) {
  const std::size_t n = keys.size();
  for (auto i : t.grid_stride(n)) {
    const unsigned zeros = before[n - 1] + (1 - (keys[n - 1] >> bit & 1));
    const bool one = (keys[i] >> bit & 1) != 0;
    out[one ? zeros + i - before[i] : before[i]] = keys[i];
  }
}
// Keys whose bit is 0 first, then the others; both in the order that they had.
void split(const gs::device_array<unsigned>& keys, unsigned bit, const gs::device_array<unsigned>& out) {
  gs::device_array<unsigned> before(keys.size());
  gs::launch<mark_zeros>(blocks, bit, keys, before);
  gs::exclusive_sum(before, gs::out(before));
  gs::launch<move_split>(blocks, bit, keys, before, out);
}
// By the lowest bit, then the next: a later split leaves in order what an earlier one has ordered (Blelloch, 1990).
template <class After>
gs::device_array<unsigned> sorted_by_splits(const gs::device_array<unsigned>& keys, unsigned bits, const After& after) {
  gs::device_array<unsigned> now = keys.copy(), other(keys.size());
  for (unsigned bit = 0; bit < bits; ++bit) {
    split(now, bit, other);
    std::swap(now, other);
    after(now);
  }
  return now;
}
gs::device_array<unsigned> sorted_by_splits(const gs::device_array<unsigned>& keys, unsigned bits) {
  return sorted_by_splits(keys, bits, [](const auto&) {});
}

void sort_by_splits(std::size_t n, std::uint64_t seed, workbook::report& report) {
  report.heading("A sort, of splits");
  constexpr unsigned few = 64, few_bits = 6;
  const auto small = gs::integers<unsigned>({few}, 0u, few - 1, seed);
  std::vector<double> values;
  const auto append = [&](const gs::device_array<unsigned>& keys) {
    for (const unsigned key : keys.copy_to_host()) values.push_back(key);
  };
  append(small);
  sorted_by_splits(small, few_bits, append);
  report.plot(workbook::heat_map{.title = "64 keys, after each of six splits",
                                 .x = {.label = "place"},
                                 .y = {.label = "splits done"},
                                 .value = {.label = "key", .min = 0, .max = few - 1},
                                 .rows = few_bits + 1,
                                 .columns = few,
                                 .values = std::move(values)});

  constexpr unsigned bits = 20;
  const auto keys = gs::integers<unsigned>({n}, 0u, (1u << bits) - 1, seed + 1);
  std::vector<unsigned> expected = keys.copy_to_host();
  std::ranges::sort(expected);
  auto& table = report.table("Keys of 20 bits", {"way", "launches"});
  const auto row = [&](const std::string& name, const auto& sort) {
    const gs::ledger_scope scope;
    const auto got = sort();
    const auto launches = scope.account().launches;
    table.row(name, launches);
    report.check(name + ": sorted", got.copy_to_host() == expected);
    const auto call = [&] {
      (void)sort();
      gs::synchronize();
    };
    report.timing(name, gs::timeit(call, {.runs = 2, .min_run_seconds = 0.02, .max_seconds = 0.8}));
  };
  row("20 splits", [&] { return sorted_by_splits(keys, bits); });
  row("gs::sort", [&] { return gs::sort(keys); });
}

void run(const workbook::parameters& given, workbook::report& report) {
  keep_pulses(given.size(), given.seed(), report);
  sort_by_splits(given.size(), given.seed(), report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 31,
          .name = "compaction_and_sort",
          .title = "Keep what is wanted, in order",
          .summary = "Pulses without the noise between them, a split by one bit, and a sort that is made of splits.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "samples, and keys to sort",
                                           .min = 1,
                                           .max = 20'000'000,
                                           .default_value = 1'000'000,
                                           .inspected = 3000}},
          .run = run};
}
