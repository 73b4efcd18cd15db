// The form that is signed: RFC 8785's own examples, and what must not be signed or read.

#include "assessments/grader/certificate/canonical_json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/runtime/refused.h"

using grader::canonical_json;
using nlohmann::json;
using runtime_test::refused;

namespace canonical_json_test {

json parsed(const std::string& text) { return grader::read_json_strictly(text, "reading it"); }

TEST(canonical_json, writes_numbers_as_the_standard_lists_them) {
  // RFC 8785, appendix B: bits of a double, and its text.
  const std::pair<std::uint64_t, const char*> examples[] = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555554, "333333333.33333325"},
      {0x41b3de4355555555, "333333333.3333333"},
      {0x41b3de4355555556, "333333333.3333334"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"},
  };
  for (const auto& [bits, text] : examples) EXPECT_EQ(canonical_json(std::bit_cast<double>(bits)), text);
}

TEST(canonical_json, sorts_members_and_leaves_spaces_out) {
  // RFC 8785, section 3.2.2 and its result in 3.2.3, without the members' names beyond ASCII.
  const json value = parsed(R"({
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  })");
  EXPECT_EQ(canonical_json(value),
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
            "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
  EXPECT_EQ(canonical_json(parsed(R"({"b": {}, "a": [], "B": {"z": 1, "y": 96.0}})")),
            R"({"B":{"y":96,"z":1},"a":[],"b":{}})");
}

TEST(canonical_json, the_same_value_has_the_same_bytes) {
  EXPECT_EQ(canonical_json(parsed("[96, 0.1, \"\\u0041\"]")), canonical_json(parsed("[ 96.0,\n0.10, \"A\"]")));
  EXPECT_NE(canonical_json(parsed("[96]")), canonical_json(parsed("[\"96\"]")));
}

TEST(canonical_json, refuses_what_has_no_such_form) {
  for (const double v : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_TRUE(
        refused([&] { canonical_json(v); }, {"a document to sign: a number is not finite; such a number has no"}));
  EXPECT_EQ(canonical_json(std::int64_t{1} << 53), "9007199254740992");
  for (const char* text : {"9007199254740993", "-9007199254740993", "18446744073709551615"})
    EXPECT_TRUE(refused([&] { canonical_json(parsed(text)); }, {"the integer", text, "is beyond 2^53"}));
  EXPECT_TRUE(refused([] { canonical_json("\xff"); }, {"a text is not UTF-8; write it in UTF-8"}));
}

TEST(reading_strictly, refuses_what_two_readers_could_read_differently) {
  EXPECT_TRUE(refused([] { parsed(R"({"a": 1, "b": {"a": 2}, "a": 3})"); },
                      {"reading it: the member \"a\" stands in it twice"}));
  EXPECT_EQ(parsed(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})").size(), 2u);
  EXPECT_TRUE(refused([] { parsed("{\"a\": 1"); },
                      {"reading it: it is not JSON (byte 8); give the file as Gridstride wrote it"}));
  EXPECT_TRUE(refused([] { parsed("{} {}"); }, {"it is not JSON"}));
  EXPECT_TRUE(refused([] { parsed(""); }, {"it is not JSON"}));
  EXPECT_TRUE(refused([] { parsed("\"\xff\""); }, {"it is not JSON"}));
  EXPECT_TRUE(refused([] { parsed("1e999"); }, {"it holds a number beyond the range of a double"}));
}

TEST(reading_strictly, refuses_deep_documents_instead_of_running_out_of_stack) {
  EXPECT_NO_THROW(parsed(std::string(16, '[') + std::string(16, ']')));
  EXPECT_TRUE(refused([] { parsed(std::string(17, '[') + std::string(17, ']')); }, {"it is nested more than 16 deep"}));
  EXPECT_TRUE(refused([] { parsed(std::string(1'000'000, '[')); }, {"it is nested more than 16 deep"}));
}

}  // namespace canonical_json_test
