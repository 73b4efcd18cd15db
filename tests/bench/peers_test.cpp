// The hand-written peers against plain float64 loops, at sizes around those of a register, a cache line and a block.
#include "bench/peers/peers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "bench/measure/input.h"
#include "bench/measure/large_buffer.h"
#include "bench/peers/circle.h"
#include "bench/peers/plain_loops.h"

namespace bench {
namespace peers_test {

constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 511, 512, 513, 10007, 65536 + 17};
constexpr stores store_kinds[] = {stores::plain, stores::streaming};

std::vector<float> numbers(std::size_t n, double low, double high, std::uint64_t sequence = 0) {
  std::vector<float> x(n);
  fill(std::span(x), [=](std::size_t i) { return low + (high - low) * uniform(i, sequence); });
  return x;
}

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
    for (const stores store_kind : store_kinds)
      for (const std::size_t offset : {0, 1}) {
        SCOPED_TRACE(testing::Message() << size << " elements, " << to_string(store_kind) << ", offset " << offset);
        const guarded<T> out(size, offset);
        check(size, store_kind, out.span());
        EXPECT_TRUE(out.intact());
      }
}

TEST(peers, gaussian_pdf) {
  for_all_outputs<float>([](std::size_t n, stores store_kind, std::span<float> out) {
    std::vector<float> x(n);
    fill(std::span(x), [](std::size_t i) { return 10 * uniform(i) - 5; });
    const float mean = 0.5f, sigma = 1.25f;
    std::vector<float> plain(n);
    peers::gaussian_pdf(x, mean, sigma, out, store_kind);
    peers::plain::gaussian_pdf(x, mean, sigma, plain);
    for (std::size_t i = 0; i < n; ++i) {
      const double z = (static_cast<double>(x[i]) - mean) / sigma;
      const double expected = std::exp(-z * z / 2) / (sigma * std::sqrt(2 * std::numbers::pi));
      ASSERT_NEAR(out[i], expected, 4e-6 * expected) << "element " << i;
      ASSERT_NEAR(plain[i], expected, 4e-6 * expected) << "element " << i;
    }
  });
}

TEST(peers, neural_layer) {
  for_all_outputs<float>([](std::size_t n, stores store_kind, std::span<float> out) {
    std::vector<float> grey(n), weight(n);
    fill(std::span(grey), [](std::size_t i) { return std::floor(256 * uniform(i, 1)); });
    fill(std::span(weight), [](std::size_t i) { return 4 * uniform(i, 2) - 2; });
    std::vector<float> plain(n);
    peers::neural_layer(grey, weight, out, store_kind);
    peers::plain::neural_layer(grey, weight, plain);
    for (std::size_t i = 0; i < n; ++i) {
      const double expected = std::tanh(static_cast<double>(grey[i]) / 255 * weight[i]);
      ASSERT_NEAR(out[i], expected, 1e-6) << "element " << i;
      ASSERT_NEAR(plain[i], expected, 1e-6) << "element " << i;
    }
  });
}

TEST(peers, add) {
  for_all_outputs<float>([](std::size_t n, stores store_kind, std::span<float> out) {
    std::vector<float> x(n), y(n);
    fill(std::span(x), [](std::size_t i) { return 200 * uniform(i, 1) - 100; });
    fill(std::span(y), [](std::size_t i) { return 200 * uniform(i, 2) - 100; });
    std::vector<float> plain(n);
    peers::add(x, y, out, store_kind);
    peers::plain::add(x, y, plain);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(out[i], static_cast<float>(static_cast<double>(x[i]) + y[i])) << "element " << i;
    ASSERT_TRUE(std::ranges::equal(plain, out));
  });
}

TEST(peers, zero_suppress) {
  for_all_outputs<std::int16_t>([](std::size_t n, stores store_kind, std::span<std::int16_t> out) {
    std::vector<std::int16_t> x(n);
    fill(std::span(x), [](std::size_t i) { return 65535 * uniform(i) - 32768; });
    // The smallest and the largest number, and those on either side of the threshold.
    const std::int16_t edges[] = {-32768, 32767, 14, 15, 16, 0, -1};
    for (std::size_t i = 0; i < std::min(n, std::size(edges)); ++i) x[i] = edges[i];
    std::vector<std::int16_t> plain(n);
    peers::zero_suppress(x, 15, out, store_kind);
    peers::plain::zero_suppress(x, 15, plain);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], x[i] >= 15 ? x[i] : 0) << "element " << i;
    ASSERT_TRUE(std::ranges::equal(plain, out));
  });
}

