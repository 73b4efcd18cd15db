// Shared memory: the struct, the dynamic array, both; local and constant arrays; what is refused.

#include "runtime/kernel/shared.h"

#include <gtest/gtest.h>

#include <complex>
#include <numeric>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"

struct scratch {
  gs::tile<float, 8, 4> plane;
  double sum;
};

GS_FN void transpose_in_block(gs::thread t, gs::shared<scratch> s, gs::view<const float, 2> in,
                              gs::view<float, 2> out) {
  const auto [x, y, z] = t.thread_idx();
  s->plane(y, x) = in(y, x);
  t.sync();
  out(x, y) = s->plane(y, x);
}
GS_FN void reverse_dynamic(gs::thread t, gs::dynamic_shared<int> s, gs::view<int> x) {
  const std::size_t me = t.thread_rank();
  if (me < s.size()) s[me] = x[me];
  t.sync();
  if (me < s.size()) x[me] = s[s.size() - 1 - me];
}
GS_FN void use_both(gs::thread t, gs::shared<scratch> s, gs::dynamic_shared<double> dynamic, gs::view<double> out) {
  dynamic[t.thread_rank()] = t.thread_rank();
  t.sync();
  if (t.thread_rank() == 0) {
    s->sum = 0;
    for (std::size_t i = 0; i < dynamic.size(); ++i) s->sum += dynamic[i];
  }
  t.sync();
  out[t.thread_rank()] = s->sum;
}
GS_FN void weigh(gs::thread t, const gs::constant_array<float, 2, 3> weights, gs::view<const float, 2> x,
                 gs::view<float> out) {
  gs::local_array<float, 3> column;
  for (auto i : t.grid_stride(out.size())) {
    for (std::size_t j = 0; j < 3; ++j) column[j] = x(i, j) * weights(i % 2, j);
    out[i] = column[0] + column[1] + column[2];
  }
}
GS_FN void say_size(gs::thread, gs::dynamic_shared<std::uint64_t> s, gs::view<std::uint64_t> out) { out[0] = s.size(); }
GS_FN void no_shared(gs::thread, gs::view<int>) {}

namespace {

using runtime_test::refused;

std::vector<float> halves_from(std::size_t n) {
  std::vector<float> x(n);
  std::iota(x.begin(), x.end(), 0.5f);
  return x;
}

TEST(shared, a_struct) {
  const auto x = halves_from(32);
  gs::device_array<float> out({4, 8});
  gs::launch<transpose_in_block>({.grid = 1, .block = {4, 8}}, gs::to_device(x).reshape({8, 4}), out);
  const auto result = out.copy_to_host();
  for (std::size_t r = 0; r < 8; ++r)
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(result[c * 8 + r], x[r * 4 + c]);
}

TEST(shared, a_dynamic_array) {
  for (std::size_t n : {1, 31, 32, 33, 1009}) {
    std::vector<int> x(n);
    std::iota(x.begin(), x.end(), 0);
    const auto out = gs::to_device(x);
    gs::launch<reverse_dynamic>({.grid = 1, .block = n, .shared_bytes = n * sizeof(int)}, out);
    std::reverse(x.begin(), x.end());
    EXPECT_EQ(out.copy_to_host(), x);
  }
}

TEST(shared, both_at_once_dont_overlap) {
  gs::device_array<double> out(100);
  gs::launch<use_both>({.grid = 1, .block = 100, .shared_bytes = 800}, out);
  EXPECT_EQ(out.copy_to_host(), std::vector<double>(100, 4950));
}

TEST(shared, the_size_of_a_dynamic_array_is_what_fits) {
  gs::device_array<std::uint64_t> out(1);
  for (auto [bytes, size] : {std::pair(0u, 0u), std::pair(7u, 0u), std::pair(49'152u, 6144u)}) {
    gs::launch<say_size>({.shared_bytes = bytes}, out);
    EXPECT_EQ(out.copy_to_host()[0], size);
  }
}

TEST(fixed_arrays, constant_and_local) {
  const gs::constant_array<float, 2, 3> weights{{1, 2, 3, 4, 5, 6}};
  for (std::size_t n : {0, 1, 33, 1009}) {
    const auto x = halves_from(3 * n);
    gs::device_array<float> out(n);
    gs::launch<weigh>({.grid = 3, .block = 32}, weights, gs::to_device(x).reshape({static_cast<std::ptrdiff_t>(n), 3}),
                      out);
    const auto result = out.copy_to_host();
    for (std::size_t i = 0; i < n; ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < 3; ++j)
        expected += x[3 * i + j] * (i % 2 == 0 ? 1.0 + static_cast<double>(j) : 4.0 + static_cast<double>(j));
      EXPECT_FLOAT_EQ(result[i], static_cast<float>(expected));
    }
  }
}

TEST(shared_errors, too_much) {
  gs::device_array<std::uint64_t> out(1);
  EXPECT_TRUE(refused([&] { gs::launch<say_size>({.shared_bytes = 49'153}, out); },
                      {"say_size", "49153 dynamic", "a block has 49152 bytes", "smaller tiles"}));
  gs::device_array<double> doubles(1);
  EXPECT_TRUE(refused([&] { gs::launch<use_both>({.shared_bytes = 49'152}, doubles); },
                      {"both", "136 bytes of shared memory in its struct and 49152 dynamic"}));
  EXPECT_NO_THROW(gs::launch<use_both>({.shared_bytes = 49'152 - 144}, doubles));
  gs::synchronize();
}

TEST(shared_errors, a_kernel_that_takes_none) {
  gs::device_array<int> x(1);
  EXPECT_TRUE(refused([&] { gs::launch<no_shared>({.shared_bytes = 16}, x); },
                      {"no_shared with 16 bytes", "doesn't take any", "gs::dynamic_shared parameter"}));
}

}  // namespace
