// Lesson 25: rows become columns. Nothing is computed, so all that counts is which lane touches which address.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "runtime/instruments/device_model/memory_model.h"
#include "workbook/lesson.h"

using input = gs::view<const float, 2>;
using output = gs::view<float, 2>;

constexpr unsigned side = 32;  // of a block, and lanes of a warp: each row of a block is a warp
using square = gs::block<side, side>;

// What a transpose is measured against: the same traffic, but nothing changes its place.
GS_FN void copy(square block, input in, output out) {
  block.each([&](auto t) {
    const std::size_t row = t.grid_y(), column = t.grid_x();
    if (row >= in.extent(0) || column >= in.extent(1)) return;
    out(row, column) = in(row, column);
  });
}

// Neighbouring lanes read side by side, and write a whole row of `out` apart.
GS_FN void naive(square block, input in, output out) {
  block.each([&](auto t) {
    const std::size_t row = t.grid_y(), column = t.grid_x();
    if (row >= in.extent(0) || column >= in.extent(1)) return;
    out(column, row) = in(row, column);
  });
}

template <unsigned width>
struct tile_of {
  gs::tile<float, side, width> values;
};

// The block reads a tile row by row and writes it row by row; the transpose happens in shared memory. A row of the
// tile has `width` numbers, of which 32 are used.
template <unsigned width>
GS_FN void through_tile(square block, gs::shared<tile_of<width>> tile, input in, output out) {
  const std::size_t top = std::size_t{side} * block.block_idx().y, left = std::size_t{side} * block.block_idx().x;
  block.each([&](auto t) {
    const std::size_t row = top + t.y, column = left + t.x;
    if (row >= in.extent(0) || column >= in.extent(1)) return;
    tile->values(t.y, t.x) = in(row, column);
  });
  block.each([&](auto t) {
    const std::size_t row = left + t.y, column = top + t.x;
    if (row >= out.extent(0) || column >= out.extent(1)) return;
    out(row, column) = tile->values(t.x, t.y);
  });
}

using matrix = gs::device_array<float>;

struct way {
  std::string name;
  std::function<void(const matrix& in, const matrix& out)> run;
  unsigned tile_width = 0;  // 0: no tile
};

gs::launch_options blocks_over(const matrix& in) {
  const auto along = [&](std::size_t extent) { return std::max<std::size_t>(1, (extent + side - 1) / side); };
  return {.grid = {along(in.extent(1)), along(in.extent(0))}};
}

const std::vector<way>& ways() {
  static const std::vector<way> all{
      {"naive", [](auto& in, auto& out) { gs::launch<naive>(blocks_over(in), in, out); }},
      {"tiled", [](auto& in, auto& out) { gs::launch<through_tile<side>>(blocks_over(in), in, out); }, side},
      {"padded", [](auto& in, auto& out) { gs::launch<through_tile<side + 1>>(blocks_over(in), in, out); }, side + 1}};
  return all;
}

// --- right? ----------------------------------------------------------------------------------------------------------

matrix full_of_nan(std::size_t rows, std::size_t columns) {
  return gs::to_device(std::vector<float>(rows * columns, std::numeric_limits<float>::quiet_NaN()))
      .reshape({static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns)});
}

// How many numbers of a transposed matrix aren't where a plain loop puts them.
std::size_t misplaced(const way& one, std::size_t rows, std::size_t columns, std::uint64_t seed) {
  const matrix in = gs::uniform<float>({rows, columns}, seed), out = full_of_nan(columns, rows);
  one.run(in, out);
  const std::vector<float> x = in.copy_to_host(), y = out.copy_to_host();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) wrong += y[j * rows + i] != x[i * columns + j];
  return wrong;
}

void at_odd_shapes(std::size_t count, workbook::report& report) {
  constexpr std::pair<std::size_t, std::size_t> shapes[] = {{1, 1},   {1, 97},   {97, 1}, {31, 33}, {33, 31},
                                                            {32, 64}, {101, 67}, {2, 97}, {65, 64}, {1009, 3}};
  for (const way& one : ways()) {
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < std::min(count, std::size(shapes)); ++k)
      wrong += misplaced(one, shapes[k].first, shapes[k].second, k);
    report.check_equal(one.name + ": numbers misplaced at odd shapes", wrong, 0);
  }
}

// --- what a warp asks for --------------------------------------------------------------------------------------------