TEST(peers, hypot) {
  for_all_outputs<float>([](std::size_t n, stores store_kind, std::span<float> out) {
    std::vector<float> x = numbers(n, -100, 100, 1), plain(n);
    const std::vector<float> y = numbers(n, -100, 100, 2);
    if (n > 3) x[0] = 0, x[1] = 3e38f, x[2] = -1e-38f;  // whose squares float32 can't hold
    peers::hypot(x, y, out, store_kind);
    peers::plain::hypot(x, y, plain);
    for (std::size_t i = 0; i < n; ++i) {
      const double expected = std::hypot(static_cast<double>(x[i]), static_cast<double>(y[i]));
      ASSERT_NEAR(out[i], expected, 3e-7 * expected) << "element " << i;
      ASSERT_NEAR(plain[i], expected, 3e-7 * expected) << "element " << i;
    }
  });
}

TEST(peers, polar_distance) {
  for_all_outputs<float>([](std::size_t n, stores store_kind, std::span<float> out) {
    const std::vector<float> r = numbers(n, 0, 1, 1), a = numbers(n, -4, 4, 2);
    const std::vector<float> s = numbers(n, 0, 1, 3), b = numbers(n, -4, 4, 4);
    std::vector<float> plain(n);
    peers::polar_distance(r, a, s, b, out, store_kind);
    peers::plain::polar_distance(r, a, s, b, plain);
    for (std::size_t i = 0; i < n; ++i) {
      // The law of cosines: another way to the same number.
      const double p = r[i], q = s[i], between = static_cast<double>(a[i]) - static_cast<double>(b[i]);
      const double expected = std::sqrt(std::max(0.0, p * p + q * q - 2 * p * q * std::cos(between)));
      ASSERT_NEAR(out[i], expected, 1e-6) << "element " << i;
      ASSERT_NEAR(plain[i], expected, 1e-6) << "element " << i;
    }
  });
}

TEST(peers, make_pulses) {
  for_all_outputs<float>([](std::size_t n, stores store_kind, std::span<float> out) {
    const std::vector<float> time = numbers(n, 0, 1000, 1), height = numbers(n, 50, 100, 2);
    std::vector<float> plain(n);
    peers::make_pulses(time, 100, height, out, store_kind);
    peers::plain::make_pulses(time, 100, height, plain);
    for (std::size_t i = 0; i < n; ++i) {
      const double tip = (std::sin(2 * std::numbers::pi * static_cast<double>(time[i]) / 100) - 0.3) / 0.7;
      const double expected = std::max(tip, 0.0) * height[i];
      ASSERT_NEAR(out[i], expected, 2e-3) << "element " << i;  // 60 turns are rounded to 4e-6
      ASSERT_NEAR(plain[i], expected, 2e-3) << "element " << i;
    }
  });
}

TEST(peers, transpose) {
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{0, 5},
                                      {1, 1},
                                      {1, 97},
                                      {97, 1},
                                      {31, 33},
                                      {32, 64},
                                      {33, 31},
                                      {64, 101},
                                      {101, 67},
                                      {1024, 48}})
    for (const stores store_kind : store_kinds)
      for (const std::size_t offset : {0, 1}) {
        const std::vector<float> x = numbers(rows * columns, 0, 1);
        const guarded<float> out(rows * columns, offset);
        peers::transpose(x, out.span(), rows, columns, store_kind);
        for (std::size_t r = 0; r < rows; ++r)
          for (std::size_t c = 0; c < columns; ++c)
            ASSERT_EQ(out.span()[c * rows + r], x[r * columns + c])
                << rows << " x " << columns << ": " << r << ", " << c;
        EXPECT_TRUE(out.intact()) << rows << " x " << columns;
      }
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

// Scalar generators that share no line with the vectors.
std::uint64_t darts_one_by_one(std::vector<peers::stream_words> streams, std::uint32_t darts) {
  std::uint64_t hits = 0;
  for (auto& [s0, s1] : streams) {
    const auto uniform = [&s0 = s0, &s1 = s1] {
      const std::uint64_t result = s0 + s1;
      s1 ^= s0;
      s0 = std::rotl(s0, 55) ^ s1 ^ (s1 << 14);
      s1 = std::rotl(s1, 36);
      return static_cast<float>(std::ldexp(static_cast<double>(result >> 11), -53));
    };
    for (std::uint32_t k = 0; k < darts; ++k) {
      const float x = uniform(), y = uniform();
      hits += x * x + y * y <= 1;
    }
  }
  return hits;
}

