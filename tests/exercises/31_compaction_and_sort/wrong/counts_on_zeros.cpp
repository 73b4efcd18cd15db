// expect: mark_begins of 6 numbers: number 0
// Exercise 31: runs of equal numbers. 7 7 7 2 2 9 becomes the values 7 2 9 and the lengths 3 2 1. Fill in the marked
// places; ./gridstride check 31 says what is still missing.

#include <vector>

#include "runtime/gs.h"

struct runs {
  gs::device_array<int> values;
  gs::device_array<unsigned> lengths;
};

// 1. begins[i] is 1 where a run begins, that is where the number differs from the one before; else 0.
GS_FN void mark_begins(gs::thread t, [[maybe_unused]] gs::view<const int> x, gs::view<unsigned> begins) {
  for (auto i : t.grid_stride(begins.size())) {
    // Your turn.
    begins[i] = i == 0 || x[i] != x[i - 1] ? begins[i] + 1 : 0;
    // Until here.
  }
}

// 2. `before[i]` says how many runs begin before number i. Where a run begins, write its value and where it begins to
// the place that it has among the runs.
GS_FN void place_runs(gs::thread t, gs::view<const int> x, [[maybe_unused]] gs::view<const unsigned> begins,
                      [[maybe_unused]] gs::view<const unsigned> before, gs::view<int> values,
                      gs::view<unsigned> places) {
  for (auto i : t.grid_stride(x.size())) {
    // Your turn.
    if (begins[i] == 0) continue;
    values[before[i]] = x[i];
    places[before[i]] = static_cast<unsigned>(i);
    // Until here.
  }
}

// 3. A run ends where the next one begins. The last run has no next one: the numbers end at `size`.
GS_FN void measure_runs(gs::thread t, gs::view<const unsigned> places, [[maybe_unused]] std::size_t size,
                        gs::view<unsigned> lengths) {
  for (auto r : t.grid_stride(lengths.size())) {
    // Your turn.
    const std::size_t end = r + 1 < places.size() ? places[r + 1] : size;
    lengths[r] = static_cast<unsigned>(end - places[r]);
    // Until here.
  }
}

// The pipeline is complete: all of it stays on the device, except for one number.
runs runs_of(const gs::device_array<int>& x) {
  constexpr gs::launch_options blocks{.grid = 4, .block = 64};
  const std::size_t n = x.size();
  const gs::device_array<unsigned> begins(n);
  if (n == 0) return {gs::device_array<int>(0), gs::device_array<unsigned>(0)};
  gs::launch<mark_begins>(blocks, x, begins);
  const auto before = gs::exclusive_sum(begins);
  const std::size_t count = before.slice(n - 1, n).copy_to_host()[0] + begins.slice(n - 1, n).copy_to_host()[0];
  runs found{gs::device_array<int>(count), gs::device_array<unsigned>(count)};
  const gs::device_array<unsigned> places(count);
  gs::launch<place_runs>(blocks, x, begins, before, found.values, places);
  gs::launch<measure_runs>(blocks, places, n, found.lengths);
  return found;
}
