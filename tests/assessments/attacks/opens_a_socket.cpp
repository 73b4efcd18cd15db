// expect: refused
// Connects to the network.

#include <netinet/in.h>
#include <sys/socket.h>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  const int s = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in there = {};
  there.sin_family = AF_INET;
  there.sin_port = htons(80);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connect(s, reinterpret_cast<const sockaddr*>(&there), sizeof there);
  return std::vector<float>(n);
}
