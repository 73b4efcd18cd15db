// The commonest mistakes: each is compiled, and must get the advice written for it.

#include "exercises/explain/compile_mistakes.h"

#include "tests/exercises/small_course.h"

#include "exercises/explain/compiler_text.h"

using exercises::outcome;
using exercises_test::small_course;

namespace {

struct mistake {
  const char* name;
  const char* code;
  const char* advice;  // a part of it
};

const mistake mistakes[] = {
    {"host_pointer", "void f(float* x) { gs::launch<scale>({}, 2.0f, x); }", "gs::to_device(x)"},
    {"host_array", "void f(std::vector<float>& x) { gs::launch<scale>({}, 2.0f, x); }", "gs::to_device(x)"},
    {"double_literal", "void f(gs::device_array<float>& x) { gs::launch<scale>({}, 2.0, x); }", "2.0f for a float"},
    {"too_few_arguments", "void f(gs::device_array<float>& x) { gs::launch<scale>({}, x); }",
     "gs::thread comes by itself"},
    {"constant_view", "void f(gs::view<const float> x) { x[0] = 1; }", "gs::view<const float>"},
    {"constant_state", "void f(gs::view<const gs::random_state> all, gs::random_state one) { all[0] = one; }",
     "It is constant"},
    {"shared_with_a_dot",
     "struct counters { gs::tile<unsigned, 8> of; };\n"
     "void f(gs::thread, gs::shared<counters> own) { own.of[0] = 1; }",
     "own->of[k]"},
    {"atomic_element", "void f(gs::view<unsigned> counts) { counts[0].fetch_add(1u); }", "gs::atomic_ref"},
    {"atomic_as_a_number", "void f(gs::view<unsigned> counts) { gs::atomic_ref(counts[0]) += 1; }", "read by load()"},
    {"atomic_read_as_a_number",
     "unsigned f(gs::view<unsigned> counts) { unsigned n = gs::atomic_ref(counts[0]); return n; }", "read by load()"},
    {"stream_as_an_event", "void f(gs::stream& first, gs::stream& second) { second.wait(first); }", "e.record(first)"},
    {"waiting_without_an_event", "void f(gs::stream& s) { s.wait(); }", "by s.synchronize()"},
    {"larger_of_two_structs",
     "struct candidate { float value; unsigned index; };\n"
     "candidate f(candidate a, candidate b) { return std::max(a, b); }",
     "a.value < b.value"},
    {"sum_of_two_structs",
     "struct line { float a, b; };\n"
     "line f(const line& first, line then) { return first + then; }",
     "call the function that is there for it"},
    {"number_for_a_struct",
     "struct partial { float largest, sum; };\n"
     "partial f(partial p) { return p.sum + 1; }",
     "all of its members in braces"},
    {"distance_of_sizes", "std::size_t f(std::size_t a, std::size_t b) { return std::abs(a - b); }", "a < b ? b - a"},
    {"largest_of_two_types", "std::size_t f(std::size_t n) { return std::max(1, n); }", "std::max<std::size_t>(1, n)"},
    {"missing_const", "float g(std::vector<float>& x);\nfloat f(const std::vector<float>& x) { return g(x); }",
     "A const is missing"},
    {"copied_array", "gs::device_array<float> f(const gs::device_array<float>& x) { return x; }", "x.copy()"},
    {"constant_stream", "void f(const gs::stream& s) { s.synchronize(); }", "To wait for a stream"},
    {"copied_stream", "void f(const gs::stream& s) { gs::stream mine = s; mine.synchronize(); }", "take a reference"},
    {"copied_struct",
     "struct stage { gs::stream stream; gs::device_array<float> buffer; };\n"
     "void f(std::vector<stage>& stages) { stage mine = stages[0]; mine.stream.synchronize(); }",
     "take a reference"},
    {"extents_of_two_types", "gs::device_array<float> f(std::size_t n) { return gs::device_array<float>({3, n}); }",
     "must be of one type"},
    {"missing_copy_to_host", "float f(const gs::device_array<float>& x) { return x[0]; }", "x.copy_to_host() waits"},
    {"device_result", "std::vector<float> f(const gs::device_array<float>& x) { return x.copy(); }", ".copy_to_host()"},
    {"other_layout",
     "GS_FN void total(gs::view<float> x, float& sum) { sum = x[0]; }\n"
     "constexpr auto totals = gs::guvectorize<total, \"(i)->()\">;\n"
     "std::vector<float> f(const std::vector<float>& x) { return totals(x); }",
     "gs::view<const float> for (i)"},
    {"layout_of_more_operands",
     "GS_FN void total(gs::view<const float> x, float& sum) { sum = x[0]; }\n"
     "constexpr auto totals = gs::guvectorize<total, \"(i),(i)->()\">;\n"
     "std::vector<float> f(const std::vector<float>& x) { return totals(x, x); }",
     "Each pair of parentheses"},
    {"layout_of_more_dimensions",
     "GS_FN void total(gs::view<const float> x, float& sum) { sum = x[0]; }\n"
     "constexpr auto totals = gs::guvectorize<total, \"(i,k)->()\">;\n"
     "std::vector<float> f(const std::vector<float>& x) { return totals(x); }",
     "as many dimensions as its parentheses"},
    {"output_by_value",
     "GS_FN void total(gs::view<const float> x, float sum) { sum = x[0]; }\n"
     "constexpr auto totals = gs::guvectorize<total, \"(i)->()\">;\n"
     "std::vector<float> f(const std::vector<float>& x) { return totals(x); }",
     "float& for ()"},
    {"gufunc_that_returns",
     "GS_FN float total(gs::view<const float> x) { return x[0]; }\n"
     "constexpr auto totals = gs::guvectorize<total, \"(i)->()\">;\n"
     "std::vector<float> f(const std::vector<float>& x) { return totals(x); }",
     "returns nothing"},
    {"pointer_parameter",
     "GS_FN void add(gs::thread t, float* x) { x[t.grid()] += x.size(); }\n"
     "void f(gs::device_array<float>& x) { gs::launch<add>({}, x); }",
     "no pointer, no reference"},
    {"vector_parameter",
     "GS_FN void add(gs::thread t, std::vector<float>& x) { x[t.grid()] += 1; }\n"
     "void f(gs::device_array<float>& x) { gs::launch<add>({}, x); }",
     "no pointer, no reference"},
    {"other_elements",
     "GS_FN void add(gs::thread t, gs::view<double> x) { x[t.grid()] += 1; }\n"
     "void f(gs::device_array<float>& x) { gs::launch<add>({}, x); }",
     "of other elements"},
    {"no_thread",
     "GS_FN void add(gs::view<float> x) { x[t.grid()] += 1; }\n"
     "void f(gs::device_array<float>& x) { gs::launch<add>({}, x); }",
     "A kernel begins with gs::thread t"},
    {"kernel_that_returns",
     "GS_FN float add(gs::thread t, gs::view<float> x) { return x[t.grid()]; }\n"
     "void f(gs::device_array<float>& x) { gs::launch<add>({}, x); }",
     "A kernel begins with GS_FN void"},
    {"one_index_of_two",
     "GS_FN void add(gs::thread t, gs::view<float, 2> x) { x[t.grid()] += 1; }\n"
     "void f(gs::device_array<float>& x) { gs::launch<add>({}, x); }",
     "v(i, j) for gs::view<float, 2>"},
    {"lazy_argument",
     "GS_FN float half_of(float x) { return x / 2; }\n"
     "constexpr auto half = gs::vectorize<half_of>;\n"
     "struct view_of_an_array {};\n"
     "auto f() { return half(view_of_an_array{}); }",
     "keep it first"},
#if __GNUC__ < 14  // later ones take {n} for a shape of one extent, which is what was meant
    {"length_in_braces", "auto f(std::size_t n) { return gs::device_array<float>({n}); }",
     "gs::device_array<float>(n)"},
#endif
    {"constant_array",
     "void f(const std::vector<float>& x) { const auto y = gs::device_array_like(x); y.copy_from_host(x); }",
     "make the array without it"},
    {"missing_return", "float f(float x) { x += 1; }", "without a return"},
    {"missing_semicolon", "float f(float x) { return x }", "the end of the line before"},
    {"missing_header", "auto f() { return std::vektor<int>(); }", "header isn't included"},
    {"undeclared", "float f(float x) { return y; }", "Nothing of that name"},
    {"own_main", "int main() {}", "leave yours out"},
    {"no_body", "int g();\nint f() { return g(); }\nint h = f();", "its body is missing"},
    {"other_type", "const std::vector<float> answer;", "keep its names"},
    {"overloaded_in_a_ufunc",
     "GS_FN float next(float x) { return x + 1; }\nGS_FN long next(long x) { return x + 1; }\n"
     "constexpr auto all_next = gs::vectorize<next, next>;",
     "give each a name of its own"},
    {"function_in_parentheses",
     "float f(const std::vector<float>& x) { return gs::reduce(x, [](float a, float b) { return a + b; }); }",
     "gs::reduce<add>(x, 0.0f)"},
    {"kernel_in_parentheses",
     "void f(gs::device_array<float>& x) { gs::launch([](gs::thread, gs::view<float> v) { v[0] = 1; }, x); }",
     "gs::launch<double_all>({}, x)"},
    {"ufunc_of_a_call", "constexpr auto doubled = gs::vectorize([](float x) { return 2 * x; });",
     "in angle brackets, by its name"},
    {"lambda_in_a_ufunc",
     "auto f(const std::vector<float>& x) {\n  auto line = [](float y) { return 2 * y; };\n"
     "  return gs::vectorize<line>(x);\n}",
     "a function with a name"},
    {"lambda_that_captures",
     "auto f(const std::vector<float>& x, float k) { return gs::vectorize<[=](float y) { return k * y; }>(x); }",
     "no lambda that captures"},
    {"result_that_nobody_takes",
     "GS_FN float sum_of(float a, float b) { return a + b; }\nconstexpr auto add = gs::vectorize<sum_of>;\n"
     "void f(gs::device_array<float>& sum, const std::vector<float>& noise) { add(sum, noise); }",
     "gs::out(sum)"},
    {"reduction_that_nobody_takes",
     "GS_FN float sum_of(float a, float b) { return a + b; }\nconstexpr auto add = gs::vectorize<sum_of>;\n"
     "void f(const std::vector<float>& x) { add.reduce(x); }",
     "keep what it returns"},
    {"empty_for_clear", "void f(std::vector<float>& x) { x.empty(); }", "changes nothing"},
    {"cuda_launch", "void f(gs::device_array<float>& x) { scale<<<8, 128>>>(2.0f, x); }",
     "gs::launch<mix>({.grid = blocks, .block = 128}, x, y)"},
    {"cuda_index", "GS_FN void add(gs::thread, gs::view<float> x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }",
     "t.grid() is blockIdx.x * blockDim.x + threadIdx.x"},
    {"cuda_thread_alone", "GS_FN void add(gs::thread, gs::view<float> x) { x[threadIdx.x] += 1; }", "t.grid() is"},
    {"cuda_kernel", "__global__ void add(float* x) { x[0] += 1; }", "GS_FN stands where"},
    {"cuda_function", "__device__ float half_of(float x) { return x / 2; }", "GS_FN stands where"},
    {"cuda_shared", "GS_FN void add(gs::thread, gs::view<float> x) { __shared__ float s[32]; x[0] += s[0]; }",
     "the kernel's second parameter"},
    {"cuda_barrier", "GS_FN void add(gs::thread, gs::view<float> x) { x[0] = 1; __syncthreads(); }", "t.sync()"},
    {"cuda_atomic", "GS_FN void add(gs::thread, gs::view<float> x) { atomicAdd(&x[0], 1.0f); }",
     "gs::atomic_ref(counts[k]).fetch_add(1u)"},
    {"numba_index", "GS_FN void add(gs::thread, gs::view<float> x) { x[cuda.grid(1)] += 1; }", "is t.grid()"},
    {"numpy", "float f(float x) { return np.sqrt(x); }", "std::sqrt(x)"},
    {"python_none", "std::optional<int> f(int a) { return a > 0 ? a : None; }", "std::nullopt"},
    {"python_true", "bool f() { return True; }", "small letter"},
    {"python_length", "std::size_t f(const std::vector<float>& x) { return len(x); }", "x.size()"},
    {"power", "float f(float t) { return t ^ 2; }", "works on bits"},
    {"python_power", "float f(float t) { return 1 + t ** 2; }", "the square is t * t"},
    {"no_such_target", "gs::target f() { return gs::target::host; }", "gs::target::cpu, which is one core"},
    {"target_as_argument",
     "GS_FN float half_of(float x) { return x / 2; }\nconstexpr auto half = gs::vectorize<half_of>;\n"
     "auto f(const std::vector<float>& x) { return half(x, gs::target::cpu); }",
     "work.on(gs::target::cpu)(x)"},
    {"return_in_some_ways", "float f(float x) { if (x > 0) return x; }", "without a return"},
    {"cuda_memory", "void f(float*& x) { cudaMalloc(&x, 4); }", "gs::to_device(x) makes room"},
};

}  // namespace

