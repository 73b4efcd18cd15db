#pragma once
// gs::device_array: an n-dimensional array in the device's memory.

#include <memory>
#include <utility>

#include "runtime/array/device_memory.h"
#include "runtime/array/host_array.h"
#include "runtime/array/view.h"
#include "runtime/core/config.h"
#include "runtime/core/dtype.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR {

/// A row-major array of T on the current device. It can be moved; copy() makes a copy. Slices and reshaped
/// arrays share its memory, as in NumPy; the memory lives until the last of them is gone and everything queued on it
/// has run.
template <element T>
class device_array {
 public:
  using value_type = T;  ///< the type of an element

  /// An empty array of shape (0,).
  device_array() = default;
  /// An array of the given shape; its elements have no value yet. Throws gs::machine_error if the device has no room.
  explicit device_array(const shape& extents, const detail::access_place& place = detail::access_place::current())
      : device_array(extents, detail::memory_kind::device, place) {}

  /// Takes over the other array's memory; a moved-from array has no elements.
  device_array(device_array&& other) noexcept { swap(other); }
  /// Takes over the other array's memory.
  device_array& operator=(device_array&& other) noexcept {
    device_array taken(std::move(other));
    swap(taken);
    return *this;
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  /// Throws nothing, also for an array that was moved from.
  const gs::shape& shape() const noexcept { return extents_; }
  std::size_t rank() const noexcept { return extents_.rank(); }                      ///< how many dimensions
  std::size_t extent(std::size_t d) const { return extents_[d]; }                    ///< of dimension `d`, from 0 on
  std::size_t size() const { return extents_.size(); }                               ///< how many elements
  device_kind kind() const { return memory_ ? memory_->kind() : current_device(); }  ///< the device it lives on

  /// A new array with the same elements; a copy within the device, counted. Waits for what is queued.
  device_array copy(const detail::access_place& place = detail::access_place::current()) const {
    device_array result(shape_checked(), place);
    detail::copy_within_device(result.data_, *this->memory(), data_, size() * sizeof(T));
    return result;
  }

  /// Elements [begin, end) along the first dimension. Shares this array's memory. Throws gs::error if the range doesn't
  /// lie in the array, or for rank 0.
  device_array slice(std::size_t begin, std::size_t end) const {
    detail::check_slice(shape_checked(), begin, end);
    device_array part = share();
    const std::size_t row = extents_[0] == 0 ? 0 : size() / extents_[0];
    part.data_ += begin * row;
    part.extents_[0] = end - begin;
    return part;
  }
  /// The sub-array at position `i` of the first dimension, one dimension less. Shares this array's memory.
  device_array operator[](std::size_t i) const {
    device_array part = slice(i, i + 1);
    part.extents_ = part.extents_.without(0);
    return part;
  }
  /// The same elements in another shape of the same size; one extent may be -1 and is computed. Shares this array's
  /// memory. Throws gs::error if the sizes differ.
  device_array reshape(std::initializer_list<std::ptrdiff_t> extents) const {
    device_array part = share();
    part.extents_ = detail::reshaped(shape_checked(), {extents.begin(), extents.size()});
    return part;
  }

  /// The same elements in another shape of the same size.
  device_array reshape(const gs::shape& extents) const {
    device_array part = share();
    detail::check_reshape(shape_checked(), extents);
    part.extents_ = extents;
    return part;
  }

  /// A new host array with this one's elements; waits for what is queued on the device. A std::vector unless another
  /// container is named: it holds any shape flat, row by row.
  template <class C = std::vector<T>>
  C copy_to_host(const detail::access_place& place = detail::access_place::current()) const {
    C host = detail::make_host_array<C>(shape_checked());
    copy_to_host(host, place);
    return host;
  }
  /// The same into `host`, which must have this array's shape (a flat range: its size) and type.
  template <host_array A>
  void copy_to_host(A&& host, const detail::access_place& place = detail::access_place::current()) const {
    static_assert(std::is_same_v<detail::host_value_t<A>, T>,
                  "copy_to_host: the host array holds another type of element");
    const auto to = detail::write_host(host);
    detail::check_copy_shape(shape_checked(), to.extents);
    detail::copy_device_to_host(to.data, memory_.get(), data_, size() * sizeof(T), sizeof(T), place);
  }
  /// Overwrites the elements from `host`, which must have this array's shape and type. Waits for what is queued.
  template <host_array A>
  void copy_from_host(const A& host) {
    static_assert(std::is_same_v<detail::host_value_t<A>, T>,
                  "copy_from_host: the host array holds another type of element");
    const auto from = detail::read_host(host);
    detail::check_copy_shape(shape_checked(), from.extents);
    detail::copy_host_to_device(data_, memory_.get(), from.data, size() * sizeof(T));
  }

  /// The same copies in a stream: each waits for what is queued there, other streams go on beside it. From and to
  /// pinned memory (gs::pinned_array, or a part of it) they are queued and return at once: leave the host's elements
  /// alone until the stream has got there. Ordinary memory may be moved by the system at any time, so a copy from or to
  /// it returns only when it is done; on a GPU the driver takes it through a pinned buffer of its own, in pieces. Throw
  /// gs::error for another shape, and for a stream of another device.
  ///@{
  template <host_array A>
  void copy_from_host(const A& host, const stream& on,
                      const detail::access_place& place = detail::access_place::current()) {
    static_assert(std::is_same_v<detail::host_value_t<A>, T>,
                  "copy_from_host: the host array holds another type of element");
    const auto from = detail::read_host(host);
    detail::check_copy_shape(shape_checked(), from.extents);
    detail::queue_copy_to_device(on, data_, *memory_, from.data, size() * sizeof(T), place);
  }
  template <host_array A>
  void copy_to_host(A&& host, const stream& on,
                    const detail::access_place& place = detail::access_place::current()) const {
    static_assert(std::is_same_v<detail::host_value_t<A>, T>,
                  "copy_to_host: the host array holds another type of element");
    const auto to = detail::write_host(host);
    detail::check_copy_shape(shape_checked(), to.extents);
    detail::queue_copy_to_host(on, to.data, *memory_, data_, size() * sizeof(T), sizeof(T), place);
  }
  ///@}

  /// How kernels see this array. Throws gs::error if the rank differs.
  template <std::size_t Rank = 1>
  gs::view<T, Rank> view() const {
    return view_as<T, Rank>();
  }
  /// What view() returns, so that an array can be a kernel's argument.
  template <std::size_t Rank>
  operator gs::view<T, Rank>() const {  // NOLINT: arrays go into kernels as they are
    return view_as<T, Rank>();
  }
  /// The same with constant elements.
  template <std::size_t Rank>
  operator gs::view<const T, Rank>() const {  // NOLINT
    return view_as<const T, Rank>();
  }

  /// For the runtime: the first element, in device memory, and who owns it. `memory()` throws gs::error for an array
  /// that was moved from or lives on another device.
  T* data() const noexcept { return data_; }
  /// Who owns the memory, for the runtime.
  const std::shared_ptr<detail::device_memory>& memory() const {
    detail::check_usable(memory_.get());
    return memory_;
  }

 protected:
  /// For managed_array and interprocess_array: in memory of that kind.
  device_array(const gs::shape& extents, detail::memory_kind kind, const detail::access_place& place)
      : extents_(extents) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(extents_.size(), sizeof(T), &bytes))
      detail::refuse_bytes(extents_, detail::dtype_name<T>());
    memory_ = detail::allocate_device_memory(bytes, place, kind);
    data_ = static_cast<T*>(memory_->data());
  }

  /// For interprocess_array: in memory that is there already. (A constructor would compete for device_array({0, 0}).)
  void take_memory(std::shared_ptr<detail::device_memory> memory, const gs::shape& extents) {
    memory_ = std::move(memory);
    data_ = static_cast<T*>(memory_->data());
    extents_ = extents;
  }

 private:
  const gs::shape& shape_checked() const {
    memory();
    return extents_;
  }
  device_array share() const {
    device_array other;
    other.memory_ = memory_;
    other.data_ = data_;
    other.extents_ = extents_;
    return other;
  }
  template <class U, std::size_t Rank>
  gs::view<U, Rank> view_as() const {
    detail::check_rank(shape_checked(), Rank);
    std::array<std::size_t, Rank> extents;
    for (std::size_t d = 0; d < Rank; ++d) extents[d] = extents_[d];
    return {data_, extents};
  }
  void swap(device_array& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(extents_, other.extents_);
  }

  std::shared_ptr<detail::device_memory> memory_;
  T* data_ = nullptr;
  gs::shape extents_ = 0;  // a moved-from array has no elements
};

