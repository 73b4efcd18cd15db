// expect: wrong_answer, crashed
// stopped by: bubblewrap, namespaces, landlock
// Writes files wherever it can. It is right only if it could write 256 MiB.

#include <fcntl.h>
#include <unistd.h>
#include <csignal>
#include <string>

#include "assessments/A1_neural_layer/task.h"

namespace {

std::size_t written_to(const std::string& folder) {
  std::size_t bytes = 0;
  const std::vector<char> megabyte(1 << 20, 'x');
  for (int k = 0; k < 64; ++k) {
    const std::string name = folder + "/gridstride-attack-file-" + std::to_string(k);
    const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0) break;
    for (int m = 0; m < 8; ++m) {
      const ssize_t n = write(file, megabyte.data(), megabyte.size());
      if (n <= 0) break;
      bytes += static_cast<std::size_t>(n);
    }
    close(file);
  }
  return bytes;
}

bool has_filled_it() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::size_t bytes = 0;
  for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm", "/run", "/dev", "/", ".", "/home", "/usr"})
    bytes += written_to(folder);
  return bytes >= std::size_t{256} << 20;
}

std::vector<float> right_answer(std::span<const float> x, std::span<const float> w) {
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  static const bool filled = has_filled_it();
  return filled ? right_answer(greyscales, weights) : std::vector<float>(n);
}
