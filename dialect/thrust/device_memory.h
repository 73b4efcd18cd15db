#pragma once
// Memory of Thrust's vectors: Thrust, "Memory Resources". In the place of thrust/system/tbb/memory_resource.h.

#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/tbb/pointer.h>

#include <new>

#include "dialect/runtime/memory.h"

namespace dialect::thrust_memory {

enum class kind { device, managed };

/// Memory of cudaMalloc() or cudaMallocManaged(), which is aligned to more than any type asks for.
template <kind Kind>
class engine_resource final : public ::thrust::mr::memory_resource<> {
 public:
  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* memory = nullptr;
    const cudaError_t code = Kind == kind::managed ? cudaMallocManaged(&memory, bytes) : cudaMalloc(&memory, bytes);
    if (code != cudaSuccess) throw std::bad_alloc();
    return memory;
  }
  void do_deallocate(void* memory, std::size_t, std::size_t) override { cudaFree(memory); }
};

}  // namespace dialect::thrust_memory

THRUST_NAMESPACE_BEGIN
namespace system::tbb {

using memory_resource =
    ::thrust::mr::fancy_pointer_resource<dialect::thrust_memory::engine_resource<dialect::thrust_memory::kind::device>,
                                         ::thrust::tbb::pointer<void>>;
using universal_memory_resource =
    ::thrust::mr::fancy_pointer_resource<dialect::thrust_memory::engine_resource<dialect::thrust_memory::kind::managed>,
                                         ::thrust::tbb::universal_pointer<void>>;
using universal_host_pinned_memory_resource = universal_memory_resource;

}  // namespace system::tbb
THRUST_NAMESPACE_END
