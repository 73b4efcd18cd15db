// Lesson 35: stencils in depth. What a halo costs, and two ways to pay it less often: going down, and making several
// steps on the way.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

// --- the stencil -----------------------------------------------------------------------------------------------------

// The weight of the cell k places away: the second derivative from 2 * radius + 1 samples (B. Fornberg, "Generation
// of finite difference formulas on arbitrarily spaced grids", 1988).
template <unsigned radius>
GS_FN constexpr float weight(unsigned k) {
  static_assert(radius == 1 || radius == 4);
  if constexpr (radius == 1) return k == 0 ? -2.0f : 1.0f;
  switch (k) {
    case 0:
      return -205.0f / 72;
    case 1:
      return 8.0f / 5;
    case 2:
      return -1.0f / 5;
    case 3:
      return 8.0f / 315;
    default:
      return -1.0f / 560;
  }
}

// The Laplacian of a cell, where at(z, y, x) is the cell that many places away: 6 * radius + 1 cells in a star. Adds
// the cells up to k places away, by recursion, so that the only loop is the one over cells, which
// is vectorised.
template <unsigned radius, unsigned k = radius, class At>
[[gnu::always_inline]] inline GS_FN float laplacian(float here, const At& at) {
  constexpr float w = weight<radius>(k);
  constexpr int d = k;
  if constexpr (k == 0)
    return 3 * w * here;
  else
    return laplacian<radius, k - 1>(here, at) +
           w * ((at(-d, 0, 0) + at(d, 0, 0)) + (at(0, -d, 0) + at(0, d, 0)) + (at(0, 0, -d) + at(0, 0, d)));
}

// A field has a border of `radius` cells on each side, which no step changes. Cells are counted with it.
struct inner_cells {
  std::size_t planes, rows, columns;
};
GS_FN inner_cells inside(gs::view<const float, 3> field, unsigned radius) {
  return {field.extent(0) - 2 * radius, field.extent(1) - 2 * radius, field.extent(2) - 2 * radius};
}
GS_FN std::size_t at_most(std::size_t n, std::size_t limit) { return n < limit ? n : limit; }

// --- straight from memory --------------------------------------------------------------------------------------------

constexpr unsigned wide = 32, high = 16;  // cells of a block in each plane

template <unsigned radius>
[[gnu::flatten]] GS_FN void straight(gs::block<wide, high> block, float rate, gs::view<const float, 3> in,
                                     gs::view<float, 3> out) {
  const auto [planes, rows, columns] = inside(in, radius);
  const std::size_t top = std::size_t{high} * block.block_idx().y, left = std::size_t{wide} * block.block_idx().x;
  const std::size_t z = block.block_idx().z + radius;
  block.each_of(at_most(rows - top, high), at_most(columns - left, wide), [&](std::size_t row, std::size_t column) {
    const std::size_t y = top + row + radius, x = left + column + radius;
    const auto at = [&](int dz, int dy, int dx) { return in(z + dz, y + dy, x + dx); };
    const float here = at(0, 0, 0);
    out(z, y, x) = here + rate * laplacian<radius>(here, at);
  });
}

// --- bricks: a block copies its cells and the halo around them -------------------------------------------------------

constexpr unsigned brick = 8;

template <unsigned radius>
struct brick_with_halo {
  gs::tile<float, brick + 2 * radius, brick + 2 * radius, brick + 2 * radius> u;
};

template <unsigned radius>
[[gnu::flatten]] GS_FN void bricks(gs::block<brick, brick, brick> block, gs::shared<brick_with_halo<radius>> s,
                                   float rate, gs::view<const float, 3> in, gs::view<float, 3> out) {
  constexpr unsigned r = radius;
  const auto [planes, rows, columns] = inside(in, r);
  const std::size_t front = std::size_t{brick} * block.block_idx().z, top = std::size_t{brick} * block.block_idx().y,
                    left = std::size_t{brick} * block.block_idx().x;
  const std::size_t depth = at_most(planes - front, brick), height = at_most(rows - top, brick),
                    width = at_most(columns - left, brick);
  const auto fetch = [&](std::size_t z, std::size_t y, std::size_t x) {
    s->u(z, y, x) = in(front + z, top + y, left + x);
  };
  const auto behind = [](std::size_t i, std::size_t own) { return i < r ? i : own + i; };  // of a halo on two sides
  block.each_of(depth * height, width + 2 * r,
                [&](std::size_t i, std::size_t x) { fetch(i / height + r, i % height + r, x); });
  block.each_of(depth * 2 * r, width,
                [&](std::size_t i, std::size_t x) { fetch(i / (2 * r) + r, behind(i % (2 * r), height), x + r); });
  block.each_of(2 * r * height, width,
                [&](std::size_t i, std::size_t x) { fetch(behind(i / height, depth), i % height + r, x + r); });
  block.each_of(depth * height, width, [&](std::size_t i, std::size_t column) {
    const std::size_t z = i / height + r, y = i % height + r, x = column + r;
    const auto at = [&](int dz, int dy, int dx) { return s->u(z + dz, y + dy, x + dx); };
    const float here = at(0, 0, 0);
    out(front + z, top + y, left + x) = here + rate * laplacian<r>(here, at);
  });
}

