// Where a raw pointer leads a kernel: past the shared memory of its block, to what is no memory, down a stack that a
// GPU doesn't have.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/threads/shared_window.h"
#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

struct row {
  gs::tile<float, 32> a;
};
struct two_rows {
  gs::tile<float, 32> a, b;
};

void past_the_struct(gs::thread t, gs::shared<row> s, unsigned from, gs::view<float> x) {
  float* p = s->a.data();
  p[from + t.thread_rank()] = 1;  // past
  t.sync();
  x[t.grid()] = s->a[t.thread_rank()];
}
// To the place `in_front` bytes before the end of all blocks' shared memory.
void to_the_last_block(gs::thread t, gs::shared<row> s, std::size_t in_front, gs::view<float> x) {
  const std::uintptr_t last = gs::detail::shared_window_start + gs::detail::shared_window_bytes - in_front;
  float* p = s->a.data();
  p[(last - reinterpret_cast<std::uintptr_t>(p)) / sizeof(float) + t.thread_rank()] = 1;  // past
  t.sync();
  x[t.grid()] = s->a[t.thread_rank()];
}
TEST(verdict_pointer, past_the_blocks_shared_memory) {
  const auto x = filled(64, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<past_the_struct>({.grid = 2, .block = 32}, 0u, x); }));
  const auto only_memcheck = [] {
    gs::inspect_options options = all_instruments();
    options.instruments.reset();
    options.instruments.set(static_cast<std::size_t>(gs::instrument::memcheck));
    return options;
  }();
  EXPECT_TRUE(verdict([&] { gs::launch<past_the_struct>({.grid = 2, .block = 32}, 1u, x); },
                      {{outside_shape, "// past", "", "", 2}}, only_memcheck))
      << "by one element, in each block";
  EXPECT_TRUE(verdict([&] { gs::launch<past_the_struct>({.grid = 2, .block = 32}, 32u, x); },
                      {{outside_shape, "// past", "", "", 64}}, only_memcheck));
  // In another block's, and where no page is.
  for (unsigned bytes : {40u << 10, 50u << 10, 64u << 10, 1u << 20})
    EXPECT_TRUE(verdict([&] { gs::launch<past_the_struct>({.grid = 2, .block = 32}, bytes / 4, x); },
                        {{outside_shape, "// past", "", "", 0}}, only_memcheck))
        << bytes << " bytes";
  EXPECT_TRUE(verdict([&] { gs::launch<to_the_last_block>({.grid = 2, .block = 32}, 256, x); },
                      {{outside_shape, "// past", "", "", 0}}, only_memcheck));
  const auto result = gs::inspect([&] { gs::launch<past_the_struct>({.grid = 1, .block = 32}, 1u, x); }, only_memcheck);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].space, gs::memory_space::shared);
  EXPECT_EQ(result.findings[0].meaning, "Thread 31 of block 0 writes shared memory that its block doesn't have.");
}

void fill_bytes(gs::thread t, gs::shared<row> s, std::size_t bytes, gs::view<float> x) {
  if (t.thread_rank() == 0) std::memset(s->a.data(), 0, bytes);  // filled
  t.sync();
  x[t.grid()] = s->a[t.thread_rank()];
}
TEST(verdict_pointer, a_memset_past_the_struct) {
  const auto x = filled(32, 1.0f);
  EXPECT_TRUE(clean([&] { gs::launch<fill_bytes>({.block = 32}, sizeof(row), x); }));
  EXPECT_TRUE(verdict([&] { gs::launch<fill_bytes>({.block = 32}, sizeof(row) + 12, x); },
                      {{outside_shape, "// filled", "", "[32]", 0}}));
}

void fill_a_tile(gs::thread t, gs::shared<two_rows> s, std::size_t bytes, bool by_index, gs::view<float> x) {
  if (t.thread_rank() == 0) {
    if (by_index)
      std::memset(&s->a[0], 0, bytes);  // by index
    else
      std::memset(s->a.data(), 0, bytes);  // by pointer
    std::memset(&*s, 0, sizeof(two_rows));
  }
  t.sync();
  x[t.grid()] = s->a[t.thread_rank()] + s->b[t.thread_rank()];
}
TEST(verdict_pointer, a_memset_past_a_tile_of_the_struct) {
  const auto x = filled(32, 1.0f);
  for (bool by_index : {false, true}) {
    EXPECT_TRUE(clean([&] { gs::launch<fill_a_tile>({.block = 32}, sizeof(gs::tile<float, 32>), by_index, x); }));
    EXPECT_TRUE(verdict([&] { gs::launch<fill_a_tile>({.block = 32}, sizeof(gs::tile<float, 32>) + 4, by_index, x); },
                        {{outside_shape, by_index ? "// by index" : "// by pointer", "", "[32]", 1}}));
  }
}

