#pragma once
// gs::thread: what a kernel knows about the thread it runs as, and how threads of a block wait for each other.
// Meanings are CUDA's: CUDA C++ Programming Guide, "Synchronization Functions", "Memory Fence Functions", and for the
// warps in runtime/kernel/warp.h "Warp Vote / Match / Shuffle Functions".

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <source_location>

#include "runtime/core/config.h"
#include "runtime/core/index3.h"
#include "runtime/kernel/grid_stride.h"
#include "runtime/observe/observe.h"
#include "runtime/threads/split_marks.h"
#include "runtime/threads/thread_loop.h"

namespace gs::inline GS_FLAVOUR {

/// All 32 lanes of a warp.
inline constexpr std::uint32_t full_mask = 0xffffffffu;
/// The lanes of a warp.
inline constexpr unsigned warp_size = 32;

/// One thread of a launch. Dimensions are x, y, z as in CUDA; x runs fastest.
///
/// A thread that has returned no longer takes part: barriers wait for the remaining ones. On the engine it is an error
/// (thrown by synchronize()) when the threads of a block wait at different places, since none of them could go on.
class thread {
 public:
  /// For launches: a thread of a block of a grid.
  GS_FN thread(index3 thread_idx, index3 block_idx, index3 block_dim, index3 grid_dim,
               detail::thread_loop* loop = nullptr)
      : thread_idx_(thread_idx), block_idx_(block_idx), block_dim_(block_dim), grid_dim_(grid_dim), loop_(loop) {}

  GS_FN index3 thread_idx() const { return thread_idx_; }  ///< this thread in its block
  GS_FN index3 block_idx() const { return block_idx_; }    ///< this thread's block in the grid
  GS_FN index3 block_dim() const { return block_dim_; }    ///< threads per block
  GS_FN index3 grid_dim() const { return grid_dim_; }      ///< blocks in the grid

  /// This thread's number in its block and its block's number in the grid, whatever the dimensions; x runs fastest.
  GS_FN unsigned thread_rank() const {
    // Shows the compiler that the sum doesn't wrap around: only then it knows that neighbouring threads have
    // neighbouring elements, and reads and stores them as vectors.
    static_assert((detail::most_threads_per_block & (detail::most_threads_per_block - 1)) == 0);
    const std::size_t of_rows_before = thread_idx_.linear_in(block_dim_) - thread_idx_.x;
    return (static_cast<unsigned>(of_rows_before) & (detail::most_threads_per_block - 1)) + thread_idx_.x;
  }
  /// This block's number in the grid; x runs fastest.
  GS_FN std::size_t block_rank() const { return block_idx_.linear_in(grid_dim_); }
  /// How many threads the block has.
  GS_FN unsigned block_size() const {
    const std::size_t threads = block_dim_.size();
    if (threads > detail::most_threads_per_block) __builtin_unreachable();  // for the same reason
    return static_cast<unsigned>(threads);
  }

  /// This thread's position in the whole grid along x, y, z. `grid()` alone is x, for one-dimensional launches.
  ///@{
  GS_FN std::size_t grid() const { return grid_x(); }
  GS_FN std::size_t grid_x() const { return std::size_t{block_idx_.x} * block_dim_.x + thread_idx_.x; }
  GS_FN std::size_t grid_y() const { return std::size_t{block_idx_.y} * block_dim_.y + thread_idx_.y; }
  GS_FN std::size_t grid_z() const { return std::size_t{block_idx_.z} * block_dim_.z + thread_idx_.z; }
  ///@}

  /// Threads in the whole grid along x, y, z.
  ///@{
  GS_FN std::size_t gridsize() const { return gridsize_x(); }
  GS_FN std::size_t gridsize_x() const { return std::size_t{grid_dim_.x} * block_dim_.x; }
  GS_FN std::size_t gridsize_y() const { return std::size_t{grid_dim_.y} * block_dim_.y; }
  GS_FN std::size_t gridsize_z() const { return std::size_t{grid_dim_.z} * block_dim_.z; }
  ///@}

  /// This thread's share of [0, n): all threads along x (y, z) together visit each index once, whatever the grid.
  /// Which thread gets which index is not promised.
  ///@{
  GS_FN detail::grid_stride_range grid_stride(std::size_t n) const { return {grid_x(), gridsize_x(), n}; }
  GS_FN detail::grid_stride_range grid_stride_y(std::size_t n) const { return {grid_y(), gridsize_y(), n}; }
  GS_FN detail::grid_stride_range grid_stride_z(std::size_t n) const { return {grid_z(), gridsize_z(), n}; }
  ///@}

  // --- barriers of the block ---------------------------------------------------------------------------------------

  /// Waits until every thread of the block is here; what each wrote to memory before, all of them see afterwards. A
  /// thread that has returned is not waited for, as on GPUs since Volta.
  [[gnu::always_inline]] GS_FN void sync(std::source_location here = std::source_location::current()) const {
#if defined(__CUDA_ARCH__)
    __barrier_sync(
        0);  // counts threads; __syncthreads() counts warps, and hangs where those of one come and leave apart
#else
    if (loop_)
      loop_->wait_for_block([this] { return thread_rank(); }, detail::block_vote::none, false, here);
    else
      gridstride_split_wait(std::bit_cast<const void*>(here));
#endif
  }
  /// The same, and returns for how many threads `predicate` was true; whether it was for all; whether it was for any.
  ///@{
  [[gnu::always_inline]] GS_FN unsigned sync_count(bool predicate,
                                                   std::source_location here = std::source_location::current()) const {
#if defined(__CUDA_ARCH__)
    return static_cast<unsigned>(__syncthreads_count(predicate));
#else
    return fibers().wait_for_block([this] { return thread_rank(); }, detail::block_vote::count, predicate, here);
#endif
  }
  [[gnu::always_inline]] GS_FN bool sync_and(bool predicate,
                                             std::source_location here = std::source_location::current()) const {
#if defined(__CUDA_ARCH__)
    return __syncthreads_and(predicate) != 0;
#else
    return fibers().wait_for_block([this] { return thread_rank(); }, detail::block_vote::all, predicate, here) != 0;
#endif
  }
  [[gnu::always_inline]] GS_FN bool sync_or(bool predicate,
                                            std::source_location here = std::source_location::current()) const {
#if defined(__CUDA_ARCH__)
    return __syncthreads_or(predicate) != 0;
#else
    return fibers().wait_for_block([this] { return thread_rank(); }, detail::block_vote::any, predicate, here) != 0;
#endif
  }
  ///@}

