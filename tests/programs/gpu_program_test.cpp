// CUDA sources on a GPU: what nvcc is called with, what NVIDIA's tools say, and what is missing. The toolkit here is a
// few scripts; the logs are written after the tools' manuals.

#include "programs/gpu_program.h"

#include <algorithm>
#include <fstream>

#include "programs/profiler_report.h"
#include "programs/sanitizer_report.h"
#include "runtime/core/error.h"
#include "tests/programs/written_programs.h"

namespace {

using programs::gpu_toolkit, programs::program_files, programs::sanitizer_finding;
using programs_test::ending, programs_test::expect_in, programs_test::text_of;

// As version 2023 and later write it.
constexpr const char* memcheck_log = R"(========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at k(int *, int)+0x70 in /tmp/a folder/homework.cu:4
=========     by thread (63,0,0) in block (0,0,0)
=========     Address 0x7f2c1ba00100 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f2c1ba00000 of size 256 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========     Host Frame:  [0x2dbd1f] in libcuda.so.1
=========     Host Frame: main in /tmp/a folder/homework.cu:9 [0x9a7] in program
=========
========= Invalid __global__ write of size 4 bytes
=========     at k(int *, int)+0x70 in /tmp/a folder/homework.cu:4
=========     by thread (62,0,0) in block (1,0,0)
=========     Address 0x7f2c1ba00104 is out of bounds
=========
========= Program hit cudaErrorInvalidValue (error 1) due to "invalid argument" on CUDA API call to cudaMemcpy.
=========     Saved host backtrace up to driver entry point at error
=========     Host Frame:  [0x4545f6] in libcuda.so.1
=========     Host Frame: main in /tmp/a folder/homework.cu:12 [0x9ff] in program
=========
========= Leaked 256 bytes at 0x7f2c1ba00200
=========     Saved host backtrace up to driver entry point at allocation time
=========     Host Frame: cudaMalloc in /usr/include/cuda_runtime.h:123 [0x1] in program
=========     Host Frame: main in /tmp/a folder/homework.cu:8 [0x98] in program
=========
========= LEAK SUMMARY: 256 bytes leaked in 1 allocations
========= ERROR SUMMARY: 4 errors
)";
constexpr const char* racecheck_log = R"(========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at reverse(int *)+0x80 in /tmp/homework.cu:5
=========     and Read access at reverse(int *)+0xc0 in /tmp/homework.cu:7 [252 hazards]
=========
========= Warning: Race reported between Write access at 0x90 in /tmp/homework.cu:9:reverse(int *)
=========     and Write access at 0x90 in /tmp/homework.cu:9:reverse(int *) [4 hazards]
=========
========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)
)";

// A folder with a toolkit of scripts, and a source.
struct scripted_toolkit : programs_test::written_programs {
  void SetUp() override {
    written_programs::SetUp();
    // Notes its arguments, and "compiles" to a script that prints its own.
    script("nvcc", R"(printf '%s\n' "$@" >")" + (folder / "asked").string() + R"("
while [ $# -gt 1 ]; do if [ "$1" = -o ]; then out=$2; fi; shift; done
if grep -q wrong "$source"; then echo 'homework.cu(1): error: expected a declaration' >&2; exit 1; fi
printf '#!/bin/sh\necho "ran $*"\nexit 7\n' >"$out"; chmod +x "$out")");
  }
  void script(const std::string& name, const std::string& text) {
    const auto file = write(name, "#!/bin/bash\nsource='" + (folder / "homework.cu").string() + "'\n" + text + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  // A tool that writes this to its log, and runs the program.
  void tool(const std::string& name, const std::string& log) {
    write(name + ".log", log);
    script(name, R"(while [ $# -gt 0 ] && [[ $1 = -* ]]; do
  if [ "$1" = --log-file ]; then log=$2; fi
  if [ "$1" = --tool ]; then tool=$2; fi
  if [ "$1" = --csv ]; then shift; else shift 2; fi
done
if [ "${tool:-memcheck}" = memcheck ]; then cp ')" +
                     (folder / name).string() + R"(.log' "$log"; fi
"$@"; exit 0)");
  }
  program_files source(const std::string& text, std::vector<std::string> arguments = {}) {
    const auto file = write("homework.cu", text);
    return {.name = "homework", .shown = "homework.cu", .sources = {file}, .arguments = std::move(arguments)};
  }
  gpu_toolkit toolkit() const {
    gpu_toolkit t{.nvcc = folder / "nvcc", .sanitizer = {}, .profiler = {}, .has_gpu = true};
    if (std::filesystem::exists(folder / "compute-sanitizer")) t.sanitizer = folder / "compute-sanitizer";
    if (std::filesystem::exists(folder / "ncu")) t.profiler = folder / "ncu";
    return t;
  }
};

template <class Call>
std::string refusal_of(Call call) {
  try {
    call();
  } catch (const gs::error& refused) {
    return refused.what();
  }
  return "";
}

}  // namespace

TEST(sanitizer_report, reads_findings_with_their_places_once_each) {
  const auto found = programs::read_sanitizer_log("memcheck", memcheck_log);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], (sanitizer_finding{.tool = "memcheck",
                                         .text = "Invalid __global__ write of size 4 bytes",
                                         .file = "/tmp/a folder/homework.cu",
                                         .line = 4,
                                         .other_file = "",
                                         .other_line = 0,
                                         .by = "thread (63,0,0) in block (0,0,0)",
                                         .count = 2}));
  EXPECT_EQ(found[1].text,
            "Program hit cudaErrorInvalidValue (error 1) due to \"invalid argument\" on CUDA API call to cudaMemcpy");
  EXPECT_EQ(found[1].line, 12u);
  EXPECT_EQ(found[2].text, "Leaked 256 bytes at 0x7f2c1ba00200");
  EXPECT_EQ(found[2].line, 8u);
}

