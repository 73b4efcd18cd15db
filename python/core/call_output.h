#pragma once
// The result of a call: a new array of the side that the call ran on, or the array that was passed for it.

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "python/core/call_argument.h"
#include "python/core/device_array.h"
#include "runtime/ufunc/execute.h"

namespace gridstride_python {

/// Where a call runs, as Python asked for it.
struct call_target {
  std::optional<gs::target> chosen;
  gs::stream* stream = nullptr;

  /// The device if there are device arrays; else what was chosen, or GRIDSTRIDE_TARGET says, or all cores. Throws
  /// gs::error for device arrays with a target of host memory.
  gs::target of_call(bool has_device_arrays) const;
};

class call_output {
 public:
  /// `out` is None or an array. Throws gs::error if it holds another type.
  call_output(nanobind::handle out, const element_type& type, const std::string& asked);

  bool is_given() const { return device_ || host_; }
  bool is_device() const { return device_ != nullptr; }
  /// Of the array that was passed.
  const gs::shape& shape() const { return device_ ? device_->shape() : host_->shape(); }

  /// Makes the result, unless it was passed. With the GIL held.
  void make(const gs::shape& extents, bool on_device);
  /// Where the loop writes: the result itself, or temporary memory where that lies elsewhere or shares memory with an
  /// input in another way than element by element.
  void* begin(const gs::detail::executor& run, const gs::shape& extents, std::span<const operand> inputs,
              std::span<const std::size_t> input_bytes);
  /// Brings the result home, where it was computed elsewhere.
  void end(const gs::detail::executor& run);
  /// The array that was passed; a new one, and a number where that has the shape ().
  nanobind::object result() const;

 private:
  std::string asked_;
  element_type type_;
  nanobind::object given_;
  std::shared_ptr<any_array> device_;
  std::optional<host_buffer> host_;
  nanobind::object made_;  // a new NumPy array
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::shared_ptr<gs::detail::device_memory> on_device_;  // temporary memory
  std::unique_ptr<std::byte[]> on_host_;
};

}  // namespace gridstride_python
