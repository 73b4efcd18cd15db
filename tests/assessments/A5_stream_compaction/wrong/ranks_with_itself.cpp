// expect: wrong_answer or outside_output
// A value counts itself among those before it.

#include "assessments/A5_stream_compaction/task.h"

constexpr unsigned threads = 256, warps = threads / gs::warp_size;
enum state : unsigned { nothing, own_count, all_before_too };

struct counts {
  gs::tile<unsigned, warps> of_warp;
  unsigned number, base;
};

GS_FN void clear(gs::thread t, gs::view<unsigned> words) {
  for (auto k : t.grid_stride(words.size())) words[k] = nothing;
}

GS_FN unsigned word(state s, unsigned count) { return static_cast<unsigned>(s) << 30 | count; }
GS_FN unsigned count_in(unsigned seen) { return seen & ((1u << 30) - 1); }

// By the first warp: what all pieces before this one keep.
GS_FN unsigned kept_before(const gs::thread& t, unsigned number, gs::view<unsigned> words) {
  unsigned before = 0;
  for (unsigned end = number; end > 0;) {
    unsigned seen = word(all_before_too, 0);  // before the first piece
    if (t.lane() < end) {
      do seen = gs::atomic_ref(words[end - 1 - t.lane()]).load();
      while (seen >> 30 == nothing);
    }
    const unsigned whole = t.ballot(seen >> 30 == all_before_too);
    const unsigned last = whole == 0 ? gs::warp_size : gs::find_first_set(whole) - 1;  // the lane that ends the search
    unsigned sum = t.lane() <= last ? count_in(seen) : 0;
    for (unsigned d = gs::warp_size / 2; d > 0; d /= 2) sum += t.shuffle_xor(sum, d);
    before += sum;
    if (whole != 0) break;
    end = end > gs::warp_size ? end - gs::warp_size : 0;
  }
  return before;
}

GS_FN void keep(gs::thread t, gs::shared<counts> s, gs::view<const float> values, float threshold, gs::view<float> kept,
                gs::view<unsigned> words) {
  if (t.thread_rank() == 0) s->number = gs::atomic_ref(words[words.size() - 1]).fetch_add(1u);
  t.sync();
  const unsigned number = s->number;
  const std::size_t i = std::size_t{number} * threads + t.thread_rank();
  const float x = i < values.size() ? values[i] : 0;
  const bool mine = i < values.size() && x >= threshold;
  const unsigned votes = t.ballot(mine);
  if (t.lane() == 0) s->of_warp[t.warp()] = gs::popcount(votes);
  t.sync();
  unsigned before_warp = 0, all = 0;
  for (unsigned w = 0; w < warps; ++w) {
    if (w < t.warp()) before_warp += s->of_warp[w];
    all += s->of_warp[w];
  }
  if (t.warp() == 0) {
    if (t.lane() == 0 && number > 0) gs::atomic_ref(words[number]).store(word(own_count, all));
    const unsigned before = kept_before(t, number, words);
    if (t.lane() == 0) {
      gs::atomic_ref(words[number]).store(word(all_before_too, before + all));
      s->base = before;
    }
  }
  t.sync();
  if (mine) kept[s->base + before_warp + gs::popcount(votes & ~t.lanes_above())] = x;
}

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  const std::size_t pieces = (values.size() + threads - 1) / threads;
  if (pieces == 0) return;
  const gs::device_array<unsigned> words(pieces + 1);
  gs::launch<clear>({.grid = 4, .block = 256}, words);
  gs::launch<keep>({.grid = pieces, .block = threads}, values, threshold, kept, words);
}
