#include "runtime/world/task_function.h"

#include <dlfcn.h>

#include <algorithm>
#include <vector>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

struct task_functions {
  std::vector<const task_function*> all;
  std::uint64_t changes = 0;
};

// Until the end of the program: functions go after static objects of this file would have.
task_functions& known_task_functions() {
  static auto& known = *new task_functions;
  return known;
}

// The program or library in whose memory it lies: a window that builds a module anew holds the old one and the new one.
const void* object_around(const task_function* function) {
  Dl_info object{};
  return dladdr(function, &object) != 0 ? object.dli_fbase : nullptr;
}

}  // namespace

task_function::task_function(std::string_view name, std::string_view type, caller call)
    : name_(name), identity_(name_ + " " + std::string(type)), call_(call) {
  known_task_functions().all.push_back(this);
  ++known_task_functions().changes;
}

task_function::~task_function() {
  std::erase(known_task_functions().all, this);
  ++known_task_functions().changes;
}

bool task_function::has_namesake() const {
  return std::ranges::any_of(known_task_functions().all, [&](const task_function* other) {
    return other != this && other->identity_ == identity_ && object_around(other) == object_around(this);
  });
}

const task_function* task_function::find(std::string_view identity) {
  const auto& all = known_task_functions().all;
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const auto* f) { return f->identity_ == identity; });
  return found == all.rend() ? nullptr : *found;
}

std::uint64_t task_function::changes() { return known_task_functions().changes; }

void unpacker::refuse() {
  throw error("a task's arguments or result", "their bytes aren't those of the function's types",
              "start the same program on all ranks");
}

}  // namespace gs::inline GS_FLAVOUR::detail
