#pragma once
// cooperative_groups::thread_block and grid_group: CUDA C++ Programming Guide, "Cooperative Groups", "Implicit Groups".

#include <source_location>

#include "dialect/language/synchronization.h"
#include "dialect/language/this_thread.h"
#include "dialect/language/vector_types.h"

#define GS_DIALECT_GROUP_FN [[gnu::always_inline]]

namespace cooperative_groups {
namespace detail {

GS_DIALECT_GROUP_FN inline dim3 to_dim3(const gs::index3& i) { return {i.x, i.y, i.z}; }

}  // namespace detail

/// The threads of the calling thread's block.
class thread_block {
 public:
  GS_DIALECT_GROUP_FN static void sync(GS_DIALECT_HERE) { dialect::this_thread().sync(here); }
  GS_DIALECT_GROUP_FN static unsigned thread_rank() { return dialect::this_thread().thread_rank(); }
  GS_DIALECT_GROUP_FN static unsigned num_threads() { return dialect::this_thread().block_size(); }
  GS_DIALECT_GROUP_FN static unsigned size() { return num_threads(); }
  GS_DIALECT_GROUP_FN static dim3 thread_index() { return detail::to_dim3(dialect::this_thread().thread_idx()); }
  GS_DIALECT_GROUP_FN static dim3 group_index() { return detail::to_dim3(dialect::this_thread().block_idx()); }
  GS_DIALECT_GROUP_FN static dim3 dim_threads() { return detail::to_dim3(dialect::this_thread().block_dim()); }
  GS_DIALECT_GROUP_FN static dim3 group_dim() { return dim_threads(); }
};

/// All threads of the launch. They can wait for each other in one of cudaLaunchCooperativeKernel().
class grid_group {
 public:
  GS_DIALECT_GROUP_FN bool is_valid() const { return true; }
  GS_DIALECT_GROUP_FN void sync(GS_DIALECT_HERE) const { dialect::this_thread().grid_sync(here); }
  GS_DIALECT_GROUP_FN static unsigned long long thread_rank() {
    const gs::thread t = dialect::this_thread();
    return t.block_rank() * t.block_size() + t.thread_rank();
  }
  GS_DIALECT_GROUP_FN static unsigned long long num_threads() {
    const gs::thread t = dialect::this_thread();
    return t.grid_dim().size() * t.block_size();
  }
  GS_DIALECT_GROUP_FN static unsigned long long size() { return num_threads(); }
  GS_DIALECT_GROUP_FN static unsigned long long block_rank() { return dialect::this_thread().block_rank(); }
  GS_DIALECT_GROUP_FN static unsigned long long num_blocks() { return dialect::this_thread().grid_dim().size(); }
  GS_DIALECT_GROUP_FN static dim3 block_index() { return detail::to_dim3(dialect::this_thread().block_idx()); }
  GS_DIALECT_GROUP_FN static dim3 dim_blocks() { return detail::to_dim3(dialect::this_thread().grid_dim()); }
  GS_DIALECT_GROUP_FN static dim3 group_dim() { return dim_blocks(); }
};

GS_DIALECT_GROUP_FN inline thread_block this_thread_block() { return {}; }
GS_DIALECT_GROUP_FN inline grid_group this_grid() { return {}; }

template <class Group>
GS_DIALECT_GROUP_FN inline void sync(const Group& group, GS_DIALECT_HERE) {
  group.sync(here);
}
template <class Group>
GS_DIALECT_GROUP_FN inline auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
GS_DIALECT_GROUP_FN inline auto group_size(const Group& group) {
  return group.num_threads();
}

}  // namespace cooperative_groups
