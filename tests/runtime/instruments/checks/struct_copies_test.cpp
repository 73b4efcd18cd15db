// Structs that a function returns straight into an array, or takes by value from one: each is a write or read like any
// other, for which only the plugin's pass makes a hook (compiler/source_notes/struct_copies.cpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <vector>

#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

struct pair_of_floats {  // in one register
  float x, y;
};
struct padded {
  char c;
  double d;
};
struct triple {  // in two
  float x, y, z;
};
struct row {  // in memory
  float values[12];
};
struct nothing {};
/// The compiler doesn't copy it: it is passed by its address.
struct counted {
  float x;
  explicit counted(float value) : x(value) {}
  counted(const counted& other) : x(other.x) {}
  counted& operator=(const counted& other) {
    x = other.x;
    return *this;
  }
  ~counted() {}
};

template <class T>
[[gnu::noinline]] T nth(std::size_t i);
template <>
[[gnu::noinline]] pair_of_floats nth(std::size_t i) {
  return {static_cast<float>(i), 1};
}
template <>
[[gnu::noinline]] padded nth(std::size_t i) {
  return {'c', static_cast<double>(i)};
}
template <>
[[gnu::noinline]] triple nth(std::size_t i) {
  return {static_cast<float>(i), 1, 2};
}
template <>
[[gnu::noinline]] row nth(std::size_t i) {
  row all;
  for (float& value : all.values) value = static_cast<float>(i);
  return all;
}
template <>
[[gnu::noinline]] counted nth(std::size_t i) {
  return counted(static_cast<float>(i));
}

[[gnu::noinline]] float first(pair_of_floats v) { return v.x; }
[[gnu::noinline]] float first(padded v) { return static_cast<float>(v.d); }
[[gnu::noinline]] float first(triple v) { return v.x; }
[[gnu::noinline]] float first(row v) { return v.values[0]; }

// --- results ---------------------------------------------------------------------------------------------------------

// Where an index is a call, as in x[t.grid()], or x is a view, g++ keeps the function's result apart by itself.
template <class T>
void store_results(gs::thread t, gs::view<T> x) {
  T* const p = x.data();
  const std::size_t i = t.grid();
  if (i < x.size()) p[i] = nth<T>(i);
}
template <class T>
void store_results_by_view(gs::thread t, gs::view<T> x) {
  if (t.grid() < x.size()) x[t.grid()] = nth<T>(t.grid());
}
template <class T>
void store_all_in_one(gs::thread t, gs::view<T> x) {
  x[0] = nth<T>(t.grid());
}
template <class T>
void store_all_by_pointer(gs::thread t, gs::view<T> x) {
  T* const p = x.data();
  const std::size_t i = t.grid();
  p[i / 32] = nth<T>(i);
}
template <class T>
void copy_structs(gs::thread t, gs::view<const T> x, gs::view<T> y) {
  if (t.grid() < x.size()) y[t.grid()] = x[t.grid()];
}
template <class T>
void store_beyond(gs::thread t, gs::view<T> x) {
  x[t.grid() + 1] = nth<T>(t.grid());
}

template <class T>
void try_results() {
  for (const std::size_t n : {0u, 1u, 31u, 33u}) {
    EXPECT_TRUE(clean([n] {
      const gs::device_array<T> x(n), y(n);
      gs::launch<store_results<T>>({.grid = 2, .block = 32}, x);
      gs::launch<copy_structs<T>>({.grid = 2, .block = 32}, x, y);
      gs::launch<store_results_by_view<T>>({.grid = 2, .block = 32}, x);
      y.copy_to_host();
    })) << n;
  }
  EXPECT_TRUE(verdict(
      [] {
        const gs::device_array<T> x(1);
        gs::launch<store_all_in_one<T>>({.block = 32}, x);
      },
      {{race_in_block, "x[0] = nth", "x[0] = nth", "x[0]", 0}}));
  EXPECT_TRUE(verdict(
      [] {
        const gs::device_array<T> x(1);
        gs::launch<store_all_by_pointer<T>>({.block = 32}, x);
      },
      {{race_in_block, "p[i / 32] = nth", "p[i / 32] = nth", "x", 0}}));
  EXPECT_TRUE(verdict(
      [] {
        const gs::device_array<T> x(32);
        gs::launch<store_beyond<T>>({.block = 32}, x);
      },
      {{outside_shape, "x[t.grid() + 1] = nth", "", "x[32]", 1}}));
}
TEST(verdict_struct_copies, results_in_one_register) { try_results<pair_of_floats>(); }
TEST(verdict_struct_copies, results_with_padding) { try_results<padded>(); }
TEST(verdict_struct_copies, results_in_two_registers) { try_results<triple>(); }
TEST(verdict_struct_copies, results_in_memory) { try_results<row>(); }

