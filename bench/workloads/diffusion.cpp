// diffusion: steps of a five-point stencil over a square, with and without its Laplacian kept. Memory-bound once the
// field doesn't fit the caches; what the halo in shared memory costs on a CPU shows beside rows that have none.
// Several steps in one launch read and write the field once for all of them.
#include <string>
#include <utility>

#include "bench/peers/peers.h"
#include "bench/workloads/gpu_entrants.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

template <unsigned Width, unsigned Height>
struct patch {
  gs::tile<float, Height + 2, Width + 2> u;  // a block's cells and their halo
};
constexpr unsigned width = 128, height = 8, side = 8;
constexpr float rate = 0.25f;

GS_FN std::size_t inside(std::size_t i, std::size_t extent) { return i < extent ? i : extent - 1; }
GS_FN std::size_t before(std::size_t i) { return i > 0 ? i - 1 : 0; }

GS_FN void step_by_blocks(gs::block<width, height> block, gs::shared<patch<width, height>> s,
                          gs::view<const float, 2> in, gs::view<float, 2> out, gs::view<float, 2> laplacian) {
  const std::size_t rows = in.extent(0), columns = in.extent(1);
  const std::size_t top = std::size_t{height} * block.block_idx().y, left = std::size_t{width} * block.block_idx().x;
  const std::size_t high = rows - top < height ? rows - top : height,
                    wide = columns - left < width ? columns - left : width;
  block.each_of(wide, [&](std::size_t i) {
    s->u(0, i + 1) = in(before(top), left + i);
    s->u(high + 1, i + 1) = in(inside(top + high, rows), left + i);
  });
  block.each_of(high, [&](std::size_t i) {
    s->u(i + 1, 0) = in(top + i, before(left));
    s->u(i + 1, wide + 1) = in(top + i, inside(left + wide, columns));
  });
  block.each([&](auto t) {
    if (t.y < high && t.x < wide) s->u(t.y + 1, t.x + 1) = in(top + t.y, left + t.x);
  });
  block.each([&](auto t) {
    const float here = s->u(t.y + 1, t.x + 1);
    const float curvature =
        s->u(t.y, t.x + 1) + s->u(t.y + 2, t.x + 1) + s->u(t.y + 1, t.x) + s->u(t.y + 1, t.x + 2) - 4 * here;
    if (t.y < high && t.x < wide) {
      out(top + t.y, left + t.x) = here + rate * curvature;
      if (!laplacian.empty()) laplacian(top + t.y, left + t.x) = curvature;
    }
  });
}

// Without a copy in shared memory: caches hold the rows that three rows of the result read. Only the two columns at the
// ends have a neighbour that isn't there, so the loop between them has no condition.
constexpr unsigned strip_width = 256, band_height = 8;
GS_FN void step_by_rows(gs::block<strip_width> block, gs::view<const float, 2> in, gs::view<float, 2> out,
                        gs::view<float, 2> laplacian) {
  const std::size_t rows = in.extent(0), columns = in.extent(1);
  const std::size_t top = std::size_t{band_height} * block.block_idx().y,
                    left = std::size_t{strip_width} * block.block_idx().x;
  const std::size_t bottom = rows - top < band_height ? rows : top + band_height,
                    right = columns - left < strip_width ? columns : left + strip_width;
  const std::size_t first = left == 0 ? 1 : left, last = right == columns ? right - 1 : right;
  for (std::size_t row = top; row < bottom; ++row) {
    const auto next = [&](std::size_t column, std::size_t west, std::size_t east) {
      const float here = in(row, column);
      const float curvature =
          in(before(row), column) + in(inside(row + 1, rows), column) + in(row, west) + in(row, east) - 4 * here;
      out(row, column) = here + rate * curvature;
      if (!laplacian.empty()) laplacian(row, column) = curvature;
    };
    block.each_of(last > first ? last - first : 0,
                  [&](std::size_t i) { next(first + i, first + i - 1, first + i + 1); });
    block.each_of(2, [&](std::size_t end) {
      if (end == 0 && left == 0) next(0, 0, inside(1, columns));
      if (end == 1 && right == columns && columns > 1) next(columns - 1, columns - 2, columns - 1);
    });
  }
}

