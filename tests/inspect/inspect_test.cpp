// The type inspector finds each widening where it stands, says what kind it is, and finds none where there is none.

#include "runtime/inspect/inspect.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <typeinfo>
#include <vector>

#include "runtime/core/error.h"
#include "tests/inspect/widening_cases.h"

namespace {

std::string folder() { return std::filesystem::path(cases::source_file()).parent_path().string(); }

std::string text_of_file(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct place {
  std::size_t line = 0, column = 0;
};

// Where `expression` first stands behind the definition that starts with `definition`.
place place_of(const std::string& file, const std::string& definition, const std::string& expression) {
  const std::string text = text_of_file(file);
  const std::size_t start = text.find(definition), widenings = text.find(expression, start);
  EXPECT_NE(start, text.npos) << definition;
  EXPECT_NE(widenings, text.npos) << expression;
  if (start == text.npos || widenings == text.npos) return {};
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(widenings), '\n');
  return {static_cast<std::size_t>(line) + 1, widenings - (text.rfind('\n', widenings) + 1) + 1};
}

enum class kind { plain, written_out, removed };

struct expected {
  std::string function;    // holds the widening
  std::string definition;  // where the search for it starts
  std::string context;     // the first such text from there on ends in the expression, or in its closing bracket
  std::string expression;
  kind is;
  std::string reason, advice;  // parts of them
};

const std::vector<expected> cases_expected = {
    {"literal_left(float)", "float literal_left(", "0.1 * x", "0.1 * x", kind::plain, "0.1 is a float64 literal",
     "write 0.1f"},
    {"literal_right(float)", "float literal_right(", "x / 3.3", "x / 3.3", kind::plain, "3.3 is a float64 literal",
     "write 3.3f"},
    {"exact_literal(float)", "float exact_literal(", "0.5 * x", "0.5 * x", kind::removed, "0.5 is a float64 literal",
     "write 0.5f"},
    {"double_variable(float)", "float double_variable(", "x * scale", "x * scale", kind::plain,
     "other operand is float64", "float32"},
    {"two_in_one(float, float)", "float two_in_one(", "x * 0.1", "x * 0.1", kind::plain, "0.1 is", "0.1f"},
    {"two_in_one(float, float)", "float two_in_one(", "y * 0.3", "y * 0.3", kind::plain, "0.3 is", "0.3f"},
    {"of_a_sum(float, float)", "float of_a_sum(", "0.1 * (x + y)", "0.1 * (x + y)", kind::plain, "0.1 is", "0.1f"},
    {"compound(float)", "float compound(", "x - 1.1", "x - 1.1", kind::plain, "1.1 is", "1.1f"},
    {"compound(float)", "float compound(", "sum += x", "sum += x", kind::plain, "other operand", "cast it to double"},
    {"compound_literal(float)", "float compound_literal(", "x *= 4.3", "x *= 4.3", kind::plain, "4.3 is", "4.3f"},
    {"comparison(float)", "bool comparison(", "x > 0.1", "x > 0.1", kind::plain, "0.1 is", "0.1f"},
    {"exact_comparison(float)", "bool exact_comparison(", "x < 0.25", "x < 0.25", kind::removed, "0.25 is", "0.25f"},
    {"constant(double)", "float constant(", "0.1f * x", "0.1f * x", kind::removed, "other operand", ""},
    {"within_call(float, float)", "float within_call(", "x * takes_double(y)", "x * takes_double(y)", kind::plain,
     "other operand", ""},
    {"within_call(float, float)", "float within_call(", "takes_double(y)", "y", kind::plain,
     "passed to cases::takes_double(double)", ""},
    {"choice(bool, float, double)", "float choice(", "b ? x : y", "b ? x : y", kind::plain, "other result is float64",
     ""},
    {"chosen_literal(float)", "float chosen_literal(", "x > 0.0f ? x : 0.1", "x > 0.0f ? x : 0.1", kind::plain,
     "0.1 is", "0.1f"},
    {"loop(float)", "float loop(", "sum += x", "sum += x", kind::plain, "other operand", ""},
    {"c_square_root(float)", "float c_square_root(", "::sqrt(x)", "x", kind::plain, "passed to sqrt(double)",
     "std::sqrt"},
    {"own_function(float)", "float own_function(", "takes_double(x)", "x", kind::plain,
     "passed to cases::takes_double(double)", "float32"},
    {"third_argument(float, float)", "float third_argument(", "x + y", "x + y", kind::plain,
     "passed to cases::takes_mixed(double, int, double)", "float32"},
    {"result(float)", "double result(", "return x", "x", kind::plain, "returns float64", "return float"},
    {"result_by_alias(float)", "real result_by_alias(", "return x", "x", kind::plain, "returns float64",
     "return float"},
    {"variable(float)", "float variable(", "d = x", "x", kind::plain, "d is float64", "make d a float"},
    {"variable_by_alias(float)", "float variable_by_alias(", "d{x}", "x", kind::plain, "d is float64",
     "make d a float"},
    {"variable_by_alias(float)", "float variable_by_alias(", "d = x", "x", kind::plain, "d is float64",
     "make d a float"},
    {"variable_from_call(float)", "float variable_from_call(", "x * std::sqrt(x)", "x * std::sqrt(x)", kind::plain,
     "d is float64", ""},
    {"nested_arguments(float, float)", "float nested_arguments(", "takes_double(x)", "x", kind::plain,
     "passed to cases::takes_double", ""},
    {"nested_arguments(float, float)", "float nested_arguments(", "takes_double(y)", "y", kind::plain,
     "passed to cases::takes_double", ""},
    {"widened_choice(bool, float, double)", "float widened_choice(", "y * (b ? x : std::sqrt(x))",
     "y * (b ? x : std::sqrt(x))", kind::plain, "other operand", ""},
    {"cast_of_choice(bool, float)", "float cast_of_choice(", "static_cast<double>(b ? x : 1.5f)",
     "static_cast<double>(b ? x : 1.5f)", kind::written_out, "source", ""},
    {"narrowed_again(float, double)", "float narrowed_again(", "y - static_cast<float>(x * 0.1)",
     "y - static_cast<float>(x * 0.1)", kind::plain, "other operand", ""},
    {"narrowed_again(float, double)", "float narrowed_again(", "x * 0.1", "x * 0.1", kind::plain, "0.1 is", "0.1f"},
    {"by_reference(float)", "float by_reference(", "d = x", "x", kind::plain, "used as float64", ""},
    {"cast_named(float)", "float cast_named(", "static_cast<double>(x)", "static_cast<double>(x)", kind::written_out,
     "source says so", ""},
    {"cast_functional(float)", "float cast_functional(", "takes_double(double(x))", "double(x)", kind::written_out,
     "source says so", ""},
    {"cast_c_style(float)", "double cast_c_style(", "(double)x", "(double)x", kind::written_out, "source says so", ""},
    {"cast_by_alias(float)", "float cast_by_alias(", "real(x)", "real(x)", kind::written_out, "source says so", ""},
    {"cast_and_literal(float, float)", "float cast_and_literal(", "static_cast<double>(x)", "static_cast<double>(x)",
     kind::written_out, "source", ""},
    {"cast_and_literal(float, float)", "float cast_and_literal(", "static_cast<double>(x) * takes_double(0.1) * y",
     "static_cast<double>(x) * takes_double(0.1) * y", kind::plain, "other operand", ""},
    {"square(float)", "float square(", "x * x * 1.3", "x * x * 1.3", kind::plain, "1.3 is", "1.3f"},
    {"scaled<float>(float)", "T scaled(", "1.7 * x", "1.7 * x", kind::plain, "1.7 is", "1.7f"},
    {"operator()(float) const", "float calls_lambda(", "y * 1.9", "y * 1.9", kind::plain, "1.9 is", "1.9f"},
    {"calls_standard(float)", "float calls_standard(", "std::pow(x, 2)", "std::pow(x, 2)", kind::plain,
     "std::pow<float, int> computes", "2.0f"},
    {"calls_generic(float)", "float calls_generic(", "std::fmax(x, 0.5)", "std::fmax(x, 0.5)", kind::plain,
     "std::fmax<float, double>", "2.0f"},
    {"calls_complex(std::complex<float>)", "double calls_complex(", "std::complex<double>(z).real()",
     "std::complex<double>(z).real()", kind::plain, "std::complex<double>::complex computes", "float32"},
    {"widener::widener(float)", "struct widener", "value(x)", "x", kind::plain, "used as float64", ""},
    {"hidden(float)", "float hidden(", "x * 2.1", "x * 2.1", kind::plain, "2.1 is", "2.1f"},
    {"by_macro(float)", "float by_macro(", "TIMES_POINT_THREE(x)", "TIMES_POINT_THREE(x)", kind::plain, "other operand",
     ""},
    {"by_macro_literal(float)", "float by_macro_literal(", "x * POINT_SIX", "x * POINT_SIX", kind::plain,
     "other operand", ""},
    {"after_greek(float)", "float after_greek(", "2.3 * x", "2.3 * x", kind::plain, "2.3 is", "2.3f"},
};

#if defined(__clang__)  // names no template's arguments
const std::string of_float;
#else
const std::string of_float = "<float>";
#endif

// One inspection serves the tests that look at different sides of it: each takes seconds.
const gs::type_report& report_on_all() {
  static const gs::type_report report = cases::inspect_all();
  return report;
}

std::vector<gs::widening> widenings_in(const gs::type_report& report, const std::string& function) {
  std::vector<gs::widening> widenings;
  for (const gs::widening& w : report.widenings)
    if (w.function.ends_with("::" + function)) widenings.push_back(w);
  return widenings;
}

}  // namespace

