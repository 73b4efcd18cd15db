// Lesson 18: histograms. How often each value occurs, counted by many threads, and no value lost on the way.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"
#include "workbook/number_text.h"

// Bins of equal width from -4 to 4. A bin includes its lower edge, but not its upper one.
constexpr float low = -4, high = 4;

// Where x is counted: in a bin, 0 to bins - 1, or behind them, so that nothing gets lost: below, above, NaN.
GS_FN unsigned slot_of(float x, float scale, unsigned bins) {
  const float position = (x - low) * scale;
  if (position >= 0 && position < static_cast<float>(bins)) return static_cast<unsigned>(position);
  if (position < 0) return bins;
  return position > 0 ? bins + 1 : bins + 2;  // NaN is neither
}
constexpr unsigned slots_outside = 3;

// One set of counters for all threads.
GS_FN void count_globally(gs::thread t, gs::view<const float> x, float scale, gs::view<unsigned> counts) {
  const auto bins = static_cast<unsigned>(counts.size()) - slots_outside;
  for (auto i : t.grid_stride(x.size())) gs::atomic_ref(counts[slot_of(x[i], scale, bins)]).fetch_add(1u);
}

// Each block counts for itself, in its shared memory, and hands in its counts at the end.
GS_FN void count_per_block(gs::thread t, gs::dynamic_shared<unsigned> own, gs::view<const float> x, float scale,
                           gs::view<unsigned> counts) {
  const auto bins = static_cast<unsigned>(counts.size()) - slots_outside;
  for (std::size_t k = t.thread_rank(); k < own.size(); k += t.block_size()) own[k] = 0;
  t.sync();  // nobody counts before all counters are 0
  for (auto i : t.grid_stride(x.size())) gs::atomic_ref(own[slot_of(x[i], scale, bins)]).fetch_add(1u);
  t.sync();  // nobody hands in before all have counted
  for (std::size_t k = t.thread_rank(); k < own.size(); k += t.block_size())
    gs::atomic_ref(counts[k]).fetch_add(own[k]);
}

// The formula as published: x + low, although x - low is meant, cut to an int. A `sign` of -1 mends the former.
GS_FN void count_as_published(gs::thread t, gs::view<const float> x, float sign, gs::view<unsigned> counts) {
  const auto bins = static_cast<int>(counts.size());
  const float width = (high - low) / static_cast<float>(bins);
  for (auto i : t.grid_stride(x.size())) {
    const int bin = static_cast<int>((x[i] + sign * low) / width);
    if (bin >= 0 && bin < bins) gs::atomic_ref(counts[bin]).fetch_add(1u);
  }
}

enum class kernel { global, per_block };

float scale_of(unsigned bins) { return static_cast<float>(bins) / (high - low); }

void launch(kernel which, const gs::device_array<float>& x, gs::device_array<unsigned>& counts) {
  const auto slots = static_cast<unsigned>(counts.size());
  const float scale = scale_of(slots - slots_outside);
  if (which == kernel::global)
    gs::launch<count_globally>({.grid = 32, .block = 256}, x, scale, counts);
  else
    gs::launch<count_per_block>({.grid = 32, .block = 256, .shared_bytes = slots * sizeof(unsigned)}, x, scale, counts);
}

std::vector<unsigned> counts_of(kernel which, const std::vector<float>& x, unsigned bins) {
  auto counts = gs::to_device(std::vector<unsigned>(bins + slots_outside));
  launch(which, gs::to_device(x), counts);
  return counts.copy_to_host();
}

std::vector<unsigned> published_counts(const gs::device_array<float>& x, float sign, unsigned bins) {
  const auto counts = gs::to_device(std::vector<unsigned>(bins));
  gs::launch<count_as_published>({.grid = 32, .block = 256}, x, sign, counts);
  return counts.copy_to_host();
}

// The reference: a plain loop in float64. A value so near an edge that float32 may round it to the other side counts
// as possible in both slots; all others are certain.
struct bounds {
  std::vector<std::size_t> certain, possible;

  // How many counts can't be right.
  std::size_t broken_by(const std::vector<unsigned>& counts) const {
    std::size_t broken = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) broken += counts[k] < certain[k] || counts[k] > possible[k];
    return broken;
  }
};

