// What runtime/README.md promises of gs.h is declared in it: nothing else is included here.

#include "runtime/gs.h"

#include <gtest/gtest.h>

#include <type_traits>

GS_FN float half_of(float x) { return 0.5f * x; }
inline constexpr auto halves = gs::vectorize<half_of>;

TEST(gs_header, has_occupancy_and_types) {
  EXPECT_GT(gs::occupancy_of(gs::model_of("9.0"), {256, 1, 1}, 0, 32).active_blocks, 0u);
  const auto inspect = [] { return gs::inspect_types(halves); };  // running it takes seconds: tests/inspect does
  EXPECT_TRUE((std::is_same_v<decltype(inspect()), gs::type_report>));
}
