#pragma once
// cub::DeviceSelect and DevicePartition: CUB, "Device-wide primitives".

#include "dialect/cub/device_call.h"

namespace cub {

/// Copies the elements that are chosen, in their order, and how many they are.
struct DeviceSelect {
  /// Those whose flag isn't 0.
  template <class In, class Flags, class Out, class Selected, class Count>
  static cudaError_t Flagged(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Flags d_flags, Out d_out,
                             Selected d_num_selected_out, Count num_items, cudaStream_t stream = nullptr) {
    return select(
        "cub::DeviceSelect::Flagged", d_temp_storage, temp_storage_bytes, d_in, d_out, d_num_selected_out, num_items,
        [=](std::size_t i) { return static_cast<bool>(d_flags[i]); }, stream,
        detail::reads("d_flags", d_flags, num_items));
  }
  /// Those that a function says yes to.
  template <class In, class Out, class Selected, class Count, class Chooses>
  static cudaError_t If(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Out d_out,
                        Selected d_num_selected_out, Count num_items, Chooses select_op,
                        cudaStream_t stream = nullptr) {
    return select(
        "cub::DeviceSelect::If", d_temp_storage, temp_storage_bytes, d_in, d_out, d_num_selected_out, num_items,
        [=](std::size_t i) { return static_cast<bool>(select_op(d_in[i])); }, stream, detail::reads("d_in", d_in, 0));
  }
  /// The first of neighbours that are alike.
  template <class In, class Out, class Selected, class Count>
  static cudaError_t Unique(void* d_temp_storage, std::size_t& temp_storage_bytes, In d_in, Out d_out,
                            Selected d_num_selected_out, Count num_items, cudaStream_t stream = nullptr) {
    return select(
        "cub::DeviceSelect::Unique", d_temp_storage, temp_storage_bytes, d_in, d_out, d_num_selected_out, num_items,
        [=](std::size_t i) { return i == 0 || !(d_in[i] == d_in[i - 1]); }, stream, detail::reads("d_in", d_in, 0));
  }

 private:
  template <class In, class Out, class Selected, class Count, class Chooses, class Flags>
  static cudaError_t select(const char* name, void* storage, std::size_t& bytes, In in, Out out, Selected selected,
                            Count count, Chooses chooses, cudaStream_t stream, Flags read_flags) {
    const auto n = static_cast<std::size_t>(std::max<Count>(count, 0));
    return detail::device_call(name, storage, bytes, stream)
        .queue(
            [=](gs::detail::spread_function) {
              std::size_t found = 0;
              for (std::size_t i = 0; i < n; ++i)
                if (chooses(i)) out[found++] = in[i];
              *selected = static_cast<detail::value_of<Selected>>(found);
              detail::writes("d_out", out, found).note();
            },
            detail::reads("d_in", in, count), detail::writes("d_num_selected_out", selected, 1), read_flags);
  }
};

}  // namespace cub
