// What a pointer inside a struct leads a kernel to.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"

namespace {

struct source {
  const float* values;
};
struct destination {
  float* values;
};
struct hidden_view {
  gs::view<const float> values;
};

void read_by_pointer(gs::thread t, source from, gs::view<float> y) { y[t.grid()] = from.values[t.grid()]; }
constexpr unsigned line_of_read = __LINE__ - 1;

void write_by_pointer(gs::thread t, destination to) { to.values[t.grid()] = 1; }
constexpr unsigned line_of_write = __LINE__ - 1;

void write_after_a_barrier(gs::thread t, destination to) {
  t.sync();
  to.values[t.grid()] = 1;
}

void read_hidden_view(gs::thread t, hidden_view from, gs::view<float> y) {
  const gs::view<const float> values = from.values;
  y[t.grid()] = values[t.grid()];
}
constexpr unsigned line_of_hidden = __LINE__ - 2;

constexpr float table[] = {1, 2, 3, 4};
struct partial_sums {
  gs::tile<float, 64> of_thread;
};

// Everything a thread may use: its own arrays before and after a barrier, constants, shared memory, its parameters.
void use_what_is_ours(gs::thread t, gs::shared<partial_sums> s, gs::constant_array<float, 3> factors,
                      gs::view<float> y) {
  gs::local_array<float, 33> mine;
  for (unsigned i = 0; i < 33; ++i) mine[i] = table[(i + t.thread_rank()) % 4];
  s->of_thread[t.thread_rank()] = mine[t.thread_rank() % 33];
  t.sync();
  float sum = 0;
  for (unsigned i = 0; i < 33; ++i) sum += mine[i] * factors[i % 3];
  const float of_neighbour = t.shuffle_down(sum, 1);
  const float* parts[] = {&sum, &of_neighbour};
  y[t.grid()] = *parts[t.lane() % 2] + s->of_thread[63 - t.thread_rank()];
}
void use_what_is_ours_in_blocks(gs::block<64> block, gs::constant_array<float, 3> factors, gs::view<float> y) {
  gs::per_thread sum(block, 0.0f);
  block.each([&](auto t) { sum[t] += factors[t.x % 3]; });
  block.each([&](auto t) { y[t.grid_x()] = sum[t] + table[t.x % 4]; });
}
void sum_over_the_grid(gs::thread t, gs::view<float> y) {
  gs::local_array<float, 4> mine;
  for (unsigned i = 0; i < 4; ++i) mine[i] = static_cast<float>(i);
  t.grid_sync();
  y[t.grid()] = mine[t.grid() % 4];
}
void fail_in_a_thread(gs::thread t, gs::view<float> y) {
  if (t.grid() == 33) throw gs::error("a thread", "it fails", "nothing");
  y[t.grid()] = 1;
}
void fail_in_every_thread(gs::thread t, gs::view<float> y) {
  if (y.size() > 1) throw gs::error("each thread of a kernel", "it fails", "nothing that would help it");
  y[t.grid()] = 1;
}
void read_and_fail_behind_a_barrier(gs::thread t, source from, gs::view<float> y) {
  y[t.grid()] = from.values[t.grid()];
  t.sync();
  if (t.grid() == 33) throw gs::error("a thread", "it fails", "nothing");
}

class host_memory_test : public testing::Test {
 protected:
  host_memory_test() { gs::select_device(gs::device_kind::engine); }

  template <class Launch>
  static gs::inspection inspected(const Launch& launch) {
    gs::inspect_options options;
    options.instruments.reset(static_cast<std::size_t>(gs::instrument::leakcheck));
    return gs::inspect(launch, options);
  }
  // The only finding of an inspection.
  template <class Launch>
  static gs::finding finding_in(const Launch& launch) {
    const gs::inspection inspection = inspected(launch);
    EXPECT_EQ(inspection.findings.size(), 1u);
    EXPECT_FALSE(inspection.failure);
    return inspection.findings.empty() ? gs::finding{} : inspection.findings[0];
  }
  static void expect(const gs::finding& f, gs::finding_kind kind, gs::access_kind access, unsigned line,
                     std::uint64_t count) {
    EXPECT_EQ(f.kind, kind) << f.meaning;
    EXPECT_EQ(f.access.kind, access);
    EXPECT_NE(f.access.where.file.find("memcheck_host_test.cpp"), std::string::npos) << f.access.where.file;
    EXPECT_EQ(f.access.where.line, line);
    EXPECT_EQ(f.count, count);
  }

