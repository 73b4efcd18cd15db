// What belongs to one device is refused on another. Where there is only the engine, stand-ins belong to the GPU.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"

namespace two_devices_test {

using runtime_test::refused;

class two_devices : public testing::Test {
 protected:
  two_devices() { gs::select_device(gs::device_kind::engine); }
  ~two_devices() override { gs::select_device(gs::device_kind::engine); }
};

class gpu_fence final : public gs::detail::fence {
 public:
  bool done() override { return true; }
  void wait() override {}
  double seconds_since(gs::detail::fence&) override { return 0; }
};

TEST_F(two_devices, memory_of_another_is_refused) {
  const gs::detail::device_memory foreign(gs::device_kind::cuda, nullptr, 0);
  EXPECT_TRUE(refused([&] { gs::detail::check_usable(&foreign); },
                      {"a device array on the current device, engine", "it lives on another one, cuda",
                       "copy it to the host, select_device, and copy it to the device again"}));
}

TEST_F(two_devices, events_of_another_are_refused) {
  gs::detail::queue& work = gs::default_stream().work();
  const auto foreign = std::make_shared<gpu_fence>();
  EXPECT_TRUE(refused([&] { work.wait_for(foreign); },
                      {"a stream of the engine", "an event of another device", "on a stream of the same device"}));
  EXPECT_TRUE(refused([&] { work.mark()->seconds_since(*foreign); },
                      {"the time between two events", "events of different devices", "on streams of one device"}));
  EXPECT_NO_THROW(gs::synchronize());
}

void increment(gs::thread, gs::view<int> counter) { ++counter[0]; }

TEST_F(two_devices, arrays_and_streams_are_their_devices) {
  if (!gs::why_no_cuda().empty()) GTEST_SKIP() << gs::why_no_cuda();
  const auto on_first = gs::to_device(std::vector<int>{0});
  const gs::stream of_the_engine;
  gs::select_device(gs::device_kind::cuda);
  const auto on_second = gs::to_device(std::vector<int>{0});
  gs::stream of_the_gpu;
  EXPECT_TRUE(refused([&] { on_first.copy_to_host(); }, {"the current device, cuda", "another one, engine"}));
  gs::select_device(gs::device_kind::engine);
  EXPECT_TRUE(
      refused([&] { gs::launch<increment>({}, on_second); }, {"the current device, engine", "another one, cuda"}));
  EXPECT_TRUE(refused([&] { gs::launch<increment>({.stream = of_the_gpu}, on_first); },
                      {"a launch on the current device, engine", "the stream belongs to another one, cuda",
                       "make a stream after select_device"}));
  gs::launch<increment>({.stream = of_the_engine}, on_first);
  EXPECT_EQ(on_first.copy_to_host()[0], 1);
}

}  // namespace two_devices_test
