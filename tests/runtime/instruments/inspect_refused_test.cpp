// The plain flavour observes nothing, and says so.

#include <gtest/gtest.h>

#include <stdexcept>

#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"
#include "tests/runtime/refused.h"

namespace {

TEST(inspect_refused, in_the_plain_flavour) {
  if (gs::can_inspect()) GTEST_SKIP() << "this is the checked flavour";
  bool was_called = false;
  EXPECT_TRUE(runtime_test::refused([&] { gs::inspect([&] { was_called = true; }); },
                                    {"gs::inspect", "plain flavour", "GRIDSTRIDE_CHECKED=1"}));
  EXPECT_FALSE(was_called);
}

TEST(inspect_refused, unless_nothing_is_asked_for) {
  if (gs::can_inspect()) GTEST_SKIP() << "this is the checked flavour";
  const gs::inspect_options no_instruments{.instruments = 0, .counters = false};
  const gs::inspection inspection = gs::inspect([] { throw std::runtime_error("so"); }, no_instruments);
  ASSERT_TRUE(inspection.failure);
  EXPECT_THROW(std::rethrow_exception(inspection.failure), std::runtime_error);
  bool was_called = false;
  EXPECT_TRUE(gs::inspect([&] { was_called = true; }, no_instruments).clean());
  EXPECT_TRUE(was_called);
  for (const gs::inspect_options& options : {gs::inspect_options{.instruments = 1, .counters = false},
                                             gs::inspect_options{.instruments = 0, .counters = true}})
    EXPECT_TRUE(runtime_test::refused([&] { gs::inspect([] {}, options); }, {"gs::inspect", "plain flavour"}));
}

}  // namespace
