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
  throw gs::error(fmt::format("a call with {}", to_string(c)), fmt::format("the task has no data \"{}\"", c.data),
                  fmt::format("name one of {} in task.json", fmt::join(known, ", ")));
}

std::unique_ptr<problem> problem_of(std::string_view id) {
  if (id == "A1") return neural_layer_problem();
  if (id == "A2") return histogram_problem();
  if (id == "A3") return transpose_problem();
  throw gs::error(fmt::format("the problem of task {}", id), "there are A1, A2 and A3",
                  "add the factory of its problem.cpp to assessments/grader/tasks/problem.cpp");
}

}  // namespace grader
