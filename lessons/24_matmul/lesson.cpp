// Lesson 24: a product of matrices, from one thread for one number to a library; and a kernel better not written.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

using input = gs::view<const float, 2>;
using output = gs::view<float, 2>;

// --- four kernels ----------------------------------------------------------------------------------------------------

// A row of a times a column of b, number by number.
GS_FN void naive(gs::thread t, input a, input b, output c) {
  const std::size_t row = t.grid_y(), column = t.grid_x();
  if (row >= c.extent(0) || column >= c.extent(1)) return;
  float sum = 0;
  for (std::size_t k = 0; k < a.extent(1); ++k) sum += a(row, k) * b(k, column);
  c(row, column) = sum;
}

constexpr unsigned side = 16;  // of a block

struct tiles {
  gs::tile<float, side, side> a, b;
};

// The threads of a block need the same rows and columns: each fetches one number of both for all. What lies outside of
// the matrices is 0 in the tiles and adds nothing.
GS_FN void tiled(gs::thread t, gs::shared<tiles> s, input a, input b, output c) {
  const unsigned x = t.thread_idx().x, y = t.thread_idx().y;
  const std::size_t row = t.grid_y(), column = t.grid_x(), inner = a.extent(1);
  float sum = 0;
  for (std::size_t k = 0; k < inner; k += side) {
    s->a(y, x) = row < a.extent(0) && k + x < inner ? a(row, k + x) : 0;
    s->b(y, x) = k + y < inner && column < b.extent(1) ? b(k + y, column) : 0;
    t.sync();  // nobody reads the tiles before everybody has written their part
    for (unsigned i = 0; i < side; ++i) sum += s->a(y, i) * s->b(i, x);
    t.sync();  // nobody writes the next ones before everybody has read these
  }
  if (row < c.extent(0) && column < c.extent(1)) c(row, column) = sum;
}

// The same in block style: what stood between two barriers is now one `each`.
GS_FN void blocks(gs::block<side, side> block, gs::shared<tiles> s, input a, input b, output c) {
  const std::size_t inner = a.extent(1);
  gs::per_thread sum(block, 0.0f);
  for (std::size_t k = 0; k < inner; k += side) {
    block.each([&](auto t) {
      s->a(t.y, t.x) = t.grid_y() < a.extent(0) && k + t.x < inner ? a(t.grid_y(), k + t.x) : 0;
      s->b(t.y, t.x) = k + t.y < inner && t.grid_x() < b.extent(1) ? b(k + t.y, t.grid_x()) : 0;
    });
    block.each([&](auto t) {
      for (unsigned i = 0; i < side; ++i) sum[t] += s->a(t.y, i) * s->b(i, t.x);
    });
  }
  block.each([&](auto t) {
    if (t.grid_y() < c.extent(0) && t.grid_x() < c.extent(1)) c(t.grid_y(), t.grid_x()) = sum[t];
  });
}

// Shared memory is slow too, compared with registers: here a thread has 4 x 4 results, and makes 16 products of every
// 8 numbers that it reads. The results lie a block apart, so that neighbours still read and write side by side.
constexpr unsigned own = 4, wide = side * own, deep = 32;

struct wide_tiles {
  gs::tile<float, wide, deep + 4> a;  // so that the two rows of a that a warp reads don't lie in the same banks
  gs::tile<float, deep, wide> b;
};

GS_FN void registers(gs::block<side, side> block, gs::shared<wide_tiles> s, input a, input b, output c) {
  using numbers = gs::local_array<float, own, own>;
  const std::size_t rows = c.extent(0), columns = c.extent(1), inner = a.extent(1);
  const std::size_t top = std::size_t{wide} * block.block_idx().y, left = std::size_t{wide} * block.block_idx().x;
  gs::per_thread sums(block, numbers{});
  for (std::size_t k = 0; k < inner; k += deep) {
    block.each([&](auto t) {
      for (unsigned y = 0; y < wide; y += side)
        for (unsigned x = 0; x < deep; x += side) {
          const std::size_t row = top + t.y + y, column = k + t.x + x;
          s->a(t.y + y, t.x + x) = row < rows && column < inner ? a(row, column) : 0;
        }
    });
    block.each([&](auto t) {
      for (unsigned y = 0; y < deep; y += side)
        for (unsigned x = 0; x < wide; x += side) {
          const std::size_t row = k + t.y + y, column = left + t.x + x;
          s->b(t.y + y, t.x + x) = row < inner && column < columns ? b(row, column) : 0;
        }
    });
    block.each([&](auto t) {
      numbers mine = sums[t];
      for (unsigned i = 0; i < deep; ++i)
        for (unsigned y = 0; y < own; ++y)
          for (unsigned x = 0; x < own; ++x) mine(y, x) += s->a(t.y + y * side, i) * s->b(i, t.x + x * side);
      sums[t] = mine;
    });
  }
  block.each([&](auto t) {
    const numbers mine = sums[t];
    for (unsigned y = 0; y < own; ++y)
      for (unsigned x = 0; x < own; ++x) {
        const std::size_t row = top + t.y + y * side, column = left + t.x + x * side;
        if (row < rows && column < columns) c(row, column) = mine(y, x);
      }
  });
}

