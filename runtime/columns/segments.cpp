#include "runtime/columns/segments.h"

#include <type_traits>

#include "runtime/kernel/grid_stride.h"
#include "runtime/kernel/thread.h"
#include "runtime/launch/launch.h"
#include "runtime/libraries/scan.h"
#include "runtime/libraries/select.h"

namespace gs::inline GS_FLAVOUR::detail {

inline constexpr std::uint32_t rows_per_piece = 1024;

GS_FN void mark_segment_starts(thread t, view<const std::uint64_t> sorted, view<bool> starts) {
  for (auto i : t.grid_stride(sorted.size())) starts[i] = i == 0 || sorted[i] != sorted[i - 1];
}

GS_FN std::uint32_t segment_end(view<const std::uint32_t> starts, std::size_t g, std::uint32_t rows) {
  return g + 1 < starts.size() ? starts[g + 1] : rows;
}

GS_FN void count_segment_pieces(thread t, view<const std::uint32_t> starts, std::uint32_t rows,
                                view<std::uint32_t> pieces) {
  for (auto g : t.grid_stride(starts.size()))
    pieces[g] = (segment_end(starts, g, rows) - starts[g] + rows_per_piece - 1) / rows_per_piece;
}

GS_FN void count_segment_rows(thread t, view<const std::uint32_t> starts, std::uint32_t rows,
                              view<std::int64_t> lengths) {
  for (auto g : t.grid_stride(starts.size())) lengths[g] = segment_end(starts, g, rows) - starts[g];
}

// The first position whose element is greater than x: the segment that piece x belongs to.
GS_FN std::size_t first_greater(view<const std::uint32_t> ascending, std::uint32_t x) {
  std::size_t first = 0, size = ascending.size();
  while (size > 0) {
    const std::size_t half = size / 2;
    if (ascending[first + half] <= x) {
      first += half + 1;
      size -= half + 1;
    } else {
      size = half;
    }
  }
  return first;
}

// Signed integers wrap around, too.
template <class A>
GS_FN A add_wrapping(A a, A b) {
  if constexpr (std::is_floating_point_v<A>)
    return a + b;
  else
    return static_cast<A>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// A NaN stays: no comparison with it is true, and x != x takes it in.
template <class A>
GS_FN A reduce_rows(view<const A> values, std::size_t begin, std::size_t end, aggregate operation) {
  A result = values[begin];
  if (operation == aggregate::min)
    for (std::size_t i = begin + 1; i < end; ++i) {
      const A x = values[i];
      if (x < result || x != x) result = x;
    }
  else if (operation == aggregate::max)
    for (std::size_t i = begin + 1; i < end; ++i) {
      const A x = values[i];
      if (x > result || x != x) result = x;
    }
  else
    for (std::size_t i = begin + 1; i < end; ++i) result = add_wrapping(result, values[i]);
  return result;
}

template <class A>
GS_FN void reduce_pieces(thread t, view<const A> values, view<const std::uint32_t> starts,
                         view<const std::uint32_t> piece_ends, std::uint32_t rows, aggregate operation,
                         view<A> pieces) {
  for (auto p : t.grid_stride(pieces.size())) {
    const std::size_t g = first_greater(piece_ends, static_cast<std::uint32_t>(p));
    const std::size_t first_piece = g == 0 ? 0 : piece_ends[g - 1];
    const std::size_t begin = starts[g] + (p - first_piece) * rows_per_piece;
    const std::size_t end = segment_end(starts, g, rows);
    pieces[p] = reduce_rows(values, begin, begin + rows_per_piece < end ? begin + rows_per_piece : end, operation);
  }
}

template <class A>
GS_FN void reduce_pieces_of_segments(thread t, view<const A> pieces, view<const std::uint32_t> piece_ends,
                                     aggregate operation, view<A> results) {
  for (auto g : t.grid_stride(results.size()))
    results[g] = reduce_rows(pieces, g == 0 ? 0 : piece_ends[g - 1], piece_ends[g], operation);
}

segments segments_of(const key_ordinals& sorted) {
  const std::size_t rows = sorted.size();
  device_array<bool> is_start(rows);
  launch<mark_segment_starts>(launch_over(rows), sorted, is_start);
  segments s{.rows = rows, .starts = select_flagged(every_row(rows), is_start), .piece_ends = {}, .pieces = 0};
  device_array<std::uint32_t> pieces(s.count());
  launch<count_segment_pieces>(launch_over(s.count()), s.starts, static_cast<std::uint32_t>(rows), pieces);
  s.piece_ends = inclusive_sum(pieces);
  if (s.count() > 0) s.pieces = s.piece_ends.slice(s.count() - 1, s.count()).copy_to_host()[0];
  return s;
}

device_array<std::int64_t> lengths_of(const segments& s) {
  device_array<std::int64_t> lengths(s.count());
  launch<count_segment_rows>(launch_over(s.count()), s.starts, static_cast<std::uint32_t>(s.rows), lengths);
  return lengths;
}

template <class A>
device_array<A> reduce_segments(const segments& s, const device_array<A>& values, aggregate operation) {
  device_array<A> pieces(s.pieces), results(s.count());
  launch<reduce_pieces<A>>(launch_over(s.pieces, 32), values, s.starts, s.piece_ends,
                           static_cast<std::uint32_t>(s.rows), operation, pieces);
  launch<reduce_pieces_of_segments<A>>(launch_over(s.count()), pieces, s.piece_ends, operation, results);
  return results;
}
template device_array<std::int64_t> reduce_segments(const segments&, const device_array<std::int64_t>&, aggregate);
template device_array<std::uint64_t> reduce_segments(const segments&, const device_array<std::uint64_t>&, aggregate);
template device_array<double> reduce_segments(const segments&, const device_array<double>&, aggregate);

}  // namespace gs::inline GS_FLAVOUR::detail
