// memcheck, initcheck and leakcheck: what they find in small kernels, and that they find nothing in correct ones.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/instruments/memory/device_arena.h"
#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

// --- memcheck: indices -----------------------------------------------------------------------------------------------

void multiply(gs::thread t, gs::view<const float, 2> a, gs::view<const float, 2> b, gs::view<float, 2> c) {
  const std::size_t i = t.grid_y(), j = t.grid_x();
  float sum = 0;
  for (std::size_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
  c(i, j) = sum;
}
void multiply_too_far(gs::thread t, gs::view<const float, 2> a, gs::view<const float, 2> b, gs::view<float, 2> c) {
  const std::size_t i = t.grid_y(), j = t.grid_x();
  float sum = 0;
  for (std::size_t k = 0; k <= a.extent(1); ++k) {
    const float x = a(i, k);
    const float y = b(k, j);
    sum += x * y;
  }
  c(i, j) = sum;
}
TEST(verdict_memory, product_with_bounds_one_too_far) {
  const auto a = filled(64, 1.0f).reshape({8, 8}), b = filled(64, 1.0f).reshape({8, 8});
  const auto c = filled(64, 0.0f).reshape({8, 8});
  EXPECT_TRUE(clean([&] { gs::launch<multiply>({.block = {8, 8}}, a, b, c); }));
  EXPECT_TRUE(verdict([&] { gs::launch<multiply_too_far>({.block = {8, 8}}, a, b, c); },
                      {{outside_shape, "a(i, k)", "", "a(0, 8)", 64}, {outside_shape, "b(k, j)", "", "b(8, 0)", 64}}));
}

void difference(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  y[t.grid()] = x[t.grid() + 1] - x[t.grid()];
}
TEST(verdict_memory, neighbour_beyond_the_end) {
  const auto x = filled(33, 1.0f);
  const auto y = filled(32, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<difference>({.block = 32}, x, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<difference>({.block = 32}, y, y); },
                      {{race_in_block, "x[t.grid() + 1] - x[t.grid()]", "x[t.grid() + 1] - x[t.grid()]", "y[1]", 31},
                       {outside_shape, "x[t.grid() + 1]", "", "y[32]", 1}}));
}

void previous(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  const int i = static_cast<int>(t.grid());
  y[i] = x[i - 1];
}
TEST(verdict_memory, negative_index) {
  const auto x = filled(64, 1.0f), y = filled(64, 0.0f);
  EXPECT_TRUE(verdict([&] { gs::launch<previous>({.grid = 2, .block = 32}, x, y); },
                      {{outside_shape, "x[i - 1]", "", "x[-1]"}}));
}

void set(gs::thread t, gs::view<int> x) { x[t.grid()] = 1; }
void set_guarded(gs::thread t, gs::view<int> x) {
  if (t.grid() < x.size()) x[t.grid()] = 1;
}
TEST(verdict_memory, more_threads_than_elements) {
  const auto x = filled(100, 0);
  EXPECT_TRUE(verdict([&] { gs::launch<set>({.grid = 2, .block = 64}, x); },
                      {{outside_shape, "x[t.grid()] = 1", "", "x[100]", 28}}));
  EXPECT_TRUE(clean([&] { gs::launch<set_guarded>({.grid = 2, .block = 64}, x); }));
  // An empty array is one of the device's, too.
  const gs::device_array<int> none(0);
  const auto result = gs::inspect([&] { gs::launch<set>({}, none); });
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].extents, std::vector<std::size_t>{0});
  EXPECT_EQ(result.findings[0].space, gs::memory_space::global);
}

void increment_beyond(gs::thread t, gs::view<int> x) { gs::atomic_ref(x[t.grid() + 1]).fetch_add(1); }
TEST(verdict_memory, atomic_operation_beyond_the_end) {
  const auto x = filled(4, 0);
  const auto result = gs::inspect([&] { gs::launch<increment_beyond>({.block = 4}, x); }, all_instruments());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, outside_shape);
  EXPECT_EQ(result.findings[0].access.kind, gs::access_kind::atomic);
  EXPECT_EQ(result.findings[0].access.thread.x, 3u);
}