using matrix = gs::device_array<float>;

struct way {
  std::string name;
  std::function<void(const matrix& a, const matrix& b, matrix& c)> multiply;
  double reads;  // of the device's memory for one multiplication
};

// A grid has at least one block, even over a matrix without numbers.
gs::launch_options blocks_over(const matrix& c, unsigned numbers) {
  const auto along = [&](std::size_t extent) { return std::max<std::size_t>(1, (extent + numbers - 1) / numbers); };
  return {.grid = {along(c.extent(1)), along(c.extent(0))}, .block = {side, side}};
}

const std::vector<way>& ways() {
  static const std::vector<way> all{
      {"naive", [](auto& a, auto& b, auto& c) { gs::launch<naive>(blocks_over(c, side), a, b, c); }, 2},
      {"tiles, thread style", [](auto& a, auto& b, auto& c) { gs::launch<tiled>(blocks_over(c, side), a, b, c); },
       2.0 / side},
      {"tiles, block style", [](auto& a, auto& b, auto& c) { gs::launch<blocks>(blocks_over(c, side), a, b, c); },
       2.0 / side},
      {"tiles and registers", [](auto& a, auto& b, auto& c) { gs::launch<registers>(blocks_over(c, wide), a, b, c); },
       2.0 / wide},
      {"library", [](auto& a, auto& b, auto& c) { gs::gemm(a, b, gs::out(c)); },
       std::numeric_limits<double>::quiet_NaN()}};
  return all;
}

// --- against float64 -------------------------------------------------------------------------------------------------

matrix random_matrix(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  return gs::uniform<float>({rows, columns}, seed);
}

// The largest error in the first `rows` rows of c = a b, as a share of what k + 1 roundings can do at worst, whatever
// the order of the additions: (k + 1) 2^-24 times the sum of all |products| (N. J. Higham, "Accuracy and Stability of
// Numerical Algorithms", 3.5).
double error_against_float64(const matrix& a, const matrix& b, const matrix& c, std::size_t rows) {
  const std::size_t inner = a.extent(1), columns = b.extent(1);
  const auto x = a.copy_to_host(), y = b.copy_to_host(), got = c.copy_to_host();
  double worst = 0;
  std::vector<double> expected(columns);
  for (std::size_t i = 0; i < std::min(rows, a.extent(0)); ++i) {
    std::ranges::fill(expected, 0);
    for (std::size_t k = 0; k < inner; ++k)
      for (std::size_t j = 0; j < columns; ++j)
        expected[j] += static_cast<double>(x[i * inner + k]) * static_cast<double>(y[k * columns + j]);
    for (std::size_t j = 0; j < columns; ++j) {
      const double bound = std::ldexp(static_cast<double>(inner + 1), -24) * expected[j];  // no product is negative
      const double error = std::abs(static_cast<double>(got[i * columns + j]) - expected[j]);
      const double share = error == 0 ? 0 : error / bound;
      worst = std::max(worst, std::isnan(share) ? std::numeric_limits<double>::infinity() : share);
    }
  }
  return worst;
}

matrix full_of_nan(std::size_t rows, std::size_t columns) {
  matrix c({rows, columns});
  c.copy_from_host(std::vector<float>(rows * columns, std::numeric_limits<float>::quiet_NaN()));
  return c;
}

