#pragma once
// Pools of memory: CUDA Runtime API, "Stream Ordered Memory Allocator". The engine keeps what is given back by itself,
// so a pool is a handle that its attributes are kept with.

#include <cstddef>

#include "dialect/runtime/errors.h"
#include "dialect/runtime/memory.h"
#include "dialect/runtime/streams.h"

struct CUmemPoolHandle_st;
using cudaMemPool_t = CUmemPoolHandle_st*;

enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4
};
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid = 0, cudaMemAllocationTypePinned = 1 };
enum cudaMemAllocationHandleType { cudaMemHandleTypeNone = 0 };
enum cudaMemLocationType { cudaMemLocationTypeInvalid = 0, cudaMemLocationTypeDevice = 1, cudaMemLocationTypeHost = 2 };
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
/// Says which stream managed memory belongs to; here host and device always share it.
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, const volatile void* memory, std::size_t bytes = 0,
                                            unsigned = cudaMemAttachSingle) {
  return cudaMemPrefetchAsync(const_cast<const void*>(memory), bytes, 0);
}
/// As it is from CUDA 12.2 on.
inline cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, cudaMemLocation to, unsigned,
                                        cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(memory, bytes, to.id, stream);
}
inline cudaError_t cudaMemAdvise(const void* memory, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation of) {
  return cudaMemAdvise(memory, bytes, advice, of.id);
}

struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  cudaMemAllocationHandleType handleTypes;
  cudaMemLocation location;
};

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
/// The one that cudaMallocAsync() takes from.
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
/// An int, but for the threshold, which is an unsigned long long.
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t bytes);
cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                                    GS_DIALECT_PLACE);
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                                    GS_DIALECT_PLACE) {
  return cudaMallocFromPoolAsync(reinterpret_cast<void**>(memory), bytes, pool, stream, place);
}
