// Names and accesses, read from the source at a place.

#include "runtime/instruments/results/place_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <source_location>
#include <vector>

namespace {

using gs::source_place;
using gs::detail::name_of_array;
using gs::detail::text_of_access;

// As the arrays and the index of the checked flavour take their places.
source_place place(const std::source_location& at) { return {at.file_name(), at.line(), at.column()}; }

struct number {
  source_place where;
  number(int, std::source_location at = std::source_location::current()) : where(place(at)) {}
};
template <class T>
struct array {
  source_place made;
  array(number, std::source_location at = std::source_location::current()) : made(place(at)) {}
  array(const std::vector<int>&, source_place at) : made(at) {}
  source_place operator[](number i) const { return i.where; }
  template <class... I>
  source_place operator()(number first, I...) const {
    return first.where;
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

const array<float>& same(const array<float>& x) { return x; }
array<float> made_by_return(const std::vector<int>& x) { return to_device(x); }

}  // namespace

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
  const solver made(3);
  EXPECT_EQ(name_of_array(made.first_.made), "first_");
  EXPECT_EQ(name_of_array(made.second_.made), "second_");
}

TEST(place_text, names_an_array_of_which_only_the_line_is_known) {
  const std::vector<int> x;
  auto x_device = to_device(x);
  EXPECT_EQ(name_of_array({__FILE__, x_device.made.line, 0}), "x_device");
  const auto line = to_device(x).made.line;
  EXPECT_EQ(name_of_array({__FILE__, line, 0}), "") << "what is declared there is made of the array";
  EXPECT_EQ(name_of_array({__FILE__, 1, 0}), "");
}

// Where several are named, which of them is meant isn't known by the line alone.
TEST(place_text, names_none_of_several_in_a_line) {
  const auto file = std::filesystem::path(testing::TempDir()) / ("arrays_" + std::to_string(getpid()) + ".cpp");
  std::ofstream(file) << "const auto a = add(x, y), b = add(f(x, y), x);\n"
                         "auto c = add(x, y); auto d = add(y, x);\n"
                         "if (n > 0) { e = add(x, y); }\n"
                         "const auto s = add(x, y).copy_to_host(), t = s;\n"
                         "const auto g = add(std::vector<int>{1, 2}, y);\n";
  const auto columns = [&](unsigned line) { return gs::detail::columns_of_arrays({file, line, 0}); };
  EXPECT_EQ(columns(1), (std::vector<unsigned>{13, 28}));
  EXPECT_EQ(columns(2), (std::vector<unsigned>{7, 27}));
  EXPECT_EQ(columns(4), std::vector<unsigned>());
  for (unsigned line : {1u, 2u, 4u}) EXPECT_EQ(name_of_array({file, line, 0}), "") << line;
  EXPECT_EQ(name_of_array({file, 3, 0}), "e");
  EXPECT_EQ(name_of_array({file, 5, 0}), "g");
  EXPECT_EQ(name_of_array({file, 1, 13}), "a");
  EXPECT_EQ(name_of_array({file, 1, 28}), "b");
  EXPECT_EQ(name_of_array({file, 2, 7}), "c");
  EXPECT_EQ(name_of_array({file, 2, 27}), "d");
  std::filesystem::remove(file);
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

TEST(place_text, reads_an_access_from_its_name_and_through_an_atomic_one) {
  const auto file = std::filesystem::path(testing::TempDir()) / ("place_text_" + std::to_string(getpid()) + ".cpp");
  std::ofstream(file) << "gs::atomic_ref(s->counts[bin(x)]).fetch_add(1u);\n"
                         "return in.field(i, j);\n"
                         "x + y;\n"
                         "f(A( i,\n"
                         "    j ) );\n";
  const auto at = [&](unsigned line, unsigned column) { return text_of_access({file, line, column}); };
  EXPECT_EQ(at(1, 45), "s->counts[bin(x)]");  // the '(' of fetch_add
  EXPECT_EQ(at(1, 15), "s->counts[bin(x)]");  // that of atomic_ref
  EXPECT_EQ(at(1, 32), "s->counts[bin(x)]");  // the ']'
  EXPECT_EQ(at(2, 8), "in.field(i, j)");
  EXPECT_EQ(at(3, 1), "");
  EXPECT_EQ(at(3, 3), "");
  EXPECT_EQ(at(4, 4), "A( i, j )");
  EXPECT_EQ(at(9, 1), "");
  EXPECT_EQ(gs::detail::parts_of_access({file, 1, 32}).indices, std::vector<std::string>{"bin(x)"});
  const gs::detail::access_text parts = gs::detail::parts_of_access({file, 2, 16});
  EXPECT_EQ(parts.object, "in.field");
  EXPECT_EQ(parts.indices, (std::vector<std::string>{"i", "j"}));
  std::filesystem::remove(file);
  EXPECT_EQ(at(2, 8), "");
  EXPECT_EQ(gs::detail::parts_of_access({file, 2, 16}).object, "");
}
