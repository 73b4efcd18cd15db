// gs::sum against a plain float64 loop.

#include "runtime/math/sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

TEST(Sum, AgreesWithAPlainLoopAtEverySize) {
  for (std::size_t n : {0ul, 1ul, 2ul, 31ul, 32ul, 33ul, 63ul, 64ul, 65ul, 1009ul, 100'000ul}) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::uniform_real_distribution<float> uniform(0, 1);
    std::vector<float> x(n);
    double expected = 0;
    for (float& v : x) expected += double{v = uniform(random)};
    const float found = gs::sum(n, [&](std::size_t i) { return x[i]; });
    // Every lane adds n / 32 terms, then come 5 halvings and up to 31 single terms.
    const double steps = static_cast<double>(n / 32 + std::min<std::size_t>(n, 36));
    EXPECT_NEAR(double{found}, expected, std::numeric_limits<float>::epsilon() / 2.0 * steps * expected) << n;
    EXPECT_EQ(gs::sum(n, [&](std::size_t i) { return i; }), n == 0 ? 0 : n * (n - 1) / 2) << n;
  }
}

}  // namespace
