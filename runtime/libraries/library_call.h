#pragma once
// A call of a library as work on a stream: a device's own libraries queue it themselves, the others run the host's when
// the stream gets there.
//
// A call is a struct that owns nothing, with
//   empty()               whether there is nothing to do
//   name()                "gemm"
//   run_on_engine(call)   does it, on all cores; in the checked flavour it says what it reads and writes

#include <array>
#include <cstddef>
#include <type_traits>

#include "runtime/core/config.h"
#include "runtime/core/ledger.h"
#include "runtime/core/overlap.h"
#include "runtime/device/host_work.h"
#include "runtime/device/target.h"
#include "runtime/device/timeline.h"
#include "runtime/kernel/kernel_argument.h"
#include "runtime/kernel/launch_options.h"
#include "runtime/libraries/device_library.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Queues `call` on the stream and returns; counts as one launch. The device memory that it points to lives until it
/// has run, as that of every launch. Throws gs::error for a stream of another device.
template <class Call>
void queue_library_call(const stream_choice& on, const Call& call) {
  static_assert(std::is_trivially_destructible_v<Call>);
  const stream& s = on.get();
  check_stream(s);
  ledger_entry::launch();
  if (call.empty()) return;
  const timeline_mark recorded(s, timeline_kind::launch, call.name());
  if (const auto queue_call = device_library<Call>::of(s.kind())) return queue_call(s.work(), call);
  s.work().submit(make_host_work(call.name(), 1, [call](spread_function) { run_on_engine(call); }));
}

/// Whether two arrays share memory.
template <class A, class B>
bool share_memory(const device_array<A>& a, const device_array<B>& b) {
  return overlap(a.data(), a.size() * sizeof(A), b.data(), b.size() * sizeof(B));
}

}  // namespace gs::inline GS_FLAVOUR::detail
