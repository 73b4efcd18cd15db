// The type inspector compiles lesson 03 anew and names the literal that lacks its f.

#include "tests/lessons/lesson_process.h"

using nlohmann::json;

TEST(types, finds_the_missing_letter) {
  std::string output;
  for (const json& paragraph : items_of(passing_report("03_types", "--size 31 --inspector on"), "paragraph"))
    output += paragraph.at("text").get<std::string>();
  EXPECT_NE(output.find("0.1 is a float64 literal; write 0.1f"), std::string::npos) << output;
  EXPECT_NE(output.find("lessons/03_types/lesson.cpp"), std::string::npos);
}
