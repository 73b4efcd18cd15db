// What the pieces of a loop of the host share.

#include "runtime/instruments/host_loop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/host/cores.h"

namespace {

using gs::host_loops, gs::observe_host_loops, gs::shared_variable;

template <class Body>
host_loops observed(std::size_t n, Body body, std::size_t grain = 1) {
  return observe_host_loops([&] {
    gs::for_pieces(n, grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) body(k);
    });
  });
}

TEST(host_loops, of_pieces_that_keep_to_themselves_share_nothing) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 1009}) {
    std::vector<double> x(n, 1.5), y(n);
    const host_loops loops = observed(n, [&](std::size_t k) {
      double here[4] = {x[k], 2, 3, 4};  // the piece's own
      for (double& one : here) one *= 2;
      y[k] += here[0] + here[3];
    });
    EXPECT_EQ(loops.pieces, n);
    EXPECT_TRUE(loops.shared.empty()) << n;
    EXPECT_EQ(std::accumulate(y.begin(), y.end(), 0.0), 11.0 * static_cast<double>(n));
  }
}

// The line of the piece that comes second, and its kind.
void expect_shared(const host_loops& loops, unsigned line, bool atomic = false) {
  ASSERT_EQ(loops.shared.size(), 1u);
  const shared_variable& variable = loops.shared[0];
  EXPECT_EQ(variable.first, 0u);
  EXPECT_EQ(variable.second, 1u);
  EXPECT_EQ(variable.atomic, atomic);
  EXPECT_EQ(variable.where.line, line) << gs::to_string(variable.where);
  EXPECT_NE(variable.where.file.find("host_loop_test.cpp"), std::string::npos) << variable.where.file;
}

TEST(host_loops, of_one_sum_share_it) {
  long sum = 0;
  expect_shared(observed(5, [&](std::size_t k) { sum += static_cast<long>(k); }), __LINE__);
  EXPECT_EQ(sum, 10);
}

TEST(host_loops, of_one_sum_behind_a_lock_share_it) {
  long sum = 0;
  std::mutex lock;
  expect_shared(observed(5,
                         [&](std::size_t k) {
                           const std::lock_guard one(lock);
                           sum += static_cast<long>(k);
                         }),
                __LINE__ - 2);
}

TEST(host_loops, of_an_atomic_sum_share_it_by_atomics) {
  std::atomic<long> sum{0};
  expect_shared(observed(5, [&](std::size_t k) { sum += static_cast<long>(k); }), __LINE__, true);
}

TEST(host_loops, that_read_what_the_piece_before_has_written_share_it) {
  std::vector<long> x(6);
  expect_shared(observed(5, [&](std::size_t k) { x[k + 1] = x[k] + 1; }), __LINE__);
}

TEST(host_loops, that_write_what_the_piece_before_has_read_share_it) {
  std::vector<long> x(6);
  expect_shared(observed(5, [&](std::size_t k) { x[k] = x[k + 1] + 1; }), __LINE__);
}

TEST(host_loops, that_share_bits_of_a_byte_share_it) {
  std::vector<bool> x(6);
  EXPECT_FALSE(observed(5, [&](std::size_t k) { x[k] = true; }).shared.empty());
}

TEST(host_loops, share_nothing_within_a_grain) {
  long sum[2] = {0, 0};
  const auto add = [&](std::size_t k) { sum[k / 4] += 1; };
  EXPECT_TRUE(observed(8, add, 4).shared.empty());
  EXPECT_EQ(observed(8, add, 4).pieces, 2u);
  EXPECT_FALSE(observed(8, add, 2).shared.empty());
}

TEST(host_loops, leave_a_piece_out) {
  std::vector<int> x(7);
  const host_loops loops = observe_host_loops(
      [&] {
        gs::for_pieces(x.size(), 1, [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) x[k] = 1;
        });
      },
      3);
  EXPECT_EQ(loops.pieces, 7u);
  EXPECT_EQ(x, (std::vector<int>{1, 1, 1, 0, 1, 1, 1}));
}

TEST(host_loops, one_after_the_other_share_what_they_like) {
  long sum = 0;
  const host_loops loops = observe_host_loops([&] {
    for (int k = 0; k < 3; ++k) gs::for_pieces(1, 1, [&](std::size_t, std::size_t) { ++sum; });
  });
  EXPECT_EQ(loops.pieces, 3u);
  EXPECT_TRUE(loops.shared.empty());
}

TEST(host_loops, let_an_exception_out_and_observe_no_longer) {
  EXPECT_THROW(observed(3, [](std::size_t) { throw 1; }), int);
  std::atomic<int> count{0};
  gs::for_pieces(100, 1, [&](std::size_t begin, std::size_t end) { count += static_cast<int>(end - begin); });
  EXPECT_EQ(count, 100);
}

}  // namespace
