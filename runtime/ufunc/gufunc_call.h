#pragma once
// One call of a generalised ufunc, from arguments to a running loop: shapes, copies, results.

#include <array>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/overlap.h"
#include "runtime/ufunc/core_function.h"
#include "runtime/ufunc/core_shapes.h"
#include "runtime/ufunc/gufunc_loop.h"
#include "runtime/ufunc/ufunc_call.h"

namespace gs::inline GS_FLAVOUR::detail {

// The shape of an input's outer dimensions, as the loop sees it.
template <class T>
shape outer_shape_of(const value_operand<T>&, std::size_t) {
  return {};
}
template <class T>
shape outer_shape_of(const placed_input<T>& input, std::size_t core_rank) {
  return outer_shape(input.extents, core_rank);
}

/// Runs the core function G over the inputs into `out`. A core may be written before another core, or the rest of
/// it, is read: an output that overlaps an input is computed in temporary memory and copied.
template <class G, auto F, class... R, class... Input>
void run_gufunc(const executor& run, const core_shapes& call, const std::tuple<R*...>& out, const Input&... input) {
  typename G::extents extents{};
  std::copy_n(call.extents.begin(), G::core_layout.dimension_count, extents.extents.begin());
  std::size_t k = 0;
  const std::array outer{outer_shape_of(input, G::core_layout.operands[k++].rank)...};
  std::array<const shape*, sizeof...(Input)> shapes;
  for (k = 0; k < shapes.size(); ++k) shapes[k] = &outer[k];
  const auto run_into = [&](const std::tuple<R*...>& to) {
    run(gufunc_loop<F, typename G::extents, typename G::inputs, typename G::outputs, decltype(as_operand(input))...>(
        to, call.loop, extents, shapes, as_operand(input)...));
  };

  const auto overlaps = [&](const void* to, std::size_t bytes) {
    const auto touches = [&]<class I>(const I& placed) {
      if constexpr (requires { placed.owner; })
        return overlap(to, bytes, placed.data, placed.extents.size() * sizeof(*placed.data));
      else
        return false;
    };
    return (touches(input) || ...);
  };
  [&]<std::size_t... J>(std::index_sequence<J...>) {
    const std::array<std::size_t, sizeof...(R)> sizes{
        operand_shape(G::core_layout, call, G::core_layout.inputs + J).size()...};
    const std::array<const void*, sizeof...(R)> data{std::get<J>(out)...};
    const std::array<std::size_t, sizeof...(R)> bytes{sizes[J] * sizeof(R)...};
    for (std::size_t a = 0; a < sizeof...(R); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (overlap(data[a], bytes[a], data[b], bytes[b])) refuse_shared_outputs();

    std::tuple<std::optional<scratch<R>>...> temporaries;
    std::tuple<R*...> to = out;
    const auto redirect = [&]<class T>(std::optional<scratch<T>>& temporary, T*& to, std::size_t size) {
      if (!overlaps(to, size * sizeof(T))) return;
      temporary.emplace(run, size);
      to = temporary->data();
    };
    (redirect(std::get<J>(temporaries), std::get<J>(to), sizes[J]), ...);
    run_into(to);
    const auto copy_back = [&]<class T>(const std::optional<scratch<T>>& temporary, T* to, std::size_t size) {
      if (temporary) run(copy_work<T>{to, temporary->data(), size});
    };
    (copy_back(std::get<J>(temporaries), std::get<J>(out), sizes[J]), ...);
  }(std::index_sequence_for<R...>{});
}

// Calls `compute(R*...)` on the target of the call and copies every result to its array if that lies elsewhere.
template <class Compute>
void write_results(const executor&, const Compute& compute) {
  compute();
}
template <class R, class... More, class Compute, class Array, class... Arrays>
void write_results(const executor& run, const Compute& compute, Array& array, Arrays&... arrays) {
  write_result<R>(run, array, [&](R* first) {
    write_results<More...>(run, [&](More*... more) { compute(first, more...); }, arrays...);
  });
}

/// The rank that the inputs' types fix for the loop, or dynamic_rank.
template <class G, class... A>
constexpr int loop_rank() {
  int rank = 0;
  std::size_t k = 0;
  for (int r : {static_rank<A>()...}) {
    const int core_rank = static_cast<int>(G::core_layout.operands[k++].rank);
    rank = (rank == dynamic_rank || r == dynamic_rank) ? dynamic_rank : std::max(rank, r - core_rank);
  }
  return rank;
}

/// Whether every input has as many dimensions as its core, as far as the types tell.
template <class G, class... A>
constexpr bool ranks_suffice() {
  std::size_t k = 0;
  for (int r : {static_rank<A>()...}) {
    const int core_rank = static_cast<int>(G::core_layout.operands[k++].rank);
    if (r != dynamic_rank && r < core_rank) return false;
  }
  return true;
}

// A call's new result with elements of type R: an array, or a single value.
template <class R, int Rank, class... A>
struct new_result {
  using array = std::array<R, 1>;
  static array make(const shape&) { return {}; }
  static R take(array&& result) { return result[0]; }
};
template <class R, int Rank, class... A>
requires(Rank != 0 || (any_device_array<A> || ...)) struct new_result<R, Rank, A...> {
  using array = result_array<R, Rank, A...>;
  static array make(const shape& extents) {
    if constexpr (any_device_array<array>)
      return array(extents);
    else
      return make_host_array<array>(extents);
  }
  static array take(array&& result) { return std::move(result); }
};

/// A call that is passed all its outputs.
template <class G, auto F, class... Out, class... A>
void call_gufunc_into(const target_request& request, const std::tuple<output<Out>...>& out, const A&... argument) {
  static_assert(ranks_suffice<G, A...>(), "an input has fewer dimensions than its operand has in the layout");
  const executor run(choose_target(request, (any_device_array<Out> || ...) || (any_device_array<A> || ...)),
                     request.on_stream);
  [&]<std::size_t... J>(std::index_sequence<J...>) {
    const std::array outputs{argument_shape(std::get<J>(out).array)...};
    const core_shapes call = match_core_shapes(G::core_layout, std::array{argument_shape(argument)...}, outputs);
    write_results<typename G::template element<G::core_layout.inputs + J>...>(
        run, [&](auto*... to) { run_gufunc<G, F>(run, call, std::tuple(to...), place_input(argument, run)...); },
        std::get<J>(out).array...);
  }(std::index_sequence_for<Out...>{});
}

/// A call that makes its outputs: one, or a std::tuple of several. An output whose rank is 0 by the types of host
/// arrays and scalars is a value.
template <class G, auto F, class... A>
auto call_gufunc(const target_request& request, const A&... argument) {
  static_assert(ranks_suffice<G, A...>(), "an input has fewer dimensions than its operand has in the layout");
  const executor run((scalar<A> && ...) ? target::cpu : choose_target(request, (any_device_array<A> || ...)),
                     request.on_stream);
  const core_shapes call = match_core_shapes(G::core_layout, std::array{argument_shape(argument)...}, {});
  return [&]<std::size_t... J>(std::index_sequence<J...>) {
    const auto make = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      constexpr int core_rank = static_cast<int>(G::core_layout.operands[K].rank), outer_rank = loop_rank<G, A...>();
      constexpr int rank = outer_rank == dynamic_rank ? dynamic_rank : outer_rank + core_rank;
      return new_result<typename G::template element<K>, rank, A...>();
    };
    std::tuple results{make(std::integral_constant<std::size_t, G::core_layout.inputs + J>())...};
    std::tuple arrays{std::get<J>(results).make(operand_shape(G::core_layout, call, G::core_layout.inputs + J))...};
    write_results<typename G::template element<G::core_layout.inputs + J>...>(
        run, [&](auto*... to) { run_gufunc<G, F>(run, call, std::tuple(to...), place_input(argument, run)...); },
        std::get<J>(arrays)...);
    if constexpr (sizeof...(J) == 1)
      return std::get<0>(results).take(std::get<0>(std::move(arrays)));
    else
      return std::tuple(std::get<J>(results).take(std::get<J>(std::move(arrays)))...);
  }(std::make_index_sequence<G::core_layout.outputs>{});
}

}  // namespace gs::inline GS_FLAVOUR::detail
