#pragma once
// cub::DeviceRunLengthEncode: CUB, "Device-wide primitives".

#include "dialect/cub/device_call.h"

namespace cub {

struct DeviceRunLengthEncode {
  /// For each run of neighbours that are alike, one of them and how many they are; and how many runs there are.
  template <class In, class Unique, class Lengths, class Runs, class Count>
  static cudaError_t Encode(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Unique d_unique_out,
                            Lengths d_counts_out, Runs d_num_runs_out, Count num_items, cudaStream_t stream = nullptr) {
    const auto n = static_cast<std::size_t>(std::max<Count>(num_items, 0));
    return detail::device_call("cub::DeviceRunLengthEncode::Encode", d_temp_storage, temp_storage_bytes, stream)
        .queue(
            [=](gs::detail::spread_function) {
              std::size_t runs = 0;
              for (std::size_t begin = 0, end = 0; begin < n; begin = end, ++runs) {
                while (end < n && d_in[end] == d_in[begin]) ++end;
                d_unique_out[runs] = d_in[begin];
                d_counts_out[runs] = static_cast<detail::value_of<Lengths>>(end - begin);
              }
              *d_num_runs_out = static_cast<detail::value_of<Runs>>(runs);
              detail::writes("d_unique_out", d_unique_out, runs).note();
              detail::writes("d_counts_out", d_counts_out, runs).note();
            },
            detail::reads("d_in", d_in, num_items), detail::writes("d_num_runs_out", d_num_runs_out, 1));
  }
};

}  // namespace cub
