// racecheck between launches: streams, events, what the host waits for.

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

void fill(gs::thread t, gs::view<float> y) { y[t.grid()] = 1; }
void add_one(gs::thread t, gs::view<const float> x, gs::view<float> y) { y[t.grid()] = x[t.grid()] + 1; }

class verdict_stream : public testing::Test {
 protected:
  verdict_stream() {
    x = filled(64, 0.0f);
    y = filled(64, 0.0f);
    z = filled(64, 0.0f);
  }
  gs::stream first, second;
  gs::device_array<float> x, y, z;

  gs::launch_options on(const gs::stream& s) { return {.grid = 2, .block = 32, .stream = s}; }
};

TEST_F(verdict_stream, reads_what_another_stream_writes) {
  const auto code = [&] {
    gs::launch<fill>(on(first), x);
    gs::launch<add_one>(on(second), x, y);
  };
  EXPECT_TRUE(verdict(code, {{race_between_streams, "= x[t.grid()] + 1", "y[t.grid()] = 1", "x[0]", 64}}));
}

TEST_F(verdict_stream, writes_what_another_stream_reads) {
  const auto result = gs::inspect(
      [&] {
        gs::launch<add_one>(on(first), x, y);
        gs::launch<fill>(on(second), x);
      },
      all_instruments());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, race_between_streams);
  EXPECT_EQ(result.findings[0].count, 64u);
}

TEST_F(verdict_stream, both_write) {
  const auto code = [&] {
    gs::launch<fill>(on(first), x);
    gs::launch<fill>(on(second), x);
  };
  EXPECT_TRUE(verdict(code, {{race_between_streams, "y[t.grid()] = 1", "y[t.grid()] = 1", "x[0]", 64}}));
  EXPECT_TRUE(gs::inspect(code, all_instruments()).findings.at(0).same_value);
}

TEST_F(verdict_stream, both_read) {
  EXPECT_TRUE(clean([&] {
    gs::launch<add_one>(on(first), x, y);
    gs::launch<add_one>(on(second), x, z);
  }));
}

TEST_F(verdict_stream, one_stream) {
  EXPECT_TRUE(clean([&] {
    gs::launch<fill>(on(first), x);
    gs::launch<add_one>(on(first), x, y);
    gs::launch<add_one>(on(first), y, x);
  }));
}

TEST_F(verdict_stream, ordered_by_an_event) {
  EXPECT_TRUE(clean([&] {
    gs::event filled_x;
    gs::launch<fill>(on(first), x);
    filled_x.record(first);
    second.wait(filled_x);
    gs::launch<add_one>(on(second), x, y);
  }));
}

TEST_F(verdict_stream, an_event_that_is_recorded_too_early) {
  const auto code = [&] {
    gs::event nothing_yet;
    nothing_yet.record(first);
    gs::launch<fill>(on(first), x);
    second.wait(nothing_yet);
    gs::launch<add_one>(on(second), x, y);
  };
  EXPECT_TRUE(verdict(code, {{race_between_streams, "= x[t.grid()] + 1", "y[t.grid()] = 1", "x[0]", 64}}));
}

TEST_F(verdict_stream, ordered_by_two_events_in_a_row) {
  gs::stream third;
  EXPECT_TRUE(clean([&] {
    gs::event one, two;
    gs::launch<fill>(on(first), x);
    one.record(first);
    second.wait(one);
    gs::launch<add_one>(on(second), x, y);
    two.record(second);
    third.wait(two);
    gs::launch<add_one>(on(third), y, x);
  }));
}

TEST_F(verdict_stream, ordered_by_the_host) {
  EXPECT_TRUE(clean([&] {
    gs::launch<fill>(on(first), x);
    first.synchronize();
    gs::launch<add_one>(on(second), x, y);
    gs::synchronize();
    gs::launch<fill>(on(first), y);
    y.copy_to_host();
  }));
}

TEST_F(verdict_stream, ordered_by_asking) {
  EXPECT_TRUE(clean([&] {
    gs::event filled;
    gs::launch<fill>(on(first), x);
    filled.record(first);
    while (!filled.done()) std::this_thread::yield();
    gs::launch<add_one>(on(second), x, y);
    while (!second.idle()) std::this_thread::yield();
    gs::launch<fill>(on(first), y);
  }));
}

TEST_F(verdict_stream, the_host_waits_for_the_wrong_stream) {
  gs::stream third;
  const auto code = [&] {
    gs::launch<fill>(on(first), x);
    third.synchronize();
    gs::launch<add_one>(on(second), x, y);
  };
  EXPECT_TRUE(verdict(code, {{race_between_streams, "= x[t.grid()] + 1", "y[t.grid()] = 1", "x[0]", 64}}));
}

TEST_F(verdict_stream, halves_of_an_array) {
  EXPECT_TRUE(clean([&] {
    gs::launch<fill>({.grid = 1, .block = 32, .stream = first}, x.slice(0, 32));
    gs::launch<fill>({.grid = 1, .block = 32, .stream = second}, x.slice(32, 64));
  }));
  const auto code = [&] {
    gs::launch<fill>({.grid = 1, .block = 32, .stream = first}, x.slice(0, 32));
    gs::launch<fill>({.grid = 1, .block = 32, .stream = second}, x.slice(31, 63));
  };
  EXPECT_TRUE(verdict(code, {{race_between_streams, "y[t.grid()] = 1", "y[t.grid()] = 1", "x[0]"}}));
}

