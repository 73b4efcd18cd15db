// Lesson 26: diffusion. A rugged field smooths itself out, ten thousand times over; and a race that no test would find.

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

// --- the field -------------------------------------------------------------------------------------------------------

// Makes white noise rugged: the amplitude of a wave falls with its frequency r as r^-1.7, and the mean is 0. Row `rows
// - k` of a spectrum holds frequency -k.
GS_FN void colour_noise(gs::thread t, gs::view<std::complex<float>, 2> spectrum) {
  const std::size_t rows = spectrum.extent(0);
  for (auto row : t.grid_stride_y(rows))
    for (auto column : t.grid_stride(spectrum.extent(1))) {
      const auto fy = static_cast<float>(row <= rows / 2 ? row : rows - row), fx = static_cast<float>(column);
      const float r = std::sqrt(fx * fx + fy * fy);
      const float amplitude = r == 0 ? 0.0f : std::pow(r, -1.7f);
      const std::complex<float> wave = spectrum(row, column);
      // Not *=: nvcc makes nothing of the assignments with an operation that std::complex has.
      spectrum(row, column) = {amplitude * wave.real(), amplitude * wave.imag()};
    }
}
// What lies above the sea; the highest peak is 1. The sea isn't 0: the first traces of ink far from a coast would be
// below 2^-126, and a processor is slow with such subnormal numbers. Differences from a power of two are
// exact: no step falls below it.
constexpr float sea_level = 0x1p-10f;
GS_FN float above(float height, float sea, float peak) {
  const float h = (height - sea) / (peak - sea);
  return h > sea_level ? h : sea_level;
}
inline constexpr auto cut = gs::vectorize<above>;

gs::device_array<float> rugged_field(std::size_t size, std::uint64_t seed) {
  auto spectrum = gs::rfft2(gs::normal<float>({size, size}, seed));
  gs::launch<colour_noise>({.grid = {16, 16}, .block = {16, 16}}, spectrum);
  const auto heights = gs::irfft2(spectrum, size);
  const auto ascending = gs::sort(heights.reshape({-1})).copy_to_host();
  const float sea = ascending[ascending.size() * 7 / 10], peak = ascending.back();  // the 70th percentile
  return cut(heights, sea, peak > sea ? peak : sea + 1);
}

// --- one step, as every CUDA course writes it ------------------------------------------------------------------------

constexpr unsigned tile = 8;

template <unsigned Width, unsigned Height>
struct patch {
  gs::tile<float, Height + 2, Width + 2> u;  // a block's cells and the halo around them
};

// Beyond the edge the cells at the edge repeat: nothing flows in or out.
GS_FN std::size_t inside(std::size_t i, std::size_t extent) { return i < extent ? i : extent - 1; }
GS_FN std::size_t before(std::size_t i) { return i > 0 ? i - 1 : 0; }

GS_FN float laplacian_of(float here, float up, float down, float left, float right) {
  return up + down + (left + right) - 4 * here;
}

GS_FN void diffuse(gs::thread t, gs::shared<patch<tile, tile>> s, float rate, gs::view<const float, 2> in,
                   gs::view<float, 2> out) {
  const std::size_t rows = in.extent(0), columns = in.extent(1);
  const std::size_t row = t.grid_y(), column = t.grid_x();
  const unsigned x = t.thread_idx().x + 1, y = t.thread_idx().y + 1;
  const bool has_cell = row < rows && column < columns;
  if (has_cell) {
    s->u(y, x) = in(row, column);
    if (y == 1) s->u(0, x) = in(before(row), column);
    if (y == tile || row + 1 == rows) s->u(y + 1, x) = in(inside(row + 1, rows), column);
    if (x == 1) s->u(y, 0) = in(row, before(column));
    if (x == tile || column + 1 == columns) s->u(y, x + 1) = in(row, inside(column + 1, columns));
  }
  t.sync();  // nobody reads the patch before everybody has written their part
  if (!has_cell) return;
  const float here = s->u(y, x);
  out(row, column) = here + rate * laplacian_of(here, s->u(y - 1, x), s->u(y + 1, x), s->u(y, x - 1), s->u(y, x + 1));
}

