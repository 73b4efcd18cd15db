#include "runtime/timing/untimed.h"

#include <atomic>

namespace gs::inline GS_FLAVOUR::detail {
namespace {

std::atomic<int> scopes = 0;

}  // namespace

untimed_scope::untimed_scope() { ++scopes; }
untimed_scope::~untimed_scope() { --scopes; }

bool untimed() { return scopes > 0; }

}  // namespace gs::inline GS_FLAVOUR::detail
