// The hand-written peers against plain float64 loops, at sizes around those of a register, a cache line and a block.
#include "bench/peers/peers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "bench/measure/input.h"
#include "bench/measure/large_buffer.h"

namespace bench {
namespace {

constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 511, 512, 513, 10007, 65536 + 17};
constexpr stores both[] = {stores::plain, stores::streaming};

// An output that begins `offset` elements behind a cache line, with a guard in front of it and behind it.
template <class T>
class guarded {
 public:
  guarded(std::size_t size, std::size_t offset) : memory_(size + offset + 64), offset_(offset + 32), size_(size) {
    fill(memory_.span(), [](std::size_t) { return guard; });
  }
  std::span<T> span() const { return memory_.span().subspan(offset_, size_); }
  bool intact() const {
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if ((i < offset_ || i >= offset_ + size_) && memory_.data()[i] != guard) return false;
    return true;
  }

 private:
  static constexpr T guard = -99;
  large_buffer<T> memory_;
  std::size_t offset_, size_;
};

// Calls `check(size, how, output)` for every size, for both kinds of stores, and for outputs that can and can't be
// streamed to; the guards must be intact afterwards.
template <class T, class Check>
void for_all_outputs(Check check) {
  for (const std::size_t size : sizes)
    for (const stores how : both)
      for (const std::size_t offset : {0, 1}) {
        SCOPED_TRACE(testing::Message() << size << " elements, " << to_string(how) << ", offset " << offset);
        const guarded<T> out(size, offset);
        check(size, how, out.span());
        EXPECT_TRUE(out.intact());
      }
}

TEST(peers, gaussian_pdf) {
  for_all_outputs<float>([](std::size_t n, stores how, std::span<float> out) {
    std::vector<float> x(n);
    fill(std::span(x), [](std::size_t i) { return 10 * uniform(i) - 5; });
    const float mean = 0.5f, sigma = 1.25f;
    peers::gaussian_pdf(x, mean, sigma, out, how);
    for (std::size_t i = 0; i < n; ++i) {
      const double z = (static_cast<double>(x[i]) - mean) / sigma;
      const double expected = std::exp(-z * z / 2) / (sigma * std::sqrt(2 * std::numbers::pi));
      ASSERT_NEAR(out[i], expected, 4e-6 * expected) << "element " << i;
    }
  });
}

TEST(peers, neural_layer) {
  for_all_outputs<float>([](std::size_t n, stores how, std::span<float> out) {
    std::vector<float> grey(n), weight(n);
    fill(std::span(grey), [](std::size_t i) { return std::floor(256 * uniform(i, 1)); });
    fill(std::span(weight), [](std::size_t i) { return 4 * uniform(i, 2) - 2; });
    peers::neural_layer(grey, weight, out, how);
    for (std::size_t i = 0; i < n; ++i) {
      const double expected = std::tanh(static_cast<double>(grey[i]) / 255 * weight[i]);
      ASSERT_NEAR(out[i], expected, 1e-6) << "element " << i;
    }
  });
}

TEST(peers, add) {
  for_all_outputs<float>([](std::size_t n, stores how, std::span<float> out) {
    std::vector<float> x(n), y(n);
    fill(std::span(x), [](std::size_t i) { return 200 * uniform(i, 1) - 100; });
    fill(std::span(y), [](std::size_t i) { return 200 * uniform(i, 2) - 100; });
    peers::add(x, y, out, how);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(out[i], static_cast<float>(static_cast<double>(x[i]) + y[i])) << "element " << i;
  });
}

TEST(peers, zero_suppress) {
  for_all_outputs<std::int16_t>([](std::size_t n, stores how, std::span<std::int16_t> out) {
    std::vector<std::int16_t> x(n);
    fill(std::span(x), [](std::size_t i) { return 65535 * uniform(i) - 32768; });
    // The smallest and the largest number, and those on either side of the threshold.
    const std::int16_t edges[] = {-32768, 32767, 14, 15, 16, 0, -1};
    for (std::size_t i = 0; i < std::min(n, std::size(edges)); ++i) x[i] = edges[i];
    peers::zero_suppress(x, 15, out, how);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], x[i] >= 15 ? x[i] : 0) << "element " << i;
  });
}

// By comparing each value with the edges of each bin, in double.
std::vector<std::uint32_t> counted(std::span<const float> x, double low, double width, std::size_t bins) {
  std::vector<std::uint32_t> counts(bins + 1);
  for (const float value : x) {
    std::size_t b = 0;
    while (b < bins &&
           !(value >= low + static_cast<double>(b) * width && value < low + static_cast<double>(b + 1) * width))
      ++b;
    ++counts[b];
  }
  return counts;
}

TEST(peers, histogram) {
  for (const std::size_t bins : {1, 8, 1024})  // widths and values whose bins float32 computes without rounding
    for (const std::size_t n : sizes) {
      SCOPED_TRACE(testing::Message() << n << " elements, " << bins << " bins");
      std::vector<float> x(n);
      fill(std::span(x), [](std::size_t i) { return std::floor(4096 * uniform(i)) / 512 - 4; });
      constexpr float infinity = std::numeric_limits<float>::infinity();
      const float edges[] = {-4, 4, std::nextafter(-4.0f, -5.0f), 3.75f, infinity, -infinity, std::nanf(""), 0, 3e38f};
      for (std::size_t i = 0; i < std::min(n, std::size(edges)); ++i) x[i] = edges[i];
      const std::vector<std::uint32_t> expected = counted(x, -4, 8.0 / static_cast<double>(bins), bins);
      std::vector<std::uint32_t> counts(bins + 1, 77);
      peers::histogram(x, -4, static_cast<float>(bins) / 8, counts);
      EXPECT_EQ(counts, expected);
      std::ranges::fill(counts, 77u);
      peers::histogram_with_atomics(x, -4, static_cast<float>(bins) / 8, counts);
      EXPECT_EQ(counts, expected);
    }
}

}  // namespace
}  // namespace bench
