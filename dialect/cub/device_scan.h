#pragma once
// cub::DeviceScan: CUB, "Device-wide primitives". Pieces are taken together on all cores, what is before each is found
// in order, and then the pieces are scanned on all cores.

#include <optional>

#include "dialect/cub/device_call.h"

namespace cub {

/// For each element, those up to it taken together by an associative operation: with it (inclusive), or without
/// (exclusive). The result may take the array's place.
struct DeviceScan {
  template <class In, class Out, class Count>
  static cudaError_t ExclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Out d_out,
                                  Count num_items, cudaStream_t stream = nullptr) {
    using T = detail::accumulator<cub::Sum, In>;
    return scan<T>("cub::DeviceScan::ExclusiveSum", d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                   cub::Sum(), T{}, false, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t InclusiveSum(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Out d_out,
                                  Count num_items, cudaStream_t stream = nullptr) {
    using T = detail::accumulator<cub::Sum, In>;
    return scan<T>("cub::DeviceScan::InclusiveSum", d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                   cub::Sum(), std::nullopt, true, stream);
  }
  /// The first element is `initial`.
  template <class In, class Out, class Operation, class T, class Count>
  static cudaError_t ExclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Out d_out,
                                   Operation operation, T initial, Count num_items, cudaStream_t stream = nullptr) {
    using sum_type = std::decay_t<std::invoke_result_t<Operation, T, detail::value_of<In>>>;
    return scan<sum_type>("cub::DeviceScan::ExclusiveScan", d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                          operation, static_cast<sum_type>(initial), false, stream);
  }
  template <class In, class Out, class Operation, class Count>
  static cudaError_t InclusiveScan(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Out d_out,
                                   Operation operation, Count num_items, cudaStream_t stream = nullptr) {
    return scan<detail::accumulator<Operation, In>>("cub::DeviceScan::InclusiveScan", d_temp_storage,
                                                    temp_storage_bytes, d_in, d_out, num_items, operation, std::nullopt,
                                                    true, stream);
  }

 private:
  template <class T, class In, class Out, class Operation, class Count>
  static cudaError_t scan(const char* name, void* storage, std::size_t& bytes, In in, Out out, Count count,
                          Operation operation, std::optional<T> initial, bool inclusive, cudaStream_t stream) {
    const auto n = static_cast<std::size_t>(std::max<Count>(count, 0));
    return detail::device_call(name, storage, bytes, stream)
        .queue(
            [=](gs::detail::spread_function spread) {
              std::vector<T> sums = detail::folded_pieces<T>(in, n, operation, spread);
              std::vector<std::optional<T>> before(sums.size());
              std::optional<T> sum = initial;
              for (std::size_t p = 0; p < sums.size(); ++p) {
                before[p] = sum;
                sum = sum ? static_cast<T>(operation(*sum, sums[p])) : sums[p];
              }
              detail::for_pieces(n, spread, [&](std::size_t p, std::size_t begin, std::size_t end) {
                std::optional<T> running = before[p];
                for (std::size_t i = begin; i < end; ++i) {
                  const auto with = running ? static_cast<T>(operation(*running, in[i])) : static_cast<T>(in[i]);
                  out[i] = inclusive ? with : *running;
                  running = with;
                }
              });
            },
            detail::reads("d_in", in, count), detail::writes("d_out", out, count));
  }
};

}  // namespace cub
