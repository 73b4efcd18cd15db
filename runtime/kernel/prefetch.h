#pragma once
// gs::prefetch: asks for data before it is needed.

#include <cstddef>

#include "runtime/array/view.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// Asks for the cache line of element (i, ...) of `v`, which is inside v's shape and will be read soon. Nothing waits
/// for it, and no result depends on it; it pays where the hardware can't predict the next read. The line goes to the
/// second-level cache, since the first is full of data in use. (CUDA: prefetch.L2; the instruments don't count it as a
/// read.)
template <class T, std::size_t Rank, class... I>
GS_FN void prefetch(const view<T, Rank>& v, I... i) {
  static_assert(sizeof...(I) == Rank, "gs::prefetch(view, i, ...) takes as many indices as the view has dimensions");
  std::size_t offset = 0, d = 0;
  ((offset = offset * v.extent(d++) + static_cast<std::size_t>(i)), ...);
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.L2 [%0];" ::"l"(v.data() + offset));
#else
  __builtin_prefetch(v.data() + offset, 0, 2);
#endif
}

}  // namespace gs::inline GS_FLAVOUR