TEST(type_inspector, finds_each_widening_where_it_stands) {
  const gs::type_report& report = report_on_all();
  ASSERT_TRUE(report.complete) << report.reason;
  const std::string file = cases::source_file();
  for (const expected& e : cases_expected) {
    place at = place_of(file, e.definition, e.context);
    at.column += e.context.rfind(e.expression);
    const auto widenings = widenings_in(report, e.function);
    const auto match = std::find_if(widenings.begin(), widenings.end(), [&](const gs::widening& w) {
      return w.line == at.line && w.column == at.column && w.expression == e.expression;
    });
    ASSERT_NE(match, widenings.end()) << e.function << ": " << e.expression << " at " << at.line << ":" << at.column
                                      << "\n"
                                      << gs::to_text(report);
    EXPECT_EQ(match->file, file);
    EXPECT_EQ(match->last_column, match->column + e.expression.size() - 1) << e.expression;
    EXPECT_EQ(match->to, "float64");
    EXPECT_EQ(match->is_explicit, e.is == kind::written_out) << e.function << ": " << e.expression;
    EXPECT_EQ(match->removed_by_compiler, e.is == kind::removed) << e.function << ": " << e.expression;
    EXPECT_NE(match->reason.find(e.reason), std::string::npos) << e.function << ": " << match->reason;
    EXPECT_NE(match->advice.find(e.advice), std::string::npos) << e.function << ": " << match->advice;
    EXPECT_EQ(match->advice.empty(), match->is_explicit);
  }
}

