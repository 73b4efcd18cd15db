// A compiler's two streams and its exit status reach the type inspector.

#include "runtime/inspect/run_compiler.h"

#include <gtest/gtest.h>

#include "runtime/core/error.h"

TEST(run_compiler, keeps_both_streams_and_the_status) {
  const auto output = gs::inspecting::run_compiler({"sh", "-c", "echo one; echo two >&2; exit 3"}, "/");
  EXPECT_EQ(output.status, 3);
  EXPECT_EQ(output.standard_output, "one\n");
  EXPECT_EQ(output.standard_error, "two\n");
  EXPECT_EQ(gs::inspecting::run_compiler({"sh", "-c", "kill -9 $$"}, "/").status, 128 + 9);
  EXPECT_THROW(gs::inspecting::run_compiler({"true"}, "/no/such/folder"), gs::machine_error);
}
