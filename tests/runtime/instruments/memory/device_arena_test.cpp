// The addresses of device memory: what each belongs to, and how many there may be.

#include "runtime/instruments/memory/device_arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <source_location>

namespace {

using gs::instruments::allocation;
using gs::instruments::device_arena;
using gs::instruments::shadow;

std::uintptr_t address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

// A process may have 65,530 pieces of memory with different rights, unless the system is set up otherwise.
TEST(device_arena, has_room_for_many_small_blocks) {
  device_arena arena;
  std::uintptr_t first = 0;
  for (int i = 0; i < 80'000; ++i) {
    auto* memory = static_cast<int*>(arena.allocate(sizeof(int)));
    ASSERT_NE(memory, nullptr) << i;
    ASSERT_EQ(*memory, 0);
    *memory = i;
    if (i == 0) first = address_of(memory);
  }
  EXPECT_TRUE(arena.contains(first));
  EXPECT_EQ(*reinterpret_cast<int*>(first), 0);
}

TEST(device_arena, shadow_goes_with_the_memory) {
  device_arena arena;
  gs::instruments::site_table sites;
  void* memory = arena.allocate(4096);
  allocation& described = arena.describe(memory, 4096, std::source_location::current(), sites);
  described.cells = std::make_unique<shadow>(described.bytes);
  arena.deallocate(memory, 4096);
  EXPECT_EQ(described.cells, nullptr);
  EXPECT_EQ(arena.find(address_of(memory)), &described);
}

}  // namespace
