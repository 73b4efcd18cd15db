#pragma once
// Memory: CUDA Runtime API, "Memory Management". Device memory is the engine's; the instruments know an array by the
// line of its cudaMalloc().

#include <cstddef>

#include "dialect/runtime/errors.h"
#include "dialect/runtime/streams.h"
#include "runtime/array/index.h"

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};

#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaMemAttachSingle 0x04
#define cudaCpuDeviceId (-1)

#define GS_DIALECT_PLACE const gs::detail::access_place& place = gs::detail::access_place::current()

cudaError_t cudaMalloc(void** memory, std::size_t bytes, GS_DIALECT_PLACE);
cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned flags = cudaMemAttachGlobal, GS_DIALECT_PLACE);
cudaError_t cudaMallocHost(void** memory, std::size_t bytes, unsigned flags = 0, GS_DIALECT_PLACE);
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags, GS_DIALECT_PLACE);
cudaError_t cudaMallocPitch(void** memory, std::size_t* pitch, std::size_t width, std::size_t height, GS_DIALECT_PLACE);
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t stream, GS_DIALECT_PLACE);
cudaError_t cudaFree(void* memory);
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* memory);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, int device, cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* memory, std::size_t bytes, cudaMemoryAdvise advice, int device);

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, GS_DIALECT_PLACE);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr, GS_DIALECT_PLACE);
/// Pitches and width in bytes.
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind, GS_DIALECT_PLACE);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                              GS_DIALECT_PLACE);
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes, GS_DIALECT_PLACE);
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream = nullptr,
                            GS_DIALECT_PLACE);
cudaError_t cudaMemset2D(void* memory, std::size_t pitch, int value, std::size_t width, std::size_t height,
                         GS_DIALECT_PLACE);

namespace dialect {

cudaError_t copy_to_symbol(void* symbol, std::size_t size, const void* from, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t size, std::size_t bytes, std::size_t offset,
                             cudaMemcpyKind kind, cudaStream_t stream);

/// Whether kernels may use the memory at this address.
bool device_may_use(const void* memory);
/// All memory is gone.
void forget_memory();

}  // namespace dialect

template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes, GS_DIALECT_PLACE) {
  return cudaMalloc(reinterpret_cast<void**>(memory), bytes, place);
}
template <class T>
cudaError_t cudaMallocManaged(T** memory, std::size_t bytes, unsigned flags = cudaMemAttachGlobal, GS_DIALECT_PLACE) {
  return cudaMallocManaged(reinterpret_cast<void**>(memory), bytes, flags, place);
}
template <class T>
cudaError_t cudaMallocHost(T** memory, std::size_t bytes, unsigned flags = 0, GS_DIALECT_PLACE) {
  return cudaMallocHost(reinterpret_cast<void**>(memory), bytes, flags, place);
}
template <class T>
cudaError_t cudaHostAlloc(T** memory, std::size_t bytes, unsigned flags, GS_DIALECT_PLACE) {
  return cudaHostAlloc(reinterpret_cast<void**>(memory), bytes, flags, place);
}
template <class T>
cudaError_t cudaMallocPitch(T** memory, std::size_t* pitch, std::size_t width, std::size_t height, GS_DIALECT_PLACE) {
  return cudaMallocPitch(reinterpret_cast<void**>(memory), pitch, width, height, place);
}
template <class T>
cudaError_t cudaMallocAsync(T** memory, std::size_t bytes, cudaStream_t stream, GS_DIALECT_PLACE) {
  return cudaMallocAsync(reinterpret_cast<void**>(memory), bytes, stream, place);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

// Symbols are variables that are declared __device__, __constant__ or __managed__.
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return dialect::copy_to_symbol(const_cast<void*>(static_cast<const volatile void*>(&symbol)), sizeof symbol, from,
                                 bytes, offset, kind, nullptr);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
  return dialect::copy_to_symbol(const_cast<void*>(static_cast<const volatile void*>(&symbol)), sizeof symbol, from,
                                 bytes, offset, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return dialect::copy_from_symbol(to, &symbol, sizeof symbol, bytes, offset, kind, nullptr);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
  return dialect::copy_from_symbol(to, &symbol, sizeof symbol, bytes, offset, kind, stream);
}
template <class P, class T>
cudaError_t cudaGetSymbolAddress(P** address, T& symbol) {
  *address = reinterpret_cast<P*>(const_cast<char*>(reinterpret_cast<const volatile char*>(&symbol)));
  return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
  *bytes = sizeof symbol;
  return cudaSuccess;
}
