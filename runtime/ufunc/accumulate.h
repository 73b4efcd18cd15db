#pragma once
// ufunc.accumulate: running results along an axis, in three passes over chunks (a blocked scan: G. E. Blelloch, "Prefix
// sums and their applications", 1990). The passes are the same on every target, and so are the bits.

#include "runtime/core/config.h"
#include "runtime/ufunc/axis.h"
#include "runtime/ufunc/reduce.h"

namespace gs::inline GS_FLAVOUR::detail {

// Scans each chunk of each column by itself, from the left.
template <auto F, class T>
class scan_chunks {
 public:
  static constexpr std::size_t chunk = 4096;
  scan_chunks(T* out, const T* in, const axis_split& from)
      : out_(out), in_(in), from_(from), chunks_(chunks_of(from.length)) {}
  static GS_FN std::size_t chunks_of(std::size_t length) { return (length + chunk - 1) / chunk; }

  static std::string_view scalar_function() { return signature<F>::name(); }
  GS_FN std::size_t size() const { return from_.outer * chunks_ * from_.inner; }
  std::size_t grain() const { return std::max<std::size_t>(1, (std::size_t{1} << 14) / std::min(chunk, from_.length)); }
  GS_FN void at(std::size_t i) const {
    const std::size_t c = i / from_.inner % chunks_, first = c * chunk;
    const std::size_t start = (i / from_.inner / chunks_ * from_.length + first) * from_.inner + i % from_.inner;
    const std::size_t remaining = from_.length - first, n = remaining < chunk ? remaining : chunk;
    T value = in_[start];
    out_[start] = value;
    for (std::size_t k = 1; k < n; ++k) out_[start + k * from_.inner] = value = F(value, in_[start + k * from_.inner]);
  }
  void run(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) at(i);
  }

 private:
  T* out_;
  const T* in_;
  axis_split from_;
  std::size_t chunks_;
};

// Computes the carry into each chunk of a column: carry[c] folds the last results of chunks 0 to c - 1. carry[0] has no
// value.
template <auto F, class T>
class scan_carries {
 public:
  scan_carries(T* carry, const T* scanned, const axis_split& from)
      : carry_(carry), scanned_(scanned), from_(from), chunks_(scan_chunks<F, T>::chunks_of(from.length)) {}

  static std::string_view scalar_function() { return signature<F>::name(); }
  GS_FN std::size_t size() const { return from_.outer * from_.inner; }
  std::size_t grain() const { return std::max<std::size_t>(1, (std::size_t{1} << 14) / chunks_); }
  GS_FN void at(std::size_t column) const {
    const std::size_t o = column / from_.inner, i = column % from_.inner;
    T value{};
    for (std::size_t c = 1; c < chunks_; ++c) {
      const T last = scanned_[(o * from_.length + c * scan_chunks<F, T>::chunk - 1) * from_.inner + i];
      value = c == 1 ? last : F(value, last);
      carry_[(o * chunks_ + c) * from_.inner + i] = value;
    }
  }
  void run(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) at(i);
  }

 private:
  T* carry_;
  const T* scanned_;
  axis_split from_;
  std::size_t chunks_;
};

// Folds its carry into each chunk but the first, from the left.
template <auto F, class T>
class add_carries {
 public:
  add_carries(T* out, const T* carry, const axis_split& from)
      : out_(out), carry_(carry), from_(from), chunks_(scan_chunks<F, T>::chunks_of(from.length)) {}

  static std::string_view scalar_function() { return signature<F>::name(); }
  GS_FN std::size_t size() const { return from_.outer * from_.length * from_.inner; }
  std::size_t grain() const { return std::size_t{1} << 14; }
  GS_FN void at(std::size_t i) const {
    const std::size_t k = i / from_.inner % from_.length, c = k / scan_chunks<F, T>::chunk;
    if (c == 0) return;
    const std::size_t o = i / from_.inner / from_.length;
    out_[i] = F(carry_[(o * chunks_ + c) * from_.inner + i % from_.inner], out_[i]);
  }
  void run(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) at(i);
  }

 private:
  T* out_;
  const T* carry_;
  axis_split from_;
  std::size_t chunks_;
};

template <auto F, class A, class T = element_t<A>>
auto accumulate_axis(const target_request& request, const A& array, axis along) {
  const shape extents = argument_shape(array);
  const axis_split from = split_at(extents, along);
  const executor run(choose_target(request, any_device_array<A>), request.on_stream);
  const auto input = place_input(array, run);
  return make_result<T, result_array<T, static_rank<A>(), A>>(run, extents, [&](T* out) {
    if (extents.size() == 0) return run(copy_work<T>{out, out, 0});
    run(scan_chunks<F, T>(out, input.data, from));
    const std::size_t chunks = scan_chunks<F, T>::chunks_of(from.length);
    if (chunks == 1) return;
    const scratch<T> carry(run, from.outer * chunks * from.inner);
    run(scan_carries<F, T>(carry.data(), out, from));
    run(add_carries<F, T>(out, carry.data(), from));
  });
}

}  // namespace gs::inline GS_FLAVOUR::detail