// --- the same step in block style ------------------------------------------------------------------------------------

constexpr unsigned wide = 64, high = 16;

// Each `each` ends in a barrier: between two of them, no thread writes what another reads.
GS_FN void diffuse_block(gs::block<wide, high> block, gs::shared<patch<wide, high>> s, float rate,
                         gs::view<const float, 2> in, gs::view<float, 2> out, gs::view<float, 2> laplacian) {
  const std::size_t rows = in.extent(0), columns = in.extent(1);
  const std::size_t top = std::size_t{high} * block.block_idx().y, left = std::size_t{wide} * block.block_idx().x;
  const std::size_t height = rows - top < high ? rows - top : high,
                    width = columns - left < wide ? columns - left : wide;
  if (height < high || width < wide)  // at the edge, threads without a cell read beyond it, though they keep nothing
    block.each_of((high + 2) * (wide + 2), [&](std::size_t i) { s->u(i / (wide + 2), i % (wide + 2)) = 0; });
  block.each_of(width, [&](std::size_t i) {
    s->u(0, i + 1) = in(before(top), left + i);
    s->u(height + 1, i + 1) = in(inside(top + height, rows), left + i);
  });
  block.each_of(height, [&](std::size_t i) {
    s->u(i + 1, 0) = in(top + i, before(left));
    s->u(i + 1, width + 1) = in(top + i, inside(left + width, columns));
  });
  block.each([&](auto t) {
    if (t.y < height && t.x < width) s->u(t.y + 1, t.x + 1) = in(top + t.y, left + t.x);
  });
  block.each([&](auto t) {
    const float here = s->u(t.y + 1, t.x + 1);
    const float curvature =
        laplacian_of(here, s->u(t.y, t.x + 1), s->u(t.y + 2, t.x + 1), s->u(t.y + 1, t.x), s->u(t.y + 1, t.x + 2));
    if (t.y < height && t.x < width) {
      out(top + t.y, left + t.x) = here + rate * curvature;
      if (!laplacian.empty()) laplacian(top + t.y, left + t.x) = curvature;
    }
  });
}

// --- several steps in one launch -------------------------------------------------------------------------------------

constexpr unsigned most_steps = 16;
constexpr unsigned read_columns = 208;                           // by a block: its own, and a halo of most_steps on
constexpr unsigned own_columns = read_columns - 2 * most_steps;  // either side
constexpr unsigned line = 16;  // floats of a cache line: where each row begins, and whole vectors end
constexpr unsigned places = 2 * most_steps + 1;

struct wave_front {
  gs::tile<float, places, line + read_columns + line> u;  // a few rows, with a margin on either side
};

// The field goes on beyond its edge as its mirror image: what flows there is mirrored, too, and nothing flows across.
GS_FN std::size_t mirrored(std::ptrdiff_t i, std::size_t extent) {
  const auto end = static_cast<std::ptrdiff_t>(extent);
  while (i < 0 || i >= end) i = i < 0 ? -1 - i : 2 * end - 1 - i;
  return static_cast<std::size_t>(i);
}

