// Lesson 22: coalescing. Memory moves in sectors, so it matters where the neighbours of a thread read.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "runtime/instruments/device_model/memory_model.h"
#include "workbook/lesson.h"

using array = gs::device_array<float>;

// --- every so many numbers -------------------------------------------------------------------------------------------

// Copies each number once. Neighbouring threads write neighbouring numbers and read numbers that are `stride` apart:
// first 0, stride, 2 stride, ..., then 1, 1 + stride, ...
template <unsigned stride>
GS_FN void copy_strided(gs::thread t, gs::view<const float> in, gs::view<float> out) {
  const std::size_t row = in.size() / stride;
  for (auto y : t.grid_stride_y(stride))
    for (auto x : t.grid_stride(row)) out[y * row + x] = in[x * stride + y];
}

// --- sums of rows and of columns -------------------------------------------------------------------------------------

// A thread for each row: it reads its row number by number, and its neighbour reads the row below.
GS_FN void row_sums(gs::thread t, gs::view<const float, 2> a, gs::view<float> sums) {
  for (auto row : t.grid_stride(sums.size())) {
    float sum = 0;
    for (std::size_t k = 0; k < a.extent(1); ++k) sum += a(row, k);
    sums[row] = sum;
  }
}
// A thread for each column: its neighbour reads the number beside its own.
GS_FN void column_sums(gs::thread t, gs::view<const float, 2> a, gs::view<float> sums) {
  for (auto column : t.grid_stride(sums.size())) {
    float sum = 0;
    for (std::size_t k = 0; k < a.extent(0); ++k) sum += a(k, column);
    sums[column] = sum;
  }
}

// --- arrays of structs -----------------------------------------------------------------------------------------------

struct particle {
  float x, y, z, vx, vy, vz, mass, charge;
};

GS_FN void discharge_structs(gs::thread t, float left, gs::view<particle> particles) {
  for (auto i : t.grid_stride(particles.size())) particles[i].charge *= left;
}
GS_FN void discharge_array(gs::thread t, float left, gs::view<float> charges) {
  for (auto i : t.grid_stride(charges.size())) charges[i] *= left;
}

// --- what they cost --------------------------------------------------------------------------------------------------

array full_of_nan(std::size_t n) {
  return gs::to_device(std::vector<float>(n, std::numeric_limits<float>::quiet_NaN()));
}

// At most 256 blocks, in as many rows as the numbers have; a thread goes on by a whole grid if there is more to do.
gs::launch_options threads_for(std::size_t n, std::size_t rows = 1) {
  return {.grid = {std::min((n + 255) / 256, 256 / rows), rows}, .block = 256};
}

double seconds_of(const auto& launch) {
  const auto call = [&] {
    launch();
    gs::synchronize();
  };
  return gs::timeit(call, {.runs = 5, .min_run_seconds = 0.02, .max_seconds = 1}).best();
}

// Sectors that a warp touches whose lanes read a float each, `stride` bytes apart.
gs::warp_request lanes_apart(std::size_t stride) {
  return gs::strided_request(gs::memory_space::global, gs::access_kind::read, stride);
}
unsigned sectors_of(std::size_t stride) { return gs::cost_of(lanes_apart(stride)).sectors; }

struct measured_strides {
  std::vector<double> stride, seconds, sectors;
};

template <unsigned stride>
void measure(const array& in, workbook::report& report, measured_strides& found) {
  const array out = full_of_nan(in.size());
  const auto copy = [&] { gs::launch<copy_strided<stride>>(threads_for(in.size() / stride, stride), in, out); };
  copy();
  const std::vector<float> x = in.copy_to_host(), y = out.copy_to_host();
  std::size_t wrong = 0, k = 0;
  for (std::size_t first = 0; first < stride; ++first)
    for (std::size_t i = first; i < x.size(); i += stride) wrong += y[k++] != x[i];
  report.check_equal("stride " + std::to_string(stride) + ": numbers in the wrong place", wrong, 0);
  found.stride.push_back(stride);
  found.seconds.push_back(seconds_of(copy));
  found.sectors.push_back(sectors_of(stride * sizeof(float)));
}

void strides(const workbook::parameters& given, workbook::report& report) {
  report.heading("Every so many numbers");
  const array in = gs::uniform<float>({(given.size() + 31) / 32 * 32}, given.seed());
  measured_strides found;
  [&]<unsigned... stride>(std::integer_sequence<unsigned, stride...>) {
    (measure<stride>(in, report, found), ...);
  }(std::integer_sequence<unsigned, 1, 2, 4, 8, 16, 32>());

  auto& table = report.table("A copy that reads with a stride",
                             {"stride", {"sectors", "of a warp"}, {"bytes used", "%"}, "time", "x stride 1"});
  std::vector<double> times, sectors;
  for (std::size_t k = 0; k < found.stride.size(); ++k) {
    times.push_back(found.seconds[k] / found.seconds[0]);
    sectors.push_back(found.sectors[k] / found.sectors[0]);
    table.row(found.stride[k], found.sectors[k], 100 * 32 * sizeof(float) / (found.sectors[k] * gs::sector_bytes),
              workbook::seconds(found.seconds[k]), times[k]);
  }
  report.prediction(given, "stride", times.back());
  report.plot(workbook::xy_plot{
      .title = "Reading with a stride",
      .x = {.label = "stride", .log = true},
      .y = {.label = "x stride 1", .log = true},
      .series = {{.name = "time here", .x = found.stride, .y = times, .style = workbook::drawn_as::line_and_points},
                 {.name = "sectors of a warp",
                  .x = found.stride,
                  .y = sectors,
                  .style = workbook::drawn_as::line_and_points}}});
  gs::warp_picture picture;
  picture.array = "in";
  picture.requests.push_back(lanes_apart(4 * sizeof(float)));
  report.access_picture("A warp reads with stride 4", picture);
}

