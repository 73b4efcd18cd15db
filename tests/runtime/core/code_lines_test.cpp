// The lines of code: each piece is asked for once.

#include "runtime/core/code_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace {

using gs::detail::find_code_lines, gs::detail::is_known_line;

constexpr std::array<char, 4> somewhere{};  // in this program

// Says line 1 of the code that is asked for first, line 3 of the third and so on; of the others it knows no line.
std::vector<std::uintptr_t> asked;
std::string lines_in_turn(const std::string&, const std::vector<std::uintptr_t>& offsets) {
  std::string text;
  for (const std::uintptr_t offset : offsets) {
    asked.push_back(offset);
    text += fmt::format("{:#x}\nf\n{}\n", offset,
                        asked.size() % 2 == 1 ? fmt::format("/my/wave.cpp:{}", asked.size()) : std::string("??:0"));
  }
  return text;
}

TEST(code_lines, are_asked_for_once) {
  const auto before = gs::detail::find_lines_by(&lines_in_turn);
  const void *first = &somewhere[1], *second = &somewhere[2], *third = &somewhere[3];
  EXPECT_FALSE(is_known_line(first));
  const auto found = find_code_lines(std::array{first, second});
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_TRUE(is_known_line(first));
  EXPECT_FALSE(is_known_line(second)) << "it has no line";
  const auto again = find_code_lines(std::array{first, third, second});
  gs::detail::find_lines_by(before);
  EXPECT_EQ(asked.size(), 3u);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.at(first).at(0).line, 1u);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again.at(first).at(0).line, 1u);
  EXPECT_EQ(again.at(first).at(0).file, "/my/wave.cpp");
  EXPECT_EQ(again.at(third).at(0).line, 3u);
}

TEST(code_lines, of_nothing_are_not_asked_for) {
  const std::size_t before = asked.size();
  EXPECT_TRUE(find_code_lines({}).empty());
  EXPECT_FALSE(is_known_line(nullptr));
  EXPECT_EQ(asked.size(), before);
}

}  // namespace