GS_FN void step_by_threads(gs::thread t, gs::shared<patch<side, side>> s, gs::view<const float, 2> in,
                           gs::view<float, 2> out) {
  const std::size_t rows = in.extent(0), columns = in.extent(1);
  const std::size_t row = t.grid_y(), column = t.grid_x();
  const unsigned x = t.thread_idx().x + 1, y = t.thread_idx().y + 1;
  const bool has_cell = row < rows && column < columns;
  if (has_cell) {
    s->u(y, x) = in(row, column);
    if (y == 1) s->u(0, x) = in(before(row), column);
    if (y == side || row + 1 == rows) s->u(y + 1, x) = in(inside(row + 1, rows), column);
    if (x == 1) s->u(y, 0) = in(row, before(column));
    if (x == side || column + 1 == columns) s->u(y, x + 1) = in(row, inside(column + 1, columns));
  }
  t.sync();
  if (!has_cell) return;
  const float here = s->u(y, x);
  out(row, column) = here + rate * (s->u(y - 1, x) + s->u(y + 1, x) + s->u(y, x - 1) + s->u(y, x + 1) - 4 * here);
}

// As in lesson 26: down its columns, a block makes all steps; each leaves its row in the place of the one above.
constexpr unsigned most_steps = 16, read_columns = 208, own_columns = read_columns - 2 * most_steps;
constexpr unsigned margin = 16, pitch = margin + read_columns + margin, places = 2 * most_steps + 1;
struct wave_front {
  gs::tile<float, places, pitch> u;
};

GS_FN std::size_t mirrored(std::ptrdiff_t i, std::size_t extent) {
  const auto end = static_cast<std::ptrdiff_t>(extent);
  while (i < 0 || i >= end) i = i < 0 ? -1 - i : 2 * end - 1 - i;
  return static_cast<std::size_t>(i);
}

GS_FN void steps_by_blocks(gs::block<read_columns> block, gs::shared<wave_front> s, std::size_t own_rows,
                           std::size_t steps, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const std::size_t rows = in.extent(0), columns = in.extent(1);
  const std::size_t top = own_rows * block.block_idx().y, left = std::size_t{own_columns} * block.block_idx().x;
  const std::size_t high = rows - top < own_rows ? rows - top : own_rows,
                    wide = columns - left < own_columns ? columns - left : own_columns;
  const bool at_edge = left < steps || left + wide + steps > columns;
  const std::size_t halo = at_edge ? 0 : steps;
  const auto row_of = [&](std::size_t r) { return mirrored(static_cast<std::ptrdiff_t>(top + r - steps), rows); };
  const auto next = [&](std::size_t r, std::size_t x) {
    const float here = s->u((r + 1) % places, x);
    return here + rate * (s->u(r % places, x) + s->u((r + 2) % places, x) +
                          (s->u((r + 1) % places, x - 1) + s->u((r + 1) % places, x + 1)) - 4 * here);
  };
  block.each_of(places, pitch, [&](std::size_t r, std::size_t x) { s->u(r, x) = 0; });
  for (std::size_t r = 0; r < high + 2 * steps; ++r) {
    const std::size_t row = row_of(r), ahead = row_of(r + 8);
    block.each_of((wide + 2 * halo + 15) / 16, [&](std::size_t i) { gs::prefetch(in, ahead, left - halo + 16 * i); });
    block.each_of(wide + 2 * halo,
                  [&](std::size_t i) { s->u(r % places, margin + steps - halo + i) = in(row, left - halo + i); });
    if (at_edge)
      block.each_of(2 * steps, [&](std::size_t i) {
        const std::size_t x = i < steps ? i : wide + i;
        s->u(r % places, margin + x) = in(row, mirrored(static_cast<std::ptrdiff_t>(left + x - steps), columns));
      });
    const std::size_t begun = r / 2 < steps ? r / 2 : steps - 1;
    block.each_of(begun, (wide + 2 * steps + 15) / 16 * 16, [&](std::size_t j, std::size_t i) {
      s->u((r - 2 - 2 * j) % places, margin + i) = next(r - 2 - 2 * j, margin + i);
    });
    if (r >= 2 * steps)
      block.each_of(
          wide, [&](std::size_t i) { out(top + r - 2 * steps, left + i) = next(r - 2 * steps, margin + steps + i); });
  }
}