// A block goes down its columns and makes all steps on the way. A step of a row needs the rows above and below, and
// after it nobody needs the row above as it was: the new row takes its place. So each step moves the field up by one
// place. Cells at the ends of what was read lack a neighbour: after j steps the outer j rows and columns are wrong.
// They stay in the halo.
GS_FN void diffuse_steps(gs::block<read_columns> block, gs::shared<wave_front> s, std::size_t own_rows,
                         std::size_t steps, float rate, gs::view<const float, 2> in, gs::view<float, 2> out,
                         gs::view<float, 2> laplacian) {
  const std::size_t rows = in.extent(0), columns = in.extent(1);
  const std::size_t top = own_rows * block.block_idx().y, left = std::size_t{own_columns} * block.block_idx().x;
  const std::size_t height = rows - top < own_rows ? rows - top : own_rows,
                    width = columns - left < own_columns ? columns - left : own_columns;
  const bool at_edge = left < steps || left + width + steps > columns;
  const std::size_t halo = at_edge ? 0 : steps;  // what of it is read with the row
  const auto row_of = [&](std::size_t r) { return mirrored(static_cast<std::ptrdiff_t>(top + r - steps), rows); };
  const auto laplacian_at = [&](float here, std::size_t r, std::size_t x) {  // of row r + 1
    return laplacian_of(here, s->u(r % places, x), s->u((r + 2) % places, x), s->u((r + 1) % places, x - 1),
                        s->u((r + 1) % places, x + 1));
  };
  block.each_of(places, line + read_columns + line, [&](std::size_t r, std::size_t x) { s->u(r, x) = 0; });
  for (std::size_t r = 0; r < height + 2 * steps; ++r) {
    const std::size_t row = row_of(r), ahead = row_of(r + 8);
    block.each_of((width + 2 * halo + line - 1) / line,
                  [&](std::size_t i) { gs::prefetch(in, ahead, left - halo + line * i); });
    block.each_of(width + 2 * halo,
                  [&](std::size_t i) { s->u(r % places, line + steps - halo + i) = in(row, left - halo + i); });
    if (at_edge)
      block.each_of(2 * steps, [&](std::size_t i) {
        const std::size_t x = i < steps ? i : width + i;
        s->u(r % places, line + x) = in(row, mirrored(static_cast<std::ptrdiff_t>(left + x - steps), columns));
      });
    // A step begins when its three rows are there. What it overwrites, in the thread's own column, nobody else reads.
    const std::size_t begun = r / 2 < steps ? r / 2 : steps - 1;
    block.each_of(begun, (width + 2 * steps + line - 1) / line * line, [&](std::size_t j, std::size_t i) {
      const std::size_t to = r - 2 - 2 * j, x = line + i;
      const float here = s->u((to + 1) % places, x);
      s->u(to % places, x) = here + rate * laplacian_at(here, to, x);
    });
    if (r >= 2 * steps)  // the last step
      block.each_of(width, [&](std::size_t i) {
        const std::size_t from = r - 2 * steps, x = line + steps + i;
        const float here = s->u((from + 1) % places, x), curvature = laplacian_at(here, from, x);
        out(top + from, left + i) = here + rate * curvature;
        if (!laplacian.empty()) laplacian(top + from, left + i) = curvature;
      });
  }
}

// What flows into each cell of an existing field.
GS_FN void curvature(gs::thread t, gs::view<const float, 2> in, gs::view<float, 2> laplacian) {
  const std::size_t rows = in.extent(0), columns = in.extent(1);
  for (auto row : t.grid_stride_y(rows))
    for (auto column : t.grid_stride(columns))
      laplacian(row, column) = laplacian_of(in(row, column), in(before(row), column), in(inside(row + 1, rows), column),
                                            in(row, before(column)), in(row, inside(column + 1, columns)));
}

// --- many steps ------------------------------------------------------------------------------------------------------

std::ptrdiff_t rows_of(const gs::device_array<float>& field) { return static_cast<std::ptrdiff_t>(field.extent(0)); }

gs::launch_options blocks_over(const gs::shape& field, unsigned width, unsigned height) {
  return {.grid = {(field[1] + width - 1) / width, (field[0] + height - 1) / height}, .block = {width, height}};
}

