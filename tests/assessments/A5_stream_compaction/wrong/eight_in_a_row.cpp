// expect: criterion:coalesced, graded whole
// Each thread reads its eight values one after the other.

#include "assessments/A5_stream_compaction/task.h"

constexpr unsigned threads = 256, each_has = 8, piece = threads * each_has;
enum state : unsigned { nothing, own_count, all_before_too };

struct piece_of_values {
  gs::tile<float, piece> in, kept;
  gs::tile<unsigned, threads + 1> before;  // by thread: kept by those before it
  unsigned number, base;
};

GS_FN void clear(gs::block<threads> block, gs::view<unsigned> words) {
  block.each_of(words.size(), [&](std::size_t k) { words[k] = nothing; });
}

// The word of a piece: its state in the upper 2 bits, a count in the other 30. Read and written as a whole, so that
// no other access has to be ordered with it.
GS_FN unsigned word(state s, unsigned count) { return static_cast<unsigned>(s) << 30 | count; }

GS_FN void keep(gs::block<threads> block, gs::shared<piece_of_values> s, gs::view<const float> values, float threshold,
                gs::view<float> kept, gs::view<unsigned> words) {
  block.each([&](auto t) {
    if (t.x == 0) s->number = gs::atomic_ref(words[words.size() - 1]).fetch_add(1u);
  });
  const std::size_t first = std::size_t{s->number} * piece,
                    here = values.size() - first < piece ? values.size() - first : piece;
  block.each([&](auto t) {
    for (std::size_t k = each_has * t.x; k < each_has * (t.x + 1) && k < here; ++k) s->in[k] = values[first + k];
  });
  block.each([&](auto t) {
    unsigned count = 0;
    for (std::size_t k = each_has * t.x; k < each_has * (t.x + 1) && k < here; ++k) count += s->in[k] >= threshold;
    s->before[t.x + 1] = count;
  });
  block.each([&](auto t) {
    if (t.x > 0) return;
    unsigned sum = 0;
    s->before[0] = 0;
    for (unsigned k = 1; k <= threads; ++k) {
      sum += s->before[k];
      s->before[k] = sum;
    }
    unsigned before = 0;
    if (s->number > 0) {
      gs::atomic_ref(words[s->number]).store(word(own_count, sum));
      for (unsigned p = s->number - 1;; --p) {
        unsigned seen = 0;
        while (seen >> 30 == nothing) seen = gs::atomic_ref(words[p]).load();
        before += seen & ((1u << 30) - 1);
        if (seen >> 30 == all_before_too) break;
      }
    }
    gs::atomic_ref(words[s->number]).store(word(all_before_too, before + sum));
    s->base = before;
  });
  block.each([&](auto t) {
    unsigned place = s->before[t.x];
    for (std::size_t k = each_has * t.x; k < each_has * (t.x + 1) && k < here; ++k)
      if (s->in[k] >= threshold) s->kept[place++] = s->in[k];
  });
  block.each_of(s->before[threads], [&](std::size_t k) { kept[s->base + k] = s->kept[k]; });
}

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  const std::size_t pieces = (values.size() + piece - 1) / piece;
  if (pieces == 0) return;
  const gs::device_array<unsigned> words(pieces + 1);  // and the number of the next piece
  gs::launch<clear>({.grid = 1}, words);
  gs::launch<keep>({.grid = pieces}, values, threshold, kept, words);
}
