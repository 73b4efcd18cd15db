#include "runtime/instruments/site.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

std::string run_addr2line(const std::string& module, const std::vector<std::uintptr_t>& offsets) {
  std::string command = fmt::format("addr2line -a -i -f -e '{}'", module);
  for (const std::uintptr_t offset : offsets) command += fmt::format(" {:#x}", offset);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>/dev/null").c_str(), "r"), pclose);
  std::string text;
  if (!pipe) return text;
  char piece[4096];
  while (const std::size_t n = std::fread(piece, 1, sizeof piece, pipe.get())) text.append(piece, n);
  return text;
}

line_finder find_lines = &run_addr2line;

// What addr2line says: lines "function" and "file:line (...)" in turn, the innermost inlined function first.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

source_place parse(std::string_view text) {
  text = text.substr(0, text.find(" ("));
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) return {};
  unsigned line = 0;
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), line);
  return line == 0 ? source_place{} : source_place{std::string(text.substr(0, colon)), line, 0};
}

// The runtime's own files and the system's headers are not where a learner looks.
bool is_of_the_runtime(const std::string& file) {
  return file.starts_with("/usr/") || (file.find("/runtime/") != file.npos && file.find("/tests/") == file.npos);
}

}  // namespace

void find_lines_by(line_finder find) { find_lines = find; }

site site_table::find(const void* key, const std::source_location& where) {
  const auto [known, is_new] = by_address_.try_emplace(key, unknown_site);
  if (is_new) known->second = find_place(where.file_name(), where.line(), where.column());
  return known->second;
}

site site_table::find_place(const std::string& file, unsigned line, unsigned column) {
  const auto [known, is_new] = by_place_.try_emplace({file, line, column}, static_cast<site>(places_.size()));
  if (is_new) places_.push_back({file, line, column});
  return known->second;
}

site site_table::find_code(const void* code) { return number_of_stack({code}); }

site site_table::number_of_caller(const std::source_location& where) {
  if (!is_of_the_runtime(where.file_name())) return number_of(where);
  std::array<void*, 24> frames;
  const int depth = backtrace(frames.data(), static_cast<int>(frames.size()));
  return number_of_stack(std::vector<const void*>(frames.begin(), frames.begin() + depth));
}

site site_table::number_of_stack(std::vector<const void*> frames) {
  const auto [known, is_new] = by_stack_.try_emplace(std::move(frames), static_cast<site>(places_.size()));
  if (is_new) {
    places_.push_back({"", 0, known->second});
    unresolved_.push_back(known);
  }
  return known->second;
}

void site_table::resolve() {
  struct code_in_module {
    std::uintptr_t offset;
    const void* code;
  };
  std::map<std::string, std::vector<code_in_module>> by_module;
  for (const auto& stack : unresolved_) {
    for (const void* code : stack->first) {
      Dl_info info;
      link_map* module = nullptr;
      if (!dladdr1(code, &info, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP) || !module) continue;
      // The code is where the call returns to: the call is before it.
      const auto offset = reinterpret_cast<std::uintptr_t>(code) - module->l_addr - 1;
      by_module[*module->l_name ? module->l_name : "/proc/self/exe"].push_back({offset, code});
    }
  }
  std::map<const void*, source_place> found;
  for (const auto& [module, codes] : by_module) {
    const std::unique_ptr<char, void (*)(void*)> real(realpath(module.c_str(), nullptr), std::free);
    std::vector<std::uintptr_t> offsets;
    for (const code_in_module& one : codes) offsets.push_back(one.offset);
    std::size_t current = codes.size(), next = 0;
    bool is_place = false;
    for (const std::string& line : lines_of(find_lines(real ? real.get() : module.c_str(), offsets))) {
      if (line.starts_with("0x")) {
        current = next++;
        is_place = false;
        continue;
      }
      // The innermost function that isn't the runtime's.
      if (is_place && current < codes.size())
        if (const source_place place = parse(line); place.line != 0 && !is_of_the_runtime(place.file))
          found.try_emplace(codes[current].code, place);
      is_place = !is_place;
    }
  }
  for (const auto& stack : unresolved_) {
    const auto first = std::ranges::find_if(stack->first, [&](const void* code) { return found.contains(code); });
    places_[stack->second] = first == stack->first.end() ? source_place() : found[*first];
  }
  unresolved_.clear();
}

}  // namespace gs::inline GS_FLAVOUR::instruments