TEST_F(small_course, every_frequent_mistake_has_its_advice) {
#if defined(__clang__)
  GTEST_SKIP() << "clang words its errors otherwise than g++, and few of them are known";
#endif
  for (const mistake& m : mistakes) {
    std::string text = constant(
                           "GS_FN void scale(gs::thread t, float factor, gs::view<float> x) {\n"
                           "  for (auto i : t.grid_stride(x.size())) x[i] *= factor;\n}\n") +
                       m.code + "\n";
    if (std::string(m.name) != "other_type") text += "inline constexpr int answer = 42;\n";
    const auto r = check(91, text);
    EXPECT_EQ(r.outcome, outcome::compile_error) << m.name;
    EXPECT_NE(r.advice.find(m.advice), std::string::npos) << m.name << ": " << r.advice << "\n" << r.messages;
    EXPECT_LT(std::count(r.messages.begin(), r.messages.end(), '\n'), 20) << r.messages;
  }
}

TEST(advice_for, speaks_of_checks_only_where_there_are_some) {
  const std::string in_a_header = "mine.h:1:1: error: something else\n";
  EXPECT_NE(exercises::advice_for(in_a_header, "mine.cpp").find("The checks use what the starter declares"),
            std::string::npos);
  EXPECT_EQ(exercises::advice_for(in_a_header, "mine.cpp", exercises::compiled_with::nothing), "");
}

