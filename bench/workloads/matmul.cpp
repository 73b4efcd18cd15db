// matmul: a product of matrices as one writes it, in block style and in thread style, beside loops and a library.
#include <optional>
#include <string>
#include <utility>

#include "bench/limits/arithmetic.h"
#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/gpu_entrants.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

using matrix = gs::view<float, 2>;
using input = gs::view<const float, 2>;

// One thread for one number.
GS_FN void one_row_by_one_column(gs::thread t, input a, input b, matrix c) {
  const std::size_t row = t.grid_y(), column = t.grid_x();
  if (row >= c.extent(0) || column >= c.extent(1)) return;
  float sum = 0;
  for (std::size_t k = 0; k < a.extent(1); ++k) sum += a(row, k) * b(k, column);
  c(row, column) = sum;
}

// The same through tiles in shared memory: every number is read once by a block and not once by a thread.
template <unsigned Side>
struct tiles {
  gs::tile<float, Side, Side> a, b;
};
template <unsigned Side>
GS_FN void tiles_by_threads(gs::thread t, gs::shared<tiles<Side>> s, input a, input b, matrix c) {
  const unsigned x = t.thread_idx().x, y = t.thread_idx().y;
  const std::size_t row = t.grid_y(), column = t.grid_x(), inner = a.extent(1);
  float sum = 0;
  for (std::size_t k = 0; k < inner; k += Side) {
    s->a(y, x) = row < a.extent(0) && k + x < inner ? a(row, k + x) : 0;
    s->b(y, x) = k + y < inner && column < b.extent(1) ? b(k + y, column) : 0;
    t.sync();
    for (unsigned i = 0; i < Side; ++i) sum += s->a(y, i) * s->b(i, x);
    t.sync();
  }
  if (row < c.extent(0) && column < c.extent(1)) c(row, column) = sum;
}

template <unsigned Side>
GS_FN void tiles_by_blocks(gs::block<Side, Side> block, gs::shared<tiles<Side>> s, input a, input b, matrix c) {
  const std::size_t inner = a.extent(1);
  gs::per_thread sum(block, 0.0f);
  for (std::size_t k = 0; k < inner; k += Side) {
    block.each([&](auto t) {
      s->a(t.y, t.x) = t.grid_y() < a.extent(0) && k + t.x < inner ? a(t.grid_y(), k + t.x) : 0;
      s->b(t.y, t.x) = k + t.y < inner && t.grid_x() < b.extent(1) ? b(k + t.y, t.grid_x()) : 0;
    });
    block.each([&](auto t) {
      for (unsigned i = 0; i < Side; ++i) sum[t] += s->a(t.y, i) * s->b(i, t.x);
    });
  }
  block.each([&](auto t) {
    if (t.grid_y() < c.extent(0) && t.grid_x() < c.extent(1)) c(t.grid_y(), t.grid_x()) = sum[t];
  });
}

// Every thread computes 4 x 4 numbers, which stay in registers over a tile: eight numbers read, 32 operations.
constexpr unsigned side_of_block = 16, own = 4, depth = 32;
constexpr unsigned side_of_tile = side_of_block * own;
struct deep_tiles {
  gs::tile<float, side_of_tile, depth + 4> a;  // two rows of a, which a warp reads at once, lie in different banks
  gs::tile<float, depth, side_of_tile> b;
};
GS_FN void numbers_in_registers(gs::block<side_of_block, side_of_block> block, gs::shared<deep_tiles> s, input a,
                                input b, matrix c) {
  using numbers = gs::local_array<float, own, own>;
  const std::size_t rows = c.extent(0), columns = c.extent(1), inner = a.extent(1);
  const std::size_t top = std::size_t{side_of_tile} * block.block_idx().y,
                    left = std::size_t{side_of_tile} * block.block_idx().x;
  gs::per_thread sums(block, numbers{});
  for (std::size_t k = 0; k < inner; k += depth) {
    block.each([&](auto t) {
      for (unsigned y = 0; y < side_of_tile; y += side_of_block)
        for (unsigned x = 0; x < depth; x += side_of_block) {
          const std::size_t row = top + t.y + y, column = k + t.x + x;
          s->a(t.y + y, t.x + x) = row < rows && column < inner ? a(row, column) : 0;
        }
    });
    block.each([&](auto t) {
      for (unsigned y = 0; y < depth; y += side_of_block)
        for (unsigned x = 0; x < side_of_tile; x += side_of_block) {
          const std::size_t row = k + t.y + y, column = left + t.x + x;
          s->b(t.y + y, t.x + x) = row < inner && column < columns ? b(row, column) : 0;
        }
    });
    block.each([&](auto t) {
      numbers mine = sums[t];
      for (unsigned i = 0; i < depth; ++i)
        for (unsigned y = 0; y < own; ++y)
          for (unsigned x = 0; x < own; ++x)
            mine(y, x) += s->a(t.y + y * side_of_block, i) * s->b(i, t.x + x * side_of_block);
      sums[t] = mine;
    });
  }
  block.each([&](auto t) {
    const numbers mine = sums[t];
    for (unsigned y = 0; y < own; ++y)
      for (unsigned x = 0; x < own; ++x) {
        const std::size_t row = top + t.y + y * side_of_block, column = left + t.x + x * side_of_block;
        if (row < rows && column < columns) c(row, column) = mine(y, x);
      }
  });
}

