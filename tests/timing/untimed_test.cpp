// untimed_scope: statements are executed once and no time is given.

#include "runtime/timing/untimed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/core/error.h"
#include "runtime/device/stream.h"
#include "runtime/timing/timeit.h"

namespace {

TEST(untimed_scope, executes_a_statement_once) {
  int executions = 0;
  const auto count = [&] { ++executions; };
  EXPECT_FALSE(gs::detail::untimed());
  {
    const gs::detail::untimed_scope outer;
    EXPECT_TRUE(gs::detail::untimed());
    {
      const gs::detail::untimed_scope inner;
    }
    EXPECT_TRUE(gs::detail::untimed());
    const gs::timing t = gs::timeit(count, {.runs = 3, .loops = 11});
    EXPECT_EQ(executions, 1);
    EXPECT_EQ(t.loops, 1u);
    ASSERT_EQ(t.run_seconds.size(), 1u);
    for (const double seconds : {t.mean(), t.best(), t.worst(), t.standard_deviation()})
      EXPECT_TRUE(std::isnan(seconds));
    EXPECT_EQ(gs::to_string(t), "not timed");
    EXPECT_THROW(gs::timeit(count, {.runs = 0}), gs::error);
    EXPECT_EQ(executions, 1);
  }
  EXPECT_FALSE(gs::detail::untimed());
  gs::timeit(count, {.runs = 3, .loops = 11});
  EXPECT_EQ(executions, 34);
}

TEST(untimed_scope, covers_events) {
  gs::event start, stop;
  start.record();
  stop.record();
  stop.synchronize();
  const gs::detail::untimed_scope untimed;
  EXPECT_TRUE(std::isnan(gs::seconds_between(start, stop)));
  EXPECT_THROW(gs::seconds_between(start, gs::event()), gs::error);
}

}  // namespace