TEST(type_inspector, finds_nothing_else) {
  // The table, and three that tests of their own look at: over_lines, as_long_double, in_header.
  EXPECT_EQ(report_on_all().widenings.size(), cases_expected.size() + 3) << gs::to_text(report_on_all());
}

TEST(type_inspector, shows_the_first_line_of_a_long_expression) {
  const auto widenings = widenings_in(report_on_all(), "over_lines(float, float)");
  ASSERT_EQ(widenings.size(), 1u);
  const place at = place_of(cases::source_file(), "float over_lines(", "0.7 *");
  EXPECT_EQ(widenings[0].line, at.line);
  EXPECT_EQ(widenings[0].column, at.column);
  EXPECT_EQ(widenings[0].last_column, at.column + 4 + std::string("  // times").size());
  EXPECT_TRUE(widenings[0].expression.ends_with("(x - y)")) << widenings[0].expression;
  EXPECT_EQ(widenings[0].advice, "write 0.7f");
}

TEST(type_inspector, knows_long_double) {
  const auto widenings = widenings_in(report_on_all(), "as_long_double(float)");
  ASSERT_EQ(widenings.size(), 1u);
  EXPECT_EQ(widenings[0].to, "long double");
  EXPECT_EQ(widenings[0].line, place_of(cases::source_file(), "long double as_long_double(", "x * ").line);
}

