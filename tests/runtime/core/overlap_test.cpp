// Pieces of memory: every pair of them in a few bytes, beside a loop over the bytes.

#include "runtime/core/overlap.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>

namespace overlap_test {

bool share_a_byte(std::size_t a, std::size_t a_bytes, std::size_t b, std::size_t b_bytes) {
  for (std::size_t i = a; i < a + a_bytes; ++i)
    for (std::size_t j = b; j < b + b_bytes; ++j)
      if (i == j) return true;
  return false;
}

TEST(overlap, agrees_with_a_loop_over_the_bytes) {
  constexpr std::size_t bytes = 7;
  const std::array<char, bytes> memory{};
  for (std::size_t a = 0; a <= bytes; ++a)
    for (std::size_t b = 0; b <= bytes; ++b)
      for (std::size_t a_bytes = 0; a + a_bytes <= bytes; ++a_bytes)
        for (std::size_t b_bytes = 0; b + b_bytes <= bytes; ++b_bytes)
          EXPECT_EQ(gs::detail::overlap(memory.data() + a, a_bytes, memory.data() + b, b_bytes),
                    share_a_byte(a, a_bytes, b, b_bytes))
              << a_bytes << " bytes from " << a << " on and " << b_bytes << " from " << b << " on";
}

TEST(overlap, no_memory_overlaps_nothing) {
  const char byte = 0;
  EXPECT_FALSE(gs::detail::overlap(nullptr, 0, &byte, 1));
  EXPECT_FALSE(gs::detail::overlap(nullptr, 0, nullptr, 0));
}

}  // namespace overlap_test
