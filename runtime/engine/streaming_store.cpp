#include "runtime/engine/streaming_store.h"

#include <unistd.h>

#include <algorithm>

namespace gs::inline GS_FLAVOUR {

// What a core finds in its share of the caches is worth keeping there. Machines that share a large L3 among many
// programs report all of it; more than 32 MiB is never counted on.
std::size_t streaming_threshold() {
  static const std::size_t threshold = [] {
    constexpr long most = 32 << 20;
    return static_cast<std::size_t>(std::clamp(sysconf(_SC_LEVEL3_CACHE_SIZE), long{least_streamed}, most));
  }();
  return threshold;
}

}  // namespace gs::inline GS_FLAVOUR