TEST(peers, darts_in_circle) {
  std::vector<peers::stream_words> streams(128);
  peers::jump_one_by_one(0xe220a8397b1dcdaf, streams);
  EXPECT_EQ(streams[1].s0, 0x12513ce25be05eb1u);  // Numba's states of seed 0
  EXPECT_EQ(streams[1].s1, 0x70d189c276ba17a4u);
  EXPECT_EQ(streams[3].s1, 0x412be3dd3c914961u);
  for (const std::size_t count : {0, 32, 128})
    for (const std::uint32_t darts : {0u, 1u, 1009u}) {
      const std::vector used(streams.begin(), streams.begin() + static_cast<std::ptrdiff_t>(count));
      const auto expected = static_cast<double>(darts_one_by_one(used, darts));  // a dart on the edge is rounding
      EXPECT_NEAR(static_cast<double>(peers::darts_in_circle<1>(used, darts)), expected, 1) << count << " x " << darts;
      EXPECT_NEAR(static_cast<double>(peers::darts_in_circle<2>(used, darts)), expected, 1) << count << " x " << darts;
      EXPECT_NEAR(static_cast<double>(peers::darts_in_circle<4>(used, darts)), expected, 1) << count << " x " << darts;
    }
}

TEST(peers, l2_norm) {
  for (const std::size_t columns : {1, 2, 3, 31, 32, 33, 1009})
    for (const std::size_t rows : {0, 1, 31, 1000}) {
      std::vector<float> x(rows * columns), norm(rows), plain(rows);
      fill(std::span(x), [](std::size_t i) { return 2 * uniform(i) - 1; });
      peers::l2_norm(x, columns, norm);
      peers::plain::l2_norm(x, columns, plain);
      for (std::size_t r = 0; r < rows; ++r) {
        double sum = 0;
        for (std::size_t i = 0; i < columns; ++i) sum += std::pow(static_cast<double>(x[r * columns + i]), 2);
        ASSERT_NEAR(norm[r], std::sqrt(sum), 1e-5 * std::sqrt(sum)) << rows << " x " << columns << ", row " << r;
        ASSERT_NEAR(plain[r], std::sqrt(sum), 1e-5 * std::sqrt(sum)) << rows << " x " << columns << ", row " << r;
      }
    }
}

TEST(peers, diffuse) {
  for (const std::size_t n : {0, 1, 2, 3, 31, 32, 33, 101}) {
    std::vector<float> u(n * n), out(n * n), without(n * n), laplacian(n * n);
    fill(std::span(u), [](std::size_t i) { return uniform(i); });
    peers::diffuse(u, out, laplacian, n, 0.2f);
    peers::diffuse(u, without, {}, n, 0.2f);
    EXPECT_EQ(out, without);
    const auto at = [&](std::size_t r, std::size_t c) {
      return static_cast<double>(u[std::min(r, n - 1) * n + std::min(c, n - 1)]);
    };
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < n; ++c) {
        const double sum = at(r - (r > 0), c) + at(r + 1, c) + at(r, c - (c > 0)) + at(r, c + 1) - 4 * at(r, c);
        ASSERT_NEAR(laplacian[r * n + c], sum, 1e-5) << n;
        ASSERT_NEAR(out[r * n + c], at(r, c) + 0.2 * sum, 1e-6) << n;
      }
  }
}

TEST(peers, several_steps_of_diffusion_are_single_steps) {
  for (const std::size_t n : {0, 1, 2, 33, 257, 521})
    for (const std::size_t steps : {1, 3, 8}) {
      std::vector<float> u(n * n), out(n * n, -1.0f);
      fill(std::span(u), [](std::size_t i) { return uniform(i); });
      peers::diffuse_steps(u, out, n, steps, 0.2f);
      std::vector<float> next(n * n);
      for (std::size_t k = 0; k < steps; ++k) {
        peers::diffuse(u, next, {}, n, 0.2f);
        std::swap(u, next);
      }
      EXPECT_EQ(out, u) << n << " x " << n << ", " << steps << " steps";
    }
}

TEST(peers, polynomial) {
  for (const int degree : {0, 1, 5, 15, 24})
    for (const std::size_t n : sizes) {
      std::vector<float> x(n), out(n);
      fill(std::span(x), [](std::size_t i) { return 2 * uniform(i) - 1; });
      peers::polynomial(x, degree, out);
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = 0; k <= degree; ++k) sum += std::pow(static_cast<double>(x[i]), k);
        ASSERT_NEAR(out[i], sum, 1e-5 * std::abs(sum) + 1e-6) << degree;
      }
    }
}

