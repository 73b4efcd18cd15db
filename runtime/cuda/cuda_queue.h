#pragma once
// cuda_queue: a stream of the GPU, and the check that every CUDA call goes through.

#include <cuda_runtime.h>

#include <memory>
#include <string>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/core/error.h"
#include "runtime/device/backend.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Throws gs::error with CUDA's own words if `status` is not success.
inline void check_cuda(cudaError_t status, const std::string& asked) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();  // clears an error that isn't sticky, so that the next call doesn't report it again
  throw error(asked, std::string("CUDA says: ") + cudaGetErrorString(status),
              "if this was an illegal address or a launch failure, the device is unusable until the program is "
              "restarted; GRIDSTRIDE_TARGET=engine runs the same program on the CPU");
}

/// Throws gs::error: a GPU runs what nvcc has compiled.
[[noreturn]] void refuse_without_nvcc(std::string_view kernel);

/// A point in a cuda_queue: a CUDA event.
class cuda_fence final : public fence {
 public:
  explicit cuda_fence(cudaStream_t stream) {
    check_cuda(cudaEventCreate(&event_), "a CUDA event");
    check_cuda(cudaEventRecord(event_, stream), "recording a CUDA event");
  }
  ~cuda_fence() override { (void)cudaEventDestroy(event_); }
  cuda_fence(const cuda_fence&) = delete;
  cuda_fence& operator=(const cuda_fence&) = delete;

  bool done() override {
    const cudaError_t status = cudaEventQuery(event_);
    if (status == cudaErrorNotReady) return false;
    check_cuda(status, "asking whether an event has been passed");
    return true;
  }
  void wait() override { check_cuda(cudaEventSynchronize(event_), "waiting for an event"); }
  double seconds_since(fence& start) override {
    auto* from = dynamic_cast<cuda_fence*>(&start);
    if (!from)
      throw error("the time between two events", "they are events of different devices",
                  "record both on streams of one device");
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, from->event_, event_), "the time between two events");
    return static_cast<double>(milliseconds) * 1e-3;
  }
  cudaEvent_t event() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A non-blocking stream: ordered with other streams by events alone, as on the engine.
class cuda_queue final : public queue {
 public:
  cuda_queue() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a CUDA stream"); }
  ~cuda_queue() override { (void)cudaStreamDestroy(stream_); }  // returns at once; what was queued still runs
  cuda_queue(const cuda_queue&) = delete;
  cuda_queue& operator=(const cuda_queue&) = delete;

  void wait() override { check_cuda(cudaStreamSynchronize(stream_), "the work queued on a stream"); }
  bool idle() override {
    // A failed device counts as idle: it runs nothing more, and wait() says why.
    return cudaStreamQuery(stream_) != cudaErrorNotReady;
  }
  std::shared_ptr<fence> mark() override { return std::make_shared<cuda_fence>(stream_); }
  void wait_for(std::shared_ptr<fence> point) override {
    auto* cuda_point = dynamic_cast<cuda_fence*>(point.get());
    if (!cuda_point)
      throw error("a stream of the GPU was told to wait for an event", "an event of another device",
                  "record the event on a stream of the same device");
    check_cuda(cudaStreamWaitEvent(stream_, cuda_point->event(), 0), "a stream waiting for an event");
  }
  void submit(std::unique_ptr<host_work> work) override { refuse_without_nvcc(work->name()); }
  // From memory that isn't pinned the driver copies by way of its own; such a call may return before or after the copy.
  bool copy(void* to, const void* from, std::size_t bytes, copy_direction way) override {
    check_cuda(
        cudaMemcpyAsync(to, from, bytes,
                        way == copy_direction::to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream_),
        "a copy");
    return true;
  }
  cudaStream_t handle() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace gs::inline GS_FLAVOUR::detail
