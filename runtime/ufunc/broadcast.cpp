#include "runtime/ufunc/broadcast.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// Extent of dimension `d` of a shape seen with `rank` dimensions: missing ones are in front and 1.
std::size_t aligned_extent(const shape& s, std::size_t d, std::size_t rank) {
  const std::size_t missing = rank - s.rank();
  return d < missing ? 1 : s[d - missing];
}

}  // namespace

shape broadcast(std::span<const shape* const> operands) {
  if (!operands.empty() && std::ranges::all_of(operands, [&](const shape* s) { return *s == *operands[0]; }))
    return *operands[0];
  std::size_t rank = 0;
  for (const shape* s : operands) rank = std::max(rank, s->rank());
  shape result;
  for (std::size_t d = 0; d < rank; ++d) {
    std::size_t extent = 1;
    const shape* decided_by = nullptr;
    for (const shape* s : operands) {
      const std::size_t e = aligned_extent(*s, d, rank);
      if (e == 1 || e == extent) continue;
      if (decided_by)
        throw error(fmt::format("shape {} and {} don't broadcast", to_string(*decided_by), to_string(*s)),
                    fmt::format("dimension {} is {} and {}", d, extent, e),
                    "extents must be equal, or one of them 1; reshape one of the arrays");
      extent = e;
      decided_by = s;
    }
    result.push_back(extent);
  }
  return result;
}

void check_out_shape(const shape& result, const shape& out) {
  bool fits = result.rank() <= out.rank();
  for (std::size_t d = 0; fits && d < out.rank(); ++d) {
    const std::size_t extent = aligned_extent(result, d, out.rank());
    fits = extent == 1 || extent == out[d];
  }
  if (!fits)
    throw error(fmt::format("an output of shape {}", to_string(out)),
                fmt::format("the result's shape is {}", to_string(result)),
                "give an output of the result's shape, gs::device_array_like makes one");
}

std::size_t merge_dimensions(const shape& result, std::span<const shape* const> operands, std::size_t* extents,
                             std::array<std::size_t, shape::max_rank>* strides) {
  const std::size_t rank = result.rank();
  // Strides of every operand along every dimension of the result, 0 where it is repeated.
  for (std::size_t k = 0; k < operands.size(); ++k) {
    std::size_t stride = 1;
    for (std::size_t d = rank; d-- > 0;) {
      const std::size_t extent = aligned_extent(*operands[k], d, rank);
      strides[k][d] = extent == 1 ? 0 : stride;
      stride *= extent;
    }
  }
  std::size_t merged = 0;  // the number of merged dimensions so far
  for (std::size_t d = 0; d < rank; ++d) {
    if (result[d] == 1) continue;
    bool joins = merged > 0;
    for (std::size_t k = 0; joins && k < operands.size(); ++k)
      joins = strides[k][merged - 1] == strides[k][d] * result[d];
    if (joins)
      extents[merged - 1] *= result[d];
    else
      extents[merged++] = result[d];
    for (std::size_t k = 0; k < operands.size(); ++k) strides[k][merged - 1] = strides[k][d];
  }
  return merged;
}

}  // namespace gs::inline GS_FLAVOUR::detail