// `position` and `slot` say in float64 what the kernel computes; a slot of -1 isn't counted.
template <class Position, class Slot>
bounds by_plain_loop(const std::vector<float>& x, std::size_t slots, Position position, Slot slot) {
  bounds b{std::vector<std::size_t>(slots), std::vector<std::size_t>(slots)};
  constexpr double rounding = 0x1p-22;  // float32 rounds the difference, the scale and their product by 2^-24 each
  for (const float value : x) {
    const double p = position(static_cast<double>(value));
    const long here = slot(p), left = slot(p * (1 - rounding)), right = slot(p * (1 + rounding));
    if (left == right && here >= 0) ++b.certain[static_cast<std::size_t>(here)];
    if (left >= 0) ++b.possible[static_cast<std::size_t>(left)];
    if (right >= 0 && left != right) ++b.possible[static_cast<std::size_t>(right)];
  }
  return b;
}

// The slot of a position among the bins.
long slot_by_position(double p, unsigned bins) {
  if (std::isnan(p)) return bins + 2;
  if (p < 0) return bins;
  return p < bins ? static_cast<long>(std::floor(p)) : bins + 1;
}
long slot_by_position_cut(double p, unsigned bins) { return p > -1 && p < bins ? static_cast<long>(p) : -1; }

bounds reference(const std::vector<float>& x, unsigned bins) {
  return by_plain_loop(
      x, bins + slots_outside, [=](double v) { return (v - low) * bins / (high - low); },
      [=](double p) { return slot_by_position(p, bins); });
}
bounds published_reference(const std::vector<float>& x, double sign, unsigned bins) {
  return by_plain_loop(
      x, bins, [=](double v) { return (v + sign * low) * bins / (high - low); },
      [=](double p) { return slot_by_position_cut(p, bins); });
}

template <class T>
std::size_t sum(const std::vector<T>& counts) {
  std::size_t all = 0;
  for (const T one : counts) all += one;
  return all;
}

// Normal data; `skew` is the share of values that are replaced by a constant.
std::vector<float> measurements(std::size_t size, double skew, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<float> x(size);
  for (float& one : x) {
    one = normal(random);
    if (skew > 0 && uniform(random) < skew) one = 0.1f;
  }
  return x;
}

std::string slot_name(std::size_t slot, unsigned bins) {
  if (slot >= bins) return slot == bins ? "below" : slot == bins + 1 ? "above" : "NaN";
  return "bin " + std::to_string(slot);
}

void three_formulas(const std::vector<float>& x, unsigned bins, workbook::report& report) {
  report.heading("Three formulas");
  const auto x_device = gs::to_device(x);
  const std::vector<unsigned> wrong = published_counts(x_device, 1, bins), cut = published_counts(x_device, -1, bins),
                              right = counts_of(kernel::per_block, x, bins);
  std::vector<double> edges(bins), heights(right.begin(), right.begin() + bins);
  std::vector<std::string> names(bins);
  for (std::size_t k = 0; k < bins; ++k) {
    edges[k] = low + (high - low) * static_cast<double>(k) / bins;
    names[k] = workbook::to_text(edges[k], 3);
  }
  auto& table = report.table("", {"counted in", "from", "x + low, cut", "x - low, cut", "this lesson"});
  for (std::size_t k = 0; k < bins && bins <= 20; ++k)
    table.row(slot_name(k, bins), edges[k], wrong[k], cut[k], right[k]);
  for (std::size_t k = bins; k < bins + slots_outside; ++k)
    table.row(slot_name(k, bins), workbook::cell(), workbook::cell(), workbook::cell(), right[k]);
  table.row("all of them", workbook::cell(), sum(wrong), sum(cut), sum(right));
  table.row("lost", workbook::cell(), x.size() - sum(wrong), x.size() - sum(cut), x.size() - sum(right));

  report.check_equal("x + low: counts that a float64 loop of this formula can't have",
                     published_reference(x, 1, bins).broken_by(wrong), 0);
  report.check_equal("x - low, cut: the same", published_reference(x, -1, bins).broken_by(cut), 0);
  report.check_equal("this lesson: the same", reference(x, bins).broken_by(right), 0);
  report.check_equal("this lesson: values counted", sum(right), x.size());

  if (bins <= 50)
    report.plot(workbook::bar_plot{.title = "Normal data",
                                   .category_label = "lower edge of the bin",
                                   .categories = names,
                                   .value = {.label = "values", .min = 0},
                                   .groups = {{.name = "", .values = heights}}});
  else
    report.plot(workbook::xy_plot{.title = "Normal data",
                                  .x = {.label = "lower edge of the bin"},
                                  .y = {.label = "values", .min = 0},
                                  .series = {{.x = edges, .y = heights}}});
}

