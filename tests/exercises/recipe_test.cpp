// CONTRIBUTING's recipe for an exercise, as it is printed.

#include "tests/exercises/small_course.h"
#include "workbook/exercise/marks.h"

namespace {

using exercises_test::text_of;

class recipe : public exercises_test::small_course {};

// The C++ block that holds `part`.
std::string block_with(const std::string& part) {
  const std::string text = text_of(CONTRIBUTING), fence = "```cpp\n";
  const std::size_t start = text.rfind(fence, text.find(part)) + fence.size();
  return text.substr(start, text.find("```\n", start) - start);
}

}  // namespace

TEST_F(recipe, makes_an_exercise) {
  const std::filesystem::path folder = my / "lessons/90_dots";
  std::filesystem::create_directories(folder);
  const std::string solution = block_with("// Your turn: return twice as much.");
  for (const auto& [name, text] : {std::pair{"lesson.cpp", std::string("// A lesson.\n")},
                                   {"solution.cpp", solution},
                                   {"exercise.cpp", workbook::starter_of(solution)},
                                   {"checks.cpp", block_with("workbook::this_exercise")}})
    std::ofstream(folder / name) << text;
  setenv("GRIDSTRIDE_ROOT", my.c_str(), 1);
  const auto course = workbook::read_catalogue(my / "lessons", "/nowhere");
  const auto exercise = workbook::find_exercise(course, "90");
  const auto starter = exercises::check_exercise(exercise, folder / "exercise.cpp");
  EXPECT_EQ(starter->outcome, exercises::outcome::check_failed) << starter->text << starter->messages;
  EXPECT_EQ(starter->first_failed_check()->name, "doubled(1.5)");
  const auto passed = exercises::check_exercise(exercise, folder / "solution.cpp");
  EXPECT_TRUE(passed->passed()) << passed->text << passed->messages;
  EXPECT_EQ(passed->checks.size(), 2u);
}
