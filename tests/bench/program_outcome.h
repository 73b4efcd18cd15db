#pragma once
// What a program answers to a command line.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace bench_test {

struct outcome {
  int status;  // -1 if a signal ended it
  std::string output;
};

/// Runs a command of the shell; its output is what it prints to stdout.
inline outcome outcome_of(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  outcome result{-1, ""};
  std::array<char, 4096> part;
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe))
    result.output.append(part.data(), count);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace bench_test
