#pragma once
// A finding: something that a course lacks, or that is wrong with it, in one line.

#include <string>
#include <vector>

namespace courses {

struct finding {
  std::string place;  ///< from the course's folder on: "lessons/01_squares"
  std::string text;   ///< "it has no README.md, the lesson's text"
};
std::string to_string(const finding& f);

/// One line each; "" if there are none.
std::string to_string(const std::vector<finding>& findings);

}  // namespace courses