// 1 to most_steps steps. A GPU wants many blocks, a core few with little halo. The Laplacian of the last step is kept
// if there is an array for it.
void launch_steps(std::size_t steps, float rate, const gs::device_array<float>& in, gs::device_array<float>& out,
                  gs::device_array<float>& laplacian) {
  const unsigned own_rows = gs::current_device() == gs::device_kind::cuda ? 64 : 250;
  auto options = blocks_over(in.shape(), own_columns, own_rows);
  options.block = read_columns;
  gs::launch<diffuse_steps>(options, std::size_t{own_rows}, steps, rate, in, out, laplacian);
}

class diffusion final : public workbook::simulation {
 public:
  diffusion(gs::device_array<float> start, const workbook::parameters& given)
      : field_(std::move(start)),
        next_(field_.shape()),
        laplacian_(gs::to_device(std::vector<float>(field_.size())).reshape({rows_of(field_), -1})),
        nothing_({0, 0}),
        original_(field_.copy()) {
    change(given);
  }

  void change(const workbook::parameters& given) final {
    rate_ = static_cast<float>(given.real("rate"));
    kernel_ = given.choice("kernel");
  }
  void step(std::size_t n) override {
    for (std::size_t done = 0, more = 1; done < n; done += more) {
      if (kernel_ == "steps") more = std::min<std::size_t>(n - done, most_steps);
      auto& kept = done + more == n ? laplacian_ : nothing_;  // only what is shown
      if (kernel_ == "steps")
        launch_steps(more, rate_, field_, next_, kept);
      else if (kernel_ == "block")
        gs::launch<diffuse_block>(blocks_over(field_.shape(), wide, high), rate_, field_, next_, kept);
      else
        gs::launch<diffuse>(blocks_over(field_.shape(), tile, tile), rate_, field_, next_);
      std::swap(field_, next_);  // the launch has its views; only our names change
    }
    if (kernel_ == "thread" && n > 0) gs::launch<curvature>({.grid = {16, 16}, .block = {16, 16}}, next_, laplacian_);
    steps_ += n;
  }
  std::size_t steps() const override { return steps_; }
  std::vector<workbook::heat_map> originals() const override { return {picture("Original", original_)}; }
  std::vector<workbook::heat_map> fields() const override {
    std::vector<workbook::heat_map> now;  // a list in braces would copy them
    now.push_back(picture("After " + std::to_string(steps_) + " steps", field_));
    now.push_back(picture("Laplacian", laplacian_));
    return now;
  }
  const gs::device_array<float>& field() const { return field_; }

 private:
  static workbook::heat_map picture(std::string title, const gs::device_array<float>& values) {
    return {.title = std::move(title),
            .rows = values.extent(0),
            .columns = values.extent(1),
            .values = values.copy_to_host(),
            .colours = workbook::colour_map::inferno};
  }

  gs::device_array<float> field_, next_, laplacian_, nothing_, original_;
  float rate_ = 0;
  std::string kernel_;
  std::size_t steps_ = 0;
};

std::unique_ptr<diffusion> begin(const workbook::parameters& given) {
  return std::make_unique<diffusion>(rugged_field(given.size(), given.seed()), given);
}

// --- what the lesson shows -------------------------------------------------------------------------------------------

double total(const gs::device_array<float>& field) {
  double sum = 0;
  for (float u : field.copy_to_host()) sum += static_cast<double>(u);
  return sum;
}

