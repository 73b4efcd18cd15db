#pragma once
// cub::DeviceReduce: CUB, "Device-wide primitives". Pieces are taken together on all cores, and their results in order:
// the same numbers on any number of cores.

#include <limits>

#include "dialect/cub/device_call.h"

namespace cub {

struct DeviceReduce {
  /// `initial` and all elements, taken together by an associative operation.
  template <class In, class Out, class Operation, class T, class Count>
  static cudaError_t Reduce(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Out d_out, Count num_items,
                            Operation operation, T initial, cudaStream_t stream = nullptr) {
    return reduce("cub::DeviceReduce::Reduce", d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, operation,
                  initial, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Sum(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Out d_out, Count num_items,
                         cudaStream_t stream = nullptr) {
    return reduce("cub::DeviceReduce::Sum", d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Sum(),
                  detail::value_of<In>{}, stream);
  }
  /// Of no elements, the largest number that there is.
  template <class In, class Out, class Count>
  static cudaError_t Min(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Out d_out, Count num_items,
                         cudaStream_t stream = nullptr) {
    return reduce("cub::DeviceReduce::Min", d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Min(),
                  std::numeric_limits<detail::value_of<In>>::max(), stream);
  }
  /// Of no elements, the smallest number that there is.
  template <class In, class Out, class Count>
  static cudaError_t Max(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Out d_out, Count num_items,
                         cudaStream_t stream = nullptr) {
    return reduce("cub::DeviceReduce::Max", d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Max(),
                  std::numeric_limits<detail::value_of<In>>::lowest(), stream);
  }
  template <class... A>
  static cudaError_t ArgMin(A&&...) {
    static_assert(sizeof...(A) == 9999, "cub: ArgMin isn't supported: call thrust::min_element");
    return cudaErrorNotSupported;
  }
  template <class... A>
  static cudaError_t ArgMax(A&&...) {
    static_assert(sizeof...(A) == 9999, "cub: ArgMax isn't supported: call thrust::max_element");
    return cudaErrorNotSupported;
  }

 private:
  template <class In, class Out, class Operation, class T, class Count>
  static cudaError_t reduce(const char* name, void* storage, std::size_t& bytes, In in, Out out, Count count,
                            Operation operation, T initial, cudaStream_t stream) {
    using sum_type = std::decay_t<std::invoke_result_t<Operation, T, detail::value_of<In>>>;
    const auto n = static_cast<std::size_t>(std::max<Count>(count, 0));
    return detail::device_call(name, storage, bytes, stream)
        .queue(
            [=](gs::detail::spread_function spread) {
              auto sum = static_cast<sum_type>(initial);
              for (const sum_type& piece : detail::folded_pieces<sum_type>(in, n, operation, spread))
                sum = operation(sum, piece);
              *out = sum;
            },
            detail::reads("d_in", in, count), detail::writes("d_out", out, 1));
  }
};

}  // namespace cub
