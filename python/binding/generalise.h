#pragma once
// The loop of a generalised ufunc. Compiled when Python first asks for one.

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "python/binding/elementwise.h"
#include "runtime/ufunc/guvectorize.h"

namespace gridstride_python {

/// An input as gs::detail::run_gufunc takes it: the names are found by its type's namespace.
template <class T>
struct placed_operand {
  const T* data;
  gs::shape extents;
  operand source;
  std::shared_ptr<const void> owner = {};
};
template <class T>
typed_operand<T> as_operand(const placed_operand<T>& o) {
  return {array_or_value<T>(o.source)};
}
template <class T>
gs::shape outer_shape_of(const placed_operand<T>& o, std::size_t core_rank) {
  return gs::detail::outer_shape(o.extents, core_rank);
}

template <auto F, gs::detail::layout_text L>
void run_generalised(const gs::detail::executor& run, void* const* out, const gs::shape& loop,
                     std::span<const std::size_t> extents, const operand* in) {
  using G = gs::detail::core_function<F, L>;
  gs::detail::core_shapes shapes{.loop = loop};
  std::copy(extents.begin(), extents.end(), shapes.extents.begin());
  [&]<std::size_t... K, std::size_t... J>(std::index_sequence<K...>, std::index_sequence<J...>) {
    gs::detail::run_gufunc<G, F>(
        run, shapes, std::tuple(static_cast<typename G::template element<G::core_layout.inputs + J>*>(out[J])...),
        placed_operand<typename G::template element<K>>{static_cast<const typename G::template element<K>*>(in[K].data),
                                                        in[K].extents, in[K]}...);
  }(std::make_index_sequence<G::core_layout.inputs>{}, std::make_index_sequence<G::core_layout.outputs>{});
}

template <gs::detail::layout_text L>
inline constexpr auto stored_layout = L;

template <auto F, gs::detail::layout_text L>
constexpr function describe_generalised(std::string_view name) {
  [[maybe_unused]] constexpr auto checked = gs::guvectorize<F, L>;  // whose assertions say what doesn't fit
  return {.name = name,
          .kind = function_kind::generalised,
          .parameters = parameters_of<F>,
          .layout = stored_layout<L>.view(),
          .generalised = &run_generalised<F, L>};
}

}  // namespace gridstride_python
