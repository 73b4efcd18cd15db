// Block style: on a GPU, code outside block.each is executed by every thread of the block.

#include <gtest/gtest.h>

#include <string>

#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

struct row {
  gs::tile<int, 32> a;
};

void write_outside(gs::block<32> block, gs::view<int> x) {
  block.each([&](auto t) { x[t.grid_x()] = 1; });
  x[block.block_rank() * 32] = 2;  // outside
}
void update_outside(gs::block<32> block, gs::view<int> x) { x[block.block_rank()] += 2; }
void count_outside(gs::block<32> block, gs::view<int> x) {
  gs::atomic_ref(x[block.block_rank()]).fetch_add(1);  // counted
}
void shared_outside(gs::block<32> block, gs::shared<row> s, gs::view<int> x) {
  s->a[3] = 7;  // shared
  block.each([&](auto t) { x[t.grid_x()] = static_cast<int>(t.x); });
}
void write_alone(gs::block<1> block, gs::view<int> x) { x[block.block_rank()] = 2; }
TEST(verdict_each, what_is_written_outside) {
  const auto x = filled(64, 0);
  EXPECT_TRUE(
      verdict([&] { gs::launch<write_outside>({.grid = 2}, x); }, {{outside_each, "// outside", "", "x[0]", 2}}));
  EXPECT_TRUE(verdict([&] { gs::launch<update_outside>({.grid = 2}, x); },
                      {{outside_each, "x[block.block_rank()] += 2", "", "x[0]", 2}}));
  EXPECT_TRUE(
      verdict([&] { gs::launch<count_outside>({.grid = 2}, x); }, {{outside_each, "// counted", "", "x[0]", 2}}));
  EXPECT_TRUE(
      verdict([&] { gs::launch<shared_outside>({.grid = 2}, x); }, {{outside_each, "// shared", "", "[3]", 2}}));
  EXPECT_TRUE(clean([&] { gs::launch<write_alone>({.grid = 2}, x); })) << "there is no other thread";
  const auto result = gs::inspect([&] { gs::launch<write_outside>({.grid = 2}, x); }, all_instruments());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].meaning,
            "Block 0 writes x[0] outside of block.each: on a GPU each of its threads does.");
}

void read_what_the_next_writes(gs::block<32> block, gs::shared<row> s, unsigned written, gs::view<int> x) {
  block.each([&](auto t) { s->a[t.x] = static_cast<int>(t.x); });
  const int first = s->a[written];                  // read by all
  block.each([&](auto t) { s->a[t.x] += first; });  // written by each
  block.each([&](auto t) { x[t.grid_x()] = s->a[t.x]; });
}
void read_before_a_barrier(gs::block<32> block, gs::shared<row> s, gs::view<int> x) {
  block.each([&](auto t) { s->a[t.x] = static_cast<int>(t.x); });
  const int first = s->a[0];
  block.each([&](auto t) { x[t.grid_x()] = first + s->a[t.x]; });
  block.each([&](auto t) { s->a[t.x] = 2 * first; });
  block.each([&](auto t) { x[t.grid_x()] += s->a[31 - t.x]; });
}
void read_parameters(gs::block<32> block, gs::view<const int> ends, gs::view<int> x) {
  const int begin = ends[block.block_rank()], end = ends[block.block_rank() + 1];
  gs::per_thread sum(block, 0);
  block.each_of(static_cast<std::size_t>(end - begin),
                [&](std::size_t i) { x[static_cast<std::size_t>(begin) + i] = 1; });
  block.each([&](auto t) { sum[t] += begin; });
  block.each([&](auto t) { x[t.grid_x()] += sum[t]; });
}
TEST(verdict_each, what_is_read_outside) {
  const auto x = filled(64, 0), ends = gs::to_device(std::vector<int>{0, 32, 64});
  for (unsigned written : {0u, 7u, 31u})  // by the thread that stands for the block, another one, and the last
    EXPECT_TRUE(
        verdict([&] { gs::launch<read_what_the_next_writes>({.grid = 2}, written, x); },
                {{race_in_block, "// written by each", "// read by all", "[" + std::to_string(written) + "]", 2}}))
        << written;
  EXPECT_TRUE(clean([&] { gs::launch<read_before_a_barrier>({.grid = 2}, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<read_parameters>({.grid = 2}, ends, x); }));
}

}  // namespace