TEST(type_inspector, looks_into_headers_and_says_the_way) {
  const auto in_header = widenings_in(report_on_all(), "in_header(float)");
  ASSERT_EQ(in_header.size(), 1u);
  const std::string header = folder() + "/widening_in_header.h";
  const place at = place_of(header, "float in_header(", "x * 2.7");
  EXPECT_TRUE(std::filesystem::equivalent(in_header[0].file, header)) << in_header[0].file;
  EXPECT_EQ(in_header[0].line, at.line);
  EXPECT_EQ(in_header[0].column, at.column);
  EXPECT_EQ(in_header[0].called_from, std::vector<std::string>{"cases::calls_header(float)"});

  const auto in_square = widenings_in(report_on_all(), "square(float)");
  ASSERT_EQ(in_square.size(), 1u);
  EXPECT_EQ(in_square[0].called_from,
            (std::vector<std::string>{"cases::calls_square(float)", "cases::through(float)"}));
  EXPECT_TRUE(widenings_in(report_on_all(), "hidden(float)").at(0).called_from.empty());
}

TEST(type_inspector, finds_nothing_in_clean_functions) {
  const gs::type_report report = cases::inspect_clean();
  EXPECT_TRUE(report.complete) << report.reason;
  EXPECT_EQ(report.widenings.size(), 0u) << gs::to_text(report);
  for (const gs::specialisation& s : report.specialisations) EXPECT_TRUE(s.found) << s.text;
  EXPECT_NE(gs::to_text(report).find("No float32 value is widened."), std::string::npos);
}

TEST(type_inspector, lists_every_specialisation_of_a_ufunc) {
  const gs::type_report report = cases::inspect_ufunc();
  ASSERT_EQ(report.specialisations.size(), 2u);
  EXPECT_EQ(report.specialisations[0].text, "cases::on_gpu" + of_float + "(float32) -> float32");
  EXPECT_EQ(report.specialisations[1].text, "cases::add_integers(int64, int64) -> int64");
  EXPECT_EQ(report.specialisations[1].arguments, (std::vector<std::string>{"int64", "int64"}));
  EXPECT_EQ(report.specialisations[1].result, "int64");
  EXPECT_EQ(report.targets[0], "cpu");
  EXPECT_EQ(report.targets[1], "parallel");
  EXPECT_TRUE(report.complete) << report.reason;
  EXPECT_EQ(report.widenings.size(), 1u);
  const std::string text = gs::to_text(report);
  for (const auto& s : report.specialisations) EXPECT_NE(text.find(s.text), std::string::npos) << text;
}

TEST(type_inspector, marks_the_source) {
  const std::string text = gs::to_text(report_on_all());
  const place at = place_of(cases::source_file(), "float literal_left(", "0.1 * x");
  const std::string code = "float literal_left(float x) { return static_cast<float>(0.1 * x); }\n";
  const std::size_t widenings = text.find(code);
  ASSERT_NE(widenings, std::string::npos) << text;
  const std::string marks =
      text.substr(widenings + code.size(), text.find('\n', widenings + code.size()) - widenings - code.size());
  EXPECT_EQ(marks.find("^^^^^^^"), std::string("      | ").size() + at.column - 1) << marks;
  EXPECT_NE(text.find("float32 -> float64: 0.1 is a float64 literal; write 0.1f"), std::string::npos);
  EXPECT_NE(
      text.find("cases::square(float), called from cases::through(float), called from cases::calls_square(float)"),
      std::string::npos);
}

TEST(type_inspector, says_what_it_cannot_see) {
  const gs::type_report empty_report = cases::inspect_elsewhere();
  EXPECT_FALSE(empty_report.complete);
  EXPECT_NE(empty_report.reason.find("no body for cases::elsewhere(float)"), std::string::npos) << empty_report.reason;
  EXPECT_FALSE(empty_report.specialisations.at(0).found);

  const gs::type_report callees = cases::inspect_calls_elsewhere();
  EXPECT_FALSE(callees.complete);
  EXPECT_EQ(callees.not_seen.size(), 2u);
  EXPECT_NE(callees.reason.find("cases::elsewhere(float)"), std::string::npos) << callees.reason;
  EXPECT_NE(callees.reason.find("a function pointer"), std::string::npos) << callees.reason;
  const std::string text = gs::to_text(callees);
  EXPECT_NE(text.find("Not everything was seen"), std::string::npos);
  EXPECT_EQ(text.find("No float32 value is widened"), std::string::npos);
}