// --- going down: a block keeps as many planes as the star is high ----------------------------------------------------

template <unsigned radius>
struct few_planes {
  gs::tile<float, 2 * radius + 1, high + 2 * radius, wide + 2 * radius> u;
};

// A plane is read once and stays until the last star that needs it (P. Micikevicius, "3D finite difference computation
// on GPUs using CUDA", 2009; there each thread has its column in registers).
template <unsigned radius>
[[gnu::flatten]] GS_FN void going_down(gs::block<wide, high> block, gs::shared<few_planes<radius>> s, float rate,
                                       gs::view<const float, 3> in, gs::view<float, 3> out) {
  constexpr unsigned r = radius, places = 2 * radius + 1;
  const auto [planes, rows, columns] = inside(in, r);
  const std::size_t top = std::size_t{high} * block.block_idx().y, left = std::size_t{wide} * block.block_idx().x;
  const std::size_t height = at_most(rows - top, high), width = at_most(columns - left, wide);
  for (std::size_t z = 0; z < planes + 2 * r; ++z) {
    const auto fetch = [&](std::size_t y, std::size_t x) { s->u(z % places, y, x) = in(z, top + y, left + x); };
    block.each_of(height, width + 2 * r, [&](std::size_t y, std::size_t x) { fetch(y + r, x); });
    block.each_of(2 * r, width, [&](std::size_t y, std::size_t x) { fetch(y < r ? y : height + y, x + r); });
    if (z < 2 * r) continue;
    const std::size_t middle = z - r;  // the plane whose stars are complete now
    block.each_of(height, width, [&](std::size_t row, std::size_t column) {
      const std::size_t y = row + r, x = column + r;
      const auto at = [&](int dz, int dy, int dx) { return s->u((middle + dz) % places, y + dy, x + dx); };
      const float here = at(0, 0, 0);
      out(middle, top + y, left + x) = here + rate * laplacian<r>(here, at);
    });
  }
}

// --- several steps on the way ----------------------------------------------------------------------------------------

constexpr unsigned most_steps = 4;
constexpr unsigned all_places = 2 * most_steps + 1;

// When plane `newest` has just been read, step j is made for this plane: j planes behind, since step j needs the plane
// below as step j - 1 has left it.
GS_FN std::ptrdiff_t plane_of_step(std::size_t newest, std::size_t j) {
  return static_cast<std::ptrdiff_t>(newest) - static_cast<std::ptrdiff_t>(j);
}
// Where a plane lies after j steps: each step puts it into the place of the plane above, which is no longer needed.
GS_FN std::size_t place_of(std::size_t plane, std::size_t j) { return (plane + all_places - j) % all_places; }

struct wave_front {
  gs::tile<float, all_places, 1 + most_steps + high + most_steps + 1, 1 + most_steps + wide + most_steps + 1> u;
};