struct diffusion_arrays {
  explicit diffusion_arrays(std::size_t n) : x(n * n, [](std::size_t i) { return uniform(i); }), out(n * n) {
    x.reshape(static_cast<std::ptrdiff_t>(n), -1);
    out.reshape(static_cast<std::ptrdiff_t>(n), -1);
  }
  array_everywhere<float> x;
  outputs<float> out;
};

contest prepare_diffusion(std::size_t n, bool with_laplacian) {
  struct arrays : diffusion_arrays {
    arrays(std::size_t n, bool with_laplacian)
        : diffusion_arrays(n), laplacian(with_laplacian ? n * n : 0, [](std::size_t) { return 0.0; }) {
      const auto side = static_cast<std::ptrdiff_t>(with_laplacian ? n : 0);
      laplacian.reshape(side, side);
    }
    array_everywhere<float> laplacian;  // without elements where it isn't kept
  };
  const auto a = std::make_shared<arrays>(n, with_laplacian);
  contest c;
  add_ours(c, "block style", [a, n](gs::device_kind device) {
    gs::launch<step_by_blocks>({.grid = {(n + width - 1) / width, (n + height - 1) / height}}, a->x.on(device),
                               a->out.on(device), a->laplacian.on(device));
  });
  add_ours(c, "in rows", [a, n](gs::device_kind device) {
    gs::launch<step_by_rows>({.grid = {(n + strip_width - 1) / strip_width, (n + band_height - 1) / band_height}},
                             a->x.on(device), a->out.on(device), a->laplacian.on(device));
  });
  c.add("OpenMP, split interior", role::peer,
        repeated([a, n] { peers::diffuse(a->x.host.read(), a->out.host.span(), a->laplacian.host.span(), n, rate); }));
  add_gpu_limit(c, (with_laplacian ? 3 : 2) * sizeof(float) * n * n);
  constexpr tolerance allowed{.absolute = 1e-6};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment(with_laplacian ? "diffusion_laplacian" : "diffusion", c, a->out, allowed,
                                {{"u", a->x.host.read(), {n, n}}}, {{"rate", rate}}, {n, n}));
  return c;
}

contest prepare_steps(std::size_t n) {
  struct arrays : diffusion_arrays {
    explicit arrays(std::size_t n) : diffusion_arrays(n), scratch(n * n) {
      fill(scratch.span(), [](std::size_t) { return 0.0; });
    }
    large_buffer<float> scratch;  // of the peers
  };
  const auto a = std::make_shared<arrays>(n);
  contest c;
  add_ours(c, "16 steps a launch", [a, n](gs::device_kind device) {
    const std::size_t own_rows = device == gs::device_kind::cuda ? 64 : 250;
    const gs::launch_options blocks{.grid = {(n + own_columns - 1) / own_columns, (n + own_rows - 1) / own_rows}};
    gs::launch<steps_by_blocks>(blocks, own_rows, std::size_t{most_steps}, a->x.on(device), a->out.on(device));
  });
  c.add("OpenMP, a step a pass", role::peer, repeated([a, n] {
          std::span<const float> from = a->x.host.read();
          for (unsigned k = 0; k < most_steps; ++k) {
            const auto to = k % 2 == 0 ? a->scratch.span() : a->out.host.span();
            peers::diffuse(from, to, {}, n, rate);
            from = to;
          }
        }));
  c.add("OpenMP, 8 steps a pass", role::peer, repeated([a, n] {
          peers::diffuse_steps(a->x.host.read(), a->scratch.span(), n, most_steps / 2, rate);
          peers::diffuse_steps(a->scratch.read(), a->out.host.span(), n, most_steps / 2, rate);
        }));
  add_gpu_limit(c, 2 * sizeof(float) * n * n);
  check_agreement(c, a->out, {.absolute = 1e-6});
  return c;
}