struct tile_of_8 {
  gs::tile<float, 8, 8> a;
};
void through_tile(gs::thread t, gs::shared<tile_of_8> s, gs::view<float> y) {
  s->a(t.thread_idx().y, t.thread_idx().x) = 1;
  t.sync();
  y[t.thread_rank()] = s->a(t.thread_idx().x, t.thread_idx().y);
}
void beyond_tile(gs::thread t, gs::shared<tile_of_8> s, gs::view<float> y) {
  s->a(t.thread_idx().y, t.thread_idx().x) = 1;
  t.sync();
  y[t.thread_rank()] = s->a(t.thread_idx().x, t.thread_idx().y + 1);
}
TEST(verdict_memory, beyond_a_tile_inside_the_shared_memory) {
  const auto y = filled(64, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<through_tile>({.block = {8, 8}}, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<beyond_tile>({.block = {8, 8}}, y); },
                      {{outside_shape, "s->a(t.thread_idx().x", "", "(0, 8)", 8}}));
}

void reverse(gs::thread t, gs::dynamic_shared<int> s, gs::view<int> x) {
  s[t.thread_rank()] = x[t.thread_rank()];
  t.sync();
  x[t.thread_rank()] = s[x.size() - 1 - t.thread_rank()];
}
TEST(verdict_memory, dynamic_shared_memory) {
  const auto x = filled(32, 7);
  EXPECT_TRUE(clean([&] { gs::launch<reverse>({.block = 32, .shared_bytes = 128}, x); }));
  EXPECT_TRUE(verdict(
      [&] { gs::launch<reverse>({.block = 32, .shared_bytes = 64}, x); },
      {{outside_shape, "s[t.thread_rank()] = x", "", "[16]", 16}, {outside_shape, "s[x.size() - 1", "", "[31]", 16}}));
}

void powers(gs::thread t, int n, gs::view<float> y) {
  gs::local_array<float, 4> p;
  p[0] = 1;
  for (int i = 1; i < n; ++i) p[i] = p[i - 1] * 2;
  y[t.grid()] = p[3];
}
TEST(verdict_memory, local_array) {
  const auto y = filled(2, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<powers>({.block = 2}, 4, y); }));
  EXPECT_TRUE(
      verdict([&] { gs::launch<powers>({.block = 2}, 5, y); }, {{outside_shape, "p[i] = p[i - 1] * 2", "", "[4]", 2}}));
}

// --- memcheck: freed memory ------------------------------------------------------------------------------------------

TEST(verdict_memory, view_of_an_array_that_is_gone) {
  auto x = std::make_unique<gs::device_array<int>>(gs::shape(4));
  const gs::view<int> left = x->view();
  EXPECT_TRUE(clean([&] { gs::launch<set>({.block = 4}, left); }));
  x.reset();
  EXPECT_TRUE(
      verdict([&] { gs::launch<set>({.block = 4}, left); }, {{use_after_free, "x[t.grid()] = 1", "", "x[0]", 4}}));
}

TEST(verdict_memory, view_of_an_array_that_was_assigned_to) {
  auto x = filled(4, 0);
  const gs::view<int> left = x.view();
  x = filled(4, 1);
  EXPECT_TRUE(
      verdict([&] { gs::launch<set>({.block = 4}, left); }, {{use_after_free, "x[t.grid()] = 1", "", "x[0]", 4}}));
  EXPECT_TRUE(clean([&] { gs::launch<set>({.block = 4}, x); }));
}

void write_old(gs::thread t, gs::view<const int> x, gs::view<int> old) { old[t.grid()] = x[t.grid()]; }
void update_old(gs::thread t, gs::view<int> old) { gs::atomic_ref(old[t.grid()]).fetch_add(1); }
void read_old(gs::thread t, gs::view<const int> old, gs::view<int> y) { y[t.grid()] = old[t.grid()]; }
void shift_both(gs::thread t, gs::view<const int> x, gs::view<int> y) { y[t.grid() + 40] = x[t.grid() + 50]; }
TEST(verdict_memory, what_is_done_to_freed_memory) {
  const auto x = filled(32, 1), y = filled(32, 0);
  const auto of_old = [&](auto launch) {
    const auto result = gs::inspect(
        [&] {
          gs::view<int> old;
          {
            const auto gone = filled(32, 0);
            old = gone;
          }
          launch(old);
        },
        all_instruments());
    EXPECT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings.at(0).kind, use_after_free);
    return result.findings.at(0);
  };
  const gs::finding written = of_old([&](auto old) { gs::launch<write_old>({.block = 32}, x, old); });
  EXPECT_EQ(written.access.kind, gs::access_kind::write);
  EXPECT_NE(written.meaning.find("writes old[0] after"), std::string::npos) << written.meaning;
  const gs::finding updated = of_old([&](auto old) { gs::launch<update_old>({.block = 32}, old); });
  EXPECT_EQ(updated.access.kind, gs::access_kind::atomic);
  EXPECT_NE(updated.meaning.find("updates old[0] atomically after"), std::string::npos) << updated.meaning;
  const gs::finding read = of_old([&](auto old) { gs::launch<read_old>({.block = 32}, gs::view<const int>(old), y); });
  EXPECT_EQ(read.access.kind, gs::access_kind::read);
  // Two indices of which neither leads to an element, before either is used.
  const auto both = gs::inspect([&] { gs::launch<shift_both>({.block = 1}, x, y); }, all_instruments());
  ASSERT_EQ(both.findings.size(), 2u);
  for (const gs::finding& f : both.findings)
    EXPECT_EQ(f.access.kind, f.index[0] == 50 ? gs::access_kind::read : gs::access_kind::write) << f.meaning;
}

