// expect: criterion:many_blocks, graded whole
// One block goes over all values and has nobody to wait for.

#include "assessments/A5_stream_compaction/task.h"

constexpr unsigned threads = 1024, warps = threads / gs::warp_size;
struct counts {
  gs::tile<unsigned, 2, warps> of;
};

GS_FN void keep(gs::thread t, gs::shared<counts> s, gs::view<const float> values, float threshold,
                gs::view<float> kept) {
  std::size_t before = 0;
  for (std::size_t first = 0, turn = 0; first < values.size(); first += threads, turn = 1 - turn) {
    const std::size_t i = first + t.thread_rank();
    const float x = i < values.size() ? values[i] : NAN;
    const unsigned votes = t.ballot(x >= threshold);
    if (t.lane() == 0) s->of(turn, t.warp()) = gs::popcount(votes);
    t.sync();
    std::size_t place = before;
    for (unsigned w = 0; w < warps; ++w) {
      if (w < t.warp()) place += s->of(turn, w);
      before += s->of(turn, w);
    }
    if (x >= threshold) kept[place + gs::popcount(votes & t.lanes_below())] = x;
  }
}

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  gs::launch<keep>({.grid = 1, .block = threads}, values, threshold, kept);
}