void on_the_edge(unsigned bins, workbook::report& report) {
  report.heading("On the edge, and nowhere");
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  struct example {
    const char* text;
    float x;
  };
  auto& table = report.table("", {"value", "float32, the kernel", "float64"});
  std::size_t broken = 0, several = 0;
  const example examples[] = {{"-4", low},
                              {"the next float below -4", std::nextafter(low, -infinity)},
                              {"0", 0},
                              {"-0", -0.0f},
                              {"-1e-10", -1e-10f},
                              {"the next float below 4", std::nextafter(high, 0.0f)},
                              {"4", high},
                              {"1e38", 1e38f},
                              {"infinity", infinity},
                              {"-infinity", -infinity},
                              {"NaN", nan}};
  for (const auto& [text, x] : examples) {
    const std::vector<unsigned> counts = counts_of(kernel::per_block, {x}, bins);
    std::size_t slot = 0;
    while (counts[slot] == 0 && slot + 1 < counts.size()) ++slot;
    const double position = (static_cast<double>(x) - low) * bins / (high - low);
    table.row(text, slot_name(slot, bins), slot_name(static_cast<std::size_t>(slot_by_position(position, bins)), bins));
    broken += reference({x}, bins).broken_by(counts);
    several += sum(counts) != 1;
  }
  report.check_equal("counts further off than float32 rounds", broken, 0);
  report.check_equal("values not counted exactly once", several, 0);
}

