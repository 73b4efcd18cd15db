#pragma once
// The shared memory of a block, as a kernel takes it: after the thread (or the block), before its other parameters.

#include <cstddef>
#include <type_traits>

#include "runtime/array/fixed_array.h"
#include "runtime/array/index.h"
#include "runtime/core/config.h"
#include "runtime/threads/shared_window.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// The shared memory that a block may have on every CUDA device, in bytes: static and dynamic together.
inline constexpr std::size_t most_shared_bytes = std::size_t{48} << 10;

}  // namespace detail

/// One struct S that all threads of a block share; its members have no value until a thread writes them.
///   struct sums { gs::tile<float, 256> partial; };
///   GS_FN void kernel(gs::thread t, gs::shared<sums> s, gs::view<const float> x) { s->partial[t.thread_rank()] = ...;
///   }
template <class S>
class shared {
  static_assert(std::is_trivially_copyable_v<S> && std::is_trivially_default_constructible_v<S>,
                "gs::shared<S>: S is a plain struct of numbers and gs::tile, without initial values");
  static_assert(sizeof(S) <= detail::most_shared_bytes, "gs::shared<S>: a block has at most 48 KiB of shared memory");

 public:
  using value_type = S;                                  ///< the struct
  GS_FN explicit shared(S* memory) : memory_(memory) {}  ///< for launches
  GS_FN S* operator->() const { return memory_; }        ///< a member: s->partial
  /// The whole struct.
  GS_FN GS_UNOBSERVED S& operator*() const {
#if GRIDSTRIDE_CHECKED && !defined(__CUDA_ARCH__)
    instruments::note_shared_struct();
#endif
    return *memory_;
  }

 private:
  S* memory_;
};

/// An array in shared memory whose length the launch gives: .shared_bytes / sizeof(T) elements.
template <class T>
class dynamic_shared {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>,
                "gs::dynamic_shared<T>: T is a plain value");

 public:
  using value_type = T;                                                                ///< the type of an element
  GS_FN dynamic_shared(T* memory, std::size_t size) : memory_(memory), size_(size) {}  ///< for launches
  GS_FN std::size_t size() const { return size_; }                                     ///< how many elements
  GS_FN T* data() const { return memory_; }                                            ///< the first element
  /// Element `i`.
  GS_FN GS_UNOBSERVED T& operator[](detail::index i) const {
#if !GRIDSTRIDE_CHECKED && !defined(__CUDA_ARCH__)
    // Tells the compiler that the element is in shared memory, so that a gs::atomic_ref of it doesn't test its address.
    if (!detail::in_shared_memory(memory_ + i.value)) __builtin_unreachable();
#endif
    return detail::element_at(memory_, &size_, i);
  }

 private:
  T* memory_;
  std::size_t size_;
};

}  // namespace gs::inline GS_FLAVOUR
