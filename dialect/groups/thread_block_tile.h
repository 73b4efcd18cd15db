#pragma once
// cooperative_groups::thread_block_tile, tiled_partition and the groups that a group is divided into by a label: CUDA
// C++ Programming Guide, "Thread Block Tile", "Group Partitioning".

#include "dialect/groups/coalesced_group.h"

namespace cooperative_groups {

/// `Size` neighbouring threads of a block, a power of two up to 32, as one of the equal parts of the block.
template <unsigned Size, class Parent = void>
class thread_block_tile {
  static_assert(Size <= 32, "thread_block_tile: a tile of more than 32 threads isn't supported; use the thread_block");
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "thread_block_tile: a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  GS_DIALECT_GROUP_FN thread_block_tile() = default;
  template <class Other>
  GS_DIALECT_GROUP_FN thread_block_tile(const thread_block_tile<Size, Other>&) {}

  GS_DIALECT_GROUP_FN void sync(GS_DIALECT_HERE) const { dialect::this_thread().warp_sync(lanes(), here); }
  GS_DIALECT_GROUP_FN static unsigned thread_rank() { return dialect::this_thread().thread_rank() % Size; }
  GS_DIALECT_GROUP_FN static constexpr unsigned num_threads() { return Size; }
  GS_DIALECT_GROUP_FN static constexpr unsigned size() { return Size; }
  GS_DIALECT_GROUP_FN static unsigned meta_group_rank() {
    return dialect::this_thread().thread_rank() % threads_of_parent() / Size;
  }
  GS_DIALECT_GROUP_FN static unsigned meta_group_size() { return (threads_of_parent() + Size - 1) / Size; }

  /// The value of another thread of the tile, by its rank or relative to the caller's.
  ///@{
  template <class T>
  GS_DIALECT_GROUP_FN T shfl(const T& value, int rank, GS_DIALECT_HERE) const {
    return detail::exchanged(value, [&](unsigned word) {
      return dialect::this_thread().shuffle(word, static_cast<unsigned>(rank), lanes(), Size, here);
    });
  }
  template <class T>
  GS_DIALECT_GROUP_FN T shfl_up(const T& value, int delta, GS_DIALECT_HERE) const {
    return detail::exchanged(value, [&](unsigned word) {
      return dialect::this_thread().shuffle_up(word, static_cast<unsigned>(delta), lanes(), Size, here);
    });
  }
  template <class T>
  GS_DIALECT_GROUP_FN T shfl_down(const T& value, int delta, GS_DIALECT_HERE) const {
    return detail::exchanged(value, [&](unsigned word) {
      return dialect::this_thread().shuffle_down(word, static_cast<unsigned>(delta), lanes(), Size, here);
    });
  }
  template <class T>
  GS_DIALECT_GROUP_FN T shfl_xor(const T& value, int bits, GS_DIALECT_HERE) const {
    return detail::exchanged(value, [&](unsigned word) {
      return dialect::this_thread().shuffle_xor(word, static_cast<unsigned>(bits), lanes(), Size, here);
    });
  }
  ///@}

  GS_DIALECT_GROUP_FN int any(int predicate, GS_DIALECT_HERE) const {
    return dialect::this_thread().any(predicate != 0, lanes(), here);
  }
  GS_DIALECT_GROUP_FN int all(int predicate, GS_DIALECT_HERE) const {
    return dialect::this_thread().all(predicate != 0, lanes(), here);
  }
  /// A bit for each rank.
  GS_DIALECT_GROUP_FN unsigned ballot(int predicate, GS_DIALECT_HERE) const {
    return dialect::this_thread().ballot(predicate != 0, lanes(), here) >> first_lane();
  }
  template <class T>
  GS_DIALECT_GROUP_FN unsigned match_any(const T& value, GS_DIALECT_HERE) const {
    return dialect::this_thread().match_any(dialect::lane_value<T>::of(value), lanes(), here) >> first_lane();
  }
  template <class T>
  GS_DIALECT_GROUP_FN unsigned match_all(const T& value, int& all_alike, GS_DIALECT_HERE) const {
    const unsigned alike = dialect::this_thread().match_all(dialect::lane_value<T>::of(value), lanes(), here);
    all_alike = alike != 0;
    return alike >> first_lane();
  }

