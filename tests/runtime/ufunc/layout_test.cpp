// Layouts: what is read, and what is refused. Their texts at compile time are in tests/compile_fail.

#include "runtime/ufunc/layout.h"

#include <gtest/gtest.h>

namespace {

using gs::detail::layout_mistake;
using gs::detail::parse_layout;

TEST(layout, dimensions_of_one_name_are_one) {
  constexpr gs::detail::layout of = parse_layout("(m,n),(n,p)->(m,p)");
  static_assert(of.mistake == layout_mistake::none);
  ASSERT_EQ(of.inputs, 2u);
  ASSERT_EQ(of.outputs, 1u);
  ASSERT_EQ(of.dimension_count, 3u);
  EXPECT_EQ(of.operands[1].text, "(n,p)");
  EXPECT_EQ(of.operands[1].dimensions[0], of.operands[0].dimensions[1]);
  EXPECT_EQ(of.operands[2].dimensions[0], of.operands[0].dimensions[0]);
  EXPECT_EQ(of.operands[2].dimensions[1], of.operands[1].dimensions[1]);
}

TEST(layout, numbers_blanks_and_long_names) {
  constexpr gs::detail::layout of = parse_layout(" ( points , 3 ) , () -> ( 3 ) , (bins) , ( ) ");
  static_assert(of.mistake == layout_mistake::none);
  ASSERT_EQ(of.inputs, 2u);
  ASSERT_EQ(of.outputs, 3u);
  ASSERT_EQ(of.dimension_count, 3u);
  EXPECT_EQ(of.dimensions[0].name, "points");
  EXPECT_EQ(of.dimensions[1].fixed, 3u);
  EXPECT_TRUE(of.dimensions[1].in_an_input);
  EXPECT_FALSE(of.dimensions[2].in_an_input);
  EXPECT_EQ(of.operands[1].rank, 0u);
  EXPECT_EQ(of.operands[4].rank, 0u);
}

TEST(layout, mistakes) {
  const std::pair<const char*, layout_mistake> cases[] = {
      {"", layout_mistake::no_arrow},
      {"(i)", layout_mistake::no_arrow},
      {"(i)>()", layout_mistake::no_arrow},
      {"(i)->()->()", layout_mistake::two_arrows},
      {"(i->()", layout_mistake::unbalanced},
      {"i)->()", layout_mistake::unbalanced},
      {"(i))->()", layout_mistake::unbalanced},
      {"((i)->()", layout_mistake::unbalanced},
      {"(i)->(", layout_mistake::unbalanced},
      {"i->()", layout_mistake::unbalanced},
      {"(i,)->()", layout_mistake::empty_name},
      {"(,i)->()", layout_mistake::empty_name},
      {"(i,,j)->()", layout_mistake::empty_name},
      {"(2i)->()", layout_mistake::not_a_name},
      {"(i j)->()", layout_mistake::not_a_name},
      {"(n?)->()", layout_mistake::not_a_name},
      {"(-1)->()", layout_mistake::not_a_name},
      {"(0)->()", layout_mistake::zero_extent},
      {"(i)(j)->()", layout_mistake::no_comma},
      {"(i),->()", layout_mistake::no_comma},
      {"i,(j)->()", layout_mistake::no_comma},
      {"->()", layout_mistake::no_input},
      {"(i)->", layout_mistake::no_output},
      {"(1000001)->()", layout_mistake::too_large},
      {"(a,b,c,d,e,f,g,h,i)->()", layout_mistake::too_large},
      {"(),(),(),(),(),(),(),(),(),(),(),(),(),(),(),()->()", layout_mistake::too_large},
  };
  for (const auto& [text, mistake] : cases) EXPECT_EQ(parse_layout(text).mistake, mistake) << text;
}

}  // namespace