void before_the_first(gs::thread, int* p, int by, gs::view<int> y) { y[0] = p[-by]; }
void run_before_the_first(gs::thread t, gs::view<int> x, int by, gs::view<int> y) {
  before_the_first(t, x.data(), by, y);
}
TEST(verdict_memory, pointer_in_front_of_an_array) {
  gs::instruments::device_arena own;  // of a program's first array, whichever ran before
  const auto first = reinterpret_cast<std::uintptr_t>(own.allocate(64));
  for (std::uintptr_t by : {4, 4096, 1 << 20}) {
    EXPECT_TRUE(own.contains(first - by)) << by;
    EXPECT_EQ(own.find(first - by), nullptr) << by;
  }
  const auto x = filled(64, 0), y = filled(64, 0);
  const auto result = gs::inspect([&] { gs::launch<run_before_the_first>({}, x, 1, y); }, all_instruments());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, outside_shape);
  EXPECT_NE(result.findings[0].meaning.find("at an address that belongs to no array"), std::string::npos);
}

// --- memcheck: names -------------------------------------------------------------------------------------------------

GS_FN int times_two(int x) { return 2 * x; }
inline constexpr auto doubled = gs::vectorize<times_two>;
GS_FN int load(gs::view<const int> v, gs::detail::index i) { return v[i]; }
void read_first(gs::thread t, gs::view<const int> a, gs::view<int> y) { y[0] = load(a, t.grid() + 8); }
void read_second(gs::thread t, gs::view<const int> a, gs::view<int> y) { y[0] = load(a, t.grid() + 9); }

TEST(verdict_memory, names_of_arrays_that_are_made_in_one_line) {
  const auto x = filled(8, 1), y = filled(8, 0);
  // clang-format off
  const auto result = gs::inspect([&] {
    const auto p = doubled(x), q = doubled(x);
    gs::launch<read_first>({}, p, y);
    gs::launch<read_second>({}, q, y);
  }, all_instruments());
  // clang-format on
  ASSERT_EQ(result.findings.size(), 2u);
  EXPECT_EQ(result.findings[0].meaning, "p[8] reads outside the array's shape (8,), in thread 0 of block 0.");
  EXPECT_EQ(result.findings[1].meaning, "q[9] reads outside the array's shape (8,), in thread 0 of block 0.");
}

// --- what a hint proposes --------------------------------------------------------------------------------------------

template <class T>
void count_in_one(gs::thread, gs::view<T> x) {
  x[0] = static_cast<T>(x[0] + T{1});
}
struct pair_of_counts {
  int a : 4, b : 28;
};
void count_in_bits(gs::thread, gs::view<pair_of_counts> x) { x[0].b += 1; }
void count_in_shared_bits(gs::thread t, gs::shared<pair_of_counts> s, gs::view<int> y) {
  s->b = static_cast<int>(t.thread_rank()) & 7;
  y[t.thread_rank()] = 0;
}
TEST(verdict_memory, hints_name_gs_atomic_ref_where_it_compiles) {
  const auto hint_of = [](auto launch) {
    const auto result = gs::inspect(launch, all_instruments());
    EXPECT_GE(result.findings.size(), 1u);
    return result.findings.empty() ? "" : result.findings[0].hint;
  };
  const auto counts = [&](auto zero) {
    using T = decltype(zero);
    const auto x = filled(1, zero);
    return hint_of([&] { gs::launch<count_in_one<T>>({.block = 64}, x); });
  };
  const char* const compiles = "gs::atomic_ref(x[0])";
  EXPECT_NE(counts(0).find(compiles), std::string::npos) << counts(0);
  EXPECT_NE(counts(0.0).find(compiles), std::string::npos);
  EXPECT_EQ(counts(std::uint8_t{0}).find(compiles), std::string::npos) << counts(std::uint8_t{0});
  EXPECT_EQ(counts(std::int16_t{0}).find(compiles), std::string::npos);
  const auto bits = filled(1, pair_of_counts{});
  EXPECT_EQ(hint_of([&] { gs::launch<count_in_bits>({.block = 64}, bits); }).find(compiles), std::string::npos);
  const auto y = filled(64, 0);
  const std::string of_shared = hint_of([&] { gs::launch<count_in_shared_bits>({.block = 64}, y); });
  EXPECT_NE(of_shared.find("no bit field"), std::string::npos) << of_shared;
}

