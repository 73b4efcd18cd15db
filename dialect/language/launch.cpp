#include "dialect/language/launch.h"

#include <fmt/format.h>

#include <utility>

#include "dialect/runtime/device_properties.h"
#include "dialect/runtime/error_checks.h"
#include "dialect/runtime/errors.h"
#include "dialect/runtime/host_sharing.h"
#include "dialect/runtime/memory.h"
#include "dialect/runtime/streams.h"
#include "dialect/runtime/unchecked_errors.h"
#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "runtime/device/timeline.h"

namespace dialect::detail {

void begin_launch(const configuration& asked) { note_launch(asked.place); }
void fail_launch(const configuration& asked, const char* kernel) {
  if (!asked.returns_error) note_failed_launch(kernel, asked.place);
}
cudaError_t launch_error() { return last_error_of_thread(); }

bool check_configuration(const configuration& asked, const char* kernel, gs::launch_options& options) {
  if (const cudaError_t fault = sticky_error(); fault != cudaSuccess) return failed(fault), false;
  options.grid = {asked.grid.x, asked.grid.y, asked.grid.z};
  options.block = {asked.block.x, asked.block.y, asked.block.z};
  options.shared_bytes = asked.shared_bytes;
  options.cooperative = asked.cooperative;
#if GRIDSTRIDE_CHECKED
  options.where = asked.place;
#endif
  try {
    gs::detail::check_launch(options, kernel);
  } catch (const gs::error& refused) {
    return failed(cudaErrorInvalidConfiguration, refused.what()), false;
  }
  if (std::size_t{asked.grid.x} * asked.block.x > most_threads_along_grid) {
    failed(cudaErrorInvalidConfiguration,
           fmt::format("a launch of {} with {} threads along x: the engine runs at most {}; let each thread do more",
                       kernel, std::size_t{asked.grid.x} * asked.block.x, most_threads_along_grid));
    return false;
  }
  if (asked.shared_bytes > gs::detail::most_shared_bytes) {
    failed(cudaErrorInvalidValue,
           fmt::format("a launch of {} with {} bytes of dynamic shared memory: a block has {}; use smaller tiles",
                       kernel, asked.shared_bytes, gs::detail::most_shared_bytes));
    return false;
  }
  const std::size_t blocks = options.grid.as_index().size(), threads = options.block.as_index().size();
  const std::size_t most = most_resident_threads() / threads;
  if (asked.cooperative && blocks > most) {
    failed(cudaErrorCooperativeLaunchTooLarge,
           fmt::format("a cooperative launch of {} with {} blocks of {} threads: the engine runs {} of them at once; "
                       "launch so many, and loop over the rest inside",
                       kernel, blocks, threads, most));
    return false;
  }
  return true;
}

bool check_pointer(const void* pointer, const char* kernel, unsigned number) {
  if (!pointer || device_may_use(pointer)) return true;
  failed(std::make_exception_ptr(device_stop{
      cudaErrorIllegalAddress,
      fmt::format("a launch of {}: parameter {} points to memory of the host, which a GPU can't reach; copy it to "
                  "memory of cudaMalloc() and pass that",
                  kernel, number)}));
  return false;
}

bool submit(CUstream_st* stream, const char* kernel, std::unique_ptr<gs::detail::kernel_work> work) {
  const cudaError_t code = guarded([&] {
    gs::stream& on = stream_for_work(stream);
    gs::ledger_entry::launch();
    const gs::detail::timeline_mark recorded(on, gs::timeline_kind::launch, kernel);
    on.work().submit(std::move(work));
    after_queueing(on);
    return cudaSuccess;
  });
  take_result();  // which the program doesn't see
  return code == cudaSuccess;
}

}  // namespace dialect::detail
