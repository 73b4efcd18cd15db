#pragma once
// cooperative_groups::coalesced_group: lanes of a warp that run together. CUDA C++ Programming Guide, "Coalesced
// Groups".

#include "dialect/groups/lanes.h"

namespace cooperative_groups {

/// Some lanes of the calling thread's warp, of which it is one; ranks count them from the lowest lane on.
class coalesced_group {
 public:
  /// From the lanes' mask. Of all groups of lanes that a warp was divided into, `number` says which one it is.
  GS_DIALECT_GROUP_FN explicit coalesced_group(unsigned mask, unsigned number = 0, unsigned groups = 1)
      : mask_(mask), number_(number), groups_(groups) {}

  GS_DIALECT_GROUP_FN void sync(GS_DIALECT_HERE) const { dialect::this_thread().warp_sync(mask_, here); }
  GS_DIALECT_GROUP_FN unsigned thread_rank() const {
    return static_cast<unsigned>(__builtin_popcount(mask_ & dialect::this_thread().lanes_below()));
  }
  GS_DIALECT_GROUP_FN unsigned num_threads() const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
  GS_DIALECT_GROUP_FN unsigned size() const { return num_threads(); }
  GS_DIALECT_GROUP_FN unsigned meta_group_rank() const { return number_; }
  GS_DIALECT_GROUP_FN unsigned meta_group_size() const { return groups_; }

  /// The value of the thread with that rank; `delta` ranks below, or above: where there is none, the caller's own.
  ///@{
  template <class T>
  GS_DIALECT_GROUP_FN T shfl(const T& value, int rank, GS_DIALECT_HERE) const {
    const unsigned lane = detail::lane_of_rank(mask_, static_cast<unsigned>(rank) % num_threads());
    return from_lane(value, lane, here);
  }
  template <class T>
  GS_DIALECT_GROUP_FN T shfl_up(const T& value, int delta, GS_DIALECT_HERE) const {
    const unsigned rank = thread_rank(), by = static_cast<unsigned>(delta);
    return from_lane(value, detail::lane_of_rank(mask_, rank < by ? rank : rank - by), here);
  }
  template <class T>
  GS_DIALECT_GROUP_FN T shfl_down(const T& value, int delta, GS_DIALECT_HERE) const {
    const unsigned rank = thread_rank(), by = static_cast<unsigned>(delta);
    return from_lane(value, detail::lane_of_rank(mask_, rank + by < num_threads() ? rank + by : rank), here);
  }
  ///@}

  GS_DIALECT_GROUP_FN int any(int predicate, GS_DIALECT_HERE) const {
    return dialect::this_thread().any(predicate != 0, mask_, here);
  }
  GS_DIALECT_GROUP_FN int all(int predicate, GS_DIALECT_HERE) const {
    return dialect::this_thread().all(predicate != 0, mask_, here);
  }
  /// A bit for each rank.
  GS_DIALECT_GROUP_FN unsigned ballot(int predicate, GS_DIALECT_HERE) const {
    return by_rank(dialect::this_thread().ballot(predicate != 0, mask_, here));
  }
  template <class T>
  GS_DIALECT_GROUP_FN unsigned match_any(const T& value, GS_DIALECT_HERE) const {
    return by_rank(dialect::this_thread().match_any(dialect::lane_value<T>::of(value), mask_, here));
  }
  template <class T>
  GS_DIALECT_GROUP_FN unsigned match_all(const T& value, int& all_alike, GS_DIALECT_HERE) const {
    const unsigned alike = dialect::this_thread().match_all(dialect::lane_value<T>::of(value), mask_, here);
    all_alike = alike != 0;
    return by_rank(alike);
  }

  /// Not CUDA's: the lanes.
  GS_DIALECT_GROUP_FN unsigned lanes() const { return mask_; }

 private:
  template <class T>
  GS_DIALECT_GROUP_FN T from_lane(const T& value, unsigned lane, const std::source_location& here) const {
    return detail::exchanged(
        value, [&](unsigned word) { return dialect::this_thread().shuffle(word, lane, mask_, gs::warp_size, here); });
  }
  GS_DIALECT_GROUP_FN unsigned by_rank(unsigned lanes) const {
    unsigned ranks = 0, rank = 0;
    for (unsigned left = mask_; left != 0; left &= left - 1, ++rank)
      if (lanes & left & -left) ranks |= 1u << rank;
    return ranks;
  }

  unsigned mask_, number_, groups_;
};

/// The lanes that have come to this call together.
GS_DIALECT_GROUP_FN inline coalesced_group coalesced_threads(GS_DIALECT_HERE) {
  return coalesced_group(dialect::this_thread().active_mask(here));
}

}  // namespace cooperative_groups
