// A block waits for the count of the one before it, adds its own, and hands it on. The count and the flag that
// announces it are two words, so a fence orders them.

#include "assessments/A5_stream_compaction/task.h"

constexpr unsigned threads = 128, rounds = 32, piece = threads * rounds;

struct ranks {
  gs::tile<unsigned, 2, threads> row;
  gs::tile<float, piece> in;
  unsigned number, base;
};

GS_FN void clear(gs::thread t, gs::view<unsigned> is_there, gs::view<unsigned> next) {
  for (auto k : t.grid_stride(is_there.size())) is_there[k] = 0;
  if (t.grid() == 0) next[0] = 0;
}

GS_FN void keep(gs::thread t, gs::shared<ranks> s, gs::view<const float> values, float threshold, gs::view<float> kept,
                gs::view<unsigned> all_before, gs::view<unsigned> is_there, gs::view<unsigned> next) {
  const unsigned k = t.thread_rank();
  if (k == 0) s->number = gs::atomic_ref(next[0]).fetch_add(1u);
  t.sync();
  const unsigned number = s->number;
  const std::size_t first = std::size_t{number} * piece,
                    here = values.size() - first < piece ? values.size() - first : piece;
  for (std::size_t i = k; i < here; i += threads) s->in[i] = values[first + i];
  t.sync();
  unsigned own = 0;  // of this thread's neighbours, rounds of them
  for (std::size_t i = std::size_t{k} * rounds; i < std::size_t{k + 1} * rounds && i < here; ++i)
    own += s->in[i] >= threshold;
  unsigned from = 0;
  s->row(0, k) = own;
  for (unsigned d = 1; d < threads; d *= 2) {
    t.sync();
    s->row(1 - from, k) = s->row(from, k) + (k >= d ? s->row(from, k - d) : 0);
    from = 1 - from;
  }
  t.sync();
  if (k == threads - 1) {
    const unsigned all = s->row(from, k);
    unsigned before = 0;
    if (number > 0) {
      while (gs::atomic_ref(is_there[number - 1]).load() == 0) {
      }
      t.device_fence();
      before = all_before[number - 1];
    }
    all_before[number] = before + all;
    t.device_fence();
    gs::atomic_ref(is_there[number]).store(1u);
    s->base = before;
  }
  t.sync();
  const unsigned all = s->row(from, threads - 1);
  unsigned place = s->row(from, k) - own;
  // Side by side in shared memory, over what was read: a place is never behind its value, but others may still read it.
  gs::local_array<float, rounds> mine;
  unsigned count = 0;
  for (std::size_t i = std::size_t{k} * rounds; i < std::size_t{k + 1} * rounds && i < here; ++i)
    if (s->in[i] >= threshold) mine[count++] = s->in[i];
  t.sync();
  for (unsigned j = 0; j < count; ++j) s->in[place++] = mine[j];
  t.sync();
  for (unsigned j = k; j < all; j += threads) kept[s->base + j] = s->in[j];
}

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  const std::size_t pieces = (values.size() + piece - 1) / piece;
  if (pieces == 0) return;
  const gs::device_array<unsigned> all_before(pieces), is_there(pieces), next(1);
  gs::launch<clear>({.grid = 4, .block = 256}, is_there, next);
  gs::launch<keep>({.grid = pieces, .block = threads}, values, threshold, kept, all_before, is_there, next);
}
