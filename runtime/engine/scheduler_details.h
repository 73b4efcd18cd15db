#pragma once
// What the sources of block_scheduler have in common, and nobody else needs.

#include <fmt/format.h>

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>

#include "runtime/core/error.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {

/// While it runs; for the reason given at round_on_this_thread.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local block_scheduler* on_this_thread;

namespace scheduling {

/// Whether both describe the same place of the source.
inline bool alike(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() && std::string_view(a.file_name()) == b.file_name();
}
/// Likewise; mostly by a glance.
[[gnu::always_inline]] inline bool same_place(const std::source_location& a, const std::source_location& b) {
  return same_description(a, b) || alike(a, b);
}

inline std::string text(const std::source_location& where) {
  return fmt::format("{}:{}", where.file_name(), where.line());
}
/// The same beside another place, with the column where both are in one line.
inline std::string text(const std::source_location& where, const std::source_location& beside) {
  const bool same_line = where.line() == beside.line() && std::string_view(where.file_name()) == beside.file_name();
  return same_line && where.column() != beside.column() ? fmt::format("{}:{}", text(where), where.column())
                                                        : text(where);
}
/// What a thread does there, and another one elsewhere.
std::string waits_for_block(unsigned thread, const std::source_location& where, const std::source_location& beside);
/// Threads that can't go on: what one of them does, and what another does or doesn't.
error wait_in_vain(std::string_view kernel, const std::string& one, const std::string& other);

constexpr std::uint32_t bit(unsigned lane) { return std::uint32_t{1} << lane; }

}  // namespace scheduling

}  // namespace gs::inline GS_FLAVOUR::detail
