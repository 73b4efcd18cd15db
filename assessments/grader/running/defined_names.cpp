#include "assessments/grader/running/defined_names.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

namespace grader {
namespace {

std::string demangled(const std::string& linked) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(linked.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : linked;
}

// Whether a library that this program has loaded exports it: the C and C++ libraries and the runtime are among them.
bool is_exported(const std::string& linked) { return dlsym(RTLD_DEFAULT, linked.c_str()) != nullptr; }

bool stands_for_the_start(const std::string& linked) {
  constexpr std::array names = {"main", "_start", "_init", "_fini", "gridstride_submission", "__libc_start_main"};
  return std::ranges::find(names, linked) != names.end();
}

// cudaMalloc, cuLaunchKernel, __cudaRegisterFunction: names of libraries that this program hasn't loaded.
bool belongs_to_cuda(std::string_view linked) {
  if (linked.starts_with("__")) linked.remove_prefix(2);
  return linked.starts_with("cuda") ||
         (linked.starts_with("cu") && linked.size() > 2 && 'A' <= linked[2] && linked[2] <= 'Z');
}

// What the linker and the compiler put around accesses in the checked flavour.
bool belongs_to_instruments(std::string_view linked) {
  return linked.starts_with("__tsan_") || linked.starts_with("__wrap_") || linked.starts_with("__real_");
}

bool is_taken(const defined_name& candidate, const std::set<std::string>& runtime) {
  if (runtime.contains(candidate.linked) || belongs_to_instruments(candidate.linked)) return true;
  if (!candidate.linked.starts_with("_Z"))
    return stands_for_the_start(candidate.linked) || is_exported(candidate.linked) || belongs_to_cuda(candidate.linked);
  // operator new and delete, with and without []
  for (const char* prefix : {"_Znw", "_Zna", "_Zdl", "_Zda"})
    if (candidate.linked.starts_with(prefix)) return true;
  if (candidate.is_weak) return false;
  return candidate.name.starts_with("gs::") || is_exported(candidate.linked);
}

}  // namespace

std::vector<defined_name> read_names(std::string_view text) {
  std::vector<defined_name> names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t blank = line.find(' ');
    if (blank == line.npos || blank == 0 || blank + 1 >= line.size()) continue;
    const std::string linked(line.substr(0, blank));
    const char type = line[blank + 1];
    names.push_back(
        {linked, demangled(linked), type == 'W' || type == 'V' || type == 'w' || type == 'v' || type == 'u'});
  }
  return names;
}

// Lines "name|value|class|type|size|line|section", with blanks around each.
void demote_declared_weak(std::vector<defined_name>& names, std::string_view text) {
  std::set<std::string, std::less<>> written_weak;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = line.find('|'), last = line.rfind('|');
    if (first == line.npos || last == first) continue;
    // g++ puts each name that many objects may define into a section named after it: .text._ZN2gs...
    if (line.substr(last).find("._Z") == line.npos)
      written_weak.emplace(line.substr(0, line.find_last_not_of(' ', first - 1) + 1));
  }
  for (defined_name& candidate : names)
    if (written_weak.contains(candidate.linked)) candidate.is_weak = false;
}

std::optional<defined_name> taken_name(const std::vector<defined_name>& names, const std::set<std::string>& runtime) {
  const auto found =
      std::ranges::find_if(names, [&](const defined_name& candidate) { return is_taken(candidate, runtime); });
  if (found == names.end()) return std::nullopt;
  return *found;
}

}  // namespace grader
