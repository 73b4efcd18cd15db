// Occupancy, against NVIDIA's own header where it is installed and against examples worked by hand everywhere.

#include "runtime/instruments/device_model/occupancy.h"

#include <gtest/gtest.h>

#include <charconv>
#include <vector>

#include "tests/runtime/refused.h"

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#endif

namespace {

using gs::model_of;
using gs::occupancy_limit;
using gs::occupancy_of;
using runtime_test::refused;
using limits = std::vector<occupancy_limit>;

}  // namespace

// From the tables of the CUDA Programming Guide; the comments give the arithmetic.
TEST(occupancy, agrees_with_examples_worked_by_hand) {
  const auto full = occupancy_of(model_of("9.0"), {256, 1, 1}, 0, 32);
  EXPECT_EQ(full.active_blocks, 8u);  // 64 warps / 8; registers: 65536 / (32 * 256) = 8 too
  EXPECT_EQ(full.active_warps, 64u);
  EXPECT_EQ(full.share, 1);
  EXPECT_EQ(full.limited_by, (limits{occupancy_limit::threads, occupancy_limit::registers}));
  EXPECT_EQ(full.allocated_registers, 8192u);
  EXPECT_EQ(full.allocated_shared_bytes, 1024u);

  const auto registers = occupancy_of(model_of("8.0"), {256, 1, 1}, 0, 63);
  EXPECT_EQ(registers.active_blocks, 4u);  // 63 * 32 = 2016, as 2048: 8 warps in each of 4 partitions
  EXPECT_EQ(registers.share, 0.5);
  EXPECT_EQ(registers.limited_by, limits{occupancy_limit::registers});

  const auto small = occupancy_of(model_of("8.6"), {32, 1, 1}, 0, 0);
  EXPECT_EQ(small.active_blocks, 16u);
  EXPECT_EQ(small.active_warps, 16u);
  EXPECT_EQ(small.share, 1.0 / 3);
  EXPECT_EQ(small.limited_by, limits{occupancy_limit::blocks});

  const auto shared = occupancy_of(model_of("7.5"), {128, 1, 1}, 20'000, 0);
  EXPECT_EQ(shared.allocated_shared_bytes, 20'224u);  // a multiple of 256
  EXPECT_EQ(shared.active_blocks, 3u);
  EXPECT_EQ(shared.share, 12.0 / 32);
  EXPECT_EQ(shared.limited_by, limits{occupancy_limit::shared_memory});

  // 1536 threads per SM and blocks of 1024: only one fits.
  EXPECT_EQ(occupancy_of(model_of("8.9"), {32, 32, 1}, 0).share, 32.0 / 48);
}

// The example of https://modal.com/gpu-glossary/perf/occupancy: an H100, 32 threads, 8 registers, 12 KiB: 19 blocks by
// shared memory. It leaves out the system's 1 KiB of each block, with which 228 KiB hold 17.
TEST(occupancy, counts_what_the_system_reserves) {
  const auto result = occupancy_of(model_of("9.0"), {32, 1, 1}, 12 * 1024, 8);
  EXPECT_EQ(result.active_blocks, 17u);
  EXPECT_EQ(result.limited_by, limits{occupancy_limit::shared_memory});
  EXPECT_EQ(occupancy_of(model_of("9.0"), {32, 1, 1}, 11 * 1024, 8).active_blocks, 19u);
}

TEST(occupancy, is_nothing_where_no_block_fits) {
  const auto registers = occupancy_of(model_of("9.0"), {1024, 1, 1}, 0, 65);
  EXPECT_EQ(registers.active_blocks, 0u);
  EXPECT_EQ(registers.share, 0);
  EXPECT_EQ(registers.limited_by, limits{occupancy_limit::registers});
  EXPECT_EQ(occupancy_of(model_of("9.0"), {1024, 1, 1}, 0, 64).active_blocks, 1u);
  EXPECT_EQ(occupancy_of(model_of("9.0"), {32, 1, 1}, 0, 256).limited_by, limits{occupancy_limit::registers});
  EXPECT_EQ(occupancy_of(model_of("8.6"), {32, 1, 1}, 99 * 1024 + 1).limited_by,
            limits{occupancy_limit::shared_memory});
  EXPECT_EQ(occupancy_of(model_of("8.6"), {32, 1, 1}, 99 * 1024).active_blocks, 1u);
  EXPECT_EQ(occupancy_of(model_of("9.0"), {1025, 1, 1}, 0).limited_by, limits{occupancy_limit::threads});
}

TEST(occupancy, refuses_a_block_without_threads) {
  EXPECT_TRUE(refused([] { occupancy_of(model_of("9.0"), {32, 0, 1}, 0); }, {"a block of (32, 0, 1)", "1 thread"}));
}

TEST(occupancy, names_its_limits) {
  EXPECT_EQ(to_string(occupancy_limit::threads), "threads");
  EXPECT_EQ(to_string(occupancy_limit::blocks), "blocks");
  EXPECT_EQ(to_string(occupancy_limit::registers), "registers");
  EXPECT_EQ(to_string(occupancy_limit::shared_memory), "shared memory");
}

#if __has_include(<cuda_occupancy.h>)

namespace {

cudaOccDeviceProp properties_of(const gs::device_model& model) {
  cudaOccDeviceProp properties;
  const std::string_view name = model.compute_capability;
  std::from_chars(name.data(), name.data() + name.size(), properties.computeMajor);
  std::from_chars(name.data() + name.find('.') + 1, name.data() + name.size(), properties.computeMinor);
  properties.maxThreadsPerBlock = 1024;
  properties.maxThreadsPerMultiprocessor = static_cast<int>(model.threads_per_sm());
  properties.regsPerBlock = static_cast<int>(model.registers_per_block);
  properties.regsPerMultiprocessor = static_cast<int>(model.registers_per_sm);
  properties.warpSize = 32;
  properties.sharedMemPerBlock = 48 * 1024;
  properties.sharedMemPerBlockOptin = model.shared_bytes_per_block;
  properties.sharedMemPerMultiprocessor = model.shared_bytes_per_sm;
  properties.reservedSharedMemPerBlock = model.shared_reserved;
  properties.numSms = static_cast<int>(model.multiprocessors);
  return properties;
}

unsigned factors(const limits& limited_by) {
  constexpr unsigned bits[] = {OCC_LIMIT_WARPS, OCC_LIMIT_BLOCKS, OCC_LIMIT_REGISTERS, OCC_LIMIT_SHARED_MEMORY};
  unsigned blocks = 0;
  for (const occupancy_limit limit : limited_by) blocks |= bits[static_cast<std::size_t>(limit)];
  return blocks;
}

void compare(const gs::device_model& model, unsigned threads, std::size_t shared, unsigned registers) {
  const cudaOccDeviceProp properties = properties_of(model);
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = 1024;
  attributes.numRegs = static_cast<int>(registers);
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = 256 * 1024;
  cudaOccResult expected;
  const cudaOccDeviceState state;
  ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&expected, &properties, &attributes, &state,
                                                    static_cast<int>(threads), shared),
            CUDA_OCC_SUCCESS);
  const auto result = occupancy_of(model, {threads, 1, 1}, shared, registers);
  ASSERT_EQ(result.active_blocks, static_cast<unsigned>(expected.activeBlocksPerMultiprocessor))
      << model.compute_capability << ", " << threads << " threads, " << shared << " bytes, " << registers
      << " registers";
  ASSERT_EQ(factors(result.limited_by), expected.limitingFactors)
      << model.compute_capability << ", " << threads << " threads, " << shared << " bytes, " << registers
      << " registers";
  ASSERT_EQ(result.allocated_shared_bytes, expected.allocatedSharedMemPerBlock);
  ASSERT_EQ(result.allocated_registers, static_cast<unsigned>(expected.allocatedRegistersPerBlock));
}

}  // namespace

TEST(occupancy, agrees_with_cuda_occupancy_h_for_every_block_and_register_count) {
  for (const gs::device_model& model : gs::device_models())
    for (unsigned threads = 1; threads <= 1024; ++threads)
      for (unsigned registers = 0; registers <= 255; ++registers)
        ASSERT_NO_FATAL_FAILURE(compare(model, threads, 0, registers));
}

TEST(occupancy, agrees_with_cuda_occupancy_h_for_shared_memory) {
  for (const gs::device_model& model : gs::device_models())
    for (unsigned threads : {1u, 31u, 32u, 33u, 96u, 127u, 256u, 512u, 769u, 1024u})
      for (unsigned registers : {0u, 16u, 33u, 64u, 255u})
        for (std::size_t shared = 0; shared <= 240 * 1024; shared += 509)
          ASSERT_NO_FATAL_FAILURE(compare(model, threads, shared, registers));
}

#endif
