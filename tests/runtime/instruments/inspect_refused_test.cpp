// The plain flavour observes nothing, and says so.

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"
#include "tests/runtime/refused.h"

namespace {

GS_FN void doubled(gs::thread t, gs::view<float> x) { x[t.grid()] *= 2; }

TEST(InspectRefused, InThePlainFlavour) {
  if (gs::can_inspect()) GTEST_SKIP() << "this is the checked flavour";
  bool called = false;
  EXPECT_TRUE(runtime_test::refused([&] { gs::inspect([&] { called = true; }); },
                                    {"gs::inspect", "plain flavour", "GRIDSTRIDE_CHECKED=1"}));
  EXPECT_FALSE(called);
}

TEST(InspectRefused, UnlessNothingIsAskedFor) {
  if (gs::can_inspect()) GTEST_SKIP() << "this is the checked flavour";
  const gs::inspect_options none{.instruments = 0, .counters = false};
  const gs::inspection seen = gs::inspect([] { throw std::runtime_error("so"); }, none);
  ASSERT_TRUE(seen.failure);
  EXPECT_THROW(std::rethrow_exception(seen.failure), std::runtime_error);
  const auto x = gs::to_device(std::vector<float>{1, 2});
  EXPECT_TRUE(gs::inspect([&] { gs::launch<doubled>({.grid = 1, .block = 2}, x); }, none).clean());
  EXPECT_EQ(x.copy_to_host(), (std::vector<float>{2, 4}));
  for (const gs::inspect_options& some : {gs::inspect_options{.instruments = 1, .counters = false},
                                          gs::inspect_options{.instruments = 0, .counters = true}})
    EXPECT_TRUE(runtime_test::refused([&] { gs::inspect([] {}, some); }, {"gs::inspect", "plain flavour"}));
}

}  // namespace
