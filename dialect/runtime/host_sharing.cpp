#include "dialect/runtime/host_sharing.h"

#include <atomic>

#include "runtime/observe/observe.h"

namespace dialect {
namespace {

constinit std::atomic<bool> is_shared{false};

}  // namespace

bool share_memory_with_host() {
  is_shared = true;
  gs::instruments::share_device_variables();
  return true;
}
bool memory_is_shared_with_host() { return is_shared; }

void after_queueing(gs::stream& on) {
  if (is_shared) on.synchronize();
}

}  // namespace dialect
