// One kernel for short rows, many to a block, and one for long rows, many blocks to each.

#include "assessments/A2_histogram/task.h"

#include <algorithm>

constexpr std::size_t threads = 128, most_counters = 12'288, long_row = 8'192;

GS_FN void clear(gs::thread t, gs::view<unsigned> counts) {
  for (auto k : t.grid_stride(counts.size())) counts[k] = 0;
}

GS_FN void count_one(gs::dynamic_shared<unsigned> own, float position, std::size_t first, std::size_t bins) {
  if (position >= 0 && position < static_cast<float>(bins))
    gs::atomic_ref(own[first + static_cast<unsigned>(position)]).fetch_add(1u);
}

// Flat: value i belongs to row i / columns.
GS_FN void count_short(gs::thread t, gs::dynamic_shared<unsigned> own, gs::view<const float> values, float low,
                       float scale, std::size_t columns, std::size_t bins, gs::view<unsigned> counts) {
  const std::size_t first_counter = t.block_rank() * own.size(),
                    counters = counts.size() - first_counter < own.size() ? counts.size() - first_counter : own.size();
  const std::size_t begin = first_counter / bins * columns, end = begin + counters / bins * columns;
  for (std::size_t k = t.thread_rank(); k < counters; k += threads) own[k] = 0;
  t.sync();
  for (std::size_t i = begin + t.thread_rank(); i < end; i += threads)
    count_one(own, (values[i] - low) * scale, (i - begin) / columns * bins, bins);
  t.sync();
  for (std::size_t k = t.thread_rank(); k < counters; k += threads) counts[first_counter + k] = own[k];
}

// Blocks along y have a row each, those along x share it.
GS_FN void count_long(gs::thread t, gs::dynamic_shared<unsigned> own, gs::view<const float, 2> values, float low,
                      float scale, std::size_t first_row, gs::view<unsigned, 2> counts) {
  const std::size_t bins = counts.extent(1), row = first_row + t.block_idx().y;
  for (std::size_t k = t.thread_rank(); k < bins; k += threads) own[k] = 0;
  t.sync();
  for (auto column : t.grid_stride(values.extent(1))) count_one(own, (values(row, column) - low) * scale, 0, bins);
  t.sync();
  for (std::size_t k = t.thread_rank(); k < bins; k += threads)
    if (own[k] > 0) gs::atomic_ref(counts(row, k)).fetch_add(own[k]);
}

void histograms(const gs::device_array<float>& values, float low, float high,
                const gs::device_array<unsigned>& counts) {
  const std::size_t rows = counts.extent(0), bins = counts.extent(1), columns = values.extent(1);
  if (rows == 0) return;
  const float scale = static_cast<float>(bins) / (high - low);
  if (columns > long_row) {
    constexpr std::size_t rows_at_once = 65'535;  // blocks along y, on a GPU
    const std::size_t blocks = std::min<std::size_t>(64, (columns + long_row - 1) / long_row);
    gs::launch<clear>({.grid = 16, .block = 256}, counts.reshape({-1}));
    for (std::size_t first = 0; first < rows; first += rows_at_once)
      gs::launch<count_long>({.grid = {blocks, std::min(rows_at_once, rows - first)},
                              .block = threads,
                              .shared_bytes = bins * sizeof(unsigned)},
                             values, low, scale, first, counts);
    return;
  }
  const std::size_t most = columns > 0 ? long_row / columns : rows;
  const std::size_t at_once = std::max<std::size_t>(1, std::min({rows, most_counters / bins, most}));
  gs::launch<count_short>(
      {.grid = (rows + at_once - 1) / at_once, .block = threads, .shared_bytes = at_once * bins * sizeof(unsigned)},
      values.reshape({-1}), low, scale, columns, bins, counts.reshape({-1}));
}
