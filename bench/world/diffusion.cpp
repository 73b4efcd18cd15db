#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "bench/world/bare_mpi.h"
#include "bench/world/duels.h"
#include "runtime/gs.h"
#include "runtime/host/cores.h"

namespace bench {
namespace {

constexpr unsigned wide = 256, high = 16;  // a block's cells
constexpr float rate = 0.2f;

// Lesson 41's kernel on whole rows, from `first` on. Row 0 and the last one are the halo, and so are the outermost
// columns.
GS_FN void diffuse_rows(gs::block<wide> block, std::size_t first, std::size_t rows, gs::view<const float, 2> in,
                        gs::view<float, 2> out) {
  const std::size_t all_columns = in.extent(1) - 2;
  const std::size_t top = std::size_t{high} * block.block_idx().y, left = std::size_t{wide} * block.block_idx().x;
  const std::size_t own_rows = rows - top < high ? rows - top : high;
  const std::size_t columns = all_columns - left < wide ? all_columns - left : wide;
  block.each_of(own_rows, columns, [&](std::size_t row, std::size_t column) {
    const std::size_t y = first + top + row, x = left + column + 1;
    const float here = in(y, x);
    out(y, x) = here + rate * (in(y - 1, x) + in(y + 1, x) + (in(y, x - 1) + in(y, x + 1)) - 4 * here);
  });
}

// At an end of the field nothing flows in or out: its outermost cells stand in for those that aren't there.
GS_FN void repeat_columns(gs::thread t, gs::view<float, 2> u) {
  const std::size_t last = u.extent(1) - 2;
  for (auto row : t.grid_stride(u.extent(0))) {
    u(row, 0) = u(row, 1);
    u(row, last + 1) = u(row, last);
  }
}
GS_FN void repeat_row(gs::thread t, std::size_t from, std::size_t to, gs::view<float, 2> u) {
  for (auto column : t.grid_stride(u.extent(1))) u(to, column) = u(from, column);
}

// A rank's rows, with a row of its neighbours', or at the field's ends of its own, above and below.
class our_rows {
 public:
  our_rows(const gs::communicator& world, std::size_t rows, std::size_t columns)
      : world_(world), rows_(rows), columns_(columns), u_({rows + 2, columns + 2}), next_({rows + 2, columns + 2}) {}

  void set(const std::vector<float>& cells) {
    std::vector<float> all((rows_ + 2) * (columns_ + 2));
    for (std::size_t row = 0; row < rows_ + 2; ++row)
      std::ranges::copy(std::span(cells).subspan(row * columns_, columns_), &all[row * (columns_ + 2) + 1]);
    u_.copy_from_host(all);
    next_.copy_from_host(all);
  }
  std::vector<float> own_cells() const {
    const std::vector<float> all = u_.copy_to_host();
    std::vector<float> own(rows_ * columns_);
    for (std::size_t row = 0; row < rows_; ++row)
      std::ranges::copy(std::span(all).subspan((row + 1) * (columns_ + 2) + 1, columns_), &own[row * columns_]);
    return own;
  }
  void step() {
    struct side {
      int rank;
      std::size_t own, halo;
    };
    const int above = world_.rank() - 1, below = world_.rank() + 1 < world_.size() ? world_.rank() + 1 : -1;
    const std::array<side, 2> sides{{{above, 1, 0}, {below, rows_, rows_ + 1}}};
    std::array<gs::request<gs::device_array<float>>, 2> comes, sent;
    gs::launch<repeat_columns>({.grid = (rows_ + 257) / 256, .block = 256}, u_);
    for (std::size_t k = 0; k < 2; ++k) {
      const auto [rank, own, halo] = sides[k];
      if (rank < 0) {
        gs::launch<repeat_row>({.grid = (columns_ + 255) / 256, .block = 256}, own, halo, u_);
        continue;
      }
      comes[k] = world_.start_receive(u_.slice(halo, halo + 1), rank);
      sent[k] = world_.start_send(u_.slice(own, own + 1), rank);
    }
    launch_on(2, rows_ > 2 ? rows_ - 2 : 0);
    for (std::size_t k = 0; k < 2; ++k)
      if (sides[k].rank >= 0) comes[k].wait(), sent[k].wait();
    launch_on(1, 1);
    if (rows_ > 1) launch_on(rows_, 1);
    gs::synchronize();
    std::swap(u_, next_);
  }

 private:
  void launch_on(std::size_t first, std::size_t rows) {
    if (rows == 0) return;
    gs::launch<diffuse_rows>({.grid = {(columns_ + wide - 1) / wide, (rows + high - 1) / high}}, first, rows, u_,
                             next_);
  }

  const gs::communicator& world_;
  std::size_t rows_, columns_;
  gs::device_array<float> u_, next_;
};

// The same by a loop and bare calls of MPI.
class bare_rows {
 public:
  bare_rows(const gs::communicator& world, std::size_t rows, std::size_t columns)
      : shape_{rows, columns, world.rank() - 1, world.rank() + 1 < world.size() ? world.rank() + 1 : -1, rate} {}

  void set(const std::vector<float>& cells) { u_ = next_ = cells; }
  std::vector<float> own_cells() const {
    const auto row = static_cast<std::ptrdiff_t>(shape_.columns);
    return {u_.begin() + row, u_.end() - row};
  }
  void step() {
    bare_mpi::diffuse(shape_, gs::core_count(), u_, next_);
    std::swap(u_, next_);
  }

 private:
  bare_mpi::rows_of_field shape_;
  std::vector<float> u_, next_;
};

}  // namespace

duel diffusion(const gs::communicator& world, std::size_t rows, std::size_t columns) {
  const auto ours = std::make_shared<our_rows>(world, rows, columns);
  const auto bare = std::make_shared<bare_rows>(world, rows, columns);
  std::vector<float> cells((rows + 2) * columns);
  for (std::size_t i = 0; i < cells.size(); ++i)
    cells[i] = static_cast<float>((i + static_cast<std::size_t>(world.rank()) * rows * columns) * 7919 % 1009) / 1009;
  return {.verb = fmt::format("diffusion, {} x {} cells", rows, columns),
          .bytes = columns * sizeof(float),
          .ours = [ours] { ours->step(); },
          .bare = [bare] { bare->step(); },
          .begin_anew = [=] { ours->set(cells), bare->set(cells); },
          .our_result = [ours] { return ours->own_cells(); },
          .bare_result = [bare] { return bare->own_cells(); },
          .is_judged = false};
}

}  // namespace bench
