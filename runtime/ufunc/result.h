#pragma once
// The result of an array call: a new array of the kind that went in, or the one passed with gs::out.

#include <memory>
#include <type_traits>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/ufunc/execute.h"
#include "runtime/ufunc/operand.h"

// GS_RESULT marks the calls that return a new array and leave their arguments as they are. In a learner's file
// (GRIDSTRIDE_RESULTS_ARE_TAKEN) an unused result is an error.
#if defined(GRIDSTRIDE_RESULTS_ARE_TAKEN)
#define GS_RESULT [[nodiscard("the call returns a new array and changes none: take it, or give one with gs::out")]]
#else
#define GS_RESULT
#endif

namespace gs::inline GS_FLAVOUR::detail {

// The first argument that is an array of a container library, else the first host array: its kind is the result's.
template <class... A>
struct leading_host_array {
  using type = void;
};
template <class A, class... More>
struct leading_host_array<A, More...> {
  using rest = typename leading_host_array<More...>::type;
  static constexpr bool leads = [] {
    if constexpr (!host_array<A>)
      return false;
    else if constexpr (std::is_void_v<rest>)
      return true;
    else
      return !plain_range<A> || plain_range<rest>;
  }();
  using type = std::conditional_t<leads, A, rest>;
};

template <class R, int Rank, class... A>
struct choose_result_array {
  using leading = typename leading_host_array<A...>::type;
  static_assert(!std::is_void_v<leading>, "one argument must be an array");
  static_assert(!std::is_same_v<R, bool>,
                "a std::vector<bool> has no elements to point to: let the function return std::uint8_t");
  using type = typename host_traits<leading>::template like<R, Rank>;
};
template <class R, int Rank, class... A>
requires(any_device_array<A> || ...) struct choose_result_array<R, Rank, A...> {
  using type = device_array<R>;
};
/// The array type for a result of elements R and that rank: a device array if one went in, else the kind that went in.
template <class R, int Rank, class... A>
using result_array = typename choose_result_array<R, Rank, std::remove_cvref_t<A>...>::type;

/// Calls `compute(R* out)` on the call's target and copies the result to `array` if that lies elsewhere. The array's
/// shape is the result's.
template <class R, class Array, class Compute>
void write_result(const executor& run, Array& array, const Compute& compute) {
  static_assert(std::is_same_v<element_t<Array>, R>,
                "out: the output's element type differs from the ufunc's result, and values are never converted");
  if constexpr (any_device_array<Array>) {
    array.memory()->note_write();
    compute(array.data());
  } else {
    const auto host = write_host(array);
    if (!run.on_device()) return compute(host.data);
    const device_array<R> result(host.extents);
    compute(result.data());
    copy_device_to_host(host.data, result.memory().get(), result.data(), result.size() * sizeof(R));
  }
}

/// The same into a new array of the given shape.
template <class R, class Array, class Compute>
Array make_result(const executor& run, const shape& extents, const Compute& compute) {
  if constexpr (any_device_array<Array>) {
    Array result(extents);
    write_result<R>(run, result, compute);
    return result;
  } else {
    Array result = make_host_array<Array>(extents);
    write_result<R>(run, result, compute);
    return result;
  }
}

/// Temporary elements in the executor's memory; device memory outlives the work that was queued on it.
template <class T>
class scratch {
 public:
  scratch(const executor& run, std::size_t n) {
    if (run.on_device())
      device_ = allocate_device_memory(n * sizeof(T));
    else
      host_ = std::make_unique_for_overwrite<T[]>(n);
  }
  T* data() const { return device_ ? static_cast<T*>(device_->data()) : host_.get(); }

 private:
  std::shared_ptr<device_memory> device_;
  std::unique_ptr<T[]> host_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