TEST(sanitizer_report, reads_both_accesses_of_a_race) {
  const auto found = programs::read_sanitizer_log("racecheck", racecheck_log);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].text, "Race reported between Write access and Read access");
  EXPECT_EQ(found[0].line, 5u);
  EXPECT_EQ(found[0].other_line, 7u);
  EXPECT_EQ(found[0].other_file, "/tmp/homework.cu");
  EXPECT_EQ(found[1].text, "Race reported between Write access and Write access");
  EXPECT_EQ(found[1].line, 9u);
  EXPECT_EQ(found[1].other_line, 9u);
}

TEST(sanitizer_report, reads_nothing_where_nothing_was_found) {
  EXPECT_TRUE(programs::read_sanitizer_log("memcheck",
                                           "========= COMPUTE-SANITIZER\nthe program prints: 3\n"
                                           "========= ERROR SUMMARY: 0 errors\n")
                  .empty());
  EXPECT_TRUE(programs::read_sanitizer_log("memcheck", "").empty());
  EXPECT_EQ(programs::sanitizer_text({}), "");
}

TEST(profiler_report, reads_launches_by_kernel) {
  const auto kernels = programs::read_profiler_log(
      "==PROF== Connected to process 7\n"
      "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"k(int *, \"\"x\"\")\",\"gpu__time_duration.sum\",\"usecond\",\"1,500.5\"\n"
      "\"0\",\"k(int *, \"\"x\"\")\",\"sm__throughput.avg.pct_of_peak_sustained_elapsed\",\"%\",\"40\"\n"
      "\"1\",\"k(int *, \"\"x\"\")\",\"gpu__time_duration.sum\",\"ns\",\"500\"\n"
      "\"1\",\"k(int *, \"\"x\"\")\",\"sm__throughput.avg.pct_of_peak_sustained_elapsed\",\"%\",\"20\"\n"
      "\"2\",\"short\",\"gpu__time_duration.sum\"\n"
      "==PROF== Disconnected\n");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "k(int *, \"x\")");
  EXPECT_EQ(kernels[0].launches, 2u);
  EXPECT_NEAR(kernels[0].sums.at("gpu__time_duration.sum"), 1501e-6, 1e-12);
  const std::string text = programs::profiler_text(kernels);
  expect_in("1.50 ms", text);
  expect_in("30 %", text);
  EXPECT_EQ(programs::profiler_text({}), "");
}

TEST_F(scripted_toolkit, compiles_with_the_libraries_whose_headers_are_included) {
  const auto command =
      programs::nvcc_command(toolkit(), source("#include <cufft.h>\n#include <cublas_v2.h>\n"), "/tmp/p");
  EXPECT_EQ(command.front(), (folder / "nvcc").string());
  for (const char* word : {"-arch=native", "-lineinfo", "-lcublas", "-lcufft"})
    EXPECT_NE(std::ranges::find(command, word), command.end()) << word;
  EXPECT_EQ(std::ranges::find(command, "-lcurand"), command.end());
}