  /// Not CUDA's: the lanes of the warp.
  GS_DIALECT_GROUP_FN static unsigned lanes() { return (gs::full_mask >> (32 - Size)) << first_lane(); }

 private:
  GS_DIALECT_GROUP_FN static unsigned first_lane() { return dialect::this_thread().lane() & ~(Size - 1); }
  GS_DIALECT_GROUP_FN static unsigned threads_of_parent() {
    if constexpr (requires { Parent::thread_rank(), Parent::num_threads(); })
      return Parent::num_threads();
    else
      return thread_block::num_threads();
  }
};

/// Either of a block's groups, known only when the program runs.
class thread_group {
 public:
  GS_DIALECT_GROUP_FN thread_group(const thread_block&) : lanes_(0) {}
  GS_DIALECT_GROUP_FN thread_group(const coalesced_group& some) : lanes_(some.lanes()) {}
  template <unsigned Size, class Parent>
  GS_DIALECT_GROUP_FN thread_group(const thread_block_tile<Size, Parent>& tile) : lanes_(tile.lanes()) {}

  GS_DIALECT_GROUP_FN void sync(GS_DIALECT_HERE) const {
    if (lanes_ == 0)
      thread_block::sync(here);
    else
      coalesced_group(lanes_).sync(here);
  }
  GS_DIALECT_GROUP_FN unsigned thread_rank() const {
    return lanes_ == 0 ? thread_block::thread_rank() : coalesced_group(lanes_).thread_rank();
  }
  GS_DIALECT_GROUP_FN unsigned num_threads() const {
    return lanes_ == 0 ? thread_block::num_threads() : coalesced_group(lanes_).num_threads();
  }
  GS_DIALECT_GROUP_FN unsigned size() const { return num_threads(); }

  /// Not CUDA's: the lanes of the warp, 0 for the whole block.
  GS_DIALECT_GROUP_FN unsigned lanes() const { return lanes_; }

 private:
  unsigned lanes_;
};

template <unsigned Size>
GS_DIALECT_GROUP_FN inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
  return {};
}
template <unsigned Size, unsigned Larger, class Parent>
GS_DIALECT_GROUP_FN inline thread_block_tile<Size, thread_block_tile<Larger, Parent>> tiled_partition(
    const thread_block_tile<Larger, Parent>&) {
  static_assert(Size <= Larger, "tiled_partition: the parts of a tile are no larger than the tile");
  return {};
}
/// Parts of `size` threads each, a power of two up to 32, of a block or of some lanes; of these the last may have
/// fewer.
GS_DIALECT_GROUP_FN inline thread_group tiled_partition(const thread_group& group, unsigned size) {
  const unsigned first = group.thread_rank() & ~(size - 1), all = group.num_threads();
  unsigned lanes = 0;
  for (unsigned rank = first; rank < first + size && rank < all; ++rank)
    lanes |= 1u << (group.lanes() == 0 ? rank % gs::warp_size : detail::lane_of_rank(group.lanes(), rank));
  return coalesced_group(lanes, first / size, (all + size - 1) / size);
}

/// The group's threads that give the same label.
template <class Group, class Label>
GS_DIALECT_GROUP_FN inline coalesced_group labeled_partition(const Group& group, Label label, GS_DIALECT_HERE) {
  const unsigned alike = dialect::this_thread().match_any(dialect::lane_value<Label>::of(label), group.lanes(), here);
  unsigned before = 0, groups = 0;
  for (unsigned left = group.lanes(); left != 0; ++groups) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    const unsigned those = dialect::this_thread().shuffle(alike, lane, group.lanes(), gs::warp_size, here);
    if (lane < static_cast<unsigned>(__builtin_ctz(alike))) ++before;
    left &= ~those;
  }
  return coalesced_group(alike, before, groups);
}
/// Those for which the predicate is the same.
template <class Group>
GS_DIALECT_GROUP_FN inline coalesced_group binary_partition(const Group& group, bool predicate, GS_DIALECT_HERE) {
  const unsigned yes = dialect::this_thread().ballot(predicate, group.lanes(), here);
  return coalesced_group(predicate ? yes : group.lanes() & ~yes, predicate, 2);
}

}  // namespace cooperative_groups
