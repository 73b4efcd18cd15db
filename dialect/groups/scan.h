#pragma once
// cooperative_groups::inclusive_scan and exclusive_scan: CUDA C++ Programming Guide, "Group Collectives". By doubling
// distances: Hillis and Steele, "Data parallel algorithms", CACM 29(12), 1986.

#include "dialect/groups/reduce.h"

namespace cooperative_groups {

/// The values of the threads up to this one, in the order of their ranks, taken together by an associative operation.
template <class Group, class T, class Operation = plus<T>>
GS_DIALECT_GROUP_FN inline T inclusive_scan(const Group& group, T value, const Operation& operation = {},
                                            GS_DIALECT_HERE) {
  for (unsigned distance = 1; distance < group.num_threads(); distance *= 2) {
    const T before = group.shfl_up(value, static_cast<int>(distance), here);
    if (group.thread_rank() >= distance) value = operation(before, value);
  }
  return value;
}
/// The same without this thread's; for the first one it is T().
template <class Group, class T, class Operation = plus<T>>
GS_DIALECT_GROUP_FN inline T exclusive_scan(const Group& group, T value, const Operation& operation = {},
                                            GS_DIALECT_HERE) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation, here), 1, here);
  return group.thread_rank() == 0 ? T() : before;
}

}  // namespace cooperative_groups