// The largest error of `got` as a part of what n roundings can do: n 2^-24 of the sum itself, as nothing is negative.
double largest_error(const std::vector<double>& expected, const std::vector<float>& got, std::size_t n) {
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double bound = std::ldexp(static_cast<double>(n), -24) * expected[i];
    const double error = std::abs(static_cast<double>(got[i]) - expected[i]);
    largest = error <= bound ? std::max(largest, bound > 0 ? error / bound : 0) : 2;
  }
  return largest;
}

void sums(const workbook::parameters& given, workbook::report& report) {
  report.heading("Sums of rows, sums of columns");
  const auto n = static_cast<std::size_t>(std::sqrt(static_cast<double>(given.size())));
  const array a = gs::uniform<float>({n, n}, given.seed() + 1), rows = full_of_nan(n), columns = full_of_nan(n);
  const auto by_rows = [&] { gs::launch<row_sums>(threads_for(n), a, rows); };
  const auto by_columns = [&] { gs::launch<column_sums>(threads_for(n), a, columns); };
  by_rows();
  by_columns();
  const std::vector<float> x = a.copy_to_host();
  std::vector<double> of_rows(n), of_columns(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      of_rows[i] += static_cast<double>(x[i * n + k]);
      of_columns[k] += static_cast<double>(x[i * n + k]);
    }
  report.check_at_most("row sums: error over its bound", largest_error(of_rows, rows.copy_to_host(), n), 1);
  report.check_at_most("column sums: error over its bound", largest_error(of_columns, columns.copy_to_host(), n), 1);

  const double row_seconds = seconds_of(by_rows), column_seconds = seconds_of(by_columns);
  auto& table = report.table(
      "A matrix summed up",
      {"a thread has", {"next number", "bytes"}, {"next lane", "bytes"}, {"sectors", "of a warp"}, "time"});
  const std::size_t one = sizeof(float), row = n * sizeof(float);
  table.row("a row", one, row, sectors_of(row), workbook::seconds(row_seconds));
  table.row("a column", row, one, sectors_of(one), workbook::seconds(column_seconds));
  report.prediction(given, "columns", column_seconds / row_seconds);
}

void structs(const workbook::parameters& given, workbook::report& report) {
  report.heading("An array of structs, a struct of arrays");
  const std::size_t n = (given.size() + 1) / 2;
  constexpr float left = 0.75f;
  std::vector<particle> start(n);
  const std::vector<float> charge = gs::uniform<float>({n}, given.seed() + 2).copy_to_host();
  for (std::size_t i = 0; i < n; ++i) start[i] = {1, 2, 3, 0, 0, 0, 4, charge[i]};
  const auto particles = gs::to_device(start);
  const array charges = gs::to_device(charge);
  const auto in_structs = [&] { gs::launch<discharge_structs>(threads_for(n), left, particles); };
  const auto in_array = [&] { gs::launch<discharge_array>(threads_for(n), left, charges); };
  in_structs();
  in_array();
  const auto structs_after = particles.copy_to_host();
  const auto array_after = charges.copy_to_host();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {  // float32 rounds the product once
    const auto expected = static_cast<float>(static_cast<double>(charge[i]) * static_cast<double>(left));
    const particle& p = structs_after[i];
    wrong += p.charge != expected || array_after[i] != expected || p.x + p.y + p.z + p.mass != 10;
  }
  report.check_equal("particles with a wrong charge, or anything else changed", wrong, 0);

  const double struct_seconds = seconds_of(in_structs), array_seconds = seconds_of(in_array);
  auto& table = report.table("One number of each particle",
                             {"layout", {"next lane", "bytes"}, {"sectors", "of a warp"}, {"bytes used", "%"}, "time"});
  const auto row = [&](const char* name, std::size_t stride, double seconds) {
    const unsigned sectors = sectors_of(stride);
    table.row(name, stride, sectors, 100 * 32 * sizeof(float) / (sectors * gs::sector_bytes),
              workbook::seconds(seconds));
  };
  row("array of structs", sizeof(particle), struct_seconds);
  row("struct of arrays", sizeof(float), array_seconds);
  report.prediction(given, "structs", struct_seconds / array_seconds);
}

void run(const workbook::parameters& given, workbook::report& report) {
  strides(given, report);
  sums(given, report);
  structs(given, report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 22,
          .name = "coalescing",
          .title = "Neighbours read neighbours",
          .summary = "Memory moves in sectors: strides, sums of rows and of columns, arrays of structs.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "numbers, in whole multiples of 32",
                                           .min = 1,
                                           .max = 200'000'000,
                                           .default_value = 4'000'000,
                                           .inspected = 65'536}},
          .predictions = {{.name = "stride",
                           .question = "How many times as long does a copy take that reads every 32nd number?",
                           .unit = "times"},
                          {.name = "columns",
                           .question =
                               "How many times as long do sums take with a thread for each column, not for each row?",
                           .unit = "times"},
                          {.name = "structs",
                           .question =
                               "How many times as long takes one number of 8 in a struct, not in an array of its own?",
                           .unit = "times"}},
          .run = run};
}
