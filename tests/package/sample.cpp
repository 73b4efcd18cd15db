// A project of somebody else's: a kernel with a barrier, and what it computed.

#include <cstdio>
#include <vector>

#include "runtime/gs.h"

struct row {
  gs::tile<float, 64> numbers;
};

GS_FN void turn(gs::thread t, gs::shared<row> s, gs::view<float> x) {
  const unsigned i = t.thread_idx().x;
  s->numbers(i) = x[i];
  t.sync();
  x[i] = s->numbers(63 - i);
}

int main() {
  std::vector<float> numbers(64);
  for (std::size_t k = 0; k < 64; ++k) numbers[k] = static_cast<float>(k);
  const auto x = gs::to_device(numbers);
  gs::launch<turn>({.grid = 1, .block = 64}, x);
  std::printf("%g, observed: %d\n", x.copy_to_host()[0], gs::can_inspect());
}
