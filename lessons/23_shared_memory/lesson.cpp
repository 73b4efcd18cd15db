// Lesson 23: shared memory. What a block has to itself, and why its threads must wait for each other there.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

using input = gs::view<const float>;
using output = gs::view<float>;
using array = gs::device_array<float>;

constexpr unsigned piece = 128;  // numbers that a block has at a time, one for each of its threads

struct buffer {
  gs::tile<float, piece> of;
};

// How many numbers a piece has; the last piece may be shorter.
GS_FN unsigned filled(std::size_t begin, std::size_t size) {
  return size - begin < piece ? static_cast<unsigned>(size - begin) : piece;
}

// --- turned round ----------------------------------------------------------------------------------------------------

// Each piece is turned round: its first number becomes its last. A thread puts its number into the buffer and takes
// that of its partner. A block has several pieces, one after the other, and one buffer for all of them.
template <bool first_barrier, bool second_barrier>
GS_FN void turn_round(gs::thread t, gs::shared<buffer> s, input in, output out) {
  const unsigned own = t.thread_rank();
  for (std::size_t begin = piece * t.block_rank(); begin < in.size(); begin += piece * t.grid_dim().x) {
    const unsigned count = filled(begin, in.size());
    if (own < count) s->of[own] = in[begin + own];
    if (first_barrier) t.sync();  // nobody takes a number before everybody has put theirs
    if (own < count) out[begin + own] = s->of[count - 1 - own];
    if (second_barrier) t.sync();  // nobody puts the next number before everybody has taken theirs
  }
}

// The same in block style, where the barriers can't be forgotten: each `each` ends in one.
GS_FN void turn_round_by_blocks(gs::block<piece> block, gs::shared<buffer> s, input in, output out) {
  for (std::size_t begin = piece * block.block_rank(); begin < in.size(); begin += piece * block.grid_dim().x) {
    const unsigned count = filled(begin, in.size());
    block.each([&](auto t) {
      if (t.x < count) s->of[t.x] = in[begin + t.x];
    });
    block.each([&](auto t) {
      if (t.x < count) out[begin + t.x] = s->of[count - 1 - t.x];
    });
  }
}

struct way {
  std::string name;
  void (*run)(const array& in, const array& out);
  bool right = true;
};

constexpr gs::launch_options blocks{.grid = 64, .block = piece};
template <bool first_barrier, bool second_barrier>
void by_threads(const array& in, const array& out) {
  gs::launch<turn_round<first_barrier, second_barrier>>(blocks, in, out);
}
void by_blocks(const array& in, const array& out) { gs::launch<turn_round_by_blocks>(blocks, in, out); }

const std::vector<way>& ways() {
  static const std::vector<way> all{{"both barriers", by_threads<true, true>},
                                    {"both, block style", by_blocks},
                                    {"the first alone", by_threads<true, false>, false},
                                    {"the second alone", by_threads<false, true>, false},
                                    {"none", by_threads<false, false>, false}};
  return all;
}

array full_of_nan(std::size_t n) {
  return gs::to_device(std::vector<float>(n, std::numeric_limits<float>::quiet_NaN()));
}

// How many numbers are wrong at each place of their piece, compared with a plain loop.
std::vector<std::size_t> wrong_by_place(const way& one, std::size_t n, std::uint64_t seed) {
  const array in = gs::uniform<float>({n}, seed), out = full_of_nan(n);
  one.run(in, out);
  const std::vector<float> x = in.copy_to_host(), y = out.copy_to_host();
  std::vector<std::size_t> wrong(piece);
  for (std::size_t begin = 0; begin < n; begin += piece) {
    const std::size_t count = std::min<std::size_t>(piece, n - begin);
    for (std::size_t k = 0; k < count; ++k) wrong[k] += y[begin + k] != x[begin + count - 1 - k];
  }
  return wrong;
}
std::size_t sum(const std::vector<std::size_t>& counts) {
  std::size_t all = 0;
  for (const std::size_t one : counts) all += one;
  return all;
}

