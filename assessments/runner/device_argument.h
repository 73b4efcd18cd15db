#pragma once
// An array of a call, where the task's function takes it on the device.

#include <cstddef>
#include <span>

#include "assessments/runner/entry.h"
#include "runtime/array/device_array.h"

namespace runner {

/// An input's elements on the device, or an output between its guard bands: brought there, handed to the learner's
/// function, and brought back. Arrays have one, two or three dimensions.
template <class T>
class device_argument {
 public:
  /// Copies the argument to the device.
  void bring(const argument& a) {
    host_ = a;
    guard_ = a.in ? 0 : a.guard;
    const T* first = reinterpret_cast<const T*>(a.in ? a.in : a.out) - guard_;
    guarded_ = gs::to_device(std::span(first, a.size() + 2 * guard_));
    array_ = guarded_.slice(guard_, guard_ + a.size());
    if (a.rank == 2) array_ = array_.reshape({extent(0), extent(1)});
    if (a.rank == 3) array_ = array_.reshape({extent(0), extent(1), extent(2)});
  }
  const gs::device_array<T>& array() const { return array_; }
  /// Copies what the device holds to `out`, an output's guard bands too, and frees it.
  void deliver() {
    if (host_.out) guarded_.copy_to_host(std::span(reinterpret_cast<T*>(host_.out) - guard_, guarded_.size()));
    array_ = {};
    guarded_ = {};
  }

 private:
  std::ptrdiff_t extent(unsigned d) const { return static_cast<std::ptrdiff_t>(host_.extents[d]); }

  argument host_;
  std::size_t guard_ = 0;
  gs::device_array<T> guarded_, array_;
};

}  // namespace runner
