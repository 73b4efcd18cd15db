// Submissions on a GPU: compiled by nvcc in the sandbox, and, where there is a GPU, run on it. Without one, what nvcc
// made runs on the engine: the same source, all but the kernels' machine code.

#include "assessments/grader/running/gpu.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>

#include "assessments/grader/running/compile.h"
#include "assessments/grader/running/submission_process.h"
#include "assessments/grader/running/submission_workshop.h"
#include "assessments/grader/tasks/problem.h"
#include "assessments/grader/verdict/grade.h"
#include "assessments/grader/verdict/verdict_json.h"
#include "runtime/core/error.h"
#include "tests/runtime/refused.h"
#include "workshop/build_parts.h"
#include "workshop/private_folder.h"
#include "workshop/process.h"

namespace gpu_test {

using grader::compiled_module;
using grader::mishap;
using grader::mishap_kind;
using runtime_test::refused;
using workshop::flavour;
namespace fs = std::filesystem;

fs::path solution(const grader::task& t, const std::string& name) {
  return fs::path(__FILE__).parent_path() / t.folder.filename() / (name + ".cpp");
}

grader::task task_of(std::size_t k) { return grader::all_tasks().at(k); }

std::variant<compiled_module, mishap> compile(const grader::task& t, const fs::path& file) {
  return grader::compile(t, workshop::read_source(file), flavour::cuda, workshop::strongest_isolation(), 6);
}

std::variant<compiled_module, mishap> compile_text(const std::string& text, const std::string& name,
                                                   const grader::task& t = task_of(2)) {
  const workshop::private_folder folder;
  std::ofstream(folder.path() / name) << text;
  return compile(t, folder.path() / name);
}

const std::string transposed =
    "GS_FN void turn(gs::thread t, gs::view<const float, 3> in, gs::view<float, 3> out) {\n"
    "  for (auto y : t.grid_stride(in.extent(0))) for (unsigned x = 0; x < in.extent(1); ++x)\n"
    "    for (unsigned c = 0; c < in.extent(2); ++c) out(x, y, c) = in(y, x, c);\n"
    "}\n"
    "void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {\n"
    "  gs::launch<turn>({.grid = 4, .block = 32}, in, out);\n"
    "}\n";

class compiled_by_nvcc : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path parts = workshop::build_folder(flavour::cuda) / "assessments/tasks/A3_transpose/baseline.so";
    if (!exists(parts)) GTEST_SKIP() << "the cuda preset's submission_parts aren't built: there is no " << parts;
  }
};

// Of a module that nvcc made, on the engine.
grader::call_result call_on_engine(const grader::task& t, compiled_module module, const grader::test_case& c) {
  module.on_gpu = false;
  const auto problem = grader::problem_of(t.id);
  return grader::submission_process(t, *problem, module, workshop::strongest_isolation(), 6).call(c, 1);
}

class every_task : public compiled_by_nvcc, public testing::WithParamInterface<std::size_t> {};

TEST_P(every_task, has_a_solution_and_a_starter_that_nvcc_compiles) {
  const grader::task t = task_of(GetParam());
  for (const auto& [file, is_right] :
       {std::pair{solution(t, "right/block_style"), true}, {t.folder / "starter.cpp", false}}) {
    const auto result = compile(t, file);
    ASSERT_TRUE(std::holds_alternative<compiled_module>(result)) << file << ": " << std::get<mishap>(result).details;
    const compiled_module& module = std::get<compiled_module>(result);
    EXPECT_EQ(module.flavour, flavour::cuda);
    EXPECT_TRUE(module.on_gpu);
    for (const grader::test_case& c : t.public_cases) {
      const auto r = call_on_engine(t, module, c);
      if (is_right) {
        EXPECT_FALSE(r.went_wrong) << r.went_wrong->text;
      } else if (&c == &t.public_cases.back()) {
        ASSERT_TRUE(r.went_wrong);
        EXPECT_EQ(r.went_wrong->kind, mishap_kind::wrong_answer) << r.went_wrong->text;
      }
    }
  }
}