// The place is the assignment's: its line, and the index of the array that is written.
TEST(verdict_struct_copies, have_the_assignments_place) {
  const gs::inspection result = gs::inspect(
      [] {
        const gs::device_array<triple> x(32);
        gs::launch<store_beyond<triple>>({.block = 32}, x);
      },
      all_instruments());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].access.kind, gs::access_kind::write);
  EXPECT_EQ(result.findings[0].access.where.column, 4u);  // the bracket
}

template <class T>
struct two_tiles {
  gs::tile<T, 32> list, other;
};
template <class T>
void turn_around(gs::thread t, gs::shared<two_tiles<T>> s, gs::view<T> y) {
  T* const list = s->list.data();
  const unsigned i = t.thread_rank();
  list[i] = nth<T>(i);
  t.sync();
  y[t.thread_rank()] = s->list[31 - t.thread_rank()];
}
template <class T>
void turn_around_without_barrier(gs::thread t, gs::shared<two_tiles<T>> s, gs::view<T> y) {
  T* const list = s->list.data();
  const unsigned i = t.thread_rank();
  list[i] = nth<T>(i);
  y[t.thread_rank()] = s->list[31 - t.thread_rank()];
}
template <class T>
void try_shared_memory() {
  const gs::device_array<T> y(32);
  EXPECT_TRUE(clean([&] { gs::launch<turn_around<T>>({.block = 32}, y); }));
  const gs::inspection result = gs::inspect([&] { gs::launch<turn_around_without_barrier<T>>({.block = 32}, y); },
                                            all_instruments_but(gs::instrument::initcheck));
  ASSERT_FALSE(result.findings.empty());
  for (const gs::finding& f : result.findings) {
    EXPECT_EQ(f.kind, race_in_block);
    EXPECT_EQ(f.space, gs::memory_space::shared);
  }
}
TEST(verdict_struct_copies, results_in_shared_memory) {
  try_shared_memory<pair_of_floats>();
  try_shared_memory<padded>();
  try_shared_memory<row>();
}

// A struct with a copy constructor is made where it belongs, by the function: that writes it once.
void make_in_place(gs::thread t, gs::view<counted> x) { new (&x[t.grid()]) counted(nth<counted>(t.grid())); }
void read_members(gs::thread t, gs::view<const counted> x, gs::view<float> y) { y[t.grid()] = x[t.grid()].x; }
TEST(verdict_struct_copies, results_that_are_made_in_place) {
  const gs::inspection result = gs::inspect(
      [] {
        const gs::device_array<char> memory(32 * sizeof(counted));
        const gs::device_array<float> y(32);
        const gs::view<counted> x(reinterpret_cast<counted*>(memory.data()), 32);
        gs::launch<make_in_place>({.block = 32}, x);
        gs::launch<read_members>({.block = 32}, x, y);
      },
      all_instruments());
  EXPECT_TRUE(result.clean()) << text_of(result);
}

// --- exceptions ------------------------------------------------------------------------------------------------------

[[gnu::noinline]] triple even_triple(std::size_t i) {
  if (i % 2) throw std::invalid_argument("odd");
  return {static_cast<float>(i), 1, 2};
}
void store_even(gs::thread t, gs::view<triple> x, gs::view<int> caught) {
  triple* const p = x.data();
  const std::size_t i = t.grid();
  try {
    p[i] = even_triple(i);
    caught[i] = 0;
  } catch (const std::invalid_argument&) {
    caught[i] = 1;
  }
}
void read_even(gs::thread t, gs::view<const triple> x, gs::view<float> y) { y[t.grid()] = x[t.grid() & ~1u].x; }
void read_each(gs::thread t, gs::view<const triple> x, gs::view<float> y) { y[t.grid()] = x[t.grid()].x; }
TEST(verdict_struct_copies, a_function_that_throws_writes_nothing) {
  std::vector<int> caught;
  std::vector<float> even;
  EXPECT_TRUE(clean([&] {
    const gs::device_array<triple> x(32);
    const gs::device_array<int> c(32);
    const gs::device_array<float> y(32);
    gs::launch<store_even>({.block = 32}, x, c);
    gs::launch<read_even>({.block = 32}, x, y);
    caught = c.copy_to_host(), even = y.copy_to_host();
  }));
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(caught[i], i % 2);
    EXPECT_EQ(even[i], static_cast<float>(i & ~1));
  }
  const auto c = filled(32, 0);
  const auto y = filled(32, 0.0f);
  EXPECT_TRUE(verdict(
      [&] {
        const gs::device_array<triple> x(32);
        gs::launch<store_even>({.block = 32}, x, c);
        gs::launch<read_each>({.block = 32}, x, y);
      },
      {{uninitialized_read, "x[t.grid()].x", "", "x[1]", 16}}));
}