contest prepare_by_threads(std::size_t n) {
  const auto a = std::make_shared<diffusion_arrays>(n);
  contest c;
  add_ours(c, "thread style, blocks of 8 x 8", [a, n](gs::device_kind device) {
    gs::launch<step_by_threads>({.grid = {(n + side - 1) / side, (n + side - 1) / side}, .block = {side, side}},
                                a->x.on(device), a->out.on(device));
  });
  c.add("OpenMP, split interior", role::peer,
        repeated([a, n] { peers::diffuse(a->x.host.read(), a->out.host.span(), {}, n, rate); }));
  add_gpu_limit(c, 2 * sizeof(float) * n * n);
  constexpr tolerance allowed{.absolute = 1e-6};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("diffusion_threads", c, a->out, allowed, {{"u", a->x.host.read(), {n, n}}},
                                {{"rate", rate}}, {n, n}));
  return c;
}

const demand wanted_of_a_gpu_step{demand::of_limit, 1 / 0.8, "80 % of copy"};

}  // namespace

workload diffusion(std::size_t n, bool with_laplacian) {
  const auto cells = static_cast<double>(n * n);
  return {.name = with_laplacian ? "diffusion_laplacian" : "diffusion",
          .text = with_laplacian ? "one step of a five-point stencil, its Laplacian kept"
                                 : "one step of a five-point stencil",
          .elements = n * n,
          .dtype = "float32",
          .bytes = (with_laplacian ? 3 : 2) * sizeof(float) * cells,
          .operations = 7 * cells,
          .memory = 6 * sizeof(float) * n * n,
          .wanted = demand{demand::of_peer, 1.3, "1.3 x peer"},
          .wanted_of_gpu = wanted_of_a_gpu_step,
          .prepare = [n, with_laplacian] { return prepare_diffusion(n, with_laplacian); }};
}

workload diffusion_steps(std::size_t n) {
  // An NVIDIA A40 makes ten thousand steps of 2000 x 2000 cells in 2.4 s.
  const auto cells = static_cast<double>(n * n);
  const double steps = most_steps;
  const demand wanted{demand::in_seconds, steps * cells * 0.24e-3 / 4e6, "0.24 ms a step"};
  return {.name = "diffusion_steps",
          .text = "16 steps of a five-point stencil",
          .elements = n * n,
          .dtype = "float32",
          .bytes = 2 * sizeof(float) * cells,
          .operations = 7 * steps * cells,
          .memory = 7 * sizeof(float) * n * n,
          .wanted = wanted,
          .wanted_of_gpu = wanted,
          .prepare = [n] { return prepare_steps(n); }};
}

workload diffusion_threads(std::size_t n) {
  // One barrier per thread. Numba's simulator passes 1,900 of them a second; ten thousand times that is wanted.
  const auto cells = static_cast<double>(n * n);
  return {.name = "diffusion_threads",
          .text = "one step of a five-point stencil, one thread per cell and a barrier",
          .elements = n * n,
          .dtype = "float32",
          .bytes = 2 * sizeof(float) * cells,
          .operations = 7 * cells,
          .memory = 6 * sizeof(float) * n * n,
          .wanted = demand{demand::in_seconds, cells / 19e6, "19 M barriers/s"},
          .wanted_of_gpu = wanted_of_a_gpu_step,
          .prepare = [n] { return prepare_by_threads(n); }};
}

}  // namespace bench
