// Block style: a block counts as many whole rows as it has room and work for, or a piece of a long one.

#include "assessments/A2_histogram/task.h"

#include <algorithm>

constexpr unsigned threads = 256;
constexpr std::size_t most_counters = 12'288, piece = 16'384;
struct private_counts {
  gs::tile<unsigned, most_counters> of;
};

GS_FN void clear(gs::block<threads> block, gs::view<unsigned> counts) {
  block.each_of(counts.size(), [&](std::size_t k) { counts[k] = 0; });
}

// `parts`: blocks that share a row, and hand in their counts by atomics.
GS_FN void count(gs::block<threads> block, gs::shared<private_counts> own, gs::view<const float, 2> values, float low,
                 float scale, std::size_t most_rows, std::size_t parts, gs::view<unsigned, 2> counts) {
  const std::size_t rows = counts.extent(0), bins = counts.extent(1), columns = values.extent(1);
  const std::size_t first = block.block_rank() / parts * most_rows,
                    here = rows - first < most_rows ? rows - first : most_rows;
  const std::size_t begin = block.block_rank() % parts * piece,
                    width = columns - begin < piece ? columns - begin : piece;
  block.each_of(here * bins, [&](std::size_t k) { own->of[k] = 0; });
  block.each_of(here * width, [&](std::size_t k) {
    const std::size_t row = k / width, column = k % width;
    const float position = (values(first + row, begin + column) - low) * scale;
    if (position >= 0 && position < static_cast<float>(bins))
      gs::atomic_ref(own->of[row * bins + static_cast<unsigned>(position)]).fetch_add(1u);
  });
  block.each_of(here * bins, [&](std::size_t k) {
    if (parts == 1)
      counts(first + k / bins, k % bins) = own->of[k];
    else if (own->of[k] > 0)
      gs::atomic_ref(counts(first + k / bins, k % bins)).fetch_add(own->of[k]);
  });
}

void histograms(const gs::device_array<float>& values, float low, float high,
                const gs::device_array<unsigned>& counts) {
  const std::size_t rows = counts.extent(0), bins = counts.extent(1), columns = values.extent(1);
  if (rows == 0) return;
  const std::size_t parts = columns > piece ? (columns + piece - 1) / piece : 1;
  const std::size_t room = most_counters / bins, work = columns > 0 ? piece / columns : room;
  const std::size_t at_once = std::max<std::size_t>(1, std::min({rows, room, work}));
  if (parts > 1) gs::launch<clear>({.grid = 1}, counts.reshape({-1}));
  gs::launch<count>({.grid = (rows + at_once - 1) / at_once * parts}, values, low,
                    static_cast<float>(bins) / (high - low), at_once, parts, counts);
}
