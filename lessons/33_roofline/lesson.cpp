// Lesson 33: the roofline. What a kernel can't be faster than: by its arithmetic, and by the bytes that it moves.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "runtime/instruments/device_model/device_model.h"
#include "runtime/instruments/device_model/time_bound.h"
#include "workbook/lesson.h"
#include "workbook/number_text.h"

// --- six kernels -----------------------------------------------------------------------------------------------------

GS_FN float plus(float a, float b) { return a + b; }
inline constexpr auto add = gs::vectorize<plus>;

// The change of a cell with four neighbours, as in lesson 26, inside the edge.
GS_FN void laplacian(gs::thread t, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const std::size_t y = t.grid_y() + 1, x = t.grid_x() + 1;
  if (y + 1 < in.extent(0) && x + 1 < in.extent(1))
    out(y, x) = in(y - 1, x) + in(y + 1, x) + in(y, x - 1) + in(y, x + 1) - 4 * in(y, x);
}
constexpr double operations_of_laplacian = 6;

// Six chains of additions and multiplications, which don't wait for each other. Each tends to 2, so their mean does.
template <int steps>
GS_FN float chains(float x) {
  float a = x, b = x + 1, c = x + 2, d = x + 3, e = x + 4, f = x + 5;
  for (int k = 0; k < steps; ++k) {
    a = 0.75f * a + 0.5f, b = 0.75f * b + 0.5f, c = 0.75f * c + 0.5f;
    d = 0.75f * d + 0.5f, e = 0.75f * e + 0.5f, f = 0.75f * f + 0.5f;
  }
  return (a + b + c + d + e + f) / 6;
}
template <int steps>
constexpr double operations_of_chains = 12.0 * steps + 11;
template <int steps>
inline constexpr auto compute = gs::vectorize<chains<steps>>;

// --- two kinds of roofs ----------------------------------------------------------------------------------------------

constexpr unsigned block_size = 256;

// Each block changes its own piece of x again and again. A piece that fits into a cache comes from there.
GS_FN void change_again(gs::block<block_size> block, std::size_t times, gs::view<float> x) {
  const std::size_t piece = x.size() / block.grid_dim().x, begin = piece * block.block_idx().x;
  for (std::size_t k = 0; k < times; ++k)
    block.each_of(piece, [&](std::size_t i) { x[begin + i] = 0.75f * x[begin + i] + 0.5f; });
}

const gs::timeit_options quick{.runs = 5, .min_run_seconds = 0.02, .max_seconds = 0.3};
template <class Statement>
double seconds_of(const Statement& statement) {
  return gs::timeit([&] { statement(), gs::synchronize(); }, quick).best();
}

double mean_of(const gs::device_array<float>& x) {
  double sum = 0;
  for (const float element : x.copy_to_host()) sum += static_cast<double>(element);
  return sum / static_cast<double>(x.size());
}

struct memory_roof {
  std::size_t bytes;        // of a block's piece
  double bytes_per_second;  // read and written
};
struct roofs {
  double operations_per_second = 0;
  std::vector<memory_roof> memory;  // from the smallest piece to the largest
  /// The least time of a kernel whose bytes come from the device's memory.
  double least_seconds(double bytes, double operations) const {
    return std::max(bytes / memory.back().bytes_per_second, operations / operations_per_second);
  }
};

roofs measured_roofs(std::size_t size, workbook::report& report) {
  report.heading("The roofs");
  roofs found;
  const std::size_t blocks = gs::device().multiprocessors;
  auto& table = report.table("Bytes that are read and written, by what each block goes through again and again",
                             {"piece", "in all", "rate"});
  for (std::size_t piece = std::size_t{1} << 14;
       piece * blocks <= std::max<std::size_t>(8 * size * sizeof(float), 1 << 20); piece *= 8) {
    const gs::device_array<float> x = gs::uniform<float>({blocks * piece / sizeof(float)}, 1);
    const std::size_t times = gs::can_inspect() ? 1 : std::max<std::size_t>(1, (std::size_t{1} << 24) / piece);
    const double seconds =
        seconds_of([&] { gs::launch<change_again>({.grid = blocks, .block = block_size}, times, x); });
    const auto bytes = static_cast<double>(piece);
    found.memory.push_back({piece, 2 * bytes * static_cast<double>(blocks * times) / seconds});
    table.row(workbook::bytes(bytes), workbook::bytes(bytes * static_cast<double>(blocks)),
              workbook::bytes_per_second(found.memory.back().bytes_per_second));
  }
  const auto x = gs::uniform<float>({1'000'000}, 2);
  const auto changed = x.copy();
  gs::launch<change_again>({.grid = 5, .block = block_size}, std::size_t{3}, changed);
  report.check_near("mean after three changes", mean_of(changed), 2 + (mean_of(x) - 2) * std::pow(0.75, 3), 1e-6);

  auto y = gs::device_array_like(x);
  gs::timing fastest;
  double operations = 0;
  const auto measure = [&]<int steps>() {
    const gs::timing time = gs::timeit([&] { compute<steps>(x, gs::out(y)), gs::synchronize(); }, quick);
    const double counted = operations_of_chains<steps> * static_cast<double>(x.size());
    if (fastest.run_seconds.empty() || counted / time.best() > operations / fastest.best())
      fastest = time, operations = counted;
  };
  measure.operator()<16>(), measure.operator()<64>(), measure.operator()<256>();
  found.operations_per_second = operations / fastest.best();
  report.timing("the most arithmetic on a million numbers", fastest, {.operations = operations});
  return found;
}

