#include "runtime/engine/division_fault.h"

#include <signal.h>

#include <atomic>

#include "runtime/engine/kernel_faults.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// What __builtin_setjmp keeps: frame, stack and the place to go on. It takes a nanosecond, where sigsetjmp takes ten.
struct way {
  void* kept[5];
};
// Where to go on. Read by a signal's handler, which must not allocate: hence the model.
[[gnu::tls_model("initial-exec")]] constinit thread_local way* way_out = nullptr;

}  // namespace

// Nothing is thrown from the handler: the compiler knows that no arithmetic throws, and what it has made of the callers
// would not be unwound.
bool without_division_fault(function_ref<void()> work) {
  if (static std::atomic<bool> caught = false; !caught.load(std::memory_order_relaxed)) {
    catch_kernel_faults();
    caught.store(true, std::memory_order_relaxed);
  }
  way here;
  way* volatile const outer = way_out;
  if (__builtin_setjmp(here.kept) != 0) {
    way_out = outer;
    return false;
  }
  way_out = &here;
  try {
    work();
  } catch (...) {
    way_out = outer;
    throw;
  }
  way_out = outer;
  return true;
}

void give_up_at_division() {
  if (!way_out) return;
  sigset_t division;  // blocked while its handler runs, which never returns
  sigemptyset(&division);
  sigaddset(&division, SIGFPE);
  pthread_sigmask(SIG_UNBLOCK, &division, nullptr);
  __builtin_longjmp(way_out->kept, 1);
}

}  // namespace gs::inline GS_FLAVOUR::detail
