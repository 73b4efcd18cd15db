"""Sources that several tests compile; the cache makes that once."""

import functools

import gridstride as gs

FUNCTIONS = """
#include <cmath>
GS_FN float ripple(float y, float x) {
  const float r = std::sqrt(x * x + y * y);
  return std::exp(-0.3f * r) * std::cos(5 * r);
}
GS_FN float add(float a, float b) { return a + b; }
GS_FN double half(double x) { return x / 2; }
GS_FN std::int32_t shifted(std::int32_t x, std::int32_t by) { return x + by; }
GS_FN bool both(bool a, bool b) { return a && b; }
namespace physics {
GS_FN float kinetic(float mass, float speed) { return 0.5f * mass * speed * speed; }
}
template <int N> GS_FN float times(float x) { return N * x; }
GS_FN void l2(gs::view<const float> x, float& norm) {
  float sum = 0;
  for (float v : x) sum += v * v;
  norm = std::sqrt(sum);
}
GS_FN void product(gs::view<const double, 2> a, gs::view<const double, 2> b, gs::view<double, 2> c) {
  for (std::size_t i = 0; i < c.extent(0); ++i)
    for (std::size_t j = 0; j < c.extent(1); ++j) {
      c(i, j) = 0;
      for (std::size_t k = 0; k < a.extent(1); ++k) c(i, j) += a(i, k) * b(k, j);
    }
}
struct bell {
  template <class T> GS_FN T operator()(T x, T width) const { using std::exp; return exp(-x * x / width); }
};
"""

KERNELS = """
GS_FN void flood(gs::thread t, gs::view<float> height, float level) {
  for (auto i : t.grid_stride(height.size()))
    if (height[i] < level) height[i] = level;
}
GS_FN void transpose(gs::thread t, gs::view<const std::int32_t, 2> in, gs::view<std::int32_t, 2> out) {
  const auto i = t.grid_y(), j = t.grid_x();
  if (i < in.extent(0) && j < in.extent(1)) out(j, i) = in(i, j);
}
struct particle { float x, y; std::int32_t kind; };
GS_FN void move(gs::thread t, gs::view<particle> p, particle by) {
  for (auto i : t.grid_stride(p.size())) p[i].x += by.x, p[i].y += by.y, p[i].kind = by.kind;
}
GS_FN void weigh(gs::thread t, gs::view<float> x, const gs::constant_array<float, 3> weights) {
  for (auto i : t.grid_stride(x.size())) x[i] *= weights[i % 3];
}
GS_FN void draw(gs::thread t, gs::view<gs::random_state> states, gs::view<float> out) {
  const auto i = t.grid();
  if (i < out.size()) out[i] = gs::uniform_float32(states[i]);
}
GS_FN void reversed(gs::thread t, gs::dynamic_shared<float> s, gs::view<float> x) {
  const auto i = t.thread_idx().x;
  s[i] = x[i];
  t.sync();
  x[i] = s[t.block_dim().x - 1 - i];
}
GS_FN void tiled(gs::block<32> block, gs::view<float> x) {
  block.each([&](auto t) { if (t.grid_x() < x.size()) x[t.grid_x()] += 1; });
}
GS_FN void spin(gs::thread t, gs::view<std::uint64_t> x, std::uint64_t turns) {
  std::uint64_t v = x[0];
  for (std::uint64_t k = 0; k < turns; ++k) v = v * 6364136223846793005ull + 1442695040888963407ull;
  x[0] = v;
}
GS_FN void numbered(gs::thread t, gs::view<std::int64_t> x, std::int64_t n, std::uint8_t small, bool on, double d) {
  x[0] = n, x[1] = small, x[2] = on, x[3] = static_cast<std::int64_t>(d);
}
"""


@functools.cache
def functions():
    return gs.compile(FUNCTIONS, "functions.cpp")


@functools.cache
def kernels():
    return gs.compile(KERNELS, "kernels.cpp")


SIZES = [0, 1, 31, 32, 33, 1009, 100_000]