void at_every_shape(workbook::report& report) {
  report.heading("Any shape");
  constexpr std::size_t shapes[][3] = {{1, 1, 1},    {1, 97, 1},   {97, 1, 89},    {16, 16, 16}, {31, 33, 32},
                                       {64, 32, 64}, {65, 33, 67}, {127, 211, 61}, {1009, 3, 2}, {2, 5, 1009},
                                       {3, 1009, 5}, {7, 0, 5},    {0, 3, 5},      {5, 3, 0}};
  for (const way& one : ways()) {
    double worst = 0;
    for (const auto& [m, k, n] : shapes) {
      const matrix a = random_matrix(m, k, 1), b = random_matrix(k, n, 2);
      matrix c = full_of_nan(m, n);
      one.multiply(a, b, c);
      worst = std::max(worst, error_against_float64(a, b, c, m));
    }
    report.check_at_most(one.name + ": error at 14 shapes, over its bound", worst, 1);
  }
}

// --- how fast --------------------------------------------------------------------------------------------------------

void compare(const workbook::parameters& given, workbook::report& report) {
  report.heading("How fast");
  const std::size_t n = given.size();
  const matrix a = random_matrix(n, n, given.seed()), b = random_matrix(n, n, given.seed() + 1);
  const double operations = 2 * std::pow(static_cast<double>(n), 3);
  auto& table = report.table("A product of two square matrices",
                             {"way", {"reads of memory", "per product"}, "time", "speed", "x library"});
  std::vector<std::string> names;
  std::vector<double> seconds, speeds;
  for (const way& one : ways()) {
    report.progress(static_cast<double>(names.size()), static_cast<double>(ways().size()), one.name);
    matrix c = full_of_nan(n, n);
    one.multiply(a, b, c);
    report.check_at_most(one.name + ": error in eight rows, over its bound", error_against_float64(a, b, c, 8), 1);
    const auto multiply = [&] {
      one.multiply(a, b, c);
      gs::synchronize();
    };
    seconds.push_back(gs::timeit(multiply, {.runs = 3, .min_run_seconds = 0.02, .max_seconds = 1}).best());
    names.push_back(one.name);
    speeds.push_back(1e-9 * operations / seconds.back());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double reads = ways()[i].reads;
    table.row(names[i], std::isnan(reads) ? workbook::cell() : workbook::cell(reads), workbook::seconds(seconds[i]),
              workbook::operations_per_second(1e9 * speeds[i]), seconds[i] / seconds.back());
  }
  report.plot(workbook::bar_plot{.title = "A product of two square matrices",
                                 .categories = names,
                                 .value = {.label = "speed", .unit = "GFLOP/s", .min = 0},
                                 .groups = {{.name = "speed", .values = speeds}}});
}

// --- a kernel better not written -------------------------------------------------------------------------------------

constexpr unsigned threads = 256;

struct partial_sums {
  gs::tile<float, threads> of;
};

// One block's part of the sum of x * y: each thread adds up its share, then the block adds up its threads.
template <bool one_too_far>
GS_FN void multiply_and_sum(gs::thread t, gs::shared<partial_sums> s, gs::view<const float> x, gs::view<const float> y,
                            gs::view<float> sums) {
  float sum = 0;
  for (std::size_t i = t.grid(); one_too_far ? i <= x.size() : i < x.size(); i += t.gridsize()) sum += x[i] * y[i];
  const unsigned rank = t.thread_rank();
  s->of[rank] = sum;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    t.sync();
    if (rank < half) s->of[rank] += s->of[rank + half];
  }
  if (rank == 0) sums[t.block_rank()] = s->of[0];
}

GS_FN float multiply(float x, float y) { return x * y; }
GS_FN float add(float x, float y) { return x + y; }
inline constexpr auto product = gs::vectorize<multiply>;
inline constexpr auto sum = gs::vectorize<add>;

template <bool one_too_far>
float sum_by_kernel(const matrix& x, const matrix& y) {
  constexpr std::size_t blocks = 64;
  matrix sums(blocks);
  gs::launch<multiply_and_sum<one_too_far>>({.grid = blocks, .block = threads}, x, y, sums);
  return sum.reduce(sums).copy_to_host().front();  // and the blocks still have to be added up
}
float sum_by_calls(const matrix& x, const matrix& y) { return sum.reduce(product(x, y)).copy_to_host().front(); }
float sum_by_library(const matrix& x, const matrix& y) {
  return gs::gemm(x.reshape({1, -1}), y.reshape({-1, 1})).copy_to_host().front();
}

