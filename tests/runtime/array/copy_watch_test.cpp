// A watcher of copies sees each of them, and may replace what goes to the device.

#include "runtime/array/copy_watch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/gs.h"

namespace copy_watch_test {

struct recorder final : gs::detail::copy_watch {
  const void* goes_to_device(const void* device, const void* from, std::size_t bytes) override {
    log += "in " + std::to_string(bytes) + "; ";
    last_device = device;
    return from == exchanged_for ? instead : from;
  }
  void came_to_host(const void* to, const void* device, std::size_t bytes) override {
    log += "out " + std::to_string(bytes) + "; ";
    EXPECT_EQ(device, last_device);
    EXPECT_EQ(*static_cast<const float*>(to), 7);
  }
  std::string log;
  const void *exchanged_for = nullptr, *instead = nullptr, *last_device = nullptr;
};

TEST(copy_watch, sees_each_copy_and_may_exchange_it) {
  const std::vector<float> mine{1, 2, 3}, other{7, 8, 9};
  recorder watch;
  watch.exchanged_for = mine.data();
  watch.instead = other.data();
  EXPECT_EQ(gs::detail::watch_copies_by(&watch), nullptr);
  const auto x = gs::to_device(mine);
  EXPECT_EQ(x.copy_to_host(), other);
  gs::to_device(std::vector<float>{});
  EXPECT_EQ(gs::detail::watch_copies_by(nullptr), &watch);
  EXPECT_EQ(gs::to_device(mine).copy_to_host(), mine) << "nobody watches any more";
  EXPECT_EQ(watch.log, "in 12; out 12; ");
}

}  // namespace copy_watch_test