TEST_F(scripted_toolkit, runs_what_nvcc_has_compiled) {
  EXPECT_EQ(programs::run_on_gpu(source("int main() {}\n", {"one", "2"}), toolkit()), 7);
  expect_in("homework.cu", text_of(folder / "asked"));
  EXPECT_EQ(programs::run_on_gpu(source("wrong\n"), toolkit()), 1);
}

TEST_F(scripted_toolkit, tells_what_the_tools_say_at_lines_of_the_source) {
  std::string log = memcheck_log;
  for (std::size_t at; (at = log.find("/tmp/a folder")) != log.npos;) log.replace(at, 13, folder.path().string());
  tool("compute-sanitizer", log);
  tool("ncu",
       "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
       "\"0\",\"k(int *)\",\"gpu__time_duration.sum\",\"us\",\"12\"\n");
  const program_files files = source("\n\n\n  x[i + 1] = n;\n");
  testing::internal::CaptureStdout();
  EXPECT_EQ(programs::inspect_on_gpu(files, toolkit()), 1);
  const std::string text = testing::internal::GetCapturedStdout();
  expect_in(
      "Invalid __global__ write of size 4 bytes [memcheck]\n  homework.cu:4  x[i + 1] = n;\n  by thread (63,0,0) in "
      "block (0,0,0) first\n  2 times\n",
      text);
  expect_in("homework.cu:12", text);
  expect_in("12.0 µs", text);
}

TEST_F(scripted_toolkit, says_that_nothing_was_found) {
  tool("compute-sanitizer", "========= ERROR SUMMARY: 0 errors\n");
  const program_files files = source("int main() {}\n");
  testing::internal::CaptureStdout();
  EXPECT_EQ(programs::inspect_on_gpu(files, toolkit()), 0);
  const std::string text = testing::internal::GetCapturedStdout();
  expect_in("No findings of compute-sanitizer: memcheck, racecheck, initcheck, synccheck.\n", text);
  expect_in("ncu was not found: nothing was measured.\n", text);
}

TEST_F(scripted_toolkit, says_what_is_missing) {
  const program_files files = source("int main() {}\n");
  gpu_toolkit t = toolkit();
  EXPECT_EQ(refusal_of([&] { programs::inspect_on_gpu(files, t); }),
            "inspect --target cuda homework.cu: neither compute-sanitizer nor ncu was found; install them with the "
            "CUDA toolkit, or leave --target cuda out: the engine inspects it");
  t.has_gpu = false;
  EXPECT_EQ(
      refusal_of([&] { programs::run_on_gpu(files, t); }),
      "run --target cuda homework.cu: this machine has no NVIDIA GPU; leave --target cuda out: it runs on the CPU");
  t.nvcc.clear();
  EXPECT_EQ(refusal_of([&] { programs::run_on_gpu(files, t); }),
            "run --target cuda homework.cu: nvcc, which compiles it for a GPU, was not found; install the CUDA "
            "toolkit, or leave --target cuda out: it runs on the CPU");
  program_files plain = files;
  plain.sources = {write("wave.cpp", "int main() {}\n")};
  plain.shown = "wave.cpp";
  EXPECT_EQ(refusal_of([&] { programs::run_on_gpu(plain, toolkit()); }),
            "run --target cuda wave.cpp: nvcc takes CUDA sources, and this is none; name a .cu file, or leave --target "
            "cuda out");
}

TEST_F(scripted_toolkit, is_asked_for_by_the_command) {
  source("int main() { return 3; }\n");
  const std::string program = "env PATH=/usr/bin:/bin CUDA_PATH=/nonexistent " PROGRAM;
  const auto run_with = [&](const std::string& words) { return run("help >/dev/null; " + program + " " + words); };
  const ending wrong = run_with("run --target tpu homework.cu");
  EXPECT_EQ(wrong.status, 2);
  expect_in("run --target tpu: there is no such target; use --target cuda or --target engine, before the file",
            wrong.error);
  EXPECT_EQ(run_with("run --target=engine homework.cu").status, 3);
  expect_in("inspect --target cuda --lines: NVIDIA's tools take no such option here; leave it out",
            run_with("inspect --target cuda --lines homework.cu").error);
  if (std::filesystem::exists("/usr/bin/nvcc")) GTEST_SKIP() << "nvcc is here";
  const ending lacks = run_with("run --target cuda homework.cu");
  EXPECT_EQ(lacks.status, 3);
  expect_in("run --target cuda homework.cu: nvcc, which compiles it for a GPU, was not found", lacks.error);
}
