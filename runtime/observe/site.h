#pragma once
// site: a place in the source that accesses memory, as a small number. instruments/site_table.h knows what it stands
// for.

#include <cstdint>
#include <string>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::instruments {

using site = std::uint32_t;
inline constexpr site unknown_site = 0;

/// "FILE:LINE" of an access there, or by `code` if the site isn't known.
std::string place_text(site where, const void* code);

}  // namespace gs::inline GS_FLAVOUR::instruments
