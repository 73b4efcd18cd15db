#pragma once
// One call of a ufunc, from arguments to a running loop: its target, its copies, its result.

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/core/overlap.h"
#include "runtime/ufunc/broadcast.h"
#include "runtime/ufunc/elementwise.h"
#include "runtime/ufunc/execute.h"
#include "runtime/ufunc/operand.h"
#include "runtime/ufunc/result.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The target or stream chosen by `.on(...)`; nothing by default.
struct target_request {
  bool is_chosen = false;
  target chosen = target::device;
  const stream* on_stream = nullptr;
};

[[noreturn]] void refuse_target(target requested);  // for device arrays

/// The target of a call: the device if there are device arrays, otherwise the requested one, otherwise the default.
/// Throws gs::error for device arrays with an explicit target of host memory.
inline target choose_target(const target_request& request, bool has_device_arrays) {
  if (!has_device_arrays) return request.is_chosen ? request.chosen : default_target();
  if (request.is_chosen && request.chosen != target::device) refuse_target(request.chosen);
  return target::device;
}

/// A piece of array work that copies `size` elements: the end of a call whose output overlaps an input.
template <class T>
struct copy_work {
  T* to;
  const T* from;
  std::size_t count;
  GS_FN std::size_t size() const { return count; }
  std::size_t grain() const { return std::size_t{1} << 16; }
  GS_FN void at(std::size_t i) const { to[i] = from[i]; }
  void run(std::size_t begin, std::size_t end) const {
    if (begin < end) std::memcpy(to + begin, from + begin, (end - begin) * sizeof(T));
  }
};

/// The shape of an argument: () for a scalar. Throws gs::error for a device array that can't be used.
template <class A>
shape argument_shape(const A& argument) {
  if constexpr (scalar<A>) {
    return {};
  } else if constexpr (any_device_array<A>) {
    argument.memory();
    return argument.shape();
  } else {
    return host_shape(argument);
  }
}
/// The shape that all arguments broadcast to.
template <class... A>
shape broadcast_arguments(const A&... argument) {
  constexpr std::size_t arrays = (0 + ... + (scalar<A> ? 0 : 1));
  std::array<shape, arrays> shapes;
  std::array<const shape*, arrays> pointers;
  std::size_t k = 0;
  const auto add = [&]<class B>(const B& operand) {
    if constexpr (!scalar<B>) {
      shapes[k] = argument_shape(operand);
      pointers[k] = &shapes[k];
      ++k;
    }
  };
  (add(argument), ...);
  if constexpr (arrays == 1)
    return shapes[0];
  else
    return broadcast(pointers);
}

/// Throws gs::error unless the arguments broadcast to `result`.
template <class... A>
void check_arguments(const shape& result, const A&... argument) {
  const auto fits = [&]<class B>(const B& operand) {
    if constexpr (scalar<B>)
      return true;
    else
      return argument_shape(operand) == result;
  };
  if (!(fits(argument) && ...)) check_out_shape(broadcast_arguments(argument...), result);
}

// An input as the loop reads it: in place in host memory, packed there if it is strided, or in device memory, copied
// there first if it came from the host. `owner` keeps the copy until the work is queued.
template <class T>
struct placed_input {
  const T* data;
  shape extents;
  std::shared_ptr<const void> owner;
};

template <class A>
auto place_input(const A& argument, const executor& run) {
  using T = element_t<A>;
  if constexpr (scalar<A>) {
    return value_operand<T>{argument};
  } else if constexpr (any_device_array<A>) {
    return placed_input<T>{argument.data(), argument.shape(), argument.memory()};
  } else {
    if (!run.on_device()) {
      auto input = read_host(argument, !run.on_one_core());
      return placed_input<T>{input.data, input.extents, std::move(input.packed)};
    }
    const auto copied = to_device(argument);
    return placed_input<T>{copied.data(), copied.shape(), copied.memory()};
  }
}

template <class T>
value_operand<T> as_operand(const value_operand<T>& v) {
  return v;
}
template <class T>
array_operand<T> as_operand(const placed_input<T>& a) {
  return {a.data};
}
inline const shape shape_of_a_value;
template <class T>
const shape* shape_of(const value_operand<T>&) {
  return &shape_of_a_value;
}
template <class T>
const shape* shape_of(const placed_input<T>& a) {
  return &a.extents;
}

/// Runs F over the inputs into `out`, which has the shape `result`.
template <auto F, class R, class... Input>
void run_elementwise(const executor& run, R* out, const shape& result, const Input&... input) {
  const std::array<const shape*, sizeof...(Input)> shapes{shape_of(input)...};
  const std::size_t size = result.size(), bytes = size * sizeof(R);

  // An input that is exactly the output is read before it is written. One that only overlaps it would be overwritten
  // too early, so the result is computed in temporary memory and copied.
  const auto conflicts = [&]<class I>(const I& placed) {
    if constexpr (requires { placed.owner; }) {
      using T = std::remove_cv_t<std::remove_pointer_t<decltype(placed.data)>>;
      const bool same =
          static_cast<const void*>(placed.data) == out && sizeof(T) == sizeof(R) && placed.extents == result;
      return !same && overlap(out, bytes, placed.data, placed.extents.size() * sizeof(T));
    } else {
      return false;
    }
  };
  std::optional<scratch<R>> temporary;
  if ((conflicts(input) || ...)) temporary.emplace(run, size);
  R* const to = temporary ? temporary->data() : out;
  run(elementwise<F, R, decltype(as_operand(input))...>(to, result, shapes, as_operand(input)...));
  if (temporary) run(copy_work<R>{out, to, size});
}

/// A call that is passed its output.
template <auto F, class R, class Out, class... A>
void call_into(const target_request& request, Out& out, const A&... argument) {
  const executor run(choose_target(request, any_device_array<Out> || (any_device_array<A> || ...)), request.on_stream);
  const shape result = argument_shape(out);
  check_arguments(result, argument...);  // before anything is copied
  write_result<R>(run, out, [&](R* to) { run_elementwise<F>(run, to, result, place_input(argument, run)...); });
}

/// A call that makes its output; a value if all arguments are scalars.
template <auto F, class R, class... A>
auto call(const target_request& request, const A&... argument) {
  if constexpr ((scalar<A> && ...)) {
    R result{};
    if (!without_division_fault([&] { result = compute_value<F, R>(argument...); }))
      refuse_division(signature<F>::name(), operands_text(argument...));
    return result;
  } else {
    const executor run(choose_target(request, (any_device_array<A> || ...)), request.on_stream);
    const shape result = broadcast_arguments(argument...);
    return make_result<R, result_array<R, broadcast_rank<A...>(), A...>>(
        run, result, [&](R* to) { run_elementwise<F>(run, to, result, place_input(argument, run)...); });
  }
}

}  // namespace gs::inline GS_FLAVOUR::detail
