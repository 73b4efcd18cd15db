#pragma once
// What a lesson's text tells the learner to type.

#include <fstream>
#include <regex>

#include "tests/lessons/lesson_process.h"

/// The README.md of a lesson.
inline std::string text_of(const std::string& lesson) {
  std::ifstream in(std::filesystem::path(LESSON_SOURCES) / lesson / "README.md");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// "./gridstride run 06 --size 100M": the options of each such command in the text, without those that are the
/// launcher's own; `word` is "run" or "inspect".
inline std::vector<std::string> commands_in(const std::string& lesson, const std::string& word) {
  std::vector<std::string> options;
  const std::string text = text_of(lesson);
  const std::regex command(R"(\./gridstride )" + word + R"( (\d\d)((?: --[a-z-]+ [^\s`.,;:]+(?:\.\w+)?)*))");
  for (std::sregex_iterator it(text.begin(), text.end(), command), end; it != end; ++it)
    if ((*it)[1] == lesson.substr(0, 2))
      options.push_back(std::regex_replace((*it)[2].str(), std::regex(" --(ranks|hosts) \\S+"), ""));
  return options;
}
