#pragma once
// cub::WarpReduce: CUB, "Warp-wide collectives". What the lanes hand each other needs no memory.

#include "dialect/cub/warp_lanes.h"

namespace cub {

/// Takes values of the first `LOGICAL_WARP_THREADS` lanes together, for the first of them; the others' results mean
/// nothing.
template <class T, int LOGICAL_WARP_THREADS = 32>
class WarpReduce {
 public:
  struct TempStorage {};
  GS_DIALECT_CUB_FN explicit WarpReduce(TempStorage&) {}
  /// Not CUB's: of a warp of which only so many lanes are there.
  GS_DIALECT_CUB_FN explicit WarpReduce(unsigned count) : lanes_{count} {}

  GS_DIALECT_CUB_FN T Sum(T input, GS_DIALECT_HERE) const { return Reduce(input, cub::Sum(), here); }
  GS_DIALECT_CUB_FN T Sum(T input, int valid_items, GS_DIALECT_HERE) const {
    return Reduce(input, cub::Sum(), valid_items, here);
  }
  template <class Operation>
  GS_DIALECT_CUB_FN T Reduce(T input, Operation operation, GS_DIALECT_HERE) const {
    return Reduce(input, operation, LOGICAL_WARP_THREADS, here);
  }
  /// Of the first `valid_items` lanes.
  template <class Operation>
  GS_DIALECT_CUB_FN T Reduce(T input, Operation operation, int valid_items, GS_DIALECT_HERE) const {
    const unsigned rank = lanes_.rank(), valid = std::min(static_cast<unsigned>(valid_items), lanes_.count);
    for (unsigned distance = 1; distance < LOGICAL_WARP_THREADS; distance *= 2) {
      const bool has_other = rank + distance < valid;
      const T other = lanes_.value_of(input, has_other ? rank + distance : rank, here);
      if (has_other) input = operation(input, other);
    }
    return input;
  }

 private:
  detail::warp_lanes<LOGICAL_WARP_THREADS> lanes_;
};

}  // namespace cub
