#include "workbook/module.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "runtime/core/error.h"

namespace workbook {
namespace {

// Whether the file is as long as its headers say. The dynamic linker takes that for granted: a file that is being
// written, or was cut off, would crash the program. (System V ABI, "Object Files".)
bool is_whole(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  Elf64_Ehdr header{};
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return false;
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  in.seekg(static_cast<std::streamoff>(header.e_phoff));
  if (!in.read(reinterpret_cast<char*>(segments.data()),
               static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr))))
    return false;
  const auto size = std::filesystem::file_size(file);
  for (const Elf64_Phdr& s : segments)
    if (s.p_type == PT_LOAD && (s.p_offset > size || s.p_filesz > size - s.p_offset)) return false;
  return header.e_shoff <= size && std::size_t{header.e_shnum} * header.e_shentsize <= size - header.e_shoff;
}

}  // namespace

lesson_module lesson_module::open(const std::string& path) {
  // Without a slash dlopen would search the system's library folders instead of opening this file.
  const std::string file = std::filesystem::absolute(path).string();
  if (std::filesystem::is_regular_file(file) && !is_whole(file))
    throw gs::error(fmt::format("opening the lesson module {}", path),
                    "the file is no shared library, or not a whole one", "build the lesson again");
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
