#pragma once
// last_kernel: the kernel that was begun last, on any thread of the system. For messages, also in a handler of a
// signal.

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <string_view>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

class last_kernel {
 public:
  /// A kernel begins, or goes on, on the calling thread of the system. Its name lives as long as the program.
  static void note(std::string_view name) {
    if (name_.load(std::memory_order_relaxed) == name.data()) return;
    length_ = 0;
    name_ = name.data();
    length_ = name.size();
  }
  static void note_thread(pid_t thread) { thread_.store(thread, std::memory_order_relaxed); }

  /// Empty if another kernel begins meanwhile: then nothing can be said.
  static std::string_view name() {
    const std::size_t length = length_;
    const char* const name = name_;
    return name && length == length_ && name == name_ ? std::string_view(name, length) : std::string_view();
  }
  /// The thread of the system that began it, or last went on with it.
  static pid_t thread() { return thread_.load(std::memory_order_relaxed); }

 private:
  static inline constinit std::atomic<const char*> name_ = nullptr;
  static inline constinit std::atomic<std::size_t> length_ = 0;
  static inline constinit std::atomic<pid_t> thread_ = 0;
};

}  // namespace gs::inline GS_FLAVOUR::detail