// --- memcheck: iterators ---------------------------------------------------------------------------------------------

void sum_by_range(gs::thread, gs::view<const int> x, gs::view<int> y) {
  int sum = 0;
  for (const int one : x) sum += one;
  y[0] = sum;
}
void fill_by_range(gs::thread, gs::view<int> x) {
  for (int& one : x) one = 3;
}
TEST(verdict_memory, a_range_of_a_view_is_seen) {
  const auto y = filled(1, 0);
  const auto result =
      gs::inspect([&] { gs::launch<sum_by_range>({}, gs::device_array<int>(8), y); }, all_instruments());
  ASSERT_GE(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, uninitialized_read);
  EXPECT_EQ(result.findings[0].count, 8u);
  const auto x = filled(8, 0);
  const auto race = gs::inspect([&] { gs::launch<fill_by_range>({.block = 2}, x); }, all_instruments());
  ASSERT_EQ(race.findings.size(), 1u);
  EXPECT_EQ(race.findings[0].kind, race_in_block);
}

TEST(verdict_memory, moving_an_array_keeps_its_memory) {
  auto x = filled(4, 0);
  const gs::view<int> seen = x.view();
  const auto moved = std::move(x);
  EXPECT_TRUE(clean([&] { gs::launch<set>({.block = 4}, seen); }));
  EXPECT_EQ(moved.copy_to_host(), std::vector<int>(4, 1));
}

TEST(verdict_memory, a_slice_keeps_the_memory_of_its_array) {
  auto x = filled(8, 0);
  const auto half = x.slice(4, 8);
  x = filled(1, 0);
  EXPECT_TRUE(clean([&] { gs::launch<set>({.block = 4}, half); }));
}

TEST(verdict_memory, freeing_an_array_that_a_queued_launch_uses) {
  EXPECT_TRUE(clean([&] {
    const auto x = filled(1024, 0);
    for (int i = 0; i < 4; ++i) gs::launch<set>({.grid = 16, .block = 64}, x);
  }));
}

// --- initcheck -------------------------------------------------------------------------------------------------------

void twice(gs::thread t, gs::view<const float> x, gs::view<float> y) { y[t.grid()] = 2 * x[t.grid()]; }

TEST(verdict_memory, array_that_nothing_wrote) {
  const auto y = filled(64, 0.0f);
  const auto code = [&] {
    gs::device_array<float> x(64);
    gs::launch<twice>({.grid = 2, .block = 32}, x, y);
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "2 * x[t.grid()]", "", "x[0]", 64}}));
}

TEST(verdict_memory, array_that_a_kernel_wrote) {
  const auto x = filled(64, 0.0f);
  EXPECT_TRUE(clean([&] {
    gs::device_array<float> y(64), z(64);
    gs::launch<twice>({.grid = 2, .block = 32}, x, y);
    gs::launch<twice>({.grid = 2, .block = 32}, y, z);
    z.copy_to_host();
  }));
}

TEST(verdict_memory, array_filled_in_part) {
  const auto y = filled(8, 0.0f);
  const auto code = [&] {
    gs::device_array<float> x(8);
    x.slice(0, 2).copy_from_host(std::vector<float>(2));
    x.slice(5, 8).copy_from_host(std::vector<float>(3));
    gs::launch<twice>({.block = 8}, x, y);
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "2 * x[t.grid()]", "", "x[2]", 3}}));
}

TEST(verdict_memory, array_filled_slice_after_slice) {
  const auto y = filled(8, 0.0f);
  EXPECT_TRUE(clean([&] {
    gs::device_array<float> x(8);
    x.slice(4, 8).copy_from_host(std::vector<float>(4));
    x.slice(0, 4).copy_from_host(std::vector<float>(4));
    gs::launch<twice>({.block = 8}, x, y);
    x.copy_to_host();
  }));
}

TEST(verdict_memory, copy_to_host_of_what_nothing_wrote) {
  const auto x = filled(5, 0.0f);
  const auto code = [&] {
    gs::device_array<float> y(8);
    gs::launch<twice>({.block = 5}, x, y);
    y.copy_to_host();
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "y.copy_to_host()", "", "y[5]", 3}}));
  EXPECT_TRUE(clean([&] {
    gs::device_array<float> y(8);
    gs::launch<twice>({.block = 5}, x, y);
    y.slice(0, 5).copy_to_host();
  }));
}