  std::vector<float> host = std::vector<float>(64, 3.0f);
  gs::device_array<float> x = gs::to_device(host), y = gs::to_device(host);
  gs::launch_options two_blocks{.grid = 2, .block = 32};
};

TEST_F(host_memory_test, read_by_a_pointer) {
  const gs::finding f = finding_in([&] { gs::launch<read_by_pointer>(two_blocks, source{host.data()}, y); });
  expect(f, gs::finding_kind::host_memory, gs::access_kind::read, line_of_read, 64);
  EXPECT_EQ(f.access.kernel, "{anonymous}::read_by_pointer");
  EXPECT_EQ(f.meaning, "Thread 0 of block 0 reads the host's memory: a GPU can't reach it.");
}

TEST_F(host_memory_test, a_null_pointer_ends_its_block_alone) {
  const gs::finding f = finding_in([&] { gs::launch<read_by_pointer>(two_blocks, source{nullptr}, y); });
  expect(f, gs::finding_kind::outside_shape, gs::access_kind::read, line_of_read, 2);
  EXPECT_NE(f.meaning.find("belongs to no array"), std::string::npos) << f.meaning;
  EXPECT_EQ(y.copy_to_host(), host) << "no thread has written";
  // The device goes on, also after a thread that had been waiting.
  finding_in([&] { gs::launch<write_after_a_barrier>(two_blocks, destination{nullptr}); });
  EXPECT_TRUE(inspected([&] {
                gs::launch<use_what_is_ours_in_blocks>({.grid = 1}, gs::constant_array<float, 3>{}, y);
              }).clean());
}

TEST_F(host_memory_test, of_the_stack) {
  float on_the_stack[64] = {};
  expect(finding_in([&] { gs::launch<read_by_pointer>(two_blocks, source{on_the_stack}, y); }),
         gs::finding_kind::host_memory, gs::access_kind::read, line_of_read, 64);
}

TEST_F(host_memory_test, written_by_a_pointer) {
  expect(finding_in([&] { gs::launch<write_by_pointer>(two_blocks, destination{host.data()}); }),
         gs::finding_kind::host_memory, gs::access_kind::write, line_of_write, 64);
  EXPECT_EQ(host, std::vector<float>(64, 1.0f)) << "the kernel goes on";
}

TEST_F(host_memory_test, seen_by_a_view) {
  const gs::finding f =
      finding_in([&] { gs::launch<read_hidden_view>(two_blocks, hidden_view{{host.data(), host.size()}}, y); });
  expect(f, gs::finding_kind::host_memory, gs::access_kind::read, line_of_hidden, 64);
  EXPECT_EQ(f.meaning, "Thread 0 of block 0 reads values[0], which lies in the host's memory: a GPU can't reach it.");
}

TEST_F(host_memory_test, is_no_finding_without_memcheck) {
  gs::inspect_options options;
  options.instruments.reset(static_cast<std::size_t>(gs::instrument::memcheck));
  EXPECT_TRUE(
      gs::inspect([&] { gs::launch<read_by_pointer>(two_blocks, source{host.data()}, y); }, options).findings.empty());
}

TEST_F(host_memory_test, pointers_into_an_array_are_fine) {
  EXPECT_TRUE(inspected([&] { gs::launch<read_by_pointer>(two_blocks, source{x.data()}, y); }).findings.empty());
}

TEST_F(host_memory_test, pointers_past_an_array_are_found) {
  const gs::finding f = finding_in([&] { gs::launch<read_by_pointer>(two_blocks, source{x.data() + 33}, y); });
  expect(f, gs::finding_kind::outside_shape, gs::access_kind::read, line_of_read, 33);
  EXPECT_EQ(f.meaning, "Thread 31 of block 0 reads device memory at an address that belongs to no array.");
  EXPECT_TRUE(f.index.empty());
}

TEST_F(host_memory_test, pointers_past_the_last_page_are_found) {
  const auto page = gs::to_device(std::vector<float>(1024));  // 4096 bytes
  expect(finding_in([&] { gs::launch<read_by_pointer>(two_blocks, source{page.data() + 1000}, y); }),
         gs::finding_kind::outside_shape, gs::access_kind::read, line_of_read, 40);
}

TEST_F(host_memory_test, pointers_into_a_freed_array_are_found) {
  auto short_lived = std::make_optional(gs::to_device(host));
  const float* values = short_lived->data();
  short_lived.reset();
  expect(finding_in([&] { gs::launch<read_by_pointer>(two_blocks, source{values}, y); }),
         gs::finding_kind::use_after_free, gs::access_kind::read, line_of_read, 64);
}

TEST_F(host_memory_test, what_is_a_threads_own_is_no_finding) {
  const auto clean = [&](const auto& launch) {
    const gs::inspection all = inspected(launch);
    for (const gs::finding& f : all.findings) ADD_FAILURE() << f.access.where.line << ": " << f.meaning;
    EXPECT_FALSE(all.failure);
  };
  const gs::constant_array<float, 3> factors{{1, 2, 3}};
  auto out = gs::to_device(std::vector<float>(192));
  clean([&] { gs::launch<use_what_is_ours>({.grid = 3, .block = 64}, factors, out); });
  clean([&] { gs::launch<use_what_is_ours_in_blocks>({.grid = 3}, factors, out); });
  clean([&] { gs::launch<sum_over_the_grid>({.grid = 4, .block = 16, .cooperative = true}, out); });
}

TEST_F(host_memory_test, a_kernel_that_throws_is_no_finding) {
  const gs::inspection all = inspected([&] { gs::launch<fail_in_a_thread>(two_blocks, y); });
  EXPECT_TRUE(all.findings.empty());
  EXPECT_TRUE(all.failure);
  const gs::inspection each = inspected([&] { gs::launch<fail_in_every_thread>(two_blocks, y); });
  EXPECT_TRUE(each.findings.empty()) << "another thread fails first in another order";
  EXPECT_TRUE(each.failure);
}

TEST_F(host_memory_test, what_was_done_before_a_barrier_stays_when_a_thread_throws_behind_it) {
  const gs::inspection all =
      inspected([&] { gs::launch<read_and_fail_behind_a_barrier>(two_blocks, source{host.data()}, y); });
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(all.findings[0].kind, gs::finding_kind::host_memory);
  EXPECT_EQ(all.findings[0].count, 64u);
  EXPECT_TRUE(all.failure);
}

}  // namespace