// --- where the kernels stand -----------------------------------------------------------------------------------------

struct measured_kernel {
  std::string name;
  double bytes, operations, seconds;
  double intensity() const { return operations / bytes; }
};

// What compute<steps> gives for x.
double expected_of_chains(double x, int steps) { return 2 + (x + 0.5) * std::pow(0.75, steps); }

std::vector<measured_kernel> measured_kernels(std::size_t size, std::uint64_t seed, workbook::report& report) {
  std::vector<measured_kernel> kernels;
  const auto n = static_cast<double>(size);
  const auto x = gs::uniform<float>({size}, seed), y = gs::uniform<float>({size}, seed + 1);
  auto z = gs::device_array_like(x);
  kernels.push_back({"add", 12 * n, n, seconds_of([&] { add(x, y, gs::out(z)); })});
  report.check_near("mean of x + y", mean_of(z), mean_of(x) + mean_of(y), 1e-6);

  auto sum = gs::device_array<float>(gs::shape({}));
  kernels.push_back({"sum", 4 * n, n, seconds_of([&] { add.reduce(x, gs::out(sum)); })});
  report.check_near("sum of x", static_cast<double>(sum.copy_to_host()[0]), mean_of(x) * n, 1e-5);

  const auto side = std::max<std::size_t>(3, static_cast<std::size_t>(std::sqrt(n)));
  const auto field = gs::uniform<float>({side, side}, seed);
  auto change = field.copy();  // the kernel leaves the edge as it is
  const double cells = static_cast<double>(side - 2) * static_cast<double>(side - 2);
  kernels.push_back({"laplacian", 8 * cells, operations_of_laplacian * cells, seconds_of([&] {
                       gs::launch<laplacian>({.grid = {(side + 63) / 64, (side + 3) / 4}, .block = {64, 4}}, field,
                                             change);
                     })});
  const std::vector<float> u = field.copy_to_host(), v = change.copy_to_host();
  const std::size_t middle = side / 2 * side + side / 2;
  report.check_near("laplacian in the middle", static_cast<double>(v[middle]),
                    static_cast<double>(u[middle - side]) + static_cast<double>(u[middle + side]) +
                        static_cast<double>(u[middle - 1]) + static_cast<double>(u[middle + 1]) -
                        4 * static_cast<double>(u[middle]),
                    1e-4);

  const auto chain = [&]<int steps>(std::string name) {
    kernels.push_back(
        {std::move(name), 8 * n, operations_of_chains<steps> * n, seconds_of([&] { compute<steps>(x, gs::out(z)); })});
    report.check_near("mean of " + kernels.back().name, mean_of(z), expected_of_chains(mean_of(x), steps), 1e-5);
  };
  chain.operator()<1>("23 operations");
  chain.operator()<16>("203 operations");

  const auto order = std::clamp<std::size_t>(side / 4, 1, 1024);
  const auto a = gs::uniform<float>({order, order}, seed), b = gs::uniform<float>({order, order}, seed + 1);
  auto c = gs::device_array_like(a);
  const auto m = static_cast<double>(order);
  kernels.push_back({"gemm", 12 * m * m, 2 * m * m * m, seconds_of([&] { gs::gemm(a, b, gs::out(c)); })});
  const std::vector<float> left = a.copy_to_host(), right = b.copy_to_host();
  double last = 0;
  for (std::size_t k = 0; k < order; ++k)
    last += static_cast<double>(left[order * (order - 1) + k]) * static_cast<double>(right[order * k + order - 1]);
  report.check_near("the last element of the product", static_cast<double>(c.copy_to_host().back()), last, 1e-5);
  return kernels;
}

