// The memory pool on a device of 64 MiB made for the test: reuse, limits, and memory that queued work still needs.

#include "runtime/device/memory_pool.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include "tests/runtime/refused.h"

namespace {

using runtime_test::refused;

constexpr std::size_t mib = std::size_t{1} << 20;

// Counts what it has given out; refuses to give more than it has.
class small_device final : public gs::detail::backend {
 public:
  small_device() {
    info_.name = "small device";
    info_.memory = 64 * mib;
  }
  // A pool keeps its device's memory to the end: a real device ends with the program, this one with its test.
  ~small_device() override {
    for (void* block : blocks_) std::free(block);
  }
  const gs::device_info& info() const override { return info_; }
  void* allocate(std::size_t bytes) override {
    bytes_given += bytes;
    most_given = std::max(most_given, bytes_given);
    ++allocations;
    return *blocks_.insert(std::malloc(bytes)).first;
  }
  void deallocate(void* memory, std::size_t bytes) override {
    bytes_given -= bytes;
    blocks_.erase(memory);
    std::free(memory);
  }
  void copy_to_device(void*, const void*, std::size_t) override {}
  void copy_to_host(void*, const void*, std::size_t) override {}
  void copy_within(void*, const void*, std::size_t) override {}
  std::shared_ptr<gs::detail::queue> make_queue() override { return nullptr; }
  std::size_t cooperative_threads(std::string_view) const override { return 0; }

  std::size_t bytes_given = 0, most_given = 0, allocations = 0;

 private:
  gs::device_info info_;
  std::set<void*> blocks_;
};

class test_fence final : public gs::detail::fence {
 public:
  bool done() override { return passed; }
  void wait() override { passed = true, ++waits; }
  double seconds_since(gs::detail::fence&) override { return 0; }
  bool passed = false;
  int waits = 0;
};

class memory_pool_test : public testing::Test {
 protected:
  small_device device;
  gs::detail::memory_pool pool{device, true};
};

TEST_F(memory_pool_test, freed_memory_is_reused) {
  void* first = pool.allocate(3 * mib);
  pool.release(first, {});
  void* second = pool.allocate(3 * mib);
  EXPECT_EQ(second, first);
  EXPECT_EQ(device.allocations, 1u);
  pool.release(second, {});
}

TEST_F(memory_pool_test, live_blocks_dont_overlap) {
  std::map<char*, std::size_t> blocks;
  for (std::size_t bytes : {1ul, 255ul, 256ul, 257ul, 5000ul, mib, 2 * mib, 2 * mib + 1, 5 * mib})
    blocks[static_cast<char*>(pool.allocate(bytes))] = bytes;
  char* end = nullptr;
  for (auto& [start, bytes] : blocks) {
    EXPECT_GE(start, end);
    end = start + bytes;
    EXPECT_TRUE(pool.owns(start));
    EXPECT_TRUE(pool.owns(end - 1));
  }
  const int elsewhere = 0;
  EXPECT_FALSE(pool.owns(&elsewhere));
  for (auto& [start, bytes] : blocks) pool.release(start, {});
  EXPECT_FALSE(pool.owns(blocks.begin()->first));
  EXPECT_EQ(pool.bytes_in_use(), 0u);
}

TEST_F(memory_pool_test, memory_that_queued_work_needs_is_not_reused) {
  const auto point = std::make_shared<test_fence>();
  void* first = pool.allocate(mib);
  pool.release(first, {point});
  void* second = pool.allocate(mib);
  EXPECT_NE(second, first);
  point->passed = true;
  void* third = pool.allocate(mib);
  EXPECT_EQ(third, first);
  EXPECT_EQ(point->waits, 0);
  pool.release(second, {});
  pool.release(third, {});
}

TEST_F(memory_pool_test, refuses_what_the_device_does_not_have) {
  EXPECT_TRUE(refused<gs::machine_error>(
      [&] { pool.allocate(100'000'000); },
      {"100.0 MB of memory on device small device", "it has 67.1 MB, of which 0.0 MB are in use", "smaller size"}));
  void* half = pool.allocate(40 * mib);
  EXPECT_TRUE(refused<gs::machine_error>([&] { pool.allocate(40 * mib); }, {"41.9 MB are in use"}));
  pool.release(half, {});
  void* reused = pool.allocate(60 * mib);
  EXPECT_NE(reused, nullptr) << "what was kept for reuse is given back when room is needed";
  pool.release(reused, {});
}

TEST_F(memory_pool_test, waits_for_queued_work_before_it_asks_for_more_than_there_is) {
  // A loop that queues work on a new array each time and drops the array: without a limit it would fill the machine.
  for (int i = 0; i < 50; ++i) pool.release(pool.allocate(10 * mib), {std::make_shared<test_fence>()});
  EXPECT_LE(device.most_given, 64 * mib);
}

TEST_F(memory_pool_test, keeps_a_quarter_of_the_memory_at_most) {
  std::vector<void*> blocks;
  for (int i = 0; i < 6; ++i) blocks.push_back(pool.allocate(10 * mib));
  for (void* block : blocks) pool.release(block, {});
  EXPECT_LE(device.bytes_given, 16 * mib);
}

}  // namespace
