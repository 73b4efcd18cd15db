// Lesson 30: sums of everything up to here. What looks like one step after the other, done in a few.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

constexpr unsigned block_size = 256, warps = block_size / gs::warp_size;

// --- what is scanned: any associative operation ----------------------------------------------------------------------

GS_FN int plus(int a, int b) { return a + b; }
GS_FN int larger(int a, int b) { return a > b ? a : b; }

// A sum that begins anew at some elements. Of two pieces, the left one counts only if the right one has no beginning.
struct segment {
  int sum;
  unsigned begins;
};
GS_FN segment joined(segment a, segment b) {
  return {b.begins != 0 ? b.sum : a.sum + b.sum, static_cast<unsigned>(a.begins | b.begins)};
}

// --- a block's 256 elements, three ways ------------------------------------------------------------------------------

// Which elements change in a step of width `d`.
GS_FN bool has_partner(unsigned k, unsigned d) { return k >= d; }
GS_FN bool ends_pair(unsigned k, unsigned d) { return (k + 1) % (2 * d) == 0; }

template <class T>
struct two_rows {
  gs::tile<T, 2, block_size> of;
};
template <class T>
struct one_row {
  gs::tile<T, block_size> of;
};

// Each thread adds the sum that ends d elements to its left, for d = 1, 2, 4, ... (W. D. Hillis and G. L. Steele, "Data
// parallel algorithms", 1986). What is read must not be overwritten yet: two rows, used in turn.
GS_FN void hillis_steele(gs::thread t, gs::shared<two_rows<int>> s, gs::view<const int> x, gs::view<int> out) {
  const unsigned k = t.thread_rank();
  s->of(0, k) = t.grid() < x.size() ? x[t.grid()] : 0;
  unsigned from = 0;
  for (unsigned d = 1; d < block_size; d *= 2) {
    t.sync();
    s->of(1 - from, k) = has_partner(k, d) ? plus(s->of(from, k - d), s->of(from, k)) : s->of(from, k);
    from = 1 - from;
  }
  if (t.grid() < out.size()) out[t.grid()] = s->of(from, k);
}

// Sums of pairs, of pairs of pairs, and so on; then each sum is handed to the half on its right (G. E. Blelloch,
// "Prefix sums and their applications", 1990, here with each element's own sum).
GS_FN void blelloch(gs::thread t, gs::shared<one_row<int>> s, gs::view<const int> x, gs::view<int> out) {
  const unsigned k = t.thread_rank();
  s->of[k] = t.grid() < x.size() ? x[t.grid()] : 0;
  for (unsigned d = 1; d < block_size; d *= 2) {
    t.sync();
    if (ends_pair(k, d)) s->of[k] = plus(s->of[k - d], s->of[k]);
  }
  for (unsigned d = block_size / 4; d > 0; d /= 2) {
    t.sync();
    if (ends_pair(k, d) && k + d < block_size) s->of[k + d] = plus(s->of[k], s->of[k + d]);
  }
  t.sync();
  if (t.grid() < out.size()) out[t.grid()] = s->of[k];
}

// Hillis and Steele's steps within a warp, without memory; then the warps' sums the same way.
template <auto combine, class T>
GS_FN T scan_of_warp(const gs::thread& t, T own) {
  for (unsigned d = 1; d < gs::warp_size; d *= 2) {
    const T left = t.shuffle_up(own, d);
    if (has_partner(t.lane(), d)) own = combine(left, own);
  }
  return own;
}
template <class T>
struct for_warps {
  gs::tile<T, warps> ends;  // the last sum of each warp
  T before;                 // what comes before the block
  unsigned piece;           // that the block has
};
template <auto combine, class T>
GS_FN T scan_of_block(const gs::thread& t, gs::shared<for_warps<T>> s, T own) {
  own = scan_of_warp<combine>(t, own);
  if (t.lane() == gs::warp_size - 1) s->ends[t.warp()] = own;
  t.sync();
  if (t.warp() == 0) {
    const T end = scan_of_warp<combine>(t, t.lane() < warps ? s->ends[t.lane()] : own);
    if (t.lane() < warps) s->ends[t.lane()] = end;
  }
  t.sync();
  return t.warp() == 0 ? own : combine(s->ends[t.warp() - 1], own);
}
GS_FN void warp_scan(gs::thread t, gs::shared<for_warps<int>> s, gs::view<const int> x, gs::view<int> out) {
  const int sum = scan_of_block<plus>(t, s, t.grid() < x.size() ? x[t.grid()] : 0);
  if (t.grid() < out.size()) out[t.grid()] = sum;
}