TEST(verdict_memory, a_copy_is_as_unwritten_as_its_original) {
  const auto code = [&] {
    gs::device_array<float> x(4);
    x.slice(0, 1).copy_from_host(std::vector<float>(1));
    const auto y = x.copy();
    y.copy_to_host();
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "y.copy_to_host()", "", "y[1]", 3}}));
}

void every_second(gs::thread t, gs::view<float> x) { x[2 * t.grid()] = 1; }
TEST(verdict_memory, a_copy_of_every_second_element) {
  const auto code = [&] {
    gs::device_array<float> x(64);
    gs::launch<every_second>({.block = 32}, x);
    const auto y = x.copy();
    y.copy_to_host();
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "y.copy_to_host()", "", "y[1]", 32}}));
}

void count(gs::thread t, gs::view<int> n) { gs::atomic_ref(n[t.grid() % 2]).fetch_add(1); }
TEST(verdict_memory, counters_that_start_anywhere) {
  const auto code = [&] {
    gs::device_array<int> n(2);
    gs::launch<count>({.grid = 2, .block = 32}, n);
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "gs::atomic_ref(n[t.grid() % 2])", "", "n[0]", 2}}));
}

struct row {
  gs::tile<float, 32> a;
};
void last_block_first(gs::thread t, gs::shared<row> s, gs::view<float> y) {
  if (t.block_idx().x == 0) s->a[t.thread_rank()] = 1;
  t.sync();
  y[t.grid()] = s->a[31 - t.thread_rank()];
}
TEST(verdict_memory, shared_memory_of_another_block) {
  const auto y = filled(96, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<last_block_first>({.grid = 1, .block = 32}, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<last_block_first>({.grid = 3, .block = 32}, y); },
                      {{uninitialized_read, "s->a[31 - t.thread_rank()]", "", "[31]", 64}}));
}

void half_filled(gs::thread t, gs::dynamic_shared<float> s, gs::view<float> y) {
  if (t.thread_rank() % 2 == 0) s[t.thread_rank()] = 1;
  t.sync();
  y[t.grid()] = s[t.thread_rank()];
}
TEST(verdict_memory, dynamic_shared_memory_filled_in_part) {
  const auto y = filled(32, 0.0f);
  EXPECT_TRUE(verdict([&] { gs::launch<half_filled>({.block = 32, .shared_bytes = 128}, y); },
                      {{uninitialized_read, "y[t.grid()] = s[t.thread_rank()]", "", "[1]", 16}}));
}

struct particle {
  float mass;
  double speed;
};
void speed_only(gs::thread t, gs::view<particle> p) { p[t.grid()].speed = 2; }
void momentum(gs::thread t, gs::view<const particle> p, gs::view<double> y) {
  y[t.grid()] = p[t.grid()].mass * p[t.grid()].speed;
}
void speed_of(gs::thread t, gs::view<const particle> p, gs::view<double> y) { y[t.grid()] = p[t.grid()].speed; }
TEST(verdict_memory, member_that_nothing_wrote) {
  const auto y = filled(4, 0.0);
  const auto code = [&] {
    gs::device_array<particle> p(4);
    gs::launch<speed_only>({.block = 4}, p);
    gs::launch<momentum>({.block = 4}, p, y);
  };
  EXPECT_TRUE(verdict(code, {{uninitialized_read, "p[t.grid()].mass", "", "p[0]", 4}}));
  EXPECT_TRUE(clean([&] {
    gs::device_array<particle> p(4);
    gs::launch<speed_only>({.block = 4}, p);
    gs::launch<speed_of>({.block = 4}, p, y);
  }));
}

// --- leakcheck -------------------------------------------------------------------------------------------------------

TEST(verdict_memory, array_that_is_never_freed) {
  gs::device_array<float>* lost = nullptr;
  const auto code = [&] { lost = new gs::device_array<float>(16); };
  EXPECT_TRUE(verdict(code, {{leak, "lost = new gs::device_array<float>", "", "lost"}}));
  delete lost;
  gs::inspect_options forgiving = all_instruments_but(gs::instrument::leakcheck);
  EXPECT_TRUE(clean(code, forgiving));
  delete lost;
}

TEST(verdict_memory, arrays_that_are_freed) {
  EXPECT_TRUE(clean([&] {
    auto* x = new gs::device_array<float>(16);
    const auto part = x->reshape({4, 4})[1];
    delete x;
  }));
}

}  // namespace
