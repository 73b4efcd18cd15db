// A selection on a GPU: CUB's.
#include <cub/device/device_select.cuh>

#include "runtime/libraries/cub_call.h"
#include "runtime/libraries/device_library.h"
#include "runtime/libraries/select_call.h"
#include "runtime/libraries/value_type.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

void queue_select_by_cub(queue& device_queue, const select_call& call) {
  const auto stream = static_cast<cuda_queue&>(device_queue).handle();
  with_value_type(call.element_bytes, [&]<class V>() {
    call_cub("a selection", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceSelect::Flagged(memory, bytes, static_cast<const V*>(call.in), call.flags,
                                        static_cast<V*>(call.out), call.count, static_cast<std::int64_t>(call.size),
                                        stream);
    });
  });
}

const device_library<select_call> selecting(device_kind::cuda, &queue_select_by_cub);

}  // namespace

}  // namespace gs::inline GS_FLAVOUR::detail
