#include "runtime/instruments/site.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <charconv>
#include <cstdio>
#include <map>
#include <memory>
#include <string_view>

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

// What addr2line says: lines "function" and "file:line (...)" in turn, the innermost inlined function first.
std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) return lines;
  std::string text;
  char piece[4096];
  while (const std::size_t n = std::fread(piece, 1, sizeof piece, pipe.get())) text.append(piece, n);
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

// The runtime's own headers are not where a learner looks.
bool is_of_the_runtime(const source_place& place) {
  return place.file.find("/runtime/") != std::string::npos && place.file.find("/tests/") == std::string::npos;
}

}  // namespace

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

site site_table::find_code(const void* code) {
  const auto [known, is_new] = by_code_.try_emplace(code, static_cast<site>(places_.size()));
  if (is_new) {
    places_.emplace_back();
    unresolved_.emplace_back(code, known->second);
  }
  return known->second;
}

void site_table::resolve() {
  std::map<std::string, std::vector<std::pair<std::uintptr_t, site>>> by_module;
  for (const auto& [code, number] : unresolved_) {
    Dl_info info;
    link_map* module = nullptr;
    if (!dladdr1(code, &info, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP) || !module) continue;
    // The code is where the call returns to: the access is before it.
    const auto offset = reinterpret_cast<std::uintptr_t>(code) - module->l_addr - 1;
    by_module[*module->l_name ? module->l_name : "/proc/self/exe"].emplace_back(offset, number);
  }
  unresolved_.clear();
  for (const auto& [module, codes] : by_module) {
    char* real = realpath(module.c_str(), nullptr);
    std::string command = fmt::format("addr2line -a -i -f -e '{}'", real ? real : module.c_str());
    std::free(real);
    for (const auto& [offset, number] : codes) command += fmt::format(" {:#x}", offset);
    command += " 2>/dev/null";
    std::size_t current = codes.size();
    std::size_t next = 0;
    bool is_place = false;
    for (const std::string& line : lines_of(command)) {
      if (line.starts_with("0x")) {  // the next address
        current = next++;
        is_place = false;
        continue;
      }
      if (is_place && current < codes.size()) {
        source_place& place = places_[codes[current].second];
        if (place.line == 0 || is_of_the_runtime(place))
          if (const source_place found = parse(line); found.line != 0) place = found;
      }
      is_place = !is_place;
    }
  }
}

}  // namespace gs::inline GS_FLAVOUR::instruments
