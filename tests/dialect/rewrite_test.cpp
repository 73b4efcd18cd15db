// What the rewriter makes of a CUDA source.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "dialect/rewrite/cuda_source.h"
#include "tests/temporary_folder.h"

namespace rewrite_test {
namespace {

const std::string kernels = "__global__ void k(int*); template <class T, int N> __global__ void t(T*);\n";

// The text after the #line.
std::string text_of(const std::string& rewritten) { return rewritten.substr(rewritten.find('\n') + 1); }
std::string rewritten(const std::string& source) {
  return text_of(dialect::rewrite_program({{"/home/me/wave.cu", source}}).sources.front().text);
}
// Of a source behind two kernels.
std::string with_kernels(const std::string& source) { return rewritten(kernels + source).substr(kernels.size()); }

}  // namespace

TEST(cuda_rewrite, begins_with_the_learners_file) {
  EXPECT_EQ(dialect::rewrite_program({{"/home/me/a \"b\".cu", "int x;\n"}}).sources.front().text,
            "#line 1 \"/home/me/a \\\"b\\\".cu\"\nint x;\n");
}

TEST(cuda_rewrite, calls_a_kernel_that_is_one_function_by_its_address) {
  EXPECT_EQ(with_kernels("void f() { k<<<4, 2 * 32>>>(x); }"),
            "void f() { ::dialect::configured<&k>(\"k\", ::dialect::configuration(4, 2 * 32))(x); }");
  EXPECT_EQ(
      with_kernels("void f() { ns::k <<< dim3(1, 2), 3, 4, s >>> (x); }"),
      "void f() { ::dialect::configured<&ns::k >(\"ns::k\", ::dialect::configuration( dim3(1, 2), 3, 4, s )) (x); }");
}

TEST(cuda_rewrite, calls_any_other_kernel_in_a_lambda) {
  const auto launch = [](const std::string& kernel, const std::string& configuration) {
    return "::dialect::configured(\"" + kernel + "\", ::dialect::configuration(" + configuration +
           "), [=](auto... gs_parameters) { " + kernel + "(gs_parameters...); })";
  };
  EXPECT_EQ(with_kernels("void f() { t<float, 4><<<1, 2>>>(x); }"),
            "void f() { " + launch("t<float, 4>", "1, 2") + "(x); }");
  EXPECT_EQ(with_kernels("void f() { t<std::vector<int>, (2 > 1)><<<1, 2>>>(x); }"),
            "void f() { " + launch("t<std::vector<int>, (2 > 1)>", "1, 2") + "(x); }");
  EXPECT_EQ(with_kernels("void f() { kernels[i]<<<1, 2>>>(x); }"),
            "void f() { " + launch("kernels[i]", "1, 2") + "(x); }");
  EXPECT_EQ(with_kernels("void f() { (*p)<<<1, 2>>>(x); }"), "void f() { " + launch("(*p)", "1, 2") + "(x); }");
  EXPECT_EQ(with_kernels("void f() { if (n < 3) t<<<n << 1, a[m >> 1]>>>(x); }"),
            "void f() { if (n < 3) " + launch("t", "n << 1, a[m >> 1]") + "(x); }");
}

TEST(cuda_rewrite, reads_brackets_of_launches_with_gaps) {
  EXPECT_EQ(
      with_kernels("void f() { k << <4, sizeof(a<b<c<int> > >) >> > (x); }"),
      "void f() { ::dialect::configured<&k >(\"k\", ::dialect::configuration(4, sizeof(a<b<c<int> > >) )) (x); }");
}

TEST(cuda_rewrite, calls_a_kernel_with_default_arguments_by_its_name) {
  EXPECT_NE(rewritten("__global__ void k(int n = 3) {}\nvoid f() { k<<<1, 1>>>(); }").find("{ k(gs_parameters...); }"),
            std::string::npos);
}

TEST(cuda_rewrite, reads_the_devices_clock_in_functions_of_the_device_alone) {
  EXPECT_EQ(rewritten("__global__ void k(long* t) { *t = clock(); }\nint main() { return clock(); }"),
            "__global__ void k(long* t) { *t = ::dialect::device_clock(); }\nint main() { return clock(); }");
  EXPECT_EQ(rewritten("__device__ long f() { if (1) { return clock() - watch.clock(); } return clock(); }"),
            "__device__ long f() { if (1) { return ::dialect::device_clock() - watch.clock(); } "
            "return ::dialect::device_clock(); }");
  for (const std::string same : {"__host__ __device__ long f() { return clock(); }", "long x; int y;",
                                 "__device__ __host__ long f() { return clock(); }"})
    EXPECT_EQ(rewritten(same), same);
}

TEST(cuda_rewrite, has_an_architecture_where_only_the_devices_code_stands) {
  EXPECT_EQ(rewritten("__global__ void k() {\n#if __CUDA_ARCH__ >= 700\n#endif\n#ifdef __CUDA_ARCH__\n#endif\n"
                      "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600 // old\n#endif\n}\n"),
            "__global__ void k() {\n#if 900 >= 700\n#endif\n#if 1\n#endif\n#if 1 && 900 < 600 // old\n#endif\n}\n");
  EXPECT_EQ(rewritten("#if __CUDA_ARCH__ < 600\n#endif\n"), "#if 900 < 600\n#endif\n");
  for (const std::string same :
       {"#ifdef __CUDA_ARCH__\n#endif\n", "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600\n#endif\n",
        "__host__ __device__ int f() {\n#if __CUDA_ARCH__ > 1\n#endif\n}\n"})
    EXPECT_EQ(rewritten(same), same);
}

// In step with each other, as before Volta, lanes add up 64 elements.
TEST(cuda_rewrite, refuses_lanes_that_rely_on_going_in_step) {
  const std::string refusal =
      "static_assert(false, \"lanes of a warp don't go in step through volatile memory: write __syncwarp() between the "
      "steps, or use __shfl_down_sync()\"); ";
  EXPECT_EQ(rewritten("__device__ void f(volatile int* x, int t) { x[t] += x[t + 2]; x[t] += x[t + 1]; }"),
            "__device__ void f(volatile int* x, int t) { " + refusal + "x[t] += x[t + 2]; x[t] += x[t + 1]; }");
  EXPECT_NE(
      rewritten("__global__ void k() { volatile float* s = y; s[t] = sum = sum + s[t + 32]; s[t] = sum + s[t + 16]; }")
          .find(refusal),
      std::string::npos);
  for (const std::string same :
       {"__device__ void f(volatile int* x, int t) { x[t] += x[t + 2]; __syncwarp(); x[t] += x[t + 1]; }",
        "__device__ void f(volatile int* x, int t) { x[t] += x[t + 2]; }",
        "__device__ void f(int* x, int t) { x[t] += x[t + 2]; x[t] += x[t + 1]; }",
        "__device__ void f(volatile int* x, int t) { x[t] += 2; x[t] += 1; }",
        "void f(volatile int* x, int t) { x[t] += x[t + 2]; x[t] += x[t + 1]; }"})
    EXPECT_EQ(rewritten(same), same);
}

TEST(cuda_rewrite, calls_a_kernel_whose_address_is_handed_over) {
  EXPECT_EQ(with_kernels("void f() { CHECK(cudaLaunchKernel((void*)k, g, b, args, 4, s)); }"),
            "void f() { CHECK(::dialect::launch_function<&k>(\"k\", false, g, b, args, 4, s)); }");
  EXPECT_EQ(
      with_kernels("void f() { cudaLaunchCooperativeKernel((const void*)&ns::t<float, 4>, dim3(1, 2), b, args); }"),
      "void f() { ::dialect::launch_function<&ns::t<float, 4>>(\"ns::t<float, 4>\", true, dim3(1, 2), b, args), "
      "::dialect::dropped_result{\"cudaLaunchCooperativeKernel\"}; }");
  EXPECT_EQ(with_kernels("void f() { cudaLaunchKernel(reinterpret_cast<void*>(k), g, b, args); }"),
            "void f() { ::dialect::launch_function<&k>(\"k\", false, g, b, args), "
            "::dialect::dropped_result{\"cudaLaunchKernel\"}; }");
  EXPECT_EQ(with_kernels("void f() { cudaLaunchKernel(k, g, b, args); }"),
            "void f() { ::dialect::launch_function<&k>(\"k\", false, g, b, args), "
            "::dialect::dropped_result{\"cudaLaunchKernel\"}; }");
}

TEST(cuda_rewrite, marks_calls_whose_result_nobody_uses) {
  const std::string dropped = ", ::dialect::dropped_result{\"cudaFree\"};";
  EXPECT_EQ(rewritten("void f() { cudaFree(x); }"), "void f() { cudaFree(x)" + dropped + " }");
  EXPECT_EQ(rewritten("void f() { if (x) cudaFree(x); else ::cudaFree(y); }"),
            "void f() { if (x) cudaFree(x)" + dropped + " else ::cudaFree(y)" + dropped + " }");
  EXPECT_EQ(rewritten("void f() { while (g(x)) cudaFree(x); }"),
            "void f() { while (g(x)) cudaFree(x)" + dropped + " }");
  EXPECT_EQ(rewritten("void f() { cudaMalloc<float>(&x,\n  4); }"),
            "void f() { cudaMalloc<float>(&x,\n  4), ::dialect::dropped_result{\"cudaMalloc\", 1}; }");
  EXPECT_EQ(rewritten("#define FREE(x) { cudaFree( \\\n x); }\n"),
            "#define FREE(x) { cudaFree( \\\n x)" + dropped + " }\n");
  for (const char* const used :
       {"void f() { (void)cudaFree(x); }", "void f() { e = cudaFree(x); }", "int f() { return cudaFree(x); }",
        "void f() { CHECK(cudaFree(x)); }", "void f() { if (cudaFree(x)) g(); }", "void f() { cudaFree(x) || g(); }",
        "void f() { e = b ? cudaFree(x) : cudaFree(y); }", "void f() { cudaGetLastError(); }",
        "void f() { cudaMine(x); }", "void f() { auto g = cudaFree; }", "void f() { o.cudaFree(x); }",
        "cudaError_t cudaFree(void*);"})
    EXPECT_EQ(rewritten(used), used);
}

// All that the headers declare, but for those by which a program asks.
TEST(cuda_rewrite, knows_every_call_that_returns_an_error) {
  std::set<std::string> names;
  for (const auto& header : std::filesystem::directory_iterator(CUDA_PROGRAMS "/../../../dialect/runtime")) {
    std::ifstream in(header.path());
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("cudaError_t cuda") && line.find('(') != line.npos && header.path().extension() == ".h")
        names.insert(line.substr(12, line.find('(') - 12));
  }
  EXPECT_GT(names.size(), 80u);
  for (const char* const asking : {"cudaGetLastError", "cudaPeekAtLastError"}) EXPECT_EQ(names.erase(asking), 1u);
  for (const std::string& name : names)
    EXPECT_NE(rewritten("void f() { " + name + "(); }").find("dropped_result{\"" + name + "\"}"), std::string::npos)
        << name;
}

