// The CUDA device: one NVIDIA GPU as a backend, device 0 of those CUDA shows (CUDA_VISIBLE_DEVICES chooses, and among
// the ranks of a machine own_gpu.h). Only builds with GRIDSTRIDE_CUDA have it.

#include "runtime/cuda/cuda_queue.h"
#include "runtime/device/registered_device.h"
#include "runtime/host/own_gpu.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

class cuda_device final : public backend {
 public:
  explicit cuda_device(device_kind kind) {
    check_cuda(cudaSetDevice(0), "the GPU");
    cudaDeviceProp properties{};
    check_cuda(cudaGetDeviceProperties(&properties, 0), "the GPU's properties");
    info_ = {.kind = kind,
             .name = properties.name,
             .memory = properties.totalGlobalMem,
             .multiprocessors = static_cast<unsigned>(properties.multiProcessorCount),
             .compute_capability = static_cast<unsigned>(properties.major * 10 + properties.minor)};
  }

  const device_info& info() const override { return info_; }

  void* allocate(std::size_t bytes) override {
    return allocated([=](void** memory) { return cudaMalloc(memory, bytes); }, "memory on the GPU");
  }
  void deallocate(void* memory, std::size_t) override { (void)cudaFree(memory); }
  void* allocate_pinned(std::size_t bytes) override {
    return allocated([=](void** memory) { return cudaHostAlloc(memory, bytes, cudaHostAllocDefault); },
                     "pinned memory");
  }
  void deallocate_pinned(void* memory, std::size_t) override { (void)cudaFreeHost(memory); }
  void* allocate_managed(std::size_t bytes) override {
    return allocated([=](void** memory) { return cudaMallocManaged(memory, bytes, cudaMemAttachGlobal); },
                     "managed memory");
  }
  void deallocate_managed(void* memory, std::size_t) override { (void)cudaFree(memory); }

  // On a stream of their own, waited for: the caller sees a copy that is done, whichever stream comes next.
  void copy_to_device(void* device, const void* host, std::size_t bytes) override {
    copy(device, host, bytes, cudaMemcpyHostToDevice);
  }
  void copy_to_host(void* host, const void* device, std::size_t bytes) override {
    copy(host, device, bytes, cudaMemcpyDeviceToHost);
  }
  void copy_within(void* to, const void* from, std::size_t bytes) override {
    copy(to, from, bytes, cudaMemcpyDeviceToDevice);
  }

  std::size_t cooperative_threads(std::string_view kernel) const override { refuse_without_nvcc(kernel); }
  std::shared_ptr<queue> make_queue() override { return std::make_shared<cuda_queue>(); }

 private:
  // Null if there is no room.
  template <class Allocate>
  static void* allocated(Allocate allocate, const char* asked) {
    void* memory = nullptr;
    const cudaError_t status = allocate(&memory);
    if (status == cudaErrorMemoryAllocation) {
      (void)cudaGetLastError();
      return nullptr;
    }
    check_cuda(status, asked);
    return memory;
  }
  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    check_cuda(cudaMemcpyAsync(to, from, bytes, kind, copies_.handle()), "a copy");
    copies_.wait();
  }

  device_info info_;
  cuda_queue copies_;
};

// As the driver gives it.
std::string why_no_gpu() {
  static const bool is_chosen = (choose_own_gpu(), true);
  static_cast<void>(is_chosen);
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) {
    (void)cudaGetLastError();
    return std::string("no GPU can be used, CUDA says: ") + cudaGetErrorString(status);
  }
  if (count == 0) return "this machine has no NVIDIA GPU";
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.major < 8)
    return std::string("the GPU is ") + properties.name + ", and this build needs compute capability 8.0 or more";
  return "";
}

std::unique_ptr<backend> make_device(device_kind kind) { return std::make_unique<cuda_device>(kind); }

const registered_device registration(
    {.name = "cuda", .automatic = true, .why_missing = why_no_gpu, .make = make_device});

}  // namespace

void refuse_without_nvcc(std::string_view kernel) {
  throw error("a launch of " + std::string(kernel) + " on cuda", "its source was not compiled by nvcc",
              "list the file with gridstride_kernel_sources in CMake, or run on the engine");
}

}  // namespace gs::inline GS_FLAVOUR::detail