void better_not_written(const workbook::parameters& given, workbook::report& report) {
  report.heading("A kernel better not written");
  const std::size_t n = given.size() * given.size();
  const matrix x = gs::uniform<float>({n}, given.seed()), y = gs::uniform<float>({n}, given.seed() + 1);
  const auto x_host = x.copy_to_host(), y_host = y.copy_to_host();
  double expected = 0;
  for (std::size_t i = 0; i < n; ++i) expected += static_cast<double>(x_host[i]) * static_cast<double>(y_host[i]);

  auto& table = report.table("The sum of x * y", {"way", "time"});
  const auto row = [&](const std::string& name, float (*way)(const matrix&, const matrix&)) {
    report.check_near(name, static_cast<double>(way(x, y)), expected, 1e-4);
    const gs::timing time =
        gs::timeit([&] { return way(x, y); }, {.runs = 3, .min_run_seconds = 0.02, .max_seconds = 1});
    table.row(name, workbook::seconds(time.best()));
  };
  row("kernel and reduce", sum_by_kernel<false>);
  row("product, then reduce", sum_by_calls);
  row("gemm of a row and a column", sum_by_library);

  // The wrong kernel reads one number behind its arrays. Here that is an element of a larger array, so nothing is
  // destroyed; elsewhere it is whatever lies there.
  const auto too_far = [&](float behind) {
    const auto longer = [&](std::vector<float> values) {
      values.push_back(behind);
      return gs::to_device(values);
    };
    const matrix x_longer = longer(x_host), y_longer = longer(y_host);
    const auto end = static_cast<std::ptrdiff_t>(n);
    return static_cast<double>(sum_by_kernel<true>(x_longer.slice(0, end), y_longer.slice(0, end)));
  };
  try {
    const double nothing = too_far(0), something = too_far(1000);
    auto& wrong = report.table("The same kernel with i <= n", {"behind the arrays", "sum", "right"});
    wrong.row(0, nothing, std::abs(nothing - expected) <= 1e-4 * expected);
    wrong.row(1000, something, std::abs(something - expected) <= 1e-4 * expected);
  } catch (const gs::error& found) {  // in the checked flavour
    report.paragraph(found.what());
  }
}

// --- tiles that move -------------------------------------------------------------------------------------------------

// The tiles that one block fetches while it goes along its rows of a and its columns of b, in matrices of 4 x 4 tiles.
void picture_of_tiles(workbook::report& report) {
  enum : std::size_t { fetched, earlier, own_numbers, others = 6 };
  constexpr std::size_t count = 4, row = 1, column = 2, inner = count * side;
  workbook::diagram picture{
      .title = "Tiles of a (left) and b (above) that the block for one tile of c fetches",
      .groups = {"fetched in this step", "fetched before", "the block's tile of c", "", "", "", "for other blocks"},
      .unit_width = 28,
      .unit_height = 24};
  double left = 0;
  for (std::size_t k = 0; k < inner; k += 2 * side, left += 2 * count + 2) {  // every other step
    const std::size_t step = k / side;
    std::size_t cells[3] = {};  // those of the arrows
    const auto matrix = [&](double x, double y, const auto& group_of) {
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j) {
          const std::size_t group = group_of(i, j);
          const std::size_t cell =
              picture.add({.x = x + static_cast<double>(j), .y = y + static_cast<double>(i), .group = group});
          if (group == fetched) cells[x > left ? 1 : 0] = cell;
          if (group == own_numbers) cells[2] = cell;
        }
    };
    const auto group_of_step = [&](bool is_ours, std::size_t tile) {
      return !is_ours || tile > step ? others : tile == step ? fetched : earlier;
    };
    picture.add({.x = left, .y = 1.5, .width = count, .text = "k = " + std::to_string(k)});
    matrix(left + count + 0.7, 0, [&](std::size_t i, std::size_t j) { return group_of_step(j == column, i); });
    matrix(left, count + 0.7, [&](std::size_t i, std::size_t j) { return group_of_step(i == row, j); });
    matrix(left + count + 0.7, count + 0.7,
           [&](std::size_t i, std::size_t j) { return i == row && j == column ? own_numbers : others; });
    for (const std::size_t from : {cells[0], cells[1]}) picture.arrows.push_back({.from = from, .to = cells[2]});
  }
  report.plot(std::move(picture));
}

void run(const workbook::parameters& given, workbook::report& report) {
  at_every_shape(report);
  picture_of_tiles(report);
  compare(given, report);
  better_not_written(given, report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 24,
      .name = "matmul",
      .title = "A product of matrices, four ways",
      .summary = "Tiles in shared memory, numbers in registers, a library; and a kernel better not written.",
      .parameters = {workbook::integer{
          .name = "size", .text = "rows and columns", .min = 1, .max = 4096, .default_value = 256, .inspected = 64}},
      .run = run};
}