TEST(cuda_rewrite, makes_variables_of_the_device_known) {
  const auto known = [](const std::string& name) {
    return " static const ::dialect::device_variable gs_device_" + name + "(" + name + ", \"" + name + "\");";
  };
  EXPECT_EQ(rewritten("__device__ int n;\nint m;"), "__device__ int n;" + known("n") + "\nint m;");
  EXPECT_EQ(rewritten("static __constant__ float w[2][3], *p = nullptr, q{3};"),
            "static __constant__ float w[2][3], *p = nullptr, q{3};" + known("w") + known("p") + known("q"));
  EXPECT_EQ(rewritten("namespace a { namespace { __device__ __align__(16) std::pair<int, int> n; } }"),
            "namespace a { namespace { __device__ __align__(16) std::pair<int, int> n;" + known("n") + " } }");
  EXPECT_EQ(rewritten("__device__ int f(int x) { return x; }\n__device__ int n = 3;"),
            "__device__ int f(int x) { return x; }\n__device__ int n = 3;" + known("n"));
  EXPECT_EQ(rewritten("struct s { int x; };\nextern \"C\" { __device__ s n; }"),
            "struct s { int x; };\nextern \"C\" { __device__ s n;" + known("n") + " }");
  for (const char* const other :
       {"__device__ __managed__ int n;", "__device__ const int n = 3;", "extern __device__ int n;",
        "__device__ float f(int);", "template <class T> __device__ T n;", "void f() { static __device__ int n; }",
        "struct s { static __device__ int n; };", "__global__ void k();"})
    EXPECT_EQ(rewritten(other), other);
}

