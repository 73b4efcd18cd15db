// Closed memory: kernels, ufuncs, libraries and copies reach it, and code of the host doesn't. Closing can't be undone:
// each test does it in a process of its own.

#include "runtime/engine/closed_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <vector>

#include "runtime/core/fault_signal.h"
#include "runtime/gs.h"
#include "tests/runtime/starts_programs.h"

#if !GRIDSTRIDE_CHECKED

namespace closed_memory_test {

GS_FN void doubles(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  for (auto i : t.grid_stride(y.size())) y[i] = 2 * x[i];
}
GS_FN float half(float x) { return x / 2; }

void begin() {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  gs::select_device(gs::device_kind::engine);
  gs::closed_memory::begin();
}

class closed_memory_tests : public testing::Test {
 protected:
  closed_memory_tests() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
  void SetUp() override { SKIP_UNLESS_PROGRAMS_START(); }
};

TEST_F(closed_memory_tests, is_open_to_kernels_ufuncs_libraries_and_copies) {
  const auto work = [] {
    begin();
    for (const std::size_t n : {1u, 33u, 1009u, 3'000'000u}) {
      const std::vector<float> host(n, 3.0f);
      const auto x = gs::to_device(host);
      gs::device_array<float> y(n);
      gs::launch<doubles>({.grid = 8, .block = 64}, x, y);
      gs::vectorize<half>(y, gs::out(x));
      gs::sort(x, gs::out(y));
      if (y.copy().copy_to_host() != host || !gs::closed_memory::contains(y.data())) std::exit(1);
    }
    std::exit(0);
  };
  EXPECT_EXIT(work(), testing::ExitedWithCode(0), "");
}

// By SIGSEGV, which AddressSanitizer takes and reports.
bool ends_for_the_access(int status) {
  return gs::detail::sanitizer_reports_signals ? WIFEXITED(status) && WEXITSTATUS(status) != 0
                                               : WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

TEST_F(closed_memory_tests, ends_a_program_whose_host_code_reads_it) {
  const auto read_memory = [] {
    begin();
    const auto x = gs::to_device(std::vector<float>(10, 1.0f));
    [[maybe_unused]] const float first = *static_cast<const volatile float*>(x.data());
    std::exit(0);
  };
  EXPECT_EXIT(read_memory(), ends_for_the_access, "");
}

TEST_F(closed_memory_tests, ends_a_program_whose_host_code_writes_it_after_a_kernel) {
  const auto write = [] {
    begin();
    const auto x = gs::to_device(std::vector<float>(10, 1.0f));
    gs::launch<doubles>({.grid = 1, .block = 32}, x, x);
    gs::synchronize();
    *static_cast<volatile float*>(x.data()) = 1;
    std::exit(0);
  };
  EXPECT_EXIT(write(), ends_for_the_access, "");
}

TEST_F(closed_memory_tests, is_not_there_unless_a_program_asks_for_it) {
  const auto x = gs::to_device(std::vector<float>(10, 1.0f));
  EXPECT_FALSE(gs::closed_memory::on());
  EXPECT_FALSE(gs::closed_memory::contains(x.data()));
}

}  // namespace closed_memory_test

#endif