TEST(advice_for, says_nothing_where_nothing_is_known) {
  EXPECT_EQ(exercises::advice_for("mine.cpp:1:1: error: something else\n", "mine.cpp"), "");
  EXPECT_NE(exercises::advice_for("mine.cpp:1:1: error: expected ‘;’ before ‘}’ token\n", "mine.cpp"), "");
  EXPECT_EQ(exercises::advice_for("", "mine.cpp"), "");
}

TEST(learner_messages, name_the_library_as_it_is_written) {
  const std::string messages = "/tmp/x/mine.cpp:1:1: error: ‘host’ is not a member of ‘gs::checked::target’\n";
  EXPECT_EQ(exercises::learner_messages(messages, "/tmp/x/mine.cpp", "my/mine.cpp", "").text,
            "my/mine.cpp:1:1: error: ‘host’ is not a member of ‘gs::target’\n");
}

TEST(learner_messages, keep_errors_and_what_led_there) {
  const std::string messages =
      "/tmp/x/mine.cpp:3:5: warning: unused variable ‘a’ [-Wunused-variable]\n"
      "    3 | int a;\n"
      "/root/course/runtime/gs.h: In instantiation of ‘void f() [with T = int]’:\n"
      "/tmp/x/mine.cpp:7:9:   required from here\n"
      "/usr/include/thing.h:10:3: error: static assertion failed: give an array\n"
      "   10 |   static_assert(false);\n"
      "/usr/include/thing.h:11:3: note: ‘false’ evaluates to false\n"
      "/tmp/x/mine.cpp:8:1: error: second\n"
      "    8 | second\n"
      "/tmp/x/mine.cpp:9:1: note: declared here\n"
      "    9 | declared\n"
      "/tmp/x/mine.cpp:10:1: error: third\n"
      "/tmp/x/mine.cpp:11:1: error: fourth\n"
      "   11 | fourth\n";
  EXPECT_EQ(exercises::learner_messages(messages, "/tmp/x/mine.cpp", "my/mine.cpp", "").text,
            "my/mine.cpp:7:9:   required from here\n"
            "/usr/include/thing.h:10:3: error: static assertion failed: give an array\n"
            "my/mine.cpp:8:1: error: second\n"
            "    8 | second\n"
            "my/mine.cpp:9:1: note: declared here\n"
            "    9 | declared\n"
            "my/mine.cpp:10:1: error: third\n"
            "... and 1 more\n");
  EXPECT_EQ(exercises::learner_messages("ld: undefined reference to `f'\ncollect2: error: ld returned 1 exit status\n",
                                        "/tmp/x/mine.cpp", "my/mine.cpp", "")
                .text,
            "ld: undefined reference to `f'\ncollect2: error: ld returned 1 exit status\n");
}

