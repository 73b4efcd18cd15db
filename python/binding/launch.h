#pragma once
// A launch whose arguments come as addresses and shapes.

#include <cstring>
#include <utility>

#include "python/binding/describe.h"
#include "runtime/launch/launch.h"

namespace gridstride_python {

template <class P>
P typed_argument(const argument& a) {
  if constexpr (gs::detail::is_view<P>::value) {
    std::array<std::size_t, P::rank()> extents;
    for (std::size_t d = 0; d < P::rank(); ++d) extents[d] = a.extents[d];
    return P(static_cast<typename P::element_type*>(a.data), extents);
  } else {
    P value;
    std::memcpy(&value, a.data, sizeof(P));
    return value;
  }
}

template <auto F>
void launch(const gs::launch_options& options, const argument* arguments) {
  using kernel = gs::detail::kernel_signature<F>;
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    gs::launch<F>(
        options,
        typed_argument<std::remove_const_t<typename kernel::template parameter<kernel::leading + K>>>(arguments[K])...);
  }(std::make_index_sequence<kernel::arguments>{});
}

}  // namespace gridstride_python
