#pragma once
// cooperative_groups::reduce: CUDA C++ Programming Guide, "Group Collectives", "reduce".

#include "dialect/groups/thread_block_tile.h"

namespace cooperative_groups {

#define GS_DIALECT_OPERATION(name, result)                                            \
  template <class T>                                                                  \
  struct name {                                                                       \
    GS_DIALECT_GROUP_FN T operator()(const T& a, const T& b) const { return result; } \
  };
GS_DIALECT_OPERATION(plus, a + b)
GS_DIALECT_OPERATION(less, b < a ? b : a)
GS_DIALECT_OPERATION(greater, a < b ? b : a)
GS_DIALECT_OPERATION(bit_and, a& b)
GS_DIALECT_OPERATION(bit_or, a | b)
GS_DIALECT_OPERATION(bit_xor, a ^ b)
#undef GS_DIALECT_OPERATION

/// All values of the group taken together by an associative and commutative operation, for each of its threads.
///@{
template <unsigned Size, class Parent, class T, class Operation>
GS_DIALECT_GROUP_FN inline T reduce(const thread_block_tile<Size, Parent>& tile, T value, const Operation& operation,
                                    GS_DIALECT_HERE) {
  for (int bits = Size / 2; bits > 0; bits /= 2) value = operation(value, tile.shfl_xor(value, bits, here));
  return value;
}
template <class T, class Operation>
GS_DIALECT_GROUP_FN inline T reduce(const coalesced_group& group, const T& value, const Operation& operation,
                                    GS_DIALECT_HERE) {
  T result = group.shfl(value, 0, here);
  for (unsigned rank = 1; rank < group.num_threads(); ++rank)
    result = operation(result, group.shfl(value, static_cast<int>(rank), here));
  return result;
}
///@}

}  // namespace cooperative_groups
