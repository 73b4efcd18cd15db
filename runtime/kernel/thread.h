#pragma once
// gs::thread: what a kernel knows about the thread it runs as.

#include <cstddef>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// A position or an extent in up to three dimensions, as CUDA's threadIdx, blockIdx, blockDim and gridDim.
struct index3 {
  unsigned x = 0, y = 0, z = 0;
  friend bool operator==(const index3&, const index3&) = default;
};

/// The indices that one thread works on in a grid-stride loop. On a GPU and in the checked flavour they are `first`,
/// `first + stride`, ...; on the engine each thread takes a contiguous piece, which the compiler can vectorise.
class grid_stride_range {
 public:
  class iterator {
   public:
    GS_FN iterator(std::size_t i, std::size_t stride) : i_(i), stride_(stride) {}
    GS_FN std::size_t operator*() const { return i_; }
    GS_FN iterator& operator++() {
#if defined(__CUDA_ARCH__) || GRIDSTRIDE_CHECKED
      i_ += stride_;
#else
      ++i_;
#endif
      return *this;
    }
    // A stride may jump over the end; a piece meets it exactly.
    GS_FN bool operator!=(const iterator& end) const {
#if defined(__CUDA_ARCH__) || GRIDSTRIDE_CHECKED
      return i_ < end.i_;
#else
      return i_ != end.i_;
#endif
    }

   private:
    std::size_t i_, stride_;
  };

  GS_FN grid_stride_range(std::size_t thread, std::size_t threads, std::size_t n) {
#if defined(__CUDA_ARCH__) || GRIDSTRIDE_CHECKED
    begin_ = thread;
    end_ = n;
    stride_ = threads;
#else
    const std::size_t piece = (n + threads - 1) / threads;
    begin_ = thread * piece < n ? thread * piece : n;
    end_ = begin_ + piece < n ? begin_ + piece : n;
    stride_ = 1;
#endif
  }
  GS_FN iterator begin() const { return {begin_, stride_}; }
  GS_FN iterator end() const { return {end_, stride_}; }

 private:
  std::size_t begin_, end_, stride_;
};

/// One thread of a launch. Dimensions are x, y, z as in CUDA; x runs fastest.
class thread {
 public:
  GS_FN thread(index3 thread_idx, index3 block_idx, index3 block_dim, index3 grid_dim)
      : thread_idx_(thread_idx), block_idx_(block_idx), block_dim_(block_dim), grid_dim_(grid_dim) {}

  GS_FN index3 thread_idx() const { return thread_idx_; }  ///< this thread in its block
  GS_FN index3 block_idx() const { return block_idx_; }    ///< this thread's block in the grid
  GS_FN index3 block_dim() const { return block_dim_; }    ///< threads per block
  GS_FN index3 grid_dim() const { return grid_dim_; }      ///< blocks in the grid

  /// This thread's position in the whole grid along x, y, z. `grid()` alone is x, for one-dimensional launches.
  GS_FN std::size_t grid() const { return grid_x(); }
  GS_FN std::size_t grid_x() const { return std::size_t{block_idx_.x} * block_dim_.x + thread_idx_.x; }
  GS_FN std::size_t grid_y() const { return std::size_t{block_idx_.y} * block_dim_.y + thread_idx_.y; }
  GS_FN std::size_t grid_z() const { return std::size_t{block_idx_.z} * block_dim_.z + thread_idx_.z; }

  /// Threads in the whole grid along x, y, z.
  GS_FN std::size_t gridsize() const { return gridsize_x(); }
  GS_FN std::size_t gridsize_x() const { return std::size_t{grid_dim_.x} * block_dim_.x; }
  GS_FN std::size_t gridsize_y() const { return std::size_t{grid_dim_.y} * block_dim_.y; }
  GS_FN std::size_t gridsize_z() const { return std::size_t{grid_dim_.z} * block_dim_.z; }

  /// This thread's share of [0, n): all threads along x (y, z) together visit each index once, whatever the grid.
  /// Which thread gets which index is not promised.
  GS_FN grid_stride_range grid_stride(std::size_t n) const { return {grid_x(), gridsize_x(), n}; }
  GS_FN grid_stride_range grid_stride_y(std::size_t n) const { return {grid_y(), gridsize_y(), n}; }
  GS_FN grid_stride_range grid_stride_z(std::size_t n) const { return {grid_z(), gridsize_z(), n}; }

 private:
  index3 thread_idx_, block_idx_, block_dim_, grid_dim_;
};

}  // namespace gs::inline GS_FLAVOUR
