#pragma once
// A checked scan, as the devices take it.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/libraries/scan.h"

namespace gs::inline GS_FLAVOUR::detail {

/// `size` elements; the output may be the input.
struct scan_call {
  scan_type type;
  std::size_t element_bytes, size;
  const void* in;
  void* out;

  std::string_view name() const { return type.kind == scan_kind::inclusive ? "inclusive_sum" : "exclusive_sum"; }
  bool empty() const { return size == 0; }
};

void run_on_engine(const scan_call& call);

/// Calls `f.template operator()<T>()` with the type in which the sums are computed.
template <class F>
void with_sum_type(const scan_call& call, const F& f) {
  const bool small = call.element_bytes == 4;
  if (call.type.floating) return small ? f.template operator()<float>() : f.template operator()<double>();
  return small ? f.template operator()<std::uint32_t>() : f.template operator()<std::uint64_t>();
}

}  // namespace gs::inline GS_FLAVOUR::detail
