// What the system says of the machine.

#include "runtime/host/machine.h"

#include <gtest/gtest.h>

#include "runtime/device/device.h"

namespace machine_test {

TEST(machine, has_memory_of_which_a_part_is_free) {
  EXPECT_GT(gs::detail::usable_memory(), std::size_t{64} << 20);
  EXPECT_GT(gs::detail::free_memory(), 0u);
  EXPECT_LE(gs::detail::free_memory(), gs::detail::usable_memory());
}

TEST(machine, names_its_processor_without_what_stands_around) {
  const std::string name = gs::detail::processor_name();
  if (name.empty()) GTEST_SKIP() << "the system doesn't name it";
  EXPECT_EQ(name.find_first_of(":\t\n"), std::string::npos) << name;
  EXPECT_NE(name.front(), ' ');
  EXPECT_NE(gs::detail::device_context::of(gs::device_kind::engine).hardware().info().name.find(name),
            std::string::npos);
}

}  // namespace machine_test
