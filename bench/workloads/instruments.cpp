// Kernels under all instruments, in the checked flavour: what an access, a thread and a barrier cost there. Blocks run
// one after the other, so these are times of one core.
#include "bench/workloads/workloads.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>
#include <memory>
#include <vector>

#include "bench/measure/agreement.h"
#include "bench/workloads/empty_kernel.h"
#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"

namespace bench {
namespace {

constexpr unsigned block = 256;

GS_FN void add_scaled(gs::thread t, gs::view<const float> x, gs::view<float> y, std::size_t n) {
  for (auto i : t.grid_stride(n)) y[i] += 2 * x[i];
}

constexpr unsigned tile_side = 16;
struct two_tiles {
  gs::tile<float, tile_side, tile_side> a, b;
};
// The product of two matrices of `tile_side` columns and rows.
GS_FN void multiply_tiles(gs::thread t, gs::shared<two_tiles> s, gs::view<const float> a, gs::view<float> c) {
  const auto [x, y, z] = t.thread_idx();
  s->a(y, x) = a[t.thread_rank()];
  s->b(y, x) = a[t.thread_rank()];
  t.sync();
  float sum = 0;
  for (unsigned k = 0; k < tile_side; ++k) sum += s->a(y, k) * s->b(k, x);
  c[t.block_rank() * block + t.thread_rank()] = sum;
}
constexpr std::size_t accesses_of_multiply = 4 + 2 * tile_side + 1;  // of a thread

GS_FN void synchronize_often(gs::thread t, std::size_t times) {
  for (std::size_t i = 0; i < times; ++i) t.sync();
}

template <class Body>
void inspect(const Body& body) {
  const gs::inspection found = gs::inspect(body);
  if (!found.clean()) throw disagreement("the instruments found something in a correct kernel");
}

unsigned blocks_for(std::size_t threads) { return static_cast<unsigned>((threads + block - 1) / block); }

struct arrays {
  explicit arrays(std::size_t n)
      : x(gs::to_device(std::vector<float>(n, 1))), y(gs::to_device(std::vector<float>(n, 1))) {}
  gs::device_array<float> x, y;
};

contest prepare_accesses(std::size_t accesses) {
  const auto in = std::make_shared<arrays>(accesses);
  contest c;
  c.add(
      "global memory", role::ours,
      [in](std::size_t calls) {
        const std::size_t n = (calls + 2) / 3;
        inspect([&] { gs::launch<add_scaled>({.grid = blocks_for(n), .block = block}, in->x, in->y, n); });
      },
      accesses / 3 * 3);
  c.add(
      "shared memory", role::ours,
      [in](std::size_t calls) {
        const unsigned blocks = blocks_for(calls / accesses_of_multiply);
        inspect([&] {
          gs::launch<multiply_tiles>({.grid = std::max(blocks, 1u), .block = {tile_side, tile_side}}, in->x, in->y);
        });
      },
      accesses / (accesses_of_multiply * block) * accesses_of_multiply * block);
  return c;
}

contest prepare_threads(std::size_t threads) {
  contest c;
  c.add(
      "blocks of 256", role::ours,
      [](std::size_t calls) {
        inspect([&] { gs::launch<empty_kernel>({.grid = blocks_for(calls), .block = block}); });
      },
      threads / block * block);
  return c;
}

contest prepare_barriers(std::size_t barriers) {
  constexpr unsigned blocks = 8;
  constexpr std::size_t threads = blocks * block;
  contest c;
  c.add(
      "blocks of 256", role::ours,
      [](std::size_t calls) {
        const std::size_t times = std::max<std::size_t>(calls / threads, 1);
        inspect([&] { gs::launch<synchronize_often>({.grid = blocks, .block = block}, times); });
      },
      barriers / threads * threads);
  return c;
}

}  // namespace

// 5,000 threads and 1,900 thread-barriers a second are what Numba's CUDA simulator does.
workload instruments_accesses(std::size_t accesses) {
  return {.name = "instruments_accesses",
          .text = "kernels under all instruments, one core; time of one access of a thread",
          .wanted = demand{demand::in_seconds, 200e-9, "5 million/s"},
          .prepare = [=] { return prepare_accesses(accesses); }};
}
workload instruments_threads(std::size_t threads) {
  return {.name = "instruments_threads",
          .text = "an empty kernel under all instruments; time of one thread",
          .wanted = demand{demand::in_seconds, 200e-9, "1,000 x Numba"},
          .prepare = [=] { return prepare_threads(threads); }};
}
workload instruments_barriers(std::size_t barriers) {
  return {.name = "instruments_barriers",
          .text = "barriers under all instruments; time of one thread at one barrier",
          .wanted = demand{demand::in_seconds, 526e-9, "1,000 x Numba"},
          .prepare = [=] { return prepare_barriers(barriers); }};
}

}  // namespace bench

#endif