TEST_P(every_task, has_a_baseline_that_nvcc_compiled) {
  const grader::task t = task_of(GetParam());
  const auto baseline = grader::built_baseline(t, flavour::cuda);
  ASSERT_TRUE(baseline);
  EXPECT_TRUE(baseline->on_gpu);
  const auto r = call_on_engine(t, *baseline, t.public_cases.back());
  if (t.id != "A3") {
    EXPECT_FALSE(r.went_wrong) << r.went_wrong->text;  // A3's is a plain copy
  } else {
    EXPECT_EQ(r.went_wrong->kind, mishap_kind::wrong_answer) << r.went_wrong->text;
  }
}

INSTANTIATE_TEST_SUITE_P(all, every_task, testing::Values(0, 1, 2, 3),
                         [](const auto& info) { return "A" + std::to_string(info.param + 1); });

TEST_F(compiled_by_nvcc, takes_any_file_name_and_a_warning_is_no_error) {
  const auto result =
      compile_text(transposed + "int unused(int x) { int y; return 1; }\n", "-o naïve \"$(touch x)\".cc");
  EXPECT_TRUE(std::holds_alternative<compiled_module>(result)) << std::get<mishap>(result).details;
}

TEST_F(compiled_by_nvcc, an_error_is_shown_by_line_and_the_learners_own_name) {
  struct wrong {
    std::string text, says;
  };
  for (const auto& [text, says] : {wrong{transposed + "\nint x = y;\n", "y"},
                                   wrong{transposed + "\nstatic_assert(1 + 1 == 3, \"so\");\n", "so"}}) {
    const auto result = compile_text(text, "my file.cpp");
    ASSERT_TRUE(std::holds_alternative<mishap>(result)) << text;
    const mishap& m = std::get<mishap>(result);
    EXPECT_EQ(m.kind, mishap_kind::compile_error) << m.details;
    EXPECT_EQ(m.place.file, "my file.cpp") << m.details;
    EXPECT_EQ(m.place.line, 9u) << m.details;
    EXPECT_NE(m.text.find(says), std::string::npos) << m.text << "\n" << m.details;
  }
}

TEST_F(compiled_by_nvcc, refuses_what_gplusplus_is_refused) {
  const auto mishap_of = [](const std::string& text) {
    const auto result = compile_text(text, "a.cpp");
    return std::holds_alternative<mishap>(result) ? std::get<mishap>(result)
                                                  : mishap{.text = "it was compiled: " + text};
  };
  const mishap missing = mishap_of("int x;\n");
  EXPECT_EQ(missing.kind, mishap_kind::missing_function) << missing.text << missing.details;
  const mishap refusal = mishap_of(transposed + "extern \"C\" int cuMemAlloc() { return 0; }\n");
  EXPECT_EQ(refusal.kind, mishap_kind::refused) << refusal.text << refusal.details;
  EXPECT_NE(refusal.text.find("It defines cuMemAlloc, which"), std::string::npos) << refusal.text;
  const mishap hidden = mishap_of("#include \"" __FILE__ "\"\n" + transposed);
  EXPECT_EQ(hidden.kind, mishap_kind::compile_error);
  EXPECT_NE(hidden.text.find("No such file or directory"), std::string::npos) << hidden.text << hidden.details;
}

TEST_F(compiled_by_nvcc, ends_a_compile_bomb) {
  grader::task hasty = task_of(2);
  hasty.limits.compile_seconds = 2;
  const auto result = compile_text(
      transposed +
          "constexpr unsigned long spin(unsigned long n) { unsigned long s = 0; for (unsigned long k = 0; k < n; ++k) "
          "for (unsigned long j = 0; j < 20000; ++j) s += j; return s; }\n"
          "template <int N> struct many { static constexpr unsigned long v = spin(N) + many<N - 1>::v; };\n"
          "template <> struct many<0> { static constexpr unsigned long v = 0; };\n"
          "unsigned long x = many<800>::v;\n",
      "bomb.cpp", hasty);
  ASSERT_TRUE(std::holds_alternative<mishap>(result));
  const mishap& m = std::get<mishap>(result);
  EXPECT_TRUE(m.kind == mishap_kind::timed_out || m.kind == mishap_kind::compile_error) << m.text << m.details;
}

