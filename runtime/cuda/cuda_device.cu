// The CUDA device: one NVIDIA GPU as a backend, device 0 of those CUDA shows (CUDA_VISIBLE_DEVICES chooses, and among
// the ranks of a machine own_gpu.h). Only builds with GRIDSTRIDE_CUDA have it.

#include <set>
#include <string>

#include "runtime/core/error.h"
#include "runtime/cuda/cuda_queue.h"
#include "runtime/device/registered_device.h"
#include "runtime/host/own_gpu.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// A handle as text and back.
std::string hexadecimal_of(const cudaIpcMemHandle_t& handle) {
  std::string text;
  for (const char byte : handle.reserved) {
    constexpr const char* digits = "0123456789abcdef";
    const auto number = static_cast<unsigned char>(byte);
    text += digits[number / 16];
    text += digits[number % 16];
  }
  return text;
}
cudaIpcMemHandle_t handle_of(const std::string& text) {
  cudaIpcMemHandle_t handle{};
  if (text.size() != 2 * sizeof handle.reserved || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw error("memory of another process", "\"" + text + "\" is not a handle of a GPU's memory",
                "pass on the whole text that handle() returned");
  for (std::size_t i = 0; i < sizeof handle.reserved; ++i)
    handle.reserved[i] = static_cast<char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  return handle;
}

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

  void* allocate_interprocess(std::size_t bytes) override { return allocate(bytes); }
  void deallocate_interprocess(void* memory, std::size_t) override {
    if (opened_.erase(memory) == 0)
      (void)cudaFree(memory);
    else
      (void)cudaIpcCloseMemHandle(memory);
  }
  std::string interprocess_handle(const void* memory) const override {
    cudaIpcMemHandle_t handle{};
    check_cuda(cudaIpcGetMemHandle(&handle, const_cast<void*>(memory)), "a handle of memory");
    return hexadecimal_of(handle);
  }
  void* open_interprocess(const std::string& text, std::size_t bytes) override {
    void* memory = nullptr;
    check_cuda(cudaIpcOpenMemHandle(&memory, handle_of(text), cudaIpcMemLazyEnablePeerAccess),
               "memory of another process");
    if (!opened_.insert(memory).second) {
      (void)cudaIpcCloseMemHandle(memory);
      throw error("memory of another process", "this process has opened it already", "share the array that has it");
    }
    if (const std::size_t found = bytes_of(memory); found < bytes) {
      deallocate_interprocess(memory, bytes);
      throw error("memory of another process",
                  "it has " + std::to_string(found) + " bytes, and " + std::to_string(bytes) + " were asked for",
                  "pass on the whole text that handle() returned");
    }
    return memory;
  }

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

  // Of the allocation that begins at `memory`. The driver's function, so that this needs no library beside the runtime.
  static std::size_t bytes_of(void* memory) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    check_cuda(cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, 12000, cudaEnableDefault, &found),
               "the size of another process' memory");
    std::size_t bytes = 0;
    unsigned long long base = 0;
    using address_range = int (*)(unsigned long long*, std::size_t*, unsigned long long);
    const auto address = reinterpret_cast<unsigned long long>(memory);
    if (!function || reinterpret_cast<address_range>(function)(&base, &bytes, address) != 0) return 0;
    return bytes;
  }

  device_info info_;
  cuda_queue copies_;
  std::set<void*> opened_;  // memory of other processes
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
