// The program that a rank makes of a kernel it was sent: numbers come in, go through the kernel, and out. Nothing else
// goes in or out: it runs in a sandbox, and its two files are memory that the rank has made for it.

#include GRIDSTRIDE_KERNEL

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <vector>

#include "runtime/gs.h"

namespace {

constexpr int input = 3, output = 4;

std::vector<float> read_numbers() {
  struct stat about{};
  if (fstat(input, &about) != 0) return {};
  std::vector<float> x(static_cast<std::size_t>(about.st_size) / sizeof(float));
  const auto bytes = static_cast<ssize_t>(x.size() * sizeof(float));
  if (pread(input, x.data(), static_cast<std::size_t>(bytes), 0) != bytes) return {};
  return x;
}

}  // namespace

int main() {
  constexpr auto apply = gs::vectorize<kernel>;
  const std::vector<float> y = apply(read_numbers());
  const auto bytes = static_cast<ssize_t>(y.size() * sizeof(float));
  return pwrite(output, y.data(), static_cast<std::size_t>(bytes), 0) == bytes ? 0 : 1;
}
