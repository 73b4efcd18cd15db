#include "runtime/core/source_place.h"

#include <fmt/format.h>

namespace gs::inline GS_FLAVOUR {

std::string to_string(const source_place& place) {
  return place.line == 0 ? "an unknown place" : fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

}  // namespace gs::inline GS_FLAVOUR