// The place that the compile error of such a text has, "line:column", and how many errors are shown.
TEST_F(small_course, an_assertion_about_a_parameter_points_to_it) {
#if defined(__clang__)
  GTEST_SKIP() << "clang words its errors otherwise than g++, and few of them are known";
#endif
  const auto place = [&](const std::string& text) {
    const auto r = check(91, constant(text + "\ninline constexpr int answer = 42;"));
    EXPECT_EQ(r.outcome, outcome::compile_error);
    EXPECT_EQ(r.messages.find(": error: "), r.messages.rfind(": error: ")) << r.messages;
    EXPECT_NE(r.messages.find(": note: this is what it is about\n"), std::string::npos) << r.messages;
    return std::to_string(r.place.line) + ":" + std::to_string(r.place.column);
  };
  const std::string launch = "\nvoid f(gs::device_array<float>& x) { gs::launch<add>({}, x, x, 1); }";
  EXPECT_EQ(place("GS_FN void add(gs::thread, gs::view<float>,\n  gs::view<double> y, int) {}" + launch), "4:3");
  EXPECT_EQ(place("GS_FN void add(gs::thread, gs::view<float>, gs::view<float>, float) {}" + launch), "3:62");
  EXPECT_EQ(
      place("struct room { float x; };\nGS_FN void add(gs::thread, gs::shared<room>, gs::view<float>, gs::view<int>, "
            "int) {}" +
            launch),
      "4:63");
  EXPECT_EQ(place("GS_FN void add(gs::thread&, gs::view<float>, gs::view<float>, int) {}" + launch), "3:12");
  EXPECT_EQ(place("GS_FN void sum(gs::view<float> x, float& s) { s = x[0]; }\n"
                  "constexpr auto sums = gs::guvectorize<sum, \"(i)->()\">;\n"
                  "float f(const std::vector<float>& x) { return sums(x); }"),
            "3:12");
}
