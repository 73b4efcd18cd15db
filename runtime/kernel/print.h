#pragma once
// gs::print: a line of text from a thread of a kernel, by printf on the engine and on a GPU.

#include <array>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <type_traits>

#include "runtime/core/config.h"
#include "runtime/core/index3.h"
#include "runtime/kernel/block.h"
#include "runtime/kernel/thread.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// How printf writes a value of type T. Floating-point numbers get as many digits as their type has.
template <class T>
constexpr std::string_view print_conversion() {
  static_assert(std::is_arithmetic_v<T> || std::is_convertible_v<const T&, const char*>,
                "gs::print: numbers, bool and text are printed; print the parts of anything else");
  if constexpr (std::is_same_v<T, float>) return " %.7g";
  if constexpr (std::is_floating_point_v<T>) return " %.16g";
  if constexpr (std::is_convertible_v<const T&, const char*>) return " %s";
  if constexpr (std::is_signed_v<T>) return " %lld";
  return " %llu";
}

/// "block (%u, %u, %u) thread (%u, %u, %u):", the values and the end of the line.
template <class... T>
constexpr auto print_format() {
  constexpr std::string_view parts[] = {"block (%u, %u, %u) thread (%u, %u, %u):", print_conversion<T>()..., "\n"};
  constexpr std::size_t length = [&] {
    std::size_t sum = 0;
    for (const std::string_view part : parts) sum += part.size();
    return sum;
  }();
  std::array<char, length + 1> format{};
  std::size_t end = 0;
  for (const std::string_view part : parts)
    for (const char c : part) format[end++] = c;
  return format;
}

/// The value as printf takes it.
template <class T>
GS_FN auto printed(const T& value) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(value);
  else if constexpr (!std::is_arithmetic_v<T>)
    return static_cast<const char*>(value);
  else if constexpr (std::is_signed_v<T>)
    return static_cast<long long>(value);
  else
    return static_cast<unsigned long long>(value);
}

template <class... T>
GS_FN void print_line(const index3& block, const index3& thread, const T&... values) {
  constexpr auto format = print_format<T...>();
#if GRIDSTRIDE_CHECKED && !defined(__CUDA_ARCH__)
  if (instruments::runs_again()) return;
#endif
  printf(format.data(), block.x, block.y, block.z, thread.x, thread.y, thread.z, printed(values)...);
}

}  // namespace detail

/// Prints one line: the block and the thread, then the values with spaces between them. It goes to standard output; of
/// a lesson with --json, to standard error.
///   if (i == 7) gs::print(t, "x =", x[i]);   // block (0, 0, 0) thread (7, 0, 0): x = 0.5
/// Lines of different threads never mix. They come in the order of blocks and threads while gs::inspect or a debugger's
/// GRIDSTRIDE_STEP watches, and with GRIDSTRIDE_THREADS=1; else, as on a GPU, in any. A GPU keeps the last megabyte and
/// shows it at the next synchronize().
template <class... T>
GS_FN void print(const thread& t, const T&... values) {
  detail::print_line(t.block_idx(), t.thread_idx(), values...);
}
/// The same inside block.each.
template <class Block, class... T>
GS_FN void print(const detail::block_thread<Block>& t, const T&... values) {
  detail::print_line(t.block_idx, index3{t.x, t.y, t.z}, values...);
}

}  // namespace gs::inline GS_FLAVOUR
