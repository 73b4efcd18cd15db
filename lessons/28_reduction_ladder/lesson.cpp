// Lesson 28: one sum, seven ways, each a step up from the one before. What each step gains is counted, not believed.
// After M. Harris, "Optimizing parallel reduction in CUDA", 2007, with the warp operations that came later.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

using numbers = gs::view<const unsigned>;
using sums = gs::view<unsigned>;
using array = gs::device_array<unsigned>;

constexpr unsigned block_size = 256, warps = block_size / gs::warp_size;

struct shared_sums {
  gs::tile<unsigned, block_size> of;
};

// --- 1 and 2: halves of a block, interleaved or in front -------------------------------------------------------------

// Which threads add in a step in which partners are `stride` apart.
GS_FN bool works_interleaved(unsigned k, unsigned stride) { return k % (2 * stride) == 0; }
GS_FN bool works_in_front(unsigned k, unsigned stride) { return k < stride; }

GS_FN void interleaved(gs::thread t, gs::shared<shared_sums> s, numbers x, sums out) {
  const unsigned k = t.thread_rank();
  s->of[k] = t.grid() < x.size() ? x[t.grid()] : 0;
  for (unsigned stride = 1; stride < block_size; stride *= 2) {
    t.sync();
    if (works_interleaved(k, stride)) s->of[k] += s->of[k + stride];
  }
  if (k == 0) out[t.block_rank()] = s->of[k];
}

GS_FN void sequential(gs::thread t, gs::shared<shared_sums> s, numbers x, sums out) {
  const unsigned k = t.thread_rank();
  s->of[k] = t.grid() < x.size() ? x[t.grid()] : 0;
  for (unsigned stride = block_size / 2; stride > 0; stride /= 2) {
    t.sync();
    if (works_in_front(k, stride)) s->of[k] += s->of[k + stride];
  }
  if (k == 0) out[t.block_rank()] = s->of[k];
}

// --- 3: no thread comes for a single number --------------------------------------------------------------------------

GS_FN unsigned number_or_zero(numbers x, std::size_t i) { return i < x.size() ? x[i] : 0; }
GS_FN unsigned two_numbers(const gs::thread& t, numbers x) {
  const std::size_t i = 2 * block_size * t.block_rank() + t.thread_rank();
  return number_or_zero(x, i) + number_or_zero(x, i + block_size);
}

GS_FN void two_loads(gs::thread t, gs::shared<shared_sums> s, numbers x, sums out) {
  const unsigned k = t.thread_rank();
  s->of[k] = two_numbers(t, x);
  for (unsigned stride = block_size / 2; stride > 0; stride /= 2) {
    t.sync();
    if (works_in_front(k, stride)) s->of[k] += s->of[k + stride];
  }
  if (k == 0) out[t.block_rank()] = s->of[k];
}

// --- 4: within a warp nobody needs memory or a barrier ---------------------------------------------------------------

GS_FN unsigned sum_of_warp(const gs::thread& t, unsigned sum) {  // in lane 0
  for (unsigned below = gs::warp_size / 2; below > 0; below /= 2) sum += t.shuffle_down(sum, below);
  return sum;
}

struct sums_of_warps {
  gs::tile<unsigned, warps> of;
  unsigned ticket;  // of one_pass alone
};
GS_FN unsigned sum_of_block(const gs::thread& t, gs::shared<sums_of_warps> s, unsigned sum) {  // in thread 0
  sum = sum_of_warp(t, sum);
  if (t.lane() == 0) s->of[t.warp()] = sum;
  t.sync();
  if (t.warp() > 0) return 0;
  return sum_of_warp(t, t.lane() < warps ? s->of[t.lane()] : 0);
}

GS_FN void by_warps(gs::thread t, gs::shared<sums_of_warps> s, numbers x, sums out) {
  const unsigned sum = sum_of_block(t, s, two_numbers(t, x));
  if (t.thread_rank() == 0) out[t.block_rank()] = sum;
}

// --- 5: as many threads as the device has room for, each with a share of the numbers ---------------------------------

GS_FN unsigned share_of(const gs::thread& t, numbers x) {
  unsigned sum = 0;
  for (auto i : t.grid_stride(x.size())) sum += x[i];
  return sum;
}
GS_FN void shares(gs::thread t, gs::shared<sums_of_warps> s, numbers x, sums out) {
  const unsigned sum = sum_of_block(t, s, share_of(t, x));
  if (t.thread_rank() == 0) out[t.block_rank()] = sum;
}

