// Launches that would fail on a GPU of a chosen model.

#include "runtime/instruments/device_model/launch_refusals.h"

#include <gtest/gtest.h>

using gs::model_of;
using gs::detail::launch_demand;
using gs::detail::launch_refusals;

namespace {

std::string only_refusal(const char* capability, const launch_demand& launch) {
  const auto refused = launch_refusals(model_of(capability), launch);
  return refused.size() == 1 ? refused[0].what() : std::to_string(refused.size()) + " refusals";
}

}  // namespace

TEST(launch_refusals, are_none_for_what_starts) {
  for (const gs::device_model& model : gs::device_models()) {
    EXPECT_TRUE(launch_refusals(model, {.kernel = "k", .grid = {1u << 30, 2, 3}, .block = {32, 32, 1}}).empty());
    EXPECT_TRUE(launch_refusals(model, {.kernel = "k",
                                        .block = {1024, 1, 1},
                                        .static_shared_bytes = 48 * 1024,
                                        .parameter_bytes = 4096,
                                        .registers_per_thread = 64,
                                        .cooperative = true})
                    .empty());
  }
}

TEST(launch_refusals, know_the_shared_memory_of_a_model) {
  const launch_demand launch{
      .kernel = "blur", .block = {64, 1, 1}, .static_shared_bytes = 1, .dynamic_shared_bytes = 65521};
  EXPECT_EQ(
      only_refusal("7.5", launch),
      "a launch of blur with 1 bytes of static and 65521 of dynamic shared memory: compute capability 7.5 has 65536 "
      "bytes for a block; use smaller tiles");
  EXPECT_TRUE(launch_refusals(model_of("8.6"), launch).empty());
}

TEST(launch_refusals, know_the_room_for_parameters) {
  EXPECT_TRUE(launch_refusals(model_of("9.0"), {.kernel = "k", .parameter_bytes = 32764}).empty());
  EXPECT_EQ(
      only_refusal("9.0", {.kernel = "k", .parameter_bytes = 32768}),
      "a launch of k with 32768 bytes of parameters: compute capability 9.0 takes 32764 bytes; put the values into a "
      "gs::device_array and pass that");
}

TEST(launch_refusals, know_the_registers) {
  EXPECT_EQ(only_refusal("9.0", {.kernel = "k", .block = {32, 32, 1}, .registers_per_thread = 72}),
            "a launch of k with 1024 threads per block and 72 registers per thread: compute capability 9.0 has 65536 "
            "registers for a block, handed out by warps; use blocks of at most 896 threads");
  EXPECT_EQ(
      only_refusal("9.0", {.kernel = "k", .block = {32, 1, 1}, .registers_per_thread = 300}),
      "a launch of k with 300 registers per thread: compute capability 9.0 has 255 for a thread; give the number that "
      "nvcc --resource-usage prints");
  EXPECT_TRUE(
      launch_refusals(model_of("9.0"), {.kernel = "k", .block = {896, 1, 1}, .registers_per_thread = 72}).empty());
}

TEST(launch_refusals, know_how_many_blocks_a_card_holds_at_once) {
  launch_demand launch{.kernel = "heat", .grid = {1057, 1, 1}, .block = {256, 1, 1}, .cooperative = true};
  EXPECT_EQ(
      only_refusal("9.0", launch),
      "a cooperative launch of heat with 1057 blocks: H100 SXM (compute capability 9.0) holds 1056 of them at once: 8 "
      "on each of its 132 multiprocessors; launch at most gs::cooperative_limit<kernel>(block) blocks, and loop over "
      "the rest inside");
  launch.grid = {33, 32, 1};
  EXPECT_TRUE(launch_refusals(model_of("9.0"), launch).empty());
  launch.static_shared_bytes = 40 * 1024;  // 5 blocks per multiprocessor
  EXPECT_NE(only_refusal("9.0", launch).find("holds 660 of them"), std::string::npos);
}

TEST(launch_refusals, come_together) {
  EXPECT_EQ(launch_refusals(model_of("7.5"), {.kernel = "k",
                                              .grid = {100000, 1, 1},
                                              .block = {1024, 1, 1},
                                              .static_shared_bytes = 70000,
                                              .parameter_bytes = 40000,
                                              .registers_per_thread = 100,
                                              .cooperative = true})
                .size(),
            3u);
}
