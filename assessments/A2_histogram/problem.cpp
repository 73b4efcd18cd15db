// Task A2, the trusted side: data of five kinds, and a plain loop over each row that counts them.

#include "assessments/grader/tasks/problem.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <mutex>

#include "assessments/grader/tasks/counter_random.h"
#include "assessments/grader/tasks/elements.h"
#include "runtime/core/error.h"

namespace grader {
namespace {

constexpr std::uint64_t most_bins = 4096;

struct interval {
  float low, high;
};
const std::vector<std::string> kinds = {"normal", "skewed", "constant", "nan_and_infinite", "edges"};

// None is symmetric, none has round edges, and each leaves some values outside.
interval interval_of(const test_case& c) {
  if (c.data == "normal") return {-2.3f, 3.1f};
  if (c.data == "skewed") return {-1.7f, 2.9f};
  if (c.data == "constant") return {0.3f, 7.7f};
  if (c.data == "nan_and_infinite") return {-3.3f, 1.9f};
  if (c.data == "edges") return {-0.7f, 1.3f};
  refuse_data(c, kinds);
}

float between(interval i, float share) { return i.low + (i.high - i.low) * share; }

// Bits 24 to 39 choose: normal() uses all others.
std::uint32_t choice(std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 24 & 0xffff); }

float unusual(std::uint64_t bits) {
  using limits = std::numeric_limits<float>;
  switch (choice(bits) % 16) {
    case 0:
      return limits::quiet_NaN();
    case 1:
      return std::bit_cast<float>(0xffc00001u + static_cast<std::uint32_t>(bits & 0xffff));  // NaN all the same
    case 2:
      return limits::infinity();
    case 3:
      return -limits::infinity();
    case 4:
      return limits::max();
    case 5:
      return -limits::max();
    case 6:
      return -0.0f;
    case 7:
      return limits::denorm_min();
    default:
      return 2 * normal(bits);
  }
}

// An edge of a bin, or one of the two floats on either side of it.
float near_edge(interval i, std::uint64_t bins, std::uint64_t bits) {
  const double low = i.low, high = i.high;
  const auto k = static_cast<double>((bits >> 24) % (bins + 1));
  auto x = static_cast<float>(low + (high - low) * k / static_cast<double>(bins));
  const int steps = static_cast<int>(bits % 5) - 2;
  for (int s = 0; s < std::abs(steps); ++s) x = std::nextafter(x, steps < 0 ? i.low - 1 : i.high + 1);
  return x;
}

// Adds the values to the counts by the definition in task.h.
void add(std::span<const float> values, interval i, std::span<unsigned> counts) {
  const float end = static_cast<float>(counts.size()), scale = end / (i.high - i.low);
  for (const float x : values) {
    const float position = (x - i.low) * scale;
    if (position >= 0 && position < end) ++counts[static_cast<std::size_t>(position)];
  }
}

// The counts of all rows. On all cores: some rows each, or pieces of a long row.
std::vector<unsigned> count(std::span<const float> values, interval i, std::size_t rows, std::size_t bins) {
  constexpr std::size_t piece = std::size_t{1} << 18, rows_at_once = 64;
  const std::size_t columns = rows > 0 ? values.size() / rows : 0;
  std::vector<unsigned> counts(rows * bins);
  const auto counts_of = [&](std::size_t row) { return std::span(counts).subspan(row * bins, bins); };
  if (columns <= piece) {
    gs::for_pieces(rows, rows_at_once, [&](std::size_t first, std::size_t last) {
      for (std::size_t row = first; row < last; ++row) add(values.subspan(row * columns, columns), i, counts_of(row));
    });
    return counts;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    std::mutex mutex;
    gs::for_pieces(columns, piece, [&](std::size_t first, std::size_t last) {
      std::vector<unsigned> own(bins);
      add(values.subspan(row * columns + first, last - first), i, own);
      const std::lock_guard lock(mutex);
      for (std::size_t k = 0; k < bins; ++k) counts_of(row)[k] += own[k];
    });
  }
  return counts;
}

template <class Counts>
std::uint64_t sum(const Counts& counts) {
  std::uint64_t total = 0;
  for (const unsigned count : counts) total += count;
  return total;
}

class histogram_task final : public problem {
 public:
  call_plan plan(const test_case& c) const override {
    const std::uint64_t bins = size_of(c, "bins"), rows = size_of(c, "rows"), values = size_of(c, "values");
    if (bins < 1 || bins > most_bins)
      throw gs::error(fmt::format("a histogram of {} bins", bins), fmt::format("A2 promises 1 to {}", most_bins),
                      "change \"bins\" in task.json");
    if (rows > 0 ? values % rows != 0 : values > 0)
      throw gs::error(fmt::format("a call with {} values in {} rows", values, rows), "rows have the same length",
                      "change \"values\" or \"rows\" in task.json");
    const interval i = interval_of(c);
    const std::uint64_t columns = rows > 0 ? values / rows : 0;
    return {.arrays = {{.name = "values", .role = array_role::device_input, .extents = {rows, columns}},
                       {.name = "counts", .role = array_role::device_output, .extents = {rows, bins}}},
            .numbers = {i.low, i.high}};
  }

