#pragma once
// grid_stride_range: the indices of one thread in a grid-stride loop.

#include <cstddef>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The indices that one thread works on in a grid-stride loop. On a GPU and in the checked flavour they are `first`,
/// `first + stride`, ...; on the engine each thread takes a contiguous piece, which the compiler can vectorise.
class grid_stride_range {
 public:
  /// For `for (auto i : t.grid_stride(n))`.
  class iterator {
   public:
    GS_FN iterator(std::size_t i, std::size_t stride) : i_(i), stride_(stride) {}  ///< at index `i`
    GS_FN std::size_t operator*() const { return i_; }                             ///< the index
    /// To the thread's next index.
    GS_FN iterator& operator++() {
#if defined(__CUDA_ARCH__) || GRIDSTRIDE_CHECKED
      i_ += stride_;
#else
      ++i_;
#endif
      return *this;
    }
    /// Whether `end` is still ahead: a stride may step over it, a contiguous piece reaches it exactly.
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

  /// The share of thread number `thread`, of `threads`, in [0, n).
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
  /// All of the thread's indices.
  ///@{
  GS_FN iterator begin() const { return {begin_, stride_}; }
  GS_FN iterator end() const { return {end_, stride_}; }
  ///@}

  /// The number of indices, and index number k.
  GS_FN std::size_t size() const {
#if defined(__CUDA_ARCH__) || GRIDSTRIDE_CHECKED
    return begin_ < end_ ? (end_ - begin_ - 1) / stride_ + 1 : 0;
#else
    return end_ - begin_;
#endif
  }
  /// Its index number k.
  GS_FN std::size_t operator[](std::size_t k) const {
#if defined(__CUDA_ARCH__) || GRIDSTRIDE_CHECKED
    return begin_ + k * stride_;
#else
    return begin_ + k;
#endif
  }

 private:
  std::size_t begin_, end_, stride_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