TEST(peers, reduce) {
  for (const std::size_t n : sizes) {
    std::vector<float> x(n);
    fill(std::span(x), [](std::size_t i) { return uniform(i); });
    double sum = 0;
    for (const float v : x) sum += static_cast<double>(v);
    EXPECT_NEAR(peers::reduce(x), sum, 1e-4 * sum) << n;
    EXPECT_NEAR(peers::reduce_by_algorithm(x), sum, 1e-4 * sum) << n;
  }
}

TEST(peers, dot) {
  for (const std::size_t n : sizes) {
    const std::vector<float> x = numbers(n, 0, 1, 1), y = numbers(n, 0, 1, 2);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    EXPECT_NEAR(peers::dot(x, y), sum, 1e-4 * sum) << n;
    EXPECT_NEAR(peers::dot_by_algorithm(x, y), sum, 1e-4 * sum) << n;
  }
}

TEST(peers, matmul_of_each) {
  for (const std::size_t side : {1, 2, 5, 16, 33})
    for (const std::size_t count : {0, 1, 7}) {
      const std::size_t size = side * side;
      const std::vector<float> a = numbers(count * size, -1, 1, 1), b = numbers(count * size, -1, 1, 2);
      std::vector<float> c(count * size), plain(count * size);
      peers::matmul_of_each(a, b, c, side);
      peers::plain::matmul_of_each(a, b, plain, side);
      for (std::size_t at = 0; at < c.size(); ++at) {
        const std::size_t first = at / size * size, row = at % size / side, column = at % side;
        double sum = 0;
        for (std::size_t k = 0; k < side; ++k)
          sum += static_cast<double>(a[first + row * side + k]) * b[first + k * side + column];
        ASSERT_NEAR(c[at], sum, 1e-5) << count << " of side " << side << ", element " << at;
        ASSERT_NEAR(plain[at], sum, 1e-5) << count << " of side " << side << ", element " << at;
      }
    }
}

TEST(peers, convolutions) {
  for (const auto& e : {peers::convolution_extents{2, 3, 5, 4, 7}, peers::convolution_extents{1, 1, 1, 1, 1},
                        peers::convolution_extents{1, 7, 6, 16, 32}}) {
    const std::vector<float> x = numbers(e.batch * e.rows * e.columns * e.channels, -1, 1, 1),
                             w = numbers(9 * e.channels * e.outputs, -1, 1, 2);
    std::vector<float> by_loops(e.batch * e.rows * e.columns * e.outputs, -77), by_library = by_loops;
    peers::convolution(x, w, by_loops, e);
#if GRIDSTRIDE_ONEDNN
    peers::onednn_convolution(x, w, by_library, e).run();
#else
    by_library = by_loops;
#endif
    for (std::size_t at = 0; at < by_loops.size(); ++at) {
      const std::size_t output = at % e.outputs, pixel = at / e.outputs, column = pixel % e.columns,
                        row = pixel / e.columns % e.rows, picture = pixel / e.columns / e.rows;
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          for (std::size_t k = 0; k < e.channels; ++k) {
            if (row + i < 1 || row + i > e.rows || column + j < 1 || column + j > e.columns) continue;
            const std::size_t neighbour = (picture * e.rows + row + i - 1) * e.columns + column + j - 1;
            sum += static_cast<double>(x[neighbour * e.channels + k]) *
                   w[((i * 3 + j) * e.channels + k) * e.outputs + output];
          }
      ASSERT_NEAR(by_loops[at], sum, 1e-4) << "element " << at;
      ASSERT_NEAR(by_library[at], sum, 1e-4) << "element " << at;
    }
  }
}

TEST(peers, products_of_matrices) {
  for (const std::size_t side : {0, 1, 31, 32, 33, 101}) {
    std::vector<float> a(side * side), b(side * side), by_loops(side * side), by_library(side * side);
    fill(std::span(a), [](std::size_t i) { return uniform(i, 1) - 0.5; });
    fill(std::span(b), [](std::size_t i) { return uniform(i, 2) - 0.5; });
    peers::matmul(a, b, by_loops, side);
    if (side > 0) peers::gemm(a, b, by_library, side);
    for (std::size_t i = 0; i < side; ++i)
      for (std::size_t j = 0; j < side; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < side; ++k) sum += static_cast<double>(a[i * side + k]) * b[k * side + j];
        ASSERT_NEAR(by_loops[i * side + j], sum, 1e-5) << "row " << i << ", column " << j;
        ASSERT_NEAR(by_library[i * side + j], sum, 1e-5) << "row " << i << ", column " << j;
      }
  }
}

