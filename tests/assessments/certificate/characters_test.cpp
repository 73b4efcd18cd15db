// Characters of texts that others wrote, and the name on a certificate.

#include "workbook/terminal/characters.h"

#include <gtest/gtest.h>

#include "assessments/grader/certificate/holder_name.h"
#include "tests/runtime/refused.h"

using grader::holder_name;
using runtime_test::refused;

namespace characters_test {

std::u32string codes(std::string_view text) {
  std::u32string all;
  for (const workbook::character& c : workbook::characters_of(text)) all += c.code;
  return all;
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
  EXPECT_EQ(workbook::one_line("plain, µ and 漢字"), "plain, µ and 漢字");
  EXPECT_EQ(workbook::one_line("\033[31mred\n\xc2\x9b\x80 \u202Eback"), "?[31mred??? ?back");
}

TEST(holder_name, may_be_of_any_script) {
  for (const char* name :
       {"Ada Lovelace", "Søren O'Brien-Łukasiewicz", "Αριστοτέλης", "山田太郎", "علی‌رضا", "X"})
    EXPECT_EQ(holder_name(name), name);
  EXPECT_EQ(holder_name("  Ada  Lovelace "), "Ada  Lovelace");
}

TEST(holder_name, must_be_a_name) {
  for (const char* nothing : {"", "   "})
    EXPECT_TRUE(refused([&] { holder_name(nothing); }, {"the name on a certificate: it is empty; give one: --name"}));
  const std::string longest(80, 'x');
  EXPECT_EQ(holder_name(longest), longest);
  EXPECT_TRUE(refused([&] { holder_name(longest + "x"); }, {"it has 81 characters; give at most 80"}));
  std::string sigmas;
  for (int k = 0; k < 80; ++k) sigmas += "Σ";
  EXPECT_EQ(holder_name(sigmas), sigmas);
  EXPECT_TRUE(refused([] { holder_name("Ada\xff"); }, {"it is not UTF-8; write it in UTF-8"}));
}

TEST(holder_name, has_no_control_characters) {
  EXPECT_TRUE(refused([] { holder_name("Ada\nLovelace"); }, {"it has the control character U+000A; leave it out"}));
  EXPECT_TRUE(refused([] { holder_name("Ada\033[1m"); }, {"U+001B"}));
  EXPECT_TRUE(refused([] { holder_name("Ada\u0085"); }, {"U+0085"}));
  EXPECT_TRUE(refused([] { holder_name("Ada \u202EecalevoL"); }, {"U+202E"}));
  EXPECT_TRUE(refused([] { holder_name("A\u200Bda"); }, {"U+200B"}));
  EXPECT_TRUE(refused([] { holder_name(std::string("Ada\0", 4)); }, {"U+0000"}));
}

}  // namespace characters_test
