#include "python/core/any_array.h"

#include <utility>

#include "runtime/core/error.h"

namespace gridstride_python {
namespace {

// Bytes whose last dimension is an element.
class record_array final : public any_array {
 public:
  record_array(gs::device_array<unsigned char> bytes, std::size_t element_bytes)
      : bytes_(std::move(bytes)), element_bytes_(element_bytes), extents_(bytes_.shape()) {
    extents_ = extents_.without(extents_.rank() - 1);
  }

  element_type type() const override { return {element_kind::record, element_bytes_}; }
  const gs::shape& shape() const override { return extents_; }
  void* data() const override { return bytes_.data(); }
  const std::shared_ptr<gs::detail::device_memory>& memory() const override { return bytes_.memory(); }
  gs::device_kind device() const override { return bytes_.kind(); }
  std::unique_ptr<any_array> slice(std::size_t begin, std::size_t end) const override {
    gs::detail::check_slice(extents_, begin, end);
    return of(bytes_.slice(begin, end));
  }
  std::unique_ptr<any_array> row(std::size_t i) const override {
    gs::detail::check_slice(extents_, i, i + 1);
    return of(bytes_[i]);
  }
  std::unique_ptr<any_array> reshape(const gs::shape& extents) const override {
    gs::detail::check_reshape(extents_, extents);
    return of(bytes_.reshape(with_bytes(extents, element_bytes_)));
  }
  std::unique_ptr<any_array> copy() const override { return of(bytes_.copy()); }

  static gs::shape with_bytes(gs::shape extents, std::size_t element_bytes) {
    extents.push_back(element_bytes);
    return extents;
  }

 private:
  std::unique_ptr<any_array> of(gs::device_array<unsigned char> bytes) const {
    return std::make_unique<record_array>(std::move(bytes), element_bytes_);
  }
  gs::device_array<unsigned char> bytes_;
  std::size_t element_bytes_;
  gs::shape extents_;
};

template <class T>
constexpr element_kind kind_of() {
  if constexpr (std::is_same_v<T, bool>)
    return element_kind::boolean;
  else if constexpr (std::is_same_v<T, float>)
    return element_kind::float32;
  else if constexpr (std::is_same_v<T, double>)
    return element_kind::float64;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return element_kind::complex64;
  else if constexpr (std::is_same_v<T, std::complex<double>>)
    return element_kind::complex128;
  else if constexpr (std::is_signed_v<T>)
    return sizeof(T) == 1   ? element_kind::int8
           : sizeof(T) == 2 ? element_kind::int16
           : sizeof(T) == 4 ? element_kind::int32
                            : element_kind::int64;
  else
    return sizeof(T) == 1   ? element_kind::uint8
           : sizeof(T) == 2 ? element_kind::uint16
           : sizeof(T) == 4 ? element_kind::uint32
                            : element_kind::uint64;
}

}  // namespace

template <class T>
element_type typed_array<T>::type() const {
  return {kind_of<T>(), sizeof(T)};
}

template <class T>
typed_array<T>& as_typed(any_array& array, const std::string& asked) {
  if (auto* typed = dynamic_cast<typed_array<T>*>(&array)) return *typed;
  throw gs::error(asked, "the array holds " + to_string(array.type()),
                  "give an array of " + to_string(element_type{kind_of<T>(), sizeof(T)}));
}

std::unique_ptr<any_array> make_array(const element_type& type, const gs::shape& extents) {
  return with_type(type.kind, [&]<class T>(std::type_identity<T>) -> std::unique_ptr<any_array> {
    if constexpr (std::is_void_v<T>)
      return std::make_unique<record_array>(
          gs::device_array<unsigned char>(record_array::with_bytes(extents, type.bytes)), type.bytes);
    else
      return std::make_unique<typed_array<T>>(gs::device_array<T>(extents));
  });
}

#define GRIDSTRIDE_PYTHON_TYPE(T) \
  template class typed_array<T>;  \
  template typed_array<T>& as_typed(any_array&, const std::string&);
GRIDSTRIDE_PYTHON_TYPE(bool)
GRIDSTRIDE_PYTHON_TYPE(std::int8_t)
GRIDSTRIDE_PYTHON_TYPE(std::int16_t)
GRIDSTRIDE_PYTHON_TYPE(std::int32_t)
GRIDSTRIDE_PYTHON_TYPE(std::int64_t)
GRIDSTRIDE_PYTHON_TYPE(std::uint8_t)
GRIDSTRIDE_PYTHON_TYPE(std::uint16_t)
GRIDSTRIDE_PYTHON_TYPE(std::uint32_t)
GRIDSTRIDE_PYTHON_TYPE(std::uint64_t)
GRIDSTRIDE_PYTHON_TYPE(float)
GRIDSTRIDE_PYTHON_TYPE(double)
GRIDSTRIDE_PYTHON_TYPE(std::complex<float>)
GRIDSTRIDE_PYTHON_TYPE(std::complex<double>)
#undef GRIDSTRIDE_PYTHON_TYPE

}  // namespace gridstride_python