void forgotten_barriers(std::size_t n, std::uint64_t seed, workbook::report& report) {
  report.heading("Forgotten barriers");
  auto& table = report.table("Pieces turned round", {"barriers", "wrong numbers", "time"});
  workbook::xy_plot places{.title = "Where the wrong numbers are",
                           .x = {.label = "place in the piece"},
                           .y = {.label = "wrong numbers", .min = 0}};
  for (const way& one : ways()) {
    const std::vector<std::size_t> wrong = wrong_by_place(one, n, seed);
    if (one.right) {
      report.check_equal(one.name + ": wrong numbers", sum(wrong), 0);
      std::size_t at_odd_sizes = 0;
      for (const std::size_t size : {0, 1, 31, 32, 33, 127, 128, 129, 1009, 100'003})
        at_odd_sizes += sum(wrong_by_place(one, size, seed));
      report.check_equal(one.name + ": wrong numbers at ten sizes", at_odd_sizes, 0);
    } else if (&one != &ways().back()) {
      places.series.push_back({.name = one.name, .y = wrong});
    }
    const array in = gs::uniform<float>({n}, seed), out = full_of_nan(n);
    const auto call = [&] {
      one.run(in, out);
      gs::synchronize();
    };
    table.row(one.name, sum(wrong),
              workbook::seconds(gs::timeit(call, {.runs = 3, .min_run_seconds = 0.02, .max_seconds = 1}).best()));
  }
  report.plot(std::move(places));
}

// A block of eight threads with two pieces: an arrow leads from what must come first to what must come after it.
void picture_of_barriers(workbook::report& report) {
  enum : std::size_t { put, take, barrier };
  constexpr std::size_t threads = 8;
  workbook::diagram picture{.title = "What the two barriers order, in a block of eight threads",
                            .groups = {"puts its number into s->of[own]", "takes its partner's", "a barrier"},
                            .unit_height = 24};
  const auto row = [&](double top, const char* name, std::size_t group) {
    picture.add({.x = 0, .y = top, .width = 4, .text = name});
    std::vector<std::size_t> cells;
    for (std::size_t own = 0; own < threads; ++own)
      cells.push_back(picture.add({.x = 4 + 1.2 * static_cast<double>(own),
                                   .y = top,
                                   .width = 1.2,
                                   .text = "s[" + std::to_string(group == put ? own : threads - 1 - own) + "]",
                                   .group = group}));
    return cells;
  };
  const auto wait = [&](double top, const char* name) {
    picture.add({.x = 0, .y = top, .width = 4, .text = name});
    picture.add({.x = 4, .y = top, .width = 1.2 * threads, .group = barrier});
  };
  const auto first = row(0, "piece 0: put", put);
  wait(2.5, "first t.sync()");
  const auto taken = row(5, "piece 0: take", take);
  wait(7.5, "second t.sync()");
  const auto next = row(10, "piece 1: put", put);
  // Two of the threads; the others are like them.
  for (const std::size_t own : {std::size_t{1}, threads - 1}) {
    const std::size_t partner = threads - 1 - own;
    picture.arrows.push_back({.from = first[partner], .to = taken[own], .group = put});
    picture.arrows.push_back({.from = taken[own], .to = next[partner], .group = take});
  }
  report.plot(std::move(picture));
}

// --- wanted more than once -------------------------------------------------------------------------------------------

constexpr unsigned reach = 8, wanted = 2 * reach + 1;

// The mean of a number and its 8 neighbours on each side; what lies outside of the array counts as 0.
GS_FN void smooth(gs::block<piece> block, input in, output out) {
  block.each([&](auto t) {
    const std::size_t i = t.grid_x(), n = in.size();
    if (i >= n) return;
    const std::size_t begin = i < reach ? 0 : i - reach, end = i + reach + 1 < n ? i + reach + 1 : n;
    float sum = 0;
    for (std::size_t k = begin; k < end; ++k) sum += in[k];
    out[i] = sum / wanted;
  });
}

struct neighbourhood {
  gs::tile<float, piece + 2 * reach> of;
};

// The block reads its piece, and what lies in reach of it, once for all of its threads.
GS_FN void smooth_shared(gs::block<piece> block, gs::shared<neighbourhood> s, input in, output out) {
  const std::size_t begin = std::size_t{piece} * block.block_rank();
  block.each_of(piece + 2 * reach, [&](std::size_t k) {
    const std::size_t i = begin + k;
    s->of[k] = i >= reach && i - reach < in.size() ? in[i - reach] : 0;
  });
  block.each([&](auto t) {
    float sum = 0;
    for (unsigned k = 0; k < wanted; ++k) sum += s->of[t.x + k];
    if (t.grid_x() < out.size()) out[t.grid_x()] = sum / wanted;
  });
}

void wanted_more_than_once(std::size_t n, std::uint64_t seed, workbook::report& report) {
  report.heading("Wanted more than once");
  const array in = gs::uniform<float>({n}, seed), direct = full_of_nan(n), shared = full_of_nan(n);
  const std::size_t grid = (n + piece - 1) / piece;
  const auto by_direct = [&] { gs::launch<smooth>({.grid = grid}, in, direct); };
  const auto by_shared = [&] { gs::launch<smooth_shared>({.grid = grid}, in, shared); };
  by_direct();
  by_shared();

  const std::vector<float> x = in.copy_to_host();
  const auto largest_error = [&](const std::vector<float>& got) {
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t k = i < reach ? 0 : i - reach; k < std::min(n, i + reach + 1); ++k)
        sum += static_cast<double>(x[k]);
      largest = std::max(largest, std::abs(static_cast<double>(got[i]) - sum / wanted));
    }
    return largest;
  };
  report.check_at_most("direct: largest error", largest_error(direct.copy_to_host()), 1e-5);
  report.check_at_most("shared: largest error", largest_error(shared.copy_to_host()), 1e-5);

  auto& table = report.table("The mean of neighbours", {"way", {"reads of memory", "per number"}, "time"});
  const auto row = [&](const char* name, double reads, const auto& statement) {
    const auto call = [&] {
      statement();
      gs::synchronize();
    };
    table.row(name, reads,
              workbook::seconds(gs::timeit(call, {.runs = 3, .min_run_seconds = 0.02, .max_seconds = 1}).best()));
  };
  row("direct", wanted, by_direct);
  row("shared", (piece + 2.0 * reach) / piece, by_shared);
}

void run(const workbook::parameters& given, workbook::report& report) {
  forgotten_barriers(given.size(), given.seed(), report);
  picture_of_barriers(report);
  wanted_more_than_once(given.size(), given.seed(), report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 23,
      .name = "shared_memory",
      .title = "What a block has to itself",
      .summary = "Numbers that change places within a block, what a forgotten barrier does, and reading once for all.",
      .parameters = {workbook::integer{.name = "size",
                                       .text = "numbers",
                                       .min = 1,
                                       .max = 100'000'000,
                                       .default_value = 1'000'000,
                                       .inspected = 20'000}},
      .run = run};
}
