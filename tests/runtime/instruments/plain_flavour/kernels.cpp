// Kernels of every kind, compiled in the plain flavour with the runtime's headers and with those of
// without_instruments/: same_machine_code.sh compares what the compiler has made of them, launch loops and all.

#include <cstddef>
#include <vector>

#include "runtime/gs.h"

namespace kernels {

void add_scaled(gs::thread t, gs::view<const float> x, gs::view<float> y, float a) {
  for (auto i : t.grid_stride(x.size())) y[i] += a * x[i];
}

void laplacian(gs::thread t, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const auto i = t.grid_y(), j = t.grid_x();
  if (i < 1 || j < 1 || i + 1 >= in.extent(0) || j + 1 >= in.extent(1)) return;
  out(i, j) = in(i - 1, j) + in(i + 1, j) + in(i, j - 1) + in(i, j + 1) - 4 * in(i, j);
}

void with_signed_indices(gs::thread t, gs::view<const double, 3> in, gs::view<double> out) {
  const int i = static_cast<int>(t.thread_rank());
  out[i] = in(i, i + 1, 2) + in(0, i, t.thread_idx().y);
}

struct tiles {
  gs::tile<float, 16, 16> a, b;
};
void product(gs::thread t, gs::shared<tiles> s, gs::view<const float, 2> a, gs::view<const float, 2> b,
             gs::view<float, 2> c) {
  const auto [x, y, z] = t.thread_idx();
  float sum = 0;
  for (std::size_t k = 0; k < a.extent(1); k += 16) {
    s->a(y, x) = a(t.grid_y(), k + x);
    s->b(y, x) = b(k + y, t.grid_x());
    t.sync();
    for (unsigned i = 0; i < 16; ++i) sum += s->a(y, i) * s->b(i, x);
    t.sync();
  }
  c(t.grid_y(), t.grid_x()) = sum;
}

void product_in_block_style(gs::block<16, 16> block, gs::shared<tiles> s, gs::view<const float, 2> a,
                            gs::view<const float, 2> b, gs::view<float, 2> c) {
  gs::per_thread sum(block, 0.0f);
  for (std::size_t k = 0; k < a.extent(1); k += 16) {
    block.each([&](auto t) {
      s->a(t.y, t.x) = a(t.grid_y(), k + t.x);
      s->b(t.y, t.x) = b(k + t.y, t.grid_x());
    });
    block.each([&](auto t) {
      for (unsigned i = 0; i < 16; ++i) sum[t] += s->a(t.y, i) * s->b(i, t.x);
    });
  }
  block.each([&](auto t) { c(t.grid_y(), t.grid_x()) = sum[t]; });
}

void zero_in_block_style(gs::block<64> block, gs::dynamic_shared<float> s, gs::view<float> out) {
  block.each_of(s.size(), [&](std::size_t i) { s[i] = static_cast<float>(i); });
  block.each([&](auto t) { out[t.grid_x()] = s[t.x]; });
}

void histogram(gs::thread t, gs::view<const unsigned> x, gs::view<unsigned> counts) {
  for (auto i : t.grid_stride(x.size())) gs::atomic_ref(counts[x[i] % 64]).fetch_add(1u);
}

struct bins {
  gs::tile<unsigned, 64> of;
};
void histogram_in_shared(gs::thread t, gs::shared<bins> s, gs::view<const unsigned> x, gs::view<unsigned> counts) {
  s->of[t.thread_rank()] = 0;
  t.sync();
  for (auto i : t.grid_stride(x.size())) gs::atomic_ref(s->of[x[i] % 64]).fetch_add(1u);
  t.sync();
  gs::atomic_ref(counts[t.thread_rank()]).fetch_add(s->of[t.thread_rank()]);
}

void smoothed(gs::thread t, gs::view<const float> x, gs::view<float> y, const gs::constant_array<float, 3> weights) {
  const auto i = t.grid();
  if (i == 0 || i + 1 >= x.size()) return;
  gs::local_array<float, 3> near;
  for (unsigned k = 0; k < 3; ++k) near[k] = x[i + k - 1];
  float sum = 0;
  for (unsigned k = 0; k < 3; ++k) sum += weights[k] * near[k];
  t.device_fence();
  y[i] = sum;
}

using floats = gs::view<const float>;
using matrix = gs::view<const float, 2>;

// What is launched, so that the loops of the engine around each kernel are compared as well. Views are given as such:
// how the host makes them is another matter.
void launch_all(floats x, gs::view<float> y, matrix a, matrix b, gs::view<float, 2> c, gs::view<const unsigned> n,
                gs::view<unsigned> counts, gs::view<const double, 3> d, gs::view<double> e) {
  const gs::stream queue;
  gs::detail::launch_on_device<add_scaled>(queue, {.grid = 4, .block = 64}, x, y, 2.0f);
  gs::detail::launch_on_device<laplacian>(queue, {.grid = 4, .block = 64}, a, c);
  gs::detail::launch_on_device<with_signed_indices>(queue, {.grid = 4, .block = 64}, d, e);
  gs::detail::launch_on_device<product>(queue, {.grid = 4, .block = 64}, a, b, c);
  gs::detail::launch_on_device<product_in_block_style>(queue, {.grid = 4}, a, b, c);
  gs::detail::launch_on_device<zero_in_block_style>(queue, {.grid = 4, .shared_bytes = 256}, y);
  gs::detail::launch_on_device<histogram>(queue, {.grid = 4, .block = 64}, n, counts);
  gs::detail::launch_on_device<histogram_in_shared>(queue, {.grid = 4, .block = 64}, n, counts);
  gs::detail::launch_on_device<smoothed>(queue, {.grid = 4, .block = 64}, x, y,
                                         gs::constant_array<float, 3>{{1, 2, 1}});
}

}  // namespace kernels