// --- the whole array in three launches -------------------------------------------------------------------------------

GS_FN void take_ends(gs::thread t, gs::view<const int> out, gs::view<int> ends) {
  for (auto b : t.grid_stride(ends.size())) {
    const std::size_t end = (b + 1) * block_size;
    ends[b] = out[end < out.size() ? end - 1 : out.size() - 1];
  }
}
GS_FN void add_before(gs::thread t, gs::view<const int> before, gs::view<int> out) {
  for (auto i : t.grid_stride(out.size()))
    if (i >= block_size) out[i] = plus(before[i / block_size - 1], out[i]);
}

using array = gs::device_array<int>;
std::size_t blocks_of(std::size_t n) { return std::max<std::size_t>(1, (n + block_size - 1) / block_size); }

template <auto kernel>
array by_rounds(const array& x) {
  const std::size_t blocks = blocks_of(x.size());
  array out(x.size());
  gs::launch<kernel>({.grid = blocks, .block = block_size}, x, out);
  if (blocks == 1) return out;
  const array ends(blocks);
  gs::launch<take_ends>({.grid = 16, .block = block_size}, out, ends);
  gs::launch<add_before>({.grid = 64, .block = block_size}, by_rounds<kernel>(ends), out);
  return out;
}

// --- the whole array in one ------------------------------------------------------------------------------------------

enum state : unsigned { nothing, own_sum, all_before_too };

// Each block takes the next piece, scans it, and publishes its sum. Then its last thread looks back: over pieces
// with only their own sum known, to the first piece whose sum of everything so far is known (D. Merrill and M. Garland,
// "Single-pass parallel prefix scan with decoupled look-back", 2016).
template <auto combine, class T>
GS_FN void look_back(gs::thread t, gs::shared<for_warps<T>> s, gs::view<const T> x, gs::view<T> out, T identity,
                     gs::view<T> own_sums, gs::view<T> whole_sums, gs::view<unsigned> states, gs::view<unsigned> next) {
  // Pieces are handed out as blocks begin, so that a block that others wait for has begun.
  if (t.thread_rank() == 0) s->piece = gs::atomic_ref(next[0]).fetch_add(1u);
  t.sync();
  const unsigned piece = s->piece;
  const std::size_t i = std::size_t{piece} * block_size + t.thread_rank();
  const T sum = scan_of_block<combine>(t, s, i < x.size() ? x[i] : identity);
  if (t.thread_rank() == block_size - 1) {
    T before = identity;
    if (piece > 0) {
      own_sums[piece] = sum;
      t.device_fence();
      gs::atomic_ref(states[piece]).store(own_sum);
      for (unsigned p = piece - 1;; --p) {
        unsigned seen = nothing;
        while (seen == nothing) seen = gs::atomic_ref(states[p]).load();
        t.device_fence();
        before = combine(seen == own_sum ? own_sums[p] : whole_sums[p], before);
        if (seen == all_before_too) break;
      }
    }
    whole_sums[piece] = combine(before, sum);
    t.device_fence();
    gs::atomic_ref(states[piece]).store(all_before_too);
    s->before = before;
  }
  t.sync();
  if (i < out.size()) out[i] = combine(s->before, sum);
}

template <auto combine, class T>
gs::device_array<T> in_one_pass(const gs::device_array<T>& x, T identity) {
  const std::size_t blocks = blocks_of(x.size());
  gs::device_array<T> out(x.size());
  const gs::device_array<T> own_sums(blocks), whole_sums(blocks);
  const auto states = gs::to_device(std::vector<unsigned>(blocks, nothing));
  const auto next = gs::to_device(std::vector<unsigned>{0});
  gs::launch<look_back<combine, T>>({.grid = blocks, .block = block_size}, x, out, identity, own_sums, whole_sums,
                                    states, next);
  return out;
}

// --- work against depth ----------------------------------------------------------------------------------------------

