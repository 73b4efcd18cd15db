// python_compile: from a changed source of ten lines to its first result, by the module for Python beside Numba's,
// JAX's and pybind11's ways. Ours in C++ is what the module runs, the compiler's part of that time; the peer is g++ by
// hand.
#include <dlfcn.h>
#include <fcntl.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/host/descriptor.h"
#include "runtime/host/start_process.h"
#include "workshop/private_folder.h"

#ifdef GRIDSTRIDE_BENCH_COMPILE_PROGRAM

namespace bench {
namespace {

namespace fs = std::filesystem;

// The function of all entrants, here and in peers/with_*.py: ten lines, and the same operations in the same order.
constexpr const char* changed_function = R"(
{
  float inside = x * y + 1.0f;
  if (inside < 0.0f) {
    inside = -inside;
  }
  const float root = std::sqrt(inside);
  const float high = x > y ? x : y;
  const float low = x > y ? y : x;
  return root * high - low;
}
)";

struct compiled_arrays {
  explicit compiled_arrays(std::size_t n)
      : x(n, [](std::size_t i) { return uniform(i, 1); }), y(n, [](std::size_t i) { return uniform(i, 2); }), out(n) {}
  array_everywhere<float> x, y;
  outputs<float> out;
};

// Names of files in a folder of their own, none of them twice: dlopen() opens no file anew.
class new_files {
 public:
  fs::path next(const char* ending) { return folder_.path() / (std::to_string(count_++) + ending); }
  const fs::path& folder() const { return folder_.path(); }
  std::size_t count() const { return count_; }

 private:
  workshop::private_folder folder_;
  std::size_t count_ = 0;
};

fs::path write_text(const fs::path& file, const std::string& text) {
  std::ofstream(file) << text;
  return file;
}

// `input`: what it reads; empty: nothing.
void run_program(const std::vector<std::string>& command, const fs::path& input = {}) {
  const gs::detail::descriptor in(input.empty() ? -1 : open(input.c_str(), O_RDONLY | O_CLOEXEC)),
      out(open("/dev/null", O_WRONLY | O_CLOEXEC));
  const int status = gs::detail::wait_for_process(gs::detail::start_process(
      {.command = command, .input = in.number(), .output = out.number(), .own_session = false}));
  if (status != 0) throw std::runtime_error(command.front() + " ended with status " + std::to_string(status));
}

// Opens the module, and calls its function once, on all elements.
void call_module(const fs::path& file, compiled_arrays& a) {
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) throw std::runtime_error(dlerror());
  const auto call =
      reinterpret_cast<void (*)(const float*, const float*, float*, std::size_t)>(dlsym(module, "each_element"));
  call(a.x.host.data(), a.y.host.data(), a.out.host.data(), a.out.host.size());
  dlclose(module);
}

contest prepare_compile(std::size_t n) {
  const auto a = std::make_shared<compiled_arrays>(n);
  const auto files = std::make_shared<new_files>();
  const std::string function = std::string("float changed(float x, float y)") + changed_function;
  contest c;
  c.add("the module's compiler, in C++", role::ours, repeated([=] {
          const fs::path module = files->next(".so");
          const nlohmann::json request = {
              {"name", "changed.cpp"},
              {"text", "// change " + std::to_string(files->count()) + "\nGS_FN inline " + function},
              {"bindings",
               "extern \"C\" __attribute__((visibility(\"default\"))) void each_element(const float* x, const float* "
               "y, float* out, std::size_t n) {\n  const std::vector<float> result = gs::vectorize<changed>.on(gs::"
               "target::cpu)(std::span(x, n), std::span(y, n));\n  std::copy(result.begin(), result.end(), out);\n}\n"},
              {"folder", files->folder()},
              {"include", nlohmann::json::array()},
              {"flags", nlohmann::json::array()},
              {"checked", false},
              {"into", module}};
          run_program({GRIDSTRIDE_BENCH_COMPILE_PROGRAM}, write_text(files->next(".json"), request.dump()));
          call_module(module, *a);
        }));
  c.add("g++ -O3, a loop", role::peer, repeated([=] {
          const fs::path module = files->next(".so");
          const fs::path source = write_text(
              files->next(".cpp"),
              "#include <cmath>\n#include <cstddef>\nstatic inline " + function +
                  "extern \"C\" void each_element(const float* x, const float* y, float* out, std::size_t n) {\n"
                  "  for (std::size_t i = 0; i < n; ++i) out[i] = changed(x[i], y[i]);\n}\n");
          run_program({"g++", "-std=c++20", "-O3", "-march=native", "-fno-math-errno", "-shared", "-fPIC", "-o", module,
                       source});
          call_module(module, *a);
        }));
  constexpr tolerance allowed{.relative = 1e-5, .absolute = 1e-6};
  check_agreement(c, a->out, allowed);
  c.ask_outside(
      make_assignment("python_compile", c, a->out, allowed, {{"x", a->x.host.read()}, {"y", a->y.host.read()}}));
  return c;
}

}  // namespace

workload python_compile() {
  constexpr std::size_t elements = 1000;
  return {.name = "python_compile",
          .text = "a changed function of ten lines: compiled, and called on 1,000 elements",
          .elements = elements,
          .dtype = "float32",
          .prepare = [] { return prepare_compile(elements); }};
}

}  // namespace bench

#endif
