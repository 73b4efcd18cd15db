#pragma once
// The tasks as a JSON document: "schema": "gridstride-tasks". assessments/README.md describes it.

#include <string>
#include <vector>

#include "assessments/grader/tasks/task.h"

namespace grader {

std::string tasks_json(const std::vector<task>& tasks);

}  // namespace grader
