#pragma once
// Keys of every type as unsigned numbers in the same order. What is one key gets one number: all NaNs, and -0.0 and
// 0.0.

#include <cstdint>
#include <utility>

#include "runtime/columns/column_type.h"
#include "runtime/columns/row_numbers.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

using key_ordinals = device_array<std::uint64_t>;

/// The number of each key.
key_ordinals ordinals_of(const any_column& keys);

/// Keys in ascending order, NaNs last, and the rows where they were; equal keys keep their rows' order.
struct sorted_keys {
  any_column keys;
  row_numbers rows;
};
sorted_keys sort_keys(const any_column& keys);

}  // namespace gs::inline GS_FLAVOUR::detail
