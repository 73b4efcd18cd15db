#pragma once
// A call of a library as work on a stream, which the instruments and the timeline know by the call's name.

#include "dialect/runtime/host_sharing.h"
#include "dialect/runtime/streams.h"
#include "runtime/core/ledger.h"
#include "runtime/device/host_work.h"
#include "runtime/device/timeline.h"
#include "runtime/observe/observe.h"

namespace dialect {

/// Queues `work(spread)`, where `spread` runs loops on all cores, and returns; then waits for it if `waits`. `name`
/// lives as long as the program.
template <class Work>
cudaError_t queue_call(cudaStream_t stream, const char* name, Work work, bool waits = false) {
  return guarded([&] {
    gs::stream& on = stream_for_work(stream);
    gs::ledger_entry::launch();
    const gs::detail::timeline_mark recorded(on, gs::timeline_kind::launch, name);
    on.work().submit(gs::detail::make_host_work(name, 1, [work, name](gs::detail::spread_function spread) {
      if (gs::instruments::watching()) gs::instruments::name_work(name);
      work(spread);
    }));
    if (waits) on.synchronize();
    after_queueing(on);
    return cudaSuccess;
  });
}

}  // namespace dialect
