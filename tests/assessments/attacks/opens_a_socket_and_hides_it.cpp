// expect: wrong_answer, crashed, refused
// Tries every kind of socket, and takes the signals of refused ones for itself. It is right only if it got one.

#include <fcntl.h>
#include <sys/socket.h>
#include <csignal>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool can_get_one() {
  struct sigaction ignored = {};
  ignored.sa_handler = [](int) {};
  sigaction(SIGSYS, &ignored, nullptr);
  for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK, AF_PACKET, AF_VSOCK})
    for (const int kind : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW})
      if (const int s = socket(family, kind, 0); s >= 0 && fcntl(s, F_GETFD) >= 0 && s > 2) return true;
  return false;
}

std::vector<float> right_answer(std::span<const float> x, std::span<const float> w) {
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  static const bool got = can_get_one();
  return got ? right_answer(greyscales, weights) : std::vector<float>(n);
}
