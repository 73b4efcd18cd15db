#pragma once
// gs::window: memory of every rank that all of them may read and write, without its owner's doing.

#include <cstddef>
#include <span>
#include <type_traits>

#include "runtime/core/config.h"
#include "runtime/world/communicator.h"
#include "runtime/world/rank_memory.h"
#include "runtime/world/rank_window.h"

namespace gs::inline GS_FLAVOUR {

/// As many elements on each rank of a group, zeros at first, in the host's memory. Made, fenced and destroyed by all
/// ranks.
///   gs::window<float> field(gs::world(), 1000);
///   field.put(border, left, 999);  field.fence();  float from_left = field.own()[999];
/// Between two fences, an element that one rank puts or writes is read and written by no other: nobody looks whether
/// that holds. In the checked flavour, ranks whose windows differ in size or type are told, and those that don't come
/// to a fence.
template <element T>
class window {
  using place = detail::rank_place;

 public:
  /// `size` elements on each rank of `ranks`, all of which make it.
  window(const communicator& ranks, std::size_t size, const place& at = place::current())
      : window_(ranks.group(), detail::operand_of(static_cast<T*>(nullptr), size), at) {}

  std::size_t size() const { return window_.own().count; }  ///< on each rank
  /// This rank's elements.
  std::span<T> own() const { return {static_cast<T*>(window_.own().data), size()}; }

  /// Writes `x`, a value or a host array, to rank `to`, from its element `first` on. Returns when `x` may be changed;
  /// the elements are there after the next fence. Throws gs::error for elements outside of the window.
  template <class A>
  void put(const A& x, int to, std::size_t first = 0, const place& at = place::current()) const {
    check_element<A>();
    window_.put(detail::outgoing<A>(x, transport_of_group(), at).memory(), to, first, at);
  }
  /// Reads from rank `from`, from its element `first` on, as many elements as `y` has, a variable or a host array.
  /// Returns when they are there. Throws gs::error for elements outside of the window.
  template <class A>
  void get(A&& y, int from, std::size_t first = 0, const place& at = place::current()) const {
    check_element<A>();
    window_.get(detail::incoming<std::remove_reference_t<A>>(y, transport_of_group(), at).memory(), from, first, at);
  }

  /// Waits until all ranks have come here. Then all that was put before is there, on all ranks.
  void fence(const place& at = place::current()) const { window_.fence(at); }

 private:
  template <class A>
  static constexpr void check_element() {
    static_assert(!any_device_array<A>, "a window lies in the host's memory: put and get host arrays");
    static_assert(std::is_same_v<detail::element_sent<A>, T>, "the window holds elements of another type");
  }
  const detail::transport& transport_of_group() const { return window_.ranks().library(); }

  detail::rank_window window_;
};

}  // namespace gs::inline GS_FLAVOUR
