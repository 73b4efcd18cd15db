// What the inspector reads from source text to show an expression whole.

#include "runtime/inspect/source_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using gs::inspecting::is_double_literal;
using gs::inspecting::source_text;
using gs::inspecting::written_cast;

source_text source_of(const std::string& text) {
  const auto file = std::filesystem::path(testing::TempDir()) / ("source_text_" + std::to_string(getpid()) + ".cpp");
  std::ofstream(file) << text;
  source_text source(file.string());
  std::filesystem::remove(file);
  return source;
}

}  // namespace

TEST(source_text, finds_lines_and_places) {
  const source_text source = source_of("one\ntwo π x\r\n\nfour");
  EXPECT_EQ(source.line(1), "one");
  EXPECT_EQ(source.line(2), "two π x");
  EXPECT_EQ(source.line(4), "four");
  EXPECT_EQ(source.line(5), "");
  EXPECT_EQ(source.byte_column(2, 7), 8u);  // π is two bytes
  EXPECT_EQ(source.place(*source.offset(2, 5)), (std::pair<std::size_t, std::size_t>{2, 5}));
  EXPECT_FALSE(source.offset(9, 1));
}

TEST(source_text, splits_arguments) {
  const std::string text = "f(a, g(b, c), \"d,)\", ',', h{1, 2} /* , ( */)";
  const source_text source = source_of(text);
  std::vector<std::string> texts;
  for (const auto span : source.arguments(1)) texts.emplace_back(source.text(span));
  EXPECT_EQ(texts, (std::vector<std::string>{"a", "g(b, c)", "\"d,)\"", "','", "h{1, 2} /* , ( */"}));
  EXPECT_EQ(source.text(source.call(1)), text);
  EXPECT_TRUE(source.arguments(0).empty());
}

TEST(source_text, orders_nested_calls) {
  const source_text source = source_of("f(g(x), 1, h(k(y)), static_cast<double>(z), (z))");
  EXPECT_EQ(source.nested_calls(1), (std::vector<std::size_t>{14, 12, 3, 1}));
}

TEST(source_text, finds_what_a_statement_is_about) {
  const source_text source = source_of("int returned = 1; return f(x, 1); d = x + 1, e{y}; x == 2;");
  EXPECT_EQ(source.text(*source.returned_expression(25)), "f(x, 1)");
  EXPECT_FALSE(source.returned_expression(15));
  EXPECT_EQ(source.text(*source.initializer("d", 34)), "x + 1");  // at the name, the '=', the end
  EXPECT_EQ(source.text(*source.initializer("d", 36)), "x + 1");
  EXPECT_EQ(source.text(*source.initializer("d", 43)), "x + 1");
  EXPECT_EQ(source.text(*source.initializer("e", 45)), "y");
  EXPECT_FALSE(source.initializer("x", 51));
  EXPECT_FALSE(source.initializer("d", 51));  // not in this statement
}

TEST(source_text, knows_written_casts) {
  const auto length = [](const std::string& text, bool call = false) { return written_cast(text, call).value_or(0); };
  EXPECT_EQ(length("static_cast<double>(x + 1) * y"), 26u);
  EXPECT_EQ(length("(double)x * y"), 9u);
  EXPECT_EQ(length("(long double) x"), 15u);
  EXPECT_EQ(length("double(x) * y"), 9u);
  EXPECT_EQ(length("real{f(x)}"), 10u);
  EXPECT_EQ(length("f(x)", true), 0u);
  EXPECT_EQ(length("(x) * y"), 0u);
  EXPECT_EQ(length("(x + y) * z"), 0u);
  EXPECT_EQ(length("x"), 0u);
  EXPECT_EQ(length("static_cast<float>(x)"), 0u);
  EXPECT_EQ(length("(float)x"), 0u);
  EXPECT_EQ(length("float(x)"), 0u);
  EXPECT_EQ(length("my_float(x)"), 11u);
}

TEST(source_text, knows_double_literals) {
  for (const char* literal : {"0.5", ".5", "2.", "1e3", "1.5e-3", "-0.5", "1'000.5"})
    EXPECT_TRUE(is_double_literal(literal)) << literal;
  for (const char* literal : {"0.5f", "2", "x", "0.5L", "0.5 * x", "x.y", ""})
    EXPECT_FALSE(is_double_literal(literal)) << literal;
}
