#pragma once
// A device array whose element type is known at run time.

#include <cstddef>
#include <memory>

#include "python/core/element_type.h"
#include "runtime/array/device_array.h"

namespace gridstride_python {

class any_array {
 public:
  virtual ~any_array() = default;
  any_array() = default;
  any_array(const any_array&) = delete;
  any_array& operator=(const any_array&) = delete;

  virtual element_type type() const = 0;
  virtual const gs::shape& shape() const = 0;
  virtual void* data() const = 0;
  /// Throws gs::error for an array that can't be used: of another device, or of one that was reset.
  virtual const std::shared_ptr<gs::detail::device_memory>& memory() const = 0;
  virtual gs::device_kind device() const = 0;
  std::size_t bytes() const { return shape().size() * type().bytes; }

  /// As gs::device_array's.
  ///@{
  virtual std::unique_ptr<any_array> slice(std::size_t begin, std::size_t end) const = 0;
  virtual std::unique_ptr<any_array> row(std::size_t i) const = 0;
  virtual std::unique_ptr<any_array> reshape(const gs::shape& extents) const = 0;
  virtual std::unique_ptr<any_array> copy() const = 0;
  ///@}
};

template <class T>
class typed_array final : public any_array {
 public:
  explicit typed_array(gs::device_array<T> array) : array_(std::move(array)) {}
  gs::device_array<T>& get() { return array_; }
  const gs::device_array<T>& get() const { return array_; }

  element_type type() const override;
  const gs::shape& shape() const override { return array_.shape(); }
  void* data() const override { return array_.data(); }
  const std::shared_ptr<gs::detail::device_memory>& memory() const override { return array_.memory(); }
  gs::device_kind device() const override { return array_.kind(); }
  std::unique_ptr<any_array> slice(std::size_t begin, std::size_t end) const override {
    return std::make_unique<typed_array>(array_.slice(begin, end));
  }
  std::unique_ptr<any_array> row(std::size_t i) const override { return std::make_unique<typed_array>(array_[i]); }
  std::unique_ptr<any_array> reshape(const gs::shape& extents) const override {
    return std::make_unique<typed_array>(array_.reshape(extents));
  }
  std::unique_ptr<any_array> copy() const override { return std::make_unique<typed_array>(array_.copy()); }

 private:
  gs::device_array<T> array_;
};

/// A new array; its elements have no value yet.
std::unique_ptr<any_array> make_array(const element_type& type, const gs::shape& extents);

/// The array as one of T. Throws gs::error, beginning with `asked`, for another type.
template <class T>
typed_array<T>& as_typed(any_array& array, const std::string& asked);

}  // namespace gridstride_python
