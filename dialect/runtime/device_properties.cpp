#include "dialect/runtime/device_properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "dialect/runtime/capture.h"
#include "dialect/runtime/memory.h"
#include "runtime/array/device_memory.h"
#include "runtime/device/device.h"
#include "runtime/instruments/device_model/device_model.h"
#include "runtime/instruments/device_model/occupancy.h"
#include "runtime/kernel/launch_options.h"

namespace {

using dialect::guarded;

constexpr int cuda_version = 13000;  // whose names these are

const gs::device_model& model() {
  static const gs::device_model& chosen = [&]() -> const gs::device_model& {
    const char* const asked = std::getenv("GRIDSTRIDE_GPU");
    return gs::model_of(asked ? asked : "9.0");
  }();
  return chosen;
}

cudaDeviceProp describe() {
  const gs::device_model& m = model();
  const gs::detail::launch_limits limits;
  cudaDeviceProp p{};
  const std::string name = fmt::format("{} (Gridstride's engine)", m.card);
  std::memcpy(p.name, name.c_str(), std::min(name.size() + 1, sizeof p.name - 1));
  p.totalGlobalMem = gs::device().memory;
  p.sharedMemPerBlock = p.sharedMemPerBlockOptin = limits.shared_bytes;
  p.sharedMemPerMultiprocessor = m.shared_bytes_per_sm;
  p.reservedSharedMemPerBlock = m.shared_reserved;
  p.regsPerBlock = static_cast<int>(m.registers_per_block);
  p.regsPerMultiprocessor = static_cast<int>(m.registers_per_sm);
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = static_cast<int>(limits.threads_per_block);
  const std::int64_t block[] = {limits.block.x, limits.block.y, limits.block.z};
  const std::int64_t grid[] = {limits.grid.x, limits.grid.y, limits.grid.z};
  for (int d = 0; d < 3; ++d) {
    p.maxThreadsDim[d] = static_cast<int>(block[d]);
    p.maxGridSize[d] = static_cast<int>(grid[d]);
  }
  p.clockRate = static_cast<int>(m.clock_mhz * 1000);
  p.totalConstMem = m.constant_bytes;
  p.major = std::stoi(std::string(m.compute_capability));
  p.minor = m.compute_capability.back() - '0';
  p.multiProcessorCount = static_cast<int>(m.multiprocessors);
  p.maxThreadsPerMultiProcessor = static_cast<int>(m.threads_per_sm());
  p.maxBlocksPerMultiProcessor = static_cast<int>(m.blocks_per_sm);
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.canMapHostMemory = p.concurrentKernels = p.deviceOverlap = p.unifiedAddressing = p.managedMemory = 1;
  p.concurrentManagedAccess = p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.asyncEngineCount = p.cooperativeLaunch = 1;
  // The bandwidth is 2 * clock * width / 8, as programs compute it; a width of 1024 bits is assumed.
  p.memoryBusWidth = 1024;
  p.memoryClockRate = static_cast<int>(m.memory_bytes_per_second / (2.0 * 1024 / 8) / 1e3);
  return p;
}

template <class Work>
cudaError_t of_device(int device, Work work) {
  return guarded([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    return work();
  });
}

std::map<cudaDeviceAttr, int> attributes_of(const cudaDeviceProp& p) {
  return {{cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
          {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
          {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
          {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
          {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
          {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
          {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
          {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<int>(p.sharedMemPerBlock)},
          {cudaDevAttrTotalConstantMemory, static_cast<int>(p.totalConstMem)},
          {cudaDevAttrWarpSize, p.warpSize},
          {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
          {cudaDevAttrClockRate, p.clockRate},
          {cudaDevAttrGpuOverlap, p.deviceOverlap},
          {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
          {cudaDevAttrIntegrated, p.integrated},
          {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
          {cudaDevAttrComputeMode, p.computeMode},
          {cudaDevAttrMemoryClockRate, p.memoryClockRate},
          {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
          {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
          {cudaDevAttrConcurrentKernels, p.concurrentKernels},
          {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
          {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
          {cudaDevAttrComputeCapabilityMajor, p.major},
          {cudaDevAttrComputeCapabilityMinor, p.minor},
          {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<int>(p.sharedMemPerMultiprocessor)},
          {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
          {cudaDevAttrManagedMemory, p.managedMemory},
          {cudaDevAttrHostNativeAtomicSupported, p.hostNativeAtomicSupported},
          {cudaDevAttrMemoryPoolsSupported, 1},
          {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
          {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
          {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(p.sharedMemPerBlockOptin)},
          {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor}};
}

}  // namespace

std::size_t dialect::most_resident_threads() { return model().multiprocessors * std::size_t{model().threads_per_sm()}; }

cudaError_t cudaGetDeviceCount(int* count) {
  return guarded([&] {
    if (!count) return cudaErrorInvalidValue;
    *count = 1;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int* device) {
  return guarded([&] {
    if (!device) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int device) {
  return of_device(device, [] { return cudaSuccess; });
}
cudaError_t cudaSetDeviceFlags(unsigned) {
  return guarded([] { return cudaSuccess; });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return of_device(device, [&] {
    if (!properties) return cudaErrorInvalidValue;
    *properties = describe();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return of_device(device, [&] {
    const auto values = attributes_of(describe());
    const auto found = values.find(attribute);
    if (!value || found == values.end()) return cudaErrorInvalidValue;
    *value = found->second;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceReset() {
  dialect::forget_errors();
  return guarded([] {
    dialect::check_may_wait_for_device("cudaDeviceReset()");
    gs::detail::wait_for_device();
    dialect::forget_memory();
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaDriverGetVersion(int* version) {
  return guarded([&] {
    if (!version) return cudaErrorInvalidValue;
    *version = cuda_version;
    return cudaSuccess;
  });
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int) {
  return of_device(device, [&] {
    *can = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t) {
  // printf's buffer and the device's heap have no limit here; a stack has what it has.
  return guarded([&] { return limit == cudaLimitStackSize ? cudaErrorNotSupported : cudaSuccess; });
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return guarded([&] {
    *value = limit == cudaLimitStackSize ? std::size_t{128} << 10 : gs::device().memory;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return guarded([] { return cudaSuccess; });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return guarded([&] {
    *least = 0;
    *greatest = 0;
    return cudaSuccess;
  });
}

namespace dialect {

cudaError_t function_attributes(cudaFuncAttributes* attributes) {
  return guarded([&] {
    if (!attributes) return cudaErrorInvalidValue;
    const cudaDeviceProp p = describe();
    *attributes = {};
    attributes->maxThreadsPerBlock = p.maxThreadsPerBlock;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(p.sharedMemPerBlock);
    attributes->ptxVersion = attributes->binaryVersion = 10 * p.major + p.minor;
    return cudaSuccess;
  });
}

cudaError_t set_function_attribute(cudaFuncAttribute attribute, int value) {
  return guarded([&] {
    const std::size_t most = gs::detail::launch_limits().shared_bytes;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value >= 0 && static_cast<std::size_t>(value) <= most) return cudaSuccess;
    return failed(
        cudaErrorInvalidValue,
        fmt::format("cudaFuncSetAttribute: {} bytes of dynamic shared memory, and a block of the engine has {}; "
                    "use smaller tiles",
                    value, most));
  });
}

cudaError_t blocks_per_multiprocessor(int* blocks, int threads, std::size_t shared_bytes) {
  return guarded([&] {
    if (!blocks || threads < 1) return cudaErrorInvalidValue;
    const auto size = static_cast<unsigned>(threads);
    *blocks = size > gs::detail::most_threads_per_block
                  ? 0
                  : static_cast<int>(gs::occupancy_of(model(), {size, 1, 1}, shared_bytes).active_blocks);
    return cudaSuccess;
  });
}

// The largest block among those that keep the most threads on a multiprocessor.
cudaError_t best_block_size(int* least_grid, int* block, std::size_t (*shared_bytes)(int, std::size_t),
                            std::size_t fixed, int limit) {
  return guarded([&] {
    if (!least_grid || !block) return cudaErrorInvalidValue;
    const int most = limit > 0 ? std::min(limit, 1024) : 1024;
    int best = 0, best_blocks = 0;
    for (int threads = (most + 31) / 32 * 32; threads >= 32; threads -= 32) {
      const int size = std::min(threads, most);
      int blocks = 0;
      blocks_per_multiprocessor(&blocks, size, shared_bytes(size, fixed));
      if (blocks * size > best_blocks * best) {
        best = size;
        best_blocks = blocks;
      }
    }
    *block = best;
    *least_grid = best_blocks * static_cast<int>(model().multiprocessors);
    return cudaSuccess;
  });
}

}  // namespace dialect
