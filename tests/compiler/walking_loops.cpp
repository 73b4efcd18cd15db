// What the plugin says of a loop in a kernel without barriers, at its line: says.sh compares it with the comments here.

#include "runtime/gs.h"

using input = gs::view<const float, 2>;
using output = gs::view<float>;

// --- the threads of a tile go through it together --------------------------------------------------------------------

GS_FN void row_by_column(gs::thread t, input a, input b, gs::view<float, 2> c) {
  const std::size_t row = t.grid_y(), column = t.grid_x();
  if (row >= c.extent(0) || column >= c.extent(1)) return;
  float sum = 0;
  // says: threads go through it together: of 2 accesses, 2 in order along a row of threads, 1 along the loop
  for (std::size_t k = 0; k < a.extent(1); ++k) sum += a(row, k) * b(k, column);
  c(row, column) = sum;
}

GS_FN void sums_of_columns(gs::thread t, input x, output sums) {
  float sum = 0;
  // says: threads go through it together: of 1 access, 1 in order along a row of threads, 0 along the loop
  for (std::size_t i = 0; i < x.extent(0); ++i) sum += x(i, t.grid());
  sums[t.grid()] = sum;
}

GS_FN void by_a_pointer(gs::thread t, input x, output sums) {
  const float* p = x.data() + t.grid();
  float sum = 0;
  // says: threads go through it together: of 1 access, 1 in order along a row of threads, 0 along the loop
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    sum += *p;
    p += x.extent(1);
  }
  sums[t.grid()] = sum;
}

GS_FN void doubles_columns(gs::thread t, gs::view<float, 2> x) {
  // says: threads go through it together: of 2 accesses, 2 in order along a row of threads, 0 along the loop
  for (std::size_t i = 0; i < x.extent(0); ++i) x(i, t.grid()) *= 2;
}

// --- one after the other ---------------------------------------------------------------------------------------------

GS_FN void sums_of_rows(gs::thread t, input x, output sums) {
  float sum = 0;
  // says: threads go through it one after the other: of 1 access, 0 in order along a row of threads, 1 along the loop
  for (std::size_t i = 0; i < x.extent(1); ++i) sum += x(t.grid(), i);
  sums[t.grid()] = sum;
}

GS_FN void begins_at_its_own(gs::thread t, input x, output sums) {
  float sum = 0;
  // says: threads go through it one after the other: they go through it differently often
  for (std::size_t i = t.grid(); i < x.extent(0); ++i) sum += x(i, t.grid());
  sums[t.grid()] = sum;
}

GS_FN void ends_where_memory_says(gs::thread t, input x, gs::view<const unsigned> ends, output sums) {
  float sum = 0;
  // says: threads go through it one after the other: they go through it differently often
  for (std::size_t i = 0; i < ends[t.grid()]; ++i) sum += x(i, t.grid());
  sums[t.grid()] = sum;
}

GS_FN void has_an_array(gs::thread t, input x, output sums, unsigned chosen) {
  float own[4] = {};
  // says: threads go through it one after the other: a thread has memory of its own
  for (std::size_t i = 0; i < x.extent(0); ++i) own[i % 4] += x(i, t.grid());
  sums[t.grid()] = own[chosen];
}

GS_FN void takes_a_number(gs::thread t, input x, gs::view<unsigned> next, output sums) {
  const unsigned mine = gs::atomic_ref(next[0]).fetch_add(1u);
  float sum = 0;
  // says: threads go through it one after the other: the kernel does more than compute, read and write
  for (std::size_t i = 0; i < x.extent(0); ++i) sum += x(i, t.grid());
  sums[mine] = sum;
}

void launch_all(input x, gs::view<float, 2> c, gs::view<unsigned> numbers, output y) {
  const gs::launch_options one{.grid = 1, .block = 64};
  gs::launch<row_by_column>(one, x, x, c);
  gs::launch<sums_of_columns>(one, x, y);
  gs::launch<by_a_pointer>(one, x, y);
  gs::launch<doubles_columns>(one, c);
  gs::launch<sums_of_rows>(one, x, y);
  gs::launch<begins_at_its_own>(one, x, y);
  gs::launch<ends_where_memory_says>(one, x, numbers, y);
  gs::launch<has_an_array>(one, x, y, 3u);
  gs::launch<takes_a_number>(one, x, numbers, y);
}
