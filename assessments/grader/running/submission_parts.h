#pragma once
// submission_parts: what the build has made for submissions.

#include <filesystem>
#include <vector>

#include "assessments/grader/tasks/task.h"
#include "workshop/build_parts.h"

namespace grader {

/// gridstride-runner of a flavour. Throws gs::machine_error where it isn't built.
std::filesystem::path runner_program(workshop::flavour f);

/// How a task's submissions are compiled. Throws as workshop::read_parts does.
workshop::compilation_parts parts_of(const task& t, workshop::flavour f);

/// What is built of the task for a flavour: in the build folder of its course. Not made sure to be there.
std::filesystem::path built_folder(const task& t, workshop::flavour f);

/// What a runner of that flavour needs to read: itself and the runtime's libraries.
std::vector<std::filesystem::path> readable_by_runner(workshop::flavour f);

}  // namespace grader
