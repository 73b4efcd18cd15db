// The plain flavour observes nothing, and says so.

#include <gtest/gtest.h>

#include <stdexcept>

#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"
#include "tests/runtime/refused.h"

namespace {

TEST(inspect_refused, in_the_plain_flavour) {
  if (gs::can_inspect()) GTEST_SKIP() << "this is the checked flavour";
  bool called = false;
  EXPECT_TRUE(runtime_test::refused([&] { gs::inspect([&] { called = true; }); },
                                    {"gs::inspect", "plain flavour", "GRIDSTRIDE_CHECKED=1"}));
  EXPECT_FALSE(called);
}

TEST(inspect_refused, unless_nothing_is_asked_for) {
  if (gs::can_inspect()) GTEST_SKIP() << "this is the checked flavour";
  const gs::inspect_options none{.instruments = 0, .counters = false};
  const gs::inspection seen = gs::inspect([] { throw std::runtime_error("so"); }, none);
  ASSERT_TRUE(seen.failure);
  EXPECT_THROW(std::rethrow_exception(seen.failure), std::runtime_error);
  bool called = false;
  EXPECT_TRUE(gs::inspect([&] { called = true; }, none).clean());
  EXPECT_TRUE(called);
  for (const gs::inspect_options& some : {gs::inspect_options{.instruments = 1, .counters = false},
                                          gs::inspect_options{.instruments = 0, .counters = true}})
    EXPECT_TRUE(runtime_test::refused([&] { gs::inspect([] {}, some); }, {"gs::inspect", "plain flavour"}));
}

}  // namespace