// Radius 1. After j steps, the outer j cells of what was read are wrong, for lack of neighbours; they lie in the halo,
// which is as wide as there are steps (A. Nguyen and others, "3.5-D blocking optimization for stencil computations on
// modern CPUs and GPUs", 2010).
GS_FN void several_steps(gs::block<wide, high> block, gs::shared<wave_front> s, std::size_t steps, float rate,
                         gs::view<const float, 3> in, gs::view<float, 3> out) {
  const std::size_t planes = in.extent(0), rows = in.extent(1), columns = in.extent(2);
  // The first and the end of the block's own cells, and of the cells it reads, halo included.
  const std::size_t own_top = 1 + std::size_t{high} * block.block_idx().y,
                    own_left = 1 + std::size_t{wide} * block.block_idx().x;
  const std::size_t own_rows = at_most(rows - 1 - own_top, high), own_columns = at_most(columns - 1 - own_left, wide);
  const std::size_t top = own_top - at_most(steps, own_top), left = own_left - at_most(steps, own_left);
  const std::size_t height = at_most(own_top + own_rows + steps, rows) - top,
                    width = at_most(own_left + own_columns + steps, columns) - left;
  for (std::size_t place = 0; place < all_places; ++place)
    block.each_of(height + 2, width + 2, [&](std::size_t y, std::size_t x) { s->u(place, y, x) = 0; });
  for (std::size_t newest = 0; newest < planes + steps; ++newest) {
    if (newest < planes)
      block.each_of(height, width, [&](std::size_t y, std::size_t x) {
        s->u(place_of(newest, 0), y + 1, x + 1) = in(newest, top + y, left + x);
      });
    for (std::size_t j = 1; j <= steps; ++j) {
      const std::ptrdiff_t moved = plane_of_step(newest, j);
      if (moved < 0 || moved >= static_cast<std::ptrdiff_t>(planes)) continue;
      const auto plane = static_cast<std::size_t>(moved);
      const bool in_border = plane == 0 || plane + 1 == planes;
      const std::size_t above = place_of(plane + all_places - 1, j - 1), here = place_of(plane, j - 1),
                        below = place_of(plane + 1, j - 1), to = place_of(plane, j);
      block.each_of(height, width, [&](std::size_t row, std::size_t column) {
        const std::size_t y = row + 1, x = column + 1;
        const bool stays = in_border || top + row == 0 || top + y == rows || left + column == 0 || left + x == columns;
        const auto at = [&](int dz, int dy, int dx) {
          return s->u(dz < 0 ? above : (dz == 0 ? here : below), y + dy, x + dx);
        };
        const float value = at(0, 0, 0);
        s->u(to, y, x) = value + (stays ? 0.0f : rate) * laplacian<1>(value, at);
      });
    }
    const std::ptrdiff_t ready = plane_of_step(newest, steps);
    if (ready < 1 || ready + 1 >= static_cast<std::ptrdiff_t>(planes)) continue;
    const auto plane = static_cast<std::size_t>(ready);
    block.each_of(own_rows, own_columns, [&](std::size_t y, std::size_t x) {
      out(plane, own_top + y, own_left + x) =
          s->u(place_of(plane, steps), own_top - top + y + 1, own_left - left + x + 1);
    });
  }
}

// --- launches --------------------------------------------------------------------------------------------------------

using field = gs::device_array<float>;

std::size_t pieces(std::size_t cells, std::size_t of) { return (cells + of - 1) / of; }

template <unsigned radius>
void launch_straight(const field& in, field& out, float rate) {
  const auto [planes, rows, columns] = inside(in, radius);
  gs::launch<straight<radius>>({.grid = {pieces(columns, wide), pieces(rows, high), planes}, .block = {wide, high}},
                               rate, in, out);
}
template <unsigned radius>
void launch_bricks(const field& in, field& out, float rate) {
  const auto [planes, rows, columns] = inside(in, radius);
  gs::launch<bricks<radius>>(
      {.grid = {pieces(columns, brick), pieces(rows, brick), pieces(planes, brick)}, .block = {brick, brick, brick}},
      rate, in, out);
}
template <unsigned radius>
void launch_down(const field& in, field& out, float rate) {
  const auto [planes, rows, columns] = inside(in, radius);
  gs::launch<going_down<radius>>({.grid = {pieces(columns, wide), pieces(rows, high)}, .block = {wide, high}}, rate, in,
                                 out);
}
void launch_steps(std::size_t steps, const field& in, field& out, float rate) {
  const auto [planes, rows, columns] = inside(in, 1);
  gs::launch<several_steps>({.grid = {pieces(columns, wide), pieces(rows, high)}, .block = {wide, high}}, steps, rate,
                            in, out);
}

struct way {
  std::string name;
  unsigned radius;
  void (*step)(const field& in, field& out, float rate);
};
const std::vector<way>& ways() {
  static const std::vector<way> all{{"straight", 1, launch_straight<1>}, {"bricks", 1, launch_bricks<1>},
                                    {"going down", 1, launch_down<1>},   {"straight", 4, launch_straight<4>},
                                    {"bricks", 4, launch_bricks<4>},     {"going down", 4, launch_down<4>}};
  return all;
}

// Small enough for stable steps: with radius 4, more than 0.1 isn't.
constexpr float rate = 0.08f;

// --- what is moved ---------------------------------------------------------------------------------------------------

// Numbers that a whole block reads for each of its cells, of a field so deep that its ends don't count.
double read_straight(double radius) { return 1 + 6 * radius; }
double read_by_bricks(double radius) { return 1 + 6 * radius * brick * brick / (brick * brick * brick); }
double read_going_down(double radius) { return 1 + 2 * radius * (wide + high) / (wide * high); }
// The same for several steps, where the halo is a ring with its corners: of what is read, and of what is computed.
double held_by_steps(std::size_t steps) {
  const double halo = 2 * static_cast<double>(steps);
  return (wide + halo) * (high + halo) / (wide * high);
}

