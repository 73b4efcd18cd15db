#pragma once
// Adjoints of functions of arrays: what the gradient by such a function's result makes of the gradient by its argument.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/libraries/sort.h"
#include "runtime/numpy/numpy.h"

namespace gs::inline GS_FLAVOUR {

namespace scalar_functions {
struct second {
  template <class T>
  GS_FN T operator()(T, T b) const {
    return b;
  }
};
struct equal_as_number {
  template <class T>
  GS_FN T operator()(T a, T b) const {
    return a == b ? T(1) : T(0);
  }
};
struct from_the_front {
  template <class I>
  GS_FN std::int64_t operator()(I position, std::int64_t length) const {
    const auto p = static_cast<std::int64_t>(position);
    return p < 0 ? p + length : p;
  }
};
}  // namespace scalar_functions

namespace detail {

// The sum over the dimensions along which an array of shape `to` was broadcast: the adjoint of broadcasting.
template <class T>
device_array<T> sum_to(device_array<T> x, const shape& to) {
  while (x.rank() > to.rank()) x = sum(x, axis(0));
  for (std::size_t d = 0; d < to.rank(); ++d)
    if (to[d] == 1 && x.extent(d) != 1) {
      shape kept = x.shape();
      kept[d] = 1;
      x = sum(x, axis(static_cast<int>(d))).reshape(kept);
    }
  return x;
}

// `gradient` for every element of an array of that shape, to which it is broadcast.
template <class T>
device_array<T> spread_to(const device_array<T>& gradient, const device_array<T>& like) {
  constexpr auto second = vectorize<scalar_functions::second{}>;
  return second(like, gradient);
}

// Of the largest or smallest element, which `chosen` holds: those that equal it share the gradient evenly. `gradient`
// and `chosen` broadcast to x. A NaN equals nothing, and its gradient is NaN.
template <class T>
device_array<T> adjoint_of_choice(const device_array<T>& gradient, const device_array<T>& x,
                                  const device_array<T>& chosen) {
  constexpr auto equal_as_number = vectorize<scalar_functions::equal_as_number{}>;
  const device_array<T> marks = equal_as_number(x, chosen);
  return multiply(marks, divide(gradient, sum_to(marks.reshape(marks.shape()), chosen.shape())));
}

// Elements [begin, end) along an axis; along the first they share x's memory.
template <class T>
device_array<T> part_of(const device_array<T>& x, axis along, std::size_t begin, std::size_t end) {
  if (split_at(x.shape(), along).number == 0) return x.slice(begin, end);
  return take(x, arange(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)), along);
}

// The elements along an axis from the last to the first.
template <class T>
device_array<T> reversed(const device_array<T>& x, axis along) {
  const auto length = static_cast<std::int64_t>(split_at(x.shape(), along).length);
  return take(x, arange<std::int64_t>(length - 1, -1, -1), along);
}

// An element of a running sum's argument is in its own sum and in all behind it.
template <class T>
device_array<T> adjoint_of_cumsum(const device_array<T>& gradient, axis along) {
  return reversed(cumsum(reversed(gradient, along), along), along);
}

// The product of the elements before each one, along an axis that has some.
template <class T>
device_array<T> product_before(const device_array<T>& x, axis along) {
  const auto none = ones<T>(kept_shape(x.shape(), along));
  return cumprod(concatenate(along, none, part_of(x, along, 0, split_at(x.shape(), along).length - 1)), along);
}

// The product of all others, without a division, which would fail where an element is 0. `gradient` broadcasts to x.
template <class T>
device_array<T> adjoint_of_prod(const device_array<T>& gradient, const device_array<T>& x, axis along) {
  if (x.size() == 0) return zeros_like(x);
  const auto before = product_before(x, along);
  const auto behind = reversed(product_before(reversed(x, along), along), along);
  return multiply(multiply(before, behind), gradient);
}

// Each row of `out` is the sum of the rows of `gradient` that were taken from it. `position` holds the rows' numbers in
// ascending order, `order` where each stood: they are added in that order and in double, to the same bits every time.
template <class T>
struct add_taken_rows {
  T* out;
  const T* gradient;
  const std::int64_t *position, *order;
  std::size_t outer, positions, length, inner;

  GS_FN std::size_t size() const { return outer * length * inner; }
  std::size_t grain() const { return std::size_t{1} << 12; }
  GS_FN void at(std::size_t i) const {
    const std::size_t row = i / inner;
    const auto number = static_cast<std::int64_t>(row % length);
    const T* const from = gradient + row / length * positions * inner + i % inner;
    double sum = 0;
    for (std::size_t k = first_of(number); k < positions && position[k] == number; ++k)
      sum += static_cast<double>(from[static_cast<std::size_t>(order[k]) * inner]);
    out[i] = static_cast<T>(sum);
  }
  void run(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) at(i);
  }

 private:
  GS_FN std::size_t first_of(std::int64_t number) const {
    std::size_t begin = 0, end = positions;
    while (begin < end) {
      const std::size_t middle = begin + (end - begin) / 2;
      if (position[middle] < number)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }
};

// Of take(x, positions, along), for an x of shape `taken_from`.
template <class T, class I>
device_array<T> adjoint_of_take(const device_array<T>& gradient, const device_array<I>& positions,
                                const shape& taken_from, axis along) {
  constexpr auto from_the_front = vectorize<scalar_functions::from_the_front{}>;
  const axis_split split = split_at(taken_from, along);
  const std::size_t count = positions.size();
  const auto [sorted, order] =
      sort_by_key(from_the_front(positions.reshape(shape(count)), static_cast<std::int64_t>(split.length)),
                  arange(static_cast<std::int64_t>(count)));
  device_array<T> result(taken_from);
  executor(target::device, nullptr)(add_taken_rows<T>{result.data(), gradient.data(), sorted.data(), order.data(),
                                                      split.outer, count, split.length, split.inner});
  return result;
}

// Of permuted(x, order): back to the order of x.
template <class T>
device_array<T> adjoint_of_permuted(const device_array<T>& gradient, const std::vector<std::size_t>& order) {
  std::vector<std::size_t> back(order.size());
  for (std::size_t d = 0; d < order.size(); ++d) back[order[d]] = d;
  return permuted(gradient, back);
}

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