// --- races of two writes ---------------------------------------------------------------------------------------------

template <class T>
void store_one_value(gs::thread, gs::view<T> x) {
  x[0] = nth<T>(7);
}
template <class T>
void copy_all_to_one(gs::thread t, gs::view<const T> from, gs::view<T> to) {
  to[0] = from[t.grid()];
}
template <class T>
void copy_bytes_to_one(gs::thread t, gs::view<const T> from, gs::view<T> to) {
  std::memcpy(&to[0], &from[t.grid()], sizeof(T));
}
// Whether all findings, of which there is one at least, say so.
bool same_value(gs::detail::function_ref<void()> code) {
  const gs::inspection result = gs::inspect(code, all_instruments());
  EXPECT_FALSE(result.findings.empty());
  return std::ranges::all_of(result.findings, [](const gs::finding& f) { return f.same_value; });
}
template <class T>
void try_same_value() {
  const gs::device_array<T> one(1);
  EXPECT_TRUE(same_value([&] { gs::launch<store_one_value<T>>({.block = 32}, one); }));
  EXPECT_FALSE(same_value([&] { gs::launch<store_all_in_one<T>>({.block = 32}, one); }));
  const auto equal = filled(32, nth<T>(7));
  std::vector<T> values(32, nth<T>(7));
  values[20] = nth<T>(8);
  const auto different = gs::to_device(values);
  EXPECT_TRUE(same_value([&] { gs::launch<copy_all_to_one<T>>({.block = 32}, equal, one); }));
  EXPECT_FALSE(same_value([&] { gs::launch<copy_all_to_one<T>>({.block = 32}, different, one); }));
  EXPECT_TRUE(same_value([&] { gs::launch<copy_bytes_to_one<T>>({.block = 32}, equal, one); }));
  EXPECT_FALSE(same_value([&] { gs::launch<copy_bytes_to_one<T>>({.block = 32}, different, one); }));
}
TEST(verdict_struct_copies, are_compared_whole_in_one_register) { try_same_value<pair_of_floats>(); }
TEST(verdict_struct_copies, are_compared_whole_in_two_registers) { try_same_value<triple>(); }
TEST(verdict_struct_copies, are_compared_whole_in_memory) { try_same_value<row>(); }

// The last write races with both others.
void write_parts_and_whole(gs::thread t, gs::view<pair_of_floats> x) {
  if (t.grid() == 0) x[0].x = 2;
  if (t.grid() == 1) x[0].y = 2;
  if (t.grid() == 2) x[0] = nth<pair_of_floats>(2);
}
TEST(verdict_struct_copies, are_compared_with_each_earlier_write) {
  const auto x = filled(1, pair_of_floats{0, 0});
  const auto findings =
      gs::inspect([&] { gs::launch<write_parts_and_whole>({.block = 3}, x); }, all_instruments()).findings;
  EXPECT_EQ(findings.size(), 2u);
  for (const gs::finding& f : findings) EXPECT_FALSE(f.same_value) << f.meaning;
}

// --- arguments -------------------------------------------------------------------------------------------------------