void what_a_halo_costs(workbook::report& report) {
  report.heading("What a halo costs");
  auto& table = report.table("Numbers read, for each cell", {"way", "radius 1", "radius 4"});
  table.row("straight", read_straight(1), read_straight(4));
  table.row("bricks", read_by_bricks(1), read_by_bricks(4));
  table.row("going down", read_going_down(1), read_going_down(4));
  auto& steps_table = report.table("Radius 1, for each cell and step", {"steps a pass", "read", "written", "computed"});
  for (std::size_t steps = 1; steps <= most_steps; ++steps) {
    const auto n = static_cast<double>(steps);
    const auto rounded = [](double x) { return std::round(1000 * x) / 1000; };
    steps_table.row(steps, rounded(held_by_steps(steps) / n), rounded(1 / n), rounded(held_by_steps(steps)));
  }
}

// Which planes have been read and what was done to them, at each moment of a block's way down.
void the_wave_front(workbook::report& report) {
  constexpr std::size_t planes = 16, steps = most_steps;
  std::vector<double> made(planes, std::numeric_limits<double>::quiet_NaN()), values;
  struct kept {
    std::size_t plane, steps;  // made for it
    bool operator==(const kept&) const = default;
  };
  std::vector<kept> places(all_places, {planes, 0});
  bool in_time = true;
  for (std::size_t newest = 0; newest < planes + steps; ++newest) {
    if (newest < planes) made[newest] = 0, places[place_of(newest, 0)] = {newest, 0};
    for (std::size_t j = 1; j <= steps; ++j) {
      const std::ptrdiff_t moved = plane_of_step(newest, j);
      if (moved < 0 || moved >= static_cast<std::ptrdiff_t>(planes)) continue;
      const auto plane = static_cast<std::size_t>(moved);
      // What step j needs must be as step j - 1 has left it, and still be there.
      for (const std::size_t needed : {plane > 0 ? plane - 1 : plane, plane, plane + 1 < planes ? plane + 1 : plane})
        in_time = in_time && places[place_of(needed, j - 1)] == kept{needed, j - 1};
      made[plane] = static_cast<double>(j);
      places[place_of(plane, j)] = {plane, j};
    }
    values.insert(values.end(), made.begin(), made.end());
  }
  report.check("each step finds the planes that it needs in their places", in_time);
  report.plot(workbook::heat_map{.title = "The wave front, four steps",
                                 .x = {.label = "plane"},
                                 .y = {.label = "newest plane"},
                                 .value = {.label = "steps made", .min = 0, .max = steps},
                                 .rows = planes + steps,
                                 .columns = planes,
                                 .values = std::move(values)});
}

// --- right, and how fast ---------------------------------------------------------------------------------------------

// Planes, rows and columns with the border.
field random_field(const inner_cells& cells, unsigned radius, std::uint64_t seed) {
  return gs::uniform<float>({cells.planes + 2 * radius, cells.rows + 2 * radius, cells.columns + 2 * radius}, seed);
}

// Steps in float64, by a plain loop.
template <unsigned radius>
std::vector<double> stepped_in_a_loop(const field& start, std::size_t steps) {
  const std::size_t planes = start.extent(0), rows = start.extent(1), columns = start.extent(2);
  const std::vector<float> first = start.copy_to_host();
  std::vector<double> u(first.begin(), first.end());
  for (std::size_t step = 0; step < steps; ++step) {
    const std::vector<double> before = u;
    for (std::size_t z = radius; z + radius < planes; ++z)
      for (std::size_t y = radius; y + radius < rows; ++y)
        for (std::size_t x = radius; x + radius < columns; ++x) {
          const std::size_t here = (z * rows + y) * columns + x;
          double sum = 3 * static_cast<double>(weight<radius>(0)) * before[here];
          for (unsigned k = 1; k <= radius; ++k)
            for (const std::size_t stride : {std::size_t{1}, columns, rows * columns})
              sum += static_cast<double>(weight<radius>(k)) * (before[here - k * stride] + before[here + k * stride]);
          u[here] += static_cast<double>(rate) * sum;
        }
  }
  return u;
}

double largest_difference(const field& got, const std::vector<double>& expected) {
  const std::vector<float> values = got.copy_to_host();
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = std::abs(static_cast<double>(values[i]) - expected[i]);
    worst = off <= worst ? worst : off;  // NaN is worse than anything
  }
  return worst;
}

