#pragma once
// Broadcasting as in NumPy: arrays of different shapes seen as one shape, and the loop that visits them together.
// Rules: https://numpy.org/doc/stable/user/basics.broadcasting.html

#include <array>
#include <cstddef>
#include <span>

#include "runtime/core/config.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The shape that `operands` broadcast to: aligned at the last dimension, extents are equal or 1. No operands give
/// (). Throws gs::error that names the two shapes and the dimension that differ.
shape broadcast(std::span<const shape* const> operands);

/// Throws gs::error unless an array of shape `out` can take a result of shape `result`: out may be larger where the
/// result would be repeated, as in NumPy, but is never itself repeated.
void check_out_shape(const shape& result, const shape& out);

/// A nested loop over `Operands` broadcast arrays, with as few dimensions as possible: dimensions of extent 1 are
/// dropped, and neighbours that every operand walks without a jump are merged. All arrays are contiguous and row-major,
/// so the innermost stride of each is 1, or 0 where it is repeated.
template <std::size_t Operands>
struct broadcast_loop {
  std::size_t size = 0;  ///< elements of the result
  std::size_t rank = 0;
  std::array<std::size_t, shape::max_rank> extents;                        ///< outermost first
  std::array<std::array<std::size_t, shape::max_rank>, Operands> strides;  ///< in elements

  /// The innermost extent, 1 for a scalar result; and whether an operand moves along it.
  GS_FN std::size_t row() const { return rank == 0 ? 1 : extents[rank - 1]; }
  GS_FN bool moves(std::size_t operand) const { return rank > 0 && strides[operand][rank - 1] != 0; }

  /// The element of operand `k` that belongs to element `i` of the result.
  GS_FN std::size_t offset(std::size_t k, std::size_t i) const {
    std::size_t offset = 0;
    for (std::size_t d = rank; d-- > 0;) {
      offset += i % extents[d] * strides[k][d];
      i /= extents[d];
    }
    return offset;
  }
  /// The same for the first element of a row; rows count from 0.
  GS_FN std::size_t row_offset(std::size_t k, std::size_t row) const {
    std::size_t offset = 0;
    for (std::size_t d = rank - 1; rank > 2 && d-- > 1;) {
      offset += row % extents[d] * strides[k][d];
      row /= extents[d];
    }
    return rank > 1 ? offset + row * strides[k][0] : 0;
  }
};

/// Fills extents and strides ([operand][dimension], each row max_rank wide); returns the rank of the merged loop.
std::size_t merge_dimensions(const shape& result, std::span<const shape* const> operands, std::size_t* extents,
                             std::array<std::size_t, shape::max_rank>* strides);

/// Fills the loop that visits `operands`, each of which broadcasts to `result`. Operands that aren't arrays
/// by `is_array` are single values and need no strides. The loop is filled in place, since it is a kilobyte large.
template <std::size_t Operands>
void fill_broadcast_loop(broadcast_loop<Operands>& loop, const shape& result,
                         const std::array<const shape*, Operands>& operands,
                         const std::array<bool, Operands>& is_array) {
  loop.size = result.size();
  bool plain = true;  // every array has the result's shape: one flat loop
  for (std::size_t k = 0; k < Operands; ++k) plain &= !is_array[k] || *operands[k] == result;
  if (plain) {
    loop.rank = 1;
    loop.extents[0] = loop.size;
    for (auto& s : loop.strides) s[0] = 1;
  } else {
    loop.rank = merge_dimensions(result, operands, loop.extents.data(), loop.strides.data());
  }
}

}  // namespace gs::inline GS_FLAVOUR::detail