std::string faster_than_possible(const std::vector<measured_kernel>& kernels, const roofs& found) {
  std::string names;
  for (const measured_kernel& k : kernels)
    if (k.seconds < 0.9 * found.least_seconds(k.bytes, k.operations)) names += (names.empty() ? "" : ", ") + k.name;
  return names;
}

void show(const std::vector<measured_kernel>& kernels, const roofs& found, workbook::report& report) {
  report.heading("Six kernels under them");
  auto& table = report.table("", {"kernel", {"intensity", "operations/byte"}, "time", "rate", "least time", "limit"});
  std::vector<double> intensities, rates;
  for (const measured_kernel& k : kernels) {
    const bool by_memory = k.bytes / found.memory.back().bytes_per_second > k.operations / found.operations_per_second;
    table.row(k.name, k.intensity(), workbook::seconds(k.seconds),
              workbook::operations_per_second(k.operations / k.seconds),
              workbook::seconds(found.least_seconds(k.bytes, k.operations)), by_memory ? "memory" : "arithmetic");
    intensities.push_back(k.intensity());
    rates.push_back(k.operations / k.seconds * 1e-9);
  }
  if (const std::string names = faster_than_possible(kernels, found); !names.empty())
    report.paragraph("Faster than the least time: " + names +
                     ". Either the arrays lie in a cache, or this machine was " +
                     "busy while the roofs were measured; then run it again.");
  std::vector<workbook::series> lines;
  for (const memory_roof& roof : found.memory) {
    const double bend = found.operations_per_second / roof.bytes_per_second;
    const std::vector<double> x = {1.0 / 32, bend, 1024};
    std::vector<double> y;
    for (const double intensity : x)
      y.push_back(std::min(found.operations_per_second, intensity * roof.bytes_per_second) * 1e-9);
    lines.push_back({.name = to_text(workbook::bytes(static_cast<double>(roof.bytes))) + " a block", .x = x, .y = y});
  }
  lines.push_back({.name = "measured", .x = intensities, .y = rates, .style = workbook::drawn_as::points});
  report.plot(workbook::xy_plot{.title = "The roofline of this device",
                                .x = {.label = "operations per byte", .log = true},
                                .y = {.label = "rate", .unit = "GFLOP/s", .log = true},
                                .series = std::move(lines)});
}

void on_a_card(const std::vector<measured_kernel>& kernels, const gs::device_model& model, workbook::report& report) {
  report.heading("Under another roof");
  auto& table = report.table(std::string(model.card) + ": the least time, by its data sheet",
                             {"kernel", "bytes", "operations", "least time", "limit"});
  for (const measured_kernel& k : kernels) {
    const gs::time_bound bound =
        gs::time_bound_of(model, {.memory_bytes = k.bytes, .float32_operations = k.operations});
    table.row(k.name, workbook::seconds(bound.seconds_of(gs::time_limit::memory)),
              workbook::seconds(bound.seconds_of(gs::time_limit::arithmetic)), workbook::seconds(bound.seconds()),
              to_string(bound.limited_by()));
  }
  report.paragraph("Both roofs of this card meet at " +
                   workbook::significant(model.float32_per_second() / model.memory_bytes_per_second, 3) +
                   " operations per byte.");
}

void run(const workbook::parameters& given, workbook::report& report) {
  const std::vector<measured_kernel> kernels = measured_kernels(given.size(), given.seed(), report);
  roofs found = measured_roofs(given.size(), report);
  // What a kernel has reached is possible, so the roof is at least there: two measurements of one limit differ a
  // little.
  for (const measured_kernel& k : kernels)
    found.operations_per_second = std::max(found.operations_per_second, k.operations / k.seconds);
  show(kernels, found, report);
  report.prediction(given, "ratio", kernels[3].seconds / kernels[0].seconds);
  on_a_card(kernels, gs::model_of(given.choice("model")), report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 33,
      .name = "roofline",
      .title = "What a kernel can't be faster than",
      .summary = "Operations per byte, the roofs of arithmetic and of memory, and six kernels under them.",
      .parameters = {workbook::integer{.name = "size",
                                       .text = "numbers in an array",
                                       .min = 1,
                                       .max = 100'000'000,
                                       .default_value = 8'000'000,
                                       .inspected = 10'000},
                     workbook::choice{.name = "model",
                                      .text = "compute capability of another machine's GPU",
                                      .choices = gs::compute_capabilities(),
                                      .default_value = "9.0"}},
      .predictions = {{.name = "ratio",
                       .question = "Adding two arrays is one operation for each number. How many times as long do 23 "
                                   "operations take, for each number of one array?",
                       .unit = "times"}},
      .run = run};
}