// --- 6: the block that comes last adds up ----------------------------------------------------------------------------

// Each block leaves its sum and draws a ticket. The block that draws the last one knows that all other sums are there.
GS_FN void one_pass(gs::thread t, gs::shared<sums_of_warps> s, numbers x, sums left, sums tickets, sums out) {
  const unsigned k = t.thread_rank(), blocks = t.grid_dim().x;
  const unsigned own = sum_of_block(t, s, share_of(t, x));
  if (k == 0) {
    left[t.block_rank()] = own;
    t.device_fence();  // the sum first, then the ticket
    s->ticket = gs::atomic_ref(tickets[0]).fetch_add(1u);
  }
  t.sync();
  if (s->ticket + 1 < blocks) return;
  t.device_fence();  // the ticket first, then the others' sums
  unsigned sum = 0;
  for (unsigned b = k; b < blocks; b += block_size) sum += left[b];
  sum = sum_of_block(t, s, sum);
  if (k == 0) {
    out[0] = sum;
    gs::atomic_ref(tickets[0]).store(0u);  // for the next call
  }
}

// --- 7: or each block adds to the total ------------------------------------------------------------------------------

GS_FN void by_atomics(gs::thread t, gs::shared<sums_of_warps> s, numbers x, sums out) {
  const unsigned sum = sum_of_block(t, s, share_of(t, x));
  if (t.thread_rank() == 0) gs::atomic_ref(out[0]).fetch_add(sum);
}

// --- the ladder ------------------------------------------------------------------------------------------------------

constexpr std::size_t few_blocks = 64;  // of ways 5 to 7

std::size_t blocks_of(std::size_t n, std::size_t each) { return std::max<std::size_t>(1, (n + each - 1) / each); }

// Blocks leave their sums, which are summed the same way, until one is left.
template <auto kernel, std::size_t each>
array sum_in_rounds(const array& x) {
  const std::size_t blocks = blocks_of(x.size(), each);
  array out(blocks);
  gs::launch<kernel>({.grid = blocks, .block = block_size}, x, out);
  if (blocks == 1) return out;
  return sum_in_rounds<kernel, each>(out);
}
array sum_by_shares(const array& x) {
  array left(few_blocks), out(1);
  gs::launch<shares>({.grid = few_blocks, .block = block_size}, x, left);
  gs::launch<shares>({.grid = 1, .block = block_size}, left, out);
  return out;
}
array sum_in_one_pass(const array& x) {
  const array left(few_blocks), tickets = gs::to_device(std::vector<unsigned>{0});
  array out(1);
  gs::launch<one_pass>({.grid = few_blocks, .block = block_size}, x, left, tickets, out);
  return out;
}
array sum_by_atomics(const array& x) {
  array out = gs::to_device(std::vector<unsigned>{0});
  gs::launch<by_atomics>({.grid = few_blocks, .block = block_size}, x, out);
  return out;
}

// What a block does to sum up its 256 threads' numbers.
struct block_work {
  unsigned barriers = 0;
  unsigned requests = 0;  // to shared memory
  unsigned accesses = 0;  // of single lanes in them

  void request(unsigned lanes) {
    requests += lanes > 0;
    accesses += lanes;
  }
};
// A step reads both partners and writes one.
template <bool (*works)(unsigned k, unsigned stride)>
block_work halving() {
  block_work w;
  for (unsigned warp = 0; warp < warps; ++warp) w.request(gs::warp_size);  // each thread puts its number there
  for (unsigned stride = 1; stride < block_size; stride *= 2, ++w.barriers) {
    for (unsigned warp = 0; warp < warps; ++warp) {
      unsigned lanes = 0;
      for (unsigned lane = 0; lane < gs::warp_size; ++lane) lanes += works(warp * gs::warp_size + lane, stride);
      for (int access = 0; access < 3; ++access) w.request(lanes);
    }
  }
  w.request(1);
  return w;
}
block_work shuffling() {
  block_work w{.barriers = 1};
  for (unsigned warp = 0; warp < warps; ++warp) w.request(1);
  w.request(warps);
  return w;
}

struct way {
  std::string name;
  array (*sum)(const array& x);
  block_work work;
};
const std::vector<way>& ways() {
  static const std::vector<way> all{
      {"interleaved", sum_in_rounds<interleaved, block_size>, halving<works_interleaved>()},
      {"sequential", sum_in_rounds<sequential, block_size>, halving<works_in_front>()},
      {"two loads", sum_in_rounds<two_loads, 2 * block_size>, halving<works_in_front>()},
      {"warp shuffle", sum_in_rounds<by_warps, 2 * block_size>, shuffling()},
      {"several per thread", sum_by_shares, shuffling()},
      {"one pass", sum_in_one_pass, shuffling()},
      {"atomics", sum_by_atomics, shuffling()}};
  return all;
}