struct step {
  bool (*works)(unsigned k, unsigned d);
  unsigned d;
  unsigned to;  // how far right of k the sum goes
};
std::vector<step> steps_of_hillis_steele(unsigned n) {
  std::vector<step> all;
  for (unsigned d = 1; d < n; d *= 2) all.push_back({has_partner, d, 0});
  return all;
}
std::vector<step> steps_of_blelloch(unsigned n) {
  std::vector<step> all;
  for (unsigned d = 1; d < n; d *= 2) all.push_back({ends_pair, d, 0});
  for (unsigned d = n / 4; d > 0; d /= 2) all.push_back({ends_pair, d, d});
  return all;
}
// Does a step on n ones, and returns how many sums it computed. So each element counts the elements in its sum.
std::size_t do_step(const step& one, std::vector<double>& counts) {
  const std::vector<double> before = counts;
  std::size_t sums = 0;
  for (unsigned k = 0; k < before.size(); ++k) {
    if (!one.works(k, one.d) || k + one.to >= before.size()) continue;
    counts[k + one.to] = one.to == 0 ? before[k - one.d] + before[k] : before[k] + before[k + one.d];
    ++sums;
  }
  return sums;
}

void work_and_depth(workbook::report& report) {
  report.heading("Work against depth");
  auto& table = report.table("A scan of 256 numbers", {"way", "steps", "additions"});
  table.row("a loop", block_size - 1, block_size - 1);
  const auto row = [&](const std::string& name, const std::vector<step>& steps) {
    std::vector<double> counts(block_size, 1);
    std::size_t additions = 0;
    for (const step& one : steps) additions += do_step(one, counts);
    table.row(name, steps.size(), additions);
    std::vector<double> expected(block_size);
    std::iota(expected.begin(), expected.end(), 1.0);
    report.check(name + ": in the end each element counts itself and all before", counts == expected);
  };
  row("Hillis and Steele", steps_of_hillis_steele(block_size));
  row("Blelloch", steps_of_blelloch(block_size));
  const auto draw = [&](const char* title, const std::vector<step>& steps) {
    constexpr unsigned n = 32;
    std::vector<double> counts(n, 1), values = counts;
    for (const step& one : steps) {
      do_step(one, counts);
      values.insert(values.end(), counts.begin(), counts.end());
    }
    report.plot(workbook::heat_map{.title = title,
                                   .x = {.label = "element"},
                                   .y = {.label = "step"},
                                   .value = {.label = "numbers in its sum", .min = 0, .max = n},
                                   .rows = steps.size() + 1,
                                   .columns = n,
                                   .values = std::move(values)});
  };
  draw("Hillis and Steele, 32 elements", steps_of_hillis_steele(32));
  draw("Blelloch, 32 elements", steps_of_blelloch(32));
}

// --- right, and how fast ---------------------------------------------------------------------------------------------

struct way {
  std::string name;
  array (*scan)(const array& x);
  double accesses;  // to memory, for each number: read and written by how many kernels
};
const std::vector<way>& ways() {
  static const std::vector<way> all{{"Hillis and Steele", by_rounds<hillis_steele>, 4},
                                    {"Blelloch", by_rounds<blelloch>, 4},
                                    {"by warps", by_rounds<warp_scan>, 4},
                                    {"one pass, look-back", [](const array& x) { return in_one_pass<plus>(x, 0); }, 2},
                                    {"gs::inclusive_sum", [](const array& x) { return gs::inclusive_sum(x); }, 0}};
  return all;
}

template <auto combine, class T>
std::vector<T> scanned_in_a_loop(std::vector<T> x) {
  for (std::size_t i = 1; i < x.size(); ++i) x[i] = combine(x[i - 1], x[i]);
  return x;
}
std::size_t wrong_at(const way& w, std::size_t n, std::uint64_t seed) {
  const array x = gs::integers<int>({n}, -1000, 1000, seed);
  return w.scan(x).copy_to_host() == scanned_in_a_loop<plus>(x.copy_to_host()) ? 0 : 1;
}