TEST(cuda_rewrite, takes_two_kernels_of_one_name_for_what_they_are) {
  EXPECT_NE(rewritten("__global__ void k(int) {} __global__ void k(float) {}\nvoid f() { k<<<1, 1>>>(2); }")
                .find("[=](auto... gs_parameters) { k(gs_parameters...); }"),
            std::string::npos);
  // Declared and defined, it is one.
  EXPECT_NE(rewritten("__global__ void k(int); __global__ __launch_bounds__(256) void k(int) {}\n"
                      "void f() { k<<<1, 1>>>(2); }")
                .find("configured<&k>"),
            std::string::npos);
}

TEST(cuda_rewrite, leaves_lines_where_they_are) {
  const std::string source =
      "k<<<\n 1,  // blocks\n 2>>>(\n x);\n#define L(k, n) \\\n k<<<n, \\\n 1>>>()\nt<int,\n 4><<<1, 2>>>(x);\n"
      "__shared__ float a[4]\n [5];\n";
  const std::string text = with_kernels("void f() {\n" + source + "int last;\n}\n");
  EXPECT_EQ(std::ranges::count(text, '\n'), std::ranges::count(source, '\n') + 3) << text;
  EXPECT_NE(text.find("\nint last;\n"), std::string::npos) << text;
}

