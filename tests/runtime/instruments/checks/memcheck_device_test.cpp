// Device memory that is reached in other ways than by a kernel's own accesses: by the host's code, and in kernels by
// code that gets no hook from the compiler.

#include <gtest/gtest.h>
#include <strings.h>

#include <cstring>
#include <thread>
#include <vector>

#include "runtime/gs.h"

namespace device_memory_test {

float add(float a, float b) { return a + b; }

struct pointers {
  const float* from;
  float* to;
};

void doubles(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  for (auto i : t.grid_stride(y.size())) y[i] = 2 * x[i];
}
void copies_by_memcpy(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  for (auto i : t.grid_stride(y.size())) std::memcpy(&y[i], &x[i], sizeof(float));
}
void adds_atomically(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  gs::atomic_ref(y[0]).fetch_add(x[t.grid()]);
}
void copies_by_the_library(gs::thread t, pointers p) { bcopy(p.from + t.grid(), p.to + t.grid(), sizeof(float)); }
constexpr unsigned line_of_bcopy = __LINE__ - 1;
[[gnu::no_sanitize("thread"), gnu::noinline]] void carry(const float* from, float* to) { *to = *from; }
constexpr unsigned line_of_carry = __LINE__ - 1;
void copies_unsanitized(gs::thread t, pointers p) { carry(p.from + t.grid(), p.to + t.grid()); }
#if defined(__x86_64__)
void copies_by_assembly(gs::thread t, pointers p) {
  const float* from = p.from + t.grid();
  float* to = p.to + t.grid();
  std::size_t bytes = sizeof(float);
  asm volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(bytes) : : "memory");
}
constexpr unsigned line_of_assembly = __LINE__ - 2;
#endif

class device_memory_tests : public testing::Test {
 protected:
  device_memory_tests() { gs::select_device(gs::device_kind::engine); }

  template <class Body>
  static gs::inspection inspected(const Body& body, bool hidden_accesses = false) {
    gs::inspect_options options;
    options.instruments.reset(static_cast<std::size_t>(gs::instrument::leakcheck));
    options.hidden_accesses = hidden_accesses;
    return gs::inspect(body, options);
  }
  static void expect(const gs::inspection& result, gs::finding_kind kind, gs::access_kind access, unsigned at,
                     std::uint64_t at_least) {
    for (const gs::finding& f : result.findings)
      if (f.kind == kind && f.access.kind == access) {
        EXPECT_EQ(f.access.where.line, at) << f.meaning;
        EXPECT_GE(f.count, at_least) << f.meaning;
        return;
      }
    ADD_FAILURE() << "not found: " << to_string(kind) << ", " << to_string(access) << ", of " << result.findings.size()
                  << " findings";
  }

  std::vector<float> host = std::vector<float>(64, 3.0f);
  gs::device_array<float> x = gs::to_device(host), y = gs::to_device(host);
  gs::launch_options two_blocks{.grid = 2, .block = 32};
};

TEST_F(device_memory_tests, of_kernels_and_copies_is_no_finding) {
  for (const bool hidden_accesses : {false, true}) {
    const gs::inspection result = inspected(
        [&] {
          gs::launch<doubles>(two_blocks, x, y);
          gs::launch<copies_by_memcpy>(two_blocks, y, x);
          gs::launch<adds_atomically>(two_blocks, x, y);
          const auto z = x.copy();
          EXPECT_EQ(z.copy_to_host(), std::vector<float>(64, 6.0f));
          gs::sort(z, gs::out(x));
          x.copy_from_host(host);
          EXPECT_EQ(gs::reduce<add>(x, 0.0f).copy_to_host()[0], 192);
        },
        hidden_accesses);
    EXPECT_TRUE(result.clean()) << "hidden accesses: " << hidden_accesses;
    for (const gs::finding& f : result.findings)
      ADD_FAILURE() << to_string(f.access.where) << " in " << f.access.kernel << ": " << f.meaning;
  }
}

TEST_F(device_memory_tests, read_and_written_by_a_loop_of_the_host) {
  const gs::inspection result = inspected([&] {
    for (std::size_t i = 0; i < 64; ++i) y.data()[i] = x.data()[i];
  });
  ASSERT_EQ(result.findings.size(), 1u) << "both kinds at one line";
  EXPECT_EQ(result.findings[0].kind, gs::finding_kind::device_memory);
  EXPECT_EQ(result.findings[0].access.where.line, __LINE__ - 4);
  EXPECT_EQ(result.findings[0].count, 128u);
  EXPECT_EQ(y.copy_to_host(), host);
}