constexpr std::size_t operations(std::size_t side) { return 2 * side * side * side; }

struct matmul_arrays {
  explicit matmul_arrays(std::size_t side)
      : side(side),
        a(side * side, [](std::size_t i) { return uniform(i, 1); }),
        b(side * side, [](std::size_t i) { return uniform(i, 2); }),
        out(side * side) {
    const auto rows = static_cast<std::ptrdiff_t>(side);
    a.reshape(rows, -1);
    b.reshape(rows, -1);
    out.reshape(rows, -1);
  }
  std::size_t side;
  array_everywhere<float> a, b;
  outputs<float> out;
};

class product {
 public:
  explicit product(std::size_t side) : of_(std::make_shared<matmul_arrays>(side)) {}

  /// On every device.
  template <auto Kernel>
  void add(const std::string& how, unsigned block, unsigned numbers_per_block) {
    const std::size_t blocks = (of_->side + numbers_per_block - 1) / numbers_per_block;
    add_ours(contest_, how, [a = of_, block, blocks](gs::device_kind device) {
      gs::launch<Kernel>({.grid = {blocks, blocks}, .block = {block, block}}, a->a.on(device), a->b.on(device),
                         a->out.on(device));
    });
  }

  void add_library() {
    contest_.add("OpenBLAS, its own threads", role::peer,
                 repeated([a = of_] { peers::gemm(a->a.host.read(), a->b.host.read(), a->out.host.span(), a->side); }));
  }

  contest finished(const std::string& task) && {
    contest_.add("OpenMP, rows times numbers", role::peer, repeated([a = of_] {
                   peers::matmul(a->a.host.read(), a->b.host.read(), a->out.host.span(), a->side);
                 }));
    add_gpu_peer(contest_, "cuBLAS", [a = of_] {
      constexpr auto gpu = gs::device_kind::cuda;
      return peers::gpu::gemm(a->a.on(gpu).data(), a->b.on(gpu).data(), a->out.on(gpu).data(), a->side);
    });
    contest_.add("multiply-adds in registers", role::limit,
                 repeated([steps = steps()] { limits::multiply_add_on_all_cores(steps); }));
    add_gpu_arithmetic_limit(contest_, operations(of_->side));
    // Sums of `side` products below 1, in different orders.
    constexpr tolerance allowed{.relative = 1e-5};
    check_agreement(contest_, of_->out, allowed);
    const std::vector<std::size_t> shape{of_->side, of_->side};
    contest_.ask_outside(make_assignment(task, contest_, of_->out, allowed,
                                         {{"a", of_->a.host.read(), shape}, {"b", of_->b.host.read(), shape}}, {},
                                         shape));
    return std::move(contest_);
  }

 private:
  std::size_t steps() const { return operations(of_->side) / limits::operations_per_step() / limits::threads(); }

  std::shared_ptr<matmul_arrays> of_;
  contest contest_;
};

workload matmul_of(std::string name, const std::string& how, std::size_t side, demand wanted,
                   std::optional<demand> wanted_of_gpu, std::function<contest()> prepare) {
  return {.name = std::move(name),
          .text = "a product of matrices of " + std::to_string(side) + " x " + std::to_string(side) + " in " + how,
          .elements = side * side,
          .dtype = "float32",
          .operations = static_cast<double>(operations(side)),
          .memory = 8 * sizeof(float) * side * side,
          .wanted = std::move(wanted),
          .wanted_of_gpu = std::move(wanted_of_gpu),
          .prepare = std::move(prepare)};
}

double seconds_at(double gigaflops, std::size_t side) {
  return static_cast<double>(operations(side)) / (1e9 * gigaflops);
}

}  // namespace

workload matmul(std::size_t side) {
  return matmul_of("matmul", "block style", side, demand{demand::in_seconds, seconds_at(80, side), "80 GFLOP/s"},
                   demand{demand::of_peer, 4, "25 % of cuBLAS"}, [side] {
                     product p(side);
                     p.add<tiles_by_blocks<16>>("one number a thread", 16, 16);
                     p.add<numbers_in_registers>("4 x 4 numbers a thread", side_of_block, side_of_tile);
                     p.add_library();
                     return std::move(p).finished("matmul");
                   });
}

workload matmul_by_threads(std::size_t side) {
  return matmul_of("matmul_by_threads", "thread style", side,
                   demand{demand::in_seconds, seconds_at(3.75, side), "3.75 GFLOP/s"}, std::nullopt, [side] {
                     product p(side);
                     p.add<one_row_by_one_column>("a row by a column", 16, 16);
                     p.add<tiles_by_threads<16>>("tiles of 16 x 16", 16, 16);
                     p.add<tiles_by_threads<32>>("tiles of 32 x 32", 32, 32);
                     return std::move(p).finished("matmul_by_threads");
                   });
}

}  // namespace bench
