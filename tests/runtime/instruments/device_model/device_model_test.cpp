// The table of GPUs.

#include "runtime/instruments/device_model/device_model.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/runtime/refused.h"

using gs::compute_capabilities;
using gs::device_models;
using gs::model_of;
using runtime_test::refused;

// Columns of "Technical Specifications per Compute Capability", CUDA C++ Programming Guide 11.7 (7.x) and 13.0.
TEST(device_model, holds_the_published_table) {
  struct row {
    std::string_view capability;
    unsigned blocks, threads;
    std::size_t shared_kib_per_sm, shared_kib_per_block;
  };
  constexpr row rows[] = {
      {"7.0", 32, 2048, 96, 96},    {"7.2", 32, 2048, 96, 96},    {"7.5", 16, 1024, 64, 64},
      {"8.0", 32, 2048, 164, 163},  {"8.6", 16, 1536, 100, 99},   {"8.7", 16, 1536, 164, 163},
      {"8.9", 24, 1536, 100, 99},   {"9.0", 32, 2048, 228, 227},  {"10.0", 32, 2048, 228, 227},
      {"10.3", 32, 2048, 228, 227}, {"11.0", 24, 1536, 228, 227}, {"12.0", 24, 1536, 100, 99},
  };
  ASSERT_EQ(std::size(rows), compute_capabilities().size());
  for (const row& expected : rows) {
    const gs::device_model& model = model_of(expected.capability);
    EXPECT_EQ(model.compute_capability, expected.capability);
    EXPECT_EQ(model.blocks_per_sm, expected.blocks) << expected.capability;
    EXPECT_EQ(model.threads_per_sm(), expected.threads) << expected.capability;
    EXPECT_EQ(model.shared_bytes_per_sm, expected.shared_kib_per_sm * 1024) << expected.capability;
    EXPECT_EQ(model.shared_bytes_per_block, expected.shared_kib_per_block * 1024) << expected.capability;
    EXPECT_EQ(model.registers_per_sm, 65536u);
    EXPECT_EQ(model.registers_per_block, 65536u);
    EXPECT_EQ(model.registers_per_thread, 255u);
    EXPECT_EQ(model.constant_bytes, 65536u);
  }
}

// What the data sheets say a card reaches, in TFLOP/s of float32 without tensor cores.
TEST(device_model, agrees_with_the_peaks_of_the_data_sheets) {
  struct row {
    std::string_view capability;
    double float32_tflops;
  };
  constexpr row rows[] = {{"7.0", 15.7}, {"7.2", 1.41},  {"7.5", 8.1},   {"8.0", 19.5}, {"8.6", 29.8},
                          {"8.7", 5.32}, {"8.9", 82.6},  {"9.0", 67},    {"H200", 67},  {"10.0", 75},
                          {"10.3", 75},  {"11.0", 8.06}, {"12.0", 104.8}};
  ASSERT_EQ(std::size(rows), device_models().size());
  for (const row& expected : rows) {
    const gs::device_model& model = model_of(expected.capability);
    EXPECT_NEAR(model.float32_per_second() * 1e-12, expected.float32_tflops, 0.01 * expected.float32_tflops)
        << expected.capability;
    EXPECT_GT(model.memory_bytes_per_second, 100e9) << expected.capability;
    EXPECT_LE(model.memory_bytes_per_second, 8000e9) << expected.capability;
  }
}

TEST(device_model, lists_the_capabilities) {
  EXPECT_EQ(gs::compute_capabilities(), (std::vector<std::string>{"7.0", "7.2", "7.5", "8.0", "8.6", "8.7", "8.9",
                                                                  "9.0", "10.0", "10.3", "11.0", "12.0"}));
}

// A card differs from another of its capability in its peaks alone.
TEST(device_model, knows_cards_by_their_names) {
  EXPECT_EQ(model_of("H100 SXM").card, model_of("9.0").card);
  const gs::device_model &h100 = model_of("9.0"), &h200 = model_of("H200");
  EXPECT_EQ(h200.compute_capability, "9.0");
  EXPECT_EQ(h200.memory_bytes_per_second, 4.8e12);
  EXPECT_EQ(h100.memory_bytes_per_second, 3.35e12);
  EXPECT_EQ(h200.warps_per_sm, h100.warps_per_sm);
  EXPECT_EQ(h200.shared_bytes_per_block, h100.shared_bytes_per_block);
  for (const gs::device_model& model : device_models()) EXPECT_EQ(&model_of(model.card), &model) << model.card;
}

TEST(device_model, refuses_a_capability_it_does_not_know) {
  for (const char* unknown : {"6.1", "12.5", "9", "", "H100"})
    EXPECT_TRUE(refused([&] { model_of(unknown); },
                        {"the limits of a GPU", std::string("'") + unknown + "'",
                         "7.0, 7.2, 7.5, 8.0, 8.6, 8.7, 8.9, 9.0, 10.0, 10.3, 11.0, 12.0, or a card: Tesla V100",
                         "H100 SXM, H200, B200"}));
}