// The kernels against the same steps in float64, by a plain loop: the largest difference after nineteen of them, which
// are two launches of several steps.
struct errors {
  double thread_style = 0, block_style = 0;
  std::size_t other_bits = 0;  // cells in which several steps a launch differ from one a launch
};
errors compare(std::size_t rows, std::size_t columns, float rate) {
  const auto extents = gs::shape({rows, columns});
  const auto start = gs::uniform<float>(extents, 7);
  const std::vector<float> u = start.copy_to_host();
  std::vector<double> expected(u.begin(), u.end()), last;
  const auto at = [&](std::size_t r, std::size_t c) { return last[r * columns + c]; };
  auto by_threads = start.copy(), by_blocks = start.copy(), at_once = start.copy();
  gs::device_array<float> next(extents), laplacian(extents), last_laplacian(extents);
  for (int step = 0; step < 19; ++step) {
    last = expected;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c)
        expected[r * columns + c] +=
            static_cast<double>(rate) * (at(before(r), c) + at(inside(r + 1, rows), c) + at(r, before(c)) +
                                         at(r, inside(c + 1, columns)) - 4 * at(r, c));
    gs::launch<diffuse>(blocks_over(extents, tile, tile), rate, by_threads, next);
    std::swap(by_threads, next);
    gs::launch<diffuse_block>(blocks_over(extents, wide, high), rate, by_blocks, next, laplacian);
    std::swap(by_blocks, next);
  }
  for (const std::size_t steps : {3, 16}) {
    launch_steps(steps, rate, at_once, next, last_laplacian);
    std::swap(at_once, next);
  }
  errors found;
  const auto threads = by_threads.copy_to_host(), blocks = by_blocks.copy_to_host(), several = at_once.copy_to_host();
  const auto curved = laplacian.copy_to_host(), curved_last = last_laplacian.copy_to_host();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    found.thread_style = std::max(found.thread_style, std::abs(static_cast<double>(threads[i]) - expected[i]));
    found.block_style = std::max(found.block_style, std::abs(static_cast<double>(blocks[i]) - expected[i]));
    found.other_bits += several[i] != blocks[i] || curved_last[i] != curved[i];
  }
  return found;
}

void at_every_shape(float rate, workbook::report& report) {
  report.heading("Nineteen steps against float64");
  errors worst;
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{1, 1},
                                      {1, 97},
                                      {97, 1},
                                      {8, 64},
                                      {9, 65},
                                      {31, 33},
                                      {7, 257},
                                      {263, 5},
                                      {101, 211}}) {
    const errors found = compare(rows, columns, rate);
    worst = {std::max(worst.thread_style, found.thread_style), std::max(worst.block_style, found.block_style),
             worst.other_bits + found.other_bits};
  }
  report.check_at_most("largest error at nine shapes, thread style", worst.thread_style, 1e-6);
  report.check_at_most("largest error at nine shapes, block style", worst.block_style, 1e-6);
  report.check_equal("cells with other bits, several steps a launch", worst.other_bits, 0);
}

// How much a step leaves of a wave with crests in both directions, in the middle of a field, far from the edge.
double left_of_a_wave(std::size_t wavelength, float rate) {
  constexpr std::size_t side = 128, middle = side / 2;
  std::vector<float> wave(side * side);
  const double k = 2 * std::numbers::pi / static_cast<double>(wavelength);
  for (std::size_t row = 0; row < side; ++row)
    for (std::size_t column = 0; column < side; ++column) {
      const auto down = static_cast<double>(row) - middle, across = static_cast<double>(column) - middle;
      wave[row * side + column] = static_cast<float>(std::cos(k * down) * std::cos(k * across));
    }
  const auto in = gs::to_device(wave).reshape({side, side});
  auto out = gs::device_array_like(in);
  gs::launch<diffuse>(blocks_over(in.shape(), tile, tile), rate, in, out);
  return static_cast<double>(out.copy_to_host()[middle * side + middle]);
}