TEST(peers, fft2) {
  for (const std::size_t side : {1, 7, 16}) {
    std::vector<std::complex<float>> x(side * side), out(side * side);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = {static_cast<float>(uniform(i, 1)), static_cast<float>(uniform(i, 2))};
    peers::fft2(x, out, side)();
    for (std::size_t at = 0; at < x.size(); ++at) {
      std::complex<double> sum;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto turns =
            static_cast<double>((at / side) * (i / side) + (at % side) * (i % side)) / static_cast<double>(side);
        sum += std::complex<double>(x[i]) * std::polar(1.0, -2 * std::numbers::pi * turns);
      }
      ASSERT_LE(std::abs(std::complex<double>(out[at]) - sum), 1e-4) << "element " << at << " of side " << side;
    }
  }
}

TEST(peers, fft_mask) {
  // Waves of the plane: those with fewer than 3 periods both down and across go, whatever their sign; the others stay.
  struct wave {
    int down, across;
    bool stays;
  };
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{16, 20}, {15, 21}})
    for (const wave w : {wave{0, 0, false},
                         {2, 2, false},
                         {-2, 2, false},
                         {2, -1, false},
                         {3, 0, true},
                         {1, 3, true},
                         {-3, 2, true},
                         {2, -3, true},
                         {5, 6, true}}) {
      std::vector<float> x(rows * columns), out(rows * columns, 77);
      peers::fft_mask masked(x, out, rows, columns);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double down = static_cast<double>(i / columns) / static_cast<double>(rows);
        const double column = static_cast<double>(i % columns) / static_cast<double>(columns);
        x[i] = static_cast<float>(std::cos(2 * std::numbers::pi * (w.down * down + w.across * column) + 0.3));
      }
      const std::vector<float> original = x;
      masked(3);
      EXPECT_EQ(x, original);
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(out[i], w.stays ? x[i] : 0, 1e-5) << w.down << ", " << w.across << ": element " << i;
    }
}

TEST(peers, parallel_sort) {
  for (const std::size_t n : sizes) {
    const std::vector<float> x = numbers(n, -0.5, 0.5);
    std::vector<float> out(n), expected = x;
    peers::parallel_sort(x, out);
    std::ranges::sort(expected);
    ASSERT_EQ(out, expected) << n << " elements";
  }
}

