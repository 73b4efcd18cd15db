#include "workbook/module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "runtime/core/error.h"

namespace workbook {

lesson_module lesson_module::open(const std::string& path) {
  // Without a slash dlopen would search the system's library folders instead of opening this file.
  const std::string file = std::filesystem::absolute(path).string();
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw gs::error(fmt::format("opening the lesson module {}", path), dlerror(), "build the lesson again");
  std::shared_ptr<void> library(handle, [](void* h) { dlclose(h); });
  const auto entry = reinterpret_cast<decltype(&gridstride_lesson)>(dlsym(handle, "gridstride_lesson"));
  if (entry == nullptr)
    throw gs::error(fmt::format("opening the lesson module {}", path), "it has no entry gridstride_lesson",
                    "give the .so file of a lesson");
  return {library, entry()};
}

}  // namespace workbook