namespace detail {

template <class T>
struct is_device_array : std::false_type {};
template <class T>
struct is_device_array<device_array<T>> : std::true_type {};

}  // namespace detail

/// A device_array of any element type.
template <class A>
concept any_device_array = detail::is_device_array<std::remove_cvref_t<A>>::value;

/// Copies a host array or a scalar to the current device; one copy, counted. The source may be changed afterwards.
template <class A>
requires(host_array<A> || scalar<A>)
auto to_device(const A& host, const detail::access_place& place = detail::access_place::current()) {
  if constexpr (scalar<A>) {
    device_array<A> result(shape(), place);
    detail::copy_host_to_device(result.data(), nullptr, &host, sizeof(A));
    return result;
  } else {
    using T = detail::host_value_t<A>;
    static_assert(element<T>, "to_device: the elements must be trivially copyable and no pointers");
    const auto from = detail::read_host(host);
    device_array<T> result(from.extents, place);
    detail::copy_host_to_device(result.data(), nullptr, from.data, result.size() * sizeof(T));
    return result;
  }
}

/// An array on the device with the shape and element type of `a`, a host or device array; its elements have no value.
template <class A>
requires(host_array<A> || any_device_array<A>)
auto device_array_like(const A& a, const detail::access_place& place = detail::access_place::current()) {
  if constexpr (any_device_array<A>) {
    a.memory();
    return device_array<typename A::value_type>(a.shape(), place);
  } else {
    return device_array<detail::host_value_t<A>>(detail::host_shape(a), place);
  }
}

}  // namespace gs::inline GS_FLAVOUR
