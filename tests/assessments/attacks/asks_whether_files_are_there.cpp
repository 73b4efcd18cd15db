// expect: compile_error
// stopped by: bubblewrap, namespaces, landlock
// Asks the preprocessor for files outside. It compiles only if one is there.

#include "assessments/A1_neural_layer/task.h"

#if !__has_include("/etc/shadow") && !__has_include(                                                                 \
                                         "/etc/passwd") &&                                                           \
                                         !__has_include("/root/.bashrc") &&                                          \
                                                        !__has_include("assessments/A1_neural_layer/problem.cpp") && \
                                                                       !__has_include("/proc/1/environ")
#error "nothing there"
#endif

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