void waves(float rate, workbook::report& report) {
  report.heading("What a step leaves of a wave");
  constexpr float largest_rate = 0.25f;
  auto& table = report.table("One step", {{"wavelength", "cells"}, "left of it", "left of it at a rate of 0.25"});
  double worst = 0;
  for (const std::size_t wavelength : {2, 4, 8, 32}) {
    const auto expected = [&](double r) {
      return 1 - 4 * r * (1 - std::cos(2 * std::numbers::pi / static_cast<double>(wavelength)));
    };
    const double left = left_of_a_wave(wavelength, rate), at_most = left_of_a_wave(wavelength, largest_rate);
    const auto rounded = [](double factor) { return std::round(1e3 * factor) / 1e3 + 0.0; };  // and no -0
    table.row(wavelength, rounded(left), rounded(at_most));
    worst = std::max({worst, std::abs(left - expected(static_cast<double>(rate))),
                      std::abs(at_most - expected(static_cast<double>(largest_rate)))});
  }
  report.check_at_most("largest error of 1 - 4 rate (1 - cos(2 pi / wavelength))", worst, 1e-6);
}

void in_place(const gs::device_array<float>& start, float rate, workbook::report& report) {
  report.heading("In place");
  auto two_arrays = gs::device_array_like(start), one_array = start.copy();
  const auto blocks = blocks_over(start.shape(), tile, tile);
  gs::launch<diffuse>(blocks, rate, start, two_arrays);
  gs::launch<diffuse>(blocks, rate, one_array, one_array);  // reads what other blocks may have written already
  const auto right = two_arrays.copy_to_host(), racing = one_array.copy_to_host();
  std::size_t different = 0;
  for (std::size_t i = 0; i < right.size(); ++i) different += right[i] != racing[i];
  auto& table = report.table("One step", {"output", {"cells that differ from the right answer", ""}});
  table.row("another array", 0);
  table.row("the input itself", different);
}

// Who fetches which element of the patch of `diffuse`: a thread its own cell, those at the border the halo as well.
void picture_of_the_halo(workbook::report& report) {
  enum : std::size_t { own, halo, corner = 6 };
  workbook::diagram picture{.title = "How many cells each thread fetches",
                            .groups = {"a thread's own cell", "the halo", "", "", "", "", "read by nobody"},
                            .unit_width = 34,
                            .unit_height = 26};
  const auto last = std::size_t{tile} + 1;
  for (std::size_t y = 0; y <= last; ++y)
    for (std::size_t x = 0; x <= last; ++x) {
      const bool outer_row = y == 0 || y == last, outer_column = x == 0 || x == last;
      const bool is_own = !outer_row && !outer_column;
      const int fetches = 1 + (y == 1) + (y == tile) + (x == 1) + (x == tile);
      picture.add({.x = static_cast<double>(x),
                   .y = static_cast<double>(y),
                   .text = is_own ? std::to_string(fetches) : "",
                   .group = is_own                      ? own
                            : outer_row && outer_column ? corner
                                                        : halo});
    }
  report.plot(std::move(picture));
}

// The loops of `diffuse_steps` for one column and three steps a launch, with the rows' names in place of their numbers:
// a line for each row that is read, as the places are when its steps are made.
void picture_of_the_band(workbook::report& report) {
  constexpr std::size_t steps = 3, places_of_three = 2 * steps + 1, shown = 12;
  struct held {
    std::size_t row = 0, made = 0;
    bool is_there = false;
  };
  std::vector<held> u(places_of_three);
  workbook::diagram picture{.title = "Which rows are in which place, with three steps a launch",
                            .groups = {"as read", "after one step", "after two steps", "after three: written"},
                            .unit_width = 44,
                            .unit_height = 22};
  picture.add({.x = 0, .y = 0, .width = 3, .text = "place"});
  for (std::size_t place = 0; place < places_of_three; ++place)
    picture.add({.x = 3 + static_cast<double>(place), .y = 0, .text = std::to_string(place)});
  std::size_t ready = 0, begun = 0;
  for (std::size_t r = 0; r < shown; ++r) {
    std::size_t written = shown;
    u[r % places_of_three] = {r, 0, true};
    for (std::size_t j = 0; j < steps && r >= 2 + 2 * j; ++j) {
      const std::size_t to = r - 2 - 2 * j;
      const held above = u[to % places_of_three], here = u[(to + 1) % places_of_three],
                 below = u[(to + 2) % places_of_three];
      ++begun;
      ready += above.is_there && below.is_there && here.made == j && above.made == j && below.made == j &&
               above.row + 1 == here.row && here.row + 1 == below.row;
      if (j + 1 == steps)
        written = here.row;
      else
        u[to % places_of_three] = {here.row, j + 1, true};
    }
    const double y = 1 + static_cast<double>(r);
    picture.add({.x = 0, .y = y, .width = 3, .text = "row " + std::to_string(r) + " is read"});
    for (std::size_t place = 0; place < places_of_three; ++place)
      if (u[place].is_there && u[place].row + u[place].made + 1 >= r)  // nobody needs older ones
        picture.add({.x = 3 + static_cast<double>(place),
                     .y = y,
                     .text = std::to_string(u[place].row),
                     .group = u[place].made});
    if (written < shown)
      picture.add({.x = 3.5 + places_of_three, .y = y, .text = std::to_string(written), .group = steps});
  }
  report.check_equal("steps of the picture that find their three rows", ready, begun);
  report.plot(std::move(picture));
}