// --- from one tile of a struct into the next -------------------------------------------------------------------------

gs::inspect_options only_memcheck() {
  gs::inspect_options options = all_instruments();
  options.instruments.reset();
  options.instruments.set(static_cast<std::size_t>(gs::instrument::memcheck));
  return options;
}
testing::AssertionResult leaves(gs::detail::function_ref<void()> code, const std::string& line,
                                const std::string& element) {
  return verdict(code, {{outside_shape, line, "", element, 0}}, only_memcheck());
}

void loop_alone(gs::thread t, gs::shared<two_rows> s, unsigned n, gs::view<float> x) {
  if (t.thread_rank() == 0) {
    float* p = s->a.data();
    for (unsigned i = 0; i < n; ++i) p[i] = 1;  // alone
  }
  t.sync();
  s->b[t.thread_rank()] = 2;
  t.sync();
  x[t.grid()] = s->a[t.thread_rank()] + s->b[t.thread_rank()];
}
void loop_together(gs::thread t, gs::shared<two_rows> s, unsigned n, gs::view<float> x) {
  s->b[t.thread_rank()] = 2;
  t.sync();
  float* p = s->a.data();
  for (unsigned i = t.thread_rank(); i < n; i += 32) p[i] = 1;  // together
  t.sync();
  x[t.grid()] = s->a[t.thread_rank()] + s->b[t.thread_rank()];
}
void read_on(gs::thread t, gs::shared<two_rows> s, unsigned n, gs::view<float> x) {
  s->a[t.thread_rank()] = 1;
  s->b[t.thread_rank()] = 2;
  t.sync();
  const float* p = s->a.data();
  float sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += p[i];  // read
  x[t.grid()] = sum;
}
void read_back(gs::thread t, gs::shared<two_rows> s, int first, gs::view<float> x) {
  s->a[t.thread_rank()] = 1;
  s->b[t.thread_rank()] = 2;
  t.sync();
  const float* p = s->b.data();
  float sum = 0;
  for (int i = 31; i >= first; --i) sum += p[i];  // back
  x[t.grid()] = sum;
}
void from_an_element(gs::thread t, gs::shared<two_rows> s, unsigned n, gs::view<float> x) {
  s->a[t.thread_rank()] = 1;
  s->b[t.thread_rank()] = 2;
  t.sync();
  const float* p = &s->a[0];
  float sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += p[i];  // from an element
  x[t.grid()] = sum;
}
void one_each(gs::thread t, gs::shared<two_rows> s, unsigned offset, gs::view<float> x) {
  s->a[t.thread_rank()] = s->b[t.thread_rank()] = 1;
  t.sync();
  const float* p = s->a.data();
  x[t.grid()] = p[t.thread_rank() + offset];  // one each
}
TEST(verdict_pointer, a_loop_from_one_tile_into_the_next) {
  const auto x = filled(64, 0.0f);
  const gs::launch_options two{.grid = 2, .block = 32};
  EXPECT_TRUE(clean([&] { gs::launch<loop_alone>(two, 32u, x); }));
  EXPECT_TRUE(leaves([&] { gs::launch<loop_alone>(two, 40u, x); }, "// alone", "s->a[32]"));
  EXPECT_TRUE(clean([&] { gs::launch<loop_together>(two, 32u, x); }));
  EXPECT_TRUE(leaves([&] { gs::launch<loop_together>(two, 40u, x); }, "// together", "s->a[32]"));
  EXPECT_TRUE(clean([&] { gs::launch<read_on>(two, 32u, x); }));
  EXPECT_TRUE(leaves([&] { gs::launch<read_on>(two, 33u, x); }, "// read", "s->a[32]"));
  EXPECT_TRUE(clean([&] { gs::launch<read_back>(two, 0, x); }));
  EXPECT_TRUE(leaves([&] { gs::launch<read_back>(two, -3, x); }, "// back", "s->b[-1]"));
  EXPECT_TRUE(clean([&] { gs::launch<from_an_element>(two, 32u, x); }));
  EXPECT_TRUE(leaves([&] { gs::launch<from_an_element>(two, 40u, x); }, "// from an element", "s->a[32]"));
  EXPECT_TRUE(clean([&] { gs::launch<one_each>(two, 0u, x); }));
  EXPECT_TRUE(leaves([&] { gs::launch<one_each>(two, 4u, x); }, "// one each", "s->a[32]"));
  const auto result = gs::inspect([&] { gs::launch<one_each>(two, 4u, x); }, only_memcheck());
  ASSERT_EQ(result.findings.size(), 1u);
  const gs::finding& f = result.findings[0];
  EXPECT_EQ(f.meaning, "s->a[32] reads outside the array's shape (32,), in thread 28 of block 0.");
  EXPECT_NE(f.access.kernel.find("one_each"), std::string::npos);
  EXPECT_EQ(f.access.thread.x, 28u);
  EXPECT_EQ(f.space, gs::memory_space::shared);
  EXPECT_EQ(f.extents, std::vector<std::size_t>{32});
  EXPECT_EQ(f.count, 8u) << "4 threads of 2 blocks";
}

