// Shapes: how they are made, compared, counted and written, and what is no shape.

#include "runtime/core/shape.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/runtime/refused.h"

namespace {

using runtime_test::refused;

TEST(shape, is_made_from_numbers_lists_and_ranges) {
  EXPECT_EQ(gs::shape().rank(), 0u);
  EXPECT_EQ(gs::shape(5).rank(), 1u);
  EXPECT_EQ(gs::shape({2, 3, 4})[1], 3u);
  EXPECT_EQ(gs::shape(std::vector<int>{2, 3, 4}), gs::shape({2, 3, 4}));
  EXPECT_EQ(gs::shape(std::vector<std::size_t>{}), gs::shape());
  EXPECT_FALSE(gs::shape({2, 3}) == gs::shape({3, 2}));
  EXPECT_FALSE(gs::shape({2, 3}) == gs::shape({2, 3, 1}));
  EXPECT_FALSE(gs::shape(1) == gs::shape());
}

TEST(shape, size_is_the_product_of_the_extents) {
  EXPECT_EQ(gs::shape().size(), 1u);
  EXPECT_EQ(gs::shape({3, 4, 5}).size(), 60u);
  EXPECT_EQ(gs::shape({3, 0, 5}).size(), 0u);
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_EQ(gs::shape({large, large, std::int64_t{0}}).size(), 0u) << "0 elements, whatever the other extents are";
}

TEST(shape, is_written_as_python_writes_it) {
  EXPECT_EQ(to_string(gs::shape()), "()");
  EXPECT_EQ(to_string(gs::shape(5)), "(5,)");
  EXPECT_EQ(to_string(gs::shape({3, 4})), "(3, 4)");
}

TEST(shape, refuses_what_is_no_shape) {
  EXPECT_TRUE(refused([] { gs::shape(-1); }, {"an extent of -1", "0 or more"}));
  EXPECT_TRUE(refused([] { gs::shape({3, -7}); }, {"an extent of -7"}));
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_TRUE(refused([&] { (void)gs::shape({large, large}).size(); },
                      {"(1099511627776, 1099511627776)", "more elements than a 64-bit size can count"}));
}

TEST(shape, has_32_dimensions_at_most) {
  const std::vector<int> most(32, 1), more(33, 1);
  EXPECT_EQ(gs::shape(most).rank(), 32u);
  EXPECT_TRUE(refused([&] { gs::shape s(more); }, {"more than 32 dimensions"}));
}

TEST(shape, without_a_dimension) {
  EXPECT_EQ(gs::shape({2, 3, 4}).without(0), gs::shape({3, 4}));
  EXPECT_EQ(gs::shape({2, 3, 4}).without(1), gs::shape({2, 4}));
  EXPECT_EQ(gs::shape({2, 3, 4}).without(2), gs::shape({2, 3}));
  EXPECT_EQ(gs::shape(7).without(0), gs::shape());
}

}  // namespace
