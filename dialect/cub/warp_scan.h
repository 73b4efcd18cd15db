#pragma once
// cub::WarpScan: CUB, "Warp-wide collectives". By doubling distances: Hillis and Steele, "Data parallel algorithms",
// CACM 29(12), 1986.

#include "dialect/cub/warp_lanes.h"

namespace cub {

/// Takes together the values of the lanes up to the calling one: with its own (inclusive) or without (exclusive).
template <class T, int LOGICAL_WARP_THREADS = 32>
class WarpScan {
 public:
  struct TempStorage {};
  GS_DIALECT_CUB_FN explicit WarpScan(TempStorage&) {}
  /// Not CUB's: of a warp of which only so many lanes are there.
  GS_DIALECT_CUB_FN explicit WarpScan(unsigned count) : lanes_{count} {}

  GS_DIALECT_CUB_FN void InclusiveSum(T input, T& output, GS_DIALECT_HERE) const {
    InclusiveScan(input, output, cub::Sum(), here);
  }
  GS_DIALECT_CUB_FN void InclusiveSum(T input, T& output, T& aggregate, GS_DIALECT_HERE) const {
    InclusiveScan(input, output, cub::Sum(), aggregate, here);
  }
  GS_DIALECT_CUB_FN void ExclusiveSum(T input, T& output, GS_DIALECT_HERE) const {
    ExclusiveScan(input, output, T{}, cub::Sum(), here);
  }
  GS_DIALECT_CUB_FN void ExclusiveSum(T input, T& output, T& aggregate, GS_DIALECT_HERE) const {
    ExclusiveScan(input, output, T{}, cub::Sum(), aggregate, here);
  }
  template <class Operation>
  GS_DIALECT_CUB_FN void InclusiveScan(T input, T& output, Operation operation, GS_DIALECT_HERE) const {
    const unsigned rank = lanes_.rank();
    for (unsigned distance = 1; distance < LOGICAL_WARP_THREADS; distance *= 2) {
      const bool has_other = rank >= distance;
      const T other = lanes_.value_of(input, has_other ? rank - distance : rank, here);
      if (has_other) input = operation(other, input);
    }
    output = input;
  }
  template <class Operation>
  GS_DIALECT_CUB_FN void InclusiveScan(T input, T& output, Operation operation, T& aggregate, GS_DIALECT_HERE) const {
    InclusiveScan(input, output, operation, here);
    aggregate = lanes_.value_of(output, lanes_.count - 1, here);
  }
  /// The first lane gets `initial`.
  template <class Operation>
  GS_DIALECT_CUB_FN void ExclusiveScan(T input, T& output, T initial, Operation operation, GS_DIALECT_HERE) const {
    T inclusive;
    InclusiveScan(input, inclusive, operation, here);
    output = shifted(inclusive, initial, operation, here);
  }
  template <class Operation>
  GS_DIALECT_CUB_FN void ExclusiveScan(T input, T& output, T initial, Operation operation, T& aggregate,
                                       GS_DIALECT_HERE) const {
    T inclusive;
    InclusiveScan(input, inclusive, operation, aggregate, here);
    output = shifted(inclusive, initial, operation, here);
  }
  GS_DIALECT_CUB_FN T Broadcast(T input, unsigned lane, GS_DIALECT_HERE) const {
    return lanes_.value_of(input, lane, here);
  }

 private:
  template <class Operation>
  GS_DIALECT_CUB_FN T shifted(const T& inclusive, const T& initial, Operation operation,
                              const std::source_location& here) const {
    const unsigned rank = lanes_.rank();
    const T before = lanes_.value_of(inclusive, rank > 0 ? rank - 1 : 0, here);
    return rank > 0 ? static_cast<T>(operation(initial, before)) : initial;
  }

  detail::warp_lanes<LOGICAL_WARP_THREADS> lanes_;
};

}  // namespace cub
