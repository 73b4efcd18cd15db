#pragma once
// The limits of a GPU without the runtime, by CUDA's own calls. Only in a build with CUDA, and only where
// gs::why_no_cuda() is empty.

#include <cstddef>
#include <memory>

namespace bench::limits {

/// A copy within the GPU's memory: half of `bytes` read, half written.
class gpu_copy {
 public:
  /// Throws gs::machine_error if the GPU has no room.
  explicit gpu_copy(std::size_t bytes);
  /// Copies and waits.
  void operator()() const;

 private:
  std::size_t half_;
  std::shared_ptr<std::byte> from_, to_;
};

/// Copies between the host and the GPU, or within it, and waits.
void copy_by_cuda(void* to, const void* from, std::size_t bytes);

/// Launches an empty kernel `count` times, each in one block of one thread, and waits.
void launch_nothing(std::size_t count);

/// At least `operations` float32 operations, multiply-adds in registers by threads that fill all multiprocessors, in
/// whole steps of all threads. Waits.
void multiply_add_on_gpu(std::size_t operations);

}  // namespace bench::limits
