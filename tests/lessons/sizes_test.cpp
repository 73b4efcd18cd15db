// Every lesson is right at awkward sizes.

#include "tests/lessons/lesson_process.h"

namespace {

using nlohmann::json;

class every_lesson_size : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { unsetenv("GRIDSTRIDE_TARGET"); }
};

TEST_P(every_lesson_size, is_right_at_awkward_sizes) {
  if (size_option(GetParam(), "1").empty()) {
    passing_report(GetParam(), "");
    return;
  }
  for (const std::string& size : {std::string("1"), std::string("31"), std::string("33"), prime_size(GetParam())}) {
    const std::string option = " --size " + size;
    const auto too_small = [&] {
      return run_lesson(GetParam(), option + " --seed wrong").out.find("out of range") != std::string::npos;
    };
    if (size == "1" && too_small()) continue;  // a lesson may need two points to draw a line
    const json report = passing_report(GetParam(), option);
    EXPECT_EQ(report.at("parameters").at("size"), std::stoi(size));
  }
}

INSTANTIATE_TEST_SUITE_P(, every_lesson_size, testing::ValuesIn(lesson_names()), test_name);

}  // namespace
