// A kernel that is split into four loops, each of which g++ can vectorise: vectorised.sh checks whether it does.

#include "runtime/gs.h"

struct numbers {
  gs::tile<float, 1024> of;
};

GS_FN void in_four_loops(gs::thread t, gs::shared<numbers> s, gs::view<const float> x, gs::view<float> y) {
  const std::size_t me = t.thread_rank(), n = t.block_size(), i = t.grid();
  s->of[me] = 2 * x[i];
  t.sync();
  const float other = s->of[n - 1 - me];
  t.sync();
  s->of[me] = other + x[i];
  t.sync();
  y[i] = s->of[n - 1 - me] + 1;
}

void launch_it(gs::view<const float> x, gs::view<float> y) {
  gs::launch<in_four_loops>({.grid = 100, .block = 256}, x, y);
}
