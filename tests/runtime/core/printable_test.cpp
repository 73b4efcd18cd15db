// Characters of texts that others wrote, and what of them is shown.

#include "runtime/core/printable.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace printable_test {

std::u32string codes(std::string_view text) {
  std::u32string characters;
  for (const gs::detail::character& c : gs::detail::characters_of(text)) characters += c.code;
  return characters;
}

TEST(characters, are_read_from_utf_8) {
  EXPECT_EQ(codes("aé€😀"), U"aé€😀");
  EXPECT_EQ(codes("\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"),
            U"\x7f\x80\x7ff\x800\xffff\U00010000\U0010ffff");
}

TEST(characters, bytes_that_are_no_utf_8_are_told) {
  // Alone, cut short, too long a form, half of a pair, beyond the last character.
  EXPECT_EQ(codes("\x80"), U"\xfffd");
  EXPECT_EQ(codes("\xe2\x82"), U"\xfffd\xfffd");
  EXPECT_EQ(codes("\xc1\x81"), U"\xfffd\xfffd");
  EXPECT_EQ(codes("\xe0\x9f\xbf"), U"\xfffd\xfffd\xfffd");
  EXPECT_EQ(codes("\xed\xa0\x80"), U"\xfffd\xfffd\xfffd");
  EXPECT_EQ(codes("\xf4\x90\x80\x80"), U"\xfffd\xfffd\xfffd\xfffd");
  EXPECT_EQ(codes("a\xffZ"), U"a\xfffdZ");
}

TEST(one_line, leaves_nothing_that_a_terminal_takes_for_a_command) {
  EXPECT_EQ(gs::detail::one_line("plain, µ and 漢字"), "plain, µ and 漢字");
  EXPECT_EQ(gs::detail::one_line("\033[31mred\n\xc2\x9b\x80 \u202Eback"), "?[31mred??? ?back");
}

TEST(printable_text, keeps_letters_and_drops_controls) {
  EXPECT_EQ(gs::detail::printable("µ ✓ 日本 a\tb\n"), "µ ✓ 日本 a\tb\n");
  EXPECT_EQ(gs::detail::printable("\x1b[2J\x7f\r"), "?[2J??");
  EXPECT_EQ(gs::detail::printable("\xc2\x9b"
                                  "2J"),
            "?2J")
      << "a C1 control character is an escape, too";
  EXPECT_EQ(gs::detail::printable("\xff\xc3"), "??");
  EXPECT_EQ(gs::detail::printable("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80"), "?????????")
      << "overlong, surrogate, beyond";
  EXPECT_EQ(gs::detail::printable("\xef\xbf\xbf"), "?");
  EXPECT_EQ(gs::detail::printable("a\u202Eb"), "a?b") << "it would turn the rest of the line around";
  EXPECT_EQ(gs::detail::printable(std::string("a\0b", 3)), "a?b");
}

}  // namespace printable_test
