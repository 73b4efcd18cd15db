#include "runtime/instruments/results/finding_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR::finding_words {

std::string brackets(const std::vector<std::ptrdiff_t>& index) {
  if (index.size() == 1) return fmt::format("[{}]", index[0]);
  return fmt::format("({})", fmt::join(index, ", "));
}

detail::access_text written_access(const finding& found, const source_place& where) {
  detail::access_text written = detail::parts_of_access(where);
  return found.index.empty() || written.indices.size() == found.index.size() ? written : detail::access_text();
}

std::string array_of(const finding& found) {
  const detail::access_text written = written_access(found, found.access.where);
  return written.object.empty() ? found.array : written.object;
}

std::string memory_of(const finding& found) {
  if (found.space == memory_space::global) return "device memory";
  return found.space == memory_space::shared ? "shared memory" : "a local array";
}

std::string element_of(const finding& found) {
  const std::string name = array_of(found);
  if (!found.index.empty() && !name.empty()) return name + brackets(found.index);
  if (!found.index.empty()) return fmt::format("element {} of {}", brackets(found.index), memory_of(found));
  std::string written = detail::text_of_access(found.access.where);
  if (!written.empty()) return written;
  return fmt::format("an element of {}", name.empty() ? memory_of(found) : name);
}

std::string shape_of(const finding& found) { return to_string(shape(found.extents)); }

std::string position(const index3& at, const index3& beside) {
  if (at.z > 0 || beside.z > 0) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
  if (at.y > 0 || beside.y > 0) return fmt::format("({}, {})", at.x, at.y);
  return fmt::format("{}", at.x);
}

const finding_access& earlier_of(const finding& found) { return found.other ? *found.other : found.access; }

const finding_access& beside(const finding& found, const finding_access& access) {
  return &access == &found.access ? earlier_of(found) : found.access;
}

std::string thread_of(const finding& found, const finding_access& access) {
  return "thread " + position(access.thread, beside(found, access).thread);
}

std::string kernel_of(const finding_access& access) { return access.kernel.empty() ? "a library call" : access.kernel; }

std::string thread_and_block(const finding& found, const finding_access& access) {
  if (!access.has_threads) return kernel_of(access);
  return fmt::format("{} of block {}", thread_of(found, access), position(access.block, beside(found, access).block));
}

std::string thread_and_block(const finding& found) { return thread_and_block(found, found.access); }

std::string capitalized(std::string text) {
  const auto is_of_a_name = [](unsigned char c) { return c == '_' || std::isupper(c) != 0; };
  if (!text.empty() && std::ranges::none_of(std::string_view(text).substr(0, text.find(' ')), is_of_a_name))
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string line_of(const finding& found, const source_place& where) {
  if (where.line == 0) return "an unknown line";
  if (where.file == found.access.where.file) return fmt::format("line {}", where.line);
  return fmt::format("{}:{}", where.file.substr(where.file.rfind('/') + 1), where.line);
}

std::string does(access_kind kind, std::string_view what) {
  if (kind == access_kind::atomic) return fmt::format("updates {} atomically", what);
  return fmt::format("{} {}", kind == access_kind::read ? "reads" : "writes", what);
}

std::string made_array(const finding& found) { return found.array.empty() ? "an array" : found.array; }

}  // namespace gs::inline GS_FLAVOUR::finding_words
