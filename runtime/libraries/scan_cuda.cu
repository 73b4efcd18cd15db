// A scan on a GPU: CUB's, one pass with decoupled look-back.
#include <cub/device/device_scan.cuh>

#include "runtime/libraries/cub_call.h"
#include "runtime/libraries/device_library.h"
#include "runtime/libraries/scan_call.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

void queue_scan_by_cub(queue& device_queue, const scan_call& call) {
  const auto stream = static_cast<cuda_queue&>(device_queue).handle();
  with_sum_type(call, [&]<class T>() {
    const T* const in = static_cast<const T*>(call.in);
    T* const out = static_cast<T*>(call.out);
    call_cub("a scan", [&](void* memory, std::size_t& bytes) {
      if (call.type.kind == scan_kind::inclusive)
        return cub::DeviceScan::InclusiveSum(memory, bytes, in, out, call.size, stream);
      return cub::DeviceScan::ExclusiveSum(memory, bytes, in, out, call.size, stream);
    });
  });
}

const device_library<scan_call> scanning(device_kind::cuda, &queue_scan_by_cub);

}  // namespace

}  // namespace gs::inline GS_FLAVOUR::detail
