// Every lesson is right at awkward sizes.

#include "tests/lessons/lesson_process.h"

namespace {

using nlohmann::json;

class every_lesson_size : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { unsetenv("GRIDSTRIDE_TARGET"); }
};

// As little else as a lesson can be told: size is what matters here, and the sanitizers make each step slow.
std::string little_else(const std::string& lesson) {
  const std::string help = run_lesson(lesson, "--help").out;
  std::string options;
  if (help.find("--iterations") != std::string::npos) options += " --iterations 20";
  if (help.find("--pictures") != std::string::npos) options += " --pictures 1";
  return options;
}

TEST_P(every_lesson_size, is_right_at_awkward_sizes) {
  if (size_option(GetParam(), "1").empty()) {
    const bool has_side = run_lesson(GetParam(), "--help").out.find("--side") != std::string::npos;
    for (const std::string& option :
         has_side ? std::vector<std::string>{" --side 1", " --side 31", " --side 33"} : std::vector<std::string>{""})
      passing_report(GetParam(), option);
    return;
  }
  const std::string others = little_else(GetParam());
  for (const std::string& size : {std::string("1"), std::string("31"), std::string("33"), prime_size(GetParam())}) {
    const std::string option = " --size " + size + others;
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