// A warp reads and writes 32 floats. All four requests are strided, so the addresses need no kernel to be known.
void requests_of_a_warp(std::size_t rows, workbook::report& report) {
  report.heading("What a warp asks for");
  using enum gs::memory_space;
  using enum gs::access_kind;
  constexpr std::size_t one = sizeof(float);
  auto& table = report.table("A warp carries 32 floats", {"way",
                                                          {"reads in", "sectors"},
                                                          {"writes tile", "wavefronts"},
                                                          {"reads tile", "wavefronts"},
                                                          {"writes out", "sectors"}});
  const auto cost = [](gs::memory_space space, gs::access_kind kind, std::size_t stride) {
    return gs::cost_of(gs::strided_request(space, kind, stride));
  };
  const auto draw = [&](const char* title, const char* array, std::size_t length, gs::warp_request request) {
    gs::warp_picture picture;
    picture.array = array;
    picture.extents = {side, length};
    picture.requests.push_back(std::move(request));
    report.access_picture(title, picture);
  };
  const auto along = cost(global, read, one), across = cost(global, write, one * rows);
  for (const way& w : ways()) {
    if (w.tile_width == 0) {
      table.row(w.name, along.sectors, workbook::cell(), workbook::cell(), across.sectors);
      continue;
    }
    table.row(w.name, along.sectors, cost(shared, write, one).wavefronts,
              cost(shared, read, one * w.tile_width).wavefronts, cost(global, write, one).sectors);
  }
  draw("naive writes a column of out", "out", rows, gs::strided_request(global, write, one * rows));
  draw("tiled reads a column of its tile", "tile", side, gs::strided_request(shared, read, one * side));
  draw("padded reads a column of its tile", "tile", side + 1, gs::strided_request(shared, read, one * (side + 1)));
}

// --- how fast --------------------------------------------------------------------------------------------------------

void compare(std::size_t rows, std::size_t columns, std::uint64_t seed, workbook::report& report) {
  report.heading("How fast");
  const matrix in = gs::uniform<float>({rows, columns}, seed), out = full_of_nan(columns, rows);
  const matrix copied = full_of_nan(rows, columns);
  const workbook::work work{.bytes = 2.0 * sizeof(float) * static_cast<double>(in.size())};
  const auto seconds_of = [&](const std::string& name, const auto& statement) {
    const auto call = [&] {
      statement();
      gs::synchronize();
    };
    const gs::timing time = gs::timeit(call, {.min_run_seconds = 0.05, .max_seconds = 1});
    report.timing(name, time, work);
    return time.best();
  };
  const double copying = seconds_of("copy", [&] { gs::launch<copy>(blocks_over(in), in, copied); });
  std::vector<std::string> names{"copy"};
  std::vector<double> speeds{1e-9 * work.bytes / copying};
  std::vector<double> times{copying};
  for (const way& one : ways()) {
    report.check_equal(one.name + ": numbers misplaced", misplaced(one, rows, columns, seed), 0);
    times.push_back(seconds_of(one.name, [&] { one.run(in, out); }));
    names.push_back(one.name);
    speeds.push_back(1e-9 * work.bytes / times.back());
  }
  auto& table = report.table("A transpose beside a copy", {"way", "time", "speed", "x copy"});
  for (std::size_t k = 0; k < names.size(); ++k)
    table.row(names[k], workbook::seconds(times[k]), workbook::bytes_per_second(1e9 * speeds[k]), times[k] / copying);
  report.plot(workbook::bar_plot{.title = "A transpose beside a copy",
                                 .categories = names,
                                 .value = {.label = "speed", .unit = "GB/s", .min = 0},
                                 .groups = {{.name = "speed", .values = speeds}}});
}

void run(const workbook::parameters& given, workbook::report& report) {
  const std::size_t rows = given.size(), columns = given.size("columns");
  requests_of_a_warp(rows, report);
  compare(rows, columns, given.seed(), report);
  at_odd_shapes(given.size("shapes"), report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 25,
      .name = "transpose",
      .title = "Rows become columns",
      .summary = "A transpose, naive, by tiles, by padded tiles: sectors of memory against banks of shared memory.",
      .parameters =
          {workbook::integer{
               .name = "size", .text = "rows", .min = 1, .max = 16'384, .default_value = 2048, .inspected = 128},
           workbook::integer{
               .name = "columns", .text = "columns", .min = 1, .max = 16'384, .default_value = 1024, .inspected = 192},
           workbook::integer{.name = "shapes",
                             .text = "odd shapes to try as well",
                             .min = 0,
                             .max = 10,
                             .default_value = 10,
                             .inspected = 0}},
      .run = run};
}