TEST_F(compiled_by_nvcc, a_crash_is_shown_by_line) {
  const std::string crashing =
      "void transpose(const gs::device_array<float>&, const gs::device_array<float>&) {\n"
      "  auto* nowhere = reinterpret_cast<volatile int*>(8);\n"
      "  *nowhere = 1;\n"
      "}\n";
  const auto result = compile_text(crashing, "crash.cpp");
  ASSERT_TRUE(std::holds_alternative<compiled_module>(result)) << std::get<mishap>(result).details;
  const auto r = call_on_engine(task_of(2), std::get<compiled_module>(result), task_of(2).public_cases.back());
  ASSERT_TRUE(r.went_wrong);
  EXPECT_EQ(r.went_wrong->kind, mishap_kind::crashed);
  EXPECT_EQ(r.went_wrong->place.file, "crash.cpp");
  EXPECT_EQ(r.went_wrong->place.line, 3u);
}

// What a submission may do there, where a GPU's driver runs in its process.
TEST(sandbox_with_a_gpu, opens_no_connection_and_starts_no_process) {
  workshop::confinement c;
  c.gpu = true;
  const auto run = [&](const std::string& script) {
    return workshop::run_program({.command = workshop::confined(workshop::strongest_isolation(), c,
                                                                {"bash", "-c", script + "; echo and went on"})},
                                 20)
        .output;
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
  const std::string connecting = run("exec 5<>/dev/tcp/127.0.0.1/80");
  EXPECT_TRUE(has(connecting, "Operation not permitted")) << connecting;
  const std::string forking = run("ls / & wait");
  EXPECT_TRUE(has(forking, "fork: Operation not permitted") && !has(forking, "usr")) << forking;
  const std::string environment = run("echo $GRIDSTRIDE_TARGET");
  EXPECT_EQ(environment, "cuda\nand went on\n");
}

TEST(gpu, is_missed_aloud) {
  if (!workshop::gpu_devices().empty()) GTEST_SKIP() << "there is a GPU";
  EXPECT_TRUE(
      refused<gs::machine_error>([] { grader::gpu_name(workshop::strongest_isolation()); },
                                 {"grade on a GPU: this machine has no NVIDIA GPU: no /dev/nvidia0; leave --target "
                                  "out: submissions run on the CPU then"}));
}

class on_the_gpu : public compiled_by_nvcc {
 protected:
  void SetUp() override {
    compiled_by_nvcc::SetUp();
    if (IsSkipped()) return;
    try {
      name_ = grader::gpu_name(workshop::strongest_isolation());
    } catch (const gs::machine_error& e) {
      GTEST_SKIP() << e.what();
    }
  }
  std::string name_;
};

TEST_F(on_the_gpu, right_solutions_pass_and_bandwidth_is_a_share_of_a_copys) {
  for (std::size_t k = 0; k < 4; ++k) {
    const grader::task t = grader::on_gpu(task_of(k), true);
    const auto workshop = grader::sandboxed_workshop(t, workshop::strongest_isolation(), name_);
    const grader::verdict v = grader::grade(t, solution(t, "right/block_style"), *workshop);
    EXPECT_TRUE(v.passed) << grader::to_json(v);
    EXPECT_EQ(v.device, name_);
    for (const grader::speed_measurement& m : v.speed) {
      if (t.id != "A3") continue;
      EXPECT_GT(m.ratio, 0.1) << m.call;
      EXPECT_LT(m.ratio, 1.2) << m.call << ": no transpose is faster than a copy";
    }
  }
}

}  // namespace gpu_test