void run(const workbook::parameters& given, workbook::report& report) {
  const auto rate = static_cast<float>(given.real("rate"));
  const auto steps = static_cast<std::size_t>(given.integer("iterations"));
  const auto simulation = begin(given);
  at_every_shape(rate, report);
  in_place(simulation->field(), rate, report);
  picture_of_the_halo(report);
  picture_of_the_band(report);
  waves(rate, report);

  report.heading("Many steps");
  const double mass = total(simulation->field());
  const auto before_steps = simulation->field().copy_to_host();
  gs::event started, stopped;
  started.record();
  for (std::size_t done = 0; done < steps;) {
    const std::size_t n = std::min<std::size_t>(100, steps - done);
    simulation->step(n);
    gs::synchronize();
    report.progress(static_cast<double>(done += n), static_cast<double>(steps), "steps");
  }
  stopped.record();
  stopped.synchronize();
  const double seconds = gs::seconds_between(started, stopped);
  const auto cells = static_cast<double>(simulation->field().size());
  auto& table = report.table("All steps", {"steps", {"time", "s"}, {"a step", "ms"}, {"cells", "millions/s"}});
  table.row(steps, seconds, 1e3 * seconds / static_cast<double>(steps),
            1e-6 * cells * static_cast<double>(steps) / seconds);

  const auto after_steps = simulation->field().copy_to_host();
  report.check_near("the total stays", total(simulation->field()), mass, 1e-3);
  const auto [lowest, highest] = std::ranges::minmax(before_steps);
  report.check("no cell leaves the range of the start",
               std::ranges::all_of(after_steps, [&](float u) { return u >= lowest && u <= highest; }));
  for (auto& field : simulation->originals()) report.plot(std::move(field));
  for (auto& field : simulation->fields()) report.plot(std::move(field));
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 26,
      .name = "diffusion",
      .title = "A field that spreads",
      .summary = "A rugged field smooths itself out: shared memory, a halo, and a race between blocks.",
      .parameters = {workbook::integer{.name = "size",
                                       .text = "cells along each side",
                                       .min = 1,
                                       .max = 8000,
                                       .default_value = 512,
                                       .inspected = 128},
                     workbook::integer{.name = "iterations",
                                       .text = "how many steps",
                                       .min = 1,
                                       .max = 1'000'000,
                                       .default_value = 200,
                                       .inspected = 5},
                     workbook::real{.name = "rate",
                                    .text = "how much of the difference flows in one step",
                                    .min = 0.01,
                                    .max = 0.3,
                                    .default_value = 0.2},
                     workbook::choice{.name = "kernel",
                                      .text = "how a step is written: in block style, as threads with a barrier, or "
                                              "sixteen steps a launch",
                                      .choices = {"block", "thread", "steps"}}},
      .run = run,
      .simulate = begin};
}
