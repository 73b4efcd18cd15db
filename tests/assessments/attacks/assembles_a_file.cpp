// expect: compile_error, refused
// stopped by: bubblewrap, namespaces, landlock
// Puts a file of the system into its own data, where no preprocessor sees it.

#include <cstdio>

#include "assessments/A1_neural_layer/task.h"

asm(".section .rodata\n"
    "stolen: .incbin \"/etc/passwd\"\n"
    ".byte 0\n"
    ".text\n");
extern "C" const char stolen[];

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  std::puts(stolen);
  return std::vector<float>(n);
}
