// racecheck between queued work and code of the host, which has to wait for it.

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;

void fill(gs::thread t, gs::view<float> y) { y[t.grid()] = 1; }

class verdict_host : public testing::Test {
 protected:
  // The race of the host's access in this line with the work in that one, and no other finding.
  static testing::AssertionResult race_of(unsigned host, gs::access_kind kind, unsigned work, const char* array,
                                          const gs::inspection& result) {
    if (result.findings.size() != 1 || result.findings[0].kind != gs::finding_kind::race_with_host)
      return testing::AssertionFailure() << result.findings.size() << " findings: " << text_of(result);
    const gs::finding& f = result.findings[0];
    if (f.access.where.line == host && f.access.kind == kind && f.other->where.line == work && f.array == array)
      return testing::AssertionSuccess();
    return testing::AssertionFailure() << text_of(result) << " with line " << f.other->where.line << " of " << f.array;
  }

  gs::stream work;
  unsigned line = 0;
  float sum = 0;
};

TEST_F(verdict_host, reads_what_a_kernel_may_still_write) {
  const auto result = gs::inspect(
      [&] {
        const gs::managed_array<float> both(64);
        const std::span<float> elements = both.on_host();
        gs::launch<fill>({.grid = 2, .block = 32, .stream = work}, both), line = __LINE__;
        sum += elements[3];
      },
      all_instruments());
  EXPECT_TRUE(race_of(line + 1, gs::access_kind::read, line, "both", result));
}

TEST_F(verdict_host, asks_for_the_elements_again) {
  EXPECT_TRUE(clean([&] {
    const gs::managed_array<float> both(64);
    std::ranges::fill(both.on_host(), 2.0f);
    gs::launch<fill>({.grid = 2, .block = 32, .stream = work}, both);
    for (const float v : both.on_host()) sum += v;
  }));
}

// Of pinned arrays only the line is known.
TEST_F(verdict_host, uses_pinned_memory_that_a_copy_may_still_use) {
  gs::device_array<float> x = filled(64, 1.0f);
  gs::pinned_array<float> values(64, 2.0f);
  const auto written = gs::inspect(
      [&] {
        x.copy_to_host(values, work), line = __LINE__;
        sum += values[63];
      },
      all_instruments());
  EXPECT_TRUE(race_of(line + 1, gs::access_kind::read, line, "", written));
  const auto read = gs::inspect(
      [&] {
        x.copy_from_host(values, work), line = __LINE__;
        values[0] = 3;
      },
      all_instruments());
  EXPECT_TRUE(race_of(line + 1, gs::access_kind::write, line, "", read));
}

TEST_F(verdict_host, only_reads_what_a_copy_reads) {
  gs::device_array<float> x = filled(64, 1.0f);
  gs::pinned_array<float> values(64, 2.0f);
  EXPECT_TRUE(clean([&] {
    x.copy_from_host(values, work);
    sum += values[0];
  }));
}

TEST_F(verdict_host, waits_before) {
  gs::device_array<float> x = filled(64, 1.0f);
  gs::pinned_array<float> values(64, 2.0f);
  EXPECT_TRUE(clean([&] {
    gs::event copied;
    x.copy_to_host(values, work);
    copied.record(work);
    copied.synchronize();
    sum += values[0];
    x.copy_to_host(values, work);
    while (!work.idle()) {
    }
    values[0] = sum;
    x.copy_from_host(values, work);
    gs::synchronize();
    values[0] = sum;
  }));
}

TEST_F(verdict_host, uses_the_other_half) {
  gs::device_array<float> x = filled(64, 1.0f);
  gs::pinned_array<float> values(64, 2.0f);
  EXPECT_TRUE(clean([&] {
    x.slice(0, 32).copy_to_host(std::span(values).subspan(0, 32), work);
    for (std::size_t i = 32; i < 64; ++i) sum += values[i];
  }));
}

}  // namespace
