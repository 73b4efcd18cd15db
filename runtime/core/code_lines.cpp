#include "runtime/core/code_lines.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

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

// A piece of code as debugging information knows it: the file that it was loaded from, as it was then, and where it is.
struct code_in_module {
  std::string module;
  std::uint64_t changed;  // when the file was, in ns: the same name may be built and loaded again
  std::uintptr_t offset;
  auto operator<=>(const code_in_module&) const = default;
};

std::uint64_t time_of_change(const std::string& file) {
  struct stat about{};
  if (stat(file.c_str(), &about) != 0) return 0;
  return static_cast<std::uint64_t>(about.st_mtim.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(about.st_mtim.tv_nsec);
}

std::optional<code_in_module> in_module(const void* code) {
  Dl_info info;
  link_map* module = nullptr;
  if (!dladdr1(code, &info, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP) || !module) return std::nullopt;
  const char* const name = *module->l_name ? module->l_name : "/proc/self/exe";
  const std::unique_ptr<char, void (*)(void*)> real(realpath(name, nullptr), std::free);
  const std::string file = real ? real.get() : name;
  if (is_a_library(file, info.dli_fbase)) return std::nullopt;
  // The address is the one the call returns to; the call itself is before it.
  return code_in_module{file, time_of_change(file), reinterpret_cast<std::uintptr_t>(code) - module->l_addr - 1};
}

// The places of all code that was ever asked for; none for code without a line. Each asking costs a program's start.
class known_lines {
 public:
  bool has_place(const code_in_module& code) {
    const std::lock_guard hold(mutex_);
    const auto known = places_.find(code);
    return known != places_.end() && !known->second.empty();
  }

  std::vector<source_place> places(const code_in_module& code) {
    const std::lock_guard hold(mutex_);
    return places_[code];
  }

  // Of one module.
  void find(const std::vector<code_in_module>& codes) {
    const std::lock_guard hold(mutex_);
    std::vector<std::uintptr_t> offsets;
    std::vector<std::vector<source_place>*> asked;
    for (const code_in_module& code : codes)
      if (const auto [known, is_new] = places_.try_emplace(code); is_new) {
        offsets.push_back(code.offset);
        asked.push_back(&known->second);
      }
    if (asked.empty()) return;
    std::size_t current = asked.size(), next = 0;
    bool is_place = false;
    for (const std::string& line : lines_of(find_lines(codes.front().module, offsets))) {
      if (line.starts_with("0x")) {
        current = next++;
        is_place = false;
        continue;
      }
      if (is_place && current < asked.size())
        if (source_place place = parse(line); place.line != 0 && !is_of_the_runtime(place.file))
          asked[current]->push_back(std::move(place));
      is_place = !is_place;
    }
  }

 private:
  std::mutex mutex_;
  std::map<code_in_module, std::vector<source_place>> places_;
};

known_lines& all_known() {
  static known_lines lines;
  return lines;
}

}  // namespace

line_finder find_lines_by(line_finder find) { return std::exchange(find_lines, find); }

bool is_of_the_runtime(const std::string& file) {
  if (file.starts_with("/usr/")) return true;
  const bool is_header_of_dialect = file.find("/dialect/") != file.npos && !file.ends_with(".cu");
  return (is_header_of_dialect || file.find("/runtime/") != file.npos) && file.find("/tests/") == file.npos;
}

code_lines find_code_lines(std::span<const void* const> code) {
  std::map<const void*, code_in_module> wanted;
  std::map<std::string, std::vector<code_in_module>> by_module;
  for (const void* address : code) {
    if (wanted.contains(address)) continue;
    const std::optional<code_in_module> place = in_module(address);
    if (!place) continue;
    wanted.emplace(address, *place);
    by_module[place->module].push_back(*place);
  }
  for (const auto& [module, codes] : by_module) all_known().find(codes);
  code_lines found;
  for (const auto& [address, place] : wanted)
    if (std::vector<source_place> places = all_known().places(place); !places.empty())
      found[address] = std::move(places);
  return found;
}

bool is_known_line(const void* code) {
  const std::optional<code_in_module> place = in_module(code);
  return place && all_known().has_place(*place);
}

source_place innermost_place(const code_lines& lines, std::span<const void* const> calls) {
  for (const void* call : calls)
    if (const auto known = lines.find(call); known != lines.end()) return known->second.front();
  return {};
}

}  // namespace gs::inline GS_FLAVOUR::detail
