#include "runtime/kernel/bits.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "runtime/gs.h"

template <class T>
GS_FN void count_bits(gs::thread t, gs::view<const T> x, gs::view<int, 2> counts, gs::view<T> reversed) {
  for (auto i : t.grid_stride(x.size())) {
    counts(0, i) = gs::popcount(x[i]);
    counts(1, i) = gs::count_leading_zeros(x[i]);
    counts(2, i) = gs::find_first_set(x[i]);
    reversed[i] = gs::reverse_bits(x[i]);
  }
}
GS_FN void multiply_add(gs::thread, gs::view<float> f, gs::view<double> d) {
  f[3] = gs::fma(f[0], f[1], f[2]);
  d[3] = gs::fma(d[0], d[1], d[2]);
}

namespace {

template <class T>
void check_bits() {
  constexpr int width = 8 * sizeof(T);
  std::vector<T> x{0, 1, static_cast<T>(~T{0})};
  for (int b = 0; b < width; ++b) x.push_back(static_cast<T>(T{1} << b));
  T state = 1;
  for (int i = 0; i < 200; ++i) x.push_back(state = static_cast<T>(state * 2862933555777941757ull + 3037000493ull));
  gs::device_array<int> counts({3, static_cast<int>(x.size())});
  gs::device_array<T> reversed(x.size());
  gs::launch<count_bits<T>>({.grid = 2, .block = 32}, gs::to_device(x), counts, reversed);
  const auto result = counts.copy_to_host();
  const auto turned = reversed.copy_to_host();
  for (std::size_t i = 0; i < x.size(); ++i) {
    int ones = 0, above = 0, first = 0;
    T opposite = 0;
    for (int b = width - 1; b >= 0; --b) {
      const bool set = (x[i] >> b) & 1;
      if (ones == 0 && !set) ++above;
      ones += set;
      if (set) first = b + 1;
      if (set) opposite = static_cast<T>(opposite | T{1} << (width - 1 - b));
    }
    EXPECT_EQ(result[i], ones);
    EXPECT_EQ(result[x.size() + i], above);
    EXPECT_EQ(result[2 * x.size() + i], first);
    EXPECT_EQ(turned[i], opposite);
  }
}

TEST(bits, of_words_of_32_and_64) {
  check_bits<std::uint32_t>();
  check_bits<std::uint64_t>();
}

TEST(fma, rounds_once) {
  const float x = 1 + 0x1p-12f;
  const double y = 1 + 0x1p-30;
  const auto f = gs::to_device(std::vector<float>{x, x, -1 - 0x1p-11f, 0});
  const auto d = gs::to_device(std::vector<double>{y, y, -1 - 0x1p-29, 0});
  gs::launch<multiply_add>({}, f, d);
  EXPECT_EQ(f.copy_to_host()[3], 0x1p-24f);
  EXPECT_EQ(d.copy_to_host()[3], 0x1p-60);
}

}  // namespace
