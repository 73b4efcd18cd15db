// transpose: rows become columns, float32. Nothing but memory traffic, in an order that caches handle badly.
#include <string>

#include "bench/peers/peers.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

constexpr unsigned edge = 32;  // of a block, and lanes of a warp

GS_FN void transpose_naively(gs::thread t, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const std::size_t row = t.grid_y(), column = t.grid_x();
  if (row < in.extent(0) && column < in.extent(1)) out(column, row) = in(row, column);
}

// A row of the tile has a number too many: the lanes of a warp, which read a column, find it in as many banks.
struct padded_tile {
  gs::tile<float, edge, edge + 1> values;
};
GS_FN void transpose_by_tiles(gs::block<edge, edge> block, gs::shared<padded_tile> tile, gs::view<const float, 2> in,
                              gs::view<float, 2> out) {
  const std::size_t top = std::size_t{edge} * block.block_idx().y, left = std::size_t{edge} * block.block_idx().x;
  block.each([&](auto t) {
    if (top + t.y < in.extent(0) && left + t.x < in.extent(1)) tile->values(t.y, t.x) = in(top + t.y, left + t.x);
  });
  block.store(out, left, top, edge, edge,
              [&](std::size_t row, std::size_t column) { return tile->values(column, row); });
}

struct transpose_arrays {
  transpose_arrays(std::size_t rows, std::size_t columns)
      : rows(rows),
        columns(columns),
        x(rows * columns, [](std::size_t i) { return uniform(i); }),
        out(rows * columns) {}
  gs::device_array<float> in(gs::device_kind device) const {
    return x.on(device).reshape({static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns)});
  }
  gs::device_array<float> result(gs::device_kind device) const {
    return out.on(device).reshape({static_cast<std::ptrdiff_t>(columns), static_cast<std::ptrdiff_t>(rows)});
  }
  std::size_t rows, columns;
  array_everywhere<float> x;
  outputs<float> out;
};

contest prepare_transpose(std::size_t rows, std::size_t columns) {
  const auto a = std::make_shared<transpose_arrays>(rows, columns);
  const std::size_t across = (columns + edge - 1) / edge, down = (rows + edge - 1) / edge;
  contest c;
  add_ours(c, "tiles", [=](gs::device_kind device) {
    gs::launch<transpose_by_tiles>({.grid = {across, down}}, a->in(device), a->result(device));
  });
  add_ours(c, "a thread per element", [=](gs::device_kind device) {
    gs::launch<transpose_naively>({.grid = {across, down}, .block = {edge, edge}}, a->in(device), a->result(device));
  });
  for (const stores how : stores_for(a->out.host.size() * sizeof(float)))
    c.add("OpenMP, tiles, " + to_string(how), role::peer,
          repeated([=] { peers::transpose(a->x.host.read(), a->out.host.span(), rows, columns, how); }));
  add_copy_limits(c, a, a->x, a->out);
  check_agreement(c, a->out, {});
  c.ask_outside(
      make_assignment("transpose", c, a->out, {}, {{"x", a->x.host.read(), {rows, columns}}}, {}, {columns, rows}));
  return c;
}

}  // namespace

workload transpose(std::size_t rows, std::size_t columns) {
  return {.name = "transpose",
          .text = "a matrix of " + std::to_string(rows) + " x " + std::to_string(columns) + ", its rows as columns",
          .elements = rows * columns,
          .dtype = "float32",
          .bytes = 2 * sizeof(float) * static_cast<double>(rows * columns),
          .memory = 6 * sizeof(float) * rows * columns,
          .wanted = demand{demand::of_peer, 1.3, "1.3 x peer"},
          .wanted_of_gpu = demand{demand::of_limit, 1 / 0.85, "85 % of copy"},
          .prepare = [=] { return prepare_transpose(rows, columns); }};
}

}  // namespace bench