TEST(cuda_rewrite, leaves_texts_and_comments_alone) {
  for (const std::string same : {"// k<<<1, 2>>>(x)\n", "/* k<<<1, 2>>>(x) */\n", "auto s = \"k<<<1, 2>>>(x)\";\n",
                                 "auto s = R\"(\"k<<<1, 2>>>(x)\")\";\n", "char c = '\\'', d = '\"'; // k<<<1, 2>>>\n",
                                 "int n = 1'000 << 2 >> 1;\n", "std::vector<std::vector<std::vector<int>>> v;\n",
                                 "#include <cuda_runtime.h>\n", "// __shared__ float x[2]; __noinline__\n"})
    EXPECT_EQ(rewritten(same), same);
}

TEST(cuda_rewrite, makes_references_of_shared_variables) {
  const auto in_kernel = [](const std::string& declaration) {
    const std::string text = rewritten("__global__ void f() { " + declaration + " }");
    return text.substr(22, text.size() - 24);
  };
  EXPECT_EQ(in_kernel("__shared__ float a[4][N + 1];"),
            "auto& a = ::dialect::shared_variable<float[(4)][(N + 1)]>([] {});");
  EXPECT_EQ(in_kernel("volatile __shared__ int n, *p;"),
            "auto& n = ::dialect::shared_variable<volatile int>([] {}); "
            "auto& p = ::dialect::shared_variable<volatile int*>([] {});");
  EXPECT_EQ(in_kernel("__shared__ __align__(16) typename B<T, 4>::storage s;"),
            "typename B < T , 4 > :: storage& s = ::dialect::shared_variable<typename B < T , 4 > :: storage>([] {});");
  EXPECT_EQ(in_kernel("float __shared__ a[4];"), "auto& a = ::dialect::shared_variable<float[(4)]>([] {});");
  EXPECT_EQ(in_kernel("extern double __shared__ s[];"), "auto* const s = ::dialect::dynamic_shared<double>();");
  EXPECT_EQ(in_kernel("extern __shared__ float s[];"), "auto* const s = ::dialect::dynamic_shared<float>();");
  EXPECT_EQ(in_kernel("extern __shared__ float s[][8];"), "auto* const s = ::dialect::dynamic_shared<float[(8)]>();");
  EXPECT_EQ(in_kernel("__shared__ union { int i; float f; } u;"),
            "using gs_shared_type_6 = union { int i ; float f ; }; auto& u = "
            "::dialect::shared_variable<gs_shared_type_6>([] {});");
  EXPECT_EQ(rewritten("extern __shared__ float s[];"), "inline constexpr ::dialect::dynamic_shared_name<float> s{};");
}

TEST(cuda_rewrite, refuses_what_it_cannot_rewrite_at_its_line) {
  const auto refusal_of = [](const std::string& source) {
    const std::string text = rewritten(source);
    return text.starts_with("static_assert(false, \"") ? text.substr(22, text.find("\")") - 22) : text;
  };
  EXPECT_EQ(refusal_of("__shared__ float x[4];"),
            "a __shared__ variable outside of functions isn't supported: declare it in the kernel");
  EXPECT_EQ(rewritten("void f() { __shared__ float (*x)[4]; }"),
            "void f() { static_assert(false, \"this __shared__ declaration isn't supported: write `__shared__ type "
            "name[extent];`\"); }");
  EXPECT_EQ(refusal_of("asm volatile(\"mov.u32 %0, %laneid;\" : \"=r\"(i));"),
            "inline assembly is for a GPU alone: write it in CUDA C++");
}