TEST_F(device_memory_tests, read_by_another_thread_of_the_host) {
  float sum = 0;
  const gs::inspection result = inspected([&] {
    std::thread([&] {
      for (std::size_t i = 0; i < 64; ++i) sum += x.data()[i];
    }).join();
  });
  expect(result, gs::finding_kind::device_memory, gs::access_kind::read, __LINE__ - 3, 64);
  EXPECT_EQ(sum, 192);
}

TEST_F(device_memory_tests, copied_by_memcpy_of_the_host) {
  std::vector<float> copy(64);
  const gs::inspection result = inspected([&] { std::memcpy(copy.data(), x.data(), 64 * sizeof(float)); });
  expect(result, gs::finding_kind::device_memory, gs::access_kind::read, __LINE__ - 1, 1);
  EXPECT_EQ(copy, host);
}

TEST_F(device_memory_tests, is_named_with_what_to_do) {
  const gs::inspection result = inspected([&] { y.data()[1] = 2; });
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_NE(result.findings[0].meaning.find("Code of the host writes memory of "), std::string::npos)
      << result.findings[0].meaning;
  EXPECT_NE(result.findings[0].hint.find("Let a kernel do this"), std::string::npos);
}

TEST_F(device_memory_tests, reached_by_the_c_library_in_a_kernel) {
  const pointers p{x.data(), y.data()};
  EXPECT_TRUE(inspected([&] { gs::launch<copies_by_the_library>(two_blocks, p); }).clean()) << "not without traps";
  const gs::inspection result = inspected([&] { gs::launch<copies_by_the_library>(two_blocks, p); }, true);
  expect(result, gs::finding_kind::unseen_access, gs::access_kind::read, line_of_bcopy, 64);
  EXPECT_EQ(y.copy_to_host(), host);
}

TEST_F(device_memory_tests, reached_without_the_sanitizer) {
  const gs::inspection result =
      inspected([&] { gs::launch<copies_unsanitized>(two_blocks, pointers{x.data(), y.data()}); }, true);
  expect(result, gs::finding_kind::unseen_access, gs::access_kind::read, line_of_carry, 64);
}

#if defined(__x86_64__)
TEST_F(device_memory_tests, reached_by_assembly) {
  const gs::inspection result =
      inspected([&] { gs::launch<copies_by_assembly>(two_blocks, pointers{x.data(), y.data()}); }, true);
  ASSERT_FALSE(result.clean());
  EXPECT_EQ(result.findings[0].kind, gs::finding_kind::unseen_access);
  EXPECT_EQ(result.findings[0].access.where.line, line_of_assembly);
  EXPECT_EQ(y.copy_to_host(), host);
}

TEST_F(device_memory_tests, reached_by_the_c_library_on_the_host) {
  std::vector<float> copy(64);
  const gs::inspection result = inspected([&] { bcopy(x.data(), copy.data(), 64 * sizeof(float)); }, true);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, gs::finding_kind::device_memory);
  EXPECT_EQ(result.findings[0].access.where.line, __LINE__ - 3);
  EXPECT_EQ(copy, host);
}
#endif

TEST_F(device_memory_tests, knows_each_byte_that_work_of_the_device_has_used_once) {
  inspected([&] {
    gs::launch<doubles>(two_blocks, x.slice(0, 40), y.slice(0, 40));
    gs::launch<doubles>(two_blocks, x.slice(8, 48), y.slice(8, 48));
    gs::synchronize();
    EXPECT_EQ(gs::instruments::use_of(x.data(), 256).read, 48 * sizeof(float));
    EXPECT_EQ(gs::instruments::use_of(x.data(), 256).written, 0u);
    EXPECT_EQ(gs::instruments::use_of(y.data(), 256).written, 48 * sizeof(float));
    EXPECT_EQ(gs::instruments::use_of(y.data() + 40, 96).written, 8 * sizeof(float));
    y.slice(0, 32).copy_from_host(std::vector<float>(32));
    EXPECT_EQ(gs::instruments::use_of(y.data(), 256).written, 16 * sizeof(float))
        << "a copy has overwritten the others";
    const auto z = y.copy();
    EXPECT_EQ(gs::instruments::use_of(z.data(), 256).written, 256u);
    EXPECT_EQ(gs::instruments::use_of(y.data(), 256).read, 256u);
  });
}

}  // namespace device_memory_test
