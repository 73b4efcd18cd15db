#include "python/core/call_output.h"

#include <nanobind/stl/string.h>
#include <cstdlib>
#include <cstring>

#include "python/core/python_names.h"
#include "runtime/core/error.h"
#include "runtime/core/overlap.h"
#include "runtime/ufunc/ufunc_call.h"

namespace gridstride_python {
namespace nb = nanobind;

gs::target call_target::of_call(bool has_device_arrays) const {
  if (has_device_arrays) {
    if (chosen && *chosen != gs::target::device) gs::detail::refuse_target(*chosen);
    return gs::target::device;
  }
  if (stream) return gs::target::device;
  if (chosen) return *chosen;
  static const bool is_set = [] {
    const char* const text = std::getenv("GRIDSTRIDE_TARGET");
    return text && *text;
  }();
  return is_set ? gs::default_target() : gs::target::parallel;
}

call_output::call_output(nb::handle out, const element_type& type, const std::string& asked)
    : asked_(asked + ", the output"), type_(type) {
  if (out.is_none()) return;
  given_ = nb::borrow(out);
  const python_array* array = nullptr;
  if (nb::try_cast(out, array) && array) {
    device_ = array->array;
    device_->memory();
  } else {
    host_.emplace(out, asked_);
  }
  const element_type found = device_ ? device_->type() : host_->type();
  if (!(found == type))
    throw gs::error(asked_, "it holds " + to_string(found) + " and the result is " + to_string(type),
                    "values are never converted silently: give an array of " + to_string(type));
}

void call_output::make(const gs::shape& extents, bool on_device) {
  if (is_given()) {
    if (host_) data_ = host_->write(asked_);
  } else if (on_device) {
    python_array made = as_python_array(make_array(type_, extents));
    device_ = made.array;
    given_ = nb::cast(std::move(made));
  } else {
    made_ = empty_numpy(numpy_type(type_), to_tuple(extents));
    host_.emplace(made_, asked_);
    data_ = host_->write(asked_);
  }
  if (device_) data_ = device_->data();
  bytes_ = extents.size() * type_.bytes;
}

void* call_output::begin(const gs::detail::executor& run, const gs::shape& extents, std::span<const operand> inputs,
                         std::span<const std::size_t> input_bytes) {
  if (device_) device_->memory()->note_write();
  bool elsewhere = run.on_device() && !device_;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!inputs[k].data ||
        !gs::detail::overlap(data_, bytes_, inputs[k].data, inputs[k].extents.size() * input_bytes[k]))
      continue;
    const bool same = inputs[k].data == data_ && input_bytes[k] == type_.bytes && inputs[k].extents == extents;
    elsewhere = elsewhere || !same;
  }
  if (!elsewhere) return data_;
  if (run.on_device()) {
    on_device_ = gs::detail::allocate_device_memory(bytes_);
    return on_device_->data();
  }
  on_host_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  return on_host_.get();
}

void call_output::end(const gs::detail::executor& run) {
  if (on_host_) {
    std::memcpy(data_, on_host_.get(), bytes_);
  } else if (on_device_ && device_) {
    run(gs::detail::copy_work<std::byte>{static_cast<std::byte*>(data_),
                                         static_cast<const std::byte*>(on_device_->data()), bytes_});
  } else if (on_device_) {
    gs::detail::copy_device_to_host(data_, on_device_.get(), on_device_->data(), bytes_);
  }
}

nb::object call_output::result() const {
  if (given_.is_valid()) return given_;
  return host_->shape().rank() == 0 ? nb::object(made_[nb::tuple()]) : made_;
}

}  // namespace gridstride_python