// --- copies in streams -----------------------------------------------------------------------------------------------

class verdict_stream_copy : public verdict_stream {
 protected:
  // Whether the only finding is a race of the copy in that line with the kernel. Which of them runs first is chance.
  static testing::AssertionResult race_of(const std::string& copy, unsigned line, const std::string& kernel,
                                          const gs::inspection& result) {
    if (result.findings.size() != 1 || result.findings[0].kind != race_between_streams)
      return testing::AssertionFailure() << result.findings.size() << " findings: " << text_of(result);
    const gs::finding& f = result.findings[0];
    const bool copy_first = f.other->kernel == copy;
    const gs::finding_access &of_copy = copy_first ? *f.other : f.access, &of_kernel = copy_first ? f.access : *f.other;
    if (of_copy.kernel == copy && of_copy.where.line == line && of_kernel.kernel.ends_with(kernel) && f.array == "x")
      return testing::AssertionSuccess();
    return testing::AssertionFailure() << text_of(result);
  }

  gs::pinned_array<float> values = gs::pinned_array<float>(64, 2.0f);
  unsigned line = 0;  // of the copy
};

TEST_F(verdict_stream_copy, to_what_another_stream_reads) {
  const auto result = gs::inspect(
      [&] {
        gs::launch<add_one>(on(first), x, y);
        x.copy_from_host(values, second), line = __LINE__;
      },
      all_instruments());
  EXPECT_TRUE(race_of("copy_from_host", line, "add_one", result));
  EXPECT_EQ(result.findings.at(0).count, 64u);
}

TEST_F(verdict_stream_copy, of_what_another_stream_writes) {
  const auto result = gs::inspect(
      [&] {
        x.copy_to_host(values, second), line = __LINE__;
        gs::launch<fill>(on(first), x);
      },
      all_instruments());
  EXPECT_TRUE(race_of("copy_to_host", line, "fill", result));
}

TEST_F(verdict_stream_copy, of_ordinary_memory_waits_for_its_own_stream_only) {
  std::vector<float> ordinary(64);
  const auto result = gs::inspect(
      [&] {
        gs::launch<fill>(on(first), x);
        x.copy_to_host(ordinary, second), line = __LINE__;
      },
      all_instruments());
  EXPECT_TRUE(race_of("copy_to_host", line, "fill", result));
  EXPECT_TRUE(clean([&] {
    gs::launch<fill>(on(first), x);
    x.copy_to_host(ordinary, first);
    gs::launch<add_one>(on(second), x, y);  // the host has waited for the first stream
  }));
}

TEST_F(verdict_stream_copy, ordered_by_the_stream_or_an_event) {
  EXPECT_TRUE(clean([&] {
    x.copy_from_host(values, first);
    gs::launch<add_one>(on(first), x, y);
    y.copy_to_host(values, first);
  }));
  EXPECT_TRUE(clean([&] {
    gs::event there;
    x.copy_from_host(values, first);
    there.record(first);
    second.wait(there);
    gs::launch<add_one>(on(second), x, y);
  }));
}

TEST_F(verdict_stream_copy, both_of_them_in_pieces) {
  EXPECT_TRUE(clean([&] {
    x.slice(0, 32).copy_from_host(std::span(values).subspan(0, 32), first);
    x.slice(32, 64).copy_from_host(std::span(values).subspan(32, 32), second);
  }));
  const auto result = gs::inspect(
      [&] {
        x.slice(0, 32).copy_from_host(std::span(values).subspan(0, 32), first);
        x.slice(31, 63).copy_from_host(std::span(values).subspan(0, 32), second);
      },
      all_instruments());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, race_between_streams);
  EXPECT_EQ(result.findings[0].count, 1u);
}

TEST_F(verdict_stream_copy, of_what_nothing_has_written) {
  const auto code = [&] {
    const gs::device_array<float> empty(64);
    empty.copy_to_host(values, first);
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "empty.copy_to_host(values, first)", "", "empty", 0}}));
}

TEST_F(verdict_stream_copy, is_a_write) {
  EXPECT_TRUE(clean([&] {
    gs::device_array<float> new_array(64);
    new_array.copy_from_host(values, first);
    gs::launch<add_one>(on(first), new_array, y);
  }));
}

TEST_F(verdict_stream_copy, that_managed_arrays_do_without) {
  EXPECT_TRUE(clean([&] {
    const gs::managed_array<float> both(64);
    std::ranges::fill(both.on_host(), 1.0f);
    gs::launch<add_one>(on(first), both, both);
    float sum = 0;
    for (const float v : both.on_host()) sum += v;
    EXPECT_EQ(sum, 128);
  }));
  const gs::managed_array<float> both(64);
  EXPECT_TRUE(clean([&] { both.on_host()[3] = 1; })) << "made before the inspection";
  const auto result = gs::inspect(
      [&] {
        gs::launch<fill>(on(first), both);
        gs::launch<add_one>(on(second), both, y);
      },
      all_instruments());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, race_between_streams);
  EXPECT_EQ(result.findings[0].array, "both");
}

}  // namespace
