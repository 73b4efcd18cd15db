#pragma once
// Arrays made of other arrays' elements in another order, under NumPy's names. Each of these copies.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/core/error.h"
#include "runtime/ufunc/axis.h"
#include "runtime/ufunc/execute.h"
#include "runtime/ufunc/operand.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// Throw gs::error, with what was asked, found and to be done.
void check_joined(const shape& first, const shape& other, axis along, std::size_t number);
void check_stacked(const shape& first, const shape& other, std::size_t number);
std::vector<std::size_t> checked_order(const shape& extents, std::initializer_list<std::size_t> axes);
[[noreturn]] void refuse_position(std::int64_t position, std::size_t length);

// Copies `rows` rows of `row` elements each to rows that are `pitch` apart.
template <class T>
struct copy_rows {
  T* to;
  const T* from;
  std::size_t rows, row, pitch;
  GS_FN std::size_t size() const { return rows * row; }
  std::size_t grain() const { return std::size_t{1} << 16; }
  GS_FN void at(std::size_t i) const { to[i / row * pitch + i % row] = from[i]; }
  void run(std::size_t begin, std::size_t end) const {
    while (begin < end) {
      const std::size_t column = begin % row, count = std::min(row - column, end - begin);
      std::memcpy(to + begin / row * pitch + column, from + begin, count * sizeof(T));
      begin += count;
    }
  }
};

}  // namespace detail

/// The arrays one after the other along an axis: concatenate(gs::axis(1), a, b). Without an axis along the first.
/// Their other extents must be equal, or gs::error is thrown.
template <any_device_array A, any_device_array... More>
auto concatenate(axis along, const A& first, const More&... more) {
  using T = detail::element_t<A>;
  static_assert((std::is_same_v<T, detail::element_t<More>> && ...),
                "concatenate: the arrays hold different types of element, and values are never converted");
  first.memory();
  const detail::axis_split split = detail::split_at(first.shape(), along);
  shape extents = first.shape();
  std::size_t number = 1;
  const auto lengthen = [&](const auto& array) {
    array.memory();
    detail::check_joined(first.shape(), array.shape(), along, ++number);
    extents[split.number] += array.extent(split.number);
  };
  (lengthen(more), ...);
  device_array<T> result(extents);
  const std::size_t pitch = extents[split.number] * split.inner;
  std::size_t offset = 0;
  const detail::executor run(target::device, nullptr);
  const auto append = [&](const auto& array) {
    const std::size_t row = array.extent(split.number) * split.inner;
    if (row > 0) run(detail::copy_rows<T>{result.data() + offset, array.data(), split.outer, row, pitch});
    offset += row;
  };
  append(first);
  (append(more), ...);
  return result;
}
/// Along the first axis.
template <any_device_array A, any_device_array... More>
auto concatenate(const A& first, const More&... more) {
  return concatenate(axis(0), first, more...);
}

namespace detail {

// The shape of an array that is one of a stack's: its own, behind an extent of 1.
inline shape layer_shape(const shape& array) {
  shape extents = 1;
  for (std::size_t extent : array) extents.push_back(extent);
  return extents;
}

}  // namespace detail

/// Arrays of one shape side by side along a new first axis.
template <any_device_array A, any_device_array... More>
auto stack(const A& first, const More&... more) {
  std::size_t number = 1;
  (detail::check_stacked(first.shape(), more.shape(), ++number), ...);
  const auto layer = [](const auto& array) { return array.reshape(detail::layer_shape(array.shape())); };
  return concatenate(axis(0), layer(first), layer(more)...);
}

namespace detail {

// out[i] is in[...] with the axes in another order: `step[d]` is how far a step along the result's dimension d leads.
template <class T>
struct permute_axes {
  T* out;
  const T* in;
  std::size_t rank, count;
  std::array<std::size_t, shape::max_rank> extent, step;