unsigned sum_in_a_loop(const std::vector<unsigned>& x) { return std::accumulate(x.begin(), x.end(), 0u); }

void who_works(workbook::report& report) {
  report.heading("Who works");
  constexpr unsigned steps = 8;
  const auto draw = [&](const char* title, bool (*works)(unsigned, unsigned), bool upwards) {
    std::vector<double> values;
    for (unsigned step = 0; step < steps; ++step)
      for (unsigned k = 0; k < block_size; ++k)
        values.push_back(works(k, upwards ? 1u << step : block_size >> (step + 1)) ? 1 : 0);
    report.plot(workbook::heat_map{.title = title,
                                   .x = {.label = "thread; a warp has 32"},
                                   .y = {.label = "step"},
                                   .value = {.label = "adds", .min = 0, .max = 1},
                                   .rows = steps,
                                   .columns = block_size,
                                   .values = std::move(values)});
  };
  draw("Interleaved: who adds", works_interleaved, true);
  draw("Sequential: who adds", works_in_front, false);
}

void what_a_block_does(workbook::report& report) {
  auto& table =
      report.table("A block of 256 threads",
                   {"way", {"barriers", "of a block"}, {"requests", "to shared memory"}, {"lanes", "in each"}});
  for (const way& w : ways())
    table.row(w.name, w.work.barriers, w.work.requests,
              static_cast<double>(w.work.accesses) / static_cast<double>(w.work.requests));
}

void how_fast(std::size_t n, std::uint64_t seed, workbook::report& report) {
  report.heading("The ladder");
  const auto x = gs::integers<unsigned>({n}, 0u, 1000u, seed);
  const unsigned expected = sum_in_a_loop(x.copy_to_host());
  std::vector<std::string> names;
  std::vector<double> nanoseconds;
  auto& table = report.table("All numbers", {"way", "launches", "copies to the device"});
  for (const way& w : ways()) {
    const gs::ledger_scope scope;
    const array out = w.sum(x);
    const gs::ledger account = scope.account();
    const unsigned got = out.copy_to_host()[0];
    table.row(w.name, account.launches, account.copies_to_device);
    report.check_equal(w.name + ": the sum", got, expected);
    const auto call = [&] {
      (void)w.sum(x);
      gs::synchronize();
    };
    const gs::timing time = gs::timeit(call, {.runs = 3, .min_run_seconds = 0.03, .max_seconds = 0.6});
    report.timing(w.name, time, {.bytes = sizeof(unsigned) * static_cast<double>(n)});
    names.push_back(w.name);
    nanoseconds.push_back(1e9 * time.best() / static_cast<double>(n));
  }
  report.plot(workbook::bar_plot{.title = "Time per number",
                                 .categories = names,
                                 .value = {.label = "time", .unit = "ns", .min = 0},
                                 .groups = {{.name = "time", .values = nanoseconds}}});
}

void at_odd_sizes(std::size_t sizes, workbook::report& report) {
  constexpr std::size_t all[] = {0, 1, 31, 32, 33, 255, 256, 257, 513, 1009};
  for (const way& w : ways()) {
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < std::min(sizes, std::size(all)); ++k) {
      const auto x = gs::integers<unsigned>({all[k]}, 0u, 1000u, k);
      wrong += w.sum(x).copy_to_host()[0] != sum_in_a_loop(x.copy_to_host());
    }
    report.check_equal(w.name + ": wrong sums at odd sizes", wrong, 0);
  }
}

void run(const workbook::parameters& given, workbook::report& report) {
  who_works(report);
  what_a_block_does(report);
  how_fast(given.size(), given.seed(), report);
  at_odd_sizes(given.size("sizes"), report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 28,
          .name = "reduction_ladder",
          .title = "One sum, seven ways",
          .summary = "A sum from the obvious kernel to one pass over memory, each step explained by what is counted.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "numbers",
                                           .min = 1,
                                           .max = 100'000'000,
                                           .default_value = 1'000'000,
                                           .inspected = 20'000},
                         workbook::integer{.name = "sizes",
                                           .text = "odd sizes to try as well",
                                           .min = 0,
                                           .max = 10,
                                           .default_value = 10,
                                           .inspected = 0}},
          .run = run};
}