// The largest error of two steps, one a pass.
double error_of(const way& w, const inner_cells& cells, std::uint64_t seed) {
  const field start = random_field(cells, w.radius, seed);
  field now = start.copy(), next = start.copy();
  for (int step = 0; step < 2; ++step) w.step(now, next, rate), std::swap(now, next);
  return largest_difference(now, w.radius == 1 ? stepped_in_a_loop<1>(start, 2) : stepped_in_a_loop<4>(start, 2));
}
// The same of two passes.
double error_of_steps(std::size_t steps, const inner_cells& cells, std::uint64_t seed) {
  const field start = random_field(cells, 1, seed);
  field now = start.copy(), next = start.copy();
  for (int pass = 0; pass < 2; ++pass) launch_steps(steps, now, next, rate), std::swap(now, next);
  return largest_difference(now, stepped_in_a_loop<1>(start, 2 * steps));
}

std::string text_of(const way& w) { return w.name + ", radius " + std::to_string(w.radius); }
std::string text_of_steps(std::size_t steps) {
  return std::to_string(steps) + (steps == 1 ? " step a pass" : " steps a pass");
}

void at_odd_shapes(std::size_t shapes, std::uint64_t seed, workbook::report& report) {
  report.heading("Against float64");
  const std::vector<inner_cells> odd{{32, 16, 32}, {9, 17, 33}, {1, 1, 1},  {1, 1, 97}, {1, 97, 1},
                                     {97, 1, 1},   {8, 16, 32}, {31, 5, 7}, {2, 33, 65}};
  const auto tried = [&](const std::string& name, const auto& error_at) {
    double worst = 0;
    for (std::size_t k = 0; k < std::min(shapes, odd.size()); ++k) {
      const double off = error_at(odd[k], seed + k);
      worst = off <= worst ? worst : off;
    }
    report.check_at_most(name + ": largest error", worst, 2e-6);
  };
  for (const way& w : ways())
    tried(text_of(w), [&](const inner_cells& cells, std::uint64_t s) { return error_of(w, cells, s); });
  for (std::size_t steps = 1; steps <= most_steps; ++steps)
    tried(text_of_steps(steps),
          [&](const inner_cells& cells, std::uint64_t s) { return error_of_steps(steps, cells, s); });
}

void how_fast(std::size_t size, std::uint64_t seed, workbook::report& report) {
  report.heading("How fast");
  const std::size_t side =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::cbrt(static_cast<double>(size) + 0.5)));
  const inner_cells cells{side, side, side};
  const auto count = static_cast<double>(side * side * side);
  const gs::timeit_options quick{.runs = 5, .min_run_seconds = 0.02, .max_seconds = 0.5};
  std::vector<std::string> names;
  std::vector<double> nanoseconds;
  const auto measure = [&](const std::string& name, unsigned radius, std::size_t steps, const auto& pass) {
    const field in = random_field(cells, radius, seed);
    field out = in.copy();
    const gs::timing time = gs::timeit([&] { pass(in, out), gs::synchronize(); }, quick);
    const double done = count * static_cast<double>(steps);
    report.timing(name, time, {.bytes = 2 * sizeof(float) * count, .operations = (7.0 * radius + 3) * done});
    names.push_back(name);
    nanoseconds.push_back(1e9 * time.best() / done);
  };
  for (const way& w : ways())
    measure(text_of(w), w.radius, 1, [&](const field& in, field& out) { w.step(in, out, rate); });
  for (std::size_t steps = 1; steps <= most_steps; ++steps)
    measure(text_of_steps(steps), 1, steps, [&](const field& in, field& out) { launch_steps(steps, in, out, rate); });
  report.plot(workbook::bar_plot{.title = "Time for each cell and step",
                                 .categories = names,
                                 .value = {.label = "time", .unit = "ns", .min = 0},
                                 .groups = {{.name = "time", .values = nanoseconds}}});
}

void run(const workbook::parameters& given, workbook::report& report) {
  what_a_halo_costs(report);
  the_wave_front(report);
  at_odd_shapes(given.size("shapes"), given.seed(), report);
  how_fast(given.size(), given.seed(), report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 35,
          .name = "stencils_in_depth",
          .title = "What a halo costs",
          .summary = "A star of cells in three dimensions: bricks, going down with few planes, several steps a pass.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "cells, in a cube",
                                           .min = 1,
                                           .max = 100'000'000,
                                           .default_value = 8'000'000,
                                           .inspected = 32'768},
                         workbook::integer{.name = "shapes",
                                           .text = "odd shapes to try against float64",
                                           .min = 1,
                                           .max = 9,
                                           .default_value = 9,
                                           .inspected = 1}},
          .run = run};
}
