// initcheck and a struct's padding: never written, but copied with the members.

#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

struct behind {
  double d;
  char c;
};
struct between {
  char c;
  double d;
};
struct inner {
  short s;
  char c;
};
struct nested {
  inner pair[3];
  long long x;
  between b;
};
struct bits {
  unsigned a : 3;
  unsigned b : 20;
  unsigned char c;
};
struct alignas(32) wide {
  float x, y, z;
};
struct with_union {
  int tag;
  union {
    float f;
    double d[6];
  };
};

void set(behind& v, int i) { v.d = i, v.c = static_cast<char>(i); }
void set(between& v, int i) { v.c = static_cast<char>(i), v.d = i; }
void set(nested& v, int i) {
  for (inner& one : v.pair) one.s = static_cast<short>(i), one.c = 1;
  v.x = i;
  set(v.b, i);
}
void set(bits& v, int i) { v.a = 1, v.b = static_cast<unsigned>(i) & 0xfffff, v.c = 3; }
void set(wide& v, int i) { v.x = v.y = v.z = static_cast<float>(i); }
void set(with_union& v, int i) { v.tag = 1, v.f = static_cast<float>(i); }

enum class way { assigned, by_way_of_a_variable, by_memcpy, by_memcpy_of_all, by_pointer };

template <class T>
void write_members(gs::thread t, gs::view<T> x) {
  if (t.grid() < x.size()) set(x[t.grid()], static_cast<int>(t.grid()));
}
template <class T, way how>
void copy_structs(gs::thread t, gs::view<const T> x, gs::view<T> y) {
  const std::size_t i = t.grid();
  if (i >= x.size()) return;
  if constexpr (how == way::assigned) y[i] = x[i];
  if constexpr (how == way::by_way_of_a_variable) {
    const T one = x[i];
    y[i] = one;
  }
  if constexpr (how == way::by_memcpy) std::memcpy(&y[i], &x[i], sizeof(T));
  if constexpr (how == way::by_memcpy_of_all) {
    if (i == 0) std::memcpy(&y[0], &x[0], x.size() * sizeof(T));
  }
  if constexpr (how == way::by_pointer) {
    const T* from = x.data();
    T* to = y.data();
    to[i] = from[i];
  }
}
template <class T>
struct shared_structs {
  T single[2];
  gs::tile<T, 8> list;
};
template <class T>
void through_shared_memory(gs::thread t, gs::shared<shared_structs<T>> s, gs::view<T> y) {
  const unsigned me = t.thread_rank();
  set(s->list[me], static_cast<int>(me));
  if (me < 2) set(s->single[me], 1);
  t.sync();
  y[me] = s->list[7 - me];
  t.sync();
  if (me < 2) y[me] = s->single[1 - me];
}

template <class T, way how>
void try_copies() {
  EXPECT_TRUE(clean([] {
    for (const std::size_t n : {1u, 31u, 33u}) {
      const gs::device_array<T> x(n), y(n), z(n);
      gs::launch<write_members<T>>({.grid = 2, .block = 32}, x);
      gs::launch<copy_structs<T, how>>({.grid = 2, .block = 32}, x, y);
      gs::launch<copy_structs<T, how>>({.grid = 2, .block = 32}, y, z);
      z.copy_to_host();
    }
  })) << static_cast<int>(how);
  EXPECT_FALSE(clean([] {
    const gs::device_array<T> x(33), y(33);
    gs::launch<copy_structs<T, how>>({.grid = 2, .block = 32}, x, y);
  })) << static_cast<int>(how);
}
template <class T>
void try_all() {
  try_copies<T, way::assigned>();
  try_copies<T, way::by_way_of_a_variable>();
  try_copies<T, way::by_memcpy>();
  try_copies<T, way::by_memcpy_of_all>();
  try_copies<T, way::by_pointer>();
  const gs::device_array<T> y(8);
  EXPECT_TRUE(clean([&] { gs::launch<through_shared_memory<T>>({.block = 8}, y); }));
}

TEST(verdict_padding, behind_the_members) { try_all<behind>(); }
TEST(verdict_padding, between_the_members) { try_all<between>(); }
TEST(verdict_padding, of_structs_in_structs) { try_all<nested>(); }
TEST(verdict_padding, of_bit_fields) { try_all<bits>(); }
TEST(verdict_padding, of_an_alignment) { try_all<wide>(); }
TEST(verdict_padding, of_a_union) { try_all<with_union>(); }

void write_pair(gs::thread t, gs::view<char> memory) {
  auto* pairs = reinterpret_cast<std::pair<char, double>*>(memory.data());
  pairs[t.grid()].first = 1;
  pairs[t.grid()].second = 2;
}
void copy_pair(gs::thread t, gs::view<char> memory, gs::view<double> y) {
  auto* pairs = reinterpret_cast<std::pair<char, double>*>(memory.data());
  const std::pair<char, double> one = pairs[t.grid()];
  y[t.grid()] = one.first + one.second;
}
TEST(verdict_padding, of_a_pair_behind_a_pointer) {
  const auto y = filled(16, 0.0);
  EXPECT_TRUE(clean([&] {
    const gs::device_array<char> memory(256);
    gs::launch<write_pair>({.block = 16}, memory);
    gs::launch<copy_pair>({.block = 16}, memory, y);
  }));
}

// A member that was never written isn't padding.
void write_all_but_one(gs::thread t, gs::view<between> x) { x[t.grid()].c = 1; }
void read_member(gs::thread t, gs::view<const between> x, gs::view<double> y) { y[t.grid()] = x[t.grid()].d; }
void write_half(gs::thread t, gs::view<int> x) { *reinterpret_cast<short*>(&x[t.grid()]) = 1; }
void read_whole(gs::thread t, gs::view<const int> x, gs::view<double> y) { y[t.grid()] = x[t.grid()]; }
void write_first_half(gs::thread t, gs::view<float> x) {
  if (t.grid() < x.size() / 2) x[t.grid()] = 1;
}
void copy_range(gs::thread, gs::view<const float> x, gs::view<float> y) {
  std::memcpy(y.data(), x.data(), x.size() * sizeof(float));
}
TEST(verdict_padding, a_member_that_nothing_wrote) {
  const auto y = filled(32, 0.0);
  const auto copied_whole = [] {
    gs::device_array<between> x(32);
    gs::device_array<between> z(32);
    gs::launch<write_all_but_one>({.block = 32}, x);
    gs::launch<copy_structs<between, way::assigned>>({.block = 32}, x, z);
  };
  EXPECT_TRUE(verdict(copied_whole, {{uninitialized_read, "y[i] = x[i]", "", "x[0]", 32}}));
  const auto read_alone = [&] {
    gs::device_array<between> x(32);
    gs::launch<write_all_but_one>({.block = 32}, x);
    gs::launch<read_member>({.block = 32}, x, y);
  };
  EXPECT_TRUE(verdict(read_alone, {{uninitialized_read, "x[t.grid()].d", "", "x[0]", 32}}));
  const auto half_a_number = [&] {
    gs::device_array<int> x(32);
    gs::launch<write_half>({.block = 32}, x);
    gs::launch<read_whole>({.block = 32}, x, y);
  };
  EXPECT_TRUE(verdict(half_a_number, {{uninitialized_read, "= x[t.grid()]", "", "x[0]", 32}}));
  EXPECT_FALSE(clean([] {
    const gs::device_array<float> x(64), z(64);
    gs::launch<write_first_half>({.block = 64}, x);
    gs::launch<copy_range>({}, x, z);
  }));
}

}  // namespace
