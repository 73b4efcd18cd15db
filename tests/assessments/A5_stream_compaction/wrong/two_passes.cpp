// expect: criterion:one_pass, graded whole
// Counts, adds up, and reads everything once more.

#include "assessments/A5_stream_compaction/task.h"

constexpr unsigned threads = 256, piece = 4096;
struct counted {
  gs::tile<unsigned, threads> of;
};

GS_FN unsigned kept_by(gs::view<const float> values, float threshold, std::size_t begin, std::size_t end) {
  unsigned count = 0;
  for (std::size_t i = begin; i < end && i < values.size(); ++i) count += values[i] >= threshold;
  return count;
}

GS_FN void count(gs::block<threads> block, gs::shared<counted> s, gs::view<const float> values, float threshold,
                 gs::view<unsigned> counts) {
  constexpr std::size_t share = piece / threads;
  const std::size_t first = block.block_rank() * piece;
  block.each([&](auto t) { s->of[t.x] = kept_by(values, threshold, first + share * t.x, first + share * (t.x + 1)); });
  block.each([&](auto t) {
    if (t.x > 0) return;
    unsigned sum = 0;
    for (unsigned k = 0; k < threads; ++k) sum += s->of[k];
    counts[block.block_rank()] = sum;
  });
}

GS_FN void add_up(gs::block<1> block, gs::view<unsigned> counts) {
  block.each([&](auto) {
    unsigned sum = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const unsigned own = counts[k];
      counts[k] = sum;
      sum += own;
    }
  });
}

GS_FN void put(gs::block<threads> block, gs::shared<counted> s, gs::view<const float> values, float threshold,
               gs::view<const unsigned> before, gs::view<float> kept) {
  constexpr std::size_t share = piece / threads;
  const std::size_t first = block.block_rank() * piece;
  block.each([&](auto t) { s->of[t.x] = kept_by(values, threshold, first + share * t.x, first + share * (t.x + 1)); });
  block.each([&](auto t) {
    std::size_t place = before[block.block_rank()];
    for (unsigned k = 0; k < t.x; ++k) place += s->of[k];
    for (std::size_t i = first + share * t.x; i < first + share * (t.x + 1) && i < values.size(); ++i)
      if (values[i] >= threshold) kept[place++] = values[i];
  });
}

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  const std::size_t blocks = (values.size() + piece - 1) / piece;
  if (blocks == 0) return;
  const gs::device_array<unsigned> counts(blocks);
  gs::launch<count>({.grid = blocks}, values, threshold, counts);
  gs::launch<add_up>({.grid = 1}, counts);
  gs::launch<put>({.grid = blocks}, values, threshold, counts, kept);
}
