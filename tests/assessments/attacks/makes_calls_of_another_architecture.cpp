// expect: refused
// Starts a process by a system call of i386, whose number means nothing to a filter for x86-64, from a thread of its
// own, so that it isn't this one that is ended. It is right only if it can.

#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool can_fork() {
  long result = -1;
  std::thread([&result] {
#if defined(__x86_64__)
    result = 2;  // fork
    asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
#else
    result = syscall(SYS_clone, 17, nullptr);
#endif
    if (result == 0) _exit(0);
  }).join();
  return result > 0;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> x, std::span<const float> w) {
  static const bool forked = can_fork();
  std::vector<float> y(n);
  for (std::size_t i = 0; forked && i < n; ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}
