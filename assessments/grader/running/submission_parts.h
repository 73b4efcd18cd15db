#pragma once
// submission_parts: what the build provides for submissions.

#include <filesystem>
#include <vector>

#include "assessments/grader/tasks/task.h"
#include "workshop/build_parts.h"

namespace grader {

/// A flavour's gridstride-runner. Throws gs::machine_error if it isn't built.
std::filesystem::path runner_program(workshop::flavour f);

/// How a task's submissions are compiled. Throws as workshop::read_parts does.
workshop::compilation_parts parts_of(const task& t, workshop::flavour f);

/// The folder of what is built of the task for a flavour, in its course's build folder. It may not exist.
std::filesystem::path built_folder(const task& t, workshop::flavour f);

/// The files that a runner of that flavour reads: itself and the runtime's libraries.
std::vector<std::filesystem::path> readable_by_runner(workshop::flavour f);

}  // namespace grader
