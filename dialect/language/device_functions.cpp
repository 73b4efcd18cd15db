#include "dialect/language/device_functions.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>

#include "dialect/language/thread_marks.h"
#include "dialect/runtime/errors.h"
#include "runtime/engine/block_scheduler.h"

namespace {

[[noreturn]] void stop(cudaError_t code, const std::string& text) {
  gs::detail::block_scheduler::go_on_without_this_thread(std::make_exception_ptr(dialect::device_stop{code, text}));
}

bool in_kernel() { return gridstride_cuda_pointer(1) != nullptr; }

std::string running_thread() {
  const auto three = [](unsigned first) {
    return fmt::format("({}, {}, {})", gridstride_cuda_index(first), gridstride_cuda_index(first + 1),
                       gridstride_cuda_index(first + 2));
  };
  return fmt::format("block {} thread {}", three(3), three(0));
}

}  // namespace

long long clock64() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void __trap() {
  if (!in_kernel()) std::abort();
  stop(cudaErrorLaunchFailure, running_thread() + " called __trap()");
}

// The C library's assert calls this: the program's own comes first. In a kernel it stops the block.
extern "C" [[gnu::noreturn]] void __assert_fail(const char* text, const char* file, unsigned line,
                                                const char* function) noexcept {
  if (in_kernel())
    stop(cudaErrorAssert,
         fmt::format("{}:{}: {}: {}: assertion `{}' failed", file, line, function, running_thread(), text));
  std::fflush(stdout);
  fmt::print(stderr, "{}:{}: {}: Assertion `{}' failed.\n", file, line, function, text);
  std::abort();
}
