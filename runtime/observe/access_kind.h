#pragma once
// access_kind: what an access does to an element.

#include <cstdint>
#include <string_view>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

enum class access_kind : std::uint8_t { read, write, atomic };
constexpr std::string_view to_string(access_kind kind) {
  constexpr std::string_view names[] = {"read", "write", "atomic"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace gs::inline GS_FLAVOUR
