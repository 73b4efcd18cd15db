#pragma once
// thrust::cuda::par and thrust::cuda::par.on(stream): all work that was queued on streams is done when an algorithm
// begins, so one policy does for every stream.

#include <thrust/execution_policy.h>

#include "dialect/runtime/streams.h"

THRUST_NAMESPACE_BEGIN
namespace system::cuda {

using device_policy = std::remove_const_t<decltype(::thrust::device)>;

struct stream_policy : device_policy {
  constexpr stream_policy() = default;
  const stream_policy& on(cudaStream_t) const { return *this; }
};
inline constexpr stream_policy par{}, par_nosync{};

}  // namespace system::cuda
namespace cuda {
using ::thrust::system::cuda::par;
using ::thrust::system::cuda::par_nosync;
}  // namespace cuda
THRUST_NAMESPACE_END
