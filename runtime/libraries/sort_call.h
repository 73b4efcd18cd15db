#pragma once
// A checked sort, as the devices take it.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/libraries/sort.h"
#include "runtime/libraries/value_type.h"

namespace gs::inline GS_FLAVOUR::detail {

/// `size` keys, and as many values if types.value_bytes isn't 0. The outputs may be the inputs. The host's sort
/// gets temporary arrays of the same sizes, which overlap nothing; for a device with a sort of its own they are null.
struct sort_call {
  sort_types types;
  std::size_t size;
  const void *keys, *values;
  void *keys_out, *values_out;
  void *keys_temporary, *values_temporary;

  std::string_view name() const { return types.value_bytes == 0 ? "sort" : "sort_by_key"; }
  bool empty() const { return size == 0; }
};

void run_on_engine(const sort_call& call);

/// Calls `f.template operator()<Key>()` with the fixed-width type of the keys.
template <class F>
void with_key_type(const sort_types& types, const F& f) {
  switch (types.kind) {
    case key_kind::unsigned_integer:
      switch (types.key_bytes) {
        case 1:
          return f.template operator()<std::uint8_t>();
        case 2:
          return f.template operator()<std::uint16_t>();
        case 4:
          return f.template operator()<std::uint32_t>();
        default:
          return f.template operator()<std::uint64_t>();
      }
    case key_kind::signed_integer:
      switch (types.key_bytes) {
        case 1:
          return f.template operator()<std::int8_t>();
        case 2:
          return f.template operator()<std::int16_t>();
        case 4:
          return f.template operator()<std::int32_t>();
        default:
          return f.template operator()<std::int64_t>();
      }
    case key_kind::floating:
      if (types.key_bytes == 4) return f.template operator()<float>();
      return f.template operator()<double>();
  }
}

}  // namespace gs::inline GS_FLAVOUR::detail
