#include "assessments/grader/tasks/problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/core/error.h"

namespace grader {

std::uint64_t size_of(const test_case& c, const std::string& name) {
  const auto found = c.sizes.find(name);
  if (found == c.sizes.end())
    throw gs::error(fmt::format("a call with {}", to_string(c)), fmt::format("it has no size \"{}\"", name),
                    fmt::format("add \"{}\" to the sizes of this case in task.json", name));
  return found->second;
}

void refuse_data(const test_case& c, const std::vector<std::string>& known) {
  throw gs::error(fmt::format("a call with {}", to_string(c)), fmt::format("the task knows no data \"{}\"", c.data),
                  fmt::format("name one of {} in task.json", fmt::join(known, ", ")));
}

std::unique_ptr<problem> problem_of(std::string_view id) {
  const auto problems = course_problems();
  if (const auto found = problems.find(id); found != problems.end()) return found->second();
  std::vector<std::string> known;
  for (const auto& [name, make] : problems) known.push_back(name);
  throw gs::error(fmt::format("the problem of task {}", id),
                  fmt::format("this program has those of {}", fmt::join(known, ", ")),
                  "build the grader again, after writing the task's problem.cpp");
}

}  // namespace grader
