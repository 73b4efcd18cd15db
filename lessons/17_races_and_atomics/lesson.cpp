// Lesson 17: many threads and one counter. What a race loses, and what an atomic operation makes whole.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

constexpr unsigned block_size = 256;

// --- one counter -----------------------------------------------------------------------------------------------------

GS_FN void count_plain(gs::thread t, std::size_t threads, gs::view<unsigned> counter) {
  if (t.grid() < threads) counter[0] += 1;  // a read, an addition, a write
}

GS_FN void count_atomic(gs::thread t, std::size_t threads, gs::view<unsigned> counter) {
  if (t.grid() < threads) gs::atomic_ref(counter[0]).fetch_add(1u);
}

// A block counts for itself, in its shared memory, and its first thread adds the sum to the common counter.
struct own_counter {
  unsigned count;
};
GS_FN void count_per_block(gs::block<block_size> block, gs::shared<own_counter> own, std::size_t threads,
                           gs::view<unsigned> counter) {
  block.each([&](auto t) {
    if (t.x == 0) own->count = 0;
  });
  block.each([&](auto t) {
    if (t.grid_x() < threads) gs::atomic_ref(own->count).fetch_add(1u);
  });
  block.each([&](auto t) {
    if (t.x == 0) gs::atomic_ref(counter[0]).fetch_add(own->count);
  });
}

gs::launch_options blocks_for(std::size_t threads) {
  return {.grid = (threads + block_size - 1) / block_size, .block = block_size};
}

struct way {
  std::string name;
  void (*launch)(std::size_t threads, const gs::device_array<unsigned>& counter);
};
const std::vector<way> ways{
    {"plain", [](std::size_t n, auto& counter) { gs::launch<count_plain>(blocks_for(n), n, counter); }},
    {"atomic", [](std::size_t n, auto& counter) { gs::launch<count_atomic>(blocks_for(n), n, counter); }},
    {"one per block", [](std::size_t n, auto& counter) { gs::launch<count_per_block>(blocks_for(n), n, counter); }}};

unsigned count(const way& w, std::size_t threads) {
  const auto counter = gs::to_device(std::vector<unsigned>{0});
  w.launch(threads, counter);
  return counter.copy_to_host()[0];
}

