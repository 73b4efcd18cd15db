#pragma once
// call_paths: by which calls the threads of a kernel have come to a barrier, or to an operation of their warp. One line
// of a helper may be reached from several places of the kernel.

#if GRIDSTRIDE_CHECKED

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/core/code_lines.h"
#include "runtime/core/config.h"
#include "runtime/instruments/results/finding.h"

namespace gs::inline GS_FLAVOUR::instruments {

class call_paths {
 public:
  using number = std::uint32_t;

  /// The path to the function whose frame `frame` is; it and the kernel's code keep frame pointers. `bottom` and `top`
  /// bound the stack; the path ends before the frame `base`, that of who has called the kernel, or at the top.
  number number_of(const void* frame, const void* base, const void* bottom, const void* top);

  /// The lines of all calls on all paths. Starts a program for each module that has some.
  detail::code_lines find_lines() const;

  /// Where two paths part in the source, as calls of the one and of the other. None if they are the same there: the
  /// compiler may have made one call of the source several times.
  std::optional<std::pair<source_place, source_place>> fork_of(number a, number b,
                                                               const detail::code_lines& lines) const;

 private:
  static constexpr std::size_t most_calls = 16;
  struct path {
    std::array<const void*, most_calls> calls{};  // innermost first, each as the address that it returns to
    std::size_t length = 0;
    std::span<const void* const> all() const { return {calls.data(), length}; }
    bool operator==(const path&) const = default;
  };

  std::vector<path> paths_;
  std::array<number, 64> recent_{};  // by a hash of the calls: 1 + the number
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
