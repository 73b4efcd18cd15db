#include "runtime/instruments/results/finding.h"

namespace gs::inline GS_FLAVOUR {

std::string_view to_string(memory_space space) {
  constexpr std::string_view names[] = {"global", "shared", "local"};
  return names[static_cast<std::size_t>(space)];
}

}  // namespace gs::inline GS_FLAVOUR