void one_counter(std::size_t size, workbook::report& report) {
  report.heading("One counter");
  constexpr int times = 10;
  auto& table =
      report.table("Counted, each ten times", {"threads", "plain, least", "plain, most", "atomic", "one per block"});
  std::size_t impossible = 0, wrong = 0;
  for (const std::size_t threads : {std::size_t{32}, std::size_t{1000}, std::size_t{100'000}, size}) {
    if (threads > size) continue;
    unsigned least = std::numeric_limits<unsigned>::max(), most = 0;
    for (int k = 0; k < times; ++k) {
      const unsigned plain = count(ways[0], threads);
      least = std::min(least, plain), most = std::max(most, plain);
      for (const way* w : {&ways[1], &ways[2]}) wrong += count(*w, threads) != threads;
    }
    table.row(threads, least, most, count(ways[1], threads), count(ways[2], threads));
    impossible += least < 1 || most > threads;
  }
  report.check_equal("plain counters outside of 1 to the number of threads", impossible, 0);
  report.check_equal("atomic counters that aren't the number of threads", wrong, 0);
}

// Two threads that each add 1, step by step: `turns` says whose turn it is. Returns what the counter holds at the end.
unsigned draw_two_threads(workbook::diagram& picture, double top, const std::string& name,
                          const std::vector<unsigned>& turns) {
  enum : std::size_t { of_counter = 2 };
  struct {
    unsigned done = 0, seen = 0;
  } threads[2];
  unsigned counter = 5;
  const double rows[] = {top + 1, top + 5};
  picture.add({.x = 0, .y = top + 3, .width = 2, .text = name});
  picture.add({.x = 2, .y = rows[0], .width = 2, .text = "thread 0"});
  picture.add({.x = 2, .y = top + 3, .width = 2, .text = "counter"});
  picture.add({.x = 2, .y = rows[1], .width = 2, .text = "thread 1"});
  for (double left = 4.2; const unsigned turn : turns) {
    auto& thread = threads[turn];
    const char* step = thread.done == 0 ? "read " : thread.done == 1 ? "add " : "write ";
    if (thread.done == 0) thread.seen = counter;
    if (thread.done == 1) ++thread.seen;
    if (thread.done == 2) counter = thread.seen;
    const std::size_t memory =
        picture.add({.x = left, .y = top + 3, .width = 1.8, .text = std::to_string(counter), .group = of_counter});
    const std::size_t cell = picture.add(
        {.x = left, .y = rows[turn], .width = 1.8, .text = step + std::to_string(thread.seen), .group = turn});
    if (thread.done == 0) picture.arrows.push_back({.from = memory, .to = cell});
    if (thread.done == 2) picture.arrows.push_back({.from = cell, .to = memory});
    ++thread.done;
    left += 2;
  }
  return counter;
}

void picture_of_a_race(workbook::report& report) {
  workbook::diagram picture{.title = "Two threads add 1 to a counter that holds 5; time runs to the right",
                            .groups = {"thread 0", "thread 1", "the counter"},
                            .unit_height = 20};
  const unsigned plain = draw_two_threads(picture, 0, "plain", {0, 1, 0, 1, 0, 1});
  const unsigned atomic = draw_two_threads(picture, 6, "atomic", {0, 0, 0, 1, 1, 1});
  report.check_equal("the counter, if two threads take their steps in turn", plain, 6);
  report.check_equal("the counter, if the three steps are one", atomic, 7);
  report.plot(picture);
}

void what_it_costs(std::size_t size, workbook::report& report) {
  report.heading("What it costs");
  std::vector<std::string> names;
  std::vector<double> nanoseconds;
  for (const way& w : ways) {
    const auto counter = gs::to_device(std::vector<unsigned>{0});
    const auto call = [&] {
      w.launch(size, counter);
      gs::synchronize();
    };
    const gs::timing time = gs::timeit(call, {.min_run_seconds = 0.03, .max_seconds = 1});
    report.timing(w.name, time);
    names.push_back(w.name);
    nanoseconds.push_back(1e9 * time.best() / static_cast<double>(size));
  }
  const workbook::axis time_axis{.label = "time", .unit = "ns", .min = 0};
  report.plot(workbook::bar_plot{.title = "Time per addition",
                                 .categories = names,
                                 .value = time_axis,
                                 .groups = {{.name = "time", .values = nanoseconds}}});
}

// --- smallest and largest --------------------------------------------------------------------------------------------

struct range {
  float low = std::numeric_limits<float>::infinity(), high = -low;  // what any number improves
};

GS_FN void find_range(gs::thread t, gs::view<const float> x, gs::view<range> found) {
  for (auto i : t.grid_stride(x.size())) {
    gs::atomic_ref(found[0].low).fetch_min(x[i]);
    gs::atomic_ref(found[0].high).fetch_max(x[i]);
  }
}

void smallest_and_largest(std::size_t size, std::uint64_t seed, workbook::report& report) {
  report.heading("Smallest and largest");
  const auto x = gs::normal<float>({size}, seed);
  const auto found = gs::to_device(std::vector<range>(1));
  gs::launch<find_range>({.grid = 30, .block = block_size}, x, found);
  const range got = found.copy_to_host()[0];
  const std::vector<float> values = x.copy_to_host();
  const auto [low, high] = std::ranges::minmax(values);
  auto& table = report.table("", {"of normal numbers", "kernel", "plain loop"});
  table.row("smallest", got.low, low);
  table.row("largest", got.high, high);
  report.check_equal("the smallest", got.low, low);
  report.check_equal("the largest", got.high, high);
}

// --- what has no instruction -----------------------------------------------------------------------------------------

// There is no atomic multiplication; compare_exchange makes one. It writes only if no other thread has written
// since, and returns the value it found: if the product wasn't computed from that, it is computed anew.
GS_FN unsigned multiply(unsigned& product, unsigned factor) {
  const gs::atomic_ref shared(product);
  unsigned tries = 0;
  for (unsigned seen = shared.load();; ++tries) {
    const unsigned found = shared.compare_exchange(seen, seen * factor);
    if (found == seen) return tries + 1;
    seen = found;
  }
}

GS_FN void multiply_all(gs::thread t, gs::view<const unsigned> factors, gs::view<unsigned> product,
                        gs::view<unsigned> tries) {
  for (auto i : t.grid_stride(factors.size())) tries[i] = multiply(product[0], factors[i]);
}

void compare_and_swap(std::size_t size, std::uint64_t seed, workbook::report& report) {
  report.heading("What has no instruction");
  auto factors = gs::integers<unsigned>({size}, 0u, 1u << 30, seed).copy_to_host();
  for (unsigned& f : factors) f |= 1;  // so that the product, modulo 2^32, doesn't become 0
  const auto product = gs::to_device(std::vector<unsigned>{1});
  const gs::device_array<unsigned> tries(size);
  gs::launch<multiply_all>({.grid = 30, .block = block_size}, gs::to_device(factors), product, tries);
  unsigned expected = 1;
  for (const unsigned f : factors) expected *= f;
  std::size_t all_tries = 0, most = 0;
  for (const unsigned n : tries.copy_to_host()) all_tries += n, most = std::max<std::size_t>(most, n);
  auto& table = report.table("", {"multiplications", "tries", "most for one", "product modulo 2^32", "plain loop"});
  table.row(size, all_tries, most, product.copy_to_host()[0], expected);
  report.check_equal("the product of all", product.copy_to_host()[0], expected);
  report.check("each needed at least one try", all_tries >= size);
}

void run(const workbook::parameters& given, workbook::report& report) {
  one_counter(given.size(), report);
  picture_of_a_race(report);
  smallest_and_largest(given.size(), given.seed(), report);
  compare_and_swap(given.size(), given.seed(), report);
  what_it_costs(given.size(), report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 17,
          .name = "races_and_atomics",
          .title = "A thousand threads and one counter",
          .summary = "What a race loses, how to find it, and what an atomic operation makes whole.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "threads that count",
                                           .min = 1,
                                           .max = 10'000'000,
                                           .default_value = 1'000'000,
                                           .inspected = 10'000}},
          .run = run};
}
