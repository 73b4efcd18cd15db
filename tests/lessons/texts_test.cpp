// The commands in the lessons' texts work, and the output that the texts show is what the programs print.

#include <algorithm>
#include <regex>

#include "tests/lessons/lesson_process.h"
#include "tests/lessons/lesson_text.h"

namespace {

class every_text : public testing::TestWithParam<std::string> {};

TEST_P(every_text, has_commands_that_are_accepted_and_end_well) {
  std::vector<std::string> commands = commands_in(GetParam(), "run");
  std::ranges::sort(commands);
  commands.erase(std::ranges::unique(commands).begin(), commands.end());
  EXPECT_FALSE(commands.empty()) << "the text doesn't say how to run the lesson";
  for (const std::string& options : commands) {
    // Options are read before the seed: if a wrong seed is what the program complains of, it took all others.
    const lesson_outcome refused = run_lesson(GetParam(), options + " --seed wrong");
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.out.find("--seed: 'wrong'"), std::string::npos) << options << "\n" << refused.out;
    if (options.empty()) continue;
    // And it runs with them, on fewer elements and for fewer steps where the text asks for many.
    const std::string smaller =
        std::regex_replace(options, std::regex("--size (\\S*[0-9][kM]|[0-9]{4,})"), "--size " + prime_size(GetParam()));
    passing_report(GetParam(), std::regex_replace(smaller, std::regex("--iterations \\S+"), "--iterations 20"));
  }
}

// Lines of a table or a check shown in the text are lines of the output, blanks aside. Where the text says that they
// vary, they are times.
TEST_P(every_text, shows_tables_that_the_program_prints) {
#if GRIDSTRIDE_CHECKED
  GTEST_SKIP() << "the texts show what the plain flavour prints";
#endif
  const auto squeezed = [](const std::string& line) {
    const std::string single = std::regex_replace(line, std::regex("\\s+"), " ");
    return std::regex_replace(single, std::regex("^ | $"), "");
  };
  std::istringstream text(text_of(GetParam()));
  std::vector<std::string> table;
  bool in_table = false, varies = false;
  std::string previous, line;
  while (std::getline(text, line)) {
    const bool code = line.starts_with("    ");
    if (code && line.find("───  ") != std::string::npos) {
      in_table = true;
      varies = previous.find("var") != std::string::npos;
      if (!varies) table.push_back(previous);
    } else if (in_table && code) {
      if (!varies) table.push_back(line);
    } else {
      in_table = false;
    }
    previous = line;
  }
  if (table.empty()) return;
  const std::string output = squeezed(run_command("COLUMNS=200 " + lesson_program(GetParam()) + " 2>/dev/null").out);
  for (const std::string& row : table)
    EXPECT_NE(output.find(squeezed(row)), std::string::npos) << "not printed: " << squeezed(row);
}

INSTANTIATE_TEST_SUITE_P(, every_text, testing::ValuesIn(lesson_names()), test_name);

}  // namespace