TEST(type_inspector, inspects_what_nvcc_compiles) {
  const gs::type_report report = cases::inspect_on_gpu();
  EXPECT_TRUE(report.complete) << report.reason;
  ASSERT_EQ(report.widenings.size(), 1u) << gs::to_text(report);
  EXPECT_EQ(report.specialisations[0].text, "cases::on_gpu" + of_float + "(float32) -> float32");
  EXPECT_EQ(report.specialisations[1].text, "cases::{anonymous}::half_of(float32) -> float32");
  EXPECT_EQ(report.widenings[0].expression, "0.1 * x");
  const place at = place_of(folder() + "/widening_on_gpu.cpp", "float half_of(", "0.1 * x");
  EXPECT_EQ(report.widenings[0].line, at.line);
  EXPECT_EQ(report.widenings[0].column, at.column);
#if defined(GRIDSTRIDE_CUDA)
  EXPECT_EQ(report.targets.back(), "cuda");
#else
  EXPECT_EQ(report.targets.back(), "engine");
#endif
}

TEST(type_inspector, says_how_long_it_took) { EXPECT_GT(report_on_all().seconds, 0.0); }

namespace {

// A build folder of one file, made for a test.
class small_build {
 public:
  explicit small_build(const std::string& source, const std::string& compiler = "g++ -std=c++20")
      : folder_(std::filesystem::path(testing::TempDir()) / ("inspect " + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(file()) << source;
    std::ofstream(folder_ / "compile_commands.json")
        << R"([{"directory": ")" << folder_.string() << R"(", "file": "small.cpp", "command": ")" << compiler
        << R"( -o small.o -c small.cpp"}])";
  }
  ~small_build() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  small_build(const small_build&) = delete;
  small_build& operator=(const small_build&) = delete;

  std::string file() const { return (folder_ / "small.cpp").string(); }
  gs::type_report inspect(const std::string& source_file) const {
    gs::inspecting::function_to_find function{{}, "f", typeid(float (*)(float)).name(), nullptr};
    return gs::inspecting::inspect_in(folder_.string(), {function}, source_file, false);
  }

 private:
  std::filesystem::path folder_;
};

void expect_refused(const gs::type_report& report, const std::string& because) {
  EXPECT_FALSE(report.complete);
  EXPECT_NE(report.reason.find(because), std::string::npos) << report.reason;
  EXPECT_TRUE(report.widenings.empty());
}

}  // namespace

TEST(type_inspector, works_in_a_folder_with_a_blank_in_its_name) {
  const small_build build("float f(float x) { return x * 0.1; }\n");
  const gs::type_report report = build.inspect(build.file());
  ASSERT_TRUE(report.complete) << report.reason;
  ASSERT_EQ(report.widenings.size(), 1u);
  EXPECT_EQ(report.widenings[0].expression, "x * 0.1");
}

TEST(type_inspector, tells_overloads_apart) {
  const small_build build(
      "double f(double x) { return x; }\nfloat f(float x) { return x * 0.1; }\nint f(int, float);\n");
  const gs::type_report report = build.inspect(build.file());
  ASSERT_TRUE(report.complete) << report.reason;
  EXPECT_EQ(report.specialisations[0].first_line, 2u);
  EXPECT_EQ(report.widenings.size(), 1u);
}

TEST(type_inspector, says_that_the_file_does_not_compile) {
  const small_build build("float f(float x) { return y; }\n");
  expect_refused(build.inspect(build.file()), "'y' was not declared");
}

TEST(type_inspector, says_that_the_compiler_is_missing) {
  const small_build build("float f(float x) { return x; }\n", "/no/such/g++");
  expect_refused(build.inspect(build.file()), "run the compiler /no/such/g++");
}

TEST(type_inspector, says_that_the_file_is_not_in_the_build) {
  const small_build build("float f(float x) { return x; }\n");
  expect_refused(build.inspect("/no/such/file.cpp"), "doesn't compile that file");
  std::filesystem::remove(build.file());
  expect_refused(build.inspect(build.file()), "the file is gone");
}

TEST(type_inspector, says_that_there_is_no_build) {
  gs::inspecting::function_to_find function{{}, "f", typeid(float (*)(float)).name(), nullptr};
  const auto report = gs::inspecting::inspect_in("/no/such/build", {function}, "/no/such/file.cpp", false);
  expect_refused(report, "/no/such/build/compile_commands.json");
  EXPECT_NE(gs::to_text(report).find("Not everything was seen"), std::string::npos);
}