  GS_FN std::size_t size() const { return count; }
  std::size_t grain() const { return std::size_t{1} << 14; }
  GS_FN std::size_t offset(std::size_t i) const {
    std::size_t position = 0;
    for (std::size_t d = rank; d-- > 0; i /= extent[d]) position += i % extent[d] * step[d];
    return position;
  }
  GS_FN void at(std::size_t i) const { out[i] = in[offset(i)]; }
  void run(std::size_t begin, std::size_t end) const {
    const std::size_t row = extent[rank - 1], stride = step[rank - 1];
    while (begin < end) {
      const T* const from = in + offset(begin);
      const std::size_t in_row = std::min(row - begin % row, end - begin);
      for (std::size_t k = 0; k < in_row; ++k) out[begin + k] = from[k * stride];
      begin += in_row;
    }
  }
};

// A copy whose dimension d is dimension order[d] of x; `order` as checked_order returns it.
template <class T>
device_array<T> permuted(const device_array<T>& x, const std::vector<std::size_t>& order) {
  if (order.empty()) return x.copy();
  permute_axes<T> work{};
  work.rank = order.size();
  shape extents = x.shape();
  for (std::size_t d = 0; d < order.size(); ++d) {
    extents[d] = x.extent(order[d]);
    work.extent[d] = extents[d];
    work.step[d] = 1;
    for (std::size_t e = order[d] + 1; e < order.size(); ++e) work.step[d] *= x.extent(e);
  }
  device_array<T> result(extents);
  work.out = result.data();
  work.in = x.data();
  work.count = result.size();
  executor(target::device, nullptr)(work);
  return result;
}

}  // namespace detail

/// A copy with the axes reversed, or in the given order: transpose(x, {1, 0, 2}). Throws gs::error unless each axis is
/// named once. (NumPy's shares memory; every array here is row-major. Lesson 25 has a faster one for matrices.)
template <any_device_array A>
auto transpose(const A& x, std::initializer_list<std::size_t> axes = {}) {
  x.memory();
  return detail::permuted(x, detail::checked_order(x.shape(), axes));
}

namespace detail {

// Rows of `inner` elements, chosen by position.
template <class T, class I>
struct take_rows {
  T* out;
  const T* in;
  const I* position;
  std::size_t outer, positions, length, inner;

  GS_FN std::size_t size() const { return outer * positions * inner; }
  std::size_t grain() const { return std::size_t{1} << 14; }
  GS_FN void at(std::size_t i) const {
    const std::size_t row = i / inner, o = row / positions;
    auto p = static_cast<std::int64_t>(position[row % positions]);
    if (p < 0) p += static_cast<std::int64_t>(length);
    if (p < 0 || p >= static_cast<std::int64_t>(length)) {
#if defined(__CUDA_ARCH__)
      __trap();
#else
      refuse_position(static_cast<std::int64_t>(position[row % positions]), length);
#endif
    }
    out[i] = in[(o * length + static_cast<std::size_t>(p)) * inner + i % inner];
  }
  void run(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) at(i);
  }
};

}  // namespace detail

/// The elements at some positions along an axis: take(x, positions, gs::axis(0)); without an axis of all elements in
/// row-major order. Negative positions count from the end. The result has the positions' shape in the place of the
/// axis. A position outside throws gs::error from the next wait on the engine, and stops the kernel on a GPU.
template <any_device_array A, any_device_array I>
auto take(const A& x, const I& positions, axis along) {
  using T = detail::element_t<A>;
  static_assert(std::is_integral_v<detail::element_t<I>>, "take: positions are integers");
  x.memory(), positions.memory();
  const detail::axis_split split = detail::split_at(x.shape(), along);
  shape extents;
  for (std::size_t d = 0; d < x.rank(); ++d) {
    if (d != split.number)
      extents.push_back(x.extent(d));
    else
      for (std::size_t extent : positions.shape()) extents.push_back(extent);
  }
  device_array<T> result(extents);
  if (result.size() > 0)
    detail::executor(target::device, nullptr)(detail::take_rows<T, detail::element_t<I>>{
        result.data(), x.data(), positions.data(), split.outer, positions.size(), split.length, split.inner});
  return result;
}
/// Of all elements in row-major order.
template <any_device_array A, any_device_array I>
auto take(const A& x, const I& positions) {
  return take(x.reshape({-1}), positions, axis(0));
}

}  // namespace gs::inline GS_FLAVOUR