  /// Waits until every thread of the whole grid is here. Needs a launch with `.cooperative = true`, whose grid is
  /// limited to what the device can hold at once (gs::cooperative_limit).
  GS_FN void grid_sync(std::source_location here = std::source_location::current()) const;

  // --- fences: order this thread's own writes, and wait for nobody --------------------------------------------------

  /// The block (the whole device) sees what this thread wrote before the fence before what it writes afterwards.
  ///@{
  GS_FN void block_fence() const {
#if defined(__CUDA_ARCH__)
    __threadfence_block();
#else
    instruments::note_fence(instruments::fence_scope::block);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // a block's threads share one core
#endif
  }
  GS_FN void device_fence() const {
#if defined(__CUDA_ARCH__)
    __threadfence();
#else
    instruments::note_fence(instruments::fence_scope::device);
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  }
  ///@}

  // --- warps: 32 consecutive threads of a block (by thread_rank) ----------------------------------------------------
  // `mask` names the lanes that take part. Every lane named, unless it has returned, must make the same call with the
  // same mask; a lane may not call with a mask it isn't in. Values have 4 or 8 bytes.

  GS_FN unsigned lane() const { return thread_rank() % warp_size; }  ///< this thread in its warp
  GS_FN unsigned warp() const { return thread_rank() / warp_size; }  ///< this thread's warp in the block
  /// The lanes with a smaller number, a greater one, and this one alone, as masks.
  ///@{
  GS_FN std::uint32_t lanes_below() const { return (1u << lane()) - 1; }
  GS_FN std::uint32_t lanes_above() const { return ~lanes_below() & ~this_lane(); }
  GS_FN std::uint32_t this_lane() const { return 1u << lane(); }
  ///@}

  /// Waits for the lanes of `mask`, with the memory order of sync() among them.
  GS_FN void warp_sync(std::uint32_t mask = full_mask, std::source_location = std::source_location::current()) const;

  /// The value of another lane: of lane `source`, `delta` lanes below, `delta` above, or of lane() ^ bits; within
  /// segments of `width` lanes (a power of two). Where that lane doesn't exist, up, down and xor give the caller's own
  /// value. On a GPU the value of a lane that has returned or isn't in the mask is undefined; the engine gives the
  /// caller's own.
  ///@{
  template <class T>
  GS_FN T shuffle(T value, unsigned source, std::uint32_t mask = full_mask, unsigned width = warp_size,
                  std::source_location = std::source_location::current()) const;
  template <class T>
  GS_FN T shuffle_up(T value, unsigned delta, std::uint32_t mask = full_mask, unsigned width = warp_size,
                     std::source_location = std::source_location::current()) const;
  template <class T>
  GS_FN T shuffle_down(T value, unsigned delta, std::uint32_t mask = full_mask, unsigned width = warp_size,
                       std::source_location = std::source_location::current()) const;
  template <class T>
  GS_FN T shuffle_xor(T value, unsigned bits, std::uint32_t mask = full_mask, unsigned width = warp_size,
                      std::source_location = std::source_location::current()) const;
  ///@}

  /// Whether `predicate` is true in all lanes of the mask, in any of them, and in which.
  ///@{
  GS_FN bool all(bool predicate, std::uint32_t mask = full_mask,
                 std::source_location = std::source_location::current()) const;
  GS_FN bool any(bool predicate, std::uint32_t mask = full_mask,
                 std::source_location = std::source_location::current()) const;
  GS_FN std::uint32_t ballot(bool predicate, std::uint32_t mask = full_mask,
                             std::source_location = std::source_location::current()) const;
  ///@}

  /// match_any: the lanes of the mask whose value has the same bits. match_all: the mask if all of its lanes do, else
  /// 0.
  ///@{
  template <class T>
  GS_FN std::uint32_t match_any(T value, std::uint32_t mask = full_mask,
                                std::source_location = std::source_location::current()) const;
  template <class T>
  GS_FN std::uint32_t match_all(T value, std::uint32_t mask = full_mask,
                                std::source_location = std::source_location::current()) const;
  ///@}

  /// The lanes that run together with this one at this moment, this one included. Which others is up to the device.
  GS_FN std::uint32_t active_mask(std::source_location = std::source_location::current()) const;

 private:
  // On the engine: the loop, for what only its fibers can do.
  [[gnu::always_inline]] detail::thread_loop& fibers() const {
    if (!loop_) gridstride_split_refuse();
    return *loop_;
  }
  // On the engine: arrives at a warp operation and returns its result for this lane.
  [[gnu::always_inline]] std::uint64_t meet(detail::warp_operation operation) const {
    return fibers().wait_for_warp(thread_rank(), operation);
  }

  index3 thread_idx_, block_idx_, block_dim_, grid_dim_;
  [[maybe_unused]] detail::thread_loop* loop_;  // the engine's; a GPU has none
};

}  // namespace gs::inline GS_FLAVOUR

#include "runtime/kernel/warp.h"
