#pragma once
// A checked selection, as the devices take it.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// `size` elements and flags; a size of 0 still writes its count. Nothing overlaps.
struct select_call {
  std::size_t element_bytes, size;
  const void* in;
  const std::uint8_t* flags;
  void* out;
  std::uint64_t* count;

  std::string_view name() const { return "select_flagged"; }
  bool empty() const { return false; }
};

void run_on_engine(const select_call& call);

}  // namespace gs::inline GS_FLAVOUR::detail
