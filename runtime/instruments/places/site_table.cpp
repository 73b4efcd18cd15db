#include "runtime/instruments/places/site_table.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "runtime/core/code_lines.h"
#include "runtime/instruments/results/place_text.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

// Whether a piece of code is the C library's.
bool is_of_the_library(const void* code) {
  const auto object_of = [](const void* where) {
    Dl_info info;
    return dladdr(where, &info) != 0 ? info.dli_fbase : nullptr;
  };
  static const void* const library = object_of(reinterpret_cast<const void*>(&std::free));
  return object_of(code) == library;
}

// The calls that the instruction before `code` stands in, innermost first, without those of the C library; a signal has
// interrupted it.
std::vector<const void*> stack_from(const void* code) {
  std::array<void*, 24> frames;
  const auto end = frames.begin() + backtrace(frames.data(), static_cast<int>(frames.size()));
  std::vector<const void*> stack{code};
  // What lies above the signal's frame is the handler's.
  auto frame = std::find(frames.begin(), end, static_cast<const char*>(code) - 1);
  while (frame != end && ++frame != end) stack.push_back(*frame);
  std::erase_if(stack, is_of_the_library);
  return stack;
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

site site_table::find_code(const void* code) { return number_of_stack({code}); }

site site_table::number_of_caller(const std::source_location& where) {
  if (!detail::is_of_the_runtime(where.file_name())) return number_of(where);
  std::array<void*, 24> frames;
  const int depth = backtrace(frames.data(), static_cast<int>(frames.size()));
  return number_of_stack(std::vector<const void*>(frames.begin(), frames.begin() + depth));
}

const void* site_table::caller_of(const void* code) {
  if (!is_of_the_library(code)) return code;
  const std::vector<const void*> stack = stack_from(code);
  return stack.empty() ? code : stack.front();
}

site site_table::number_of_stack_from(const void* code) { return number_of_stack(stack_from(code)); }

site site_table::number_of_stack(std::vector<const void*> frames) {
  const auto [known, is_new] = by_stack_.try_emplace(std::move(frames), static_cast<site>(places_.size()));
  if (is_new) {
    places_.push_back({"", 0, known->second});
    unresolved_.push_back(known);
  }
  return known->second;
}

void site_table::resolve() {
  std::vector<const void*> code;
  for (const auto& stack : unresolved_) {
    // Outside the innermost call with a line, nothing is wanted.
    const auto first = std::ranges::find_if(stack->first, detail::is_known_line);
    code.insert(code.end(), stack->first.begin(), first == stack->first.end() ? first : first + 1);
  }
  const detail::code_lines lines = detail::find_code_lines(code);
  for (const auto& stack : unresolved_) {
    const auto first = std::ranges::find_if(stack->first, [&](const void* call) { return lines.contains(call); });
    const bool known = first != stack->first.end();
    places_[stack->second] = known ? lines.at(*first).front() : source_place();
    if (const source_place& place = places_[stack->second]; known && stack->first.size() > 1)
      calls_[{place.file, place.line}].push_back({*first, stack->second});
  }
  unresolved_.clear();
  find_columns();
}

void site_table::find_columns() {
  for (const auto& [line, calls] : calls_) {
    std::vector<const void*> codes;
    for (const call& one : calls)
      if (std::ranges::find(codes, one.code) == codes.end()) codes.push_back(one.code);
    if (codes.size() < 2) continue;
    const std::vector<unsigned> columns = detail::columns_of_arrays({line.first, line.second, 0});
    if (codes.size() != columns.size()) continue;
    for (const call& one : calls)
      places_[one.number].column =
          columns[static_cast<std::size_t>(std::ranges::find(codes, one.code) - codes.begin())];
  }
}

}  // namespace gs::inline GS_FLAVOUR::instruments
