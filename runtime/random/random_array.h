#pragma once
// Arrays of random numbers: a shape and a seed in, the same numbers out, on any number of cores and on every device.

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/array/host_array.h"
#include "runtime/core/config.h"
#include "runtime/core/shape.h"
#include "runtime/random/draw.h"
#include "runtime/random/random_fill.h"
#include "runtime/random/random_states.h"
#include "runtime/ufunc/execute.h"
#include "runtime/ufunc/operand.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

// What is drawn for each element.
template <class T>
struct draw_uniform {
  GS_FN T operator()(random_state& state) const {
    if constexpr (std::is_same_v<T, float>)
      return uniform_float32(state, strict);
    else
      return uniform_float64(state);
  }
};
template <class T>
struct draw_normal {
  GS_FN T operator()(random_state& state) const {
    if constexpr (std::is_same_v<T, float>)
      return normal_float32(state, strict);
    else
      return normal_float64(state, strict);
  }
};
template <class T>
struct draw_integer {
  T low, high;
  GS_FN T operator()(random_state& state) const { return uniform_integer(state, low, high); }
};

template <class T>
inline constexpr bool is_random_real = std::is_same_v<T, float> || std::is_same_v<T, double>;

/// Throws gs::error: integers from `low` to `high` with high < low.
[[noreturn]] void refuse_integer_range(const std::string& low, const std::string& high);

template <class A, class Draw>
void fill_random(A& array, std::uint64_t seed, Draw draw) {
  if constexpr (any_device_array<A>) {
    array.memory()->note_write();
    const std::size_t n = array.size();
    const auto states = random_states(random_layout::states(n), seed, 0, strict);
    executor(target::device, nullptr)(random_fill(array.data(), n, states.data(), draw));
  } else {
    const auto host = write_host(array);
    const std::size_t n = host.extents.size();
    std::vector<random_state> states(random_layout::states(n));
    fill_random_states(states, seed, 0, strict);
    executor(target::parallel, nullptr)(random_fill(host.data, n, states.data(), draw));
  }
}

template <class A>
concept fillable = host_array<A> || any_device_array<A>;

}  // namespace detail

/// Overwrites a host or device array of float or double with numbers of [0, 1), drawn in strict mode from the states of
/// `seed` as random_layout says. The bits depend on the seed and an element's position alone: not on the shape, the
/// number of cores or the device. A host array is filled on all cores. For a device array the states, 16 bytes for 512
/// elements, are one copy, counted, and the draws are queued on the default stream.
template <detail::fillable A>
void fill_uniform(A&& array, std::uint64_t seed) {
  using T = detail::element_t<A>;
  static_assert(detail::is_random_real<T>,
                "uniform numbers are float or double; gs::fill_integers draws whole numbers");
  detail::fill_random(array, seed, detail::draw_uniform<T>{});
}
/// The same with normally distributed numbers, mean 0 and standard deviation 1.
template <detail::fillable A>
void fill_normal(A&& array, std::uint64_t seed) {
  using T = detail::element_t<A>;
  static_assert(detail::is_random_real<T>, "normally distributed numbers are float or double");
  detail::fill_random(array, seed, detail::draw_normal<T>{});
}
/// The same with integers from `low` to `high`, both included, each equally likely. Throws gs::error if high < low.
template <detail::fillable A, class T = detail::element_t<A>>
void fill_integers(A&& array, std::type_identity_t<T> low, std::type_identity_t<T> high, std::uint64_t seed) {
  static_assert(std::integral<T>, "fill_integers draws integers; gs::fill_uniform draws real numbers");
  if (high < low) detail::refuse_integer_range(std::to_string(low), std::to_string(high));
  detail::fill_random(array, seed, detail::draw_integer<T>{low, high});
}

/// A new device array of the given shape: gs::uniform<float>({2, 3}, seed). Throws gs::machine_error if the device has
/// no room.
template <class T>
device_array<T> uniform(const shape& extents, std::uint64_t seed) {
  device_array<T> result(extents);
  fill_uniform(result, seed);
  return result;
}
/// The same with normally distributed numbers, mean 0 and standard deviation 1.
template <class T>
device_array<T> normal(const shape& extents, std::uint64_t seed) {
  device_array<T> result(extents);
  fill_normal(result, seed);
  return result;
}
/// The same with integers from `low` to `high`, both included. Throws gs::error if high < low.
template <class T>
device_array<T> integers(const shape& extents, std::type_identity_t<T> low, std::type_identity_t<T> high,
                         std::uint64_t seed) {
  device_array<T> result(extents);
  fill_integers(result, low, high, seed);
  return result;
}

}  // namespace gs::inline GS_FLAVOUR