TEST(peers, group_by_and_join) {
  for (const std::size_t groups : {1, 31, 1009})
    for (const std::size_t n : {groups, groups + 32, std::size_t{40'000}}) {
      std::vector<std::int32_t> keys(n), right(groups);
      std::vector<float> values(n), prices(groups), out(n);
      std::vector<double> sums(groups), expected(groups);
      for (std::size_t k = 0; k < groups; ++k) {
        right[k] = static_cast<std::int32_t>(groups - 1 - k);
        prices[k] = static_cast<float>(k) / 2;
      }
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t key = i * 7919 % groups;
        keys[i] = static_cast<std::int32_t>(key);
        values[i] = static_cast<float>(i % 801) / 8;
        expected[key] += static_cast<double>(values[i]);
      }
      peers::group_by(keys, values, sums);
      EXPECT_EQ(sums, expected) << n << " rows, " << groups << " groups";
      peers::join(keys, right, prices, out);
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(out[i], static_cast<float>(groups - 1 - static_cast<std::size_t>(keys[i])) / 2) << "row " << i;
    }
}

// The loss of a function's result, as out[0], beside central differences of it by every parameter.
template <class T, class Loss>
void expect_gradient(const std::vector<T>& parameters, std::span<const T> gradient, double step, double allowed,
                     const Loss& loss) {
  ASSERT_EQ(parameters.size(), gradient.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::vector<double> less(parameters.begin(), parameters.end()), more = less;
    less[i] -= step;
    more[i] += step;
    EXPECT_NEAR(static_cast<double>(gradient[i]), (loss(more) - loss(less)) / (2 * step), allowed) << "parameter " << i;
  }
}

TEST(peers, training_step) {
  const peers::network_extents e{.batch = 5, .inputs = 4, .hidden = 3, .classes = 2};
  const std::vector<float> x = numbers(e.batch * e.inputs, -1, 1), w = numbers(e.parameters(), -1, 1, 1);
  const std::vector<std::int32_t> labels{0, 1, 1, 0, 1};
  // In float64, as the formula says.
  const auto loss = [&](const std::vector<double>& p) {
    const double* const b1 = p.data() + e.inputs * e.hidden;
    const double* const w2 = b1 + e.hidden;
    const double* const b2 = w2 + e.hidden * e.classes;
    double sum = 0;
    for (std::size_t i = 0; i < e.batch; ++i) {
      std::vector<double> score(b2, b2 + e.classes);
      for (std::size_t j = 0; j < e.hidden; ++j) {
        double into = b1[j];
        for (std::size_t k = 0; k < e.inputs; ++k)
          into += static_cast<double>(x[i * e.inputs + k]) * p[k * e.hidden + j];
        for (std::size_t c = 0; c < e.classes; ++c) score[c] += std::tanh(into) * w2[j * e.classes + c];
      }
      double total = 0;
      for (const double s : score) total += std::exp(s);
      sum += std::log(total) - score[static_cast<std::size_t>(labels[i])];
    }
    return sum / static_cast<double>(e.batch);
  };
  std::vector<float> out(1 + e.parameters());
  peers::training_step(x, labels, w, 0.5f, out, e);
  EXPECT_NEAR(out[0], loss({w.begin(), w.end()}), 1e-6);
  std::vector<float> gradient(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) gradient[i] = 2 * (w[i] - out[i + 1]);
  expect_gradient(w, std::span<const float>(gradient), 1e-5, 2e-6, loss);
}

TEST(peers, mixture) {
  for (const auto& [points, dimensions, components] :
       {peers::mixture_extents{1, 1, 1}, peers::mixture_extents{7, 3, 2}, peers::mixture_extents{5, 4, 3}}) {
    const peers::mixture_extents e{points, dimensions, components};
    const peers::wishart prior{.gamma = 1.5, .excess = 2};
    std::vector<double> x(points * dimensions), p(e.parameters()), out(1 + e.parameters());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = uniform(i, 1);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = uniform(i, 2) - 0.5;
    // The formula of the header, with whole matrices.
    const auto posterior = [&](const std::vector<double>& at) {
      const double* const mu = at.data() + components;
      const double* const q = mu + components * dimensions;
      const double* const l = q + components * dimensions;
      double sum = 0, weight = 0;
      for (std::size_t k = 0; k < components; ++k) weight += std::exp(at[k]);
      for (std::size_t i = 0; i < points; ++i) {
        double density = 0;
        for (std::size_t k = 0; k < components; ++k) {
          double exponent = at[k];
          for (std::size_t r = 0; r < dimensions; ++r) {
            const auto apart = [&](std::size_t c) { return x[i * dimensions + c] - mu[k * dimensions + c]; };
            double image = std::exp(q[k * dimensions + r]) * apart(r);
            for (std::size_t c = 0; c < r; ++c) image += l[k * e.below() + r * (r - 1) / 2 + c] * apart(c);
            exponent += q[k * dimensions + r] - image * image / 2;
          }
          density += std::exp(exponent);
        }
        sum += std::log(density / weight);
      }
      for (std::size_t i = 0; i < components * dimensions; ++i)
        sum += prior.excess * q[i] - prior.gamma * prior.gamma / 2 * std::exp(2 * q[i]);
      for (std::size_t i = 0; i < components * e.below(); ++i) sum -= prior.gamma * prior.gamma / 2 * l[i] * l[i];
      return sum;
    };
    peers::mixture(x, p, prior, out, e);
    EXPECT_NEAR(out[0], posterior(p), 1e-12 * std::fabs(out[0]));
    expect_gradient(p, std::span<const double>(out).subspan(1), 1e-5, 1e-7, posterior);
  }
}

TEST(peers, newton_step_of_clusters) {
  // Two points are nearest to the first centroid, one to the second: the step leads to their means.
  const std::vector<double> points{0, 1, 4, 3, 9, 9}, centroids{1, 1, 8, 7};
  std::vector<double> step(4);
  peers::newton_step_of_clusters(points, centroids, step, {.points = 3, .dimensions = 2, .clusters = 2});
  EXPECT_EQ(step, (std::vector<double>{1 - 2, 1 - 2, 8 - 9, 7 - 9}));
}

}  // namespace peers_test
}  // namespace bench