void sizes_that_do_not_fit(std::uint64_t seed, workbook::report& report) {
  report.heading("Sizes that don't fit");
  std::size_t broken = 0, lost = 0;
  for (const std::size_t size : {0, 1, 31, 32, 33, 257, 1009, 8191, 10'007}) {
    std::vector<float> x = measurements(size, 0.3, seed + size);
    for (std::size_t i = 0; i < size; i += 5)
      x[i] = i % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(x[i], static_cast<int>(i % 130));
    for (const unsigned bins : {1u, 2u, 7u, 10u, 1000u}) {
      const bounds expected = reference(x, bins);
      for (const kernel which : {kernel::global, kernel::per_block}) {
        const std::vector<unsigned> counts = counts_of(which, x, bins);
        broken += expected.broken_by(counts);
        lost += sum(counts) != size;
      }
    }
  }
  report.check_equal("0 to 10,007 values in 1 to 1,000 bins, both kernels: wrong counts", broken, 0);
  report.check_equal("0 to 10,007 values in 1 to 1,000 bins, both kernels: wrong sums", lost, 0);
}

// The first twelve values, counted by three blocks of four threads into four bins: once in a set of counters for all,
// and once in a set per block that is handed in at the end.
void picture_of_counters(const std::vector<float>& x, workbook::report& report) {
  enum : std::size_t { value, own, common };
  constexpr unsigned blocks = 3, threads = 4, bins = 4;
  if (x.size() < blocks * threads) return;
  workbook::diagram picture{.title = "Twelve values of three blocks, counted in four bins",
                            .groups = {"a thread's value", "a counter that a block has to itself", "a counter for all"},
                            .unit_height = 24};
  const auto slot = [&](unsigned thread) { return slot_of(x[thread], scale_of(bins), bins); };
  const auto left_of = [](unsigned block, unsigned k) { return 5.4 * block + 1.25 * k; };
  const auto draw_values = [&](double top) {
    std::vector<std::size_t> cells;
    for (unsigned k = 0; k < blocks * threads; ++k)
      cells.push_back(picture.add({.x = left_of(k / threads, k % threads),
                                   .y = top,
                                   .width = 1.2,
                                   .text = workbook::significant(std::round(10 * static_cast<double>(x[k])) / 10, 2),
                                   .group = value}));
    return cells;
  };
  const auto draw_counters = [&](double left, double top, std::size_t group, const std::vector<unsigned>& counts) {
    std::vector<std::size_t> cells;
    for (unsigned k = 0; k < bins; ++k)
      cells.push_back(picture.add(
          {.x = left + 1.25 * k, .y = top, .width = 1.2, .text = std::to_string(counts[k]), .group = group}));
    return cells;
  };
  std::vector<unsigned> all(bins);
  std::vector<std::vector<unsigned>> of_block(blocks, std::vector<unsigned>(bins));
  for (unsigned k = 0; k < blocks * threads; ++k)
    if (slot(k) < bins) ++all[slot(k)], ++of_block[k / threads][slot(k)];

  const auto values = draw_values(0), shared = draw_counters(left_of(1, 0), 4, common, all);
  for (unsigned k = 0; k < blocks * threads; ++k)
    if (slot(k) < bins) picture.arrows.push_back({.from = values[k], .to = shared[slot(k)]});

  const auto again = draw_values(6.5), sums = draw_counters(left_of(1, 0), 13, common, all);
  for (unsigned b = 0; b < blocks; ++b) {
    const auto counters = draw_counters(left_of(b, 0), 9.5, own, of_block[b]);
    for (unsigned k = 0; k < threads; ++k)
      if (const unsigned bin = slot(b * threads + k); bin < bins)
        picture.arrows.push_back({.from = again[b * threads + k], .to = counters[bin]});
    for (unsigned bin = 0; bin < bins; ++bin)
      if (of_block[b][bin] > 0) picture.arrows.push_back({.from = counters[bin], .to = sums[bin], .group = own});
  }
  report.plot(std::move(picture));
}

void two_kernels(const std::vector<float>& normal, double skew, unsigned bins, std::uint64_t seed,
                 workbook::report& report) {
  report.heading("One set of counters, or one per block");
  std::vector<double> global, per_block;
  const workbook::work work{.bytes = sizeof(float) * static_cast<double>(normal.size())};
  auto& table = report.table("", {"data", "fullest bin holds", "one set for all", "one set per block"});
  for (const std::string data : {"normal", "skewed"}) {
    const std::vector<float> x = data == "normal" ? normal : measurements(normal.size(), skew, seed);
    const bounds expected = reference(x, bins);
    const auto x_device = gs::to_device(x);
    std::vector<gs::timing> times;
    unsigned fullest = 0;
    for (const kernel which : {kernel::global, kernel::per_block}) {
      const std::string name = data + (which == kernel::global ? ", one set for all" : ", one set per block");
      const std::vector<unsigned> counts = counts_of(which, x, bins);
      for (const unsigned one : counts) fullest = std::max(fullest, one);
      report.check_equal(name + ": counts that a float64 loop can't have", expected.broken_by(counts), 0);
      report.check_equal(name + ": values counted", sum(counts), x.size());
      auto repeated = gs::to_device(std::vector<unsigned>(counts.size()));
      const auto call = [&] {
        launch(which, x_device, repeated);
        gs::synchronize();
      };
      times.push_back(gs::timeit(call, {.min_run_seconds = 0.05, .max_seconds = 1}));
      report.timing(name, times.back(), work);
    }
    const double size = static_cast<double>(normal.size());
    global.push_back(1e9 * times[0].best() / size);
    per_block.push_back(1e9 * times[1].best() / size);
    table.row(data, fullest, workbook::seconds(times[0].best()), workbook::seconds(times[1].best()));
  }
  report.plot(workbook::bar_plot{
      .title = "Time per value",
      .categories = {"normal", "skewed"},
      .value = {.label = "time", .unit = "ns", .min = 0},
      .groups = {{.name = "one set for all", .values = global}, {.name = "one set per block", .values = per_block}}});
}

void run(const workbook::parameters& given, workbook::report& report) {
  const auto bins = static_cast<unsigned>(given.integer("bins"));
  const std::vector<float> normal = measurements(given.size(), 0, given.seed());
  three_formulas(normal, bins, report);
  on_the_edge(bins, report);
  picture_of_counters(normal, report);
  two_kernels(normal, given.real("skew"), bins, given.seed(), report);
  sizes_that_do_not_fit(given.seed(), report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 18,
          .name = "histogram",
          .title = "Counting without losing count",
          .summary =
              "A histogram by many threads: a wrong sign, values on the edge, and counters that a block has to itself.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "values",
                                           .min = 1,
                                           .max = 100'000'000,
                                           .default_value = 1'000'000,
                                           .inspected = 100'000},
                         workbook::integer{
                             .name = "bins", .text = "bins from -4 to 4", .min = 1, .max = 10'000, .default_value = 10},
                         workbook::real{.name = "skew",
                                        .text = "share of the skewed data that is one and the same value",
                                        .min = 0,
                                        .max = 1,
                                        .default_value = 0.9}},
          .run = run};
}
