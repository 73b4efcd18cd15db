#include "dialect/runtime/pools.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

struct CUmemPoolHandle_st {
  int reuse[3] = {1, 1, 1};
  unsigned long long release_threshold = 0;
};

namespace {

using dialect::guarded;

struct pool_list {
  std::mutex mutex;
  CUmemPoolHandle_st common;
  cudaMemPool_t chosen = &common;
  std::vector<std::unique_ptr<CUmemPoolHandle_st>> made;

  bool has(cudaMemPool_t pool) const {
    return pool == &common || std::ranges::any_of(made, [&](const auto& one) { return one.get() == pool; });
  }
};
pool_list& pools() {
  static auto* const list = new pool_list;  // never destroyed: other statics may still use pools
  return *list;
}

template <class Work>
cudaError_t with_pool(cudaMemPool_t pool, Work work) {
  return guarded([&] {
    pool_list& list = pools();
    const std::lock_guard lock(list.mutex);
    return list.has(pool) ? work(list) : cudaErrorInvalidValue;
  });
}

template <class Work>
cudaError_t with_device(int device, Work work) {
  return guarded([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    pool_list& list = pools();
    const std::lock_guard lock(list.mutex);
    return work(list);
  });
}

bool is_reuse(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies && attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

}  // namespace

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return with_device(device, [&](pool_list& list) {
    if (!pool) return cudaErrorInvalidValue;
    *pool = &list.common;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return with_device(device, [&](pool_list& list) {
    if (!pool) return cudaErrorInvalidValue;
    *pool = list.chosen;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return with_device(device, [&](pool_list& list) {
    if (!list.has(pool)) return cudaErrorInvalidValue;
    list.chosen = pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return guarded([&] {
    if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    pool_list& list = pools();
    const std::lock_guard lock(list.mutex);
    list.made.push_back(std::make_unique<CUmemPoolHandle_st>());
    *pool = list.made.back().get();
    return cudaSuccess;
  });
}
// What was allocated from it stays.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return with_pool(pool, [&](pool_list& list) {
    if (pool == &list.common) return cudaErrorInvalidValue;
    if (list.chosen == pool) list.chosen = &list.common;
    std::erase_if(list.made, [&](const auto& one) { return one.get() == pool; });
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, [&](pool_list&) {
    if (!value) return cudaErrorInvalidValue;
    if (attribute == cudaMemPoolAttrReleaseThreshold)
      pool->release_threshold = *static_cast<const unsigned long long*>(value);
    else if (is_reuse(attribute))
      pool->reuse[attribute - 1] = *static_cast<const int*>(value);
    else
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, [&](pool_list&) {
    if (!value) return cudaErrorInvalidValue;
    if (attribute == cudaMemPoolAttrReleaseThreshold)
      *static_cast<unsigned long long*>(value) = pool->release_threshold;
    else if (is_reuse(attribute))
      *static_cast<int*>(value) = pool->reuse[attribute - 1];
    else
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return with_pool(pool, [](pool_list&) { return cudaSuccess; });
}

cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                                    const gs::detail::access_place& place) {
  const cudaError_t known = with_pool(pool, [](pool_list&) { return cudaSuccess; });
  return known == cudaSuccess ? cudaMallocAsync(memory, bytes, stream, place) : known;
}