template <class T>
void pass_by_value(gs::thread t, gs::view<const T> x, gs::view<float> y) {
  if (t.grid() < x.size()) y[t.grid()] = first(x[t.grid()]);
}
template <class T>
void pass_while_written(gs::thread t, gs::view<T> x, gs::view<float> y) {
  if (t.grid() == 0) x[5] = T{};
  y[t.grid()] = first(x[t.grid()]);
}
template <class T>
void try_arguments() {
  const gs::device_array<float> y(32);
  EXPECT_TRUE(clean([&] {
    const gs::device_array<T> x(32);
    gs::launch<store_results<T>>({.block = 32}, x);
    gs::launch<pass_by_value<T>>({.block = 32}, x, y);
  }));
  for (int i = 0; i < 32; ++i) EXPECT_EQ(y.copy_to_host()[i], static_cast<float>(i));
  EXPECT_TRUE(verdict(
      [&] {
        const gs::device_array<T> x(32);
        gs::launch<pass_by_value<T>>({.block = 32}, x, y);
      },
      {{uninitialized_read, "first(x[t.grid()])", "", "x[0]", 32}}));
  EXPECT_TRUE(verdict(
      [&] {
        const auto x = filled(32, T{});
        gs::launch<pass_while_written<T>>({.block = 32}, x, y);
      },
      {{race_in_block, "first(x[t.grid()])", "x[5] = T{}", "x[5]", 0}}));
}
TEST(verdict_struct_copies, arguments_in_one_register) { try_arguments<pair_of_floats>(); }
TEST(verdict_struct_copies, arguments_with_padding) { try_arguments<padded>(); }
TEST(verdict_struct_copies, arguments_in_two_registers) { try_arguments<triple>(); }
TEST(verdict_struct_copies, arguments_in_memory) { try_arguments<row>(); }

[[gnu::noinline]] float chosen(nothing, float x) { return x; }
struct with_nothing {
  nothing empty;
  float x;
};
void pass_nothing(gs::thread t, gs::view<const with_nothing> x, gs::view<float> y) {
  y[t.grid()] = chosen(x[t.grid()].empty, 1);
}
TEST(verdict_struct_copies, an_argument_without_members_is_not_read) {
  EXPECT_TRUE(clean([] {
    const gs::device_array<with_nothing> x(32);
    const gs::device_array<float> y(32);
    gs::launch<pass_nothing>({.block = 32}, x, y);
  }));
}

// --- memory as bytes, which g++ observes by itself: the pass leaves it alone ----------------------------------------

void copy_ten(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  __builtin_memcpy(&y[10 * t.grid()], &x[10 * t.grid()], 10 * sizeof(float));
}
void clear_all(gs::thread, gs::view<float> x) { __builtin_memset(&x[0], 0, 16 * sizeof(float)); }
TEST(verdict_struct_copies, memcpy_and_memset_of_a_known_size) {
  const auto x = filled(320, 1.0f), y = filled(320, 0.0f);
  EXPECT_TRUE(clean([&] {
    const gs::device_array<float> middle(320);
    gs::launch<copy_ten>({.block = 32}, x, middle);
    gs::launch<copy_ten>({.block = 32}, middle, y);
  }));
  EXPECT_EQ(y.copy_to_host(), x.copy_to_host());
  const auto findings = [&](gs::detail::function_ref<void()> code) {
    return gs::inspect(code, all_instruments()).findings;
  };
  const auto unwritten = findings([&] {
    const gs::device_array<float> middle(320);
    gs::launch<copy_ten>({.block = 32}, middle, y);
  });
  ASSERT_FALSE(unwritten.empty());
  EXPECT_EQ(unwritten[0].kind, uninitialized_read);
  const auto races = findings([&] { gs::launch<clear_all>({.block = 2}, y); });
  ASSERT_FALSE(races.empty());
  EXPECT_EQ(races[0].kind, race_in_block);
}

// --- what the library does with structs ------------------------------------------------------------------------------

[[gnu::noinline]] padded larger(padded a, padded b) { return a.d < b.d ? b : a; }
[[gnu::noinline]] row sum(row a, row b) {
  for (int k = 0; k < 12; ++k) a.values[k] += b.values[k];
  return a;
}
constexpr auto largest = gs::vectorize<larger>;
constexpr auto rows = gs::vectorize<sum>;

TEST(verdict_struct_copies, reductions_of_structs) {
  for (const std::size_t n : {1u, 31u, 32u, 33u, 1009u}) {
    padded last{};
    row total{};
    EXPECT_TRUE(clean([&] {
      const gs::device_array<padded> x(n);
      const gs::device_array<row> y(n);
      const unsigned blocks = static_cast<unsigned>(n / 32 + 1);
      gs::launch<store_results<padded>>({.grid = blocks, .block = 32}, x);
      gs::launch<store_results<row>>({.grid = blocks, .block = 32}, y);
      last = largest.reduce(x).copy_to_host()[0], total = rows.reduce(y).copy_to_host()[0];
    })) << n;
    EXPECT_EQ(last.d, static_cast<double>(n - 1));
    EXPECT_EQ(total.values[7], static_cast<float>(n * (n - 1) / 2));
  }
}

}  // namespace
