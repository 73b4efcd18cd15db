#pragma once
// rank_memory: what a verb is given, as memory that a message library reads and writes.

#include <complex>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/array/host_array.h"
#include "runtime/core/config.h"
#include "runtime/core/shape.h"
#include "runtime/ufunc/operand.h"
#include "runtime/world/device_loan.h"
#include "runtime/world/transport.h"

namespace gs::inline GS_FLAVOUR::detail {

/// A number or a struct, by value.
template <class A>
concept single_value = element<std::remove_cvref_t<A>> && !host_array<A> && !any_device_array<A> &&
                       !requires(const A& a) { a.extent(std::size_t{0}); } && !requires(const A& a) { a.shape(); };

/// What verbs take.
template <class A>
concept sendable = single_value<A> || host_array<A> || any_device_array<A>;

template <class A>
struct sent_element {
  using type = std::remove_cvref_t<A>;
};
template <host_array A>
struct sent_element<A> {
  using type = host_value_t<A>;
};
template <any_device_array A>
struct sent_element<A> {
  using type = typename std::remove_cvref_t<A>::value_type;
};

/// Refused at compile time, in words.
template <class A>
struct checked_element {
  static_assert(sendable<A>,
                "ranks send numbers, structs, host arrays and device arrays: this is none of them (a kernel's view, a "
                "pointer, or a container that isn't contiguous)");
  using type = std::remove_const_t<typename sent_element<A>::type>;
  static_assert(element<type>,
                "ranks send elements byte by byte: these are not trivially copyable, or are pointers, which mean "
                "nothing in another process");
};
template <class A>
using element_sent = typename checked_element<A>::type;

template <class T>
constexpr number_type number_type_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return number_type::none;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr int size_index = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    const auto first = std::is_signed_v<T> ? number_type::int8 : number_type::uint8;
    return static_cast<number_type>(static_cast<int>(first) + size_index);
  } else if constexpr (std::is_same_v<T, float>) {
    return number_type::float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return number_type::float64;
  } else if constexpr (std::is_same_v<T, long double>) {
    return number_type::long_double;
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return number_type::complex64;
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    return number_type::complex128;
  } else {
    return number_type::none;
  }
}

template <class T>
operand operand_of(const T* data, std::size_t count) {
  return {const_cast<std::remove_const_t<T>*>(data), count, sizeof(T), number_type_of<std::remove_const_t<T>>()};
}

template <class A>
shape shape_of(const A& x) {
  if constexpr (single_value<A>)
    return shape();
  else if constexpr (any_device_array<A>)
    return x.memory(), x.shape();
  else
    return host_shape(x);
}

/// Memory to read: packed where the array is strided, and the host's copy of a device array where the library can't
/// read the device's.
template <class A>
class outgoing {
 public:
  using T = element_sent<A>;

  outgoing(const A& x, const transport& library, const rank_place& place) {
    if constexpr (single_value<A>) {
      extents_ = shape();
      memory_ = operand_of(&x, 1);
    } else if constexpr (any_device_array<A>) {
      extents_ = shape_of(x);
      memory_ = operand_of(x.data(), x.size());
      loan_ = device_loan(library, *x.memory(), memory_, loan_use::send, place);
    } else {
      input_ = read_host(x);
      extents_ = input_.extents;
      memory_ = operand_of(input_.data, extents_.size());
    }
  }
  const operand& memory() const { return memory_; }
  const shape& extents() const { return extents_; }

 private:
  struct nothing {};
  std::conditional_t<host_array<A>, host_input<T>, nothing> input_{};
  std::conditional_t<any_device_array<A>, device_loan, nothing> loan_{};
  shape extents_;
  operand memory_;
};

/// Memory to write, the array's own or the host's copy of a device array; finish() brings what has come into the array.
template <class A>
class incoming {
 public:
  using T = element_sent<A>;

  incoming(A& x, const transport& library, const rank_place& place, loan_use use = loan_use::receive) {
    if constexpr (single_value<A>) {
      static_assert(!std::is_const_v<A>, "the output is constant: give a variable");
      memory_ = operand_of(&x, 1);
    } else if constexpr (any_device_array<A>) {
      extents_ = shape_of(x);
      memory_ = operand_of(x.data(), x.size());
      loan_ = device_loan(library, *x.memory(), memory_, use, place);
    } else {
      const auto output = write_host(x);
      extents_ = output.extents;
      memory_ = operand_of(output.data, extents_.size());
    }
  }
  const operand& memory() const { return memory_; }
  const shape& extents() const { return extents_; }
  void finish() {
    if constexpr (any_device_array<A>) loan_.give_back();
  }

 private:
  struct nothing {};
  std::conditional_t<any_device_array<A>, device_loan, nothing> loan_{};
  shape extents_;
  operand memory_;
};

/// The container for elements like those of A, in a shape of `Rank`: a device array of a device array, else the host
/// container that ufuncs return; std::vector of single values.
template <class A, int Rank>
struct like_array {
  using type = std::vector<std::remove_cvref_t<A>>;
};
template <host_array A, int Rank>
struct like_array<A, Rank> {
  using type = typename host_traits<std::remove_cvref_t<A>>::template like<host_value_t<A>, Rank>;
};
template <any_device_array A, int Rank>
struct like_array<A, Rank> {
  using type = device_array<typename std::remove_cvref_t<A>::value_type>;
};

template <class A>
constexpr int sent_rank() {
  if constexpr (single_value<A>)
    return 0;
  else
    return static_rank<A>();
}

/// What a single value or an array becomes by a reduction; an array of A's own rank; one of at least one dimension.
template <class A>
struct same_shape_as : like_array<A, sent_rank<A>()> {};
template <single_value A>
struct same_shape_as<A> {
  using type = std::remove_cvref_t<A>;
};
template <class A>
using same_shape = typename same_shape_as<A>::type;
template <class A>
using same_rank = typename like_array<A, sent_rank<A>()>::type;
template <class A>
using concatenated = typename like_array<A, sent_rank<A>() == 0 ? 1 : sent_rank<A>()>::type;

template <class C>
C make_array([[maybe_unused]] const shape& extents, [[maybe_unused]] const rank_place& place) {
  if constexpr (single_value<C>)
    return C{};
  else if constexpr (any_device_array<C>)
    return C(extents, access_place_of(place));
  else
    return make_host_array<C>(extents);
}

}  // namespace gs::inline GS_FLAVOUR::detail
