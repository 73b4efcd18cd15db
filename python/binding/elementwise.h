#pragma once
// The loop of a ufunc over operands of which each is an array or a number: which, is known when it is called. A ufunc
// of C++ knows it when it is compiled; to compile every combination would take Python's user too long.

#include <cstring>
#include <utility>

#include "python/binding/functions.h"
#include "runtime/ufunc/elementwise.h"

namespace gridstride_python {

/// The elements of an array, or one number in place of them all, for gs::detail::elementwise: it adds an offset to its
/// operands' data, and where an operand is repeated the offset is 0.
template <class T>
class array_or_value {
 public:
  explicit array_or_value(const operand& o) : array_(static_cast<const T*>(o.data)) {
    std::memcpy(&value_, o.value.data(), sizeof(T));
  }
  GS_FN const T* operator+(std::size_t offset) const { return first() + offset; }
  GS_FN const T& operator[](std::size_t i) const { return first()[i]; }
  GS_FN explicit operator const void*() const { return first(); }

 private:
  GS_FN const T* first() const { return array_ ? array_ : &value_; }
  const T* array_;
  T value_;
};

template <class T>
struct typed_operand {
  using value_type = T;
  array_or_value<T> data;
};

template <auto F>
void run_elementwise(const gs::detail::executor& run, void* out, const gs::shape& result, const operand* in) {
  using R = typename types_of<F>::result;
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    const std::array<const gs::shape*, sizeof...(K)> shapes{&in[K].extents...};
    run(gs::detail::elementwise<F, R,
                                typed_operand<std::remove_cvref_t<typename types_of<F>::template argument<K>>>...>(
        static_cast<R*>(out), result, shapes,
        typed_operand<std::remove_cvref_t<typename types_of<F>::template argument<K>>>{
            array_or_value<std::remove_cvref_t<typename types_of<F>::template argument<K>>>(in[K])}...));
  }(std::make_index_sequence<types_of<F>::arity>{});
}

template <auto F>
constexpr function describe_elementwise(std::string_view name) {
  return {.name = name,
          .kind = function_kind::elementwise,
          .parameters = parameters_of<F>,
          .result = describe_parameter<typename types_of<F>::result>(),
          .elementwise = &run_elementwise<F>};
}

}  // namespace gridstride_python