  void make_inputs(const test_case& c, std::uint64_t seed,
                   std::span<const std::span<std::byte>> arrays) const override {
    const auto values = elements<float>(arrays[0]);
    const interval i = interval_of(c);
    const std::uint64_t of_rows = random_bits(seed, 0), own = random_bits(seed, 1);
    const std::size_t columns = values.empty() ? 1 : values.size() / size_of(c, "rows");
    // Of the row that value k is in.
    const auto same = [=](std::size_t k) {
      return between(i, 0.1f + 0.8f * upper_uniform(random_bits(of_rows, k / columns)));
    };
    if (c.data == "normal")
      fill(values, [=](std::size_t k) { return normal(random_bits(own, k)); });
    else if (c.data == "skewed")  // nine in ten of a row are the same number
      fill(values, [=](std::size_t k) {
        const std::uint64_t bits = random_bits(own, k);
        return choice(bits) < 0x10000 * 9 / 10 ? same(k) : normal(bits);
      });
    else if (c.data == "constant")
      fill(values, same);
    else if (c.data == "nan_and_infinite")
      fill(values, [=](std::size_t k) { return unusual(random_bits(own, k)); });
    else
      fill(values, [=, bins = size_of(c, "bins")](std::size_t k) { return near_edge(i, bins, random_bits(own, k)); });
  }

  std::optional<wrong_answer> check(const test_case& c,
                                    std::span<const std::span<const std::byte>> arrays) const override {
    const auto values = elements<float>(arrays[0]);
    const auto got = elements<unsigned>(arrays[1]);
    const interval i = interval_of(c);
    const std::size_t rows = size_of(c, "rows"), bins = size_of(c, "bins");
    const std::vector<unsigned> expected = count(values, i, rows, bins);
    const auto wrong = find_wrong(got.size(), [&](std::size_t k) { return got[k] != expected[k]; });
    if (wrong.count == 0) return {};

    const std::size_t row = wrong.first / bins, k = wrong.first % bins;
    const auto edge = [&](std::size_t b) { return between(i, static_cast<float>(b) / static_cast<float>(bins)); };
    const auto of_row = [&](std::span<const unsigned> counts) { return counts.subspan(row * bins, bins); };
    return wrong_answer{
        .array = "counts",
        .index = {row, k},
        .extents = {rows, bins},
        .expected = static_cast<double>(expected[wrong.first]),
        .got = static_cast<double>(got[wrong.first]),
        .wrong = wrong.count,
        .explanation =
            fmt::format("row {}'s bin from {:.6g} to {:.6g}; all counts of the row together are {}, and {} of its {} "
                        "values lie in bins",
                        row, edge(k), edge(k + 1), sum(of_row(got)), sum(of_row(expected)), values.size() / rows)};
  }
};

}  // namespace

std::unique_ptr<problem> histogram_problem() { return std::make_unique<histogram_task>(); }

}  // namespace grader
