// The name on a certificate.

#include "assessments/grader/certificate/holder_name.h"

#include <gtest/gtest.h>

#include "tests/runtime/refused.h"

using grader::holder_name;
using runtime_test::refused;

namespace holder_name_test {

TEST(holder_name, may_be_of_any_script) {
  for (const char* name :
       {"Ada Lovelace", "Søren O'Brien-Łukasiewicz", "Αριστοτέλης", "山田太郎", "علی‌رضا", "X"})
    EXPECT_EQ(holder_name(name), name);
  EXPECT_EQ(holder_name("  Ada  Lovelace "), "Ada  Lovelace");
}

TEST(holder_name, must_be_a_name) {
  for (const char* empty_name : {"", "   "})
    EXPECT_TRUE(
        refused([&] { holder_name(empty_name); }, {"the name on a certificate: it is empty; give one: --name"}));
  const std::string longest(80, 'x');
  EXPECT_EQ(holder_name(longest), longest);
  EXPECT_TRUE(refused([&] { holder_name(longest + "x"); }, {"it has 81 characters; give at most 80"}));
  std::string sigmas;
  for (int k = 0; k < 80; ++k) sigmas += "Σ";
  EXPECT_EQ(holder_name(sigmas), sigmas);
  EXPECT_TRUE(refused([] { holder_name("Ada\xff"); }, {"it is not UTF-8; write it in UTF-8"}));
}

TEST(holder_name, has_no_control_characters) {
  EXPECT_TRUE(
      refused([] { holder_name("Ada\nLovelace"); }, {"it contains the control character U+000A; leave it out"}));
  EXPECT_TRUE(refused([] { holder_name("Ada\033[1m"); }, {"U+001B"}));
  EXPECT_TRUE(refused([] { holder_name("Ada\u0085"); }, {"U+0085"}));
  EXPECT_TRUE(refused([] { holder_name("Ada \u202EecalevoL"); }, {"U+202E"}));
  EXPECT_TRUE(refused([] { holder_name("A\u200Bda"); }, {"U+200B"}));
  EXPECT_TRUE(refused([] { holder_name(std::string("Ada\0", 4)); }, {"U+0000"}));
}

}  // namespace holder_name_test
