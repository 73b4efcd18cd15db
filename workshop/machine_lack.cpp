#include "workshop/machine_lack.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <system_error>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/host/machine.h"
#include "workshop/machine.h"

namespace workshop {
namespace {

namespace fs = std::filesystem;

bool has_any(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
}

bool is_about_processes(std::string_view messages) {
  constexpr std::array<std::string_view, 4> words = {"Resource temporarily unavailable", "Cannot fork",
                                                     "Too many open files", "starts no more threads"};
  return has_any(messages, words);
}
bool is_about_space(std::string_view messages) {
  constexpr std::array<std::string_view, 4> words = {"No space left on device", "Disk quota exceeded",
                                                     "Read-only file system", "Input/output error"};
  return has_any(messages, words);
}
bool is_about_memory(std::string_view messages) {
  constexpr std::array<std::string_view, 7> words = {
      "out of memory", "memory exhausted",      "annot allocate memory", "Killed signal terminated",
      "bad_alloc",     "failed to map segment", "PCH allocation failure"};
  return has_any(messages, words);
}

// The first line with an error, else the last line.
std::string telling_line(std::string_view messages) {
  std::string_view line;
  while (!messages.empty()) {
    const std::size_t end = std::min(messages.find('\n'), messages.size());
    if (end > 0) line = messages.substr(0, end);
    if (line.find("rror: ") != line.npos) break;
    messages.remove_prefix(std::min(end + 1, messages.size()));
  }
  return gs::detail::printable(line);
}

}  // namespace

machine_lack::machine_lack(std::string asked, compiler_needs needs)
    : asked_(std::move(asked)), needs_(std::move(needs)), ended_before_(processes_ended_for_memory()) {}

bool machine_lack::is_possible(std::string_view messages, bool in_source) {
  if (is_about_processes(messages) || is_about_space(messages) || is_about_memory(messages)) return true;
  const bool is_the_linkers = std::ranges::any_of(
      std::array{"undefined reference to `", "multiple definition of `", "undefined symbol: ", "duplicate symbol: "},
      [&](const char* words) { return messages.find(words) != messages.npos; });
  return !in_source && !is_the_linkers;
}

bool machine_lack::may_have_passed(std::string_view messages) {
  return is_about_processes(messages) || is_about_space(messages);
}

void machine_lack::refuse(std::string_view messages, const std::function<program_result()>& trial) const {
  if (is_about_memory(messages)) {
    if (processes_ended_for_memory() > ended_before_)
      throw gs::machine_error(asked_, "this machine ran out of memory, and ended the compiler", "close other programs");
    if (const std::uint64_t here = std::min<std::uint64_t>(gs::detail::free_memory(), memory_limit());
        here < needs_.memory_bytes)
      throw gs::machine_error(asked_,
                              fmt::format("this machine has {} of memory for the compiler, which may need {}",
                                          bytes_text(here), bytes_text(needs_.memory_bytes)),
                              "close other programs, or raise the limit (ulimit -v)");
  }
  if (is_about_space(messages)) {
    std::error_code none;
    const fs::space_info there = fs::space(needs_.folder, none);
    if (!none && there.available < needs_.file_bytes)
      throw gs::machine_error(
          asked_,
          fmt::format("this machine has {} of space left in {}, and the compiler may need {}",
                      bytes_text(there.available), needs_.folder.parent_path().string(), bytes_text(needs_.file_bytes)),
          "make room there, or set TMPDIR to a folder that has some");
  }
  const program_result tried = trial();
  if (tried.status == 0 && !tried.timed_out) return;
  if (tried.timed_out)
    throw gs::machine_error(asked_, "this machine can't compile an empty file in time", "end other programs");
  refuse_for(tried.output, telling_line(tried.output));
}

void machine_lack::refuse_for(std::string_view messages, const std::string& line) const {
  if (is_about_processes(messages))
    throw gs::machine_error(asked_, "this machine starts no more processes (" + line + ")",
                            "end other programs, or raise the limit (ulimit -u)");
  if (is_about_space(messages))
    throw gs::machine_error(
        asked_, fmt::format("this machine has no space left in {} ({})", needs_.folder.parent_path().string(), line),
        "make room there, or set TMPDIR to a folder that has some");
  if (is_about_memory(messages))
    throw gs::machine_error(asked_, "this machine has no memory for the compiler (" + line + ")",
                            "close other programs, or raise the limit (ulimit -v)");
  throw gs::machine_error(asked_, "on this machine, an empty file doesn't compile either (" + line + ")",
                          "choose another level of isolation, or build the project again");
}

}  // namespace workshop
