#pragma once
// What GPUs of each compute capability offer a launch and a multiprocessor.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// The limits of one compute capability. "SM" is a streaming multiprocessor: what holds the blocks of a launch while
/// they run. Block and grid extents, 1024 threads per block and 48 KiB of static shared memory are the same for all of
/// them: gs::detail::launch_limits. Memory in bytes, registers of 32 bits.
///
/// From NVIDIA's CUDA Programming Guide, "Compute Capabilities": tables "Device and Streaming Multiprocessor (SM)
/// Information" and "Memory Information per Compute Capability" (release 13.0; 7.0 and 7.2: release 11.7, table
/// "Technical Specifications per Compute Capability"). How registers and shared memory are handed out: cuda_occupancy.h
/// of CUDA 13.0. Float32 lanes: the guide's table "Throughput of Native Arithmetic Instructions". Clock and memory: the
/// data sheets of the cards, see device_model.cpp.
struct device_model {
  std::string_view compute_capability;  ///< "9.0"
  std::string_view card;                ///< a typical one: "H100 SXM"
  unsigned multiprocessors;             ///< of that card
  unsigned clock_mhz;                   ///< of that card at its highest, which is what its peaks are quoted for
  unsigned float32_lanes;               ///< of an SM: multiply-adds of floats that it begins in a cycle
  double memory_bytes_per_second;       ///< of that card

  unsigned blocks_per_sm;              ///< blocks that an SM holds at most
  unsigned warps_per_sm;               ///< warps that an SM holds at most
  std::size_t shared_bytes_per_sm;     ///< for all blocks that it holds
  std::size_t shared_bytes_per_block;  ///< dynamic ones, for a kernel that opts in; 48 KiB for any other
  std::size_t shared_granularity;      ///< a block's shared memory is rounded up to a multiple of it
  std::size_t shared_reserved;         ///< of each block, by the system

  unsigned registers_per_sm = 65536;     ///< for all warps that it holds
  unsigned registers_per_block = 65536;  ///< at most
  unsigned registers_per_thread = 255;   ///< at most; the compiler spills what doesn't fit
  unsigned register_granularity = 256;   ///< a warp's registers are rounded up to a multiple of it
  unsigned partitions = 4;               ///< of an SM; each has a quarter of the registers, for the warps it runs

  std::size_t constant_bytes = 65536;                           ///< of a kernel's constant memory
  std::size_t local_bytes_per_thread = std::size_t{512} << 10;  ///< at most
  /// Of a kernel's parameters (CUDA 12.1 and later, from 7.0 on; 4096 before). gs::launch keeps to 4096.
  std::size_t parameter_bytes = 32764;

  unsigned threads_per_sm() const { return 32 * warps_per_sm; }  ///< threads that an SM holds at most
  /// Additions and multiplications of floats that the card does in a second at its highest clock, a multiply-add being
  /// two of them. Nothing that computes with floats, tensor cores aside, is faster.
  double float32_per_second() const { return 2e6 * float32_lanes * multiprocessors * clock_mhz; }
};

/// All models, from 7.0 to 12.0. Of 9.0 there are two: that of H100 SXM, then that of H200.
std::span<const device_model> device_models();
/// Their compute capabilities, in the same order, each once: "7.0", ..., "12.0".
std::vector<std::string> compute_capabilities();

/// The model of a compute capability or of a card: "7.0", "7.2", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0", "10.0",
/// "10.3", "11.0" or "12.0"; or the `card` of a model, as "H200". Throws gs::error for any other text.
const device_model& model_of(std::string_view capability_or_card);

}  // namespace gs::inline GS_FLAVOUR
