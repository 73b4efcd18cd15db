#include "runtime/core/code_lines.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace gs::inline GS_FLAVOUR::detail {
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

// The output of addr2line: lines "function" and "file:line (...)" in turn, the innermost inlined function first.
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

// A module that no learner wrote: the system's, or the runtime itself. Its debugging information may be large.
bool is_a_library(const std::string& module, const void* base) {
  static const void* const runtime = [] {
    Dl_info own;
    return dladdr(reinterpret_cast<const void*>(&is_of_the_runtime), &own) ? own.dli_fbase : nullptr;
  }();
  return base == runtime || module.starts_with("/usr/") || module.starts_with("/lib");
}

struct code_in_module {
  std::uintptr_t offset;
  const void* code;
};

void find_in_module(const std::string& module, const std::vector<code_in_module>& codes, code_lines& found) {
  std::vector<std::uintptr_t> offsets;
  for (const code_in_module& code : codes) offsets.push_back(code.offset);
  std::size_t current = codes.size(), next = 0;
  bool is_place = false;
  for (const std::string& line : lines_of(find_lines(module, offsets))) {
    if (line.starts_with("0x")) {
      current = next++;
      is_place = false;
      continue;
    }
    if (is_place && current < codes.size())
      if (source_place place = parse(line); place.line != 0 && !is_of_the_runtime(place.file))
        found[codes[current].code].push_back(std::move(place));
    is_place = !is_place;
  }
}

}  // namespace

void find_lines_by(line_finder find) { find_lines = find; }

bool is_of_the_runtime(const std::string& file) {
  return file.starts_with("/usr/") || (file.find("/runtime/") != file.npos && file.find("/tests/") == file.npos);
}

code_lines find_code_lines(std::span<const void* const> code) {
  std::map<std::string, std::vector<code_in_module>> by_module;
  std::vector<const void*> addresses(code.begin(), code.end());
  std::ranges::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  for (const void* address : addresses) {
    Dl_info info;
    link_map* module = nullptr;
    if (!dladdr1(address, &info, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP) || !module) continue;
    const char* const name = *module->l_name ? module->l_name : "/proc/self/exe";
    const std::unique_ptr<char, void (*)(void*)> real(realpath(name, nullptr), std::free);
    const std::string file = real ? real.get() : name;
    if (is_a_library(file, info.dli_fbase)) continue;
    // The address is the one the call returns to; the call itself is before it.
    by_module[file].push_back({reinterpret_cast<std::uintptr_t>(address) - module->l_addr - 1, address});
  }
  code_lines found;
  for (const auto& [module, codes] : by_module) find_in_module(module, codes, found);
  return found;
}

source_place innermost_place(const code_lines& lines, std::span<const void* const> calls) {
  for (const void* call : calls)
    if (const auto known = lines.find(call); known != lines.end()) return known->second.front();
  return {};
}

}  // namespace gs::inline GS_FLAVOUR::detail
