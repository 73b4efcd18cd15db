// Names and accesses at a place, as the compiler's plugin has noted them in this program. What it notes is tested in
// tests/compiler/accesses.cpp.

#include "runtime/instruments/results/place_text.h"

#include <gtest/gtest.h>

#include <source_location>
#include <vector>

#include "runtime/gs.h"
#include "runtime/numpy/arithmetic.h"

namespace place_text_test {

using gs::source_place;
using gs::detail::name_of_array;
using gs::detail::text_of_access;

// As the arrays and the index of the checked flavour take their places.
source_place place(const std::source_location& at) { return {at.file_name(), at.line(), at.column()}; }

struct number {
  std::source_location where;
  number(int, std::source_location at = std::source_location::current()) : where(at) {}
};
// As an element is, the place of an access is a reference.
inline const source_place& kept(const number& i) {
  thread_local source_place last;
  return last = place(i.where);
}
template <class T>
struct array {
  source_place made;
  array(number, std::source_location at = std::source_location::current()) : made(place(at)) {}
  array(const std::vector<int>&, source_place at) : made(at) {}
  const source_place& operator[](number i) const { return kept(i); }
  template <class... I>
  const source_place& operator()(number first, I...) const {
    return kept(first);
  }
};
array<float> to_device(const std::vector<int>& x, std::source_location at = std::source_location::current()) {
  return {x, place(at)};
}
struct tiles {
  array<float> a = array<float>(1);
};
tiles* shared_tiles(tiles& s, int = 0) { return &s; }
struct ref {
  source_place where;
};
namespace gs_like {
ref atomic_ref(source_place where) { return {where}; }
}  // namespace gs_like

struct solver {
  array<float> first_, second_;
  explicit solver(int n) : first_(n), second_(n) {}
};

const source_place& element(const array<float>& /*x*/, number i) { return kept(i); }
const array<float>& same(const array<float>& x) { return x; }
array<float> made_by_return(const std::vector<int>& x) { return to_device(x); }

TEST(place_text, names_the_array_that_is_made_there) {
  const std::vector<int> x;
  auto x_device = to_device(x);
  array<float> y(5);
  const auto p = to_device(x), q = to_device(std::vector<int>(3, 1));
  array<float> r(1), s{2};
  auto z = array<float>(3);
  array<float> w = to_device(std::vector<int>(3));
  EXPECT_EQ(name_of_array(x_device.made), "x_device");
  EXPECT_EQ(name_of_array(y.made), "y");
  EXPECT_EQ(name_of_array(p.made), "p");
  EXPECT_EQ(name_of_array(q.made), "q");
  EXPECT_EQ(name_of_array(r.made), "r");
  EXPECT_EQ(name_of_array(s.made), "s");
  EXPECT_EQ(name_of_array(z.made), "z");
  EXPECT_EQ(name_of_array(w.made), "w");
  y = to_device(x);
  EXPECT_EQ(name_of_array(y.made), "y");
  if (x.empty()) y = to_device(x);
  EXPECT_EQ(name_of_array(y.made), "y");
  const solver solved(3);
  EXPECT_EQ(name_of_array(solved.first_.made), "first_");
  EXPECT_EQ(name_of_array(solved.second_.made), "second_");
}

// As an array that a ufunc has made: its place was found by the code, and is a line.
TEST(place_text, names_an_array_of_which_only_the_line_is_known) {
  const std::vector<float> h(5, 1);
  const auto x = gs::to_device(h);
  unsigned line = std::source_location::current().line();
  const auto twice = gs::add(x, x);
  EXPECT_EQ(name_of_array({__FILE__, ++line, 0}), "twice");
  line = std::source_location::current().line();
  const auto back = gs::add(x, x).copy_to_host();
  EXPECT_EQ(name_of_array({__FILE__, ++line, 0}), "") << "what is declared there is made of the array";
  line = std::source_location::current().line();
  const auto long_one = gs::add(gs::add(gs::add(x, x), gs::add(x, gs::add(x, x))),
                                gs::add(gs::add(gs::add(x, x), x), gs::add(x, gs::add(x, x))));
  EXPECT_EQ(name_of_array({__FILE__, line + 1, 0}), "long_one");
  EXPECT_EQ(name_of_array({__FILE__, line + 2, 0}), "long_one");
  EXPECT_EQ(name_of_array({__FILE__, 1, 0}), "");
}

// Where several are named, which of them is meant isn't known by the line alone.
TEST(place_text, names_none_of_several_in_a_line) {
  const auto x = gs::to_device(std::vector<float>(5, 1));
  const unsigned line = std::source_location::current().line() + 1;
  const auto a = gs::add(x, x), b = gs::add(gs::add(x, x), x);
  EXPECT_EQ(gs::detail::columns_of_arrays({__FILE__, line, 0}), (std::vector<unsigned>{14, 33}));
  EXPECT_EQ(name_of_array({__FILE__, line, 0}), "");
  EXPECT_EQ(name_of_array({__FILE__, line, 14}), "a");
  EXPECT_EQ(name_of_array({__FILE__, line, 33}), "b");
}

TEST(place_text, names_nothing_where_nothing_is_declared) {
  const std::vector<int> x;
  const auto& kept = same(to_device(x));
  (void)kept;
  EXPECT_EQ(name_of_array(same(to_device(x)).made), "");
  EXPECT_EQ(name_of_array(made_by_return(x).made), "");
  EXPECT_EQ(name_of_array({}), "");
  EXPECT_EQ(name_of_array({"no such file.cpp", 3, 1}), "");
  EXPECT_EQ(name_of_array({__FILE__, 1'000'000, 1}), "");
}

TEST(place_text, shows_an_access_as_it_is_written) {
  const array<float> A(1), rows[2] = {A, A};
  tiles s;
  tiles* const p = &s;
  const int i = 1, j = 2;
  // Outside of macros, in which every place is that of the macro.
  const std::pair<source_place, const char*> accesses[] = {
      {A[i], "A[i]"},
      {A(i, j + 1), "A(i, j + 1)"},
      {A[(i + 1) * 2], "A[(i + 1) * 2]"},
      {p->a(i, j), "p->a(i, j)"},
      {s.a[j], "s.a[j]"},
      {rows[1][i], "rows[1][i]"},
      {(*p).a[i], "(*p).a[i]"},
      {shared_tiles(s, 3)->a(i, j), "shared_tiles(s, 3)->a(i, j)"},
      {gs_like::atomic_ref(A[i]).where, "A[i]"},
      {A(i + i + i + i + i + i + i + i + i + i + i, j + j + j + j + j + j + j + j + j + j),
       "A(i + i + i + i + i + i + i + i + i + i + i, j + j + j + ..."},
      {A(i /* rows, not columns */, j), "A(i /* rows, not columns */, j)"}};
  for (const auto& [where, text] : accesses) EXPECT_EQ(text_of_access(where), text);
}

TEST(place_text, knows_the_parts_of_an_access) {
  const array<float> A(1);
  const int i = 1, j = 2;
  const gs::detail::access_text parts = gs::detail::parts_of_access(A(i, j + 1));
  EXPECT_EQ(parts.object, "A");
  EXPECT_EQ(parts.indices, (std::vector<std::string>{"i", "j + 1"}));
  EXPECT_EQ(gs::detail::parts_of_access(A[(i + 1) * 2]).indices, std::vector<std::string>{"(i + 1) * 2"});
  const gs::detail::access_text no_parts = gs::detail::parts_of_access(element(A, i));
  EXPECT_EQ(no_parts.object, "");
  EXPECT_EQ(no_parts.indices, std::vector<std::string>());
  EXPECT_EQ(text_of_access(element(A, i)), "element(A, i)");
  EXPECT_EQ(text_of_access({__FILE__, 3, 1}), "");
}

}  // namespace place_text_test
