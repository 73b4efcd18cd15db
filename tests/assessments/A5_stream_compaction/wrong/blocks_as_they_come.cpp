// expect: wrong_answer
// Right within a block, but blocks take their places from a counter, without waiting for the one before.

#include "assessments/A5_stream_compaction/task.h"

constexpr unsigned threads = 256;
struct ranks {
  gs::tile<unsigned, threads> of;
  unsigned base;
};

GS_FN void clear(gs::thread t, gs::view<unsigned> next) {
  if (t.grid() == 0) next[0] = 0;
}

GS_FN void keep(gs::thread t, gs::shared<ranks> s, gs::view<const float> values, float threshold, gs::view<float> kept,
                gs::view<unsigned> next) {
  const std::size_t piece = t.grid_dim().x - 1 - t.block_idx().x, i = piece * threads + t.thread_rank();
  const float x = i < values.size() ? values[i] : NAN;
  s->of[t.thread_rank()] = x >= threshold;
  t.sync();
  if (t.thread_rank() == 0) {
    unsigned sum = 0;
    for (unsigned k = 0; k < threads; ++k) {
      const unsigned own = s->of[k];
      s->of[k] = sum;
      sum += own;
    }
    s->base = gs::atomic_ref(next[0]).fetch_add(sum);
  }
  t.sync();
  if (x >= threshold) kept[s->base + s->of[t.thread_rank()]] = x;
}

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  const std::size_t blocks = (values.size() + threads - 1) / threads;
  if (blocks == 0) return;
  const gs::device_array<unsigned> next(1);
  gs::launch<clear>({.grid = 1, .block = 32}, next);
  gs::launch<keep>({.grid = blocks, .block = threads}, values, threshold, kept, next);
}
