// Every lesson is right at awkward sizes.

#include "tests/lessons/lesson_process.h"

namespace {

using nlohmann::json;

class every_lesson_size : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { unsetenv("GRIDSTRIDE_TARGET"); }
};

TEST_P(every_lesson_size, is_right_at_awkward_sizes) {
  const std::string help = run_lesson(GetParam(), "--help").out;
  const auto takes = [&](const std::string& option) { return help.find("--" + option + ' ') != std::string::npos; };
  if (!takes("size") && !takes("side")) {
    passing_report(GetParam(), "");
    return;
  }
  const std::string name = takes("size") ? "size" : "side";
  std::vector<std::string> sizes{"1", "31", "33"};
  if (name == "size") sizes.push_back(prime_size(GetParam()));
  // Little else than the size: the sanitizers make each step slow.
  std::string others;
  if (takes("iterations")) others += " --iterations 20";
  if (takes("pictures")) others += " --pictures 1";
  if (takes("channels")) others += " --channels 5";
  if (takes("products")) others += " --products 200";
  for (const std::string& size : sizes) {
    const std::string options = " --" + name + ' ' + size + others;
    const auto too_small = [&] {
      return run_lesson(GetParam(), options + " --seed wrong").out.find("out of range") != std::string::npos;
    };
    if (size == "1" && too_small()) continue;  // a lesson may need two points to draw a line
    const json report = passing_report(GetParam(), options);
    EXPECT_EQ(report.at("parameters").at(name), std::stoi(size));
  }
}

INSTANTIATE_TEST_SUITE_P(, every_lesson_size, testing::ValuesIn(lesson_names()), test_name);

}  // namespace
