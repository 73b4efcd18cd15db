#include "workbook/module.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "runtime/core/error.h"

namespace workbook {
namespace {

// Whether the file ends before its table of sections, which a linker writes last: dlopen would map pages that aren't
// there, and end the program.
bool is_cut_off(const std::string& file) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(file, none);
  Elf64_Ehdr head{};
  std::ifstream in(file, std::ios::binary);
  if (none || !in.read(reinterpret_cast<char*>(&head), sizeof head)) return false;
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return false;  // no library at all, which dlopen says itself
  return head.e_shoff + std::uintmax_t{head.e_shnum} * head.e_shentsize > size;
}

}  // namespace

lesson_module lesson_module::open(const std::string& path) {
  // Without a slash dlopen would search the system's library folders instead of opening this file.
  const std::string file = std::filesystem::absolute(path).string();
  if (is_cut_off(file))
    throw gs::error(fmt::format("opening the lesson module {}", path), "the file is cut off",
                    "wait until it is built, or build the lesson again");
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