TEST(cuda_rewrite, renames_what_the_source_calls_as_CUDA_does) {
  EXPECT_EQ(rewritten("void f() { dim3 blockDim(8), gridDim; g(gridDim.x, blockDim); }\n"
                      "void g() { h(blockDim.x * gridDim.x); }"),
            "void f() { dim3 blockDim_(8), gridDim_; g(gridDim_.x, blockDim_); }\n"
            "void g() { h(blockDim.x * gridDim.x); }");
  EXPECT_EQ(rewritten("void f(dim3 gridDim, int n) { g(gridDim); }\nvoid g() { h(gridDim.x); }"),
            "void f(dim3 gridDim_, int n) { g(gridDim_); }\nvoid g() { h(gridDim.x); }");
  EXPECT_EQ(rewritten("void f() { { int blockDim = 3; g(blockDim); } h(blockDim.y); }"),
            "void f() { { int blockDim_ = 3; g(blockDim_); } h(blockDim.y); }");
  EXPECT_EQ(rewritten("void f() { c.gridDim = 3; p->blockDim.x = 4; return threadIdx; }"),
            "void f() { c.gridDim_ = 3; p->blockDim_.x = 4; return threadIdx; }");
  EXPECT_EQ(rewritten("int i = a * blockDim.x + (b & threadIdx.y);"), "int i = a * blockDim.x + (b & threadIdx.y);");
}

TEST(cuda_rewrite, makes_an_attribute_of_noinline) {
  EXPECT_EQ(rewritten("__noinline__ int f(); int g() __attribute__((__noinline__));"),
            "__attribute__((noinline)) int f(); int g() __attribute__((__noinline__));");
}

TEST(cuda_rewrite, reads_no_header_where_none_is_looked_for) {
  const gridstride_test::temporary_folder folder;
  std::ofstream(folder / "secret.h") << "int secret;\n";
  const std::string text = "#include \"secret.h\"\n";
  const auto program = dialect::rewrite_program({{folder / "a.cu", text}}, {.beside_sources = false});
  EXPECT_TRUE(program.headers.empty());
  EXPECT_EQ(text_of(program.sources.front().text), text);
}

TEST(cuda_rewrite, follows_the_headers_beside_a_source) {
  const gridstride_test::temporary_folder folder;
  std::filesystem::create_directory(folder / "inner");
  std::ofstream(folder / "kernels.cuh") << "#include \"inner/more.h\"\n__global__ void k(int) {}\n";
  std::ofstream(folder / "inner/more.h") << "#include \"../kernels.cuh\"\nvoid f() { k<<<1, 2>>>(3); }\n";
  const auto program = dialect::rewrite_program(
      {{folder / "main.cu", "#include \"kernels.cuh\"\n#include \"elsewhere.h\"\nint main() { k<<<1, 2>>>(3); }\n"}});
  EXPECT_EQ(text_of(program.sources.front().text),
            "#include \".included_1_kernels.cuh\"\n#include \"elsewhere.h\"\n"
            "int main() { ::dialect::configured<&k>(\"k\", ::dialect::configuration(1, 2))(3); }\n");
  std::filesystem::create_directory(folder / "apart");
  const auto other =
      dialect::rewrite_program({{folder / "apart/main.cu", "#include \"kernels.cuh\"\n"}}, {.others = {folder.path()}});
  EXPECT_EQ(text_of(other.sources.front().text), "#include \".included_1_kernels.cuh\"\n");
  ASSERT_EQ(program.headers.size(), 2u);
  EXPECT_EQ(program.headers[0].path, ".included_1_kernels.cuh");
  EXPECT_EQ(program.headers[1].path, ".included_2_more.h");
  EXPECT_EQ(program.headers[1].text,
            "#line 1 \"" + (folder / "inner/more.h").string() +
                "\"\n#include \".included_1_kernels.cuh\"\n"
                "void f() { ::dialect::configured<&k>(\"k\", ::dialect::configuration(1, 2))(3); }\n");
}

}  // namespace rewrite_test
