// The plain flavour observes nothing, and says so.

#include <gtest/gtest.h>

#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"
#include "tests/runtime/refused.h"

namespace {

TEST(InspectRefused, InThePlainFlavour) {
  if (gs::can_inspect()) GTEST_SKIP() << "this is the checked flavour";
  bool called = false;
  EXPECT_TRUE(runtime_test::refused([&] { gs::inspect([&] { called = true; }); },
                                    {"gs::inspect", "plain flavour", "GRIDSTRIDE_CHECKED=1"}));
  EXPECT_FALSE(called);
}

}  // namespace
