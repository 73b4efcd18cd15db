// Lesson 21: grids of two dimensions. Rows and columns of threads over rows and columns of numbers that don't divide.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

using matrix = gs::view<float, 2>;
using input = gs::view<const float, 2>;

// x counts columns and y counts rows; a thread that has no element does nothing.
GS_FN void increment(gs::thread t, matrix a) {
  const std::size_t row = t.grid_y(), column = t.grid_x();
  if (row < a.extent(0) && column < a.extent(1)) a(row, column) += 1;
}

// The same with x for the rows.
GS_FN void increment_swapped(gs::thread t, matrix a) {
  const std::size_t row = t.grid_x(), column = t.grid_y();
  if (row < a.extent(0) && column < a.extent(1)) a(row, column) += 1;
}

// Two grid-stride loops, one inside the other: any grid for any shape.
GS_FN void add(gs::thread t, input a, input b, matrix out) {
  for (auto row : t.grid_stride_y(out.extent(0)))
    for (auto column : t.grid_stride(out.extent(1))) out(row, column) = a(row, column) + b(row, column);
}

using array = gs::device_array<float>;

array filled(const gs::shape& extents, float value) {
  array a(extents);
  a.copy_from_host(std::vector<float>(extents.size(), value));
  return a;
}

// Enough blocks of x times y threads for each element to have a thread; a grid has at least one.
gs::launch_options blocks_over(const gs::shape& extents, unsigned x, unsigned y) {
  const auto along = [](std::size_t extent, unsigned block) {
    return std::max<std::size_t>(1, (extent + block - 1) / block);
  };
  return {.grid = {along(extents[1], x), along(extents[0], y)}, .block = {x, y}};
}

// --- shapes that don't divide ----------------------------------------------------------------------------------------

// Which block a thread belongs to, if the matrix has an element for it. `who` has a place for every thread.
GS_FN void note_block(gs::thread t, std::size_t rows, std::size_t columns, gs::view<float, 2> who) {
  if (t.grid_y() < rows && t.grid_x() < columns) who(t.grid_y(), t.grid_x()) = static_cast<float>(t.block_rank());
}

void shapes_that_do_not_divide(const gs::shape& extents, workbook::report& report) {
  report.heading("Shapes that don't divide");
  auto& table = report.table("Blocks of 16 x 16 threads",
                             {"rows", "columns", "blocks along y", "blocks along x", "threads", "without an element"});
  for (const gs::shape& s : {gs::shape({16, 32}), gs::shape({17, 33}), extents}) {
    const gs::launch_options shape = blocks_over(s, 16, 16);
    const auto threads = static_cast<std::size_t>(shape.grid.x * shape.grid.y) * 256;
    table.row(s[0], s[1], shape.grid.y, shape.grid.x, threads, threads - s.size());
  }
  constexpr std::size_t rows = 20, columns = 41;
  const gs::launch_options shape = blocks_over({rows, columns}, 16, 8);
  const auto all_rows = static_cast<std::size_t>(shape.grid.y) * 8,
             all_columns = static_cast<std::size_t>(shape.grid.x) * 16;
  const float nobody = std::numeric_limits<float>::quiet_NaN();
  const array who = filled({all_rows, all_columns}, nobody);
  gs::launch<note_block>(shape, rows, columns, who);
  const std::vector<float> blocks = who.copy_to_host();
  const auto busy = std::ranges::count_if(blocks, [](float b) { return !std::isnan(b); });
  report.check_equal("threads with an element of 20 x 41, in blocks of 16 x 8", busy, rows * columns);
  report.plot(workbook::heat_map{.title = "The blocks over 20 x 41 elements",
                                 .x = {.label = "t.grid_x()"},
                                 .y = {.label = "t.grid_y()"},
                                 .value = {.label = "block"},
                                 .rows = all_rows,
                                 .columns = all_columns,
                                 .values = blocks});
}

// --- which is x ------------------------------------------------------------------------------------------------------

using kernel = void (*)(const gs::launch_options& shape, const array& a);
void launch_increment(const gs::launch_options& shape, const array& a) { gs::launch<increment>(shape, a); }
void launch_swapped(const gs::launch_options& shape, const array& a) { gs::launch<increment_swapped>(shape, a); }

// Elements of a random matrix that aren't 1 larger afterwards.
std::size_t left_out(kernel launch, const gs::shape& extents, const gs::launch_options& shape, std::uint64_t seed) {
  const array a = gs::uniform<float>(extents, seed);
  const std::vector<float> before = a.copy_to_host();
  launch(shape, a);
  const std::vector<float> after = a.copy_to_host();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    wrong += std::abs(static_cast<double>(after[i]) - (static_cast<double>(before[i]) + 1)) > 1e-7;
  return wrong;
}