struct two_tables {
  gs::tile<float, 4, 8> a;
  gs::tile<float, 8, 8> b;
};
void standard_algorithms(gs::thread t, gs::shared<two_tables> s, unsigned which, unsigned n, gs::view<float> x) {
  if (t.thread_rank() < 32) s->a(t.thread_rank() / 8, t.thread_rank() % 8) = 1;
  s->b(t.thread_rank() / 8, t.thread_rank() % 8) = 1;
  t.sync();
  if (t.thread_rank() == 0) {
    if (which == 0) std::fill_n(s->a.data(), n, 0.0f);                      // fill_n
    if (which == 1) std::fill(s->a.begin(), s->a.end() + n - 32, 0.0f);     // fill
    if (which == 2) std::copy(x.begin(), x.begin() + n, s->a.begin());      // copied to
    if (which == 3) std::copy(s->a.begin(), s->a.end() + n - 32, x.end());  // copied from
    if (which == 4) __builtin_memset(s->a.data(), 0, 128);                  // as much
    if (which == 5) __builtin_memset(s->a.data(), 0, 160);                  // more
  }
}
TEST(verdict_pointer, an_algorithm_from_one_tile_into_the_next) {
  const auto all = filled(128, 0.0f);
  const auto run = [&](unsigned which, unsigned n) {
    return [&all, which, n] { gs::launch<standard_algorithms>({.block = 64}, which, n, all.slice(0, 64)); };
  };
  for (unsigned which : {0u, 1u, 2u, 3u, 4u}) EXPECT_TRUE(clean(run(which, 32))) << which;
  EXPECT_TRUE(leaves(run(0, 40), "// fill_n", "s->a(4, 0)"));
  EXPECT_TRUE(leaves(run(1, 40), "// fill", "s->a(4, 0)"));
  EXPECT_TRUE(leaves(run(2, 40), "// copied to", "[32]"));
  EXPECT_TRUE(leaves(run(3, 40), "// copied from", "[32]"));
  EXPECT_TRUE(leaves(run(5, 40), "// more", "[32]"));
}

struct wide {
  float v[4];
};
struct odd_rows {
  alignas(16) gs::tile<float, 30> a;
  gs::tile<float, 30> b;
};
void store_four(gs::thread t, gs::shared<odd_rows> s, unsigned k, gs::view<float> x) {
  if (t.thread_rank() < 30) s->a[t.thread_rank()] = s->b[t.thread_rank()] = 1;
  t.sync();
  float* p = s->a.data();
  if (t.thread_rank() == 3) *reinterpret_cast<wide*>(p + 4 * k) = wide{};  // four at once
  x[t.grid()] = 1;
}
TEST(verdict_pointer, a_wide_store_over_the_end_of_a_tile) {
  const auto x = filled(32, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<store_four>({.block = 32}, 6u, x); }));
  EXPECT_TRUE(leaves([&] { gs::launch<store_four>({.block = 32}, 7u, x); }, "// four at once", "[30]"));
}

void loop_in_each(gs::block<32> block, gs::shared<two_rows> s, unsigned n, gs::view<float> x) {
  block.each([&](auto t) { s->a[t.x] = s->b[t.x] = 1; });
  block.each([&](auto t) {
    const float* p = s->a.data();
    float sum = 0;
    for (unsigned i = 0; i < n; ++i) sum += p[i];  // in each
    x[t.grid_x()] = sum;
  });
}
void pointer_outside(gs::block<32> block, gs::shared<two_rows> s, unsigned offset, gs::view<float> x) {
  const float* p = s->a.data();
  block.each([&](auto t) { s->a[t.x] = s->b[t.x] = 1; });
  block.each([&](auto t) {
    x[t.grid_x()] = p[t.x + offset];  // by a pointer from outside
  });
}
TEST(verdict_pointer, from_one_tile_into_the_next_in_block_style) {
  const auto x = filled(64, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<loop_in_each>({.grid = 2}, 32u, x); }));
  EXPECT_TRUE(leaves([&] { gs::launch<loop_in_each>({.grid = 2}, 40u, x); }, "// in each", "s->a[32]"));
  EXPECT_TRUE(clean([&] { gs::launch<pointer_outside>({.grid = 2}, 0u, x); }));
  EXPECT_TRUE(
      leaves([&] { gs::launch<pointer_outside>({.grid = 2}, 5u, x); }, "// by a pointer from outside", "s->a[32]"));
}

