// GRIDSTRIDE_TARGET and GRIDSTRIDE_THREADS: what each value chooses, and the message for a wrong one. A program
// chooses once, so each value is tried in a child process.

#include "runtime/device/target.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

#include "runtime/core/error.h"
#include "runtime/device/device.h"
#include "runtime/host/cores.h"
#include "tests/runtime/refused.h"
#include "tests/runtime/starts_programs.h"

namespace {

using runtime_test::refused;

TEST(target, text_of_the_variable) {
  EXPECT_EQ(gs::detail::parse_target("").ufunc, gs::target::device);
  EXPECT_EQ(gs::detail::parse_target("device").ufunc, gs::target::device);
  EXPECT_EQ(gs::detail::parse_target("device").device, std::nullopt);
  EXPECT_EQ(gs::detail::parse_target("cpu").ufunc, gs::target::cpu);
  EXPECT_EQ(gs::detail::parse_target("parallel").ufunc, gs::target::parallel);
  EXPECT_EQ(gs::detail::parse_target("engine").device, gs::device_kind::engine);
  EXPECT_EQ(gs::detail::parse_target("engine").ufunc, gs::target::device);
  EXPECT_EQ(gs::detail::parse_target("cuda").device, gs::device_kind::cuda);
  for (const char* wrong : {"gpu", "CPU", "cpu ", "engine,cuda"})
    EXPECT_TRUE(refused([&] { gs::detail::parse_target(wrong); }, {"GRIDSTRIDE_TARGET", std::string("'") + wrong + "'",
                                                                   "use cpu, parallel, device, engine", "cuda"}));
}

TEST(target, names) {
  EXPECT_EQ(to_string(gs::target::cpu), "cpu");
  EXPECT_EQ(to_string(gs::target::parallel), "parallel");
  EXPECT_EQ(to_string(gs::target::device), "device");
  EXPECT_EQ(to_string(gs::device_kind::engine), "engine");
  EXPECT_EQ(to_string(gs::device_kind::cuda), "cuda");
}

// Says on standard error what `ask` found with the variable set, and ends the child process.
void report(const char* variable, const char* value, const std::function<std::string()>& ask) {
  setenv(variable, value, 1);
  try {
    std::fprintf(stderr, "found %s\n", ask().c_str());
    std::exit(0);
  } catch (const gs::machine_error& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    std::exit(3);
  } catch (const gs::error& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    std::exit(2);
  }
}

class environment_test : public testing::Test {
 protected:
  environment_test() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  void SetUp() override { SKIP_UNLESS_PROGRAMS_START(); }
  static std::string place_of_work() {
    return to_string(gs::default_target()) + " on " + to_string(gs::current_device());
  }
  static std::string device_kind() { return to_string(gs::device().kind); }
  static std::string cores() { return std::to_string(gs::core_count()); }
};

TEST_F(environment_test, target_is_read) {
  EXPECT_EXIT(report("GRIDSTRIDE_TARGET", "engine", place_of_work), testing::ExitedWithCode(0),
              "found device on engine");
  EXPECT_EXIT(report("GRIDSTRIDE_TARGET", "cpu", place_of_work), testing::ExitedWithCode(0), "found cpu on ");
  EXPECT_EXIT(report("GRIDSTRIDE_TARGET", "parallel", place_of_work), testing::ExitedWithCode(0), "found parallel on ");
  EXPECT_EXIT(report("GRIDSTRIDE_TARGET", "", place_of_work), testing::ExitedWithCode(0), "found device on ");
}

TEST_F(environment_test, a_misspelt_target_names_the_choices) {
  const char* text = "GRIDSTRIDE_TARGET: 'gpu'; use cpu, parallel, device, engine(,| or) cuda";
  EXPECT_EXIT(report("GRIDSTRIDE_TARGET", "gpu", place_of_work), testing::ExitedWithCode(2), text);
  EXPECT_EXIT(report("GRIDSTRIDE_TARGET", "gpu", device_kind), testing::ExitedWithCode(2), text);
  const auto after_select = [] {
    gs::select_device(gs::device_kind::engine);
    return place_of_work();
  };
  EXPECT_EXIT(report("GRIDSTRIDE_TARGET", "gpu", after_select), testing::ExitedWithCode(2), text);
}

TEST_F(environment_test, cuda_is_there_or_refused) {
  if (gs::why_no_cuda().empty()) {
    EXPECT_EXIT(report("GRIDSTRIDE_TARGET", "cuda", place_of_work), testing::ExitedWithCode(0), "found device on cuda");
  } else {
    const std::string text = "GRIDSTRIDE_TARGET=cuda: .*; use device or engine";
    EXPECT_EXIT(report("GRIDSTRIDE_TARGET", "cuda", place_of_work), testing::ExitedWithCode(3), text);
    EXPECT_EXIT(report("GRIDSTRIDE_TARGET", "cuda", device_kind), testing::ExitedWithCode(3), text);
    EXPECT_TRUE(refused<gs::machine_error>([] { gs::select_device(gs::device_kind::cuda); },
                                           {"device cuda", gs::why_no_cuda(), "use the engine"}));
  }
}

TEST_F(environment_test, number_of_threads_is_read) {
  EXPECT_EXIT(report("GRIDSTRIDE_THREADS", "3", cores), testing::ExitedWithCode(0), "found 3\n");
  for (const char* wrong : {"0", "-1", "1025", "two", "2x", "1.5"})
    EXPECT_EXIT(report("GRIDSTRIDE_THREADS", wrong, cores), testing::ExitedWithCode(2),
                std::string("GRIDSTRIDE_THREADS: '") + wrong + "'; use a number of 1 to 1024");
}

TEST(device, says_what_it_is) {
  gs::select_device(gs::device_kind::engine);
  const auto& info = gs::device();
  EXPECT_EQ(info.kind, gs::device_kind::engine);
  EXPECT_NE(info.name.find("engine"), info.name.npos);
  EXPECT_EQ(info.multiprocessors, gs::core_count());
  EXPECT_GT(info.memory, std::size_t{1} << 28);
  EXPECT_EQ(info.compute_capability, 0u);
}

}  // namespace