void all_ways(std::size_t n, std::size_t sizes, std::uint64_t seed, workbook::report& report) {
  report.heading("The whole array");
  constexpr std::size_t odd[] = {0, 1, 31, 32, 33, 255, 256, 257, 1009, 70'001};
  const array x = gs::integers<int>({n}, -1000, 1000, seed);
  std::vector<std::string> names;
  std::vector<double> nanoseconds;
  auto& table = report.table("All numbers", {"way", "launches", "accesses, for each number"});
  for (const way& w : ways()) {
    std::size_t wrong = wrong_at(w, n, seed);
    for (std::size_t k = 0; k < std::min(sizes, std::size(odd)); ++k) wrong += wrong_at(w, odd[k], k);
    report.check_equal(w.name + ": sizes at which it is wrong", wrong, 0);
    const gs::ledger_scope scope;
    (void)w.scan(x);
    const auto launches = scope.account().launches;
    if (w.accesses > 0)
      table.row(w.name, launches, w.accesses);
    else
      table.row(w.name, launches, workbook::cell());
    const auto call = [&] {
      (void)w.scan(x);
      gs::synchronize();
    };
    const gs::timing time = gs::timeit(call, {.runs = 3, .min_run_seconds = 0.03, .max_seconds = 0.6});
    report.timing(w.name, time, {.bytes = 2 * sizeof(int) * static_cast<double>(n)});
    names.push_back(w.name);
    nanoseconds.push_back(1e9 * time.best() / static_cast<double>(n));
  }
  report.plot(workbook::bar_plot{.title = "Time per number",
                                 .categories = names,
                                 .value = {.label = "time", .unit = "ns", .min = 0},
                                 .groups = {{.name = "time", .values = nanoseconds}}});
}

// --- other operations ------------------------------------------------------------------------------------------------

bool same(const std::vector<segment>& a, const std::vector<segment>& b) {
  return std::ranges::equal(a, b, [](segment p, segment q) { return p.sum == q.sum && p.begins == q.begins; });
}

void the_same_kernel(std::size_t n, std::uint64_t seed, workbook::report& report) {
  report.heading("The same kernel");
  const std::vector<int> x{3, 1, 4, 1, 5, 9, 2, 6};
  const std::vector<unsigned> begins{1, 0, 0, 1, 0, 0, 1, 0};
  const auto segments_of = [](const std::vector<int>& values, const auto& begins_at) {
    std::vector<segment> all(values.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = {values[i], begins_at(i)};
    return all;
  };
  const auto segments = segments_of(x, [&](std::size_t i) { return begins[i]; });
  constexpr int least = -2'147'483'647 - 1;
  const auto line = [](const auto& values, const auto& number_of) {
    std::string all;
    for (const auto& value : values) {
      if (!all.empty()) all += ' ';
      all += std::to_string(number_of(value));
    }
    return all;
  };
  const auto itself = [](int value) { return value; };
  auto& table = report.table("Eight numbers", {"operation", "running result"});
  table.row("the numbers", line(x, itself));
  table.row("a + b", line(in_one_pass<plus>(gs::to_device(x), 0).copy_to_host(), itself));
  table.row("larger of a, b", line(in_one_pass<larger>(gs::to_device(x), least).copy_to_host(), itself));
  table.row("a + b, anew at 3, 1, 2", line(in_one_pass<joined>(gs::to_device(segments), segment{0, 0}).copy_to_host(),
                                           [](segment v) { return v.sum; }));

  const std::vector<int> many = gs::integers<int>({n}, -1000, 1000, seed).copy_to_host();
  report.check("running maximum of all",
               in_one_pass<larger>(gs::to_device(many), least).copy_to_host() == scanned_in_a_loop<larger>(many));
  const auto many_segments = segments_of(many, [](std::size_t i) { return i % 37 == 0 ? 1u : 0u; });
  report.check("segmented sums of all",
               same(in_one_pass<joined>(gs::to_device(many_segments), segment{0, 0}).copy_to_host(),
                    scanned_in_a_loop<joined>(many_segments)));
}

void run(const workbook::parameters& given, workbook::report& report) {
  work_and_depth(report);
  all_ways(given.size(), given.size("sizes"), given.seed(), report);
  the_same_kernel(given.size(), given.seed(), report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 30,
          .name = "scan",
          .title = "Sums of everything up to here",
          .summary = "Prefix sums four ways, work against depth, and which other operations the same kernel scans.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "numbers",
                                           .min = 1,
                                           .max = 20'000'000,
                                           .default_value = 250'000,
                                           .inspected = 3000},
                         workbook::integer{.name = "sizes",
                                           .text = "odd sizes to try as well",
                                           .min = 0,
                                           .max = 10,
                                           .default_value = 10,
                                           .inspected = 0}},
          .run = run};
}
