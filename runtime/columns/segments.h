#pragma once
// Segments: stretches of rows that follow each other, one for each group of sorted keys, and their reduction.

#include <cstddef>
#include <cstdint>

#include "runtime/columns/column_type.h"
#include "runtime/columns/group_by.h"
#include "runtime/columns/key_ordinals.h"
#include "runtime/columns/row_numbers.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Segment g is the rows [starts[g], starts[g + 1]), the last one ends at `rows`. For the reduction each is cut into
/// pieces of 1,024 rows, numbered from segment to segment: those of segment g end before piece_ends[g].
struct segments {
  std::size_t rows;
  row_numbers starts;
  device_array<std::uint32_t> piece_ends;
  std::size_t pieces;

  std::size_t count() const { return starts.size(); }
};

/// Of equal neighbours. Waits for the default stream.
segments segments_of(const key_ordinals& sorted);

/// How many rows each has.
device_array<std::int64_t> lengths_of(const segments& s);

/// The sum, or the least or greatest element, of each segment's values: A is std::int64_t, std::uint64_t or double.
template <class A>
device_array<A> reduce_segments(const segments& s, const device_array<A>& values, aggregate operation);

}  // namespace gs::inline GS_FLAVOUR::detail
