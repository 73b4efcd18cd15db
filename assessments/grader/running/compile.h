#pragma once
// Compiles a submission to a module, in a sandbox, with the flags and the prebuilt objects of the build.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <variant>

#include "assessments/grader/running/mishap.h"
#include "assessments/grader/tasks/task.h"
#include "workshop/build_parts.h"
#include "workshop/sandbox.h"
#include "workshop/source_file.h"

namespace grader {

using workshop::flavour, workshop::isolation, workshop::source_file;

/// A module, in a folder that is removed with the last copy of this object.
struct compiled_module {
  std::filesystem::path module;
  workshop::flavour flavour = workshop::flavour::plain;
  double seconds = 0;   ///< spent compiling and linking
  bool on_gpu = false;  ///< runs on the GPU; flavour::cuda can run on the engine as well
  std::shared_ptr<void> folder = {};
};

/// The module, or why there is none: a compile error (by line, in the learner's file), a function that is missing or
/// has another signature, a name that it must not define (malloc), or a compiler that ran out of time or memory.
std::variant<compiled_module, mishap> compile(const task& t, const source_file& source, workshop::flavour f,
                                              isolation level, unsigned slot = 0);

/// The module of a task's baseline.cpp, made by the build; empty if the task has none.
std::optional<compiled_module> built_baseline(const task& t, workshop::flavour f = flavour::plain);

}  // namespace grader