void which_is_x(const gs::shape& extents, std::uint64_t seed, workbook::report& report) {
  report.heading("Which is x");
  const gs::shape square({extents[1], extents[1]});
  auto& table = report.table("Elements left out by increment", {"rows", "columns", "x is the column", "x is the row"});
  for (const gs::shape& s : {square, extents}) {
    const gs::launch_options shape = blocks_over(s, 16, 16);
    const std::size_t right = left_out(launch_increment, s, shape, seed);
    const std::size_t swapped = left_out(launch_swapped, s, shape, seed);
    table.row(s[0], s[1], right, swapped);
    report.check_equal(gs::to_string(s) + ": elements left out if x is the column", right, 0);
    // Along x there are threads for this many rows, along y for this many columns, and no more.
    const auto rows = std::min(s[0], static_cast<std::size_t>(shape.grid.x) * 16);
    const auto columns = std::min(s[1], static_cast<std::size_t>(shape.grid.y) * 16);
    report.check_equal(gs::to_string(s) + ": elements left out if x is the row", swapped, s.size() - rows * columns);
  }
}

// --- any grid --------------------------------------------------------------------------------------------------------

void any_shape_any_grid(std::uint64_t seed, workbook::report& report) {
  report.heading("Any shape, any grid");
  std::size_t launches = 0, wrong = 0;
  for (const auto& [rows, columns] : {std::pair{0, 5}, {1, 1}, {1, 97}, {97, 1}, {31, 33}, {33, 32}, {61, 127}})
    for (const auto& [grid, block] : {std::pair<gs::extent3, gs::extent3>{1, 1},
                                      {{1, 1}, {16, 16}},
                                      {{3, 2}, {8, 4}},
                                      {{2, 50}, {32, 3}},
                                      {{40, 1}, {1, 7}}}) {
      const gs::shape extents({static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
      const array a = gs::uniform<float>(extents, seed), b = gs::uniform<float>(extents, seed + 1);
      const array out = filled(extents, -1);
      gs::launch<add>({.grid = grid, .block = block}, a, b, out);
      const auto x = a.copy_to_host(), y = b.copy_to_host(), got = out.copy_to_host();
      for (std::size_t i = 0; i < got.size(); ++i)
        wrong += std::abs(static_cast<double>(got[i]) - (static_cast<double>(x[i]) + static_cast<double>(y[i]))) > 1e-7;
      ++launches;
    }
  report.check_equal("wrong sums after " + std::to_string(launches) + " launches of add", wrong, 0);
}

// --- the shape of a block --------------------------------------------------------------------------------------------

void the_shape_of_a_block(const gs::shape& extents, workbook::report& report) {
  report.heading("The shape of a block");
  const array a = filled(extents, 0);
  const auto time = [&](kernel launch, const gs::launch_options& shape) {
    const auto call = [&] {
      launch(shape, a);
      gs::synchronize();
    };
    return gs::timeit(call, {.min_run_seconds = 0.005, .max_seconds = 0.3}).best();
  };
  auto& table = report.table("", {"256 threads", "x is the column", "x is the row"});
  std::vector<std::string> names;
  std::vector<double> column, row;
  for (const auto& [x, y] : {std::pair{256u, 1u}, {64u, 4u}, {16u, 16u}, {4u, 64u}, {1u, 256u}}) {
    const gs::launch_options over = blocks_over(extents, x, y);
    const gs::launch_options turned = blocks_over({extents[1], extents[0]}, x, y);  // x has to reach all rows
    names.push_back(std::to_string(x) + " x " + std::to_string(y));
    column.push_back(1e6 * time(launch_increment, over));
    row.push_back(1e6 * time(launch_swapped, turned));
    table.row(names.back(), workbook::seconds(1e-6 * column.back()), workbook::seconds(1e-6 * row.back()));
  }
  const workbook::axis time_axis{.label = "time", .unit = "µs", .min = 0};
  report.plot(workbook::bar_plot{
      .title = "Time of increment",
      .category_label = "block",
      .categories = names,
      .value = time_axis,
      .groups = {{.name = "x is the column", .values = column}, {.name = "x is the row", .values = row}}});
}

void run(const workbook::parameters& given, workbook::report& report) {
  const gs::shape extents({given.size("rows"), given.size()});
  shapes_that_do_not_divide(extents, report);
  which_is_x(extents, given.seed(), report);
  any_shape_any_grid(given.seed(), report);
  the_shape_of_a_block(extents, report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 21,
          .name = "grids_2d",
          .title = "Rows and columns of threads",
          .summary = "Two dimensions of threads over matrices whose shapes don't divide, and which of the two is x.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "columns of the matrix",
                                           .min = 1,
                                           .max = 5'000,
                                           .default_value = 1'000,
                                           .inspected = 150},
                         workbook::integer{.name = "rows",
                                           .text = "rows of the matrix",
                                           .min = 1,
                                           .max = 5'000,
                                           .default_value = 700,
                                           .inspected = 70}},
          .run = run};
}