// What looks like it, and is right.

[[gnu::noinline]] void clear(float* p, unsigned first, unsigned n, unsigned step) {
  for (unsigned i = first; i < n; i += step) p[i] = 0;
}
[[gnu::noinline]] void bump(float& one) { one += 1; }

void two_pointers(gs::thread t, gs::shared<two_rows> s, gs::view<float> x) {
  float *p = s->a.data(), *q = s->b.begin();
  clear(p, t.thread_rank(), 32, 32);
  clear(q, t.thread_rank(), 32, 32);
  t.sync();
  x[t.grid()] = s->a[31 - t.thread_rank()] + s->b[31 - t.thread_rank()];
}
void two_elements(gs::thread t, gs::shared<two_rows> s, gs::view<float> x) {
  float *p = &s->a[0], *q = &s->b[0];
  if (t.thread_rank() < 16) clear(p, t.thread_rank(), 32, 16);
  if (t.thread_rank() < 16) clear(q, t.thread_rank(), 32, 16);
  t.sync();
  x[t.grid()] = s->a[31 - t.thread_rank()] + s->b[31 - t.thread_rank()];
}
void elements_and_a_barrier(gs::thread t, gs::shared<two_rows> s, gs::view<float> x) {
  float *p = s->a.data(), *q = &s->b[0];
  t.sync();
  clear(p, t.thread_rank(), 32, 32);
  clear(q, t.thread_rank(), 32, 32);
  t.sync();
  x[t.grid()] = s->a[31 - t.thread_rank()] + q[31 - t.thread_rank()];
}
void references(gs::thread t, gs::shared<two_rows> s, gs::view<float> x) {
  float& p = s->a[t.thread_rank()];
  float& q = s->b[t.thread_rank()];
  p = q = 0;
  float* all = s->a.data();
  all[t.thread_rank()] += 1;
  bump(p);
  bump(q);
  x[t.grid()] = p + q;
}
struct linked_rows {
  gs::tile<float, 32> a, b;
  float* rows[2];
};
void pointers_in_shared_memory(gs::thread t, gs::shared<linked_rows> s, bool by_element, gs::view<float> x) {
  if (t.thread_rank() == 0) {
    s->rows[0] = by_element ? &s->a[0] : s->a.data();
    s->rows[1] = by_element ? &s->b[0] : s->b.data();
  }
  t.sync();
  float* p = s->a.data();
  for (unsigned k = 0; k < 2; ++k) {
    p[t.thread_rank()] = 1;
    p = s->rows[1];
  }
  t.sync();
  x[t.grid()] = s->a[31 - t.thread_rank()] + s->b[31 - t.thread_rank()];
}
void whole_struct(gs::thread t, gs::shared<two_rows> s, gs::view<float> x) {
  s->a.data()[t.thread_rank()] = 1;
  t.sync();
  float* words = reinterpret_cast<float*>(&*s);
  for (unsigned i = t.thread_rank(); i < 64; i += 32) words[i] = 0;
  t.sync();
  if (t.thread_rank() == 0) {
    const two_rows copy = *s;
    float* p = s->a.data();
    *s = copy;
    std::memset(&*s, 0, sizeof(two_rows));
    p[0] = 1;
  }
  t.sync();
  x[t.grid()] = s->a[31 - t.thread_rank()] + s->b[31 - t.thread_rank()];
}
struct pairs {
  two_rows first, second;
};
void parts_of_a_struct(gs::thread t, gs::shared<pairs> s, gs::view<float> x) {
  s->first.a.data()[t.thread_rank()] = 1;
  s->first.b[t.thread_rank()] = 2;
  t.sync();
  if (t.thread_rank() == 0) {
    s->second = s->first;
    s->first = two_rows{};
    s->second.b = s->second.a;
  }
  t.sync();
  x[t.grid()] = s->second.a[31 - t.thread_rank()] + s->second.b[31 - t.thread_rank()];
}
using row_of_32 = gs::tile<float, 32>;
[[gnu::noinline]] void reset(row_of_32& row) { row = {}; }
[[gnu::noinline]] float sum_of(const row_of_32& row) {
  float sum = 0;
  for (const float v : row) sum += v;
  return sum;
}
void tiles_by_reference(gs::thread t, gs::shared<two_rows> s, gs::view<float> x) {
  s->a.data()[t.thread_rank()] = 1;
  t.sync();
  if (t.thread_rank() == 0) {
    reset(s->a);
    reset(s->b);
  }
  t.sync();
  x[t.grid()] = sum_of(s->a) + sum_of(s->b);
}
void by_members(gs::thread t, gs::shared<two_rows> s, gs::view<float> x) {
  float* const rows[] = {s->a.data(), s->b.elements};
  for (float* p : rows)
    for (unsigned i = t.thread_rank(); i < 32; i += 32) p[i] = 2;
  t.sync();
  x[t.grid()] = s->a[31 - t.thread_rank()] + s->b[31 - t.thread_rank()];
}
void by_role(gs::thread t, gs::shared<two_rows> s, gs::view<float> x) {
  float* p = t.thread_rank() < 16 ? s->a.data() : s->b.data();
  clear(p, t.thread_rank() % 16, 32, 16);
  t.sync();
  x[t.grid()] = s->a[31 - t.thread_rank()] + s->b[31 - t.thread_rank()];
}
struct halves {
  gs::tile<float, 32> left, right;
};
union parts {
  gs::tile<float, 64> all;
  halves half;
};
void in_a_union(gs::thread t, gs::shared<parts> s, gs::view<float> x) {
  clear(s->all.data(), t.thread_rank(), 64, 32);
  t.sync();
  float* p = s->half.left.data();
  p[t.thread_rank()] += 1;
  s->half.right[t.thread_rank()] += 1;
  t.sync();
  clear(s->all.data(), t.thread_rank(), 64, 32);
  t.sync();
  x[t.grid()] = s->half.left[31 - t.thread_rank()] + s->half.right[31 - t.thread_rank()];
}
struct row_and_more {
  gs::tile<float, 32> a;
  float raw[32];
  float scale;
  gs::tile<float, 32> b;
};
void raw_members(gs::thread t, gs::shared<row_and_more> s, gs::view<float> x) {
  clear(s->a.data(), t.thread_rank(), 32, 32);
  clear(s->raw, t.thread_rank(), 32, 32);
  if (t.thread_rank() == 0) clear(&s->scale, 0, 1, 1);
  s->b[t.thread_rank()] = 1;
  t.sync();
  x[t.grid()] = s->a[31 - t.thread_rank()] + s->b[31 - t.thread_rank()] + s->raw[31 - t.thread_rank()] + s->scale;
}
struct nested {
  gs::tile<gs::local_array<float, 4>, 8> rows;
  gs::tile<float, 32> b;
};
void rows_of_rows(gs::thread t, gs::shared<nested> s, gs::view<float> x) {
  float* p = &s->rows[0][0];
  clear(p, t.thread_rank(), 32, 32);
  s->b[t.thread_rank()] = 1;
  t.sync();
  x[t.grid()] = s->rows[t.thread_rank() / 4][t.thread_rank() % 4] + s->b[31 - t.thread_rank()];
}
void views_of_parts(gs::thread t, gs::shared<parts> s, gs::view<float> x) {
  const gs::view<float> left(s->all.data(), 32), right(s->all.data() + 32, 32);
  left[t.thread_rank()] = 1;
  right[t.thread_rank()] = 2;
  t.sync();
  float* p = s->all.data();
  for (unsigned i = t.thread_rank(); i < 64; i += 32) p[i] += 1;
  t.sync();
  x[t.grid()] = left[31 - t.thread_rank()] + right[31 - t.thread_rank()];
}
TEST(verdict_pointer, pointers_that_stay_in_their_tiles) {
  const auto x = filled(64, 0.0f);
  const gs::launch_options two{.grid = 2, .block = 32};
  EXPECT_TRUE(clean([&] { gs::launch<two_pointers>(two, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<two_elements>(two, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<elements_and_a_barrier>(two, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<references>(two, x); }));
  for (bool by_element : {false, true})
    EXPECT_TRUE(clean([&] { gs::launch<pointers_in_shared_memory>(two, by_element, x); })) << by_element;
  EXPECT_TRUE(clean([&] { gs::launch<whole_struct>(two, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<parts_of_a_struct>(two, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<tiles_by_reference>(two, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<by_members>(two, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<by_role>(two, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<in_a_union>(two, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<raw_members>(two, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<rows_of_rows>(two, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<views_of_parts>(two, x); }));
}

void two_pointers_in_each(gs::block<32> block, gs::shared<two_rows> s, gs::view<float> x) {
  float *p = s->a.data(), *q = s->b.data();
  block.each([&](auto t) { clear(p, t.x, 32, 32); });
  block.each([&](auto t) { clear(q, t.x, 32, 32); });
  block.each([&](auto t) { x[t.grid_x()] = p[31 - t.x] + q[31 - t.x]; });
}
void own_pointers_in_each(gs::block<32> block, gs::shared<two_rows> s, gs::view<float> x) {
  block.each([&](auto t) { clear(s->a.data(), t.x, 32, 32); });
  block.each([&](auto t) { clear(&s->b[0], t.x, 32, 32); });
  block.each([&](auto t) {
    float sum = 0;
    for (const float v : s->a) sum += v;
    for (const float v : s->b) sum += v;
    x[t.grid_x()] = sum;
  });
}
void across_the_grid(gs::thread t, gs::shared<two_rows> s, gs::view<float> x) {
  float* p = s->a.data();
  clear(p, t.thread_rank(), 32, 32);
  t.grid_sync();
  clear(s->b.data(), t.thread_rank(), 32, 32);
  t.grid_sync();
  clear(p, t.thread_rank(), 32, 32);
  t.sync();
  x[t.grid()] = s->a[31 - t.thread_rank()] + s->b[31 - t.thread_rank()];
}
void read_on_across_the_grid(gs::thread t, gs::shared<two_rows> s, gs::view<float> x) {
  float* p = s->a.data();
  p[t.thread_rank()] = 1;
  s->b[t.thread_rank()] = 2;
  t.grid_sync();
  float sum = 0;
  for (unsigned i = 0; i < 40; ++i) sum += p[i];  // across the grid
  x[t.grid()] = sum;
}
TEST(verdict_pointer, pointers_that_stay_in_their_tiles_in_other_launches) {
  const auto x = filled(64, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<two_pointers_in_each>({.grid = 2}, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<own_pointers_in_each>({.grid = 2}, x); }));
  const gs::launch_options all{.grid = 2, .block = 32, .cooperative = true};
  EXPECT_TRUE(clean([&] { gs::launch<across_the_grid>(all, x); }));
  EXPECT_TRUE(leaves([&] { gs::launch<read_on_across_the_grid>(all, x); }, "// across the grid", "[32]"));
}

void dynamic_by_pointer(gs::thread t, gs::shared<row> s, gs::dynamic_shared<float> d, unsigned offset,
                        gs::view<float> x) {
  s->a[t.thread_rank()] = 1;
  d.data()[offset + t.thread_rank()] = 2;  // dynamic
  t.sync();
  x[t.grid()] = s->a[t.thread_rank()];
}
TEST(verdict_pointer, past_the_dynamic_shared_memory) {
  const auto x = filled(32, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<dynamic_by_pointer>({.block = 32, .shared_bytes = 32 * sizeof(float)}, 0u, x); }));
  EXPECT_TRUE(verdict([&] { gs::launch<dynamic_by_pointer>({.block = 32, .shared_bytes = 32 * sizeof(float)}, 5u, x); },
                      {{outside_shape, "// dynamic", "", "", 5}}));
}

struct pointer {
  volatile int* at;
};
void follow(gs::thread t, pointer p, bool writes, unsigned who, gs::view<int> x) {
  if (t.thread_rank() % 2 == 0) t.warp_sync(0x55555555u);
  if (t.grid() == who) {
    if (writes)
      *p.at = 1;  // written
    else
      x[0] = *p.at;  // followed
  }
  x[t.grid()] = 1;
}
void follow_in_a_block(gs::block<32> block, pointer p, gs::view<int> x) {
  block.each([&](auto t) {
    if (t.x == 7) *p.at = 1;  // in each
    x[t.grid_x()] = 1;
  });
}
TEST(verdict_pointer, to_what_is_no_memory) {
  const auto x = filled(96, 0);
  // A hole of one page between two others: nothing else is put there.
  auto* const closed = static_cast<std::byte*>(mmap(nullptr, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::byte* const gone = closed + 4096;
  munmap(gone, 4096);
  const std::uintptr_t addresses[] = {0,
                                      4,
                                      0x10000,
                                      reinterpret_cast<std::uintptr_t>(gone),
                                      reinterpret_cast<std::uintptr_t>(closed),
                                      reinterpret_cast<std::uintptr_t>(sbrk(0)) + (1 << 22),
                                      std::uintptr_t{1} << 62,
                                      ~std::uintptr_t{0} - 15};
  for (const std::uintptr_t address : addresses)
    for (const unsigned who : {0u, 1u, 40u, 95u}) {
      SCOPED_TRACE(testing::Message() << std::hex << address << " in thread " << who);
      const pointer p{reinterpret_cast<volatile int*>(address)};
      EXPECT_TRUE(verdict([&] { gs::launch<follow>({.grid = 3, .block = 32}, p, true, who, x); },
                          {{outside_shape, "// written", "", "", 1}}));
      const auto result = gs::inspect([&] { gs::launch<follow>({.grid = 3, .block = 32}, p, false, who, x); },
                                      all_instruments_but(gs::instrument::racecheck));
      ASSERT_EQ(result.findings.size(), 1u);
      EXPECT_EQ(result.findings[0].kind, outside_shape);
      EXPECT_EQ(result.findings[0].access.block.x, who / 32);
      EXPECT_EQ(result.findings[0].access.thread.x, who % 32);
      EXPECT_FALSE(result.failure);
    }
  EXPECT_TRUE(verdict([&] { gs::launch<follow_in_a_block>({.grid = 3}, pointer{nullptr}, x); },
                      {{outside_shape, "// in each", "", "", 3}}));
  munmap(closed, 4096);
}

// The hook can't know that it isn't allowed; the processor does.
TEST(verdict_pointer, to_memory_that_may_not_be_written) {
  const auto x = filled(96, 0);
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const pointer p{static_cast<volatile int*>(page)};
  const auto result =
      gs::inspect([&] { gs::launch<follow>({.grid = 3, .block = 32}, p, true, 40u, x); }, all_instruments());
  EXPECT_FALSE(result.failure);
  EXPECT_TRUE(std::ranges::any_of(result.findings, [](const gs::finding& f) { return f.kind == outside_shape; }));
  for (const gs::finding& f : result.findings) {
    EXPECT_EQ(f.access.thread.x, 8u);
    EXPECT_EQ(f.access.kind, gs::access_kind::write);
  }
  munmap(page, 4096);
}

void copy_from(gs::thread t, pointer p, gs::view<int> x) {
  if (t.grid() == 3) std::memcpy(x.data(), const_cast<const int*>(p.at), 64);  // copied
}
TEST(verdict_pointer, a_copy_from_what_is_no_memory) {
  const auto x = filled(32, 0);
  EXPECT_TRUE(verdict([&] { gs::launch<copy_from>({.block = 32}, pointer{nullptr}, x); },
                      {{outside_shape, "// copied", "", "", 1}}));
}

TEST(verdict_pointer, without_memcheck_is_an_error) {
  const auto x = filled(96, 0);
  const auto result = gs::inspect([&] { gs::launch<follow>({.grid = 3, .block = 32}, pointer{nullptr}, true, 40u, x); },
                                  all_instruments_but(gs::instrument::memcheck));
  EXPECT_TRUE(result.findings.empty());
  ASSERT_TRUE(result.failure);
  EXPECT_THROW(std::rethrow_exception(result.failure), gs::kernel_fault);
}

template <std::size_t N>
void use_local(gs::thread t, gs::view<int> x) {
  gs::local_array<int, N> mine;
  for (std::size_t i = 0; i < N; i += 256) mine[i] = static_cast<int>(i + t.grid());  // filled
  int sum = 0;
  for (std::size_t i = 0; i < N; i += 256) sum += mine[i];
  x[t.grid()] = sum;
}
void use_two(gs::thread t, gs::view<int> x) {
  volatile int one[80 * 1024], other[80 * 1024];
  for (std::size_t i = 0; i < 80 * 1024; i += 256) one[i] = 1;
  for (std::size_t i = 0; i < 80 * 1024; i += 256) other[i] = 2;
  x[t.grid()] = one[256] + other[256];
}
TEST(verdict_pointer, local_arrays_that_a_gpu_has_no_room_for) {
  const auto x = filled(64, 0);
  EXPECT_TRUE(clean([&] { gs::launch<use_local<120 * 1024>>({.grid = 2, .block = 32}, x); })) << "480 KiB";
  const auto large =
      gs::inspect([&] { gs::launch<use_local<200 * 1024>>({.grid = 2, .block = 32}, x); }, all_instruments());
  ASSERT_EQ(large.findings.size(), 1u);
  EXPECT_EQ(large.findings[0].kind, launch_limit);
  EXPECT_NE(large.findings[0].meaning.find("a GPU has 512 KiB of local memory for a thread"), std::string::npos)
      << large.findings[0].meaning;
  EXPECT_NE(large.findings[0].access.where.file.find("memcheck_pointer_test.cpp"), std::string::npos);
  EXPECT_FALSE(large.failure);
  const auto two = gs::inspect([&] { gs::launch<use_two>({.grid = 2, .block = 32}, x); }, all_instruments());
  ASSERT_EQ(two.findings.size(), 1u) << "each alone would fit";
  EXPECT_EQ(two.findings[0].kind, launch_limit);
  EXPECT_TRUE(clean([&] { gs::launch<use_local<200 * 1024>>({.grid = 2, .block = 32}, x); },
                    all_instruments_but(gs::instrument::limits)));
}

template <std::size_t N>
void use_local_in_each(gs::block<32> block, gs::view<int> x) {
  block.each([&](auto t) {
    gs::local_array<int, N> mine;
    for (std::size_t i = 0; i < N; i += 256) mine[i] = static_cast<int>(i + t.x);
    int sum = 0;
    for (std::size_t i = 0; i < N; i += 256) sum += mine[i];
    x[t.grid_x()] = sum;
  });
}
template <std::size_t N>
void use_local_in_block(gs::block<32> block, gs::view<int> x) {
  volatile int all[N];
  for (std::size_t i = 0; i < N; i += 256) all[i] = 1;
  block.each([&](auto t) { x[t.grid_x()] = all[256 * (t.x % 4)]; });
}
void keep_much(gs::block<1024> block, gs::view<int> x) {
  gs::per_thread mine(block, gs::local_array<int, 96>{});  // 384 bytes for each of 1024 threads
  block.each([&](auto t) { x[t.grid_x()] = 1; });
  gs::per_thread other(block, gs::local_array<int, 96>{});
  block.each([&](auto t) {
    gs::local_array<int, 96> a = mine[t];
    a[3] += 1;
    other[t] = a;
  });
  block.each([&](auto t) {
    gs::local_array<int, 96> a = other[t];
    x[t.grid_x()] = a[3];
  });
}
TEST(verdict_pointer, local_arrays_in_block_style_that_a_gpu_has_no_room_for) {
  const auto x = filled(1024, 0);
  const auto finds = [&](gs::detail::function_ref<void()> code) {
    const auto result = gs::inspect(code, all_instruments());
    EXPECT_FALSE(result.failure);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, launch_limit);
    EXPECT_NE(result.findings[0].meaning.find("a GPU has 512 KiB of local memory for a thread"), std::string::npos)
        << result.findings[0].meaning;
    EXPECT_NE(result.findings[0].access.where.file.find("memcheck_pointer_test.cpp"), std::string::npos);
  };
  EXPECT_TRUE(clean([&] { gs::launch<use_local_in_each<120 * 1024>>({.grid = 2}, x); })) << "480 KiB";
  EXPECT_TRUE(clean([&] { gs::launch<use_local_in_block<120 * 1024>>({.grid = 2}, x); }));
  finds([&] { gs::launch<use_local_in_each<200 * 1024>>({.grid = 2}, x); });
  finds([&] { gs::launch<use_local_in_block<200 * 1024>>({.grid = 2}, x); });
  EXPECT_TRUE(clean([&] { gs::launch<keep_much>({.grid = 1}, x); })) << "768 KiB for all threads";
}

template <std::size_t N>
void use_local_and_meet(gs::thread t, gs::view<int> x) {
  gs::local_array<int, N> mine;
  for (std::size_t i = 0; i < N; i += 256) mine[i] = static_cast<int>(i + t.grid());
  t.grid_sync();
  x[t.grid()] = mine[256];
}
TEST(verdict_pointer, local_arrays_of_a_cooperative_launch) {
  const auto x = filled(64, 0);
  const gs::launch_options all{.grid = 2, .block = 32, .cooperative = true};
  EXPECT_TRUE(clean([&] { gs::launch<use_local<120 * 1024>>(all, x); })) << "480 KiB";
  const auto large = gs::inspect([&] { gs::launch<use_local<200 * 1024>>(all, x); }, all_instruments());
  ASSERT_EQ(large.findings.size(), 1u);
  EXPECT_EQ(large.findings[0].kind, launch_limit);
  // With a barrier, threads run on stacks of 128 KiB each, which a smaller array fills.
  const auto meets = gs::inspect([&] { gs::launch<use_local_and_meet<50 * 1024>>(all, x); }, all_instruments());
  ASSERT_TRUE(meets.failure);
  try {
    std::rethrow_exception(meets.failure);
  } catch (const std::exception& failure) {
    EXPECT_NE(std::string(failure.what()).find("128 KiB"), std::string::npos) << failure.what();
  }
}

}  // namespace
