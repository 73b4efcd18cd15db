// reset_device: a fresh start, and what is refused after it.

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"

namespace reset_test {

using runtime_test::refused;

void increment(gs::thread, gs::view<int> counter) { ++counter[0]; }
void fail(gs::thread) { throw std::runtime_error("the kernel failed"); }

class reset_tests : public testing::Test {
 protected:
  reset_tests() { gs::select_device(gs::device_kind::engine); }
  static std::size_t bytes_in_use() { return gs::detail::device_context::current().memory().bytes_in_use(); }
};

TEST_F(reset_tests, frees_all_memory_and_goes_on) {
  auto earlier_array = gs::to_device(std::vector<int>(100'000, 1));
  const auto part = earlier_array.slice(10, 20);
  gs::reset_device();
  EXPECT_EQ(bytes_in_use(), 0u);
  for (const auto* lost : std::initializer_list<const gs::device_array<int>*>{&earlier_array, &part}) {
    EXPECT_TRUE(refused([&] { lost->copy_to_host(); }, {"its device has been reset", "make it anew"}));
    EXPECT_TRUE(refused([&] { gs::launch<increment>({}, *lost); }, {"its device has been reset"}));
  }
  auto counter = gs::to_device(std::vector<int>{0});
  earlier_array = std::move(counter);  // the old memory is given up without being freed a second time
  gs::launch<increment>({}, earlier_array);
  EXPECT_EQ(earlier_array.copy_to_host()[0], 1);
}

TEST_F(reset_tests, streams_of_before_are_refused_and_the_default_stream_goes_on) {
  gs::stream old;
  auto& default_before = gs::default_stream();
  gs::reset_device();
  auto counter = gs::to_device(std::vector<int>{0});
  EXPECT_TRUE(refused([&] { gs::launch<increment>({.stream = old}, counter); },
                      {"a stream: its device has been reset since it was made", "make a new one"}));
  EXPECT_TRUE(refused([&] { old.synchronize(); }, {"its device has been reset"}));
  gs::launch<increment>({}, counter);
  gs::launch<increment>({.stream = gs::default_stream()}, counter);
  gs::launch<increment>({.stream = default_before}, counter);
  const gs::stream fresh;
  gs::synchronize();
  gs::launch<increment>({.stream = fresh}, counter);
  EXPECT_EQ(counter.copy_to_host()[0], 4);
}

TEST_F(reset_tests, waits_for_what_is_queued_and_forgets_its_errors) {
  auto counter = gs::to_device(std::vector<int>{0});
  for (int i = 0; i < 100; ++i) gs::launch<increment>({}, counter);
  gs::launch<fail>({});
  EXPECT_NO_THROW(gs::reset_device());
  EXPECT_NO_THROW(gs::synchronize());
}

TEST_F(reset_tests, arrays_may_outlive_it) {
  {
    const gs::device_array<float> held(1000);
    gs::reset_device();
  }
  gs::reset_device();
  EXPECT_EQ(bytes_in_use(), 0u);
}

}  // namespace reset_test
