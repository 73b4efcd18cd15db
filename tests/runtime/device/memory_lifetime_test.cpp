// Arrays may be destroyed while work on them is queued: their memory stays allocated until the work has run.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "tests/runtime/device/gate.h"
#include "tests/runtime/starts_programs.h"

namespace {

using runtime_test::close_at;
using runtime_test::gates;

constexpr std::size_t n = 100'000;

void fill(gs::thread t, gs::view<int> out, int value) {
  for (auto i : t.grid_stride(out.size())) out[i] = value;
}
void sum(gs::thread, gs::view<const int> in, gs::view<long> out) {
  out[0] = 0;
  for (std::size_t i = 0; i < in.size(); ++i) out[0] += in[i];
}

class memory_lifetime : public testing::Test {
 protected:
  memory_lifetime() { gs::select_device(gs::device_kind::engine); }
  gates gate;
};

TEST_F(memory_lifetime, memory_of_queued_work_is_not_reused) {
  gs::stream held;
  gs::device_array<long> result(1);
  std::optional<gs::device_array<int>> first(std::in_place, n);
  const int* const memory = first->data();
  close_at(held, 0);
  gs::launch<fill>({.grid = 4, .block = 32, .stream = held}, *first, 1);
  gs::launch<sum>({.stream = held}, *first, result);
  first.reset();

  std::vector<gs::device_array<int>> arrays;
  for (int i = 0; i < 4; ++i) {
    arrays.emplace_back(n);
    EXPECT_TRUE(arrays.back().data() + n <= memory || memory + n <= arrays.back().data());
    gs::launch<fill>({.grid = 4, .block = 32}, arrays.back(), 7);
  }
  gs::default_stream().synchronize();
  gate.open(0);
  EXPECT_EQ(result.copy_to_host()[0], static_cast<long>(n));
  for (const auto& array : arrays) EXPECT_EQ(array.copy_to_host(), std::vector<int>(n, 7));
}

TEST_F(memory_lifetime, memory_is_reused_once_the_work_has_run) {
  if (!gs::detail::memory_pool::keeps_by_default) GTEST_SKIP() << "the checked flavour gives no address twice";
  constexpr std::size_t own_size = 3'000'000;  // no other test leaves blocks of this size to the pool
  gs::stream held;
  const int* memory = nullptr;
  close_at(held, 0);
  {
    const gs::device_array<int> first(own_size);
    memory = first.data();
  }
  EXPECT_NE(gs::device_array<int>(own_size).data(), memory)
      << "the free memory must outlive what was queued at the time";
  gate.open(0);
  gs::synchronize();
  std::vector<gs::device_array<int>> arrays;
  for (int i = 0; i < 3; ++i) arrays.emplace_back(own_size);
  EXPECT_TRUE(std::ranges::any_of(arrays, [&](const auto& a) { return a.data() == memory; }));
}

TEST_F(memory_lifetime, memory_in_use_goes_back_to_what_it_was) {
  auto& pool = gs::detail::device_context::current().memory();
  const std::size_t bytes_before = pool.bytes_in_use();
  {
    const auto array = gs::to_device(std::vector<float>(n));
    const auto part = array.slice(5, 10);
    EXPECT_GE(pool.bytes_in_use(), bytes_before + n * sizeof(float));
  }
  EXPECT_EQ(pool.bytes_in_use(), bytes_before);
}

TEST_F(memory_lifetime, a_long_loop_of_temporary_arrays_runs_in_order) {
  gs::device_array<long> results(200);
  for (int i = 0; i < 200; ++i) {
    const gs::device_array<int> temporary(1000);
    gs::launch<fill>({.grid = 2, .block = 8}, temporary, i);
    gs::launch<sum>({}, temporary, results.slice(static_cast<std::size_t>(i), static_cast<std::size_t>(i) + 1));
  }
  const auto sums = results.copy_to_host();
  for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(sums[i], static_cast<long>(i) * 1000);
}

// Static arrays outlive main and are freed while the program ends.
void static_array_at_exit() {
  static gs::device_array<int> left(n);
  static gs::stream stream;
  gs::launch<fill>({.grid = 4, .stream = stream}, left, 3);
  std::exit(left.copy_to_host()[n - 1] == 3 ? 0 : 1);
}
// What is queued at the end still runs, and an error in it is reported.
void fail_at_exit(gs::thread) { throw std::runtime_error("nobody waited for this"); }
void print_at_exit(gs::thread) { std::fputs("the queued kernel has run\n", stderr); }

TEST_F(memory_lifetime, static_arrays_are_freed_at_exit) {
  SKIP_UNLESS_PROGRAMS_START();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(static_array_at_exit(), testing::ExitedWithCode(0), "");
}

TEST_F(memory_lifetime, queued_work_runs_before_the_program_ends) {
  SKIP_UNLESS_PROGRAMS_START();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto leave_at_once = [](auto start) {
    start();
    std::exit(0);
  };
  EXPECT_EXIT(leave_at_once([] { gs::launch<print_at_exit>({}); }), testing::ExitedWithCode(0),
              "the queued kernel has run");
  EXPECT_EXIT(leave_at_once([] { gs::launch<fail_at_exit>({}); }), testing::ExitedWithCode(0),
              "a kernel failed and nothing waited for it: nobody waited for this");
}

}  // namespace
