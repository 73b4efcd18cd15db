#pragma once
// cub::DeviceRadixSort: CUB, "Device-wide primitives". The order is found by counting the keys' bytes from the lowest
// on: Knuth, "The Art of Computer Programming", volume 3, section 5.2.5.

#include <array>
#include <numeric>

#include "dialect/cub/device_call.h"
#include "dialect/cub/radix_bits.h"

namespace cub {

/// Two arrays that take turns; the sorted elements are in the current one.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;

  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

namespace detail {

/// The order in which keys are ascending in their bits from `begin_bit` to before `end_bit`, or descending; those that
/// are alike keep theirs.
template <class Key>
std::vector<std::size_t> sorted_order(const Key* keys, std::size_t n, int begin_bit, int end_bit, bool descending) {
  constexpr int digit_bits = 8;
  std::vector<std::size_t> order(n), next(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int bit = begin_bit; bit < end_bit; bit += digit_bits) {
    const unsigned mask = (1u << std::min(digit_bits, end_bit - bit)) - 1, flipped = descending ? mask : 0;
    const auto digit = [&](std::size_t i) {
      return (static_cast<unsigned>(radix_bits(keys[i]) >> bit) & mask) ^ flipped;
    };
    std::array<std::size_t, (1u << digit_bits) + 1> places{};
    for (std::size_t i = 0; i < n; ++i) ++places[digit(i) + 1];
    std::partial_sum(places.begin(), places.end(), places.begin());
    for (const std::size_t i : order) next[places[digit(i)]++] = i;
    order.swap(next);
  }
  return order;
}

}  // namespace detail

/// Sorts keys that are numbers, and values with them; keys that are alike keep their order. Only the keys' bits from
/// `begin_bit` to before `end_bit` count.
struct DeviceRadixSort {
#define GS_DIALECT_SORT(Keys, Pairs, descending)                                                                      \
  template <class Key, class Count>                                                                                   \
  static cudaError_t Keys(void* d_temp_storage, std::size_t& temp_storage_bytes, const Key* d_keys_in,                \
                          Key* d_keys_out, Count num_items, int begin_bit = 0, int end_bit = 8 * sizeof(Key),         \
                          cudaStream_t stream = nullptr) {                                                            \
    return sort<Key, NullType>("cub::DeviceRadixSort::" #Keys, d_temp_storage, temp_storage_bytes, d_keys_in,         \
                               d_keys_out, nullptr, nullptr, num_items, begin_bit, end_bit, descending, stream);      \
  }                                                                                                                   \
  template <class Key, class Count>                                                                                   \
  static cudaError_t Keys(void* d_temp_storage, std::size_t& temp_storage_bytes, DoubleBuffer<Key>& d_keys,           \
                          Count num_items, int begin_bit = 0, int end_bit = 8 * sizeof(Key),                          \
                          cudaStream_t stream = nullptr) {                                                            \
    Key *const from = d_keys.Current(), *const to = d_keys.Alternate();                                               \
    if (d_temp_storage) d_keys.selector ^= 1;                                                                         \
    return Keys(d_temp_storage, temp_storage_bytes, from, to, num_items, begin_bit, end_bit, stream);                 \
  }                                                                                                                   \
  template <class Key, class Value, class Count>                                                                      \
  static cudaError_t Pairs(void* d_temp_storage, std::size_t& temp_storage_bytes, const Key* d_keys_in,               \
                           Key* d_keys_out, const Value* d_values_in, Value* d_values_out, Count num_items,           \
                           int begin_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr) {         \
    return sort("cub::DeviceRadixSort::" #Pairs, d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,           \
                d_values_in, d_values_out, num_items, begin_bit, end_bit, descending, stream);                        \
  }                                                                                                                   \
  template <class Key, class Value, class Count>                                                                      \
  static cudaError_t Pairs(void* d_temp_storage, std::size_t& temp_storage_bytes, DoubleBuffer<Key>& d_keys,          \
                           DoubleBuffer<Value>& d_values, Count num_items, int begin_bit = 0,                         \
                           int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr) {                            \
    Key *const from = d_keys.Current(), *const to = d_keys.Alternate();                                               \
    Value *const values_from = d_values.Current(), *const values_to = d_values.Alternate();                           \
    if (d_temp_storage) d_keys.selector ^= 1, d_values.selector ^= 1;                                                 \
    return Pairs(d_temp_storage, temp_storage_bytes, from, to, values_from, values_to, num_items, begin_bit, end_bit, \
                 stream);                                                                                             \
  }
  GS_DIALECT_SORT(SortKeys, SortPairs, false)
  GS_DIALECT_SORT(SortKeysDescending, SortPairsDescending, true)
#undef GS_DIALECT_SORT

 private:
  template <class Key, class Value, class Count>
  static cudaError_t sort(const char* name, void* storage, std::size_t& bytes, const Key* keys, Key* keys_out,
                          const Value* values, Value* values_out, Count count, int begin_bit, int end_bit,
                          bool descending, cudaStream_t stream) {
    constexpr bool has_values = !std::is_same_v<Value, NullType>;
    const auto n = static_cast<std::size_t>(std::max<Count>(count, 0));
    return detail::device_call(name, storage, bytes, stream)
        .queue(
            [=](gs::detail::spread_function) {
              const std::vector<std::size_t> order = detail::sorted_order(keys, n, begin_bit, end_bit, descending);
              for (std::size_t i = 0; i < n; ++i) {
                keys_out[i] = keys[order[i]];
                if constexpr (has_values) values_out[i] = values[order[i]];
              }
            },
            detail::reads("d_keys_in", keys, count), detail::writes("d_keys_out", keys_out, count),
            detail::reads("d_values_in", values, has_values ? count : 0),
            detail::writes("d_values_out", values_out, has_values ? count : 0));
  }
};

}  // namespace cub
